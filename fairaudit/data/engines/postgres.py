"""PostgreSQL, through psycopg and SQLAlchemy."""

from __future__ import annotations

import datetime
import os
import socket
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairaudit.columns import Kind
from fairaudit.conditions.engines.postgres import NO_REMAINDER
from fairaudit.data.engines.door import CONNECT_TIMEOUT, Description, Door, FoundColumn, describe, gone
from fairaudit.data.engines.guard import join_name
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import Buffer
    from sqlalchemy import URL


# Dates of PostgreSQL that Python has none for: without end, before the first year, beyond four digits.

_FIRST, _LAST = datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)


def take_any_date(connection: psycopg.Connection) -> None:
    """Let a connection give the first or last day that Python knows for what lies beyond.

    The server compares and counts with the dates themselves.
    """
    from psycopg import DataError
    from psycopg.types.datetime import DateLoader, TimestampLoader

    class AnyDate(DateLoader):
        def load(self, data: Buffer) -> datetime.date:
            try:
                return super().load(data)
            except DataError:
                return _end(bytes(data)).date()

    class AnyTimestamp(TimestampLoader):
        def load(self, data: Buffer) -> datetime.datetime:
            try:
                return super().load(data)
            except DataError:
                return _end(bytes(data))

    connection.adapters.register_loader("date", AnyDate)
    connection.adapters.register_loader("timestamp", AnyTimestamp)


def _end(text: bytes) -> datetime.datetime:
    return _FIRST if text.startswith(b"-") or text.endswith(b"BC") else _LAST


# What PostgreSQL and psycopg complain about, in sentences that hold none of their words.

# Words of a refusal to connect, for which the client library has no code.
_REFUSALS = (
    (("password authentication failed", "no password supplied", "authentication failed", "28P01"),
     "The database refuses the user or the password.",
     "Look at the environment variables that hold them."),
    (("no pg_hba.conf entry", "is not permitted to log in"),
     "The database does not let this user in from this machine.",
     "Ask the administrator of the database for access."),
    (("does not exist",),
     "The database, or the user, does not exist on this server.",
     "Look at the name of the database in the address."),
    (("too many connections", "remaining connection slots"),
     "The database has no free connection.",
     "Try again later, or ask the administrator for more connections."),
    (("SSL", "certificate"),
     "The encrypted connection to the database cannot be made.",
     "Look at sslmode in the address, or ask the administrator."),
    (("invalid connection option", "invalid integer value", "invalid sslmode value", "invalid port number",
      "definition of service"),
     "The address of the database has a part that cannot be used.",
     "Look at its port and at the options after '?'."),
    (("starting up", "shutting down", "in recovery"),
     "The database is starting or stopping.",
     "Try again in a minute."),
)  # fmt: skip
_AWAY = ("refused", "timeout", "timed out", "resolve", "translate host", "unreachable", "No route", "No such file",
         "closed the connection", "reset by peer")  # fmt: skip


def connect_failure(error: object) -> ConnectError:
    """Return the sentence for a connection that could not be made."""
    text = str(error)
    for words, message, hint in _REFUSALS:
        if any(word in text for word in words):
            return ConnectError(message, hint=hint)
    if any(word in text for word in _AWAY):
        return ConnectError(
            "The database cannot be reached.", hint="Look at host and port, and whether the server runs."
        )
    # A server that speaks another language.
    return ConnectError("The database refuses the connection.", hint="Look at user, password and database.")


