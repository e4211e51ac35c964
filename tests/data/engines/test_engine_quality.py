"""What stands out in a table that stays in its database: the same as in memory, and what is not looked at is said."""

from __future__ import annotations

import sqlite3

import duckdb
import pandas as pd
import pytest

from fairaudit.data import Table, quality_report
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.quality import LEVELS
from fairaudit.estimators.leakage import columns_without_use

N = 300
TYPES = {"i": ("bigint", "bigint"), "f": ("double precision", "double"), "O": ("text", "string")}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """A table with one trouble in each column, and ten repeated rows."""
    rows = range(N)
    made = pd.DataFrame(
        {
            "number": [i + 1 for i in rows],
            "sex": [["F", "M", "m ", "f"][i % 4] for i in rows],
            "race": [["White", "Black", "?", None, "n/a"][i % 5] for i in rows],
            "age": [999 if i % 50 == 0 else 20 + i % 40 for i in rows],
            "pay": [1000.5 + i for i in rows],
            "balance": [-1.0 if i % 60 == 0 else float(i % 80) for i in rows],
            "grade": [str(i % 7) if i % 10 else "none given" for i in rows],
            "same": ["yes"] * N,
        }
    )
    return pd.concat([made, made.head(10)], ignore_index=True)


ENGINES = ("sqlite", "duckdb", "postgres", pytest.param("spark", marks=pytest.mark.campaign))


@pytest.fixture(params=ENGINES, scope="module")
def connect(request, tmp_path_factory):
    """Return a function that puts a frame into an engine and connects to it."""
    engine = request.param
    held = request.getfixturevalue(engine) if engine in ("postgres", "spark") else tmp_path_factory.mktemp(engine)

    def put(frame: pd.DataFrame, name: str) -> Table:
        rows = [[None if pd.isna(cell) else cell for cell in row] for row in frame.astype(object).to_numpy().tolist()]
        kinds = {column: TYPES[dtype.kind][engine == "spark"] for column, dtype in frame.dtypes.items()}
        types = ", ".join(f"{column} {kind}" for column, kind in kinds.items())
        if engine == "spark":
            held.createDataFrame(rows, types).createOrReplaceTempView(name)
            return connect_table(held, table=name)
        if engine == "postgres":
            import psycopg

            held.execute(f"CREATE TABLE {name} ({types})")
            with psycopg.connect(held.url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['%s'] * len(kinds))})", rows)
            return connect_table(held.url, table=name)
        path = held / f"{name}.db"
        if engine == "sqlite":
            with sqlite3.connect(path) as connection:
                frame.to_sql(name, connection, index=False)
            connection.close()
        else:
            with duckdb.connect(str(path)) as connection:
                connection.execute(f"CREATE TABLE {name} AS SELECT * FROM frame")
        return connect_table(f"{engine}:///{path}", table=name)

    return put


def test_the_same_things_stand_out_as_in_memory(connect, frame):
    here, there = quality_report(Table.from_pandas(frame)), quality_report(connect(frame, "same_things"))
    assert [(i.column, i.code, i.n) for i in there.issues] == [(i.column, i.code, i.n) for i in here.issues]
    assert there.columns == here.columns and there.duplicate_rows == here.duplicate_rows == 10
    assert {"code", "same_but_case", "mixed", "constant", "missing", "duplicate_rows"} <= {i.code for i in there.issues}


@pytest.mark.parametrize("connect", ["duckdb"], indirect=True)
def test_advice_speaks_of_a_query_and_not_of_a_file(connect, frame):
    advice = " ".join(issue.advice for issue in quality_report(connect(frame, "advice")).issues)
    assert "into NULL" in advice and "read the file" not in advice


@pytest.mark.parametrize("connect", ["sqlite", "duckdb"], indirect=True)
def test_values_that_differ_in_case_blanks_or_a_letter_are_those_of_a_table_in_memory(connect):
    values = [
        *["granted"] * 3,
        "grantd",
        "a b",
        "a\u00a0b",
        "A b",
        "ab",
        "É",
        "é",
        "İ",
        "i\u0307",
        "i",
        "a\tb",
        "a\vb",
        "ẞ",
        "ß",
    ]
    frame = pd.DataFrame({"group": values * 20})
    here, there = (quality_report(table) for table in (Table.from_pandas(frame), connect(frame, "letters")))
    assert {"same_but_case", "typing_errors"} <= {issue.code for issue in here.issues}
    assert [(i.code, i.message) for i in there.issues] == [(i.code, i.message) for i in here.issues]


@pytest.mark.parametrize("connect", ["sqlite", "postgres"], indirect=True)
def test_texts_of_too_many_values_are_said_not_to_be_looked_through(connect):
    n = LEVELS + 100
    frame = pd.DataFrame(
        {"name": [f"n{i}" for i in range(n)], "pay": [999_999.0 if i < 9 else i / 2 for i in range(n)]}
    )
    issues = {(i.column, i.code): i for i in quality_report(connect(frame, "many")).issues}
    assert issues["name", "not_looked_through"].n == 0 and ("name", "near_unique") in issues
    assert issues["pay", "code"].n == 9


def test_the_same_columns_are_without_use_for_models_as_in_memory(connect, frame):
    numbered = frame.head(N)
    assert columns_without_use(connect(numbered, "use")) == columns_without_use(Table.from_pandas(numbered))
    assert "number" in columns_without_use(numbered) and "same" in columns_without_use(numbered)
