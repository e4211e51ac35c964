"""How a text table is written: delimiter, quotes and header, found from its first lines."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairaudit.columns import ReadOptions
from fairaudit.data.kinds import NUMBER
from fairaudit.data.names import joined_names
from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.said import remark
from fairaudit.errors import InputError, quote
from fairaudit.findings import Count, Message

# In the order of preference among equals.
DELIMITERS = ("\t", ";", ",", "|")


_LINES = 200
_LOOKED_AT = 20
"""Among so many first rows, lines above the names are looked for."""
MOST_ABOVE = 100
"""The last row in which names may stand."""
_FEWEST = 3
"""Columns of a table in which a row of one cell is no row of the table."""
_NUMERIC = re.compile(
    rf"{NUMBER}|[+-]?\d+,\d+|[+-]?\d{{1,3}}([.,]\d{{3}})+([.,]\d+)?"
    r"|(\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})([T ][\d:.]+\S*)?"
)
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """How a text table is written.

    Parameters
    ----------
    delimiter : str
        Between the cells.
    quote : str
        The quote character, empty for none.
    header : bool
        Whether the first line holds the names.
    skip : int
        Bytes of UTF-8 before the first line that are not part of the table.
    first : tuple of str
        Cells of the first line.
    notes : tuple of str
        What a person should know about how it was found.
    skip_lines : int
        Lines before the first line that are not part of the table.
    names_row, name_rows : int, optional
        The first line of the names, and how many there are.
    """

    delimiter: str
    quote: str
    header: bool
    skip: int
    first: tuple[str, ...]
    notes: tuple[str, ...] = ()
    skip_lines: int = 0
    names_row: int | None = None
    name_rows: int | None = None


def find_dialect(sample: str, options: ReadOptions, *, whole: bool) -> Dialect:
    """Find how a text table is written."""
    delimiter, mark = _checked(options)
    skip = len(sample) - len(sample.lstrip("\r\n"))
    line = _SEPARATOR_LINE.match(sample, skip)
    if line and delimiter in (None, line[1]):
        skip, delimiter = line.end(), line[1]
    passed: list[str] = []
    if options.names_row is not None:
        passed, skip = _lines_passed(sample, skip, options.names_row)
    text = sample[skip:]
    if mark is None:
        mark = _find_quote(text, delimiter)
    candidates = DELIMITERS if delimiter is None else (delimiter,)
    parsed = {d: _records(text, d, mark, whole=whole) for d in candidates}
    scores = {d: _score(rows[lines_above_names(rows, options) :]) for d, rows in parsed.items()}
    best = max(candidates, key=scores.__getitem__)
    if delimiter is None and not scores[best][0]:
        best = ","
    rows = parsed[best]
    n_lines = len(sample[:skip].splitlines())
    above = lines_above_names(rows, options)
    if above:
        length, n_above = _before(text, best, mark, above)
        rows, text, skip, n_lines = rows[above:], text[length:], skip + length, n_lines + n_above
    said = options.names_row or options.name_rows
    header = bool(said) or (has_header(rows) if options.header is None else options.header)
    names_row, n_names = n_lines + 1, options.name_rows or 1
    first = tuple(joined_names(rows[:n_names]) if n_names > 1 else rows[0] if rows else ())
    if n_names > 1:
        # What is read begins with the last line of names.
        length, n_above = _before(text, best, mark, n_names - 1)
        skip, n_lines = skip + length, n_lines + n_above
    notes = () if header or options.header is not None else (headless(),)
    notes = (*lines_left_out([*[[each] for each in passed], *parsed[best][:above]]), *notes)
    placed = (names_row, n_names) if header else (None, None)
    return Dialect(best, mark, header, len(sample[:skip].encode()), first, notes, n_lines, *placed)


def _lines_passed(sample: str, skip: int, names_row: int) -> tuple[list[str], int]:
    """Return the lines above that of the names, and the characters before it."""
    lines = sample.splitlines(keepends=True)
    length = sum(map(len, lines[: names_row - 1]))
    if names_row > len(lines) or not lines[names_row - 1].strip():
        raise InputError(
            f"'names_row' must be a line with names, among the first lines of the file, got {names_row:,}.",
            hint="Lines are counted from 1, empty ones too.",
        )
    # Above the names may stand a line that says the separator, which is no line of the table.
    above = sample[skip:length] if length > skip else ""
    return above.splitlines(), length


def lines_above_names(rows: Sequence[Sequence[str]], options: ReadOptions) -> int:
    """Return how many rows stand above the names of three columns or more, such as a title.

    Such a row has one cell at most, or no more than half as many as the table has columns.

    Examples
    --------
    >>> table = [["name", "sex", "granted"], ["Kim", "F", "yes"]]
    >>> lines_above_names([["Decisions 2024"], *table], ReadOptions()), lines_above_names(table, ReadOptions())
    (1, 0)
    """
    if options.names_row is not None:
        return 0
    filled = [sum(1 for cell in row if cell.strip()) for row in rows[:_LOOKED_AT]]
    widths = Counter(len(row) for row in rows[:_LOOKED_AT])
    width = max(widths, key=lambda cells: (widths[cells], cells), default=0)
    above = next((place for place, n in enumerate(filled) if n > 1 and 2 * len(rows[place]) > width), 0)
    rest = sorted(filled[above:])
    if options.header is False or not above or rest[len(rest) // 2] < _FEWEST:
        return 0
    # What may be a row of data is never left out.
    names, *below = rows[above:_LOOKED_AT]
    as_wide = below and all(len(row) == len(names) for row in below)
    return above if as_wide and has_header(rows[above:]) else 0


def lines_left_out(above: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return a note on rows above the names; those without any cell are not counted."""
    n = sum(1 for row in above if any(cell.strip() for cell in row))
    return (remark(Message("read-lines-above", {"n": Count(n)}), "setting"),) if n else ()


