"""Hostile input ends with a tree or a clear answer."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import FairauditError, InputError
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor

ESTIMATORS = [
    OptimalTreeClassifier(2, time_limit=5),
    OptimalTreeRegressor(2, time_limit=5),
    LookaheadTreeClassifier(2, look_ahead=1, fairness_weight=0.1, time_limit=5, random_state=0),
]
NAMES = ["classifier", "regressor", "lookahead"]


def rows(n=120, seed=0):
    """Return two useful columns, labels and two groups."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.integers(0, 5, n), "b": random.choice(list("xyz"), n)})
    return X, (X["a"] + random.normal(size=n) > 2).to_numpy().astype(int), random.choice(["one", "two"], n)


def fitted(estimator, X, y, group, **settings):
    return type(estimator)(**{**estimator.get_params(), **settings}).fit(X, y, sensitive_features=group)


LOST = {"constraint": "demographic_parity", "max_loss": 0.01}


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"max_depth": 0}, "'max_depth' must be an int from 1 to 8, got 0"),
        ({"max_depth": 9}, "'max_depth' must be an int from 1 to 8, got 9"),
        ({"max_depth": True}, "'max_depth' must be an int"),
        ({"min_leaf_size": 0}, "'min_leaf_size' must be an int of at least 1"),
        ({"time_limit": 0}, "'time_limit' must be a number above 0"),
        ({"time_limit": float("nan")}, "'time_limit' must be a number above 0"),
        ({"constraint": "parity"}, "'constraint' must be"),
        ({"constraint": "demographic_parity", "max_difference": -0.1}, "'max_difference' must be a number"),
        ({"fairness_weight": -1}, "'fairness_weight' must be"),
    ],
)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_settings_of_all_are_checked_before_any_work(estimator, settings, message):
    X, y, group = rows(20)
    with pytest.raises(InputError, match=message):
        fitted(estimator, X, y, group, **settings)


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"discrimination": "dii"}, "'discrimination' must be one of didi, dtdi, both or None, got 'dii'"),
        ({"fairness_weight": 1.0}, "'fairness_weight' needs an index of discrimination"),
        ({"max_discrimination": 0.1}, "'max_discrimination' needs an index of discrimination"),
        ({"max_discrimination": -1, "discrimination": "didi"}, "'max_discrimination' must be a number of at least 0"),
        ({"branching": "oblique"}, "'branching' must be one of single, linear"),
        ({"max_uses_per_feature": 0}, "'max_uses_per_feature' must be an int of at least 1 or None"),
        ({"max_features": 1.5}, "'max_features' must be an int of at least 1 or None"),
        ({"max_splits": 0}, "'max_splits' must be an int of at least 1 or None, got 0"),
        ({"n_neighbors": 0}, "'n_neighbors' must be an int of at least 1"),
        ({"method": "greedy"}, "'method' must be one of auto, search, scip, published"),
        ({"method": "search", "max_features": 2}, "'method' 'search' cannot be used with 'max_features'"),
        ({"discrimination": "dtdi", "n_neighbors": 500}, "'n_neighbors' must be at most the number of rows, 20"),
    ],
)
@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=NAMES[:2])
def test_settings_of_optimal_trees_are_checked(estimator, settings, message):
    X, y, group = rows(20)
    with pytest.raises(InputError, match=message):
        fitted(estimator, X, y, group, **settings)


