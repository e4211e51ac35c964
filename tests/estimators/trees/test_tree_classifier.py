from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit import didi
from fairaudit.estimators.trees.inputs import read_problem
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.estimators.trees.problem import TreeShape
from fairaudit.events import STOP, Finished, Incumbent, Progress, Started
from fairaudit.measure.grouping import group_rows
from fairaudit.measure.indices import dtdi_details


@parametrize_with_checks([OptimalTreeClassifier(1, time_limit=5)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=80, seed=0):
    """Return rows whose features and outcomes lie differently in two groups."""
    random = np.random.default_rng(seed)
    group = random.integers(0, 2, n)
    X = pd.DataFrame(
        {
            "priors": random.integers(0, 3, n) + group,
            "young": random.random(n) < 0.4,
            "area": random.choice(list("xyz"), n),
        }
    )
    y = np.where(X["priors"] + X["young"] + random.normal(size=n) > 1.5, "yes", "no")
    return X, y, pd.Series(np.array(["a", "b"])[group], name="group")


def best_of_all_trees(problem):
    """Return the least objective of all trees of depth 2 that are allowed."""
    n_splits, best = problem.rows.n_splits, np.inf
    for value in (0.0, 1.0):
        best = min(best, problem.objective(TreeShape.stump(2, value)))
    for splits in itertools.product(range(n_splits), range(-1, n_splits), range(-1, n_splits)):
        for values in itertools.product((0.0, 1.0), repeat=4):
            shape = TreeShape(splits, values).tidy()
            objective = problem.objective(shape)
            if objective < best - 1e-12 and problem.allows(shape):
                best = objective
    return best


ASKED = [
    {},
    {"constraint": "demographic_parity", "max_difference": 0.1},
    {"constraint": "four_fifths", "max_uses_per_feature": 1},
    {"max_features": 1},
    {"discrimination": "didi", "fairness_weight": 0.5},
    {"discrimination": "both", "max_discrimination": 0.1, "n_neighbors": 5},
    {"min_leaf_size": 15},
]


@pytest.mark.thorough
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_the_optimum_is_proven_and_is_that_of_brute_force(asked):
    X, y, group = people()
    model = OptimalTreeClassifier(2, time_limit=30, **asked).fit(X, y, sensitive_features=group)
    settings = model._settings("classification")
    problem = read_problem(X, (y == "yes").astype(float), group_rows(group, len(y)), settings, use_sensitive=False)
    assert model.objective_ == pytest.approx(best_of_all_trees(problem.problem), abs=1e-7)
    assert model.status_ == "optimal" and model.gap_ == pytest.approx(0, abs=1e-6)


def test_trees_are_made_of_as_many_splits_as_asked_for():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 2)), columns=["a", "b"])
    y = (X["a"] + X["b"] + random.normal(0, 0.5, 300) > 0).astype(int)
    few, usual, many = (OptimalTreeClassifier(3, max_splits=most).fit(X, y) for most in (10, None, 400))
    assert few.n_splits_considered_ <= 10 < usual.n_splits_considered_ <= 80 < 240 < many.n_splits_considered_ <= 400
    assert few.objective_ >= usual.objective_ - 1e-9 >= many.objective_ - 2e-9 and many.status_ == "optimal"


@pytest.mark.parametrize(
    ("asked", "n_rows", "most"),
    [
        ({}, 9_999, 40),
        ({}, 10_000, 60),
        ({"max_splits": 12}, 10_000, 12),
        ({"max_depth": 3}, 10_000, 80),
        ({"max_depth": 5}, 10_000, 40),
        ({"max_features": 2}, 10_000, 40),
        ({"method": "scip"}, 10_000, 40),
    ],
    ids=str,
)
def test_many_rows_have_more_splits_where_the_search_is_exact(asked, n_rows, most):
    X = pd.DataFrame({"a": np.arange(n_rows), "b": np.arange(n_rows)[::-1] ** 2.0 % 977})
    settings = OptimalTreeClassifier(**{"max_depth": 4} | asked)._settings("classification")
    reading = read_problem(X, np.arange(n_rows) % 2.0, group_rows(None, n_rows), settings, use_sensitive=False)
    assert 0.75 * most <= len(reading.candidates.splits) <= most


@pytest.mark.parametrize("asked", [{}, {"constraint": "equalized_odds"}, {"max_features": 2}], ids=str)
def test_scip_finds_what_the_other_searches_find(asked):
    X, y, group = people()
    found = [
        OptimalTreeClassifier(2, method=method, time_limit=30, **asked).fit(X, y, sensitive_features=group)
        for method in ("auto", "scip")
    ]
    assert found[0].objective_ == pytest.approx(found[1].objective_, abs=1e-6)
    assert found[1].method_ == "scip"


