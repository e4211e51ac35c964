"""Table cells as CSV cells: numbers in full, and no text that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from fairaudit.data.formulas import neutralised
from fairaudit.present.blocks import SUBTRACTED, ColumnSpec, Table
from fairaudit.present.numbers import NOT_SHOWN

UNITS = {
    "text": "text",
    "code": "text",
    "group": "text",
    "groups": "text",
    "count": "rows",
    "share": "fraction from 0 to 1",
    "points": "difference of two shares, a fraction from -1 to 1 (0.01 is one point)",
    "size": "difference of two shares, a fraction from 0 to 1 (0.01 is one point)",
    "number": "number",
    "amount": "in the unit of the decision",
    "difference": "difference of two amounts, in the unit of the decision",
    "p": "probability from 0 to 1",
}
APOSTROPHE = "an apostrophe stands before a text that a spreadsheet would run as a formula"


def csv_bytes(header: tuple[str, ...], rows: Any) -> bytes:
    """Return lines as CSV: UTF-8 with a byte order mark, commas, quoted texts, CRLF."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutralised(name) for name in header])
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return b"\xef\xbb\xbf" + stream.getvalue().encode("utf-8", errors="replace")


def flat_header(table: Table) -> tuple[str, ...]:
    """Return the field names of a table; an interval has two, ``name_low`` and ``name_high``."""
    return tuple(name for column in table.columns for name, _, _ in fields(column))


def flat_rows(table: Table) -> list[tuple[Any, ...]]:
    """Return the rows of a table with both ends of each interval in cells of their own."""
    flat = []
    for row in table.rows:
        cells: list[Any] = []
        for column, value in zip(table.columns, row, strict=True):
            if column.kind.endswith("_interval"):
                cells += [NOT_SHOWN if end is None else end for end in value]
            elif column.kind == "groups" and not isinstance(value, str):
                cells.append(SUBTRACTED.join(value))
            else:
                cells.append(value)
        flat.append(tuple(cells))
    return flat


def fields(column: ColumnSpec) -> tuple[tuple[str, str, str], ...]:
    """Return the fields that a column becomes: name, meaning and unit of each."""
    if column.kind.endswith("_interval"):
        unit = UNITS[column.kind.removesuffix("_interval")]
        ends = (("low", "Lower"), ("high", "Upper"))
        return tuple((f"{column.name}_{end}", f"{word} end: {column.description}", unit) for end, word in ends)
    unit = UNITS[column.kind]
    return ((column.name, column.description, f"{unit}; {APOSTROPHE}" if unit == "text" else unit),)


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return neutralised(str(value))
