"""Optimal trees of rows whose weights are no whole numbers."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from event_runs import returned
from fair_problems import best_by_force, fair_problem
from sweeps import seeds

from fairaudit.estimators.trees.dual import iter_dual
from fairaudit.estimators.trees.formulation.search import iter_scip
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.estimators.trees.problem import TreeProblem, didi_measure, parity_limit
from fairaudit.measure.indices import neighborhoods_of
from fairaudit.work import Budget


def weighted_problem(seed, task):
    """Draw a problem whose cells weigh any numbers."""
    rng = np.random.default_rng(seed)
    depth = 2 if task == "classification" else 1
    rows = fair_problem(seed, task, "free", n=30, n_splits=3, max_depth=depth).rows
    weights = rng.gamma(0.7, size=rows.n_cells) + 0.01
    rows = replace(rows, weights=weights * (rows.n_rows / weights.sum()))
    asked = {"min_leaf_size": int(rng.choice([1, 1, 4])), "split_price": float(rng.choice([0, 0.01]))}
    if rng.random() < 0.5:
        asked["limit"] = parity_limit(rows, "demographic_parity", float(rng.choice([0.05, 0.2])))
    if rng.random() < 0.5:
        asked |= {"measures": (didi_measure(rows, task),), "price": float(rng.choice([0.1, 0.5]))}
    return TreeProblem(rows, task=task, max_depth=depth, **asked)


@pytest.mark.thorough
@pytest.mark.parametrize("search", ["search", "scip"])
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("seed", seeds(12))
def test_the_tree_is_the_best_of_all_by_weights(seed, task, search):
    problem = weighted_problem(seed, task)
    best = best_by_force(problem)
    if search == "scip":
        found = returned(iter_scip(problem, budget=Budget(60))).found
    else:
        found = returned((iter_frontier if task == "classification" else iter_dual)(problem, budget=Budget(60)))
    if math.isinf(best):
        assert found.shape is None
        return
    assert found.status == "optimal"
    assert found.objective == pytest.approx(best, abs=1e-6)
    assert problem.allows(found.shape)
    assert problem.objective(found.shape) == pytest.approx(found.objective)


def people(n=80):
    random = np.random.default_rng(0)
    group = random.choice(["a", "b"], n)
    frame = pd.DataFrame({"age": random.integers(20, 60, n), "area": random.choice(["x", "y", "z"], n)})
    y = frame["age"].to_numpy() + 10 * (group == "a") + random.normal(0, 8, n)
    return frame, y, group, random.gamma(1.0, size=n) * (random.random(n) < 0.9)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_objective_rates_and_gaps_are_those_of_the_weighted_rows_and_a_factor_changes_nothing(task):
    frame, amounts, group, weights = people()
    asked = {"constraint": "demographic_parity", "max_difference": 0.2 if task == "classification" else 4.0}
    model = OptimalTreeClassifier(1, **asked) if task == "classification" else OptimalTreeRegressor(1, **asked)
    y = (amounts > 45).astype(int) if task == "classification" else amounts
    model.fit(frame, y, sensitive_features=group, sample_weight=weights)
    h = model.predict(frame)
    assert model.objective_ == pytest.approx(np.average(np.abs(h - y), weights=weights))
    means = [np.average(h[group == name], weights=weights[group == name]) for name in "ab"]
    assert model.discrimination_.demographic_parity == pytest.approx(abs(means[0] - means[1]))
    everybody = np.average(h, weights=weights)
    scale = 2 if task == "classification" else 1
    assert model.discrimination_.didi == pytest.approx(scale * sum(abs(mean - everybody) for mean in means))
    if task == "classification":
        leaves, rates = model.tree_.apply(frame), model.predict_proba(frame)[:, 1]
        for leaf in np.unique(leaves):
            here = leaves == leaf
            assert rates[here] == pytest.approx(np.average(y[here], weights=weights[here]))
    objective = model.objective_
    model.fit(frame, y, sensitive_features=group, sample_weight=weights * 123.4)
    assert (model.predict(frame) == h).all() and model.objective_ == pytest.approx(objective)
    kept = weights > 0
    model.fit(frame[kept], y[kept], sensitive_features=group[kept], sample_weight=weights[kept])
    assert (model.predict(frame) == h).all() and model.objective_ == pytest.approx(objective)


def weighted_dtdi(frame, predicted, group, weights, k) -> float:
    """DTDI of classes divided by rows times groups, by its definition, row by row."""
    neighbors = neighborhoods_of(frame, len(predicted), k)
    near, total, groups = neighbors.near.toarray() > 0, 0.0, sorted(set(group))
    for row, pattern in enumerate(neighbors.pattern):
        around = near[pattern][neighbors.pattern]
        for name in groups:
            inside = around & (group == name)
            if inside.any():
                shares = [np.average(predicted[part], weights=weights[part]) for part in (around, inside)]
                total += 2 * weights[row] * abs(shares[0] - shares[1])
    return total / (weights.sum() * len(groups))


def test_disparate_treatment_counts_near_rows_by_their_weights():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.integers(0, 2, (50, 2)), columns=["a", "b"])
    group, weights = random.choice(["m", "f"], 50), random.uniform(0.2, 3, 50)
    y = (frame["a"] + 0.7 * frame["b"] + random.normal(0, 0.5, 50) > 0.9).to_numpy().astype(int)
    model = OptimalTreeClassifier(2, discrimination="dtdi", fairness_weight=0.5, n_neighbors=7, random_state=0)
    objective = model.fit(frame, y, sensitive_features=group, sample_weight=weights).objective_
    # Each label for each of the four kinds of rows is a tree of two levels.
    kinds = (2 * frame["a"] + frame["b"]).to_numpy()
    least = min(
        weights @ (h != y) / weights.sum() + 0.5 * weighted_dtdi(frame, h, group, weights, 7)
        for h in (np.array(labels)[kinds] for labels in itertools.product((0, 1), repeat=4))
    )
    assert model.status_ == "optimal" and objective == pytest.approx(least, abs=1e-8)
    model.fit(frame, y, sensitive_features=group, sample_weight=8.5 * weights)
    assert model.objective_ == pytest.approx(objective, abs=1e-8)
    whole = random.integers(1, 4, 50)
    found = [model.fit(frame, y, sensitive_features=group, sample_weight=own).objective_ for own in (whole, whole / 3)]
    assert found[0] == found[1]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(2, constraint="equalized_odds", max_difference=0.2),
        OptimalTreeClassifier(2, constraint="four_fifths", method="scip"),
        OptimalTreeClassifier(1, branching="linear"),
        OptimalTreeRegressor(1, leaves="linear", method="scip"),
        OptimalTreeRegressor(2, discrimination="didi", max_discrimination=2.0),
    ],
    ids=["search", "scip", "linear splits", "linear leaves", "amounts"],
)
def test_proportions_that_are_not_whole_give_the_tree_of_the_rows_written_out(model):
    random = np.random.default_rng(2)
    group = random.choice(["a", "b"], 40)
    frame = pd.DataFrame({"age": random.integers(1, 6, 40), "years": random.integers(1, 5, 40)})
    amounts = frame["age"].to_numpy() + 2 * (group == "a") + random.normal(0, 1, 40).round(1)
    y = amounts if isinstance(model, OptimalTreeRegressor) else (amounts > 4).astype(int)
    weights = random.integers(0, 4, 40)
    whole = model.fit(frame, y, sensitive_features=group, sample_weight=weights).objective_
    assert model.status_ == "optimal"
    model.fit(frame, y, sensitive_features=group, sample_weight=weights * 0.3)
    assert model.status_ == "optimal"
    assert model.objective_ == pytest.approx(whole, abs=1e-6)
