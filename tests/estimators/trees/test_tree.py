from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.conditions import Condition
from fairaudit.errors import InputError
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.problem import TreeShape
from fairaudit.estimators.trees.search import learned_tree, numbered_parts
from fairaudit.estimators.trees.tree import LinearForm, LinearSplit, Node, Tree


def people(n=200, seed=0):
    """Return rows with numbers, categories and missing values, labels and groups."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.where(random.random(n) < 0.2, np.nan, random.integers(18, 70, n)),
            "job": random.choice(["clerk", "cook", None, "nurse"], n),
            "priors": random.integers(0, 5, n),
        }
    )
    return frame, random.integers(0, 2, n).astype(float), random.integers(0, 2, n)


SPLITS = [
    Literal("age", "at_most", 40),
    Literal("job", "among", ("clerk", "nurse")),
    Literal("job", "missing"),
    Literal("age", "at_most", 25),
]
SHAPE = TreeShape((0, 3, 1, -1, 2, 2, -1), (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0))


def grown(frame, targets, groups):
    splits, values = numbered_parts(SHAPE, SPLITS)
    return learned_tree(splits, values, frame, targets, groups, group_names=("a", "b"), outcomes=("no", "yes"))


def test_the_decoded_tree_and_the_shape_agree_on_every_row():
    frame, targets, groups = people()
    tree = grown(frame, targets, groups)
    holds = np.column_stack([split.holds(frame) for split in SPLITS])
    assert tree.predict(frame).tolist() == SHAPE.predict(holds).tolist()
    assert (tree.depth, tree.n_leaves, tree.columns) == (3, 6, ("age", "job"))


def test_each_node_counts_its_rows_and_positives_by_group():
    frame, targets, groups = people()
    tree = grown(frame, targets, groups)
    leaves = tree.apply(frame)
    for node in tree.nodes:
        below = np.array([leaf >> max(leaf.bit_length() - node.number.bit_length(), 0) for leaf in leaves.tolist()])
        inside = below == node.number
        assert node.sizes == tuple(int((inside & (groups == g)).sum()) for g in range(2))
        assert node.sums == tuple(targets[inside & (groups == g)].sum() for g in range(2))
    assert tree.node(1).rate == pytest.approx(targets.mean())


def test_the_condition_of_a_leaf_selects_its_rows_missing_values_included():
    frame, targets, groups = people()
    tree = grown(frame, targets, groups)
    leaves = tree.apply(frame)
    for leaf, text in zip(tree.leaves, tree.to_rules(), strict=True):
        assert (Condition.parse(text, frame).mask(frame) == (leaves == leaf.number)).all(), text
    assert len(set(tree.to_rules())) == tree.n_leaves


def test_missing_and_unseen_values_go_right_and_the_text_says_so():
    frame, targets, groups = people()
    tree = grown(frame, targets, groups)
    strange = pd.DataFrame({"age": [np.nan], "job": ["pilot"], "priors": [0]})
    assert tree.apply(strange).tolist() == [7]
    text = tree.to_text()
    assert text.splitlines()[0] == "if age is at most 40"
    assert "missing value and a value never seen" in text.splitlines()[-1]
    assert text.count("predict ") == tree.n_leaves


def test_a_path_leaves_out_what_follows_from_later_steps():
    frame, targets, groups = people()
    tree = grown(frame, targets, groups)
    assert tree.path(4) == "age is at most 25"
    assert tree.path(10) == "age is at most 40 and age is more than 25 and job is missing"
    assert tree.path(1) == "all rows"


def test_the_table_of_leaves_adds_up_to_all_rows_and_csv_holds_no_formula():
    frame, targets, groups = people()
    frame = frame.rename(columns={"job": "=job"})
    splits = {1: Literal("=job", "equals", "cook")}
    tree = learned_tree(splits, {2: 1.0, 3: 0.0}, frame, targets, groups, group_names=("a", "=b"))
    table = tree.to_table()
    assert table["rows"].sum() == len(frame) and list(table["prediction"]) == ["1", "0"]
    assert table["rows of =b"].sum() == (groups == 1).sum()
    assert not any(cell.startswith(("=", '"=')) for line in tree.to_csv().splitlines() for cell in line.split(","))


def test_nodes_are_drawn_apart_with_parents_between_their_children():
    frame, targets, groups = people()
    places = grown(frame, targets, groups).places()
    where = {place.number: place for place in places}
    assert len({(place.x, place.y) for place in places}) == len(places)
    for place in places[1:]:
        parent = where[place.number // 2]
        assert place.y == parent.y + 1
        assert (place.x < parent.x) == (place.number % 2 == 0)


def test_linear_splits_and_leaves_predict_and_missing_values_take_the_mean():
    frame, targets, groups = people()
    targets = targets + frame["priors"]
    split = LinearSplit(("age", "priors"), (1.0, -5.0), 20.0)
    forms = {3: LinearForm(("priors",), (2.0,), 1.0)}
    tree = learned_tree(
        {1: split}, {2: 4.0, 3: 0.0}, frame, targets, groups, group_names=("a", "b"), task="regression", forms=forms
    )
    left = (frame["age"] - 5 * frame["priors"] <= 20).to_numpy()
    expected = np.where(left, 4.0, 1 + 2 * frame["priors"])
    assert tree.predict(frame).tolist() == expected.tolist()
    for leaf, text in zip(tree.leaves, tree.to_rules(), strict=True):
        assert (Condition.parse(text, frame).mask(frame) == (tree.apply(frame) == leaf.number)).all(), text
    gone = frame.assign(priors=np.nan)
    assert tree.predict(gone).tolist() == [pytest.approx(tree.node(3).value)] * len(gone)


def test_a_tree_without_the_children_of_a_split_is_refused():
    with pytest.raises(InputError, match="Node 1 of the tree splits and has no two children"):
        Tree((Node(1, SPLITS[0], 0.0, (1,), (0.0,)),))
    with pytest.raises(InputError, match="has no node 5"):
        Tree((Node(1, None, 0.0, (1,), (0.0,)),)).path(5)
