"""The same rows in every engine, random conditions, and what a refusal must rest on."""

from __future__ import annotations

import datetime
import math
import sqlite3
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from hypothesis import HealthCheck, Phase, given, settings
from strategies import KINDS, condition_texts, frames

from fairaudit.conditions import Condition, tree
from fairaudit.conditions.evaluation import _Rows
from fairaudit.errors import InputError

_DRAWING = {
    "phases": [Phase.generate], "derandomize": True, "database": None, "deadline": None,
    "suppress_health_check": list(HealthCheck),
}  # fmt: skip
TYPES = {
    "postgres": ("bigint", "bigint", "double precision", "text", "text", "boolean", "date", "timestamp"),
    "sqlite": ("INTEGER", "INTEGER", "REAL", "TEXT", "TEXT", "BOOLEAN", "DATE", "DATETIME"),
    "duckdb": ("BIGINT", "BIGINT", "DOUBLE", "VARCHAR", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP"),
}
NAMES = ("id", *KINDS)
# Where engines have ways of their own: numbers that double precision does not distinguish, and texts without a column.
POINTED = (
    "age BETWEEN 0.5 AND 9007199254740992", "age NOT BETWEEN 0.5 AND 9007199254740992",
    'age BETWEEN "capital gain" AND 9007199254740992', '"capital gain" BETWEEN age AND 9007199254740993',
    'age NOT BETWEEN 9007199254740993 AND "capital gain"', "coalesce(age, 1) BETWEEN 9007199254740993 AND 1e300",
    "age IN (1.0, 9007199254740993)", "age NOT IN (0.5, 9007199254740992)", "age IN (9007199254740993, 2)",
    '"capital gain" IN (0.1, 9007199254740993)', "'b' NOT BETWEEN 'A' AND 'Z'", "'b' BETWEEN race AND 'Z'",
    "trim('b') BETWEEN 'A' AND race", "race BETWEEN 'A' AND 'b'", "coalesce('b', race) < 'Z'", "'b' IN ('B', 'a')",
)  # fmt: skip
_EDGES = tuple(
    (number, float(number), text, text, True, None, None)
    for number, text in ((2**53, "b"), (2**53 + 1, "B"), (-(2**53) - 1, "a"), (2**53 + 2, "Z"), (1, "ä"))
)
ARITHMETIC = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


@cache
def conditions(n: int) -> tuple[Condition, ...]:
    """What is pointed out above and the first different conditions that the strategies give, always the same `n`."""
    found: dict[str, None] = dict.fromkeys(POINTED)

    @settings(max_examples=n + n // 4, **_DRAWING)
    @given(condition_texts(max_leaves=4))
    def collect(text: str) -> None:
        found.setdefault(text)

    collect()
    texts = list(found)[:n]
    assert len(texts) == n, len(texts)
    return tuple(Condition.parse(text, KINDS) for text in texts)


@cache
def rows(n: int) -> tuple[tuple, ...]:
    """Rows with a number of their own, with missing values, odd texts, large numbers and infinite ones."""
    found: list[tuple] = []

    @settings(max_examples=n // 4, **_DRAWING)
    @given(frames(max_rows=25))
    def collect(frame: pd.DataFrame) -> None:
        columns = [[_plain(value) for value in frame[name].astype(object)] for name in KINDS]
        found.extend(zip(*columns, strict=True))

    collect()
    kept = list(dict.fromkeys([*_EDGES, *found]))[:n]
    return tuple((number, *row) for number, row in enumerate(kept, start=1))


def as_frame(cells: tuple[tuple, ...]) -> pd.DataFrame:
    """The rows as a DataFrame, each column of the one dtype that the database gives."""
    columns = list(zip(*cells, strict=True))
    dtypes = ("int64", "Int64", "float64", "str", "str", "boolean", "datetime64[us]", "datetime64[us]")
    return pd.DataFrame({n: pd.Series(list(c), dtype=d) for n, c, d in zip(NAMES, columns, dtypes, strict=True)})


def create(engine: str, name: str = "rows") -> str:
    """The statement that makes the table."""
    columns = ", ".join(f'"{n.replace(chr(34), chr(34) * 2)}" {t}' for n, t in zip(NAMES, TYPES[engine], strict=True))
    return f"CREATE TABLE {name} ({columns})"


def fill_sqlite(path: Path, cells: tuple[tuple, ...]) -> None:
    """Write the rows into an SQLite file, dates as texts."""
    connection = sqlite3.connect(path)
    connection.execute(create("sqlite"))
    texts = [[v.isoformat(" ") if isinstance(v, datetime.datetime) else str(v) if isinstance(v, datetime.date) else v
              for v in row] for row in cells]  # fmt: skip
    connection.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(NAMES))})", texts)
    connection.commit()
    connection.close()


