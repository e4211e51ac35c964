"""Leaves of amounts that bring groups closer by predicting another amount than their people have."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from fairaudit.remedies.trees.words import moved_leaves

COUNTS = {
    # Rows of the group in each node, and their mean amounts.
    1: {"women": (200, 30.0), "men": (200, 40.0)},
    2: {"women": (90, 25.0), "men": (10, 25.0)},
    3: {"women": (110, 34.0), "men": (190, 41.0)},
}


def tree(low: float, high: float, *, counts=COUNTS, **fields) -> SimpleNamespace:
    """A tree of one question whose leaves predict two amounts."""
    rows = [(node, group, n, mean) for node, groups in counts.items() for group, (n, mean) in groups.items()]
    nodes = pd.DataFrame({"node": [1, 2, 3], "is_leaf": [False, True, True], "prediction": [None, low, high]})
    usual = {"constraint": "demographic_parity", "discrimination": None, "alike_within": 1.0}
    frame = pd.DataFrame(rows, columns=["node", "group", "n_learned", "learned_mean"])
    return SimpleNamespace(nodes=nodes, counts=frame, **usual | fields)


def test_a_leaf_that_lifts_the_group_with_less_is_named_with_its_mean():
    leaves = moved_leaves(tree(33.0, 38.5))
    [leaf] = leaves.itertuples()
    assert (leaf.node, leaf.predicted, leaf.mean) == (2, 33.0, pytest.approx(25.0))


def test_a_leaf_that_lowers_the_group_with_more_is_underpredicted_and_the_gravest_comes_first():
    leaves = moved_leaves(tree(33.0, 35.0))
    assert leaves["node"].tolist() == [2, 3]
    assert leaves.iloc[1]["predicted"] < leaves.iloc[1]["mean"]


def test_a_leaf_that_widens_the_difference_or_is_off_by_what_counts_as_alike_is_not_named():
    assert moved_leaves(tree(20.0, 45.0)).empty
    assert moved_leaves(tree(25.9, 38.0)).empty


def test_no_leaf_is_named_where_nothing_had_to_be_alike_or_counts_are_hidden():
    assert moved_leaves(tree(33.0, 38.5, constraint=None)).empty
    assert len(moved_leaves(tree(33.0, 38.5, constraint=None, discrimination="didi")))
    hidden = tree(33.0, 38.5)
    hidden.counts = hidden.counts.iloc[:0]
    assert moved_leaves(hidden).empty
    partly = tree(33.0, 38.5)
    partly.counts["n_learned"] = partly.counts["n_learned"].astype(object).where(partly.counts["node"] != 1, None)
    assert moved_leaves(partly).empty
    unknown = tree(None, 38.5)
    assert moved_leaves(unknown).empty
