"""An SQLite file, opened so that nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote as url_quote

from fairaudit.columns import Kind
from fairaudit.data.engines.described import Description, FoundColumn, describe
from fairaudit.data.engines.door import CONNECT_TIMEOUT, gone
from fairaudit.data.engines.file_door import FileDoor
from fairaudit.data.engines.rows import kinds_changed
from fairaudit.data.engines.sqlite_functions import CHANGED, register
from fairaudit.data.engines.table_names import join_name
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

_VIEW = "fairaudit_columns"
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
# What completes a time stamp of any exactness: the end of this text.
_FULL = "0000-00-00 00:00:00.000000"
_PADDED = f"substr(replace({{0}}, 'T', ' ') || substr('{_FULL}', length({{0}}) + 1), 1, {len(_FULL)})"
_DAY = f"'{'-'.join('[0-9]' * digits for digits in (4, 2, 2))}'"
_TABLES = """
SELECT name FROM sqlite_master
WHERE type IN ('table', 'view') AND typeof(name) = 'text' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY name
"""
_CLASSES = ("integer", "real", "text", "blob")


class SqliteDoor(FileDoor):
    """A way to one SQLite file."""

    dialect = "sqlite"
    title = "SQLite"

    def open(self) -> sqlite3.Connection:
        """Return a connection that can only read; what is temporary is not in the file."""
        address = f"file:{url_quote(str(self._path))}?mode=ro"
        connection = sqlite3.connect(
            address, uri=True, check_same_thread=False, timeout=min(self.timeout / 2, CONNECT_TIMEOUT)
        )
        try:
            connection.execute("PRAGMA temp_store = MEMORY")
            register(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def answer(self, connection: sqlite3.Connection, query: str) -> list[tuple]:
        """Answer a statement that only reads."""
        connection.set_authorizer(_authorize)
        return super().answer(connection, query)

    def describe(self, origin: str) -> Description:
        """Return the columns, known by the types they were declared with and by all values."""
        return self.guarded(self._describe, origin)

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views."""
        return tuple(join_name([name]) for [name] in self.ask(_TABLES))

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver."""
        if isinstance(error, UnicodeDecodeError):
            # The name of a column; of a text in one, SQLite's own error says so.
            return _not_utf8()
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

    def _describe(self, origin: str) -> Description:
        declared = self._declared(origin)
        writer = SqlWriter(self.dialect)
        places = {name: f"t.{writer.quoted(name)}" for name, _ in declared}
        counts = iter(self.ask(f"SELECT {', '.join(_questions(places.values()))} FROM {origin}")[0])
        columns = []
        for name, type_name in declared:
            found = {storage: next(counts) or 0 for storage in _CLASSES}
            cut = next(counts)
            forms = {form: next(counts) == 0 for form in ("boolean", "date", "timestamp")}
            read, mixed = _read(places[name], type_name, found, forms, rules=self.rules or 2)
            named = {"column": Phrase(quote(name))}
            note = say(Message("read-mixed", named)) if mixed else None
            if cut and read is not None:
                # What SQLite says of the length of such a text, and of patterns, ends there.
                read, note = None, say(Message("read-nul", named))
            columns.append(FoundColumn(name, read, "binary", note))
        return describe(columns)

    def _declared(self, origin: str) -> list[tuple[str, str]]:
        """Return names and declared types; a temporary view gives those of a query as well."""
        with self.session() as connection:
            connection.execute(f"CREATE TEMP VIEW {_VIEW} AS SELECT * FROM {origin}")
            return [(row[1], (row[2] or "").upper()) for row in connection.execute(f"PRAGMA table_info({_VIEW})")]


def _questions(names: Iterable[str]) -> list[str]:
    """Return, for each column, counts of its types of storage, of texts with a NUL, and of what is not of a form."""
    asked = []
    for name in names:
        asked += [f"sum(typeof({name}) = '{storage}')" for storage in _CLASSES]
        asked.append(f"total(typeof({name}) = 'text' AND instr({name}, char(0)) > 0)")
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


def _read(
    place: str, declared: str, found: dict[str, int], forms: dict[str, bool], *, rules: int
) -> tuple[tuple[str, Kind] | None, bool]:
    """Return how a column is read and what it then holds, None where it is not; and whether numbers become texts."""
    numbers, texts = found["integer"] + found["real"], found["text"]
    text = f"CAST({place} AS TEXT) COLLATE BINARY"
    number = _number(place, "REAL" if found["real"] or not numbers else "")
    if found["blob"]:
        return None, False
    if not numbers and not texts:
        return ((text, "text") if _is_text(declared) else (number, "number")), False
    if texts:
        # SQLite has no type for days: most are texts, whatever the column was declared as.
        if not numbers and (rules > 1 or "TIME" in declared or "DATE" in declared):
            if forms["date"] and "TIME" not in declared:
                return (f"{_only(f'{place} GLOB {_DAY}', place, place)} COLLATE BINARY", "date"), False
            if forms["timestamp"]:
                moment = _only(f"{place} GLOB {_DAY[:-1]}*'", _PADDED.format(place), place)
                return (f"{moment} COLLATE BINARY", "timestamp"), False
        return (text, "text"), bool(numbers)
    if "BOOL" in declared and forms["boolean"]:
        return (_only(f"{place} IN (0, 1)", f"CAST({place} AS INTEGER)", place), "boolean"), False
    return (number, "number"), False


def _number(place: str, cast: str) -> str:
    """Return how numbers are read; whole ones as they are, or all of them as one type."""
    return _only(f"typeof({place}) IN ('integer', 'real')", f"CAST({place} AS {cast})" if cast else place, place)


def _only(form: str, read: str, place: str) -> str:
    """Return how values of a form are read; any other value came after the table was opened and is an error."""
    return f"(CASE WHEN {form} THEN {read} WHEN {place} IS NOT NULL THEN {CHANGED}({place}) END)"


def _is_text(declared: str) -> bool:
    return any(word in declared for word in ("CHAR", "CLOB", "TEXT", "DATE", "TIME"))


def _authorize(action: int, one: str | None, two: str | None, *_: Any) -> int:
    allowed = action in _ALLOWED and two not in ("load_extension", "writefile", "readfile", "edit", "fts3_tokenizer")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _not_utf8() -> ConnectError:
    return ConnectError("A text in the file is not UTF-8.", hint="Have it repaired.")


_FAILURES = (
    (("too big",), kinds_changed),
    (("no such table",), lambda: gone("table")),
    (("no such column",), lambda: gone("column")),
    (("interrupted",), lambda: ConnectError("The question was stopped in SQLite.", hint="Ask again.")),
    (("locked",), lambda: ConnectError("Another program is writing into the SQLite file.", hint="Try again later.")),
    (("unable to open",), lambda: ConnectError("The SQLite file cannot be opened.", hint="Look at its rights.")),
    (("not a database", "malformed", "encrypted"),
     lambda: ConnectError("The file is no SQLite database, or is damaged.", hint="Choose another file.")),
    (("readonly", "not authorized", "prohibited"),
     lambda: ConnectError("The query does more than read.", hint="Write a SELECT that only reads.")),
    (("decode",), _not_utf8),
    (("user-defined", "integer overflow"),
     lambda: InputError("A calculation leaves the range of numbers.", hint="Look at the arithmetic in the condition.")),
    (("no such function",),
     lambda: ConnectError("The query uses a function that SQLite does not have.", hint="Write it without.")),
)  # fmt: skip
