"""A stratified sample is drawn in the engine: proportional, repeatable, and without regard to the order of rows."""

from __future__ import annotations

import datetime
import itertools
import sqlite3
from collections import Counter
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pytest

from fairaudit import Condition
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.sampling import allocate
from fairaudit.errors import InputError

COLUMNS = {"sex": "VARCHAR(9)", "granted": "VARCHAR(9)", "age": "INTEGER", "merit": "DOUBLE PRECISION", "day": "DATE"}


def applicants(n=1200, *, shuffled=None):
    """Decisions with equal rows among them, missing values, and a text that holds quotes and a colon."""
    random = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "sex": random.choice(["woman", "man", "o'x: 1", None], n, p=[0.3, 0.6, 0.02, 0.08]),
            "granted": random.choice(["yes", "no", None], n, p=[0.3, 0.6, 0.1]),
            "age": random.integers(20, 24, n),
            "merit": np.where(random.random(n) < 0.1, np.nan, random.integers(0, 3, n) / 10),
            "day": [datetime.date(2024, 1, 1 + int(k)) if k < 3 else None for k in random.integers(0, 4, n)],
        }
    ).astype({"sex": object, "granted": object, "merit": object, "day": object})
    if shuffled is not None:
        frame = frame.sample(frac=1, random_state=shuffled)
    # Missing as None everywhere, as drivers take it.
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in frame.itertuples(index=False)]


def in_sqlite(folder, rows):
    path = folder / "decisions.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    declared = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    connection.execute(f"CREATE TABLE people ({declared})")
    texts = [tuple(str(c) if isinstance(c, datetime.date) else c for c in row) for row in rows]
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", texts)
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def in_duckdb(folder, rows):
    path = folder / "decisions.duckdb"
    path.unlink(missing_ok=True)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    with duckdb.connect(str(path)) as connection:
        read = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in COLUMNS.items())
        connection.register("frame", frame)
        connection.execute(f"CREATE TABLE people AS SELECT {read} FROM frame")
    return f"duckdb:///{path}"


