"""Where it is worst, what explains it and whether it changed, of rows that stay in a database: as of a DataFrame."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest

from fairaudit import compare_periods, explain_gap, find_subgroups
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.given import as_table

NAMES = ("sex", "district", "age", "day", "pay", "got")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    n = 1_200
    sex, district = rng.choice(["woman", "man"], n), rng.choice(list("ABCDE"), n)
    hit = (sex == "woman") & (district == "D")
    frame = pd.DataFrame(
        {
            "sex": sex,
            "district": np.where(rng.random(n) < 0.05, None, district),
            "age": rng.integers(18, 70, n),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 365, n), unit="D"),
            "pay": rng.normal(3_000, 400, n).round() - 500 * hit,
            "got": np.where(rng.random(n) < np.where(hit, 0.15, 0.5), "yes", "no"),
        }
    )
    return frame.assign(day=frame["day"].dt.date)


@pytest.fixture(params=["sqlite", "postgres"])
def there(request, frame, tmp_path):
    """The rows in a database."""
    cells = [
        tuple(value if pd.notna(value) else None for value in row)
        for row in frame[list(NAMES)].astype(object).to_numpy()
    ]
    if request.param == "sqlite":
        with sqlite3.connect(tmp_path / "a.sqlite") as database:
            database.execute("CREATE TABLE people (sex TEXT, district TEXT, age INTEGER, day DATE, pay REAL, got TEXT)")
            texts = [(*row[:3], str(row[3]), *row[4:]) for row in cells]
            database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", texts)
        database.close()
        return connect_table(f"sqlite:///{tmp_path / 'a.sqlite'}", table="people")
    import psycopg

    url = request.getfixturevalue("postgres_url")
    with psycopg.connect(url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS people")
        cursor.execute(
            "CREATE TABLE people (sex TEXT, district TEXT, age INTEGER, day DATE, pay DOUBLE PRECISION, got TEXT)"
        )
        cursor.executemany("INSERT INTO people VALUES (%s, %s, %s, %s, %s, %s)", cells)
    return connect_table(url, table="people")


@pytest.mark.parametrize(
    "asked",
    [
        {"decision": "got", "favorable": "yes", "columns": ["sex", "district", "age", "day"]},
        {"decision": "pay", "measure": "mean", "columns": ["sex", "district", "age"]},
    ],
)
def test_all_rows_are_searched_where_they_are(there, frame, asked):
    found = find_subgroups(there, **asked)
    assert found.n_rows == len(frame)
    assert found.to_dict() == find_subgroups(frame, **asked).to_dict()


def test_a_gap_is_explained_where_the_rows_are(there, frame):
    asked = {"decision": "got", "favorable": "yes", "protected": "sex = 'woman'", "controls": ["district", "age"]}
    one, other = (explain_gap(table, **asked) for table in (there, frame))
    for name in ("gap", "explained", "unexplained"):
        assert getattr(one, name).value == pytest.approx(getattr(other, name).value), name
        assert getattr(one, name).interval == pytest.approx(getattr(other, name).interval), name


@pytest.mark.parametrize("asked", [{"decision": "got", "favorable": "yes"}, {"decision": "pay"}])
def test_two_halves_are_compared_where_the_rows_are(there, frame, asked):
    asked |= {"protected": "sex = 'woman'", "strata": "district"}
    table = as_table(frame)
    halves = ["day < '2024-07-01'", "day >= '2024-07-01'"]
    one, other = (compare_periods(here, here, **asked, where=halves[0]) for here in (there, table))
    assert (one.before.difference, one.mix) == pytest.approx((other.before.difference, other.mix))
    assert one.change_interval == pytest.approx(other.change_interval)
