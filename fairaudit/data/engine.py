"""The embedded database: open it locked down, quote names, turn its errors into ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from fairaudit.errors import DataError, InputError, LimitError

RELATION = "data"

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # Rows of an upload must not reach a disk, not even as spill.
    "temp_directory": "",
}


def quoted(name: str, mark: str = '"') -> str:
    """Return `name` as a quoted SQL identifier.

    Examples
    --------
    >>> quoted("age")
    '"age"'
    """
    return mark + name.replace(mark, mark * 2) + mark


def unused_name(name: str, names: Iterable[str]) -> str:
    """Return a name that is none of some columns, whatever their case.

    Examples
    --------
    >>> unused_name("n", ["N", "n_", "sex"])
    'n__'
    """
    taken = set(map(str.casefold, names))
    while name in taken:
        name += "_"
    return name


def literal(text: str) -> str:
    """Return `text` as an SQL string literal.

    Examples
    --------
    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"


def connect(allowed: Iterable[Path] = ()) -> duckdb.DuckDBPyConnection:
    """Open an empty in-memory database that can read only the allowed files."""
    connection = duckdb.connect(":memory:", config=_CONFIG)
    paths = ", ".join(literal(str(path)) for path in allowed)
    connection.execute("SET TimeZone = 'UTC'")
    # A notebook without widgets has no progress bar, and DuckDB refuses to switch off what is not there.
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()[0][0]:
        connection.execute("SET enable_progress_bar = false")
    # Only objects that are registered by name may be read, never a Python variable that happens to have that name.
    connection.execute("SET python_enable_replacements = false")
    if paths:
        connection.execute(f"SET allowed_paths = [{paths}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def is_plain(path: Path) -> bool:
    """Return whether a path can be read in place, where ``*``, ``?`` and ``[`` would stand for other names.

    Examples
    --------
    >>> is_plain(Path("/data/what?.csv"))
    False
    """
    return not any(character in str(path) for character in "*?[")


@contextmanager
def reading(what: str, remedy: str) -> Iterator[None]:
    """Turn errors of the database while a file is read into a sentence without any row."""
    try:
        yield
    except duckdb.Error as error:
        # Where a stream of rows is short of memory, the database says so in words alone.
        if isinstance(error, duckdb.OutOfMemoryException) or "Out of memory" in str(error):
            raise LimitError(f"{what} does not fit in memory.", hint="Keep fewer rows or columns.") from MemoryError()
        raise DataError(f"{what} cannot be read; it seems to be damaged.", hint=remedy) from None


@contextmanager
def asking() -> Iterator[None]:
    """Turn errors of the database while a question is answered into a sentence without any row."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        raise LimitError("The question needs more memory than there is.", hint="Use fewer columns or rows.") from None
    except (duckdb.ConversionException, duckdb.OutOfRangeException):
        raise InputError(
            "A calculation leaves the range of numbers.", hint="Look at the arithmetic in the condition."
        ) from None
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.PermissionException):
        raise DataError(
            "The data file cannot be read any more; it was moved, changed or is damaged.", hint="Open the file again."
        ) from None
    except duckdb.Error as error:
        # An error of no kind of its own comes from the decoder of a file.
        if type(error) is duckdb.Error:
            raise DataError("The data file is damaged.", hint="Download or copy it again.") from None
        raise InputError(f"The data engine cannot answer this question ({type(error).__name__}).") from None
    except (OSError, pa.ArrowException):
        # So end batches of rows that cannot be decoded.
        raise DataError("The data file is damaged.", hint="Download or copy it again.") from None
