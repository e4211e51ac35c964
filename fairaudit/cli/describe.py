"""What the command ``describe`` does: what is in a file, and what to look out for."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from fairaudit.cli.options import add_format
from fairaudit.cli.reading import add_data, add_reading, read_data
from fairaudit.cli.terminal import aligned, emit, one_line
from fairaudit.data.prepare import without_repetitions
from fairaudit.data.quality import QualityReport, quality_report
from fairaudit.data.table import Table
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.plain import plain
from fairaudit.messages import say


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_format(parser, "text", "json")
    add_reading(parser)


def execute(options: Namespace) -> None:
    """Print what is in a file."""
    table = read_data(options)
    quality = quality_report(table)
    kept = _fingerprint_of_kept(table, quality)
    if options.format == "json":
        facts = {
            "name": table.name,
            "n_rows": table.n_rows,
            "fingerprint": table.fingerprint,
            "fingerprint_without_repeated_rows": kept,
            "connection": plain(table.connection),
            "source": plain(table.source),
            "notes": list(table.notes),
            "columns": plain(quality.columns),
            "issues": plain(quality.issues),
        }
        emit(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    emit("\n".join(one_line(line) for line in _description(table, quality, kept)))


def _fingerprint_of_kept(table: Table, quality: QualityReport) -> str | None:
    """Return the fingerprint that an audit has where repeated rows were left out; None if it has no other or cannot."""
    by_cases = table.source.options.counts is not None
    if table.is_connected or table.source.in_place or by_cases or not quality.duplicate_rows:
        return None
    # That of all rows is worked out first: these rows will be gone.
    _ = table.fingerprint
    return without_repetitions(table).fingerprint


def _description(table: Table, quality: QualityReport, kept: str | None) -> list[str]:
    options = table.source.options
    found = {
        "separator": options.delimiter and repr(options.delimiter),
        "encoding": options.encoding,
        "decimal mark": table.source.decimal and repr(table.source.decimal),
        "decimal point in": ", ".join(options.decimal_point),
        "decimal comma in": ", ".join(options.decimal_comma),
        "as text": ", ".join(options.as_text),
        "labels in": ", ".join(c.name for c in table.columns.values() if c.labels and c.name not in options.codes),
        "numbers and no codes": ", ".join(options.numbers),
        "codes without labels": ", ".join(options.codes),
        "days": options.dates,
        "sheet": options.sheet,
        "one spelling in": ", ".join(options.same_spelling),
        "cases counted by": options.counts,
        "means of several people in": ", ".join(c.name for c in table.columns.values() if c.is_mean),
        "counts rounded to": options.rounded_to,
        "hidden counts": ", ".join(f"{text!r} is {low} to {high}" for text, (low, high) in options.hidden),
    }
    how = ", ".join(f"{name} {value}" for name, value in found.items() if value)
    lines = [f"{table.name}: {table.n_rows:,} rows, {len(table.columns):,} columns"]
    place = table.connection
    read = f"read as {table.source.format}{', gzipped' if table.source.compressed else ''}{f' ({how})' if how else ''}"
    if place is not None:
        stays = {"engine": Phrase(place.engine), "connection": Phrase(place.connection or "")}
        read = say(Message("cli-stays", stays))
    lines += [read]
    lines += [f"fingerprint {table.fingerprint}{'' if place is None else ' (of columns, number of rows and sums)'}"]
    if kept is not None:
        lines += [say(Message("cli-distinct", {"fingerprint": Phrase(kept), "n": Count(quality.duplicate_rows or 0)}))]
    lines += [f"note: {note}" for note in table.notes]
    cells = [("column", "missing", "different", "kind")]
    cells += [(c.name, f"{c.n_missing:,}", f"{c.n_distinct:,}", c.kind) for c in quality.columns]
    lines += ["", *aligned(cells)]
    if quality.issues:
        lines += ["", "look out for:"]
        lines += [f"  {'' if i.column is None else i.column + ': '}{i.message} {i.advice}" for i in quality.issues]
    return lines
