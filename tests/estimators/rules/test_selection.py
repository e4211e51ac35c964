"""The restricted integer problem finds what trying all rule sets finds, and its bounds hold."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from event_runs import returned
from small_problems import FAIRNESS, all_outcomes, least_loss, random_problem
from sweeps import part_of

from fairaudit.errors import SolverError
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.rules import selection
from fairaudit.estimators.rules.master import Master
from fairaudit.estimators.rules.problem import Patterns, Problem, RuleColumns, outcome_of
from fairaudit.estimators.rules.selection import RestrictedModel, iter_least_gap, iter_select
from fairaudit.events import STOP, Incumbent, Progress
from fairaudit.solver import new_model, solve
from fairaudit.work import Budget


def stopped(events):
    """Send STOP and return the result."""
    try:
        events.send(STOP)
        while True:
            next(events)
    except StopIteration as end:
        return end.value


def select(problem, columns, **settings):
    return returned(iter_select(problem, columns, **({"budget": Budget(60)} | settings)))


@pytest.mark.thorough
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", FAIRNESS)
@pytest.mark.parametrize("n_groups", part_of([2, 3, 4], [2, 3]))
def test_the_optimum_is_that_of_trying_all_rule_sets(fairness, objective, n_groups):
    for seed in range(3):
        limit = (0.0, 0.05, 0.2)[seed]
        problem, columns = random_problem(
            seed, fairness=fairness, n_groups=n_groups, objective=objective, max_difference=limit
        )
        selected, least = select(problem, columns), least_loss(problem, columns)
        if math.isinf(least):
            assert selected.status == "infeasible" and not selected.solutions, seed
            continue
        assert (selected.status, selected.objective, selected.bound) == ("optimal", least, least), seed
        best = outcome_of(problem, columns, selected.solutions[0])
        assert best.fits_master(problem) and best.loss(problem) == least, seed


@pytest.mark.thorough
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", FAIRNESS)
def test_the_optimum_is_that_of_the_whole_pool_though_few_columns_are_kept_at_first(fairness, objective, monkeypatch):
    monkeypatch.setattr(selection, "FIRST_KEPT", 2)
    monkeypatch.setattr(selection, "IMPROVED_STARTS", 0)
    grown = 0
    for seed in range(4):
        problem, columns = random_problem(seed, fairness=fairness, objective=objective, max_difference=0.15)
        duals = Master(problem).solve(columns.covers, columns.costs).duals
        costs = duals.reduced_costs(columns.covers, columns.costs)
        selected = select(problem, columns, reduced_costs=costs, lp_bound=duals.value)
        least = least_loss(problem, columns)
        if math.isinf(least):
            assert selected.status == "infeasible", seed
        else:
            assert (selected.objective, selected.bound) == (least, least), seed
        grown += selected.n_kept > 2
    assert grown


def test_any_duals_give_a_bound_that_holds():
    for seed in range(5):
        problem, columns = random_problem(seed, fairness="equal_opportunity")
        duals = Master(problem).solve(columns.covers[:3], columns.costs[:3]).duals
        costs = duals.reduced_costs(columns.covers, columns.costs)
        assert costs.min() < 0, "the other columns should be worth something"
        selected = select(problem, columns, reduced_costs=costs, lp_bound=duals.value, budget=Budget(1e-3))
        assert selected.bound <= least_loss(problem, columns), seed


def test_a_bound_that_is_out_of_work_still_holds():
    problem, columns = random_problem(1, n_rules=40, n=2000, n_literals=10, max_complexity=15)
    least = select(problem, columns).objective
    for work in (1e-9, 0.02, 0.2):
        selected = select(problem, columns, budget=Budget(work))
        assert 0 <= selected.bound <= least <= selected.objective


@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", [None, "equalized_odds"])
def test_merged_cells_give_the_same_optimum(fairness, objective):
    problem, columns = random_problem(3, fairness=fairness, objective=objective, n=300)
    objectives = []
    for merge in (True, False):
        with new_model("merged") as model:
            restricted = RestrictedModel(model, problem, columns, merge=merge)
            objectives.append(solve(model, variables=restricted.rules).objective)
    assert objectives == pytest.approx([least_loss(problem, columns)] * 2)


@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
def test_patterns_keep_all_rows_of_groups_and_labels(objective):
    problem, columns = random_problem(0, n=500, n_groups=3, objective=objective)
    patterns = Patterns.of(problem, columns)
    assert patterns.positives.sum(axis=0).tolist() == problem.rows.totals[:, 1].tolist()
    negatives = problem.rows.totals[:, 0] if objective == "zero_one" else np.zeros(3)
    assert patterns.negatives.sum(axis=0).tolist() == negatives.tolist()
    assert len(np.unique(patterns.covers, axis=0)) == len(patterns) < problem.rows.labels.sum()


def test_every_solution_meets_the_rows_of_the_master_problem_and_the_best_comes_first():
    problem, columns = random_problem(2, n_rules=12)
    selected = select(problem, columns)
    losses = []
    for places in selected.solutions:
        outcome = outcome_of(problem, columns, places)
        assert outcome.fits_master(problem)
        losses.append(outcome.loss(problem))
    assert len(losses) > 1 and losses == sorted(losses)
    assert len(set(selected.solutions)) == len(selected.solutions)


def test_a_start_is_never_lost():
    problem, columns = random_problem(4, n_rules=12)
    best = select(problem, columns)
    selected = select(problem, columns, start=[best.solutions[0]], budget=Budget(1e-9))
    assert selected.objective == best.objective


def test_of_rules_that_cover_the_same_the_shorter_is_taken():
    rows = random_problem(0)[0].rows
    doubled = RuleColumns(((0, 1, 2), (0,)), np.array([rows.literals[:, 2]] * 2))
    selected = select(Problem(rows, 2, None), doubled)
    assert selected.solutions[0] == (1,)
    assert select(Problem(rows, 4, None), doubled, start=[(0,)]).solutions[0] == (1,)


def test_without_columns_the_empty_rule_set_is_left():
    problem, columns = random_problem(0, fairness="demographic_parity")
    selected = select(problem, columns.take([]))
    assert selected.solutions == ((),) and selected.status == "optimal"
    assert selected.objective == problem.rows.totals[:, 1].sum()


def test_columns_that_are_too_complex_are_not_taken():
    problem, columns = random_problem(0, fairness=None)
    simple = Problem(problem.rows, max_complexity=2)
    selected = select(simple, columns)
    assert selected.objective == least_loss(simple, columns)
    assert all(columns.costs[list(places)].sum() <= 2 for places in selected.solutions)


def test_the_same_problem_gives_the_same_solutions():
    problem, columns = random_problem(5, n_rules=15, n=400)
    first, second = (select(problem, columns, random_state=3) for _ in range(2))
    assert first.solutions == second.solutions


def large_problem():
    """Return a problem that takes minutes to prove."""
    return random_problem(0, n=4000, n_literals=16, n_rules=400, max_complexity=40, fairness="equalized_odds")


@pytest.mark.thorough
def test_stop_ends_at_once_with_the_best_so_far():
    problem, columns = large_problem()
    events = iter_select(problem, columns, budget=Budget(60))
    while not isinstance(next(events), Incumbent):
        pass
    begun = time.monotonic()
    selected = stopped(events)
    assert selected.status == "stopped" and selected.solutions
    assert time.monotonic() - begun < 5
    assert selected.bound < selected.objective


def test_where_scip_fails_the_starts_are_left(monkeypatch):
    def failing(*arguments, **settings):
        raise SolverError("SCIP gave up.")
        yield

    monkeypatch.setattr(selection, "iter_solve", failing)
    problem, columns = random_problem(0)
    selected = select(problem, columns)
    assert selected.solutions and selected.status == "gap"
    assert selected.bound <= least_loss(problem, columns) <= selected.objective
    nothing, columns = random_problem(0, fairness="error_rate", max_difference=0.0)
    assert least_loss(nothing, columns) == math.inf
    with pytest.raises(SolverError):
        select(nothing, columns)


def test_a_stop_before_anything_leaves_the_starts():
    problem, columns = random_problem(0)
    events = iter_select(problem, columns, budget=Budget(60), start=[(0,)])
    next(events)
    selected = stopped(events)
    assert () in selected.solutions and selected.status == "stopped"


def test_the_limit_of_work_is_kept():
    problem, columns = large_problem()
    begun = time.process_time()
    selected = select(problem, columns, budget=Budget(1.0))
    assert selected.status == "work_limit" and selected.solutions
    assert time.process_time() - begun < 6


@pytest.mark.thorough
def test_figures_are_those_of_the_whole_search(capfd):
    problem, columns = large_problem()
    events = list(iter_select(problem, columns, budget=Budget(2.0)))
    found = [event.figures for event in events if isinstance(event, Incumbent)]
    assert all(set(figures) == {"objective", "bound", "share", "proven_columns"} for figures in found)
    assert all(figures["bound"] <= figures["objective"] for figures in found)
    progress = [event for event in events if isinstance(event, Progress)]
    assert all(0 <= event.done <= event.total == TOTAL for event in progress)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("fairness", ["error_rate", "equalized_odds"])
@pytest.mark.parametrize("n_groups", [2, 3])
def test_the_least_gap_is_that_of_trying_all_rule_sets(fairness, n_groups):
    for seed in range(4):
        objective = ("hamming", "zero_one")[seed % 2]
        problem, columns = random_problem(seed, fairness=fairness, n_groups=n_groups, objective=objective)
        outcomes = all_outcomes(problem, columns).values()
        least = min(o.proxy_gap if objective == "hamming" else o.gap for o in outcomes)
        found = returned(iter_least_gap(problem, columns, budget=Budget(60)))
        assert found.gap == pytest.approx(least, abs=1e-7), seed
        assert found.bound <= least + 1e-7 and found.status == "optimal", seed
        reachable = Problem(problem.rows, problem.max_complexity, fairness, found.gap, objective)
        assert outcome_of(reachable, columns, found.solutions[0]).fits_master(reachable), seed


def test_the_search_for_the_least_gap_shows_a_gap_and_no_loss():
    shown = []
    for seed in range(4):
        problem, columns = random_problem(seed, fairness="error_rate")
        events = iter_least_gap(problem, columns, budget=Budget(60))
        shown += [event for event in events if isinstance(event, Incumbent)]
    assert shown and {event.what for event in shown} == {"least_gap"}
    assert {frozenset(event.figures) for event in shown} == {frozenset(("gap", "bound", "share"))}
    assert all(event.figures["gap"] >= event.figures["bound"] >= 0 for event in shown if event.best)


def test_the_least_gap_of_a_search_that_is_stopped_is_that_of_a_start():
    problem, columns = random_problem(0, fairness="error_rate")
    events = iter_least_gap(problem, columns, budget=Budget(60), start=[(0,), (1,)])
    next(events)
    found = stopped(events)
    assert found.status == "stopped" and len(found.solutions) == 3
    assert found.gap == min(outcome_of(problem, columns, places).proxy_gap for places in ((), (0,), (1,)))
