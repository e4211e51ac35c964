"""The objective that an estimator states is that of what it returns, worked out again from its predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sweeps import seeds

from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor


def people(n=240, seed=0):
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b"], n)
    X = pd.DataFrame({"x": random.integers(0, 12, n) + 2 * (group == "b"), "area": random.choice(["e", "n", "s"], n)})
    value = X["x"] + 2 * (X["area"] == "n") + random.normal(size=n) * 3
    return X, (value > 7).astype(int).to_numpy(), value.round().to_numpy(), pd.Series(group)


def didi(predicted, group):
    """Return the sum over groups of how far their mean is from that of all; in shares it counts for either label."""
    return sum(abs(predicted[group == g].mean() - predicted.mean()) for g in np.unique(group))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("method", ["search", "scip"])
@pytest.mark.parametrize("asked", [{}, {"constraint": "demographic_parity"}, {"discrimination": "didi"}])
def test_a_tree(method, asked, seed):
    X, y, _, group = people(seed=seed)
    weight = 0.3 if "discrimination" in asked else 0
    model = OptimalTreeClassifier(2, method=method, max_splits=8, fairness_weight=weight, random_state=0, **asked)
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    assert model.objective_ == pytest.approx((predicted != y).mean() + weight * 2 * didi(predicted, group))
    assert model.bound_ <= model.objective_ + 1e-9
    assert model.gap_ == pytest.approx((model.objective_ - model.bound_) / model.objective_, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(2, 1, rest="thorough"))
@pytest.mark.parametrize("method", ["search", "scip"])
@pytest.mark.parametrize("discrimination", [None, "didi"])
def test_a_tree_of_amounts(method, discrimination, seed):
    X, _, value, group = people(seed=seed)
    weight = 0.3 if discrimination else 0
    model = OptimalTreeRegressor(
        2, method=method, max_splits=8, discrimination=discrimination, fairness_weight=weight, random_state=0
    )
    predicted = model.fit(X, value, sensitive_features=group).predict(X)
    assert model.objective_ == pytest.approx(np.abs(predicted - value).mean() + weight * didi(predicted, group))
    assert model.bound_ <= model.objective_ + 1e-9


@pytest.mark.parametrize("look_ahead", [1, 2])
def test_a_tree_grown_by_looking_ahead(look_ahead):
    X, y, _, group = people()
    model = LookaheadTreeClassifier(
        3, look_ahead=look_ahead, constraint="demographic_parity", fairness_weight=0, random_state=0
    )
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    n_splits = len(model.tree_.nodes) // 2
    price = n_splits / (2 ** (look_ahead + 1) - 2) / len(y)
    assert model.objective_ == pytest.approx((predicted != y).mean() + price)
    assert np.isnan(model.bound_)


@pytest.mark.parametrize("method", ["exact", "pso"])
@pytest.mark.parametrize("weight", [0.0, 1.5])
def test_thresholds(method, weight):
    X, y, _, group = people()
    scorer = LogisticRegression().fit(X[["x"]], y)
    model = GroupThresholdClassifier(scorer, prefit=True, method=method, fairness_weight=weight, random_state=0)
    predicted = model.fit(X[["x"]], y, sensitive_features=group).predict(X[["x"]], sensitive_features=group)
    rates = np.array([[predicted[(group == g) & (y == label)].mean() for label in (0, 1)] for g in ("a", "b")])
    gap = np.ptp(rates, axis=0).sum()
    assert model.objective_ == pytest.approx((predicted == y).mean() - weight * gap)
    assert model.objective_ <= model.optimal_objective_ + 1e-9
    if method == "exact":
        assert model.objective_ == model.optimal_objective_
