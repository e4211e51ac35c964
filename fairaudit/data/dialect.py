"""How a text table is written: delimiter, quotes and header, found from its first lines."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.columns import ReadOptions
from fairaudit.data.kinds import NUMBER
from fairaudit.errors import InputError, quote

# In the order of preference among equals.
DELIMITERS = ("\t", ";", ",", "|")

HEADLESS = "The first line looks like data, so the columns are called by position."

_LINES = 200
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
        Characters before the first line that are not part of the table.
    first : tuple of str
        Cells of the first line.
    notes : tuple of str
        What a person should know about how it was found.
    skip_lines : int
        Lines before the first line that are not part of the table.
    """

    delimiter: str
    quote: str
    header: bool
    skip: int
    first: tuple[str, ...]
    notes: tuple[str, ...] = ()
    skip_lines: int = 0


def find_dialect(sample: str, options: ReadOptions, *, whole: bool) -> Dialect:
    """Find how a text table is written."""
    delimiter, mark = _checked(options)
    skip = len(sample) - len(sample.lstrip("\r\n"))
    line = _SEPARATOR_LINE.match(sample, skip)
    if line and delimiter in (None, line[1]):
        skip, delimiter = line.end(), line[1]
    text = sample[skip:]
    if mark is None:
        mark = _find_quote(text, delimiter)
    candidates = DELIMITERS if delimiter is None else (delimiter,)
    parsed = {d: _records(text, d, mark, whole=whole) for d in candidates}
    scores = {d: _score(parsed[d]) for d in candidates}
    best = max(candidates, key=scores.__getitem__)
    if delimiter is None and not scores[best][0]:
        best = ","
    rows = parsed[best]
    first = tuple(rows[0]) if rows else ()
    header = has_header(rows) if options.header is None else options.header
    notes = () if header or options.header is not None else (HEADLESS,)
    n_lines = len(sample[:skip].splitlines())
    return Dialect(best, mark, header, skip, first, notes, n_lines)


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
    return options.delimiter, options.quote


def _find_quote(text: str, delimiter: str | None) -> str:
    edges = re.escape(delimiter or "".join(DELIMITERS))
    counts = {}
    for mark in "\"'":
        around = rf"(?:^|[{edges}]){mark}[^{mark}\r\n]*{mark}(?:[{edges}\r\n]|$)"
        counts[mark] = len(re.findall(around, text[:100_000], re.MULTILINE))
    return "'" if counts["'"] > 2 and '"' not in text else '"'


def _records(text: str, delimiter: str, mark: str, *, whole: bool) -> list[list[str]]:
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=mark or None,
        quoting=csv.QUOTE_MINIMAL if mark else csv.QUOTE_NONE,
    )
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
