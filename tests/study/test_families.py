"""Columns that hold boxes of which a person may tick several are found, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from places import SHARED_DATA

from fairaudit import read_table
from fairaudit.data.table import Table
from fairaudit.study.families import find_families

N = 400
ADULT = SHARED_DATA / "adult.csv.gz"


def people(seed=0):
    """Return people of whom a tenth ticked two of the boxes."""
    rng = np.random.default_rng(seed)
    first, second = rng.choice(["Asian", "Black", "White"], (2, N))
    return pd.DataFrame(
        {
            "race-1": first,
            "race-2": np.where(np.arange(N) % 10 == 0, second, None),
            "race-3": np.full(N, None, dtype=object),
            "sex": rng.choice(["F", "M"], N),
            "granted": rng.integers(0, 2, N),
        }
    )


def found(frame, **read):
    return [(each.name, each.columns, each.n_several) for each in find_families(Table.from_pandas(frame, **read))]


def test_columns_of_one_stem_with_numbers_are_found():
    frame = people()
    n = int((frame["race-2"].notna() & (frame["race-1"] != frame["race-2"])).sum())
    assert found(frame) == [("race", ("race-1", "race-2", "race-3"), n)]
    codes = frame.assign(
        **{name: frame[name].map({"Asian": 2, "Black": 3, "White": 5}) for name in ("race-1", "race-2")}
    )
    assert found(codes.drop(columns="race-3")) == [("race", ("race-1", "race-2"), n)]
    # A column of that name is there: another name is taken.
    assert found(frame.assign(race="x"))[0][0] == "race together"
    assert found(frame, derived={"race": ("race-1", "race-2", "race-3")}) == []


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_yes_and_no_of_one_stem_are_found(seed):
    rng = np.random.default_rng(seed)
    boxes = rng.random((N, 2)) < 0.6
    frame = pd.DataFrame({"ethnicity_black": boxes[:, 0], "ethnicity_white": boxes[:, 1], "income_high": boxes[:, 0]})
    n = int(boxes.all(axis=1).sum())
    assert found(frame) == [("ethnicity", ("ethnicity_black", "ethnicity_white"), n)]
    assert found(frame.assign(ethnicity_white=~boxes[:, 0])) == []


def test_a_box_that_nobody_ticked_belongs_to_its_family():
    boxes = {"race_white": [1, 1, 0, 0, 1], "race_black": [0, 1, 1, 0, 0], "race_native": [0] * 5}
    assert found(pd.DataFrame(boxes)) == [("race", tuple(boxes), 1)]
    assert found(pd.DataFrame(boxes).replace(0, 2)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.rename(columns={name: name.replace("race", "reason") for name in f}),
        lambda f: f.assign(**{"race-2": "Asian"}),
        lambda f: f.assign(**{"race-2": None}),
        lambda f: f.rename(columns={"race-1": "race"}).drop(columns="race-3"),
        lambda f: f.assign(**{"race-2": pd.Timestamp("2024-01-01")}).drop(columns="race-3"),
    ],
    ids=["no group of people", "always filled in", "nobody ticked two", "one alone", "days"],
)
def test_other_columns_are_no_boxes(change):
    assert found(change(people())) == []


@pytest.mark.skipif(not ADULT.exists(), reason="the real data are not beside the project")
def test_real_data_without_boxes_have_no_family():
    assert find_families(read_table(ADULT)) == ()
