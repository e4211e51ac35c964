"""A column is proposed for a find, or for a look, where its name and what it holds leave no doubt."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from fairaudit.data.table import Table
from ui.inspections.roles import MOST_VALUES, NAMES, plain_name, proposed_column


def proposed(role, **columns):
    table = Table.from_pandas(pd.DataFrame({"age": range(40)} | {name: list(cells) for name, cells in columns.items()}))
    return proposed_column(SimpleNamespace(table=table, present_table=table), role)


@pytest.mark.parametrize(
    "name",
    ["contraband_found", "hit", "found", "arrest_made", "violation", "outcome of the inspection", "Contraband Found"],
)
def test_a_find_is_proposed_by_its_name(name):
    assert proposed("found", **{name: ["yes", "no"] * 20}) == name
    assert proposed("acted", **{name: ["yes", "no"] * 20}) is None


@pytest.mark.parametrize("name", ["search_conducted", "searched", "wasInspected"])
def test_a_look_is_proposed_by_its_name(name):
    assert proposed("acted", **{name: [True, False] * 20}) == name
    assert proposed("found", **{name: [True, False] * 20}) is None


@pytest.mark.parametrize(
    "cells", [range(40), [0, 1, 2, 3] * 10, [f"code {i}" for i in range(MOST_VALUES + 1)] * 3 + ["x"], [None] * 40]
)
def test_what_does_not_say_yes_or_no_is_not_proposed(cells):
    assert proposed("found", hit=cells) is None
    assert proposed("found", hit=[0, 1] * 20) == "hit"


def test_nothing_is_proposed_where_it_is_not_plain_which_is_meant():
    both = {"searched": ["Y", "N"] * 20, "bag_searched": ["N", "Y"] * 20}
    assert proposed("acted", **both) is None
    assert proposed("found", contraband_found=["Y", "N"] * 20, arrest_made=["Y", "N"] * 20) == "contraband_found"
    assert proposed("found", outcome=["found", "nothing"] * 20) is None


def test_names_are_listed_as_they_are_compared():
    listed = [name for names in NAMES.values() for name in names]
    assert len(set(listed)) == len(listed) and listed == list(map(plain_name, listed))
