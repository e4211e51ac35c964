"""CSV and TSV: cells as text, in batches, or the first bad line by number."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from fairaudit.columns import FirstRows, Format, ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.dialect import UTF16_MARKS, Dialect, csv_reader, encoding_of, find_dialect, not_utf8, to_utf8
from fairaudit.data.engine import connect, literal, reading
from fairaudit.data.fingerprint import FileStamp
from fairaudit.data.kinds import BLANKS, cell_rules, decimal_mark
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.load import RAW, ArrowRows, FileRows, Loaded, load_cells, one_column, written_notes
from fairaudit.data.names import MOST_SHOWN, check_filled, check_width, clean_names, shown_cells
from fairaudit.data.table import Table
from fairaudit.errors import DataError, InputError, LimitError, NoRowsError, quote

_BLOCK = 1 << 24
_SLICE = 1 << 24
# Up to this size all cells are kept at once; above it the text is parsed again at each pass.
_ONE_PASS = 64_000_000


@dataclass
class TextRows:
    """The rows of a text table, every cell still text.

    Columns are called ``c0``, ``c1`` and so on.

    Parameters
    ----------
    data : bytes-like
        UTF-8, from the first line of the table on.
    dialect : Dialect
        How it is written.
    limits : Limits
        Bounds the cells.
    n_columns : int
        Cells in each row.

    Attributes
    ----------
    failure : DataError or None
        Why reading stopped: where the database reads, it hides the reason.
    """

    data: memoryview
    dialect: Dialect
    limits: Limits
    n_columns: int
    failure: DataError | None = field(default=None, init=False)
    _table: pa.Table | None = field(default=None, init=False)

    def batches(self) -> pa.Table | pa.RecordBatchReader:
        """Return all rows, ready to be read once."""
        if len(self.data) > _ONE_PASS:
            return pa.RecordBatchReader.from_batches(self.schema, self.parsed())
        if self._table is None:
            self._table = pa.Table.from_batches(list(self.parsed()), schema=self.schema)
        return self._table

    def head(self, n: int) -> pa.Table:
        """Return the first rows."""
        if len(self.data) > _ONE_PASS:
            first = next(self.parsed(), None)
            return pa.Table.from_batches([] if first is None else [first.slice(0, n)], schema=self.schema)
        return self.batches().slice(0, n)

    @property
    def schema(self) -> pa.Schema:
        """The columns."""
        return pa.schema([(f"c{position}", pa.string()) for position in range(self.n_columns)])

    def parsed(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows, parsed anew."""
        mark = self.dialect.quote or False
        try:
            reader = arrow_csv.open_csv(
                pa.BufferReader(pa.py_buffer(self.data)),
                read_options=arrow_csv.ReadOptions(
                    block_size=_BLOCK, autogenerate_column_names=not self.dialect.header
                ),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=self.dialect.delimiter,
                    quote_char=mark,
                    newlines_in_values=bool(mark),
                    # In a table of one column an empty line is a missing cell, not nothing.
                    ignore_empty_lines=self.n_columns > 1,
                ),
                convert_options=arrow_csv.ConvertOptions(default_column_type=pa.string(), strings_can_be_null=False),
            )
            for batch in reader:
                yield pa.RecordBatch.from_arrays(batch.columns, schema=self.schema)
        except (pa.ArrowException, ValueError):
            self.failure = self._reason()
            raise self.failure from None

    def _reason(self) -> DataError:
        try:
            check_lines(self.data, self.dialect, self.limits, self.n_columns)
        except DataError as error:
            return error
        return DataError("The text cannot be read as a table.", hint="Save the table as UTF-8 CSV again.")


def check_quotes(data: memoryview, dialect: Dialect, limits: Limits, n_columns: int) -> None:
    """Refuse a text whose quotes do not enclose whole cells, before rows are silently glued together."""
    if dialect.quote and len(data) and not _quotes_pair(data, dialect):
        check_lines(data, dialect, limits, n_columns)


