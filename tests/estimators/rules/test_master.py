"""The relaxation of the master problem against its definition, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from every_rule import KINDS, every_rule, relaxation, tiny_problem
from sweeps import part_of

from fairaudit.estimators.rules import master
from fairaudit.estimators.rules.master import Master, duals_of
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows
from fairaudit.work import Budget


@pytest.mark.thorough
@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_the_merged_relaxation_has_the_value_of_the_plain_one(fairness, objective, n_groups):
    for seed in range(3):
        problem = tiny_problem(seed, fairness, objective, n_groups)
        columns = every_rule(problem)
        solution = Master(problem).solve(columns.covers, columns.costs)
        expected = relaxation(problem, columns)
        assert expected is not None
        assert solution.value == pytest.approx(expected, abs=1e-6), (seed, problem.max_complexity)
        assert solution.excess == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_duals_are_feasible_for_the_rules_and_worth_the_value(fairness, objective, n_groups):
    problem = tiny_problem(7, fairness, objective, n_groups)
    columns = every_rule(problem)
    solution = Master(problem).solve(columns.covers, columns.costs)
    reduced = solution.duals.reduced_costs(columns.covers, columns.costs)
    assert reduced.min() > -1e-6
    assert np.abs(reduced[solution.taken > 1e-6]).max(initial=0) < 1e-6
    assert solution.duals.value == pytest.approx(solution.value, abs=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_a_rule_whose_reduced_cost_is_not_negative_cannot_improve_the_value(fairness, objective, n_groups):
    problem = tiny_problem(3, fairness, objective, n_groups)
    columns, some = every_rule(problem), np.arange(4)
    solution = Master(problem).solve(columns.covers[some], columns.costs[some])
    reduced = solution.duals.reduced_costs(columns.covers, columns.costs)
    for place in np.flatnonzero(reduced > 1e-7)[:5]:
        with_it = relaxation(problem, columns.take([*some, place]))
        assert with_it == pytest.approx(relaxation(problem, columns.take(some)), abs=1e-6)
    if reduced.min() >= -1e-7:
        assert solution.value == pytest.approx(relaxation(problem, columns), abs=1e-5)


@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_any_duals_bound_the_relaxation_once_no_reduced_cost_is_negative(fairness, objective, n_groups):
    problem = tiny_problem(5, fairness, objective, n_groups)
    columns, random = every_rule(problem), np.random.default_rng(0)
    value = relaxation(problem, columns)
    for _ in range(5):
        worth = problem.rows.weights * random.normal(0.5, 0.5, problem.rows.n_cells)
        balances = random.normal(0, 10, (len(problem.rates), n_groups))
        duals = duals_of(problem, worth, balances, 0.0)
        reduced = duals.reduced_costs(columns.covers, columns.costs)
        feasible = duals.raised(max(0.0, (-reduced / columns.costs).max()))
        assert feasible.reduced_costs(columns.covers, columns.costs).min() > -1e-9
        assert feasible.value <= value + 1e-6


@pytest.mark.thorough
@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_a_program_that_begins_with_cuts_of_others_has_the_same_value(fairness, objective, n_groups):
    problem = tiny_problem(11, fairness, objective, n_groups, n_rows=300, n_literals=7)
    columns, random = every_rule(problem), np.random.default_rng(1)
    kept = Master(problem)
    for size in (4, 12, 20, 30, len(columns)):
        some = np.sort(random.choice(len(columns), min(size, len(columns)), replace=False))
        value = kept.solve(columns.covers[some], columns.costs[some]).value
        fresh = Master(problem).solve(columns.covers[some], columns.costs[some])
        assert value == pytest.approx(fresh.value, abs=1e-4), size
    assert len(kept.missed) <= master.MOST_KEPT


@pytest.mark.parametrize(
    ("fairness", "objective", "n_groups"), part_of(KINDS, [kind for kind in KINDS if kind[2] == 3], rest="thorough")
)
def test_a_loose_value_is_too_low_by_a_share_of_the_distance_to_the_bound_and_bounds(fairness, objective, n_groups):
    n_loose = 0
    for seed in range(2):
        problem = tiny_problem(seed, fairness, objective, n_groups, n_rows=100, n_literals=5)
        columns = every_rule(problem)
        exact = Master(problem).solve(columns.covers, columns.costs)
        for distance in (1e-3, 1.0, 30.0):
            loose = Master(problem).solve(columns.covers, columns.costs, bound=exact.value - distance)
            assert loose.value <= exact.value + 1e-6
            assert loose.duals.value == pytest.approx(loose.value, abs=1e-5)
            assert loose.is_loose or loose.value == pytest.approx(exact.value, abs=1e-5)
            if not problem.rates:
                assert loose.value >= exact.value - master.LOOSENESS * distance - 1e-5
            n_loose += loose.is_loose
        assert not exact.is_loose
    assert n_loose > 0


def test_the_excess_is_what_no_rule_can_take_from_the_difference():
    # One literal that holds nowhere useful: error rates are the base rates, .5 and .1.
    labels = np.array([True] * 5 + [False] * 5 + [True] + [False] * 9)
    groups = np.repeat([0, 1], 10)
    rows = RuleRows.merge(np.zeros((20, 1), dtype=bool), labels, groups, ["first", "second"])
    problem = Problem(rows, max_complexity=4, fairness="error_rate", max_difference=0.1)
    solution = Master(problem).solve(np.zeros((0, rows.n_cells), dtype=bool), np.zeros(0, dtype=np.int64))
    assert solution.excess == pytest.approx(0.3)


def test_two_equal_columns_change_nothing():
    problem = tiny_problem(1, "equalized_odds", "hamming", 2)
    columns = every_rule(problem)
    once = Master(problem).solve(columns.covers, columns.costs)
    twice = Master(problem).solve(np.vstack([columns.covers] * 2), np.tile(columns.costs, 2))
    assert twice.value == pytest.approx(once.value, abs=1e-7)


def test_a_program_that_may_take_no_step_gives_nothing(monkeypatch):
    monkeypatch.setattr(master, "FEWEST_ITERATIONS", 0)
    problem = tiny_problem(1, "equalized_odds", "hamming", 2, n_rows=400, n_literals=8)
    columns = every_rule(problem)
    assert Master(problem).solve(columns.covers, columns.costs, budget=Budget(0.0)) is None


def test_no_rules_leave_all_positive_rows_missed():
    problem = tiny_problem(2, "equal_opportunity", "hamming", 2)
    none = RuleColumns.of([], problem.rows)
    assert Master(problem).solve(none.covers, none.costs).value == pytest.approx(problem.rows.totals[:, 1].sum())


@pytest.mark.parametrize("fairness", [None, "equalized_odds"])
def test_without_positive_rows_rules_and_rates_nothing_is_lost(fairness):
    rows = RuleRows.merge(np.eye(3, dtype=bool), np.zeros(3, dtype=bool), np.zeros(3, dtype=int), ["all"])
    solution = Master(Problem(rows, 4, fairness)).solve(np.zeros((0, rows.n_cells), dtype=bool), np.zeros(0, dtype=int))
    assert (solution.value, solution.excess, len(solution.taken)) == (0, 0, 0)
    columns = every_rule(Problem(rows, 4, fairness))
    assert solution.duals.value == 0 and solution.duals.reduced_costs(columns.covers, columns.costs).min() >= 0
