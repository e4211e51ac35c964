"""What a column is, how a file was read, and what was found on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["number", "text", "boolean", "date", "timestamp"]

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
        The decimal mark of a text file.
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
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    quote: str | None = None
    header: bool | None = None
    sheet: str | None = None
    trim: bool = True
    missing: tuple[str, ...] = ()


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
    """

    format: Format
    size_bytes: int = 0
    compressed: bool = False
    in_place: bool = False
    options: ReadOptions = field(default_factory=ReadOptions)
    sheets: tuple[str, ...] = ()


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

    engine: str
    connection: str | None = None
    table: str | None = None
    query: str | None = None
