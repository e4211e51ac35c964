"""Thresholds that leave no group worse off: the best is that by enumeration, and the swarm keeps to them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fairaudit.estimators.thresholds import ThresholdProblem, iter_swarm


def problem_of(seed: int, n: int = 24) -> ThresholdProblem:
    rng = np.random.default_rng(seed)
    y, group = rng.integers(0, 2, n), np.array(list("abc") * (n // 3))
    y[:6] = [0, 0, 0, 1, 1, 1]
    return ThresholdProblem.from_rows(y, np.round(rng.random(n) + 0.4 * y, 1), group)


@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_that_leaves_no_group_worse_off_is_that_by_enumeration(seed, weight):
    problem = problem_of(seed)
    before = problem.at(dict.fromkeys(problem.groups, 0.7))
    ways = itertools.product(*(range(len(points.tp)) for points in problem.points))
    outcomes = [problem.at_points(way) for way in ways]
    kept = [each for each in outcomes if all(now >= was for now, was in zip(each.tpr, before.tpr, strict=True))]
    found = problem.not_below(before).best(weight)
    assert all(now >= was for now, was in zip(found.tpr, before.tpr, strict=True))
    best = max(each.objective(weight) for each in kept)
    assert found.objective(weight) == pytest.approx(best), (seed, weight)
    assert len(kept) < len(outcomes)


@pytest.mark.parametrize("seed", range(3))
def test_the_swarm_never_leaves_what_is_allowed(seed):
    problem = problem_of(seed, 90)
    before = problem.at(dict.fromkeys(problem.groups, 0.7))
    allowed = problem.not_below(before)
    *_, last = iter_swarm(allowed, 1.0, n_particles=10, n_iterations=10, random_state=0)
    assert all(now >= was for now, was in zip(last.result.tpr, before.tpr, strict=True))
    assert last.result.objective(1.0) <= allowed.best(1.0).objective(1.0) + 1e-12
    # What was chosen does the same among all thresholds.
    assert problem.at(last.result.by_group).tpr == last.result.tpr
