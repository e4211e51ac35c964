"""What a column is, how a file was read, and what was found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.disclosure.fields import figure, setting

Kind = Literal["number", "text", "boolean", "date", "timestamp"]

DAY_KINDS: Final[frozenset[Kind]] = frozenset({"date", "timestamp"})
"""Kinds of days, with or without a time, that are compared with each other."""
ORDERED_KINDS: Final[frozenset[Kind]] = DAY_KINDS | {"number"}
"""Kinds whose values have a smallest and a largest, and can be cut."""
HELD: Final[dict[Kind, str]] = {
    "number": "numbers", "text": "text", "boolean": "true and false", "date": "dates", "timestamp": "time stamps",
}  # fmt: skip
"""What a column of each kind holds, for messages."""

Format = Literal["csv", "tsv", "xlsx", "parquet", "memory", "database"]


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        The name, unique in its table.
    kind : {"number", "text", "boolean", "date", "timestamp"}
        What its values are; there is one kind for all numbers.
    """

    name: str
    kind: Kind

    @property
    def is_day(self) -> bool:
        """Whether the values are days, with or without a time."""
        return self.kind in DAY_KINDS

    @property
    def is_ordered(self) -> bool:
        """Whether the values have a smallest and a largest."""
        return self.kind in ORDERED_KINDS


DayOrder = Literal["year first", "day first", "month first"]
DecimalMark = Literal[".", ","]


@dataclass(frozen=True)
class ReadOptions:
    """How a file is to be read; None means "find out".

    After reading, a table's ``source.options`` holds what was found and used.

    Parameters
    ----------
    delimiter : str, optional
        One character between the cells of a text file.
    encoding : str, optional
        A Python codec name such as ``utf-8``, ``latin-1``, ``utf-16``.
    decimal : {".", ","}, optional
        The decimal mark of a text file, or of the texts of a workbook. None finds out, column by column.
    decimal_point, decimal_comma : tuple of str
        Columns whose decimal mark is the point or the comma, whatever `decimal` says; the other mark then stands
        between thousands. A column in which 1.234 may be either is not read before one is said.
    as_text : tuple of str
        Columns that are kept as texts, whatever they look like.
    dates : {"year first", "day first", "month first"}, optional
        How the days of a text file, or in the texts of a workbook, are written, besides 2024-12-31, which is always
        read: 31/12/2024 (day first) or 12/31/2024 (month first), with points, strokes or hyphens. None finds out:
        31.12.2024 alone is read.
    quote : str, optional
        The quote character of a text file, empty for none.
    header : bool, optional
        Whether the first line holds the names.
    sheet : str, optional
        The sheet of a workbook.
    trim : bool
        Remove blanks around the cells of a text file.
    missing : tuple of str
        Cell texts that mean "missing" besides the empty cell, such as ``?``.
    distinct : bool
        Of rows that are equal in every cell, keep the first alone.
    same_spelling : tuple of str
        Columns of texts in which values that differ by letter case, or by how many blanks stand around or in them, are
        read as one value: the most frequent spelling, of several the first in sorted order.
    names_row : int, optional
        The line of a text file, or the row of a sheet, in which the names stand, counted from 1 as a spreadsheet does.
        What stands above is left out.
    name_rows : int, optional
        How many rows the names stand in: those of a column are put together. None finds merged cells of a sheet.
    rules : {2, 1}, optional
        The rules that files are read by: 1 are those up to version 0.7, when only plain numbers were numbers. None is
        what a plan with a decimal mark says that names no rules: 2, but the mark may be what version 0.7 found.
    rows_are_cases : bool
        Each row is one case, whatever a column of whole numbers looks like; see
        :func:`~fairaudit.data.case_counts.find_count_column`.
    counts : str, optional
        The column that says how many cases each row stands for: each row is written out as often, without this column.
    """

    delimiter: str | None = setting(default=None)
    encoding: str | None = setting(default=None)
    decimal: DecimalMark | None = setting(default=None)
    decimal_point: tuple[str, ...] = setting(default=())
    decimal_comma: tuple[str, ...] = setting(default=())
    as_text: tuple[str, ...] = setting(default=())
    dates: DayOrder | None = setting(default=None)
    quote: str | None = setting(default=None)
    header: bool | None = setting(default=None)
    sheet: str | None = setting(default=None)
    trim: bool = setting(default=True)
    missing: tuple[str, ...] = setting(default=())
    distinct: bool = setting(default=False)
    same_spelling: tuple[str, ...] = setting(default=())
    names_row: int | None = setting(default=None)
    name_rows: int | None = setting(default=None)
    rules: Literal[1, 2] | None = setting(default=2)
    rows_are_cases: bool = setting(default=False)
    counts: str | None = setting(default=None)


@dataclass(frozen=True)
class Source:
    """Where a table came from and how it was read.

    Parameters
    ----------
    format : {"csv", "tsv", "xlsx", "parquet", "memory", "database"}
        The kind of the content, as read from it; "database" where the rows stay in an engine.
    size_bytes : int
        Size of the file as it was given.
    compressed : bool
        Whether it was gzip-compressed.
    in_place : bool
        Whether rows are read from the file at each question instead of being held in memory.
    options : ReadOptions
        What was found and used.
    sheets : tuple of str
        The sheets of a workbook.
    decimal : {".", ","}, optional
        The decimal mark of its numbers, where it is one in all columns.
    names_row, name_rows : int, optional
        The first row of the names, and how many there are.
    """

    format: Format = setting()
    size_bytes: int = figure(default=0)
    compressed: bool = setting(default=False)
    in_place: bool = setting(default=False)
    options: ReadOptions = setting(default_factory=ReadOptions)
    sheets: tuple[str, ...] = setting(default=())
    decimal: DecimalMark | None = setting(default=None)
    names_row: int | None = setting(default=None)
    name_rows: int | None = setting(default=None)


@dataclass(frozen=True)
class ConnectionFacts:
    """Where the rows of a connected table stay; holds no address, no user and no password.

    Parameters
    ----------
    engine : str
        Such as "PostgreSQL".
    connection : str or None
        The name that an administrator gave to the connection.
    table : str or None
        The table or view.
    query : str or None
        The query, where it is not a table.
    """

    engine: str = setting()
    connection: str | None = setting(default=None)
    table: str | None = setting(default=None)
    query: str | None = setting(default=None)
