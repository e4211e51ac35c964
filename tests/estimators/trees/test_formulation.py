"""The two forms of the integer problem find what brute force over all trees finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from big_m import big_m_objective
from event_runs import returned
from fair_problems import KINDS, best_by_force, fair_problem
from mixed_problems import ASKED, mixed_problem

from fairaudit.estimators.trees.formulation import model
from fairaudit.estimators.trees.formulation.search import iter_scip
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, didi_measure, parity_limit
from fairaudit.work import Budget


def ended(problem: TreeProblem, **asked):
    """Return the end of a search with SCIP."""
    return returned(iter_scip(problem, **{"budget": Budget(60.0), "bound": -np.inf, **asked}))


@pytest.fixture(params=["paths", "flow"])
def form(request, monkeypatch):
    """Have one form used for all problems that both can state."""
    if request.param == "flow":
        monkeypatch.setattr(model, "MOST_PATH_COLUMNS", 0)
    return request.param


def assert_best(problem, best, shown):
    """Hold a search against the best objective there is."""
    found = ended(problem).found
    assert found.status == ("optimal" if np.isfinite(best) else "infeasible"), (shown, best, found)
    assert found.objective == pytest.approx(best, abs=1e-7, rel=1e-7), (shown, best, found)
    if found.shape is not None:
        assert problem.allows(found.shape), shown
        assert found.objective == problem.objective(found.shape), shown


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_labels_are_the_best_of_all_trees(seed, kind, form):
    problem = fair_problem(seed, "classification", kind, n=30, n_splits=3, n_groups=2 + seed)
    assert_best(problem, best_by_force(problem), (seed, kind, form))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_the_best_of_all_trees(kind):
    problem = fair_problem(2, "regression", kind, n=30, n_splits=3, max_depth=1)
    assert_best(problem, best_by_force(problem), kind)


def test_numbers_of_depth_two_are_the_best_of_all_trees():
    problem = fair_problem(3, "regression", "priced", n=20, n_splits=2)
    assert_best(problem, best_by_force(problem), "depth 2")


@pytest.mark.parametrize("name", ["four_fifths", "equal_opportunity", "equalized_odds"])
def test_limits_are_met_at_the_least_cost(name, form):
    problem = fair_problem(4, "classification", "free", n=30, n_splits=3)
    problem = replace(problem, limit=parity_limit(problem.rows, name, 0.05), limit_price=0.2)
    assert_best(problem, best_by_force(problem), (name, form))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "asked",
    [
        {"max_features": 1},
        {"max_uses_per_feature": 1},
        {"max_features": 2, "max_uses_per_feature": 1, "min_leaf_size": 4},
        {"split_price": 0.03},
        {"min_leaf_size": 8},
    ],
)
def test_small_trees_are_the_best_of_those_that_are_small_enough(asked, form):
    problem = fair_problem(5, "classification", "limited", n=30, n_splits=4)
    problem = replace(problem, columns=(0, 0, 1, 2), **asked)
    assert_best(problem, best_by_force(problem), (asked, form))


@pytest.mark.parametrize("asked", [{"max_features": 1}, {"min_leaf_size": 8, "split_price": 0.01}])
def test_small_regression_trees_are_the_best_of_those_that_are_small_enough(asked):
    problem = replace(fair_problem(6, "regression", "free", n=20, n_splits=2), columns=(0, 1), **asked)
    assert_best(problem, best_by_force(problem), asked)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_cuts_say_the_same_as_a_row_for_each_form(task, form, monkeypatch):
    monkeypatch.setattr(model, "MOST_FORMS_AS_ROWS", 1)
    for kind in ("dtdi", "bounded"):
        problem = fair_problem(7, task, kind, n=24, n_splits=3, max_depth=2 if task == "classification" else 1)
        assert_best(problem, best_by_force(problem), (task, kind, form))


def test_many_forms_keep_what_predicts_otherwise(monkeypatch):
    monkeypatch.setattr("fairaudit.estimators.trees.formulation.paths.MOST_FORMS_OF_COLUMNS", 0)
    problem = fair_problem(8, "classification", "both", n=24, n_splits=3)
    assert_best(problem, best_by_force(problem), "marks")


@pytest.mark.parametrize("asked", ASKED)
def test_the_form_of_the_paper_agrees(asked):
    mixed = mixed_problem(9, "classification", asked, 1, n=10)
    best = big_m_objective(mixed.problem, mixed.numbers, mixed.level_parts)
    found = ended(mixed.problem, levels=mixed.levels).found
    assert best == pytest.approx(best_by_force(mixed.by_subset), abs=1e-6)
    assert found.objective == pytest.approx(best, abs=1e-6)


def test_the_form_of_the_paper_agrees_at_depth_two():
    mixed = mixed_problem(10, "classification", "didi", 2, n=9)
    best = big_m_objective(mixed.problem, mixed.numbers, mixed.level_parts)
    assert ended(mixed.problem, levels=mixed.levels).found.objective == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("asked", ["didi", "bounded"])
def test_the_form_of_the_paper_agrees_on_numbers(asked):
    mixed = mixed_problem(11, "regression", asked, 1, n=8)
    best = big_m_objective(mixed.problem, mixed.numbers, mixed.level_parts)
    assert ended(mixed.problem, levels=mixed.levels).found.objective == pytest.approx(best, abs=1e-6)


def test_a_price_of_a_billion_leaves_no_gap(form):
    problem = fair_problem(12, "classification", "priced", n=30, n_splits=3)
    dear = ended(replace(problem, price=1e9)).found
    assert dear.status == "optimal"
    assert problem.measures[0].value(dear.shape.predict(problem.rows.holds)) < 1e-12
    bounded = replace(problem, price=0.0, max_measure=0.0)
    assert dear.objective == pytest.approx(best_by_force(bounded), abs=1e-4)


def test_splits_that_part_nothing_are_no_harm(form):
    holds = np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1], [1, 0, 0]], dtype=bool)
    rows = TreeRows.merge(holds, np.array([0, 0, 1, 1]), np.array([1.0, 0, 1, 0]), ["a", "b"])
    found = ended(TreeProblem(rows, measures=(didi_measure(rows, "classification"),), price=1.0)).found
    assert (found.objective, found.status, found.shape.n_splits) == (0.0, "optimal", 1)
    nothing = replace(rows, holds=holds[:, :2])
    found = ended(TreeProblem(nothing)).found
    assert (found.objective, found.status, found.shape.n_splits) == (0.5, "optimal", 0)
