"""A DuckDB file, opened read-only by the database that is embedded anyway."""

from __future__ import annotations

import duckdb

from fairaudit.data.engines.door import Description, FileDoor, FoundColumn, describe, gone
from fairaudit.data.engines.guard import join_name
from fairaudit.data.limits import MEGABYTE, most_memory
from fairaudit.data.load import exposed
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    # What does not fit in memory must not be written beside the file.
    "temp_directory": "",
    "memory_limit": f"{most_memory() // MEGABYTE}MB",
}
_TABLES = """
SELECT CASE schema_name WHEN 'main' THEN NULL ELSE schema_name END AS schema, table_name AS name
FROM duckdb_tables() WHERE NOT internal AND NOT temporary
UNION ALL
SELECT CASE schema_name WHEN 'main' THEN NULL ELSE schema_name END, view_name
FROM duckdb_views() WHERE NOT internal AND NOT temporary
ORDER BY 1 NULLS FIRST, 2
"""


class DuckdbDoor(FileDoor[duckdb.DuckDBPyConnection]):
    """A way to one DuckDB file; no other file and no network can be reached from it."""

    dialect = "duckdb"
    title = "DuckDB"

    def open(self) -> duckdb.DuckDBPyConnection:
        """Return a connection that can only read."""
        connection = duckdb.connect(str(self._path), read_only=True, config=_CONFIG)
        connection.execute(
            "SET TimeZone = 'UTC'; SET python_enable_replacements = false; SET lock_configuration = true"
        )
        return connection

    def describe(self, origin: str) -> Description:
        """Return the columns, known by their types; no row is read."""
        writer = SqlWriter(self.dialect)
        return describe(
            [
                FoundColumn(name, exposed(f"t.{writer.quoted(name)}", type_name), type_name.split("(")[0].lower())
                for name, type_name, *_ in self.ask(f"DESCRIBE SELECT * FROM {origin}")
            ]
        )

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views, with their schema where it is not the main one."""
        return tuple(join_name([part for part in row if part is not None]) for row in self.ask(_TABLES))

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the database."""
        # Texts of a sound file are UTF-8.
        if isinstance(error, UnicodeDecodeError):
            return _damaged()
        if not isinstance(error, duckdb.Error):
            return None
        # An error of no kind of its own comes from a sum that is wrong, or from the decoder of a column.
        if type(error) is duckdb.Error:
            return _damaged()
        for kinds, made in _FAILURES:
            if isinstance(error, kinds):
                return made()
        return ConnectError(
            f"DuckDB cannot answer this question ({type(error).__name__}).",
            hint="If it is a view or a query that is read, try in the database whether it works; if it is a table, "
            "the file may be damaged.",
        )


def _damaged() -> ConnectError:
    return ConnectError("The DuckDB file is damaged.", hint="Copy it again, or take it from a backup.")


_FAILURES = (
    (duckdb.CatalogException, lambda: gone("table")),
    (duckdb.BinderException, lambda: gone("column")),
    (duckdb.ParserException,
     lambda: ConnectError("The query cannot be read by DuckDB.", hint="Try it in the database first.")),
    (duckdb.PermissionException,
     lambda: ConnectError("The view reads a file or address outside the database, which is not allowed.",
                          hint="Copy what it reads into the database.")),
    ((duckdb.OutOfRangeException, duckdb.ConversionException),
     lambda: InputError("A calculation leaves the range of numbers, or a text is no number or date.",
                        hint="Look at the arithmetic in the condition, or in the view that is read.")),
    ((duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException), _damaged),
    (duckdb.InterruptException,
     lambda: ConnectError("The question was stopped in DuckDB.", hint="Ask again.")),
    (duckdb.OutOfMemoryException,
     lambda: ConnectError("The question needs more memory than there is.", hint="Use fewer columns or rows.")),
    ((duckdb.IOException, duckdb.ConnectionException),
     lambda: ConnectError("The DuckDB file cannot be opened: another program may be writing, or it is damaged.",
                          hint="Close the other program and try again.")),
)  # fmt: skip
