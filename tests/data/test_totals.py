"""Rows of a table of counts that add others up are found by their sums, and nothing else is taken for such."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit import check_controlled_fairness
from fairaudit.data import Table
from fairaudit.data.totals import sums_of_others
from fairaudit.data.unknown_values import is_total
from fairaudit.errors import OpenValuesError


def counted(random: np.random.Generator) -> pd.DataFrame:
    """Return counts of a random crossing: places in regions, a group, a decision."""
    n_places, n_groups = int(random.integers(3, 9)), int(random.integers(3, 5))
    places, groups = [f"p{i}" for i in range(n_places)], [f"g{i}" for i in range(n_groups)]
    rows = pd.DataFrame(itertools.product(places, groups, ["yes", "no"]), columns=["place", "race", "ok"])
    rows.insert(0, "region", rows["place"].map(lambda place: f"r{int(place[1:]) % 2}"))
    return rows.assign(n=random.integers(0, 400, len(rows)))


def found(rows: pd.DataFrame) -> dict[str, tuple[str | None, ...]]:
    return sums_of_others(Table.from_pandas(rows, counts="n"))


@pytest.mark.parametrize("seed", seeds(100, 3, "thorough"))
def test_sums_are_found_and_nothing_else(seed):
    rows = counted(np.random.default_rng(seed))
    assert found(rows) == {}
    by_group = rows.groupby(["region", "place", "ok"], as_index=False)["n"].sum().assign(race="whole")
    rows = pd.concat([rows, by_group])
    assert found(rows) == {"race": ("whole",)}
    country = rows.groupby(["race", "ok"], as_index=False)["n"].sum().assign(level="country")
    region = rows.groupby(["region", "race", "ok"], as_index=False)["n"].sum().assign(level="region")
    assert found(pd.concat([rows.assign(level="place"), region, country])) == {"place": (None,), "race": ("whole",)}
    # What is one case too many is no sum.
    assert found(pd.concat([rows, country.drop(columns="level").assign(n=lambda new: new["n"] + 1)])) == {}


def test_a_row_for_all_is_asked_about_whatever_it_is_called():
    rows = counted(np.random.default_rng(1))
    every = rows.groupby(["race", "ok"], as_index=False)["n"].sum().assign(region="Utopia", place="Utopia")
    question = {"decision": "ok", "favorable": "yes", "protected": "race = 'g0'"}
    with pytest.raises(OpenValuesError) as raised:
        check_controlled_fairness(Table.from_pandas(pd.concat([rows, every]), counts="n"), **question)
    assert {(each.column, each.values, each.proposed) for each in raised.value.questions} == {
        ("place", ("Utopia",), "left_out"),
    }
    left = Table.from_pandas(pd.concat([rows, every]), counts="n", left_out={"place": ["Utopia"]})
    alone = check_controlled_fairness(Table.from_pandas(rows, counts="n"), **question)
    assert check_controlled_fairness(left, **question).reference == alone.reference


def test_empty_cells_that_add_up_are_left_out_or_taken_as_they_are():
    rows = counted(np.random.default_rng(2)).drop(columns="region")
    every = rows.groupby(["race", "ok"], as_index=False)["n"].sum()
    question = {"decision": "ok", "favorable": "yes", "protected": "race = 'g0'"}
    both = pd.concat([rows, every])
    with pytest.raises(OpenValuesError, match="'place' may be totals") as raised:
        check_controlled_fairness(Table.from_pandas(both, counts="n"), **question)
    assert '--leave-out "place="' in (raised.value.hint or "")
    once, twice = (
        check_controlled_fairness(Table.from_pandas(both, counts="n", **{said: {"place": [""]}}), **question)
        for said in ("left_out", "real_values")
    )
    assert twice.protected.n == 2 * once.protected.n


@pytest.mark.parametrize(
    ("text", "column", "is_one"),
    [
        ("All districts", "District", True),
        ("All households", "household_type", True),
        ("Total boxes", "Box", True),
        ("All countries", "Country", True),
        ("All terrain", "Vehicle", False),
        ("Total loss", "Damage", False),
        ("Alley", "All", False),
    ],
)
def test_all_of_what_the_column_names_is_a_total(text, column, is_one):
    assert is_total(text, column) is is_one