@pytest.mark.parametrize(
    "estimator, settings, message",
    [
        (ESTIMATORS[0], {"max_difference": 0.1}, "'max_difference' needs a 'constraint'"),
        (ESTIMATORS[0], {"constraint": "four_fifths", "max_difference": 0.1}, "must be None for 'four_fifths'"),
        (ESTIMATORS[0], {"max_loss": 0.01}, "'max_loss' makes a gap small and needs a 'constraint'"),
        (
            ESTIMATORS[0],
            {"max_loss": 0.01, "constraint": "four_fifths"},
            "needs a 'constraint' of 'demographic_parity'",
        ),
        (ESTIMATORS[0], {**LOST, "max_difference": 0.1}, "cannot be used with 'max_difference'"),
        (ESTIMATORS[0], {**LOST, "discrimination": "didi"}, "cannot be used with 'discrimination'"),
        (ESTIMATORS[0], {**LOST, "max_features": 1}, "cannot be used with 'max_features'"),
        (ESTIMATORS[0], {**LOST, "branching": "linear"}, "cannot be used with branching='linear'"),
        (ESTIMATORS[0], {**LOST, "method": "scip"}, "cannot be used with 'method'"),
        (ESTIMATORS[0], {**LOST, "certify_fraction": 0.2}, "cannot be used with 'certify_fraction'"),
        (ESTIMATORS[0], {**LOST, "max_loss": 2}, "'max_loss' must be a number"),
        (ESTIMATORS[1], {"constraint": "equalized_odds"}, "'constraint' must be 'demographic_parity' or None"),
        (ESTIMATORS[1], {"constraint": "demographic_parity"}, "'constraint' and 'max_difference' go together"),
        (ESTIMATORS[1], {"leaves": "quadratic"}, "'leaves' must be one of constant, linear"),
        (ESTIMATORS[2], {"look_ahead": 0}, "'look_ahead' must be 'adaptive' or an int from 1 to 4, got 0"),
        (ESTIMATORS[2], {"look_ahead": "far"}, "'look_ahead' must be 'adaptive'"),
        (ESTIMATORS[2], {"weights_to_try": []}, "'weights_to_try' must be numbers of at least 0, at least one, got"),
        (ESTIMATORS[2], {"weights_to_try": [0.1, -1]}, "'weights_to_try' must be numbers of at least 0"),
        (ESTIMATORS[2], {"weights_to_try": ["a"]}, "'weights_to_try' must be numbers of at least 0"),
        (ESTIMATORS[2], {"fairness_weight": "auto"}, "'fairness_weight' must be 'cv' or a number"),
        (ESTIMATORS[2], {"sample_size": 1}, "'sample_size' must be an int of at least 2"),
        (ESTIMATORS[2], {"constraint": None}, "'constraint' must be one of"),
    ],
)
def test_settings_of_single_estimators_are_checked(estimator, settings, message):
    X, y, group = rows(20)
    with pytest.raises(InputError, match=message):
        fitted(estimator, X, y, group, **settings)


def test_an_index_of_discrimination_needs_groups():
    X, y, _ = rows(20)
    with pytest.raises(InputError, match="'discrimination' compares groups, and 'sensitive_features' is None"):
        OptimalTreeClassifier(discrimination="didi").fit(X, y)


