"""Rule sets that are made while a gap only costs: they keep what is asked in the end, and are better for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from every_rule import every_rule, run
from small_problems import FAIRNESS, least_loss, random_problem
from sweeps import part_of

from fairaudit.estimators.rules import search
from fairaudit.estimators.rules.improving import RISING, Weighing, improve, iter_approach
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, outcome_of
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget


def approached(problem, columns, budget=None):
    return run(iter_approach(problem, columns, Budget() if budget is None else budget))[1]


def outcome(problem, rules):
    made = RuleColumns.of(rules, problem.rows)
    return outcome_of(problem, made, range(len(made)))


@pytest.mark.parametrize("seed", part_of(range(4), [1], rest="thorough"))
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", FAIRNESS[1:])
def test_what_is_asked_is_kept_and_the_loss_is_no_less_than_the_least(fairness, objective, seed):
    problem, columns = random_problem(
        seed, fairness=fairness, objective=objective, n_groups=2 + seed % 2, n_literals=4, max_complexity=6
    )
    rules = approached(problem, columns)
    if rules is None:
        pytest.skip("no rules keep to it")
    found = outcome(problem, rules)
    assert found.fits_master(problem) and rules == tuple(sorted(rules))
    assert found.loss(problem) >= least_loss(problem, every_rule(problem))
    assert approached(problem, columns) == rules


def test_a_gap_that_only_costs_leads_further_than_one_that_is_never_allowed():
    before = after = 0
    for seed in range(12):
        problem, columns = random_problem(seed, n=600, n_rules=20, max_difference=0.03, max_complexity=9)
        strict = improve(Weighing(problem, columns, true=False), [])
        before += outcome(problem, strict).hamming
        after += outcome(problem, approached(problem, columns)).hamming
    assert after < 0.95 * before


def priced(problem, rules, price):
    found = outcome(problem, rules)
    return found.loss(problem) + price * max(found.proxy_gap - problem.max_difference, 0.0)


def test_rules_that_are_split_lose_less_and_are_no_longer_than_is_asked():
    n_better = 0
    for seed in range(8):
        problem, _ = random_problem(seed, n=600, max_difference=0.02, max_complexity=9)
        rows = problem.rows
        rows = replace(rows, literals=np.column_stack([rows.literals, ~rows.literals]))
        problem = replace(problem, rows=rows, max_rule_length=2)
        weighing = Weighing(problem, RuleColumns.of([(place,) for place in range(12)], rows), true=False)
        whole = improve(weighing, [], price=900.0)
        split = improve(weighing, whole, price=900.0, splits=True)
        assert sum(1 + len(rule) for rule in split) <= 9 and all(len(rule) <= 2 for rule in split)
        assert priced(problem, split, 900.0) <= priced(problem, whole, 900.0) + 1e-9
        n_better += priced(problem, split, 900.0) < priced(problem, whole, 900.0) - 1e-9
    assert n_better > 0


def test_a_rule_is_split_by_what_tells_the_groups_apart():
    rng = np.random.default_rng(0)
    n = 4_000
    group, number = rng.integers(0, 2, n), rng.integers(0, 10, n)
    code = rng.random(n) < 0.2 + 0.6 * group
    y = (number >= 5) ^ (rng.random(n) < np.where(group == 1, 0.25, 0.1))
    at_least = number[:, None] >= np.arange(1, 10)
    literals = np.column_stack([at_least, ~at_least, code, ~code])
    rows = RuleRows.merge(literals, y, group, ["a", "b"])
    problem = Problem(rows, 8, "equal_opportunity", 0.05, max_rule_length=3)
    weighing = Weighing(problem, RuleColumns.of([], rows), true=False)
    whole, split = (improve(weighing, [(4,)], price=6_000.0, splits=splits) for splits in (False, True))
    assert len(whole) == 1 and len(split) == 2
    assert {18, 19} <= {literal for rule in split for literal in rule}
    assert priced(problem, split, 6_000.0) < priced(problem, whole, 6_000.0)


def test_at_a_price_what_is_above_the_largest_gap_counts_as_loss():
    problem, columns = random_problem(5, n=400, max_difference=0.05)
    weighing = Weighing(problem, columns, true=False)
    sums, costs = weighing.bits.tally(weighing.covers), columns.costs
    excess, loss, gap, _ = weighing.scores(sums, costs)
    free, priced, same, _ = weighing.scores(sums, costs, 1000.0)
    np.testing.assert_array_equal(gap, same)
    assert not free.any() and (excess > 0).any()
    np.testing.assert_allclose(priced - loss, np.where(gap > 0.05 + SLACK, 1000 * (gap - 0.05), 0.0))


@pytest.mark.parametrize("stop_at", range(1, 1 + len(RISING)))
def test_without_work_or_when_stopped_at_the_first_price_there_is_none(stop_at):
    problem, columns = random_problem(1)
    assert approached(problem, columns, Budget(0.0)) is None
    seen, rules = run(iter_approach(problem, columns, Budget()), stop_at=stop_at)
    assert len(seen) == stop_at and rules is None


def test_the_search_goes_on_from_what_was_made(monkeypatch):
    problem, _ = random_problem(2, n=400, n_literals=7, max_complexity=9)
    made = ((0, 4), (1, 5, 6))
    calls = []

    def iter_made(problem, columns, budget):
        calls.append(len(columns))
        yield from ()
        return made

    monkeypatch.setattr(search, "iter_approach", iter_made)
    _, found = run(search.iter_find(problem, budget=Budget(20), pricing_limit=5, seed=0))
    assert calls and set(made) <= set(found.columns.rules)
