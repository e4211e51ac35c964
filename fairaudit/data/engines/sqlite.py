"""An SQLite file, opened so that nothing can be written."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from array import array
from collections.abc import Callable, Iterable
from functools import lru_cache
from urllib.parse import quote as url_quote

from fairaudit.columns import Kind
from fairaudit.conditions.evaluation import to_lower, to_upper, trim
from fairaudit.data.engines.answers import kinds_changed
from fairaudit.data.engines.door import CONNECT_TIMEOUT, Description, FileDoor, FoundColumn, describe, gone
from fairaudit.data.engines.guard import join_name
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

# Functions that SQLite lacks, or has for the letters of English only, as the embedded database has them.

CHANGED = "changed_kind"
"""The function that a value is given to that is not of the kind its column had."""

# Different texts whose answer is kept: columns repeat few texts many times.
_KEPT = 10_000
# Between these, numbers have marks of their own; at the border, log2(x) + 0.3 is a whole number.
_SMALLEST_MARKED, _LARGEST_MARKED, _BORDER = 1e-280, 1e308, 2**-0.3


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions that conditions and aggregates use."""
    for name, function in (("unicode_lower", to_lower), ("unicode_upper", to_upper), ("unicode_trim", trim)):
        connection.create_function(name, 1, _of_text(function), deterministic=True)
    connection.create_function("remainder", 2, remainder, deterministic=True)
    connection.create_function("rounded", 2, rounded, deterministic=True)
    connection.create_function("exact", 1, float, deterministic=True)
    connection.create_function("md5", 1, md5, deterministic=True)
    connection.create_function(CHANGED, 1, changed_kind)
    connection.create_function("number_mark", 1, number_mark, deterministic=True)
    # The stubs know only aggregates of one whole number.
    connection.create_aggregate("var_samp", 1, Variance)  # type: ignore[arg-type]
    connection.create_aggregate("quantile_cont", 2, Quantile)  # type: ignore[arg-type]


def remainder(number: float | None, divisor: float | None) -> float | None:
    """Return what a division leaves, with the sign of the number; None where there is none."""
    if number is None or divisor is None or divisor == 0 or math.isinf(number):
        return None
    return math.fmod(number, divisor)


def rounded(number: float | None, decimals: int) -> float | None:
    """Round halves away from zero, in the order of operations that the embedded database has."""
    if number is None:
        return None
    scale = 10.0 ** abs(decimals)
    scaled = number * scale if decimals > 0 else number / scale
    if math.isinf(scaled):
        return number
    whole = float(math.trunc(scaled))
    if abs(scaled - whole) >= 0.5:
        whole += math.copysign(1.0, scaled)
    made = whole / scale if decimals > 0 else whole * scale
    return made if math.isfinite(made) else number


def md5(text: str | None) -> str | None:
    """Return the hash of a text that other engines have under this name; for drawing rows, not for secrets."""
    return None if text is None else hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def number_mark(number: float | None) -> int | None:
    """Return the whole number that stands for a number in :mod:`fairaudit.data.engines.answers`."""
    if number is None or abs(number) > _LARGEST_MARKED:
        return None
    part, exponent = math.frexp(max(abs(number), _SMALLEST_MARKED))
    size = exponent if part >= _BORDER else exponent - 1
    mark = math.floor(math.ldexp(number, 31 - size) + 0.3) + 1_000_003 * size
    whole = 2**30 <= abs(number) < 2**53 and number == math.floor(number)
    return mark + int(number) % 2**31 if whole else mark


def changed_kind(value: object) -> None:
    """Stop the question."""
    raise OverflowError


class Variance:
    """The variance of a sample, by Welford's updates; None below two numbers."""

    def __init__(self):
        self.n, self.mean, self.squares = 0, 0.0, 0.0

    def step(self, number: float | None) -> None:
        """Take a number in."""
        if number is None:
            return
        self.n += 1
        away = number - self.mean
        self.mean += away / self.n
        self.squares += away * (number - self.mean)

    def finalize(self) -> float | None:
        """Return the variance."""
        return self.squares / (self.n - 1) if self.n > 1 else None


class Quantile:
    """A quantile, interpolated between neighbours; eight bytes a number are held meanwhile."""

    def __init__(self):
        self.numbers, self.share = array("d"), 0.5

    def step(self, number: float | None, share: float) -> None:
        """Take a number in."""
        self.share = share
        if number is not None:
            self.numbers.append(number)

    def finalize(self) -> float | None:
        """Return the quantile."""
        if not self.numbers:
            return None
        numbers = sorted(self.numbers)
        place = self.share * (len(numbers) - 1)
        low = math.floor(place)
        high = min(low + 1, len(numbers) - 1)
        if place == low:
            return numbers[low]
        return numbers[low] + (numbers[high] - numbers[low]) * (place - low)


def _of_text(function: Callable[[str], str]) -> Callable[[str | None], str | None]:
    kept = lru_cache(_KEPT)(function)
    return lambda text: None if text is None else kept(text)


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


class SqliteDoor(FileDoor[sqlite3.Connection]):
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


def _authorize(action: int, one: str | None, two: str | None, *_: object) -> int:
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