def check_lines(data: memoryview, dialect: Dialect, limits: Limits, n_columns: int) -> None:
    """Go through a text line by line and refuse it at the first bad one."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    before = csv.field_size_limit(limits.max_cell)
    reader = csv_reader(lines, dialect.delimiter, dialect.quote, strict=True)
    start = 1 + dialect.skip_lines
    try:
        for row in reader:
            if row and len(row) != n_columns:
                raise _ragged(start, len(row), n_columns, dialect)
            start = reader.line_num + 1 + dialect.skip_lines
    except csv.Error as error:
        raise _broken(str(error), start, dialect, limits) from None
    finally:
        csv.field_size_limit(before)


def _ragged(line: int, n_cells: int, n_columns: int, dialect: Dialect) -> DataError:
    cells = "1 cell" if n_cells == 1 else f"{n_cells:,} cells"
    verb = "was" if n_columns == 1 else "were"
    source = "the header has" if dialect.header else "the first line has"
    return DataError(
        f"Line {line:,} has {cells}, but {n_columns:,} {verb} expected, as {source} {n_columns:,}.",
        hint=f"Look for a missing or extra delimiter {_shown(dialect.delimiter)} or quote in that line, "
        "or choose another delimiter.",
    )


def _broken(reason: str, line: int, dialect: Dialect, limits: Limits) -> DataError:
    if "field limit" in reason:
        return LimitError(
            f"The row that starts on line {line:,} has a cell of more than {size_text(limits.max_cell)}.",
            hint="Remove the column, shorten the cell, or look for a quote that is never closed.",
        )
    remedy = "Close the quote, double each quote inside a cell, or read the file with no quote character."
    if "end of data" in reason:
        return DataError(f"A quote that opens in the row on line {line:,} is never closed.", hint=remedy)
    return DataError(
        f"In the row on line {line:,} text follows a closing quote where a delimiter "
        f"{_shown(dialect.delimiter)} was expected.",
        hint=remedy,
    )


def _shown(delimiter: str) -> str:
    return {"\t": "tab", " ": "blank"}.get(delimiter, quote(delimiter))


def _quotes_pair(data: memoryview, dialect: Dialect) -> bool:
    # A quote opens after a delimiter or line end and closes before one; a doubled quote closes and opens at once.
    codes = np.frombuffer(data, dtype=np.uint8)
    mark = ord(dialect.quote)
    border = np.zeros(256, dtype=bool)
    border[[ord(dialect.delimiter), 10, 13, mark]] = True
    seen = 0
    for start in range(0, len(codes), _SLICE):
        found = np.flatnonzero(codes[start : start + _SLICE] == mark) + start
        opening = found[seen % 2 :: 2]
        closing = found[1 - seen % 2 :: 2]
        before = codes[opening[opening > 0] - 1]
        after = codes[closing[closing < len(codes) - 1] + 1]
        if not (border[before].all() and border[after].all()):
            return False
        seen += len(found)
    return seen % 2 == 0


# Make a table from CSV or TSV: find how it is written, parse it, find its types.

_SAMPLE = 256_000
_LONG_SAMPLE = 8_000_000
_SCAN = 1 << 24


def read_text(data: bytes, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Read a text table that is held in memory."""
    decoded = to_utf8(data, options.encoding, limits)
    whole = memoryview(decoded.data)
    body = without_lines(whole, options.rows_out) if options.rows_out else whole
    dialect = sample_dialect(body, options)
    body = _table_part(body, dialect)
    n_columns = len(dialect.first)
    check_width(n_columns, limits)
    names, name_notes = _names(dialect, limits)
    check_quotes(body, dialect, limits, n_columns)
    rows = TextRows(body, dialect, limits, n_columns)
    connection = connect()
    rules = cell_rules(options, blanks=blanks_in(body, dialect), rare_comma=dialect.delimiter == ",")
    try:
        with reading("The text", "Save the table as UTF-8 CSV again."):
            held = _filled(rows, names, options.filled_down) if options.filled_down else rows
            loaded = load_cells(connection, held, names, rules, limits)
    except DataError as error:
        raise rows.failure or error from None
    if loaded.n_rows == 0:
        raise NoRowsError(names)
    notes = [
        decoded.note,
        *dialect.notes,
        *name_notes,
        *loaded.notes,
        *written_notes(names, loaded),
        *one_column(n_columns),
    ]
    table = Table(
        Answers(connection),
        columns=loaded.columns,
        n_rows=loaded.n_rows,
        name=name,
        source=found_source(source, decoded.encoding, dialect, options, loaded),
        notes=[note for note in notes if note],
    )
    table.first_rows = _first_rows(whole, dialect)
    return table


