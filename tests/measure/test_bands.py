"""Bands of a column of numbers give the answers of a column of bands that was made by hand, wherever the rows are."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from itertools import pairwise

import duckdb
import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit import Table, check_strata, connect_table
from fairaudit.errors import InputError
from fairaudit.measure import check_mean_strata
from fairaudit.measure.bands import checked_cuts, proposed_cuts, read_cuts
from fairaudit.measure.groups import cuts_of_ranges, gap_by_value

SHARES = {"decision": "ok", "favorable": "y", "protected": "sex = 'F'"}
AMOUNTS = {"decision": "pay", "protected": "sex = 'F'"}


def drawn(seed: int, n: int = 600) -> tuple[pd.DataFrame, tuple[float, ...]]:
    """Return rows with ages, some missing and some on a cut, the cuts, and the bands made by hand."""
    rng = np.random.default_rng(seed)
    age = rng.choice([rng.integers(18, 80, n).astype(float), rng.normal(40, 15, n).round(1)])
    cuts = tuple(sorted(rng.choice(np.unique(age), int(rng.integers(1, 6)), replace=False).tolist()))
    # In text order the bands are in that of their values.
    by_hand = np.array([f"band {np.searchsorted(cuts, value, side='right'):02}" for value in age], dtype=object)
    lost = rng.random(n) < 0.1
    age[lost], by_hand[lost] = np.nan, None
    frame = pd.DataFrame(
        {
            "sex": rng.choice(np.array(["F", "M", None], dtype=object), n, p=[0.4, 0.55, 0.05]),
            "area": rng.choice(["a", "b"], n),
            "age": age,
            "by_hand": by_hand,
            "ok": rng.choice(np.array(["y", "n", None], dtype=object), n, p=[0.5, 0.45, 0.05]),
            "pay": np.where(rng.random(n) < 0.05, np.nan, rng.normal(100, 20, n).round(2)),
            "officer": rng.integers(0, 40, n),
        }
    )
    return frame, cuts


def without_names(found):
    """Return an answer without what strata are called, and what they are called."""
    rows = tuple(replace(row, values=()) for row in found.strata)
    unnamed = {"columns": (), "strata": rows, "left_out": ()} | ({"warning": None} if hasattr(found, "warning") else {})
    return rounded(replace(found, **unnamed).to_dict()), [row.values for row in found.strata], len(found.left_out)


def rounded(figures):
    """Return figures as texts, which do not hang on the order of sums."""
    if isinstance(figures, dict):
        return {name: rounded(figure) for name, figure in figures.items()}
    if isinstance(figures, list | tuple):
        return [rounded(figure) for figure in figures]
    return f"{figures:.8g}" if isinstance(figures, float) else figures


def band_names(cuts: tuple[float, ...]) -> dict[str | None, str | None]:
    """Return what each band that was made by hand is called."""
    texts = [f"{cut:g}" for cut in cuts]
    names = [f"age under {texts[0]}", *(f"age {a} to under {b}" for a, b in pairwise(texts))]
    return {f"band {place:02}": name for place, name in enumerate([*names, f"age {texts[-1]} and over"])} | {None: None}


@pytest.mark.parametrize("seed", seeds(6, 1, rest="thorough"))
@pytest.mark.parametrize("options", [{}, {"cluster": "officer"}, {"where": "age >= 30 OR area = 'a'"}])
def test_bands_are_the_strata_of_a_column_of_bands(seed, options):
    frame, cuts = drawn(seed)
    for others in ([], ["area"]):
        asked = SHARES | options
        banded, own, n_left = without_names(
            check_strata(frame, **asked, strata=[*others, "age"], strata_cuts={"age": cuts})
        )
        by_hand, names, n_left_by_hand = without_names(check_strata(frame, **asked, strata=[*others, "by_hand"]))
        assert banded == by_hand, f"seed {seed}, cuts {cuts}"
        called = band_names(cuts)
        wanted = [tuple(("age", called[v]) if c == "by_hand" else (c, v) for c, v in values) for values in names]
        assert own == wanted and n_left == n_left_by_hand


@pytest.mark.parametrize("seed", seeds(12, 3, rest="thorough"))
def test_bands_of_amounts_are_the_strata_of_a_column_of_bands(seed):
    frame, cuts = drawn(seed)
    banded, _, _ = without_names(check_mean_strata(frame, **AMOUNTS, strata="age", strata_cuts={"age": cuts}))
    by_hand, _, _ = without_names(check_mean_strata(frame, **AMOUNTS, strata="by_hand"))
    assert banded == by_hand, f"seed {seed}, cuts {cuts}"


def in_sqlite(frame: pd.DataFrame, path) -> Table:
    with sqlite3.connect(path / "a.sqlite") as connection:
        frame.to_sql("people", connection, index=False)
    connection.close()
    return connect_table(f"sqlite:///{path / 'a.sqlite'}", table="people")


def in_duckdb(frame: pd.DataFrame, path) -> Table:
    with duckdb.connect(str(path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    return connect_table(f"duckdb:///{path / 'a.duckdb'}", table="people")


@pytest.mark.parametrize("place", [in_sqlite, in_duckdb])
def test_bands_of_rows_that_stay_in_a_database_are_those_of_rows_in_memory(place, tmp_path):
    frame, cuts = drawn(3)
    table = place(frame, tmp_path)
    asked = {"strata": ["area", "age"], "strata_cuts": {"age": cuts}}
    far, near = (without_names(check_strata(each, **SHARES, **asked)) for each in (table, frame))
    assert far == near
    far, near = (check_mean_strata(each, **AMOUNTS, **asked) for each in (table, frame))
    assert [row.name for row in far.strata] == [row.name for row in near.strata]
    assert far.common_difference == pytest.approx(near.common_difference, rel=1e-12)
    assert tuple(far.common_difference_interval) == pytest.approx(tuple(near.common_difference_interval), rel=1e-9)


def test_a_column_of_more_values_than_strata_can_be_cut():
    frame = pd.DataFrame({"sex": ["F", "M"] * 2_000, "ok": ["y", "n", "n", "y"] * 1_000, "age": range(4_000)})
    with pytest.raises(InputError, match="4,000 groups"):
        check_strata(frame, **SHARES, strata="age")
    found = check_strata(frame, **SHARES, strata="age", strata_cuts={"age": [1_000, 2_000.5]})
    assert [row.comparison.protected.n for row in found.strata] == [500, 501, 999]
    assert found.strata[1].name == "age 1000 to under 2000.5"


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        ({"age": [45, 30]}, "must cut 'age' in ascending order, got 45, 30"),
        ({"age": [30, 30]}, "must cut 'age' in ascending order, got 30, 30"),
        ({"age": []}, "must cut 'age' at 1 to 19 numbers, got 0"),
        ({"age": range(20)}, "must cut 'age' at finite numbers, got range"),
        ({"age": list(range(20))}, "must cut 'age' at 1 to 19 numbers, got 20"),
        ({"age": [30, float("inf")]}, "must cut 'age' at finite numbers, got inf"),
        ({"age": [30, 10**400]}, "must cut 'age' at finite numbers, got 1000"),
        ({"age": ["30"]}, "must cut 'age' at finite numbers, got '30'"),
        ({"age": "30, 45"}, "must cut 'age' at finite numbers, got '30, 45'"),
        ({"pay": [30]}, "must only cut columns that make strata, got 'pay'"),
        ([30, 45], "must hold the cuts of each column"),
    ],
)
def test_cuts_that_make_no_bands_are_refused(cuts, message):
    frame, _ = drawn(0)
    for check, question in ((check_strata, SHARES), (check_mean_strata, AMOUNTS)):
        with pytest.raises(InputError, match="'strata_cuts' ") as caught:
            check(frame, **question, strata="age", strata_cuts=cuts)
        assert message in caught.value.message


def test_bands_need_numbers():
    frame, _ = drawn(0)
    with pytest.raises(InputError, match="Bands need a column of numbers; 'area' holds text values"):
        check_strata(frame, **SHARES, strata="area", strata_cuts={"area": [1]})


def test_bands_that_would_be_called_like_a_column_are_refused():
    data = pd.DataFrame({"age": [20, 50], "age cut at 30": ["a", "b"], "sex": ["F", "M"], "loan": ["yes", "no"]})
    asked = {"decision": "loan", "favorable": "yes", "protected": "sex = 'F'", "strata": "age"}
    with pytest.raises(InputError, match="called like the column 'age cut at 30'"):
        check_strata(data, **asked, strata_cuts={"age": [30]})
    assert check_strata(data, **asked, strata_cuts={"age": [31]}).left_out


def test_cuts_are_read_as_people_write_them():
    assert read_cuts("-5, 30;45.50") == (-5, 30, 45.5)
    for text in ("30, old", "30,,45", "--30", ""):
        with pytest.raises(InputError, match="Each cut must be a number"):
            read_cuts(text)
    assert checked_cuts({"age": np.array([30.0, 45.5])}, ["age"]) == {"age": (30, 45.5)}


@pytest.mark.parametrize("seed", seeds(12, 3, rest="thorough"))
def test_cuts_of_ranges_put_the_rows_into_the_ranges_of_the_explorer(seed):
    frame, _ = drawn(seed)
    cuts = cuts_of_ranges(Table.from_pandas(frame), "age", where="area = 'a'")
    asked = SHARES | {"where": "area = 'a'"}
    explored = [row.comparison.protected.n for row in gap_by_value(frame, **asked, column="age")]
    banded = check_strata(frame, **asked, strata="age", strata_cuts={"age": cuts})
    assert [row.comparison.protected.n for row in banded.strata] == explored


@pytest.mark.parametrize("seed", range(12))
def test_proposed_cuts_are_near_the_quartiles_and_short(seed):
    rng = np.random.default_rng(seed)
    income = rng.lognormal(10, 0.6, 5_000).round(2)
    cuts = proposed_cuts(Table.from_pandas(pd.DataFrame({"income": income})), "income")
    below = [(income < cut).mean() for cut in cuts]
    assert below == pytest.approx([0.25, 0.5, 0.75], abs=0.026)
    assert all(len(f"{cut:g}".rstrip("0")) <= 3 for cut in cuts), cuts


def test_cuts_of_very_many_values_are_near_the_quartiles_that_the_engine_gives(monkeypatch):
    frame = pd.DataFrame({"income": np.random.default_rng(1).lognormal(10, 0.6, 3_000).round(2)})
    monkeypatch.setattr("fairaudit.measure.bands.MOST_READ", 100)
    cuts = proposed_cuts(Table.from_pandas(frame), "income")
    assert [(frame["income"] < cut).mean() for cut in cuts] == pytest.approx([0.25, 0.5, 0.75], abs=0.026)


def test_one_value_is_not_cut_and_frequent_ones_are_not_split():
    table = Table.from_pandas(pd.DataFrame({"same": [3.0] * 9 + [None], "priors": [0] * 6 + [1, 2, 5, 40]}))
    assert proposed_cuts(table, "same") == ()
    cuts = proposed_cuts(table, "priors")
    assert cuts == tuple(sorted(set(cuts))) and 0 < cuts[0] <= 1
