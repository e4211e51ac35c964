"""The CSV bundle: one file per table, a data dictionary and the plan in one zip, the same bytes for the same audit."""

from __future__ import annotations

import io
import zipfile

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.gate import exported
from fairaudit.present.blocks import Table
from fairaudit.present.cells import csv_bytes, fields, flat_header, flat_rows
from fairaudit.present.words import ONE_REPORT
from fairaudit.report.explanations import IN_A_CLONE, REPEAT
from fairaudit.report.tables import all_tables

EPOCH = (1980, 1, 1, 0, 0, 0)
DICTIONARY = "data_dictionary.csv"
_WHAT = {"content": "the content", "aggregates": "columns, number of rows and sums"}


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
    files = {f"{table.key}.csv": csv_bytes(flat_header(table), flat_rows(table)) for table in tables}
    files[DICTIONARY] = _dictionary(tables)
    files["plan.toml"] = result.plan.to_toml().encode()
    files["README.txt"] = _readme(result, tables).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, files[name])
    return stream.getvalue()


def _dictionary(tables: tuple[Table, ...]) -> bytes:
    rows = [
        (f"{table.key}.csv", name, meaning, unit)
        for table in tables
        for column in table.columns
        for name, meaning, unit in fields(column)
    ]
    return csv_bytes(("file", "column", "meaning", "unit"), rows)


def _readme(result: AuditResult, tables: tuple[Table, ...]) -> str:
    titles = [f"{table.key}.csv: {' '.join(table.title.split())}" for table in tables]
    minimum = result.plan.small_cells.minimum
    hidden = [
        f"Counts under {minimum} are not shown, nor are counts and figures from which they could be worked out.",
        'Such a cell holds the text "not shown".',
        ONE_REPORT,
    ]
    size = "rows not shown" if result.data.n_rows is None else f"{result.data.n_rows} rows"
    what = _WHAT[result.data.fingerprint_kind]
    if result.data.source.options.same_spelling:
        what += f", with one spelling in {', '.join(result.data.source.options.same_spelling)}"
    if result.data.source.options.distinct:
        what += ", without rows that repeat an earlier one"
    if result.data.source.options.counts is not None:
        what += f", cases written out by {result.data.source.options.counts}"
    lines = [
        "Tables of an audit made with fairaudit",
        "",
        *titles,
        f"{DICTIONARY}: what each column means, and its unit",
        "plan.toml: the audit itself; put it beside the data file and repeat it with:",
        f"    {REPEAT}",
        IN_A_CLONE,
        "",
        "The CSV files are UTF-8 with a byte order mark, with commas between cells, a point as decimal mark and CRLF "
        "at",
        "the end of a line. Where a spreadsheet shows all in one column, import the file and name the comma.",
        "Shares and gaps are fractions, in full precision: 0.32 is 32 %, a gap of -0.123 is -12.3 points.",
        "An empty cell is undefined, such as a share of no rows, or has nothing to say.",
        "An apostrophe stands before a text that a spreadsheet would run as a formula.",
        *(hidden if result.plan.small_cells.mask else ()),
        "",
        f"Data: {size}, SHA-256 of {what} {result.data.fingerprint or 'not shown'}",
        f"Saved audit: SHA-256 of the content {result.plan_digest}",
        f"Software: {', '.join(f'{name} {version}' for name, version in result.versions)}",
        "",
    ]
    return "\r\n".join(lines)
