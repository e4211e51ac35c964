"""Splits on sets of levels and weighted sums, and leaves that are weighted sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from fair_problems import best_by_force
from mixed_problems import mixed_problem
from scipy.optimize import linprog
from test_formulation import ended

from fairaudit.estimators.trees.formulation.nodes import LARGEST_SLOPE
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, didi_measure

GRID = 4


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("missing", [False, True])
def test_a_set_of_levels_is_as_good_as_the_best_of_all_sets(task, missing):
    for seed, asked in enumerate(("free", "both", "bounded")):
        mixed = mixed_problem(seed, task, asked, 1, missing=missing)
        ended_search = ended(mixed.problem, levels=mixed.levels)
        best = best_by_force(mixed.by_subset)
        assert ended_search.found.objective == pytest.approx(best, abs=1e-7), (seed, task, asked, missing)
        assert ended_search.found.status == "optimal"


def test_sets_of_levels_at_depth_two_are_the_best():
    mixed = mixed_problem(4, "classification", "four_fifths", 2, n=12)
    assert ended(mixed.problem, levels=mixed.levels).found.objective == pytest.approx(
        ended(mixed.by_subset).found.objective, abs=1e-9
    )


def test_a_set_counts_as_one_use_of_its_feature():
    mixed = mixed_problem(5, "classification", "free", 2, n=30)
    columns = (0, 0, 1, 2, 2, 2, 2)
    problem = TreeProblem(mixed.problem.rows, max_depth=2, columns=columns, max_features=1)
    result = ended(problem, levels=mixed.levels)
    asked = {(columns + tuple(columns[part[0]] for part in result.subsets))[split]
             for split in result.found.shape.splits if split >= 0}  # fmt: skip
    assert len(asked) == 1
    wide = TreeProblem(mixed.by_subset.rows, max_depth=2, max_features=1, columns=(0, 0, 1, *[2] * 7))
    assert result.found.objective == pytest.approx(ended(wide).found.objective, abs=1e-9)


def on_grid(seed, n, task="classification"):
    """Return rows on a grid of two numbers, with one threshold each as columns."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, GRID + 1, (n, 2)) / GRID
    groups = np.r_[0, 1, rng.integers(0, 2, n - 2)]
    score = points[:, 0] - points[:, 1] + 0.3 * groups + rng.normal(0, 0.3, n)
    targets = (score > 0).astype(float) if task == "classification" else np.round(score, 2)
    return TreeRows.merge(points <= 0.5, groups, targets, ["a", "b"], points)


def best_of_directions(problem):
    """Return the least objective of one split by any line, from many directions."""
    points, best = problem.rows.points, np.inf
    for angle in np.linspace(0, np.pi, 400, endpoint=False):
        sums = points @ np.array([np.cos(angle), np.sin(angle)])
        for cut, labels in itertools.product(np.unique(np.round(sums, 9)) + 1e-7, ((0.0, 1.0), (1.0, 0.0))):
            h = np.where(sums <= cut, *labels)
            if problem.allows_predictions(h):
                best = min(best, problem.objective_of(h, 1))
    return best


@pytest.mark.parametrize("asked", ["free", "priced", "bounded"])
def test_a_weighted_sum_parts_as_well_as_the_best_line(asked):
    rows = on_grid(1, 14)
    didi = didi_measure(rows, "classification")
    settings = {"free": {}, "priced": {"measures": (didi,), "price": 0.5},
                "bounded": {"measures": (didi,), "max_measure": 0.4}}  # fmt: skip
    problem = TreeProblem(rows, max_depth=1, **settings[asked])
    result = ended(problem, linear_splits=True)
    assert result.found.status == "optimal"
    assert result.found.objective == pytest.approx(best_of_directions(problem), abs=1e-9)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_tree_and_the_model_send_each_row_the_same_way(task):
    rows = on_grid(2, 12, task)
    problem = TreeProblem(rows, task=task, max_depth=2 if task == "classification" else 1)
    result = ended(problem, linear_splits=True)
    found = result.found
    # Bound and objective only meet where the model counted as the tree does.
    assert found.status == "optimal"
    assert found.objective == pytest.approx(problem.loss(found.shape.predict(result.holds)), abs=1e-12)
    first = rows.n_splits + len(result.subsets)
    for place, split in enumerate(result.linear):
        assert sum(map(abs, split.weights)) == pytest.approx(1.0, abs=1e-3)
        assert (split.holds(rows.points) == result.holds[:, first + place]).all()


def least_error_of_lines(rows, leaf, low, span):
    """Return the least error of weighted sums in given leaves, by one linear program for each."""
    total = 0.0
    for part in np.unique(leaf):
        inside = leaf == part
        x = np.column_stack([np.ones(inside.sum()), rows.points[inside]])
        y, weights = (rows.targets[inside] - low) / span, rows.weights[inside]
        n, n_columns = x.shape
        lhs = np.vstack([np.hstack([x, -np.eye(n)]), np.hstack([-x, -np.eye(n)]),
                         np.hstack([x, np.zeros((n, n))]), np.hstack([-x, np.zeros((n, n))])])  # fmt: skip
        rhs = np.concatenate([y, -y, np.ones(n), np.zeros(n)])
        boxes = [(None, None), *[(-LARGEST_SLOPE, LARGEST_SLOPE)] * (n_columns - 1), *[(0, None)] * n]
        total += linprog(np.r_[np.zeros(n_columns), weights], A_ub=lhs, b_ub=rhs, bounds=boxes).fun
    return total * span / rows.n_rows


def test_leaves_that_are_weighted_sums_are_the_best_of_all_trees():
    rows = on_grid(3, 16, "regression")
    low, span = rows.targets.min(), np.ptp(rows.targets)
    best = min(least_error_of_lines(rows, holds, low, span) for holds in rows.holds.T)
    result = ended(TreeProblem(rows, task="regression", max_depth=1), linear_leaves=True)
    assert result.found.status == "optimal"
    assert result.found.objective == pytest.approx(best, abs=1e-6)
    leaf = result.found.shape.leaves(result.holds)
    h = result.leaves[leaf, 0] + (result.leaves[leaf, 1:] * rows.points).sum(axis=1)
    assert rows.weights @ np.abs(h - rows.targets) / rows.n_rows == pytest.approx(result.found.objective, abs=1e-9)


def test_measures_bind_leaves_that_are_weighted_sums():
    rows = on_grid(4, 12, "regression")
    didi = didi_measure(rows, "regression")
    problem = TreeProblem(rows, task="regression", max_depth=1, measures=(didi,), max_measure=0.0)
    result = ended(problem, linear_leaves=True)
    leaf = result.found.shape.leaves(result.holds)
    h = result.leaves[leaf, 0] + (result.leaves[leaf, 1:] * rows.points).sum(axis=1)
    assert didi.value(h) < 1e-8
    assert result.found.objective <= ended(problem).found.objective + 1e-9
