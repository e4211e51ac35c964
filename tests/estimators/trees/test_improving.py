"""Warm starts are allowed trees, and no step makes them worse."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from fair_problems import KINDS, best_by_force, best_labels_by_force, every_structure, fair_problem
from sweeps import part_of

from fairaudit.estimators.trees.improving import greedy_tree, iter_improved
from fairaudit.estimators.trees.leaf_values import good_values
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape
from fairaudit.work import Budget


def improved(problem, shape, budget):
    return list(iter_improved(problem, shape, budget))[-1]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_tree_is_allowed_and_never_worse(task, kind):
    problem = fair_problem(1, task, kind, n=60, n_splits=6, n_groups=3)
    greedy = greedy_tree(problem)
    begin = problem.objective(greedy) if problem.allows(greedy) else np.inf
    found = improved(problem, greedy, budget=Budget(5.0))
    assert problem.allows(found) and problem.objective(found) <= begin + 1e-12
    assert problem.objective(improved(problem, found, budget=Budget(0.0))) <= problem.objective(found) + 1e-12


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("kind", part_of(["free", "both", "nothing between groups"], ["both"], rest="thorough"))
def test_the_best_tree_of_small_problems_is_met(task, kind):
    problem = fair_problem(2, task, kind, n_splits=3)
    found = improved(problem, TreeShape.stump(2, 0.0), budget=Budget(5.0))
    assert problem.objective(found) == pytest.approx(best_by_force(problem), abs=5e-8)


def test_a_tree_that_is_not_allowed_is_left_for_one_that_is():
    problem = fair_problem(3, "classification", "nothing between groups")
    shape = TreeShape((0, 1, 2), (1.0, 0.0, 1.0, 0.0))
    assert not problem.allows(shape)
    assert problem.allows(improved(problem, shape, budget=Budget(5.0)))


def test_greedy_without_demands_splits_as_cart_does():
    problem = fair_problem(4, "regression", "free", n=80, n_splits=6, max_depth=1)
    rows = problem.rows

    def error(split):
        parts = [
            np.repeat(rows.targets[side], rows.weights[side]) for side in (rows.holds[:, split], ~rows.holds[:, split])
        ]
        return sum(np.abs(part - np.median(part)).sum() for part in parts if len(part))

    found = greedy_tree(problem)
    assert error(found.splits[0]) == pytest.approx(min(error(split) for split in range(6)))


def test_greedy_trees_hold_no_leaf_that_is_too_small():
    problem = fair_problem(5, "classification", "free", n=80, n_splits=6, max_depth=3, min_leaf_size=15)
    assert problem.allows(greedy_tree(problem))


def test_a_feature_is_not_used_more_often_than_allowed():
    problem = fair_problem(6, "classification", "free", n=80, n_splits=6, columns=(0, 0, 0, 1, 1, 1), max_features=1)
    found = improved(problem, greedy_tree(problem), budget=Budget(5.0))
    assert len({problem.columns[split] for split in found.splits if split != NO_SPLIT}) <= 1


def test_labels_changed_one_by_one_are_near_the_best():
    problem = fair_problem(7, "classification", "both", n_groups=3)
    near = 0
    shapes = list(every_structure(problem))[5::13]
    for shape in shapes:
        best = best_labels_by_force(problem, shape)
        got = problem.objective(good_values(problem, shape))
        assert got >= best - 1e-12
        near += got <= best + 0.05
    assert near >= 0.9 * len(shapes)


def test_deep_trees_end_in_time():
    problem = fair_problem(8, "classification", "both", n=400, n_splits=9, max_depth=5)
    begin = time.process_time()
    found = improved(problem, greedy_tree(problem), budget=Budget(0.5))
    assert time.process_time() - begin < 5.0
    free = replace(problem, price=0.0, split_price=0.0)
    assert problem.allows(found) and free.objective(found) < free.objective(TreeShape.stump(5, 0.0))
