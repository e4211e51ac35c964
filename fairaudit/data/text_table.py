"""Make a table from CSV or TSV: find how it is written, parse it, find its types."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.columns import Format, ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.dialect import Dialect, find_dialect
from fairaudit.data.encoding import to_utf8
from fairaudit.data.engine import connect, reading
from fairaudit.data.kinds import BLANKS, cell_rules, decimal_mark
from fairaudit.data.limits import Limits
from fairaudit.data.load import Loaded, load_cells
from fairaudit.data.names import check_width, clean_names
from fairaudit.data.reader_notes import no_rows, one_column, written_notes
from fairaudit.data.table import Table
from fairaudit.data.text import TextRows, check_quotes
from fairaudit.errors import DataError, LimitError

_SAMPLE = 256_000
_LONG_SAMPLE = 8_000_000
_SCAN = 1 << 24


def read_text(data: bytes, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Read a text table that is held in memory."""
    decoded = to_utf8(data, options.encoding, limits)
    body = memoryview(decoded.data)
    dialect = sample_dialect(body, options)
    body = _table_part(body, dialect)
    n_columns = len(dialect.first)
    check_width(n_columns, limits)
    given = dialect.first if dialect.header else [""] * n_columns
    names, name_notes = clean_names(given, limits)
    if not dialect.header:
        name_notes = ()
    check_quotes(body, dialect, limits, n_columns)
    rows = TextRows(body, dialect, limits, n_columns)
    connection = connect()
    rules = cell_rules(options, blanks=blanks_in(body, dialect), rare_comma=dialect.delimiter == ",")
    try:
        with reading("The text", "Save the table as UTF-8 CSV again."):
            loaded = load_cells(connection, rows, names, rules, limits)
    except DataError as error:
        raise rows.failure or error from None
    if loaded.n_rows == 0:
        raise no_rows(n_columns)
    notes = [
        decoded.note,
        *dialect.notes,
        *name_notes,
        *loaded.notes,
        *written_notes(names, loaded),
        *one_column(n_columns),
    ]
    return Table(
        Answers(connection),
        columns=loaded.columns,
        n_rows=loaded.n_rows,
        name=name,
        source=found_source(source, decoded.encoding, dialect, options, loaded),
        notes=[note for note in notes if note],
    )


def sample_dialect(body: memoryview, options: ReadOptions) -> Dialect:
    """Find how a text is written from its start."""
    size = _SAMPLE
    head = bytes(body[:size])
    # A first line that is longer than the sample (very many columns) is taken whole, within reason.
    if b"\n" not in head and b"\r" not in head:
        size = _LONG_SAMPLE
        head = bytes(body[:size])
    sample = head.decode("utf-8", errors="ignore")
    sample = sample if sample.strip() else ""
    dialect = find_dialect(sample, options, whole=size >= len(body))
    if dialect.first:
        return dialect
    if sample.strip():
        raise LimitError(
            "The first line holds a cell too large for a column name.",
            hint="Look for a quote that is never closed, or choose another delimiter.",
        )
    raise DataError("The file is empty.", hint="Choose a file with a line of column names and at least one row.")


def blanks_in(body: memoryview, dialect: Dialect) -> str:
    """Return the characters to remove around cells, found from the bytes, as trimming each cell is slow."""
    marks = [mark.encode() for mark in (dialect.delimiter, "\n", "\r")]
    quote = dialect.quote.encode()
    # A quote between a line end and a border: the line end is the first or last character of a cell.
    inside = (
        [left + quote + right for left in marks for right in marks if left + right != marks[0] * 2] if quote else []
    )
    rare = [blank for blank in (b"\xc2\xa0", b"\t") if blank != marks[0]]
    borders = [*marks, quote] if quote else marks
    plain = False
    for start in range(0, len(body), _SCAN):
        part = bytes(body[max(start - 2, 0) : start + _SCAN])
        if any(blank in part for blank in rare) or (quote and quote in part and any(seen in part for seen in inside)):
            return BLANKS
        if not plain and b" " in part:
            plain = part.startswith(b" ") or part.endswith(b" ")
            plain = plain or any(b" " + border in part or border + b" " in part for border in borders)
    return " " if plain else ""


def found_source(source: Source, encoding: str, dialect: Dialect, options: ReadOptions, loaded: Loaded) -> Source:
    """Return the source with everything that was found."""
    found = replace(
        options,
        delimiter=dialect.delimiter,
        encoding=encoding,
        quote=dialect.quote,
        header=dialect.header,
    )
    kind: Format = "tsv" if dialect.delimiter == "\t" else "csv"
    return replace(
        source,
        format=kind,
        options=found,
        decimal=options.decimal or decimal_mark(loaded.forms),
        names_row=dialect.names_row,
        name_rows=dialect.name_rows,
    )


def _table_part(body: memoryview, dialect: Dialect) -> memoryview:
    body = body[dialect.skip :]
    end = len(body)
    # An old end-of-file mark is no row.
    while end and body[end - 1] == 0x1A:
        end -= 1
    if len(dialect.first) == 1:
        while end and body[end - 1] in b"\r\n":
            end -= 1
    return body[:end]