def fill_duckdb(path: Path, cells: tuple[tuple, ...]) -> None:
    """Write the rows into a DuckDB file."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(create("duckdb"))
        connection.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(NAMES))})", [list(row) for row in cells])


def fill_postgres(url: str, cells: tuple[tuple, ...], name: str = "rows") -> None:
    """Write the rows into PostgreSQL; every other missing number is NaN there."""
    import psycopg

    with psycopg.connect(url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {name}")
        cursor.execute(create("postgres", name))
        values = [(*row[:2], math.nan if row[2] is None and row[0] % 2 else row[2], *row[3:]) for row in cells]
        cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['%s'] * len(NAMES))})", values)


def expected(condition: Condition, frame: pd.DataFrame) -> tuple[int, int, int, int]:
    """Rows for which a condition is true and false, and the sums of their numbers, by the mask."""
    truth = condition.truth(frame)
    true, false = (truth == True).fillna(False), (truth == False).fillna(False)  # noqa: E712
    return int(true.sum()), int(false.sum()), int(frame["id"][true].sum()), int(frame["id"][false].sum())


def expressions(written: str) -> list[str]:
    """The same as aggregates."""
    number = '"id"'
    return [
        f"count(CASE WHEN ({written}) THEN 1 END)",
        f"count(CASE WHEN NOT ({written}) THEN 1 END)",
        f"coalesce(sum(CASE WHEN ({written}) THEN {number} END), 0)",
        f"coalesce(sum(CASE WHEN NOT ({written}) THEN {number} END), 0)",
    ]


def asked(table, wanted: list[Condition]) -> list[tuple | InputError]:
    """What an engine answers, many conditions in one statement; an error where it refuses a condition."""
    try:
        parts = [part for c in wanted for part in expressions(table.writer.condition(table.condition(c)))]
        values = [int(value) for value in table.aggregate(parts)]
    except InputError as error:
        if len(wanted) == 1:
            return [error]
        step = -(-len(wanted) // 4)
        return [answer for at in range(0, len(wanted), step) for answer in asked(table, wanted[at : at + step])]
    return [tuple(values[place : place + 4]) for place in range(0, len(values), 4)]


def leaves_the_range(condition: Condition, frame: pd.DataFrame) -> bool:
    """Whether some step of the arithmetic gives an infinite number from finite ones, or zero from others."""
    return any(_leaves(value, frame) for value in tree.walk(condition.tree))


def _leaves(value: tree.Node | tree.Value, frame: pd.DataFrame) -> bool:
    if isinstance(value, tree.Arithmetic) and value.operator in ARITHMETIC:
        left, right = _numbers(value.left, frame), _numbers(value.right, frame)
        return _raises(ARITHMETIC[value.operator], left, right)
    if isinstance(value, tree.Arithmetic):
        sides = [_numbers(side, frame) for side in (value.left, value.right)]
        known = np.isfinite(sides[0]) & np.isfinite(sides[1])
        return any(bool(((s * 1024 % 1 != 0) | (abs(s) >= 2**52)).any()) for s in (side[known] for side in sides))
    if isinstance(value, tree.Call) and value.name == "round" and len(value.arguments) > 1:
        decimals = value.arguments[1].value
        number = _numbers(value.arguments[0], frame)
        return _raises(np.multiply if decimals > 0 else np.divide, number, np.float64(10.0 ** abs(decimals)))
    return False


def _numbers(value: tree.Value, frame: pd.DataFrame) -> np.ndarray:
    with np.errstate(all="ignore"):
        found = _Rows(frame).value(value)
    return np.where(found.known, found.values.astype("float64"), np.nan)


def _raises(operation, *sides: np.ndarray) -> bool:
    try:
        with np.errstate(over="raise", under="raise", invalid="ignore", divide="ignore"):
            operation(*sides)
    except FloatingPointError:
        return True
    return False


def _plain(value: object) -> object:
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    return value.item() if isinstance(value, np.generic) else value