def question_failure(error: object, door: Door) -> FairauditError:
    """Return the sentence for a question that the server did not answer."""
    code = getattr(error, "sqlstate", None) or ""
    found = _CODES.get(code) or _CLASSES.get(code[:2])
    match code:
        case "57014":
            return door.too_long()
        case "42P01" | "3F000":
            return gone("table")
        case "42703":
            return gone("column")
        case "22P02" if NO_REMAINDER in str(error):
            return InputError(
                "PostgreSQL computes a remainder (%) only of whole numbers and of parts such as halves and quarters.",
                hint="Leave % out of the condition, or round the numbers first.",
            )
        case "22003":
            return InputError(
                "A calculation leaves the range of numbers.",
                hint="Look at the arithmetic in the condition, or in the view that is read.",
            )
    if found is not None:
        return ConnectError(found[0], hint=found[1])
    if not code:
        return ConnectError("The connection to the database was lost, or an answer cannot be read.", hint="Try again.")
    return ConnectError(
        f"PostgreSQL cannot answer this question (error {code}).",
        hint="If it is a view or a query that is read, try in the database whether it works.",
    )


_CODES = {
    "42501": (
        "The database does not allow this user to read the table.",
        "Ask the administrator of the database for the right to SELECT from it.",
    ),
    "25006": ("The query tries to change something, but the connection only reads.", "Write a SELECT that only reads."),
    "42704": (
        "The database lacks something that the question needs, such as the collation und-x-icu of capital letters.",
        "Leave out lower, upper and ILIKE, or ask the administrator for a PostgreSQL with ICU.",
    ),
    "22012": (
        "The view or query that is read divides by zero for some row.",
        "Have the view mended, or leave these rows out of it.",
    ),
    "57P01": ("The database was stopped while it answered.", "Try again in a minute."),
    "53300": ("The database has no free connection.", "Try again later."),
    "22021": ("The database cannot hold a character of the condition.", "Leave the character out."),
    "22P05": ("The database cannot hold a character of the condition.", "Leave the character out."),
    "42601": ("The query cannot be read by PostgreSQL.", "Try it in the database first."),
    "42883": (
        "The query uses a function or comparison that the database does not have for these types.",
        "Try it in the database first.",
    ),
}
_CLASSES = {
    "08": ("The connection to the database was lost.", "Try again."),
    "28": ("The database refuses the user or the password.", "Look at the environment variables that hold them."),
    "53": ("The database has no room left for the question.", "Ask for fewer columns, or tell its administrator."),
}


_MILLISECONDS = 1000
_CANCEL_TIMEOUT = 3
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
_SHORT_NUMERIC = "NULLIF({0}, 'NaN')"
_TABLES = """
SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE n.nspname END, c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('information_schema', 'pg_catalog') AND n.nspname NOT LIKE 'pg\\_toast%'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1 NULLS FIRST, 2
"""


