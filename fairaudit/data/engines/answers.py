"""Answers of an SQL engine to a connected table's questions."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any, SupportsFloat

import pandas as pd
import pyarrow as pa

from fairaudit.columns import Column, Kind
from fairaudit.data.answers import Answering
from fairaudit.data.engines.door import Door, NamedDoor
from fairaudit.data.frames import to_frame
from fairaudit.data.writing import Dialect, SqlWriter
from fairaudit.errors import ConnectError

# A name for the content of a table that stays in its engine: weaker than a hash of all cells, but one question.
#
# It changes when a column is added, renamed or of another kind, when rows come or go, and when most values become other
# ones: of a number by the sum of marks, of a date by the sum of days, of a text by the sums of lengths and of the codes
# of first and last letters. Values that change places between rows leave it as it is, and so may other letters inside a
# text, changes of a number beyond its ninth digit, or changes that make up for each other. Up to a million rows, it
# also changes with how many values of a column differ; above, counting those would take longer than everything else.
#
# A number's mark is a whole number. With k = floor(log2 |x| + 0.3), it is floor(x 2^(31-k) + 0.3) + 1000003 k: nine
# digits of x, and its size. Whole numbers from 2^30 to 2^53 add what division by 2^31 leaves of them, so that all of
# their digits count. Nothing else than its value makes a mark, and whole numbers add up exactly: in one engine, neither
# the order of adding up nor the number of processors ever changes the sum. Two engines can disagree only where their
# logarithms differ in the last digit next to a border of k, about one value in 10^15; or, of values that they read with
# another last digit, where that crosses a border of the mark, about one in 10^6. That no border is a plain number is
# what the 0.3 is for. What is beyond 1e308 has no mark.

_EXACT = 2**53
_DISTINCT_ROWS = 1_000_000
_SUMS: dict[Kind, int] = {"number": 1, "text": 3, "boolean": 1, "date": 1, "timestamp": 1}
_DAYS: dict[Dialect, str] = {
    "duckdb": "date_diff('day', DATE '2000-01-01', CAST({0} AS DATE))",
    "postgres": "CASE WHEN isfinite({0}) THEN CAST({0} AS date) - DATE '2000-01-01' END",
    "spark": "datediff(CAST({0} AS DATE), DATE'2000-01-01')",
    "sqlite": "CAST(julianday(substr({0}, 1, 10)) - 2451544.5 AS INTEGER)",
}
_CODE: dict[Dialect, str] = {
    "duckdb": "unicode({0})", "postgres": "ascii({0})", "spark": "ascii({0})", "sqlite": "unicode({0})",
}  # fmt: skip
# The k of the mark of a number; it is what 1e-280 has for all that is nearer to zero.
_SIZE = "floor(1.4426950408889634 * ln(greatest(abs({0}), 1e-280)) + 0.3)"
_REST = (
    "CASE WHEN abs({0}) >= 1073741824 AND abs({0}) < 9007199254740992 AND {0} = floor({0})"
    " THEN CAST({0} - floor({0} / 2147483648) * 2147483648 AS BIGINT) ELSE 0 END"
)
_MARK = (
    f"CASE WHEN abs({{0}}) <= 1e308 THEN CAST(floor({{0}} * power(2, 31 - {_SIZE}) + 0.3) AS BIGINT)"
    f" + 1000003 * CAST({_SIZE} AS BIGINT) + {_REST} END"
)
_MARKS: dict[Dialect, str] = {
    "duckdb": f"sum({_MARK})",
    "postgres": f"sum({_MARK})",
    # As a decimal, the sum has more than the 63 bits that marks of some billion rows need.
    "spark": f"sum(CAST({_MARK} AS DECIMAL(18, 0)))",
    "sqlite": "sum(number_mark({0}))",
}
_LAST: dict[Dialect, str] = {
    "duckdb": "right({0}, 1)", "postgres": "right({0}, 1)", "spark": "right({0}, 1)", "sqlite": "substr({0}, -1)",
}  # fmt: skip


def aggregate_fingerprint(answers: Answering, columns: Sequence[Column], n_rows: int) -> str:
    """Compute the fingerprint of a connected table with one statement."""
    counted = n_rows <= _DISTINCT_ROWS
    parts = ["count(*)", *(part for column in columns for part in _parts(answers.writer, column, counted))]
    now, *values = answers.row(parts)
    found, rest = [], iter(values)
    for column in columns:
        known, distinct, low, high = (next(rest) for _ in range(4))
        facts = [column.name, column.kind, int(known), int(distinct), _text(low), _text(high)]
        found.append([*facts, *(_text(next(rest)) for _ in range(_SUMS[column.kind]))])
    content = json.dumps([int(now), found], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def _parts(writer: SqlWriter, column: Column, distinct: bool) -> list[str]:
    name = writer.quoted(column.name)
    low, high = f"min({name})", f"max({name})"
    if column.kind == "boolean":
        low, high = (f"{which}(CASE WHEN {name} THEN 1 WHEN NOT {name} THEN 0 END)" for which in ("min", "max"))
    return [f"count({name})", _distinct(writer, column.name) if distinct else "0", low, high, *_sums(writer, column)]


def _distinct(writer: SqlWriter, column: str) -> str:
    name = writer.quoted(column)
    if writer.dialect not in ("postgres", "spark"):
        return f"count(DISTINCT {name})"
    # Inside an aggregate, DISTINCT makes PostgreSQL sort on one processor, and Spark copy each row for each column.
    inner = f"SELECT DISTINCT {name} FROM {writer.source([column])} WHERE {name} IS NOT NULL"
    return f"(SELECT count(*) FROM ({inner}) AS different)"


def _sums(writer: SqlWriter, column: Column) -> list[str]:
    name = writer.quoted(column.name)
    match column.kind:
        case "number":
            return [_MARKS[writer.dialect].format(writer.number(name))]
        case "boolean":
            return [f"sum(CASE WHEN {name} THEN 1 ELSE 0 END)"]
        case "date" | "timestamp":
            return [f"sum({_DAYS[writer.dialect].format(name)})"]
    # The first and the last letter of an empty text have no code that engines agree on.
    first = f"nullif({name}, '')"
    return [f"sum({part})" for part in (f"length({name})", _CODE[writer.dialect].format(first),
                                        _CODE[writer.dialect].format(_LAST[writer.dialect].format(first)))]  # fmt: skip


def _text(value: str | datetime.date | SupportsFloat | None) -> str | None:
    """Return the same text for the same value, whatever type an engine gives it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ", timespec="microseconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    number = float(value)
    if isinstance(value, (int, Decimal)) and value == int(value):
        return str(int(value))
    return str(int(number)) if number.is_integer() and abs(number) < _EXACT else repr(number)


