from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.trees.inputs import MOST_SPLITS, find_candidates
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import group_rows
from fairaudit.messages import say


def table(n=400, seed=0):
    """Return columns of each kind."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "number": np.where(random.random(n) < 0.1, np.nan, random.normal(size=n)),
            "few": random.integers(0, 4, n),
            "kind": random.choice(list("abcd"), n),
            "many": random.choice([f"level {i}" for i in range(12)], n),
            "flag": random.random(n) < 0.3,
            "day": pd.date_range("2024-01-01", periods=n),
            "same": "x",
        }
    )


def found(frame, depth=3, targets=None, **settings):
    settings = {"use_sensitive": True, **settings}
    targets = np.arange(len(frame)) % 2 if targets is None else targets
    return find_candidates(frame, np.asarray(targets, float), group_rows(None, len(frame)), max_depth=depth, **settings)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_splits_hold_as_their_literals_do_and_fit_the_depth(depth):
    frame = table()
    candidates = found(frame, depth)
    for place, split in enumerate(candidates.splits):
        assert (candidates.holds[:, place] == split.holds(frame)).all(), split
        assert candidates.features[candidates.columns[place]] == split.column
    assert len(candidates.splits) <= MOST_SPLITS[min(depth, 4)]


def test_no_two_splits_part_the_rows_alike():
    candidates = found(table())
    apart = {tuple(held ^ held[0]) for held in candidates.holds.T}
    assert len(apart) == len(candidates.splits)
    assert candidates.holds.any(axis=0).all() and not candidates.holds.all(axis=0).any()


def test_few_levels_are_parted_in_every_way():
    frame = table()[["kind"]]
    held = {frozenset(frame["kind"][column]) for column in found(frame).holds.T}
    levels = set("abcd")
    ways = {frozenset(part) for size in (1, 2, 3) for part in itertools.combinations(sorted(levels), size)}
    assert len(held) == 2**3 - 1
    assert held | {frozenset(levels - part) for part in held} == ways


def test_many_levels_are_parted_alone_and_in_the_order_of_their_mean():
    frame = table()[["many"]]
    rank = frame["many"].str.split().str[1].astype(int)
    candidates = found(frame, 2, targets=rank)
    for held in candidates.holds.T:
        inside = set(rank[held])
        assert len(inside) == 1 or inside == set(range(len(inside)))
    assert {candidates.splits[place].value for place in candidates.levels[0]} == set(frame["many"])


def test_missing_values_and_rare_levels_go_right():
    frame = pd.DataFrame({"a": [*"xxxxxyyyyyz", None]})
    candidates = found(frame)
    assert not any(candidates.holds[10, place] for place in range(len(candidates.splits)))
    assert [split.words() for split in candidates.splits if split.kind == "missing"] == ["a is missing"]
    assert any("Rare values" in note for note in candidates.notes)


def test_each_value_of_a_number_is_a_cut_where_they_are_few():
    frame = table()[["few"]]
    assert [split.value for split in found(frame).splits] == [0, 1, 2]


def test_more_columns_than_splits_fit_are_all_kept():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 60)))
    candidates = found(frame, 4)
    assert len(candidates.splits) == 60


def test_columns_of_which_not_every_question_is_tried_are_named():
    notes = found(table()[["many", "few"]], 2).notes
    assert say(Message("tree-note-untried", {"columns": Phrase("many")})) in notes


@pytest.mark.parametrize("level", ["a", "b"])
def test_each_of_few_levels_is_parted_from_the_rest_where_values_are_missing(level):
    frame = pd.DataFrame({"kind": ["a"] * 20 + ["b"] * 10 + [None] * 10})
    held = {frozenset(np.flatnonzero(column).tolist()) for column in found(frame).holds.T}
    inside = frozenset(np.flatnonzero(frame["kind"] == level).tolist())
    assert inside in held
    assert len(held) == 2**2 - 1
