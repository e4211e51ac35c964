"""A name for the content of a table that stays in its engine: weaker than a hash of all cells, but one question.

It changes when a column is added, renamed or of another kind, when rows come or go, and when most values become other
ones: of a number by the sum of marks, of a date by the sum of days, of a text by the sums of lengths and of the codes
of first and last letters. Values that change places between rows leave it as it is, and so may other letters inside a
text, changes of a number beyond its ninth digit, or changes that make up for each other. Up to a million rows, it also
changes with how many values of a column differ; above, counting those would take longer than everything else.

A number's mark is a whole number. With k = floor(log2 |x| + 0.3), it is floor(x 2^(31-k) + 0.3) + 1000003 k: nine
digits of x, and its size. Whole numbers from 2^30 to 2^53 add what division by 2^31 leaves of them, so that all of
their digits count. Nothing else than its value makes a mark, and whole numbers add up exactly: in one engine, neither
the order of adding up nor the number of processors ever changes the sum. Two engines can disagree only where their
logarithms differ in the last digit next to a border of k, about one value in 10^15; or, of values that they read with
another last digit, where that crosses a border of the mark, about one in 10^6. That no border is a plain number is what
the 0.3 is for. What is beyond 1e308 has no mark.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import SupportsFloat

from fairaudit.columns import Column, Kind
from fairaudit.data.answers import Answering
from fairaudit.data.writing import Dialect, SqlWriter

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
