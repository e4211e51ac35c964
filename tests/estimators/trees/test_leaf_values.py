"""The values of leaves are the best that are allowed."""

from __future__ import annotations

import numpy as np
import pytest
from fair_problems import (
    KINDS,
    best_labels_by_force,
    best_numbers_by_one_program,
    every_structure,
    fair_problem,
)

from fairaudit.estimators.trees import leaf_values
from fairaudit.estimators.trees.leaf_values import best_values
from fairaudit.estimators.trees.problem import TreeShape, parity_limit


def some_structures(problem, seed, n=8):
    every = list(every_structure(problem))
    chosen = np.random.default_rng(seed).choice(len(every), size=n, replace=False)
    return [every[0], *(every[place] for place in chosen)]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_values_are_the_best_there_are(task, kind):
    for seed in range(3):
        problem = fair_problem(seed, task, kind, n_groups=2 + seed)
        for shape in some_structures(problem, seed):
            by_force = best_labels_by_force if task == "classification" else best_numbers_by_one_program
            expected, found = by_force(problem, shape), best_values(problem, shape)
            got = float("inf") if found is None else problem.objective(found)
            assert got == pytest.approx(expected, abs=2e-8), (seed, shape.splits)
            assert found is None or (problem.allows(found) and found.splits == shape.splits)


@pytest.mark.parametrize("kind", ["both", "bounded", "limited"])
def test_scip_finds_the_labels_that_trying_all_finds(kind, monkeypatch):
    problem = fair_problem(4, "classification", kind, n_groups=3)
    shapes = some_structures(problem, 1, n=3)
    tried = [best_values(problem, shape) for shape in shapes]
    monkeypatch.setattr(leaf_values, "MAX_LISTED", 0)
    for shape, one in zip(shapes, tried, strict=True):
        other = best_values(problem, shape)
        got = [np.inf if tree is None else problem.objective(tree) for tree in (one, other)]
        assert got[0] == pytest.approx(got[1], abs=1e-9)


def test_without_demands_leaves_hold_weighted_medians():
    problem = fair_problem(0, "regression", "free", max_depth=1)
    found = best_values(problem, TreeShape((0,), (0.0, 0.0)))
    rows = problem.rows
    for leaf, value in enumerate(found.values):
        inside = rows.holds[:, 0] == (leaf == 0)
        every = np.repeat(rows.targets[inside], rows.weights[inside])
        assert np.abs(every - value).sum() == pytest.approx(np.abs(every - np.median(every)).sum())


def test_nothing_is_returned_where_nothing_is_allowed():
    for task in ("classification", "regression"):
        problem = fair_problem(0, task, "free")
        impossible = parity_limit(problem.rows, "demographic_parity", -0.5)
        problem = fair_problem(0, task, "free", limit=impossible)
        assert best_values(problem, TreeShape.stump(2, 0.0)) is None
    crowded = fair_problem(0, "regression", "free", min_leaf_size=39)
    assert best_values(crowded, TreeShape((0, -1, -1), (0.0,) * 4)) is None


def test_nothing_is_returned_where_nothing_beats_the_cutoff():
    problem = fair_problem(1, "regression", "both")
    shape = TreeShape((0, 1, 2), (0.0,) * 4)
    value = problem.objective(best_values(problem, shape))
    assert best_values(problem, shape, cutoff=value - 1e-6) is None
    assert best_values(problem, shape, cutoff=value + 1e-6) is not None