def _names(dialect: Dialect, limits: Limits) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the columns, and notes on those that were changed; none on names that were made."""
    if dialect.header:
        return clean_names(dialect.first, limits)
    return clean_names([""] * len(dialect.first), limits)[0], ()


def without_lines(body: memoryview, lines: Collection[int]) -> memoryview:
    """Return a text in which some lines, counted from 1, are empty: then they are no rows."""
    end = b"\n" if b"\n" in bytes(body[:_LONG_SAMPLE]) else b"\r"
    ends = np.flatnonzero(np.frombuffer(body, dtype=np.uint8) == end[0]).tolist()
    starts, stops = [0, *(place + 1 for place in ends)], [*ends, len(body)]
    parts, at = [], 0
    for line in sorted(set(lines)):
        if not 1 <= line <= len(starts):
            raise InputError(f"'rows_out' must name lines of the file, got {line:,}.", hint="Lines are counted from 1.")
        parts.append(body[at : starts[line - 1]])
        at = stops[line - 1]
    return memoryview(b"".join((*parts, body[at:])))


def _filled(rows: TextRows, names: Sequence[str], columns: Sequence[str]) -> ArrowRows:
    """Return rows in which the empty cells of some columns have the value above them."""
    table = pa.Table.from_batches(list(rows.parsed()), schema=rows.schema)
    for name in check_filled(columns, names):
        place = names.index(name)
        cells = table.column(place).combine_chunks()
        empty = pc.equal(pc.utf8_trim_whitespace(cells), "")
        filled = pc.fill_null_forward(pc.if_else(empty, pa.scalar(None, pa.string()), cells))
        table = table.set_column(place, f"c{place}", pc.fill_null(filled, ""))
    return ArrowRows(table)


def _first_rows(body: memoryview, dialect: Dialect) -> FirstRows:
    """Return the first rows as they stand in a text."""
    sample = io.StringIO(bytes(body[:_SAMPLE]).decode("utf-8", errors="ignore"), newline="")
    reader = csv_reader(sample, dialect.delimiter, dialect.quote)
    found: list[tuple[int, tuple[str, ...]]] = []
    line = 1
    # A cell beyond the bound of the module ends what is shown.
    with contextlib.suppress(csv.Error):
        for row in reader:
            found.append((line, shown_cells(row)))
            line = reader.line_num + 1
            if len(found) == MOST_SHOWN:
                break
    return FirstRows(tuple(found))


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
    quote_mark = dialect.quote.encode()
    # A quote between a line end and a border: the line end is the first or last character of a cell.
    inside = (
        [left + quote_mark + right for left in marks for right in marks if left + right != marks[0] * 2]
        if quote_mark
        else []
    )
    rare = [blank for blank in (b"\xc2\xa0", b"\t") if blank != marks[0]]
    borders = [*marks, quote_mark] if quote_mark else marks
    plain = False
    for start in range(0, len(body), _SCAN):
        part = bytes(body[max(start - 2, 0) : start + _SCAN])
        if any(blank in part for blank in rare) or (
            quote_mark and quote_mark in part and any(seen in part for seen in inside)
        ):
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


# Large CSV and TSV files on disk, read in place by the database.

_SAVE = "Save it as UTF-8 with one kind of line end, or as Parquet."
_LINE = re.compile(r"Line: (\d+)")
_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
# How the database calls the encodings that it reads in place.
_ENCODINGS = {"utf-8": "utf-8", "ascii": "utf-8", "latin-1": "latin-1", "utf-16": "utf-16"}


class NotInPlaceError(LimitError):
    """A text can only be read when it is held in memory."""


def read_text_file(path: Path, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Open a text table in place: its types are found in one pass, its rows stay in the file."""
    if options.rows_out or options.filled_down:
        raise NotInPlaceError(
            "Lines cannot be left out, nor cells be filled, in a file that stays where it is.", hint=_SAVE
        )
    path = path.resolve()
    stamp = FileStamp.of(path)
    with path.open("rb") as stream:
        start = stream.read(_LONG_SAMPLE)
        longest = 2 * limits.max_cell
        stream.seek(max(path.stat().st_size - longest, 0))
        end = stream.read()
    # The database drops a last line that is longer than its buffer without a word.
    if len(end) >= longest and not re.search(rb"[\r\n]", end[:-1]):
        raise _too_long("The last line", limits)
    whole = len(start) < _LONG_SAMPLE
    # The sample may end inside a line, even inside a character.
    start = start if whole else start[: start.rfind(b"\n") + 1]
    found = encoding_of(start, options.encoding)
    if found not in _ENCODINGS:
        raise NotInPlaceError(
            f"A file of {size_text(source.size_bytes)} in the encoding {found} cannot be read in place.", hint=_SAVE
        )
    decoded = to_utf8(start, found, limits)
    dialect = sample_dialect(memoryview(decoded.data), options)
    if dialect.quote and dialect.quote.encode() in bytes(decoded.data[: dialect.skip]):
        # The database counts the lines that it leaves out in another way.
        raise NotInPlaceError("Above the names of the columns stand quotes.", hint="Delete the lines above the names.")
    n_columns = len(dialect.first)
    check_width(n_columns, limits)
    names, name_notes = _names(dialect, limits)
    connection = connect([path])
    try:
        connection.execute(f"CREATE VIEW {RAW} AS SELECT * FROM {_scan(path, dialect, n_columns, found, limits)}")
        rules = cell_rules(options, blanks=BLANKS, rare_comma=dialect.delimiter == ",")
        loaded = load_cells(connection, FileRows(), names, rules, limits)
    except duckdb.Error as error:
        raise _reason(str(error), dialect, limits) from None
    if not loaded.n_rows:
        raise NoRowsError(names)
    other = () if found == "utf-8" or options.encoding or start.startswith(UTF16_MARKS) else (not_utf8(found),)
    written = written_notes(names, loaded)
    notes = (*other, *dialect.notes, *name_notes, *loaded.notes, *written, *one_column(n_columns))
    return Table(
        Answers(connection, stamp),
        columns=loaded.columns,
        n_rows=loaded.n_rows,
        name=name,
        source=replace(found_source(source, found, dialect, options, loaded), in_place=True),
        notes=notes,
    )