def headless() -> Remark:
    """Return a note that the first line was taken for data."""
    return remark(Message("read-headless"), "setting")


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row holds the names.

    Examples
    --------
    >>> has_header([["age", "sex"], ["41", "F"]])
    True
    >>> has_header([["41", "F"], ["39", "M"]])
    False
    """
    if len(rows) < 2:
        return True
    first, rest = rows[0], rows[1:]
    numeric = [bool(_NUMERIC.fullmatch(cell.strip())) for cell in first]
    for position, cell in enumerate(first):
        below = [row[position].strip() for row in rest if len(row) > position and row[position].strip()]
        share = sum(1 for value in below if _NUMERIC.fullmatch(value)) / len(below) if below else 0.0
        if share >= 0.9 and cell.strip() and not numeric[position]:
            return True
    # No column's type distinguishes names from values: a number among the names speaks for data.
    return not any(numeric)


def _checked(options: ReadOptions) -> tuple[str | None, str | None]:
    for name, value, allowed in (("delimiter", options.delimiter, (1,)), ("quote", options.quote, (0, 1))):
        if value is None:
            continue
        if len(value) not in allowed or value in ("\r", "\n", "\0") or not value.isascii():
            raise InputError(f"{name!r} must be one plain character, got {quote(value)}.", hint="Such as ';' or '\"'.")
    if options.delimiter is not None and options.delimiter == options.quote:
        raise InputError(f"'delimiter' and 'quote' must differ, got {quote(options.delimiter)} for both.")
    if options.decimal not in (None, ".", ","):
        raise InputError(f"'decimal' must be '.' or ',', got {quote(options.decimal)}.")
    check_name_rows(options)
    return options.delimiter, options.quote


def check_name_rows(options: ReadOptions) -> None:
    """Refuse what is no row, and names where there shall be none."""
    for name, value in (("names_row", options.names_row), ("name_rows", options.name_rows)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_ABOVE:
            raise InputError(f"{name!r} must be a whole number from 1 to {MOST_ABOVE}, got {quote(str(value))}.")
        if options.header is False:
            raise InputError(f"{name!r} cannot be {value} where 'header' says that no row holds the names.")


def _find_quote(text: str, delimiter: str | None) -> str:
    edges = re.escape(delimiter or "".join(DELIMITERS))
    counts = {}
    for mark in "\"'":
        around = rf"(?:^|[{edges}]){mark}[^{mark}\r\n]*{mark}(?:[{edges}\r\n]|$)"
        counts[mark] = len(re.findall(around, text[:100_000], re.MULTILINE))
    return "'" if counts["'"] > 2 and '"' not in text else '"'


def _before(text: str, delimiter: str, mark: str, n: int) -> tuple[int, int]:
    """Return how many characters and lines stand before the row that comes after so many rows that are not empty."""
    lines = io.StringIO(text, newline="")
    reader = _reader(lines, delimiter, mark)
    length = n_lines = 0
    for row in reader:
        if row and not n:
            break
        n -= bool(row)
        length, n_lines = lines.tell(), reader.line_num
    return length, n_lines


def _reader(lines: Iterable[str], delimiter: str, mark: str) -> Any:
    return csv.reader(
        lines, delimiter=delimiter, quotechar=mark or None, quoting=csv.QUOTE_MINIMAL if mark else csv.QUOTE_NONE
    )


def _records(text: str, delimiter: str, mark: str, *, whole: bool) -> list[list[str]]:
    reader = _reader(io.StringIO(text, newline=""), delimiter, mark)
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            if len(rows) > _LINES:
                break
    except csv.Error:
        # A cell beyond the bound of the module: what was read so far is enough to judge by.
        whole = True
    if not whole and 1 < len(rows) <= _LINES:
        rows.pop()
    return [row for row in rows if row]


def _score(rows: list[list[str]]) -> tuple[float, ...]:
    if not rows:
        return (0.0,)
    widths = Counter(len(row) for row in rows)
    width, n_rows = max(widths.items(), key=lambda item: (item[1], item[0]))
    if width < 2:
        return (0.0, n_rows / len(rows))
    cells = [cell for row in rows[:50] for cell in row]
    clean = sum(1 for cell in cells if not any(d in cell for d in DELIMITERS) or _NUMERIC.fullmatch(cell.strip()))
    same = n_rows / len(rows)
    fits_first = len(rows[0]) == width
    return (1.0, same >= 0.8, fits_first, round(clean / len(cells), 1), same, width)