@pytest.mark.parametrize("estimator", [ESTIMATORS[0], ESTIMATORS[2]], ids=[NAMES[0], NAMES[2]])
@pytest.mark.parametrize(
    "X, y, message",
    [
        ([[1.0], [2.0]], [1, 1], "must have two classes, got 1 class"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], "Only binary classification"),
        ([[1.0], [2.0]], [0, None], "must have a label in every row"),
        (pd.DataFrame({"a": [1.0, -np.inf]}), [0, 1], "infinite number in the column 'a'"),
        (pd.DataFrame({"a": []}), [], "at least one row"),
    ],
)
def test_what_cannot_be_learned_from_is_said(estimator, X, y, message):
    with pytest.raises((FairauditError, ValueError), match=message):
        estimator.fit(X, y)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_no_split_at_all_gives_one_leaf(estimator):
    _, y, group = rows()
    X = pd.DataFrame({"same": np.ones(len(y)), "empty": np.full(len(y), np.nan)})
    model = fitted(estimator, X, y, group)
    assert model.tree_.n_leaves == 1
    assert len(set(model.predict(X).tolist())) == 1


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_missing_values_and_categories_never_seen_are_predicted(estimator):
    X, y, group = rows()
    X["a"] = X["a"].astype(float).mask(np.arange(len(y)) % 5 == 0)
    X["b"] = X["b"].where(np.arange(len(y)) % 7 > 0, None)
    model = fitted(estimator, X, y, group)
    strange = X.assign(a=np.nan, b="never seen")
    assert model.predict(strange).shape == y.shape
    ways = {step.is_left for leaf in np.unique(model.tree_.apply(strange)) for step in model.tree_.steps(int(leaf))
            if step.split.kind != "missing"}  # fmt: skip
    assert ways <= {False}


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_five_hundred_levels_are_folded_and_it_is_said(estimator):
    X, y, group = rows(1_500)
    X["level"] = np.random.default_rng(0).integers(0, 500, len(X)).astype(str)
    model = fitted(estimator, X, y, group)
    assert model.predict(X).shape == y.shape and model.tree_.n_leaves > 1
    assert isinstance(estimator, LookaheadTreeClassifier) or any("Rare values" in note for note in model.notes_)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_a_feature_that_determines_the_label_is_used(estimator):
    X, y, group = rows()
    model = fitted(estimator, X.assign(copied=y), y, group, fairness_weight=0.0)
    if not isinstance(estimator, LookaheadTreeClassifier):
        assert model.objective_ == 0 and model.tree_.columns == ("copied",)
    assert "copied" in model.tree_.columns


@pytest.mark.thorough
@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=NAMES[:2])
@pytest.mark.parametrize("settings", [{"fairness_weight": 1e9}, {"max_discrimination": 0}], ids=str)
def test_a_huge_weight_and_a_bound_of_zero_give_predictions_without_discrimination(estimator, settings):
    X, y, group = rows()
    model = fitted(estimator, X, y, group, discrimination="didi", **settings)
    assert model.discrimination_.didi == pytest.approx(0, abs=1e-7)
    assert np.isfinite(model.objective_) and model.bound_ <= model.objective_


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_one_second_gives_a_tree_in_little_more(estimator):
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(3_000, 20))).add_prefix("x")
    y = (X["x0"] + X["x1"] * X["x2"] + random.normal(size=3_000) > 0).astype(int)
    begun = time.monotonic()
    model = fitted(estimator, X, y, random.choice(["one", "two"], 3_000), max_depth=4, time_limit=1)
    assert time.monotonic() - begun < 20
    assert model.status_ in ("work_limit", "gap", "optimal")
    assert model.tree_.n_leaves >= 1
    if not isinstance(estimator, LookaheadTreeClassifier):
        assert 0 <= model.bound_ <= model.objective_ and 0 <= model.gap_ <= 1


def test_one_group_is_compared_with_nothing_and_it_is_said():
    X, y, _ = rows()
    for estimator in (OptimalTreeClassifier(2, constraint="four_fifths"), LookaheadTreeClassifier(2)):
        model = estimator.fit(X, y)
        assert any("only one group" in note for note in model.notes_)
        assert model.tree_.n_leaves > 1


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_a_minimum_of_rows_holds_in_every_leaf(estimator):
    X, y, group = rows()
    model = fitted(estimator, X, y, group, min_leaf_size=25)
    assert all(leaf.n_rows >= 25 for leaf in model.tree_.leaves)
    assert fitted(estimator, X, y, group, min_leaf_size=1_000).tree_.n_leaves == 1


def test_texts_to_predict_as_numbers_and_columns_of_lists_are_refused_without_their_content():
    with pytest.raises(InputError, match="'y' must hold numbers") as refused:
        OptimalTreeRegressor().fit(pd.DataFrame({"a": [1, 2] * 5}), ["secret", "1"] * 5)
    assert "secret" not in str(refused.value)
    with pytest.raises(InputError, match="'X' has lists in the column"):
        OptimalTreeClassifier().fit(pd.DataFrame({"a": [[1], [2]] * 5}), [0, 1] * 5)