def test_what_is_shown_is_what_predictions_come_to():
    X, y, group = people(300)
    model = OptimalTreeClassifier(3, discrimination="both", fairness_weight=0.3, time_limit=10)
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    shown = model.discrimination_
    assert shown.didi == pytest.approx(didi(predicted, sensitive_features=group))
    assert shown["dtdi"] == pytest.approx(dtdi_details(X, predicted, sensitive_features=group).normalized)
    assert model.objective_ == pytest.approx((predicted != y).mean() + 0.3 * (shown.didi + shown.dtdi))
    rates = [(predicted == "yes")[group == name].mean() for name in "ab"]
    assert shown.demographic_parity == pytest.approx(abs(rates[0] - rates[1]))
    assert model.bound_ <= model.objective_
    assert list(model.history_) == ["share", "primal", "dual"]
    assert (np.diff(model.history_["primal"]) <= 0).all() and (np.diff(model.history_["dual"]) >= 0).all()


def test_probabilities_are_the_shares_in_the_leaves():
    X, y, group = people(300)
    model = OptimalTreeClassifier(2, constraint="four_fifths").fit(X, y, sensitive_features=group)
    leaves = model.tree_.apply(X)
    for number in np.unique(leaves):
        share = (y == "yes")[leaves == number].mean()
        assert model.predict_proba(X)[leaves == number, 1] == pytest.approx(share)


def test_columns_that_reveal_the_groups_are_left_out_unless_asked_for():
    X, y, group = people()
    X = X.assign(code=np.where(group == "a", 7, 3))
    y = np.where(group == "b", "yes", y)
    without = OptimalTreeClassifier(1).fit(X, y, sensitive_features=group)
    assert "code" not in without.tree_.columns and any("'code'" in note for note in without.notes_)
    using = OptimalTreeClassifier(1, use_sensitive=True).fit(X, y, sensitive_features=group)
    assert using.tree_.columns == ("code",) and using.objective_ < without.objective_


def test_events_say_what_can_be_drawn_and_the_same_seed_gives_the_same_tree():
    X, y, group = people(300)
    model = OptimalTreeClassifier(2, constraint="equalized_odds", random_state=1)
    events = list(model.iter_fit(X, y, sensitive_features=group))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    steps = [event for event in events if isinstance(event, Progress)]
    assert {step.total for step in steps} == {events[0].total}
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    trees = [event.figures for event in events if isinstance(event, Incumbent)]
    assert trees and all(set(figures) == {"objective", "bound", "share"} for figures in trees)
    assert clone(model).fit(X, y, sensitive_features=group).tree_ == model.tree_


@pytest.mark.parametrize("asked", [{}, {"method": "scip", "branching": "linear"}], ids=str)
def test_a_stop_at_any_event_keeps_the_best_so_far(asked):
    X, y, group = people(200)
    model = OptimalTreeClassifier(2, constraint="four_fifths", time_limit=20, **asked)
    for stop_at in (1, 2, 3, 5):
        events = clone(model).iter_fit(X, y, sensitive_features=group)
        seen = list(itertools.islice(events, stop_at))
        if isinstance(seen[-1], Finished):
            continue
        rest = [events.send(STOP), *events]
        fitted = rest[-1].result
        assert fitted.objective_ == pytest.approx((fitted.predict(X) != y).mean())
        assert fitted.bound_ <= fitted.objective_
        assert not fitted.discrimination_.four_fifths < 0.8 - 1e-9


def test_linear_splits_are_shown_as_the_model_saw_them():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.integers(0, 9, 40), "b": random.integers(0, 9, 40)})
    y = (X["a"] - X["b"] > 0).astype(int)
    model = OptimalTreeClassifier(1, branching="linear", time_limit=20).fit(X, y)
    assert model.objective_ == pytest.approx((model.predict(X) != y).mean())
    assert model.objective_ < OptimalTreeClassifier(1).fit(X, y).objective_
    assert "×" in model.tree_.to_text()


def test_subsets_of_many_levels_are_found_by_scip():
    levels = np.repeat(list("abcdefgh"), 6)
    y = np.isin(levels, ["a", "d", "g"]).astype(int)
    X = pd.DataFrame({"level": levels})
    model = OptimalTreeClassifier(1, method="scip", time_limit=20).fit(X, y)
    assert model.objective_ == 0
    assert (model.predict(X) == y).all()


def test_a_search_of_deep_trees_that_is_stopped_early_has_the_best_of_less_depth():
    random = np.random.default_rng(5)
    X = pd.DataFrame({f"x{place}": random.random(600) for place in range(8)})
    parity = (X["x0"] > 0.5) ^ (X["x1"] > 0.5) ^ (X["x2"] > 0.5)
    y = (parity ^ (random.random(600) < 0.1)).astype(int)
    three = OptimalTreeClassifier(3, time_limit=30, random_state=0).fit(X, y)
    five = OptimalTreeClassifier(5, time_limit=30, random_state=0)
    events, command = five.iter_fit(X, y), None
    with contextlib.suppress(StopIteration):
        while True:
            event = events.send(command)
            found = isinstance(event, Incumbent) and event.figures["objective"] <= three.objective_ + 1e-12
            command = STOP if found else None
    assert five.status_ == "stopped"
    assert five.objective_ <= three.objective_ + 1e-12
    assert five.bound_ <= five.objective_
