"""The fingerprint of a table that stays in its engine: the same for the same rows, another one for other rows."""

from __future__ import annotations

import math
import sqlite3
from fractions import Fraction
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.sqlite import number_mark
from fairaudit.estimators.leakage import columns_without_use

NUMBERS = [
    *(0.0, -0.0, 1.0, 2.0, -0.5, 0.1, 1e308, -1e308, 5e-324, -1e-281),
    *(2.0**30, -(2.0**31) - 5, 2.0**53, 80012345678.0),
    *(round(i * 1.37, 2) for i in range(200)),
    *(math.sin(i) * 10.0 ** (i % 40 - 20) for i in range(200)),
]


def in_sqlite(path: Path, numbers: list) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute("CREATE TABLE t (x REAL)")
        connection.executemany("INSERT INTO t VALUES (?)", [(number,) for number in numbers])
    connection.close()
    return connect_table(f"sqlite:///{path}", table="t").fingerprint


def in_duckdb(request) -> str:
    path = request.getfixturevalue("tmp_path") / "a.duckdb"
    frame = pd.DataFrame({"x": NUMBERS})
    assert len(frame) > 400
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT x FROM frame")
    return connect_table(f"duckdb:///{path}", table="t").fingerprint


def in_postgres(request) -> str:
    postgres = request.getfixturevalue("postgres")
    import psycopg

    postgres.execute("CREATE TABLE marked_numbers (x double precision)")
    with psycopg.connect(postgres.url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO marked_numbers VALUES (%s)", [(number,) for number in NUMBERS])
    return connect_table(postgres.url, table="marked_numbers").fingerprint


def in_spark(request) -> str:
    spark = request.getfixturevalue("spark")
    spark.createDataFrame([(number,) for number in NUMBERS], "x double").createOrReplaceTempView("marked_numbers")
    return connect_table(spark, table="marked_numbers").fingerprint


@pytest.mark.parametrize("elsewhere", [in_duckdb, in_postgres, pytest.param(in_spark, marks=pytest.mark.campaign)])
def test_every_engine_gives_the_same_numbers_the_same_fingerprint(request, tmp_path, elsewhere):
    assert elsewhere(request) == in_sqlite(tmp_path / "a.sqlite", NUMBERS)


def test_the_order_of_adding_up_changes_nothing(tmp_path):
    cents = [0.1, 0.2, 0.7]
    assert sum(cents) != sum(cents[::-1]), "sums of doubles hang on their order"
    assert in_sqlite(tmp_path / "a", cents) == in_sqlite(tmp_path / "a", cents[::-1])


def test_workers_that_share_the_rows_change_nothing(postgres):
    settings = {"max_parallel_workers_per_gather": 2, "min_parallel_table_scan_size": 0, "parallel_setup_cost": 0,
                "parallel_tuple_cost": 0}  # fmt: skip
    postgres.execute(
        "CREATE TABLE shared AS SELECT (i * 1.37)::numeric(12,2) AS cents, sin(i) * 1e6 AS x"
        " FROM generate_series(1, 30000) AS i"
    )
    postgres.execute(*(f"ALTER DATABASE postgres SET {name} = {value}" for name, value in settings.items()))
    try:
        found = {connect_table(postgres.url, table="shared").fingerprint for _ in range(12)}
    finally:
        postgres.execute("ALTER DATABASE postgres RESET ALL")
    assert len(found) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (80012345678.0, 80012345679.0),
        (1.0, 2.0),
        (1.0, -1.0),
        (50_000.01, 50_000.02),
        (1e-12, 1.0000001e-12),
        (2.0**52, 2.0**52 + 1),
        (None, 0.0),
    ],
)
def test_one_value_that_becomes_another_one_is_noticed(tmp_path, before, after):
    # The same smallest and largest, and as many that differ.
    others = [1e17, 1e-13, -1e17, after, 0.25 if before is None else before]
    assert in_sqlite(tmp_path / "a", [*others, before]) != in_sqlite(tmp_path / "a", [*others, after])


@given(st.floats(1e-270, 1e300), st.booleans())
def test_marks_hold_nine_digits(number, negative):
    number = -number if negative else number
    assert number_mark(number) != number_mark(number * (1 + 1e-9))
    near = abs(Fraction(number_mark(number)) - Fraction(number_mark(math.nextafter(number, math.inf))))
    assert near in (0, 1) or near > 1_000_000 or abs(number) >= 2**30, "only next to a border may a last digit count"


def test_numbers_next_to_the_largest_do_not_keep_a_table_from_being_used(postgres):
    postgres.execute(
        "CREATE TABLE far AS SELECT CASE WHEN i % 2 = 0 THEN 1e308 ELSE -1e308 END::double precision AS x, i AS id"
        " FROM generate_series(1, 60) AS i"
    )
    table = connect_table(postgres.url, table="far")
    assert len(table.fingerprint) == 64
    assert list(columns_without_use(table)) == ["id"]