def in_postgres(postgres, rows):
    import psycopg

    declared = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    postgres.execute("DROP TABLE IF EXISTS sampled_people", f"CREATE TABLE sampled_people ({declared})")
    with psycopg.connect(postgres.url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
        with cursor.copy("COPY sampled_people FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        connection.commit()
    return postgres.url


def in_spark(spark, rows):
    kinds = "sex string, granted string, age int, merit double, day date"
    spark.createDataFrame(rows, kinds).repartition(3).createOrReplaceTempView("sampled_people")
    return spark


@pytest.fixture(params=["sqlite", "duckdb", "postgres", pytest.param("spark", marks=pytest.mark.campaign)])
def opened(request, tmp_path):
    """Return a function that puts rows into an engine and opens them there."""

    def open_there(rows):
        match request.param:
            case "sqlite":
                return connect_table(in_sqlite(tmp_path, rows), table="people")
            case "duckdb":
                return connect_table(in_duckdb(tmp_path, rows), table="people")
            case "postgres":
                url = in_postgres(request.getfixturevalue("postgres"), rows)
            case _:
                url = in_spark(request.getfixturevalue("spark"), rows)
        return connect_table(url, table="sampled_people")

    return open_there


def cells_of(frame):
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in frame.itertuples(index=False)]


def by_sex_and_decision(table):
    return [Condition.parse(text, table.columns) for text in ("sex = 'woman'", "granted = 'yes'")]


def test_the_same_data_and_seed_give_the_same_rows_in_any_order(opened):
    table = opened(applicants())
    by = by_sex_and_decision(table)
    drawn = [table.sample(150, by=by, seed=4), table.sample(150, by=by, seed=4), table.sample(150, by=by, seed=5)]
    shuffled = opened(applicants(shuffled=3)).sample(150, by=by, seed=4)
    frames = [sample.table.to_pandas() for sample in (*drawn, shuffled)]
    pd.testing.assert_frame_equal(frames[0], frames[1])
    pd.testing.assert_frame_equal(frames[0], frames[3])
    assert not frames[0].equals(frames[2])


def test_strata_have_their_share_and_rows_are_those_of_the_table(opened):
    rows = applicants()
    table = opened(rows)
    sample = table.sample(150, by=by_sex_and_decision(table), seed=4)
    got = sample.table.to_pandas()
    assert {name: column.kind for name, column in sample.table.columns.items()} == {
        name: column.kind for name, column in table.columns.items()
    }
    assert len(got) == sample.n_rows == sum(stratum.n for stratum in sample.strata) == 150
    assert sample.n_population == sum(stratum.n_population for stratum in sample.strata) == len(rows)
    words = {True: ("sex is woman", "granted is yes"), False: ("sex is not woman", "granted is not yes")}

    def label(row):
        asked = (None if row[0] is None else row[0] == "woman", None if row[1] is None else row[1] == "yes")
        return tuple("missing" if known is None else words[known][place] for place, known in enumerate(asked))

    for stratum in sample.strata:
        assert stratum.n_population == sum(label(row) == stratum.labels for row in rows)
        assert stratum.n == sum(label(row) == stratum.labels for row in cells_of(got))
        assert abs(stratum.n - 150 * stratum.n_population / len(rows)) < 1
    # None is drawn more often than it is there.
    assert Counter(cells_of(got)) <= Counter(cells_of(table.to_pandas()))


def test_columns_make_strata_and_a_filter_leaves_rows_out(opened):
    rows = applicants()
    sample = opened(rows).sample(100, by=["age", "day"], seed=0, where="sex IS NOT NULL AND merit < 0.15")
    kept = [row for row in rows if row[0] is not None and row[3] is not None and row[3] < 0.15]
    assert sample.n_population == len(kept)
    groups = {(str(row[2]), "missing" if row[4] is None else str(row[4])) for row in kept}
    assert {stratum.labels for stratum in sample.strata} == groups
    assert all(row[0] is not None and row[3] < 0.15 for row in cells_of(sample.table.to_pandas()))


def test_equal_rows_are_drawn_one_by_one(tmp_path):
    rows = [("woman", "yes", 20, 0.5, None)] * 300 + [("man", "no", 30, 0.5, None)] * 300
    table = connect_table(in_sqlite(tmp_path, rows), table="people")
    counts = [
        table.sample(100, by=[], seed=seed).table.count("sex = 'woman'")
        for seed in range(12)
    ]  # fmt: skip
    # All or none of them would be drawn if equal rows had one hash; one by one the deviation is 4.6.
    assert all(30 < count < 70 for count in counts) and len(set(counts)) > 3


def test_each_row_is_drawn_about_equally_often(tmp_path):
    rows = [("woman", "yes", age, 0.5, None) for age in range(60)]
    table = connect_table(in_duckdb(tmp_path, rows), table="people")
    drawn = [age for seed in range(20) for age in table.sample(30, by=[], seed=seed).table.to_pandas()["age"]]
    counts = np.bincount(drawn, minlength=60)
    # 10 on average, with a deviation of 2.2.
    assert counts.sum() == 600 and counts.min() > 0 and counts.max() < 20


def test_more_rows_than_there_are_gives_all(tmp_path):
    rows = applicants(60)
    sample = connect_table(in_duckdb(tmp_path, rows), table="people").sample(500, by=["age"], seed=1)
    assert sorted(cells_of(sample.table.to_pandas()), key=repr) == sorted(
        cells_of(connect_table(in_duckdb(tmp_path, rows), table="people").to_pandas()), key=repr
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n": 0}, "'n' of a sample must be a whole number of at least 1"),
        ({"n": 2.5}, "'n' of a sample must be a whole number of at least 1"),
        ({"seed": -1}, "'seed' of a sample must be a whole number of at least 0"),
        ({"n": 3}, "A sample of 3 rows cannot hold one of each of 4 strata"),
        ({"where": "age > 90"}, "There is no row to draw a sample from"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(tmp_path, changed, message):
    table = connect_table(in_sqlite(tmp_path, applicants(200)), table="people")
    with pytest.raises(InputError, match=message):
        table.sample(**{"n": 50, "by": ["age"], "seed": 0} | changed)


def by_hand(sizes, n):
    """Largest remainder as one does it on paper: ones for shares below one row first, then fractions."""
    got, left = dict.fromkeys(range(len(sizes)), 0), n
    open_places = set(got)
    while True:
        total = sum(sizes[place] for place in open_places)
        below = [place for place in open_places if Fraction(left * sizes[place], total) < 1]
        if not below:
            break
        for place in below:
            got[place], left = 1, left - 1
            open_places.remove(place)
    shares = {place: Fraction(left * sizes[place], total) for place in open_places}
    for place, share in shares.items():
        got[place] = int(share)
    rest = n - sum(got.values())
    ranked = sorted(open_places, key=lambda place: (int(shares[place]) - shares[place], -sizes[place], place))
    for place in ranked[:rest]:
        got[place] += 1
    return tuple(got[place] for place in range(len(sizes)))


def test_rows_are_shared_out_by_largest_remainder():
    for sizes in itertools.product([1, 2, 3, 7, 40, 555], repeat=3):
        for n in range(3, min(sum(sizes), 30) + 1):
            got = allocate(sizes, n)
            assert got == by_hand(sizes, n), (sizes, n)
            assert sum(got) == n and all(1 <= one <= size for one, size in zip(got, sizes, strict=True)), (sizes, n)
    assert allocate([500, 300, 200], 11) == (6, 3, 2)
    assert allocate([10, 10, 10], 8) == (3, 3, 2)


def test_days_without_end_make_one_stratum_and_have_no_year(postgres, postgres_url):
    postgres.execute(
        "CREATE TABLE terms AS SELECT i AS id, v.until, v.until::timestamp AS until_when FROM generate_series(1, 10) i,"
        " (VALUES ('infinity'::date), ('20000-01-01'), ('-infinity'), ('0044-03-15 BC'), ('2014-01-31')) AS v(until)"
    )
    table = connect_table(postgres_url, table="terms")
    for column in ("until", "until_when"):
        drawn = table.sample(25, by=[column], seed=3)
        found = {stratum.labels: (stratum.n, stratum.n_population) for stratum in drawn.strata}
        assert found == {("0001-01-01",): (10, 20), ("2014-01-31",): (5, 10), ("9999-12-31",): (10, 20)}
        assert drawn.table.count(f"{column} = DATE '9999-12-31'") == 10
        assert table.count(f"extract(year from {column}) = 2014") == 10
        assert table.count(f"extract(year from {column}) IS NULL") == 20
