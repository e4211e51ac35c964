"""Columns that follow from the decision, as the rows show it, and those that do not."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit.data import Table
from fairaudit.measure.comparable import follows_decision

N = 120
GRANTED = ["yes", "no", "no"] * (N // 3)


def follows(values, granted=GRANTED, **settings) -> bool:
    table = Table.from_pandas(pd.DataFrame({"granted": granted, "column": values}))
    return follows_decision(table, "column", good=table.condition("granted = 'yes'"), **settings)


@pytest.mark.parametrize(
    "values",
    [
        [900.0 + i % 7 if granted == "yes" else None for i, granted in enumerate(GRANTED)],
        [900.0 + i % 7 if granted == "yes" else 0.0 for i, granted in enumerate(GRANTED)],
        [None if granted == "yes" else ("upheld", "dismissed", None)[i % 3] for i, granted in enumerate(GRANTED)],
        [{"yes": "paid", "no": "closed"}[granted] for granted in GRANTED],
        [f"{granted}, ground {i % 2}" for i, granted in enumerate(GRANTED)],
    ],
    ids=["amount", "amount or zero", "appeal", "repeated", "grounds"],
)
def test_what_is_known_only_after_the_decision_follows_from_it(values):
    assert follows(values)


@pytest.mark.parametrize(
    "values",
    [
        ["North", "South"] * (N // 2),
        range(N),
        ["one value"] * N,
        [None] * N,
        ["late" if i == 1 else "in time" for i in range(N)],
        [("easy", "hard")[(granted == "no") != (i % 7 == 0)] for i, granted in enumerate(GRANTED)],
    ],
    ids=["district", "number of the case", "constant", "empty", "one exception", "goes with it"],
)
def test_what_goes_with_the_decision_or_says_nothing_does_not_follow_from_it(values):
    assert not follows(values)


def test_few_rows_say_nothing_and_neither_does_one_answer_or_a_filter_that_leaves_no_row():
    assert not follows([1, 1, 2, 2], ["yes", "yes", "no", "no"])
    assert not follows(list(range(N)), ["yes"] * N)
    assert not follows(list(range(N)), [None] * N)
    assert not follows(list(range(N)), where='"column" > 1000')
    assert follows([1] * 20 + [2] * 20, ["yes"] * 20 + ["no"] * 20)
