"""Counts are asked of the engine that holds them: each row is counted as often as it says, and nothing is sent over."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from fairaudit import Table, check_controlled_fairness, check_strata, explain_gap
from fairaudit.columns import WideCounts
from fairaudit.data.engines.connect import connect_table
from fairaudit.errors import InputError, LimitError
from fairaudit.measure import check_means
from fairaudit.measure.partial_counts import check_partial_counts

ENGINES = ["embedded", "duckdb", "sqlite", "postgres", "spark"]
NAMES = ["school", "Sex", "result", "points", "n"]
MORE_THAN_ROWS = 20_000_000


def counted(seed: int) -> pd.DataFrame:
    """A table of counts with empty and missing cells; a column has the name that an alias would have."""
    rng = np.random.default_rng(seed)
    rows = 40
    frame = pd.DataFrame(
        {
            "school": rng.choice(["s1", "s2", "it's", None], rows),
            "Sex": rng.choice(["F", "M"], rows),
            "result": rng.choice(["in", "out"], rows),
            "points": rng.integers(0, 9, rows),
            "n": rng.integers(0, 12, rows),
        }
    )
    return frame.astype({"school": object})


def written_out(frame: pd.DataFrame) -> Table:
    return Table.from_pandas(frame.loc[frame.index.repeat(frame["n"])].drop(columns="n").reset_index(drop=True))


def placed(engine: str, frame: pd.DataFrame, request, tmp_path: Path):
    """Return a function that opens the table with its counts, where it is held."""
    cells = [tuple(None if pd.isna(v) else v for v in row) for row in frame.astype(object).itertuples(index=False)]
    kinds = {name: "bigint" if frame[name].dtype.kind == "i" else "text" for name in frame}
    columns = ", ".join(f'"{name}" {kind}' for name, kind in kinds.items())
    marks = ", ".join("?" * len(kinds))
    match engine:
        case "embedded":
            return lambda counts, **said: Table.from_pandas(frame, counts=counts, **said)
        case "duckdb":
            with duckdb.connect(str(tmp_path / "a.duckdb")) as held:
                held.execute(f"CREATE TABLE counted ({columns})")
                held.executemany(f"INSERT INTO counted VALUES ({marks})", cells)
            url = f"duckdb:///{tmp_path / 'a.duckdb'}"
        case "sqlite":
            with sqlite3.connect(tmp_path / "a.sqlite") as held:
                held.execute(f"CREATE TABLE counted ({columns})")
                held.executemany(f"INSERT INTO counted VALUES ({marks})", cells)
            url = f"sqlite:///{tmp_path / 'a.sqlite'}"
        case "spark":
            spark = request.getfixturevalue("spark")
            schema = ", ".join(f"`{name}` {'BIGINT' if kind == 'bigint' else 'STRING'}" for name, kind in kinds.items())
            spark.createDataFrame(cells, schema).createOrReplaceTempView("counted")
            return lambda counts, **said: connect_table(spark, table="counted", counts=counts, **said)
        case _:
            import psycopg

            url = request.getfixturevalue("postgres_url")
            with psycopg.connect(url.replace("+psycopg", "")) as held, held.cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS counted")
                cursor.execute(f"CREATE TABLE counted ({columns})")
                cursor.executemany(f"INSERT INTO counted VALUES ({marks.replace('?', '%s')})", cells)
    return lambda counts, **said: connect_table(url, table="counted", counts=counts, **said)


ASKED = {"decision": "result", "favorable": "in", "protected": "Sex = 'F'"}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(3))
def test_counts_in_an_engine_answer_as_the_rows_that_they_stand_for(engine, seed, request, tmp_path):
    frame = counted(seed)
    table, rows = placed(engine, frame, request, tmp_path)("n"), written_out(frame)
    assert table.n_rows == rows.n_rows and list(table.columns) == list(rows.columns)
    for by in ([], ["school"], ["school", "Sex", "result"], ["points"]):
        assert table.counts(by).equals(rows.counts(by))
        assert table.counts(by, where="points > 3").equals(rows.counts(by, where="points > 3"))
    assert table.values("school").equals(rows.values("school")) and table.count("points > 100") == 0
    assert table.column_range("points") == rows.column_range("points")
    assert table.occurs("Sex = 'F'") and not table.occurs("Sex = 'X'")
    own, others = (each.moments("points", {"sex": "Sex"}) for each in (table, rows))
    pd.testing.assert_frame_equal(own, others, rtol=1e-12)
    order = list(rows.columns)
    same = [t.to_pandas().astype(object).sort_values(order).reset_index(drop=True) for t in (table, rows)]
    pd.testing.assert_frame_equal(*same, check_dtype=False)
    assert check_controlled_fairness(table, **ASKED).to_dict() == check_controlled_fairness(rows, **ASKED).to_dict()
    strata = [check_strata(each, **ASKED, strata="school").to_dict() for each in (table, rows)]
    assert strata[0] == strata[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_more_cases_than_rows_could_hold_are_counted_where_they_are(engine, request, tmp_path):
    frame = counted(7).assign(n=lambda f: (f["n"] + 1) * MORE_THAN_ROWS // 10 + 3)
    table = placed(engine, frame, request, tmp_path)("n")
    assert table.n_rows == frame["n"].sum() > MORE_THAN_ROWS
    found = check_controlled_fairness(table, **ASKED)
    inside = frame[frame["Sex"] == "F"]
    assert found.protected.n == inside["n"].sum()
    assert found.protected.positives == inside.loc[inside["result"] == "in", "n"].sum()
    with pytest.raises(LimitError, match="written out"):
        table.to_pandas()


@pytest.mark.parametrize("engine", ENGINES)
def test_two_columns_of_counts_make_a_decision(engine, request, tmp_path):
    frame = pd.DataFrame({"Sex": ["F", "M"], "taken": [3, 9], "asked for": [10, 12]})
    open_with = placed(engine, frame, request, tmp_path)
    table = open_with({"favorable": "taken", "all": "asked for"})
    assert list(table.columns) == ["Sex", "taken_"] or list(table.columns) == ["Sex", "taken"]
    [decision] = [name for name in table.columns if name != "Sex"]
    assert table.n_rows == 22 and set(table.values(decision)["value"]) == {"taken", "not taken"}
    found = check_controlled_fairness(table, decision=decision, favorable="taken", protected="Sex = 'F'")
    assert (found.protected.positives, found.protected.n) == (3, 10)
    assert (found.reference.positives, found.reference.n) == (9, 12)
    others = open_with(WideCounts("taken", others="asked for"))
    assert others.n_rows == 34
    assert len(others.to_pandas()) == 34
    with pytest.raises(InputError, match="'asked for'"):
        open_with({"favorable": "asked for", "all": "taken"})


@pytest.mark.parametrize("engine", ENGINES)
def test_means_by_group_are_those_of_all_people(engine, request, tmp_path):
    frame = pd.DataFrame({"grade": ["a", "b"], "n F": [3, 1], "n M": [2, 8], "pay F": [10, 30], "pay M": [20, 25]})
    means = {"F": "pay F", "M": "pay M"}
    table = placed(engine, frame, request, tmp_path)({"F": "n F", "M": "n M"}, means=means)
    assert table.n_rows == 14 and list(table.columns) == ["grade", "F or M", "pay"]
    found = table.means("pay", {"sex": "F or M"})
    assert found[["sex", "n", "missing", "mean"]].values.tolist() == [["F", 4, 0, 15.0], ["M", 10, 0, 24.0]]
    assert table.means("pay", {}, where="grade = 'a'")["mean"].item() == 14.0
    with pytest.raises(InputError, match="'pay' holds means"):
        table.moments("pay", {})


def test_a_sample_of_counted_rows_is_drawn_case_by_case(tmp_path, request):
    frame = counted(2)
    table = placed("sqlite", frame, request, tmp_path)("n")
    drawn = table.sample(50, by=["Sex"], seed=1)
    assert drawn.n_population == frame["n"].sum() and drawn.n_rows == 50
    whole = table.sample(frame["n"].sum(), by=["Sex"], seed=1).table
    assert whole.counts(["school", "Sex"]).equals(written_out(frame).counts(["school", "Sex"]))


def test_means_and_explanations_are_those_of_the_rows_to_the_last_digit():
    for seed in range(20):
        frame = counted(seed)
        table, rows = Table.from_pandas(frame, counts="n"), written_out(frame)
        means = [check_means(t, decision="points", protected="Sex = 'F'", tolerance=1).to_dict() for t in (table, rows)]
        assert means[0] == means[1]
        explained = [explain_gap(t, **ASKED, controls="points").to_dict() for t in (table, rows)]
        assert str(explained[0]) == str(explained[1])


@pytest.mark.parametrize("engine", ENGINES)
def test_printed_counts_in_an_engine_have_the_bounds_of_a_file(engine, request, tmp_path):
    """Wide and long, rounded and hidden; names as an alias would have them, and an empty group."""
    wide = pd.DataFrame(
        {
            "Sex": ["F", "M", "F", "M", None],
            "area": ["it's", "N", "S", "S", "S"],
            "selected": ["<5", "140", "231", "*", "7"],
            "applicants": ["160", "380", "1,070", "12", "20"],
        }
    )
    said = {"hidden": {"<5": (1, 4), "*": (0, 4)}}
    counts = WideCounts("selected", all="applicants")
    there = placed(engine, wide, request, tmp_path)(counts, **said)
    here = Table.from_pandas(wide, counts=counts, **said)
    for asked in (
        {"protected": "Sex = 'F'"},
        {"protected": "Sex = 'F'", "where": "area <> 'it''s'"},
        {"protected": "area = 'S'", "tolerance": 0.3},
    ):
        found = [check_partial_counts(each, **asked).to_dict() for each in (there, here)]
        assert found[0] == found[1]
    long = pd.DataFrame({"Sex": [*"FFMMM"], "result": ["in", "out", "in", "out", None], "n": [35, 400, 90, 155, 5]})
    answered = {"rounded_to": 5}
    asked = {"decision": "result", "favorable": "in", "protected": "Sex = 'F'"}
    (tmp_path / "long").mkdir()
    there = placed(engine, long, request, tmp_path / "long")("n", **answered)
    found = [check_partial_counts(each, **asked) for each in (there, Table.from_pandas(long, counts="n", **answered))]
    assert found[0].to_dict() == found[1].to_dict() and found[0].verdict == "clear_gap" and found[0].n_uncertain == 4