def _scan(path: Path, dialect: Dialect, n_columns: int, encoding: str, limits: Limits) -> str:
    columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(n_columns))
    mark = literal(dialect.quote)
    return (
        f"read_csv({literal(str(path))}, columns = {{{columns}}}, auto_detect = false, "
        f"delim = {literal(dialect.delimiter)}, quote = {mark}, escape = {mark}, header = {dialect.header}, "
        f"skip = {dialect.skip_lines}, encoding = '{_ENCODINGS[encoding]}', strict_mode = true, "
        f"null_padding = false, ignore_errors = false, max_line_size = {max(2 * limits.max_cell, 2_097_152)})"
    )


def _reason(message: str, dialect: Dialect, limits: Limits) -> DataError:
    # The database's message quotes the row, so only its numbers are taken.
    line, cells = _LINE.search(message), _CELLS.search(message)
    where = f"Line {int(line[1]):,}" if line else "A line"
    if cells:
        return DataError(
            f"{where} has {int(cells[2]):,} cells, but {int(cells[1]):,} were expected.",
            hint=f"Look for a missing or extra delimiter {dialect.delimiter!r} or quote in that line.",
        )
    if "Maximum line size" in message:
        return _too_long(where, limits)
    if "unicode" in message:
        return NotInPlaceError(f"{where} holds bytes that are not UTF-8.", hint=f"Choose another encoding. {_SAVE}")
    if line is None:
        return NotInPlaceError("The file mixes kinds of line ends, or quotes stand inside cells.", hint=_SAVE)
    return DataError(
        f"{where} cannot be read: its quotes or bytes are not right.",
        hint="Close or double the quotes in that line, or save the file as UTF-8 CSV again.",
    )


def _too_long(where: str, limits: Limits) -> LimitError:
    return LimitError(
        f"{where} is longer than {size_text(2 * limits.max_cell)}.",
        hint="Shorten its cells, or look for a quote that is never closed.",
    )
