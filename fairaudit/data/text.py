"""CSV and TSV: cells as text, in batches, or the first bad line by number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from fairaudit.data.dialect import Dialect
from fairaudit.data.limits import Limits, size_text
from fairaudit.errors import DataError, LimitError, quote

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
            return pa.RecordBatchReader.from_batches(self._schema, self._parsed())
        if self._table is None:
            self._table = pa.Table.from_batches(list(self._parsed()), schema=self._schema)
        return self._table

    def head(self, n: int) -> pa.Table:
        """Return the first rows."""
        if len(self.data) > _ONE_PASS:
            first = next(self._parsed(), None)
            return pa.Table.from_batches([] if first is None else [first.slice(0, n)], schema=self._schema)
        return self.batches().slice(0, n)

    @property
    def _schema(self) -> pa.Schema:
        return pa.schema([(f"c{position}", pa.string()) for position in range(self.n_columns)])

    def _parsed(self) -> Iterator[pa.RecordBatch]:
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
                yield pa.RecordBatch.from_arrays(batch.columns, schema=self._schema)
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
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        strict=True,
    )
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
