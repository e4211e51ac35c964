"""Large CSV and TSV files on disk, read in place by the database."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import duckdb

from fairaudit.columns import ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.dialect import Dialect
from fairaudit.data.encoding import UTF16_MARKS, encoding_of, not_utf8, to_utf8
from fairaudit.data.engine import connect, literal
from fairaudit.data.kinds import BLANKS, cell_rules
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.load import RAW, FileRows, load_cells
from fairaudit.data.names import check_width, clean_names
from fairaudit.data.reader_notes import no_rows, one_column, written_notes
from fairaudit.data.stamp import FileStamp
from fairaudit.data.table import Table
from fairaudit.data.text_table import found_source, sample_dialect
from fairaudit.errors import DataError, LimitError

_SAMPLE = 8_000_000
_SAVE = "Save it as UTF-8 with one kind of line end, or as Parquet."
_LINE = re.compile(r"Line: (\d+)")
_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
# How the database calls the encodings that it reads in place.
_ENCODINGS = {"utf-8": "utf-8", "ascii": "utf-8", "latin-1": "latin-1", "utf-16": "utf-16"}


class NotInPlaceError(LimitError):
    """A text can only be read when it is held in memory."""


def read_text_file(path: Path, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Open a text table in place: its types are found in one pass, its rows stay in the file."""
    path = path.resolve()
    stamp = FileStamp.of(path)
    with path.open("rb") as stream:
        start = stream.read(_SAMPLE)
        longest = 2 * limits.max_cell
        stream.seek(max(path.stat().st_size - longest, 0))
        end = stream.read()
    # The database drops a last line that is longer than its buffer without a word.
    if len(end) >= longest and not re.search(rb"[\r\n]", end[:-1]):
        raise _too_long("The last line", limits)
    whole = len(start) < _SAMPLE
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
    names, name_notes = clean_names(dialect.first if dialect.header else [""] * n_columns, limits)
    connection = connect([path])
    try:
        connection.execute(f"CREATE VIEW {RAW} AS SELECT * FROM {_scan(path, dialect, n_columns, found, limits)}")
        rules = cell_rules(options, blanks=BLANKS, rare_comma=dialect.delimiter == ",")
        loaded = load_cells(connection, FileRows(), names, rules, limits)
    except duckdb.Error as error:
        raise _reason(str(error), dialect, limits) from None
    if not loaded.n_rows:
        raise no_rows(n_columns)
    other = () if found == "utf-8" or options.encoding or start.startswith(UTF16_MARKS) else (not_utf8(found),)
    names_changed = name_notes if dialect.header else ()
    written = written_notes(names, loaded)
    notes = (*other, *dialect.notes, *names_changed, *loaded.notes, *written, *one_column(n_columns))
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
    quote = literal(dialect.quote)
    return (
        f"read_csv({literal(str(path))}, columns = {{{columns}}}, auto_detect = false, "
        f"delim = {literal(dialect.delimiter)}, quote = {quote}, escape = {quote}, header = {dialect.header}, "
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
