"""PostgreSQL, through psycopg and SQLAlchemy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairaudit.data.columns import Column, Kind
from fairaudit.data.engines.door import (
    CONNECT_TIMEOUT,
    Description,
    Door,
    check_columns,
    join_name,
    left_out,
)
from fairaudit.data.engines.postgres_dates import take_any_date
from fairaudit.data.engines.postgres_errors import connect_failure, question_failure
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.errors import ConnectError, FairauditError

if TYPE_CHECKING:
    from sqlalchemy import URL

_MILLISECONDS = 1000
# The largest precision whose whole numbers all fit into eight bytes.
_WHOLE_DIGITS = 18
# Decimal numbers of so few digits compare among each other as their doubles do, and need not be changed row by row.
_EXACT_DIGITS = 15
_TEXT = 'CAST({0} AS text) COLLATE "C"'
_READ: Mapping[str, tuple[str, Kind]] = {
    **dict.fromkeys(("int2", "int4", "int8"), ("{0}", "number")),
    "float8": ("NULLIF({0}, 'NaN')", "number"),
    # Through its text: 0.1 of single precision is shown, filtered and counted as 0.1.
    "float4": ("CAST(CAST(NULLIF({0}, 'NaN') AS text) AS double precision)", "number"),
    "numeric": ("CAST(NULLIF({0}, 'NaN') AS double precision)", "number"),
    "bool": ("{0}", "boolean"),
    "date": ("{0}", "date"),
    "timestamp": ("{0}", "timestamp"),
    "timestamptz": ("({0} AT TIME ZONE 'UTC')", "timestamp"),
    **dict.fromkeys(("text", "varchar"), ('{0} COLLATE "C"', "text")),
    # As text, char(n) loses the blanks it was filled up with, and citext compares letter by letter.
    **dict.fromkeys(("bpchar", "citext", "name", "uuid"), (_TEXT, "text")),
}
_WHOLE_NUMERIC = "CAST(NULLIF({0}, 'NaN') AS bigint)"
_TABLES = """
SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE n.nspname END, c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('information_schema', 'pg_catalog') AND n.nspname NOT LIKE 'pg\\_toast%'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1 NULLS FIRST, 2
"""


class PostgresDoor(Door):
    """A way to one PostgreSQL database: read-only transactions, a time limit that the server keeps.

    Parameters
    ----------
    url : sqlalchemy.URL
        The address; never shown.
    timeout : float
        Seconds that a question may take.
    """

    dialect = "postgres"
    title = "PostgreSQL"

    def __init__(self, url: URL, timeout: float):
        super().__init__(timeout)
        try:
            import psycopg  # noqa: F401 - only whether it is there
        except ImportError:
            raise ConnectError(
                "PostgreSQL needs the package psycopg, which is not installed.",
                hint='Install it: pip install "fairaudit[postgres]"',
            ) from None
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        # What the server is told on connecting; lost peers are noticed within a minute, also in the middle of a send.
        settings = {"connect_timeout": CONNECT_TIMEOUT, "keepalives": 1, "keepalives_idle": 20,
                    "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000,
                    "application_name": "fairaudit", "client_encoding": "UTF8"}  # fmt: skip
        self._engine = create_engine(
            url.set(drivername="postgresql+psycopg"), poolclass=NullPool, connect_args=settings, hide_parameters=True
        )

    def run(self, query: str) -> list[tuple]:
        """Answer a statement in a read-only transaction of its own."""
        return self._run(query)[0]

    def describe(self, origin: str) -> Description:
        """Return the columns, told from their types; no row is read."""
        return self.guarded(self._describe, origin)

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views that may be read, with their schema where it must be said."""
        return tuple(join_name([part for part in row if part is not None]) for row in self.ask(_TABLES))

    def interrupt(self, connection: Any) -> None:
        """Ask the server to stop what a connection is doing."""
        try:
            connection.cancel_safe(timeout=CONNECT_TIMEOUT)
        except Exception as error:
            if self.translate(error) is None:
                raise

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver or the server."""
        import psycopg
        from sqlalchemy.exc import DBAPIError, SQLAlchemyError

        cause = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(cause, psycopg.Error):
            return question_failure(cause, self)
        if isinstance(error, SQLAlchemyError):
            return ConnectError("The address of the database has an option that cannot be used.")
        if isinstance(error, UnicodeError):
            # It would show the whole text, which may hold the password.
            return ConnectError("The address, the password or a text in the table has a character that cannot be read.")
        return None

    def _run(self, query: str) -> tuple[list[tuple], Any]:
        connection = self._connect()
        try:
            with self.running(connection), connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetchall(), cursor.description
        finally:
            connection.close()

    def _connect(self) -> Any:
        import psycopg
        from sqlalchemy.exc import DBAPIError

        failure = None
        try:
            connection = self._open()
        except DBAPIError as error:
            failure = connect_failure(error.orig)
        except psycopg.Error as error:
            failure = connect_failure(error)
        if failure is not None:
            raise failure
        return connection

    def _open(self) -> Any:
        pooled = self._engine.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: Any) -> None:
        connection.read_only = True
        take_any_date(connection)
        settings = {
            "statement_timeout": max(1, int(self.timeout * _MILLISECONDS)), "default_transaction_read_only": "on",
            "TimeZone": "'UTC'", "standard_conforming_strings": "on", "extra_float_digits": 1,
        }  # fmt: skip
        connection.execute("; ".join(f"SET {name} = {value}" for name, value in settings.items()))

    def _describe(self, origin: str) -> Description:
        _, found = self._run(f"SELECT * FROM {origin} LIMIT 0")
        codes = ", ".join(str(int(column.type_code)) for column in found) or "0"
        types = {
            oid: (name, kind)
            for oid, name, kind in self.run(f"SELECT oid::bigint, typname, typtype FROM pg_type WHERE oid IN ({codes})")
        }
        writer = SqlWriter(self.dialect)
        columns, read, notes = [], [], []
        for column in found:
            name, kind = types.get(column.type_code, ("unknown", ""))
            how = _read(name, "e" if kind in ("e", b"e") else "", column)
            if how is None:
                notes.append(left_out(column.name, column.type_display or name))
                continue
            columns.append(Column(column.name, how[1]))
            read.append(ReadColumn(column.name, how[0].format(f"t.{writer.quoted(column.name)}")))
        check_columns([column.name for column in found], columns, "The table")
        return Description(tuple(columns), tuple(read), tuple(notes))


def _read(type_name: str, kind: str, column: Any) -> tuple[str, Kind] | None:
    """Return how a column of some type is read and what it then holds; None where it is not."""
    if kind == "e":
        return _TEXT, "text"
    if type_name == "numeric" and column.precision:
        if column.scale == 0 and column.precision <= _WHOLE_DIGITS:
            return _WHOLE_NUMERIC, "number"
        if column.precision <= _EXACT_DIGITS:
            return "NULLIF({0}, 'NaN')", "number"
    return _READ.get(type_name)