class PostgresDoor(Door["psycopg.Connection"]):
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
    keeps_time = True

    def __init__(self, url: URL, timeout: float):
        super().__init__(timeout)
        try:
            import psycopg  # noqa: F401 - only whether it is there
        except ImportError:
            raise ConnectError(
                "PostgreSQL needs the package psycopg, which is not installed.",
                hint='Install it: pip install "fairaudit[postgres]"',
            ) from None
        # Asked for on connecting; lost peers are noticed within a minute, also in the middle of a send.
        settings = {"connect_timeout": CONNECT_TIMEOUT, "keepalives": 1, "keepalives_idle": 20,
                    "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000,
                    "application_name": "fairaudit", "client_encoding": "UTF8"}  # fmt: skip
        self._options = self.guarded(_options, url) | settings

    def open(self) -> psycopg.Connection:
        """Return a new connection."""
        import psycopg

        failure = None
        try:
            connection = psycopg.connect(**self._options)
        except psycopg.Error as error:
            failure = connect_failure(error)
        if failure is not None:
            raise failure
        return connection

    def prepare(self, connection: psycopg.Connection) -> None:
        """Set what a question needs; the server is asked here for the first time."""
        connection.read_only = True
        take_any_date(connection)
        settings = {
            "statement_timeout": max(1, int(self.timeout * _MILLISECONDS)), "default_transaction_read_only": "on",
            "TimeZone": "'UTC'", "DateStyle": "'ISO, YMD'", "extra_float_digits": 1,
            "standard_conforming_strings": "on",
        }  # fmt: skip
        connection.execute("; ".join(f"SET {name} = {value}" for name, value in settings.items()))

    def answer(self, connection: psycopg.Connection, query: str) -> list[tuple]:
        """Answer a statement."""
        return self._asked(connection, query).fetchall()

    def interrupt(self, connection: psycopg.Connection) -> None:
        """Ask the server to stop what a connection is doing."""
        connection.cancel_safe(timeout=_CANCEL_TIMEOUT)

    def break_off(self, connection: psycopg.Connection) -> None:
        """Shut the connection's socket, for whoever waits at it; a server that stands still gives no sign."""
        with socket.socket(fileno=os.dup(connection.fileno())) as shared:
            shared.shutdown(socket.SHUT_RDWR)

    def close(self, connection: psycopg.Connection) -> None:
        """Close a connection."""
        connection.close()

    def describe(self, origin: str) -> Description:
        """Return the columns, known by their types; no row is read."""
        return self.guarded(self._describe, origin)

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views that may be read, with their schema where it must be said."""
        return tuple(join_name([part for part in row if part is not None]) for row in self.ask(_TABLES))

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver or the server."""
        import psycopg
        from sqlalchemy.exc import SQLAlchemyError

        if isinstance(error, psycopg.Error):
            return question_failure(error, self)
        if isinstance(error, SQLAlchemyError):
            return ConnectError(
                "The address of the database has an option that cannot be used.",
                hint="Write it without what stands after '?', or only with options of PostgreSQL such as sslmode.",
            )
        if isinstance(error, UnicodeError):
            # It would show the whole text, which may hold the password.
            return ConnectError(
                "The address, the password or a text in the table has a character that cannot be read.",
                hint="Look at the encoding of the database, and at the variables that hold user and password.",
            )
        return None

    def _asked(self, connection: psycopg.Connection, query: str) -> psycopg.Cursor:
        """Ask a statement; where the server stops it before its time is over, somebody there has cancelled it."""
        from psycopg.errors import QueryCanceled

        began = time.monotonic()
        try:
            return connection.execute(query)
        except QueryCanceled:
            # The server says which it was in its own language, and its clock may be a little faster than this one.
            if time.monotonic() - began >= 0.99 * self.timeout:
                raise
        raise ConnectError(
            "The question was cancelled in the database.", hint="Ask again, or ask its administrator why."
        )

    def _describe(self, origin: str) -> Description:
        with self.session() as connection:
            found = self._asked(connection, f"SELECT * FROM {origin} LIMIT 0").description or ()
            codes = ", ".join(str(int(column.type_code)) for column in found) or "0"
            types = {
                oid: (name, kind in ("e", b"e"))
                for oid, name, kind in self.answer(
                    connection, f"SELECT oid::bigint, typname, typtype FROM pg_type WHERE oid IN ({codes})"
                )
            }
        writer = SqlWriter(self.dialect)
        columns = []
        for column in found:
            name, is_enum = types.get(column.type_code, ("unknown", False))
            read = _read(f"t.{writer.quoted(column.name)}", name, is_enum, column)
            columns.append(FoundColumn(column.name, read, column.type_display or name))
        return describe(columns)


def _options(url: URL) -> dict[str, Any]:
    """Return what an address says, as the driver takes it."""
    dialect = url.set(drivername="postgresql+psycopg").get_dialect()
    return dict(dialect().create_connect_args(url)[1])


def _read(place: str, type_name: str, is_enum: bool, column: psycopg.Column) -> tuple[str, Kind] | None:
    """Return how a column of some type is read and what it then holds; None where it is not."""
    sql, kind = _READ.get(type_name, ("", "text"))
    if is_enum:
        sql = _TEXT
    elif type_name == "numeric" and column.precision:
        if column.scale == 0 and column.precision <= _WHOLE_DIGITS:
            sql = _WHOLE_NUMERIC
        elif column.precision <= _EXACT_DIGITS:
            sql = _SHORT_NUMERIC
    return (sql.format(place), kind) if sql else None
