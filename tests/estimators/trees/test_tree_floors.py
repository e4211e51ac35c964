"""Trees within floors under sums of their predictions, compared with all trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from every_tree import best_objective, drawn_rows

from fairaudit.errors import InputError
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.trees.inputs import read_problem
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.estimators.trees.problem import TreeProblem, floored, parity_limit
from fairaudit.measure.grouping import group_rows


def group_floors(rows, share: float) -> Floors:
    """Return floors under the share of positive predictions of each group, over rows that were merged."""
    weights = [np.where(rows.groups == group, rows.weights, 0) for group in range(rows.n_groups)]
    return Floors(np.array([each / each.sum() for each in weights]), np.full(rows.n_groups, share))


@pytest.mark.parametrize("limited", [True, False], ids=["limited", "floors only"])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_tree_within_floors_is_that_of_brute_force(seed, limited):
    rng = np.random.default_rng(seed)
    n, groups = 60, np.arange(60) % 2
    X = pd.DataFrame({name: rng.random(n) < 0.5 for name in "abc"}).astype(float)
    y = (X["a"] + X["b"] * groups + rng.normal(scale=0.6, size=n) > 1).to_numpy()
    weights = np.array([(groups == group) / (groups == group).sum() for group in (0, 1)])
    floors = Floors(weights, np.array([0.55, 0.35]))
    asked = {"constraint": "demographic_parity", "max_difference": 0.1} if limited else {}
    model = OptimalTreeClassifier(2, floors=floors, time_limit=20, **asked).fit(X, y, sensitive_features=groups)
    h = model.predict(X).astype(float)
    assert (floors.missing(h) <= 1e-9).all()
    free = OptimalTreeClassifier(2, time_limit=20, **asked).fit(X, y, sensitive_features=groups)
    assert model.objective_ >= free.objective_ - 1e-12
    settings = model._settings("classification")
    reading = read_problem(X, y.astype(float), group_rows(groups, n), settings, use_sensitive=False, floors=floors)
    assert model.objective_ == pytest.approx(best_objective(reading.problem))
    assert model.status_ == "optimal"


@pytest.mark.parametrize("method", ["search", "scip"])
def test_both_searches_for_trees_keep_to_floors_on_three_groups(method):
    for seed in range(3):
        rng = np.random.default_rng(10 + seed)
        n, groups = 90, np.arange(90) % 3
        X = pd.DataFrame({name: rng.random(n) < 0.5 for name in "abc"}).astype(float)
        y = (X["a"] + X["b"] + 0.4 * groups + rng.normal(scale=0.6, size=n) > 1.4).to_numpy()
        floors = Floors(np.array([(groups == g) / 30 for g in range(3)]), np.array([0.5, 0.3, -np.inf]))
        model = OptimalTreeClassifier(
            2, floors=floors, constraint="equalized_odds", max_difference=0.3, method=method, time_limit=20
        ).fit(X, y, sensitive_features=groups)
        assert (floors.missing(model.predict(X).astype(float)) <= 1e-9).all()
        rows = drawn_rows(rng, 50, 3, 2)
        assert floored(None, rows, Floors(np.ones((1, 50)), np.array([3.0]))).bounds == pytest.approx([-3.0])


def test_where_no_tree_is_within_floors_that_is_proven():
    X = pd.DataFrame({"a": [0.0, 1.0] * 10})
    floors = Floors(np.full((1, 20), 1 / 20), np.array([1.1]))
    model = OptimalTreeClassifier(1, floors=floors, time_limit=5).fit(X, X["a"] > 0.5)
    assert model.status_ == "infeasible"


def test_floors_for_other_rows_are_refused():
    X = pd.DataFrame({"a": [0.0, 1.0] * 10})
    with pytest.raises(InputError, match="'floors' must weigh each of the 20 rows"):
        OptimalTreeClassifier(1, floors=Floors(np.ones((1, 3)), np.zeros(1))).fit(X, X["a"] > 0.5)


def test_floors_join_the_limit_of_a_tree_problem():
    rows = drawn_rows(np.random.default_rng(1), 40, 2, 2)
    limit = parity_limit(rows, "demographic_parity", 0.1)
    merged = group_floors(rows, 0.5)
    problem = TreeProblem(rows, limit=limit)
    over_rows = Floors((merged.weights / rows.weights)[:, rows.cells], merged.least)
    both = replace(problem, limit=floored(limit, rows, over_rows))
    everybody, nobody = np.ones(rows.n_cells), np.zeros(rows.n_cells)
    assert problem.allows_predictions(everybody) and problem.allows_predictions(nobody)
    assert both.allows_predictions(everybody) and not both.allows_predictions(nobody)
