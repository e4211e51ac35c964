"""A DuckDB file, opened read-only by the database that is embedded anyway."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from fairaudit.data.columns import Column
from fairaudit.data.engines.door import Description, Door, check_columns, gone, join_name, left_out
from fairaudit.data.load import exposed
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError, quote

_CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
}
_TABLES = """
SELECT CASE schema_name WHEN 'main' THEN NULL ELSE schema_name END AS schema, table_name AS name
FROM duckdb_tables() WHERE NOT internal AND NOT temporary
UNION ALL
SELECT CASE schema_name WHEN 'main' THEN NULL ELSE schema_name END, view_name
FROM duckdb_views() WHERE NOT internal AND NOT temporary
ORDER BY 1 NULLS FIRST, 2
"""


class DuckdbDoor(Door):
    """A way to one DuckDB file; no other file and no network can be reached from it.

    Parameters
    ----------
    path : str
        The file.
    timeout : float
        Seconds that a question may take.

    Raises
    ------
    ConnectError
        If there is no such file.
    """

    dialect = "duckdb"
    title = "DuckDB"

    def __init__(self, path: str, timeout: float):
        super().__init__(timeout)
        self._path = Path(path).resolve()
        if not path or not self._path.is_file():
            raise ConnectError(
                f"There is no DuckDB file {quote(self._path.name)}.", hint="Write duckdb:///folder/file."
            )

    def run(self, query: str) -> list[tuple]:
        """Answer a statement on a connection that can only read."""
        connection = duckdb.connect(str(self._path), read_only=True, config=_CONFIG)
        try:
            connection.execute("SET TimeZone = 'UTC'; SET python_enable_replacements = false")
            with self.running(connection), self.deadline(connection):
                return connection.execute(query).fetchall()
        finally:
            connection.close()

    def describe(self, origin: str) -> Description:
        """Return the columns, told from their types; no row is read."""
        found = [(row[0], row[1]) for row in self.ask(f"DESCRIBE SELECT * FROM {origin}")]
        writer = SqlWriter(self.dialect)
        columns, read, notes = [], [], []
        for name, type_name in found:
            how = exposed(f"t.{writer.quoted(name)}", type_name)
            if how is None:
                notes.append(left_out(name, type_name.split("(")[0].lower()))
                continue
            columns.append(Column(name, how[1]))
            read.append(ReadColumn(name, how[0]))
        check_columns([name for name, _ in found], columns, "The table")
        return Description(tuple(columns), tuple(read), tuple(notes))

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views, with their schema where it is not the main one."""
        return tuple(join_name([part for part in row if part is not None]) for row in self.ask(_TABLES))

    def interrupt(self, connection: Any) -> None:
        """Stop what a connection is doing."""
        try:
            connection.interrupt()
        except duckdb.ConnectionException:
            return  # It has answered and is closed.

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the database."""
        if not isinstance(error, duckdb.Error):
            return None
        for kinds, made in _FAILURES:
            if isinstance(error, kinds):
                return made()
        return ConnectError(
            f"DuckDB cannot answer this question ({type(error).__name__}).",
            hint="If it is a view or a query that is read, try in the database whether it works.",
        )


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
    (duckdb.InterruptException,
     lambda: ConnectError("The question was stopped in DuckDB.", hint="Ask again.")),
    (duckdb.OutOfMemoryException,
     lambda: ConnectError("The question needs more memory than there is.", hint="Use fewer columns or rows.")),
    ((duckdb.IOException, duckdb.ConnectionException),
     lambda: ConnectError("The DuckDB file cannot be opened: another program may be writing, or it is damaged.",
                          hint="Close the other program and try again.")),
)  # fmt: skip
