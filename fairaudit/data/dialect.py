"""How a text table is written: delimiter, quotes and header, found from its first lines."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from charset_normalizer import from_bytes

from fairaudit.columns import ReadOptions
from fairaudit.data.kinds import NUMBER
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.names import joined_names
from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.said import remark
from fairaudit.errors import DataError, InputError, LimitError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say

# Bytes of a text file to UTF-8, with the encoding found.

_CHUNK = 4_000_000
_SAMPLE = 200_000

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Codecs that transform instead of decode, or that have no fixed meaning.
_NOT_FOR_FILES = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})


@dataclass(frozen=True)
class Decoded:
    """A text file as UTF-8.

    Parameters
    ----------
    data : bytes
        UTF-8 without a byte order mark.
    encoding : str
        The encoding it was in.
    note : str or None
        What a person should know about how it was found.
    """

    data: bytes | memoryview
    encoding: str
    note: str | None = None


def to_utf8(data: bytes, given: str | None, limits: Limits) -> Decoded:
    """Bring a text file to UTF-8.

    A byte order mark decides; then strict UTF-8; then UTF-16 without a mark, known by its zero bytes; then a guess from
    the letters, which is noted. A given encoding is used as it is.
    """
    name = encoding_of(data, given)
    if given is not None or name == "utf-8" or data.startswith(UTF16_MARKS):
        return _decode(data, name, None, limits)
    return _decode(data, name, not_utf8(name), limits)


def not_utf8(name: str) -> str:
    """Return the note on an encoding that was guessed."""
    return say(Message("read-not-utf8", {"name": Phrase(name)}))


def encoding_of(data: bytes, given: str | None) -> str:
    """Find the encoding of a text file.

    Examples
    --------
    >>> encoding_of("Zürich".encode("latin-1"), None)
    'latin-1'
    """
    if given is not None:
        return known_encoding(given)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    if (found := _utf16_without_mark(data[:_SAMPLE])) is not None:
        return found
    return "utf-8" if _first_invalid_byte(data) is None else _guess(data)


def known_encoding(given: str) -> str:
    """Return the usual name of a text encoding.

    Examples
    --------
    >>> known_encoding("UTF8")
    'utf-8'
    """
    hint = "Use for example utf-8, utf-16, latin-1 or cp1252."
    try:
        name = codecs.lookup(given).name
        "a".encode(name).decode(name)
    except (LookupError, ValueError, TypeError):
        raise InputError(f"'encoding' must be a text encoding, got {quote(given)}.", hint=hint) from None
    if name in _NOT_FOR_FILES:
        raise InputError(f"'encoding' must be a text encoding, got {quote(given)}.", hint=hint)
    return {"iso8859-1": "latin-1"}.get(name, name)


def _decode(data: bytes, name: str, note: str | None, limits: Limits) -> Decoded:
    shown = "utf-8" if name == "utf-8-sig" else name
    if shown == "utf-8":
        body = memoryview(data)[3:] if data.startswith(codecs.BOM_UTF8) else data
        bad = _first_invalid_byte(body)
        if bad is not None:
            line = bytes(body[:bad]).count(b"\n") + 1
            raise _wrong_encoding(shown, f"line {line:,}")
        return Decoded(body, shown, note)
    out = bytearray()
    lines = 1
    decoder = codecs.getincrementaldecoder(name)("strict")
    try:
        for chunk, last in _chunks(data):
            text = decoder.decode(chunk, last)
            lines += text.count("\n")
            out += text.encode()
            if len(out) > limits.max_decompressed:
                raise LimitError(
                    f"The text is larger than {size_text(limits.max_decompressed)}.", hint="Keep fewer rows or columns."
                )
    except UnicodeError:
        raise _wrong_encoding(shown, f"around line {lines:,}") from None
    start = 3 if out.startswith(codecs.BOM_UTF8) else 0
    return Decoded(memoryview(out)[start:], shown, note)


def _wrong_encoding(name: str, where: str) -> DataError:
    return DataError(
        f"The file is not text in the encoding {name}: {where} holds bytes that it does not allow.",
        hint="Choose another encoding, or save the file as UTF-8.",
    )


def _chunks(data: bytes | memoryview) -> Iterator[tuple[memoryview, bool]]:
    view = memoryview(data)
    for start in range(0, max(len(view), 1), _CHUNK):
        yield view[start : start + _CHUNK], start + _CHUNK >= len(view)


def _first_invalid_byte(data: bytes | memoryview) -> int | None:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    done = 0
    try:
        for chunk, last in _chunks(data):
            decoder.decode(chunk, last)
            done += len(chunk)
    except UnicodeDecodeError as error:
        return done + error.start
    return None


def _utf16_without_mark(sample: bytes) -> str | None:
    half = len(sample) // 2
    if half < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    start = max((_first_invalid_byte(data) or 0) - _SAMPLE // 2, 0)
    sample = data[start : start + _SAMPLE]
    high = [byte for byte in sample if byte >= 0x80]
    letters = sum(1 for byte in sample if 65 <= byte <= 90 or 97 <= byte <= 122)
    # Only in scripts other than Latin are most letters outside ASCII; there a statistical guess is reliable.
    if len(high) > 20 and len(high) > letters:
        best = from_bytes(sample).best()
        if best is not None and best.encoding != "ascii" and _decodes(data, best.encoding):
            return best.encoding
    western = any(0x80 <= byte <= 0x9F for byte in high)
    return "cp1252" if western and _decodes(data, "cp1252") else "latin-1"


def _decodes(data: bytes, name: str) -> bool:
    decoder = codecs.getincrementaldecoder(name)("strict")
    try:
        for chunk, last in _chunks(data):
            decoder.decode(chunk, last)
    except UnicodeError:
        return False
    return True


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
    _check_marks(options)
    delimiter, mark = options.delimiter, options.quote
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
        length, n_above = _extent_of_rows(text, best, mark, above)
        rows, text, skip, n_lines = rows[above:], text[length:], skip + length, n_lines + n_above
    said = options.names_row or options.name_rows
    header = bool(said) or (has_header(rows) if options.header is None else options.header)
    names_row, n_names = n_lines + 1, options.name_rows or 1
    first = tuple(joined_names(rows[:n_names]) if n_names > 1 else rows[0] if rows else ())
    if n_names > 1:
        # What is read begins with the last line of names.
        length, n_above = _extent_of_rows(text, best, mark, n_names - 1)
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


def _check_marks(options: ReadOptions) -> None:
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


def check_name_rows(options: ReadOptions) -> None:
    """Refuse what is no number of a row, and rows of names where 'header' says that there is none."""
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


def _extent_of_rows(text: str, delimiter: str, mark: str, n: int) -> tuple[int, int]:
    """Return the characters and lines up to the end of the first `n` rows that are not empty."""
    lines = io.StringIO(text, newline="")
    reader = csv_reader(lines, delimiter, mark)
    length = n_lines = 0
    for row in reader:
        if row and not n:
            break
        n -= bool(row)
        length, n_lines = lines.tell(), reader.line_num
    return length, n_lines


def csv_reader(lines: Iterable[str], delimiter: str, mark: str, *, strict: bool = False) -> Any:
    """Return a reader of lines; without a quote `mark`, quotes are letters like others."""
    return csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=mark or None,
        quoting=csv.QUOTE_MINIMAL if mark else csv.QUOTE_NONE,
        strict=strict,
    )


def _records(text: str, delimiter: str, mark: str, *, whole: bool) -> list[list[str]]:
    reader = csv_reader(io.StringIO(text, newline=""), delimiter, mark)
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
