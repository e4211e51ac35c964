"""Rounds of column generation: they end at the relaxation over all rules, and bounds hold wherever they are stopped."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from every_rule import KINDS, every_rule, relaxation, run, tiny_problem
from small_problems import least_loss

from fairaudit.estimators.rules import generation, rounds
from fairaudit.estimators.rules.generation import iter_generate, sampled_rows
from fairaudit.estimators.rules.master import ColumnPool, Master
from fairaudit.estimators.rules.pricing import LiteralTable
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, outcome_of
from fairaudit.events import Incumbent, Progress
from fairaudit.work import Budget

COMPAS_VALUES = {"equalized_odds": 1740.014, "equal_opportunity": 1739.745, None: 1653.0}


def generated(problem, *, stop_at=None, start=None, work=60.0):
    return run(iter_generate(problem, budget=Budget(work), pricing_limit=20, start=start), stop_at=stop_at)


def rows_of(literals, labels, groups=None, names=("all",)):
    groups = np.zeros(len(labels), dtype=np.int64) if groups is None else np.asarray(groups, dtype=np.int64)
    return RuleRows.merge(np.asarray(literals, dtype=bool), np.asarray(labels, dtype=bool), groups, names)


@pytest.fixture
def without_trees(monkeypatch):
    """Start from nothing, so that rounds are needed."""

    def nothing(*arguments):
        yield from ()
        return ()

    monkeypatch.setattr(generation, "iter_mine_rules", nothing)


@pytest.fixture
def few_at_once(without_trees, monkeypatch):
    """Add one rule a round, and search exactly only where the beam finds nothing."""
    monkeypatch.setattr(rounds, "N_NEW", 1)
    monkeypatch.setattr(rounds, "QUICK_WORK", 0.0)


def test_after_a_stop_no_rows_are_put_together_to_look_for_rules_in(monkeypatch):
    problem = tiny_problem(11, "equalized_odds", "hamming", 2)
    made = []
    monkeypatch.setattr(
        rounds, "LiteralTable", SimpleNamespace(of=lambda rows: made.append(rows) or LiteralTable.of(rows))
    )
    generated(problem)
    assert made
    made.clear()
    _, result = generated(problem, stop_at=1)
    assert result.status == "stopped" and not made


@pytest.mark.thorough
@pytest.mark.parametrize(("fairness", "objective", "n_groups"), KINDS)
def test_it_ends_at_the_relaxation_over_all_rules(without_trees, fairness, objective, n_groups):
    problem = tiny_problem(11, fairness, objective, n_groups)
    _, result = generated(problem)
    expected = relaxation(problem, every_rule(problem))
    assert result.closed
    assert result.status == "closed"
    assert result.lp_value == pytest.approx(expected, abs=1e-5)
    assert expected - 0.01 <= result.bound <= expected + 1e-6


@pytest.mark.parametrize("fairness", [None, "equal_opportunity", "equalized_odds", "error_rate"])
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
def test_one_rule_a_round_ends_there_too(few_at_once, fairness, objective):
    problem = tiny_problem(13, fairness, objective, 2)
    _, result = generated(problem)
    assert result.closed
    assert result.lp_value == pytest.approx(relaxation(problem, every_rule(problem)), abs=1e-5)


@pytest.mark.parametrize("fairness", [None, "fpr", "equalized_odds", "demographic_parity"])
@pytest.mark.parametrize("stop_at", [1, 3, 6, 10])
def test_the_bound_holds_wherever_it_is_stopped(few_at_once, fairness, stop_at):
    problem = tiny_problem(17, fairness, "hamming", 3, n_rows=120)
    _, result = generated(problem, stop_at=stop_at)
    value = relaxation(problem, every_rule(problem))
    assert 0 <= result.bound <= value + 1e-6
    assert result.lp_value >= value - 1e-6
    assert result.status in {"stopped", "closed"}
    assert all(each.bound <= value + 1e-6 for each in result.path)


@pytest.mark.thorough
@pytest.mark.parametrize("fairness", [None, "equal_opportunity", "equalized_odds", "demographic_parity", "error_rate"])
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
def test_bound_value_and_integer_optimum_stand_in_order(fairness, objective):
    problem = replace(tiny_problem(19, fairness, objective, 2, n_literals=4), max_rule_length=1)
    _, result = generated(problem)
    columns = every_rule(problem)
    value, optimum = relaxation(problem, columns), least_loss(problem, columns)
    assert result.bound <= value + 1e-6
    assert value <= optimum + 1e-6
    assert not result.incumbent < optimum


@pytest.mark.parametrize("fairness", [None, "equal_opportunity"])
def test_a_rule_set_with_a_rule_loses_at_least_the_bound_and_its_reduced_cost(fairness):
    problem = tiny_problem(23, fairness, "hamming", 2)
    _, result = generated(problem)
    assert result.closed
    columns = every_rule(problem)
    reduced = result.duals.reduced_costs(columns.covers, columns.costs)
    assert reduced.min() > -1e-6
    assert result.dual_bound == pytest.approx(result.duals.value)
    # Pairs of rules stand for all rule sets that hold them.
    n_checked = 0
    for place in np.argsort(-reduced)[:4]:
        for other in range(len(columns)):
            outcome = outcome_of(problem, columns, sorted({int(place), other}))
            if outcome.fits_master(problem):
                assert outcome.hamming >= result.dual_bound + reduced[place] - 1e-6
                n_checked += 1
    assert n_checked > 0


def test_the_rounded_rule_set_is_among_the_columns_and_has_its_loss():
    problem = tiny_problem(29, "equal_opportunity", "hamming", 2)
    _, result = generated(problem)
    outcome = outcome_of(problem, result.columns, result.rounded)
    assert outcome.meets(problem)
    assert outcome.hamming == result.incumbent
    assert result.incumbent <= problem.rows.totals[:, 1].sum()


def test_each_round_shows_its_figures_and_the_path_keeps_them(few_at_once):
    events, result = generated(tiny_problem(31, "equalized_odds", "hamming", 2))
    shown = [event.figures for event in events if isinstance(event, Incumbent)]
    assert len(shown) == result.n_rounds == len(result.path) > 2
    assert [figures["lp"] for figures in shown] == [each.lp_value for each in result.path]
    assert all(set(figures) == {"round", "columns", "lp", "bound", "incumbent"} for figures in shown)
    bounds = [each.bound for each in result.path]
    assert bounds == sorted(bounds)
    assert any(isinstance(event, Progress) for event in events)


def test_the_same_seed_gives_the_same_rules():
    problem = tiny_problem(37, "equalized_odds", "hamming", 2, n_rows=300, n_literals=8)
    first, second = (generated(problem)[1] for _ in range(2))
    assert first.columns.rules == second.columns.rules
    assert first.rounded == second.rounded
    assert [each.lp_value for each in first.path] == [each.lp_value for each in second.path]


def test_rules_it_starts_from_stay():
    problem = tiny_problem(41, None, "hamming", 2)
    start = RuleColumns.of([(0, 1), (0,), (5,), (2, 3)], problem.rows)
    _, result = generated(problem, start=start)
    assert set(start.rules) <= set(result.columns.rules)
    assert result.closed


def test_a_second_of_time_is_enough_for_an_answer():
    problem = tiny_problem(43, "equalized_odds", "hamming", 2, n_rows=3000, n_literals=40)
    problem = replace(problem, max_complexity=30, max_rule_length=29)
    _, result = generated(problem, work=1.0)
    assert result.status == "work_limit"
    assert 0 <= result.bound <= result.lp_value
    assert np.isfinite(result.incumbent)


def test_rounds_that_bring_nothing_end_the_search(without_trees, monkeypatch):
    monkeypatch.setattr(rounds, "QUICK_WORK", 0.0)
    monkeypatch.setattr(rounds, "STUCK_ROUNDS", 2)
    monkeypatch.setattr(rounds, "STUCK_SHARE", 1.0)
    monkeypatch.setattr(rounds, "STUCK_WORK", 0.0)
    monkeypatch.setattr(rounds, "N_NEW", 3)
    problem = replace(
        tiny_problem(43, "equalized_odds", "hamming", 2, n_rows=2000, n_literals=30),
        max_complexity=20,
        max_rule_length=19,
    )
    monkeypatch.setattr(rounds, "is_for_scip", lambda table: False)
    _, result = generated(problem)
    assert result.status == "gap"
    assert result.n_rounds < 10
    assert not result.closed


def test_closing_the_generator_gives_up():
    events = iter_generate(tiny_problem(3, None, "hamming", 2), budget=Budget(60), pricing_limit=5)
    next(events)
    events.close()
    with pytest.raises(StopIteration):
        next(events)


@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", [None, "equalized_odds", "error_rate"])
def test_no_literals_leave_the_empty_rule_set(fairness, objective):
    rows = rows_of(np.zeros((6, 0)), [1, 0, 1, 0, 0, 1], [0, 0, 1, 1, 0, 1], ("first", "second"))
    _, result = generated(Problem(rows, 5, fairness, 0.5, objective))
    assert result.closed
    assert len(result.columns) == 0
    assert result.lp_value == pytest.approx(3.0)
    assert result.incumbent == 3.0


def test_a_constant_literal_and_repeated_ones_do_no_harm():
    literals = np.array([[1, 0, 1, 1], [1, 0, 0, 0], [1, 0, 1, 1], [1, 0, 0, 0]])
    problem = Problem(rows_of(literals, [1, 0, 1, 0]), 4)
    _, result = generated(problem)
    assert result.closed
    assert result.lp_value == pytest.approx(0.0, abs=1e-6)
    assert outcome_of(problem, result.columns, result.rounded).errors == 0


def test_a_group_without_positive_rows_is_left_out_of_the_rate_that_it_lacks():
    problem = tiny_problem(47, "equalized_odds", "hamming", 3)
    rows = problem.rows
    problem = replace(problem, rows=replace(rows, labels=rows.labels & (rows.groups != 2)), max_difference=0.05)
    _, result = generated(problem)
    assert result.closed
    assert result.lp_value == pytest.approx(relaxation(problem, every_rule(problem)), abs=1e-5)


def test_where_no_rules_can_meet_the_limit_the_excess_says_how_far_they_stay():
    # Half of the first group and a tenth of the second are positive, and nothing distinguishes any rows.
    labels, groups = [1] * 5 + [0] * 5 + [1] + [0] * 9, [0] * 10 + [1] * 10
    for literal, excess in ((np.zeros((20, 1)), 0.3), (np.ones((20, 1)), 0.0)):
        problem = Problem(rows_of(literal, labels, groups, ("first", "second")), 4, "error_rate", 0.1)
        _, result = generated(problem)
        assert np.isnan(result.incumbent)
        assert result.rounded == ()
        # A part of the rule that holds everywhere brings the error rates together; no whole one does.
        assert result.excess == pytest.approx(excess, abs=1e-9)


def test_a_sample_keeps_shares_of_groups_and_labels():
    random, n = np.random.default_rng(0), 70_000
    rows = rows_of(random.random((n, 12)) < 0.5, random.random(n) < 0.3, random.random(n) < 0.2, ("many", "few"))
    sample = sampled_rows(rows, 0)
    assert sample.n_rows == pytest.approx(30_000, abs=5)
    assert sample.totals / sample.n_rows == pytest.approx(rows.totals / rows.n_rows, abs=1e-3)
    assert (sample.weights >= 1).all()
    assert len(sample.cells) == sample.n_rows


def test_a_sampled_table_keeps_its_bound_on_all_rows(monkeypatch):
    monkeypatch.setattr(generation, "MOST_CELLS_UNSAMPLED", 70)
    monkeypatch.setattr("fairaudit.estimators.rules.generation.N_SAMPLED", 60)
    problem = tiny_problem(53, "equalized_odds", "hamming", 2, n_rows=300)
    assert problem.rows.n_cells > 70
    _, result = generated(problem)
    assert result.closed
    assert result.lp_value == pytest.approx(relaxation(problem, every_rule(problem)), abs=1e-5)
    assert result.columns.covers.shape[1] == problem.rows.n_cells


def test_the_pool_keeps_the_shortest_rule_of_each_cover():
    rows = rows_of([[1, 1, 0], [1, 1, 1], [0, 0, 1]], [1, 0, 1])
    pool = ColumnPool(rows, Master(Problem(rows, 5)))
    assert pool.add([(0, 1), (2,), (1,), (0, 1, 2)], active=True) == 3
    assert pool.rules == [(1,), (2,), (0, 1, 2)]
    assert pool.add([(0, 2), (0,)], active=False) == 1
    assert pool.rules == [(1,), (2,), (0, 2)]
    assert pool.costs.tolist() == [2, 2, 3]


@pytest.mark.thorough
@pytest.mark.parametrize("fairness", COMPAS_VALUES)
def test_compas_closes_with_proof(shared_data, fairness):
    table = pd.read_csv(shared_data("compas_fairml_5278.csv"))
    priors = table["Number_of_Priors"]
    literals = [priors <= cut for cut in np.unique(np.quantile(priors, np.arange(1, 10) / 10))]
    literals += [table[name] == 1 for name in table.columns[2:]]
    columns = [column for literal in literals for column in (literal, ~literal)]
    groups = table["African_American"].to_numpy(dtype=np.int64)
    rows = rows_of(np.column_stack(columns), table["Two_yr_Recidivism"] == 1, groups, ("no", "yes"))
    _, result = generated(Problem(rows, 15, fairness, 0.025 if fairness else 1.0))
    assert result.closed
    assert result.bound == pytest.approx(COMPAS_VALUES[fairness], abs=0.01)
