"""The search by the dual finds what trying all trees finds, and its bound holds whenever it ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from event_runs import driven
from fair_problems import KINDS, best_by_force, fair_problem

from fairaudit.estimators.trees import leaf_costs, leaf_values
from fairaudit.estimators.trees.dual import DualState, iter_dual, perfect_bound
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows
from fairaudit.events import Incumbent
from fairaudit.work import Budget


def ran(problem, work=60.0):
    shown, found = driven(iter_dual(problem, budget=Budget(work)))
    return found, shown


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_best_tree_is_found_and_proven(task, kind):
    for seed, depth in ((0, 1), (1, 2)):
        problem = fair_problem(seed, task, kind, n=(40, 24)[seed], n_splits=3, n_groups=2 + seed, max_depth=depth)
        found, shown = ran(problem)
        expected = best_by_force(problem)
        assert found.objective == pytest.approx(expected, abs=5e-8), (seed, depth)
        assert found.status == "optimal" and found.bound == found.objective
        assert problem.allows(found.shape) and problem.objective(found.shape) == found.objective
        for event in shown:
            if isinstance(event, Incumbent):
                assert event.figures["bound"] <= expected + 5e-8, (seed, depth)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_features_may_be_limited(task):
    problem = fair_problem(3, task, "priced", n_splits=4, columns=(0, 0, 1, 1), max_uses_per_feature=1)
    for asked in (problem, replace(problem, max_uses_per_feature=None, max_features=1)):
        assert ran(asked)[0].objective == pytest.approx(best_by_force(asked), abs=5e-8)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("kind", ["both", "bounded", "limited"])
def test_the_bound_holds_when_the_search_is_stopped(task, kind):
    problem = fair_problem(5, task, kind, n_splits=3)
    expected = best_by_force(problem)
    for after in (1, 2):
        _, found = driven(iter_dual(problem, budget=Budget(60.0)), stop=lambda seen, after=after: len(seen) >= after)
        assert found.bound <= expected + 5e-8 <= found.objective + 1e-7
        assert found.shape is not None and problem.allows(found.shape)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_no_time_still_gives_an_allowed_tree_and_a_bound(task):
    problem = fair_problem(6, task, "bounded", n_splits=3)
    found, _ = ran(problem, work=1e-3)
    assert problem.allows(found.shape) and 0 <= found.bound <= best_by_force(problem) + 5e-8
    assert found.status == "work_limit"


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_bound_of_deeper_trees_holds(task):
    deep = fair_problem(7, task, "both", n_splits=2, max_depth=3, split_price=0.0)
    # Two splits are used up at depth 2: the third level changes nothing.
    expected = best_by_force(replace(deep, max_depth=2))
    found, _ = ran(deep, work=10.0)
    assert found.bound <= expected + 5e-8
    assert found.objective == pytest.approx(expected, abs=5e-8)
    assert found.bound >= 0.5 * found.objective


def test_equal_input_gives_equal_output():
    problem = fair_problem(8, "regression", "both", n_splits=3)
    first, second = (ran(problem)[0] for _ in range(2))
    assert first.shape == second.shape and first.objective == second.objective


def test_impossible_limits_are_proven_impossible():
    problem = fair_problem(9, "regression", "limited", n_splits=3)
    problem = replace(problem, limit=replace(problem.limit, bounds=np.full(len(problem.limit.bounds), -0.5)))
    found, _ = ran(problem)
    assert found.shape is None and found.status == "infeasible"


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["free", "both", "bounded"])
def test_coarse_levels_of_the_target_loosen_bounds_and_no_more(kind, monkeypatch):
    monkeypatch.setattr(leaf_costs, "MAX_ENTRIES", 24)
    problem = fair_problem(11, "regression", kind, n_splits=3)
    found, shown = ran(problem)
    expected = best_by_force(problem)
    assert found.objective == pytest.approx(expected, abs=5e-8) and found.status == "optimal"
    assert all(event.figures["bound"] <= expected + 5e-8 for event in shown if isinstance(event, Incumbent))


@pytest.mark.parametrize("depth", [1, 2])
def test_a_tree_whose_leaves_were_not_valued_exactly_does_not_count_as_closed(depth, monkeypatch):
    problem = fair_problem(1, "regression", "both", n=24, n_splits=3, max_depth=depth)
    expected = best_by_force(problem)
    monkeypatch.setattr(leaf_values, "MOST_PROGRAMS", 1)
    found, _ = ran(problem)
    assert found.bound <= expected + 5e-8 <= found.objective + 1e-7
    assert found.status == "gap" or found.objective <= expected + 5e-8


@pytest.mark.thorough
@pytest.mark.parametrize("unit", [1e-3, 1e6])
def test_the_unit_of_the_target_does_not_matter(unit):
    problem = fair_problem(2, "regression", "bounded", n_splits=3)
    rows = replace(problem.rows, targets=unit * problem.rows.targets)
    scaled, _ = ran(replace(problem, rows=rows, max_measure=unit * problem.max_measure))
    assert scaled.status == "optimal"
    assert scaled.objective / unit == pytest.approx(ran(problem)[0].objective, abs=1e-7)


@pytest.mark.parametrize("unit", [1.0, 1000.0])
def test_bounds_hold_where_a_limit_is_in_large_units(unit):
    problem = fair_problem(2, "regression", "limited", n_splits=3, limit_price=0.0, measures=(), price=0.0)
    rows = replace(problem.rows, targets=unit * problem.rows.targets)
    problem = replace(problem, rows=rows, limit=replace(problem.limit, bounds=unit * problem.limit.bounds))
    expected = best_by_force(problem)
    found, shown = ran(problem)
    assert found.status == "optimal" and found.objective == pytest.approx(expected, abs=1e-7 * unit)
    assert all(event.figures["bound"] <= expected + 1e-7 * unit for event in shown if isinstance(event, Incumbent))
    state = DualState(problem, Budget(60.0))
    assert (state.terms.bounds == problem.limit.bounds).all()


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_odd_demands_end_with_one_leaf(task):
    problem = fair_problem(2, task, "both", n_splits=3)
    rows = problem.rows
    constant = replace(rows, targets=np.ones(rows.n_cells))
    for odd in (
        replace(problem, price=1e9),
        replace(problem, min_leaf_size=1000),
        replace(problem, rows=constant),
        replace(problem, rows=replace(rows, holds=rows.holds[:, :0])),
    ):
        found, _ = ran(odd)
        assert found.status == "optimal" and found.shape.n_splits == 0


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_first_bound_is_the_loss_of_a_leaf_for_each_set_of_like_rows(task):
    random = np.random.default_rng(4)
    n = 300
    holds, groups = random.random((n, 5)) < 0.4, random.integers(0, 2, n)
    targets = random.integers(0, 2 if task == "classification" else 30, n).astype(float)
    problem = TreeProblem(TreeRows.merge(holds, groups, targets, ["a", "b"]), task=task)
    alike = [targets[(holds == row).all(axis=1)] for row in np.unique(holds, axis=0)]
    expected = sum(np.abs(part - np.quantile(part, 0.5, method="inverted_cdf")).sum() for part in alike) / n
    assert perfect_bound(DualState(problem, Budget(5.0))) == pytest.approx(expected)


def test_many_different_rows_do_not_hold_up_the_first_bound(monkeypatch):
    random = np.random.default_rng(5)
    n = 3_000
    rows = TreeRows.merge(random.random((n, 30)) < 0.5, random.integers(0, 2, n), random.normal(size=n), ["a", "b"])
    state = DualState(TreeProblem(rows, task="regression"), Budget(5.0))
    asked = []
    best_leaf = leaf_costs.LeafCosts.best_leaf
    monkeypatch.setattr(leaf_costs.LeafCosts, "best_leaf", lambda *given: asked.append(1) or best_leaf(*given))
    assert perfect_bound(state) == pytest.approx(0.0)
    assert len(asked) < 100
