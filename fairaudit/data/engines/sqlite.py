"""An SQLite file, opened so that nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

from fairaudit.data.columns import Column, Kind
from fairaudit.data.engines.door import CONNECT_TIMEOUT, Description, Door, check_columns, gone, join_name, left_out
from fairaudit.data.engines.sqlite_functions import register
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError, quote

_VIEW = "fairaudit_columns"
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
# What completes a time stamp of any exactness: the end of this text.
_FULL = "0000-00-00 00:00:00.000000"
_PADDED = f"substr(replace({{0}}, 'T', ' ') || substr('{_FULL}', length({{0}}) + 1), 1, {len(_FULL)})"
_TABLES = """
SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
"""
_CLASSES = ("integer", "real", "text", "blob")


class SqliteDoor(Door):
    """A way to one SQLite file.

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

    dialect = "sqlite"
    title = "SQLite"

    def __init__(self, path: str, timeout: float):
        super().__init__(timeout)
        self._path = Path(path).resolve()
        if not path or not self._path.is_file():
            raise ConnectError(
                f"There is no SQLite file {quote(self._path.name)}.", hint="Write sqlite:///folder/file."
            )

    def run(self, query: str) -> list[tuple]:
        """Answer a statement on a connection that can only read."""
        connection = self._open()
        try:
            connection.set_authorizer(_authorize)
            with self.running(connection), self.deadline(connection):
                return connection.execute(query).fetchall()
        finally:
            connection.close()

    def describe(self, origin: str) -> Description:
        """Return the columns, told from the types they were declared with and from all values."""
        return self.guarded(self._describe, origin)

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views."""
        return tuple(join_name([name]) for [name] in self.ask(_TABLES))

    def interrupt(self, connection: Any) -> None:
        """Stop what a connection is doing."""
        try:
            connection.interrupt()
        except sqlite3.ProgrammingError:
            return  # It has answered and is closed.

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver."""
        if not isinstance(error, sqlite3.Error):
            return None
        text = str(error)
        for words, made in _FAILURES:
            if any(word in text for word in words):
                return made()
        name = getattr(error, "sqlite_errorname", None) or type(error).__name__
        return ConnectError(
            f"SQLite cannot answer this question ({name}).",
            hint="If it is a view or a query that is read, try in the database whether it works.",
        )

    def _open(self) -> sqlite3.Connection:
        address = f"file:{url_quote(str(self._path))}?mode=ro"
        connection = sqlite3.connect(
            address, uri=True, check_same_thread=False, timeout=min(self.timeout, CONNECT_TIMEOUT)
        )
        try:
            connection.execute("PRAGMA temp_store = MEMORY")
            register(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _describe(self, origin: str) -> Description:
        declared = self._declared(origin)
        writer = SqlWriter(self.dialect)
        read_names = {name: f"t.{writer.quoted(name)}" for name, _ in declared}
        counts = iter(self.run(f"SELECT {', '.join(_questions(read_names.values()))} FROM {origin}")[0])
        columns, read, notes = [], [], []
        for name, type_name in declared:
            found = dict(zip(_CLASSES, counts, strict=False))
            forms = {form: next(counts) == 0 for form in ("boolean", "date", "timestamp")}
            how = _read(type_name, {key: n or 0 for key, n in found.items()}, forms)
            if how is None:
                notes.append(left_out(name, "binary"))
                continue
            sql, kind, mixed = how
            if mixed:
                notes.append(f"Column {quote(name)} holds numbers and texts; all are read as text.")
            columns.append(Column(name, kind))
            read.append(ReadColumn(name, sql.format(read_names[name])))
        check_columns([name for name, _ in declared], columns, "The table")
        return Description(tuple(columns), tuple(read), tuple(notes))

    def _declared(self, origin: str) -> list[tuple[str, str]]:
        """Return names and declared types; a view among the temporary things tells them of a query as well."""
        connection = self._open()
        try:
            with self.running(connection), self.deadline(connection):
                connection.execute(f"CREATE TEMP VIEW {_VIEW} AS SELECT * FROM {origin}")
                return [(row[1], (row[2] or "").upper()) for row in connection.execute(f"PRAGMA table_info({_VIEW})")]
        finally:
            connection.close()


def _questions(names: Sequence[str]) -> list[str]:
    """Return, for each column, counts of its types of storage and of what is not of a form."""
    asked = []
    for name in names:
        asked += [f"sum(typeof({name}) = '{storage}')" for storage in _CLASSES]
        padded = _PADDED.format(name)
        # Adding nothing makes 30 February a day of March.
        date = f"({name} IS strftime('%Y-%m-%d', {name}, '+0 days') AND {name} >= '0001')"
        seconds = f"substr({padded}, 1, 19)"
        moment = (
            f"({seconds} IS strftime('%Y-%m-%d %H:%M:%S', {seconds}, '+0 days') AND substr({padded}, 20, 1) = '.'"
            f" AND substr({padded}, 21) NOT GLOB '*[^0-9]*' AND {name} >= '0001'"
            f" AND (length({name}) IN (10, 16, 19) OR length({name}) BETWEEN 21 AND {len(_FULL)}))"
        )
        asked.append(f"total({name} IS NOT NULL AND ({name} IN (0, 1)) IS NOT 1)")
        asked += [f"total({name} IS NOT NULL AND {form} IS NOT 1)" for form in (date, moment)]
    return asked


def _read(declared: str, found: dict[str, int], forms: dict[str, bool]) -> tuple[str, Kind, bool] | None:
    """Return how a column is read, what it then holds and whether numbers become texts; None where it is not."""
    numbers, texts = found["integer"] + found["real"], found["text"]
    if found["blob"]:
        return None
    if not numbers and not texts:
        return ("CAST({0} AS TEXT) COLLATE BINARY", "text", False) if _is_text(declared) else (
            "CAST({0} AS REAL)", "number", False)  # fmt: skip
    if texts:
        if not numbers and ("TIME" in declared or "DATE" in declared):
            if forms["date"] and "TIME" not in declared:
                return "CAST({0} AS TEXT) COLLATE BINARY", "date", False
            if forms["timestamp"]:
                return f"({_PADDED}) COLLATE BINARY", "timestamp", False
        return "CAST({0} AS TEXT) COLLATE BINARY", "text", bool(numbers)
    if "BOOL" in declared and forms["boolean"]:
        return "CAST({0} AS INTEGER)", "boolean", False
    return f"CAST({{0}} AS {'REAL' if found['real'] else 'INTEGER'})", "number", False


def _is_text(declared: str) -> bool:
    return any(word in declared for word in ("CHAR", "CLOB", "TEXT", "DATE", "TIME"))


def _authorize(action: int, one: str | None, two: str | None, *_: Any) -> int:
    allowed = action in _ALLOWED and two not in ("load_extension", "writefile", "readfile", "edit", "fts3_tokenizer")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


_FAILURES = (
    (("no such table",), lambda: gone("table")),
    (("no such column",), lambda: gone("column")),
    (("interrupted",), lambda: ConnectError("The question was stopped in SQLite.", hint="Ask again.")),
    (("locked",), lambda: ConnectError("Another program is writing into the SQLite file.", hint="Try again later.")),
    (("unable to open",), lambda: ConnectError("The SQLite file cannot be opened.", hint="Look at its rights.")),
    (("not a database", "malformed", "encrypted"),
     lambda: ConnectError("The file is no SQLite database, or is damaged.", hint="Choose another file.")),
    (("readonly", "not authorized", "prohibited"),
     lambda: ConnectError("The query does more than read.", hint="Write a SELECT that only reads.")),
    (("decode",), lambda: ConnectError("A text in the file is not UTF-8.", hint="Have it repaired.")),
    (("user-defined", "integer overflow"),
     lambda: InputError("A calculation leaves the range of numbers.", hint="Look at the arithmetic in the condition.")),
    (("no such function",),
     lambda: ConnectError("The query uses a function that SQLite does not have.", hint="Write it without.")),
)  # fmt: skip
