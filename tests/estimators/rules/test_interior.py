"""The interior point method against the relaxation written row by row, and rounds at central duals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from every_rule import KINDS, every_rule, relaxation, run, tiny_problem
from threadpoolctl import threadpool_info, threadpool_limits

from fairaudit.estimators.rules import generation, rounds
from fairaudit.estimators.rules.generation import GenerationStart, iter_generate
from fairaudit.estimators.rules.interior import LOOSE, Interior
from fairaudit.estimators.rules.master import Master
from fairaudit.estimators.rules.problem import Problem, RuleRows
from fairaudit.work import Budget

HAMMING = [(fairness, n_groups) for fairness, objective, n_groups in KINDS if objective == "hamming"]


def solved(problem, columns, **options):
    master = Master(problem)
    return Interior(master).solve(columns.covers, columns.costs, master.tally(columns.covers), **options)


@pytest.mark.parametrize(("fairness", "n_groups"), HAMMING)
def test_it_has_the_value_of_the_plain_relaxation_with_and_without_a_beginning(fairness, n_groups):
    for seed in range(2):
        problem = tiny_problem(seed, fairness, "hamming", n_groups)
        assert problem.rows.weights.max() > 1
        columns = every_rule(problem)
        expected = relaxation(problem, columns)
        cold = solved(problem, columns)
        assert cold.solution.value == pytest.approx(expected, abs=2e-5), seed
        assert cold.solution.duals.value == pytest.approx(expected, abs=2e-5), seed
        assert cold.solution.excess == pytest.approx(0, abs=1e-7)
        loose = solved(problem, columns, bound=expected - 1)
        proven = loose.prices.raised(loose.solution.duals.price * problem.max_complexity)
        warm = solved(problem, columns, proven=proven, shares=loose.solution.taken)
        assert warm.solution.value == pytest.approx(expected, abs=2e-5), seed


@pytest.mark.parametrize(("fairness", "n_groups"), HAMMING)
def test_a_loose_end_is_as_near_as_asked_and_its_duals_bound(fairness, n_groups):
    problem = tiny_problem(5, fairness, "hamming", n_groups)
    columns = every_rule(problem)
    expected = relaxation(problem, columns)
    for distance in (0.1, 3.0):
        found = solved(problem, columns, bound=expected - distance).solution
        assert found.duals.value <= expected + 1e-6 <= found.value + 1e-4
        assert found.value - found.duals.value <= LOOSE * (found.value - expected + distance) + 1e-5
        assert found.duals.reduced_costs(columns.covers, columns.costs).min() > -1e-7


def test_the_excess_is_what_no_rule_can_take_from_the_difference():
    # The one rule helps the group that has fewer errors as it is.
    labels = np.array([True] * 5 + [False] * 5 + [True] + [False] * 9)
    rows = RuleRows.merge(np.arange(20)[:, None] == 10, labels, np.repeat([0, 1], 10), ["first", "second"])
    problem = Problem(rows, max_complexity=4, fairness="error_rate", max_difference=0.1)
    columns = every_rule(problem)
    found, exact = solved(problem, columns).solution, Master(problem).solve(columns.covers, columns.costs)
    assert exact.excess == pytest.approx(0.3)
    assert found.excess == pytest.approx(exact.excess, abs=1e-6)
    assert found.value == pytest.approx(exact.value, abs=1e-3)


def test_without_work_there_is_no_end():
    problem = tiny_problem(1, "equalized_odds", "hamming", 2)
    assert solved(problem, every_rule(problem), budget=Budget(0.0)) is None


@pytest.fixture
def only_central(monkeypatch):
    """Begin with nothing, on tables of any size, and count the rounds at vertices as a failure."""

    def nothing(*arguments):
        yield from ()
        return ()

    monkeypatch.setattr(generation, "iter_mine_rules", nothing)
    monkeypatch.setattr(rounds, "FEWEST_CELLS", 0)
    monkeypatch.setattr(rounds.Rounds, "iter_run", None)


@pytest.mark.parametrize(("fairness", "n_groups"), HAMMING)
def test_rounds_end_at_the_relaxation_over_all_rules(only_central, fairness, n_groups):
    problem = tiny_problem(11, fairness, "hamming", n_groups)
    _, result = run(iter_generate(problem, budget=Budget(60.0), pricing_limit=20))
    expected = relaxation(problem, every_rule(problem))
    assert result.status == "closed"
    assert result.lp_value == pytest.approx(expected, abs=1e-4)
    assert expected - 0.01 <= result.bound <= expected + 1e-6


@pytest.mark.parametrize("fairness", [None, "equal_opportunity", "equalized_odds"])
def test_bounds_hold_in_each_round_and_the_same_seed_gives_the_same(only_central, fairness):
    problem = replace(
        tiny_problem(37, fairness, "hamming", 2, n_rows=400, n_literals=9), max_complexity=12, max_rule_length=3
    )
    (_, first), (_, second) = (run(iter_generate(problem, budget=Budget(60.0), pricing_limit=20)) for _ in range(2))
    value = relaxation(problem, every_rule(problem))
    assert first.closed
    assert all(each.bound <= value + 1e-6 for each in first.path)
    assert all(each.lp_value >= value - 1e-4 for each in first.path)
    assert first.columns.rules == second.columns.rules
    assert [each.lp_value for each in first.path] == [each.lp_value for each in second.path]


def test_where_work_runs_out_within_a_solve_the_bound_of_the_last_round_stays(only_central, monkeypatch):
    solve, n_solves = Interior.solve, []

    def solve_twice(self, *arguments, budget, **options):
        n_solves.append(1)
        if len(n_solves) > 2:
            budget.spend(seconds=1e6)
        return solve(self, *arguments, budget=budget, **options)

    monkeypatch.setattr(Interior, "solve", solve_twice)
    problem = tiny_problem(37, "equal_opportunity", "hamming", 2, n_rows=400, n_literals=9)
    problem = replace(problem, max_complexity=12, max_rule_length=3)
    _, result = run(iter_generate(problem, budget=Budget(60.0), pricing_limit=20))
    assert (len(result.path), result.status) == (2, "work_limit")
    assert result.bound == result.path[-1].bound > 0


@pytest.mark.parametrize("fairness", [None, "equalized_odds"])
def test_longer_rules_begin_at_the_central_prices_of_shorter_ones(only_central, fairness):
    problem = tiny_problem(37, fairness, "hamming", 2, n_rows=400, n_literals=9)
    problem = replace(problem, max_complexity=12, max_rule_length=2)
    limits = {"budget": Budget(60.0), "pricing_limit": 20}
    _, short = run(iter_generate(problem, **limits))
    longer = replace(problem, max_rule_length=3)
    known = GenerationStart(short.columns.rules)
    _, plain = run(iter_generate(longer, begun=known, **limits))
    _, found = run(iter_generate(longer, begun=replace(known, prices=short.prices), **limits))
    value = relaxation(longer, every_rule(longer))
    assert plain.path[0].bound < found.path[0].bound <= value + 1e-6
    assert found.closed and found.lp_value == pytest.approx(value, abs=1e-4)


def test_sums_are_those_of_one_thread_whatever_the_caller_set(only_central, monkeypatch):
    used, solve = [], Interior.solve

    def counted(*arguments, **options):
        used.append({library["num_threads"] for library in threadpool_info()})
        return solve(*arguments, **options)

    monkeypatch.setattr(Interior, "solve", counted)
    with threadpool_limits(2):
        run(iter_generate(tiny_problem(1, None, "hamming", 2), budget=Budget(60.0), pricing_limit=20))
        assert {library["num_threads"] for library in threadpool_info()} == {2}
    assert used and all(threads == {1} for threads in used)
