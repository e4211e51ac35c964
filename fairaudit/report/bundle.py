"""The CSV bundle: one file per table, a data dictionary and the plan in one zip, the same bytes for the same audit."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import Attachment, TableBlock, csv_bytes, fields, flat_header, flat_rows
from fairaudit.report.annexes import REPEAT, say_publish
from fairaudit.report.tables import all_tables

EPOCH = (1980, 1, 1, 0, 0, 0)
DICTIONARY = "data_dictionary.csv"


def to_csv_bundle(result: AuditResult) -> bytes:
    """Return all tables of an audit as a zip of CSV files.

    The small-cell rule of the plan is applied first.

    Notes
    -----
    The bytes depend on the plan, the data and the versions only: entries are sorted, stored without compression (whose
    bytes differ between builds) and dated 1980. CSV files are UTF-8 with a byte order mark and CRLF, which spreadsheets
    open as they should.
    """
    result = exported(result)
    tables = all_tables(result)
    files = {each.name: each.content for each in tables_of(result)}
    files["README.txt"] = _readme(result, tables).encode()
    return zipped(files)


def tables_of(result: AuditResult) -> list[Attachment]:
    """Return the files of an exported audit that people compute with: its tables, what their columns mean, its plan."""
    tables = all_tables(result)
    found = [
        Attachment(f"{table.key}.csv", csv_bytes(flat_header(table), flat_rows(table)), " ".join(table.title.split()))
        for table in tables
    ]
    found.append(Attachment(DICTIONARY, _dictionary(tables), say(Message("files-dictionary"))))
    return [*found, Attachment("plan.toml", result.plan.to_toml().encode(), say(Message("files-saved")))]


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip, the same bytes for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, files[name])
    return stream.getvalue()


def _dictionary(tables: tuple[TableBlock, ...]) -> bytes:
    rows = [
        (f"{table.key}.csv", name, meaning, unit)
        for table in tables
        for column in table.columns
        for name, meaning, unit in fields(column)
    ]
    return csv_bytes(("file", "column", "meaning", "unit"), rows)


def _read(result: AuditResult) -> list[Message]:
    """Say what the fingerprint is of, and what was changed of the rows while they were read."""
    options = result.data.source.options
    said = [Message("files-weak")] if result.data.fingerprint_kind == "aggregates" else []
    if options.same_spelling:
        said.append(Message("files-spelling", {"columns": Phrase(", ".join(options.same_spelling))}))
    said += [Message("files-distinct")] if options.distinct else []
    if options.one_row_per is not None:
        said.append(Message("files-one-row-per", {"column": Phrase(options.one_row_per)}))
    if options.counts is not None:
        said.append(Message("files-counts", {"column": Phrase(str(options.counts))}))
    return said


def _readme(result: AuditResult, tables: tuple[TableBlock, ...]) -> str:
    titles = [f"{table.key}.csv: {' '.join(table.title.split())}" for table in tables]
    hidden = [Message("report-hidden", {"minimum": Count(result.plan.small_cells.minimum)}), Message("files-not-shown")]
    lines = [
        say(Message("files-title")),
        "",
        *titles,
        f"{DICTIONARY}: {say(Message('files-dictionary'))}",
        f"plan.toml: {say(Message('files-plan'))}",
        f"    {REPEAT}",
        "",
        *map(say, map(Message, ("files-cells", "files-fractions", "files-empty", "files-apostrophe"))),
        *(map(say, (*hidden, say_publish(result.plan))) if result.plan.small_cells.mask else ()),
        "",
        f"Data: SHA-256 {result.data.fingerprint or say(Message('form-item-hidden'))}",
        *map(say, _read(result)),
        f"Saved audit: SHA-256 {result.plan_digest}",
        f"Software: {', '.join(f'{name} {version}' for name, version in result.versions)}",
        "",
    ]
    return "\r\n".join(lines)