# Rows of an engine's answer as a DataFrame, with the same dtypes as the embedded database gives.


def kinds_changed() -> ConnectError:
    """Return the error for a value that is not of the kind that its column had."""
    return ConnectError("The kinds of a column changed since the table was opened.", hint="Open the table again.")


def rows_frame(rows: Sequence[tuple], names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
    """Turn rows into a DataFrame."""
    if not names:
        return pd.DataFrame(index=pd.RangeIndex(len(rows)))
    arrays = [_array([row[place] for row in rows], kind) for place, kind in enumerate(kinds)]
    return to_frame(pa.table(arrays, names=[f"c{place}" for place in range(len(arrays))]), names, kinds)


def _array(values: list[Any], kind: Kind) -> pa.Array:
    match kind:
        case "number":
            return _numbers(values)
        case "boolean":
            return pa.array([None if value is None else bool(value) for value in values], pa.bool_())
        case "date" | "timestamp":
            return pa.array([_moment(value) for value in values], pa.timestamp("us"))
        case _:
            return pa.array(values, pa.string())


def _numbers(values: list[Any]) -> pa.Array:
    plain = [float(value) if isinstance(value, Decimal) else value for value in values]
    known = [value for value in plain if value is not None]
    if known and all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in known):
        return pa.array(plain, pa.int64())
    return pa.array([None if value is None else float(value) for value in plain], pa.float64())


def _moment(value: str | datetime.date | None) -> datetime.datetime | None:
    if isinstance(value, str):
        return _read_moment(value)
    if value is None or isinstance(value, datetime.datetime):
        return value
    return datetime.datetime(value.year, value.month, value.day)


def _read_moment(text: str) -> datetime.datetime:
    found = None
    with suppress(ValueError):
        found = datetime.datetime.fromisoformat(text)
    if found is None:
        # Raised out here: the other error holds the cell.
        raise kinds_changed()
    return found


class EngineAnswers:
    """A table or query behind a door.

    Parameters
    ----------
    door : Door or NamedDoor
        The way to the engine.
    writer : SqlWriter
        What is read and how.
    n_rows : int
        Rows, when it was opened; of a table of counts, those that it has itself.
    """

    def __init__(self, door: Door | NamedDoor, writer: SqlWriter, n_rows: int):
        self.door = door
        self.writer = writer
        self.n_rows = n_rows

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
        """Answer a query as a DataFrame, see :meth:`fairaudit.data.answers.Answers.frame`."""
        return rows_frame(self.door.ask(query), names, kinds)

    def row(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows."""
        return tuple(self.door.ask(f"SELECT {', '.join(expressions)}\nFROM {self.writer.relation}")[0])

    def fingerprint(self, columns: Iterable[Column]) -> str:
        """Compute the fingerprint from names, kinds and aggregates, with one statement."""
        brought = EngineAnswers(self.door, replace(self.writer, counted=None), self.n_rows)
        return aggregate_fingerprint(brought, list(columns), self.n_rows)

    def with_writer(self, writer: SqlWriter) -> EngineAnswers:
        """Return answers over the same rows to questions that are written in another way."""
        return EngineAnswers(self.door, writer, self.n_rows)

    def cancel(self) -> None:
        """Stop every question of this table in the engine."""
        self.door.cancel()

    def close(self) -> None:
        """Stop what is running; connections are not kept between questions."""
        self.door.cancel()
