from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit import didi
from fairaudit.estimators.trees.optimal_tree import OptimalTreeRegressor


@pytest.mark.thorough
@parametrize_with_checks([OptimalTreeRegressor(2, time_limit=10)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def amounts(n=120, seed=0):
    """Return rows with an amount that depends on two columns, and two groups."""
    random = np.random.default_rng(seed)
    group = random.integers(0, 2, n)
    X = pd.DataFrame({"score": random.integers(0, 5, n) + group, "area": random.choice(list("xy"), n)})
    return X, 2.0 * X["score"] + 3 * (X["area"] == "x") + random.normal(size=n), np.array(["a", "b"])[group]


def test_the_best_stump_is_that_of_brute_force():
    X, y, _ = amounts()
    splits = [X["score"] <= cut for cut in range(5)] + [X["area"] == "x"]
    costs = [sum(np.abs(part - part.median()).sum() for part in (y[held], y[~held])) for held in splits]
    model = OptimalTreeRegressor(1).fit(X, y)
    assert model.objective_ == pytest.approx(min(costs) / len(y))
    assert model.status_ == "optimal"
    assert np.abs(model.predict(X) - y).mean() == pytest.approx(model.objective_)


@pytest.mark.thorough
def test_a_bound_of_zero_holds_and_a_larger_weight_means_less_discrimination():
    X, y, group = amounts(60)
    bounded = OptimalTreeRegressor(2, discrimination="didi", max_discrimination=0.0, time_limit=20)
    predicted = bounded.fit(X, y, sensitive_features=group).predict(X)
    assert didi(predicted, sensitive_features=group, task="regression") == pytest.approx(0, abs=1e-6)
    found = [
        OptimalTreeRegressor(2, discrimination="didi", fairness_weight=weight, time_limit=20)
        .fit(X, y, sensitive_features=group)
        .discrimination_.didi
        for weight in (0.0, 0.5, 5.0)
    ]
    assert all(larger >= smaller - 1e-9 for larger, smaller in itertools.pairwise(found)) and found[0] > found[-1]


def test_a_constraint_needs_units_and_holds():
    X, y, group = amounts()
    model = OptimalTreeRegressor(2, constraint="demographic_parity", max_difference=0.4, time_limit=20)
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    assert abs(predicted[group == "a"].mean() - predicted[group == "b"].mean()) <= 0.4 + 1e-6


def test_linear_leaves_weigh_numbers_and_constant_targets_give_one_leaf():
    X, _, _ = amounts(40)
    X = X[["score"]].assign(other=np.arange(40) % 7)
    model = OptimalTreeRegressor(1, leaves="linear", time_limit=10).fit(X, 3.0 * X["score"] - X["other"])
    assert np.abs(model.predict(X) - (3 * X["score"] - X["other"])).mean() == pytest.approx(model.objective_, abs=1e-4)
    same = OptimalTreeRegressor(2).fit(X, np.full(len(X), 7.0))
    assert same.tree_.n_leaves == 1 and same.predict(X[:1]).tolist() == [7.0] and same.objective_ == 0
