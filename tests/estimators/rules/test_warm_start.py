"""Rules mined from trees are rules of the trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from every_rule import run, tiny_problem

from fairaudit.estimators.rules.generation import iter_mine_rules, opposite_literals
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows
from fairaudit.work import Budget


def mine_rules(problem, random_state, budget):
    """Return the rules that come out at the end."""
    return run(iter_mine_rules(problem, random_state, budget))[1]


def test_mined_rules_are_short_enough_and_none_comes_twice():
    problem = replace(tiny_problem(1, "equalized_odds", "hamming", 2, n_rows=300), max_rule_length=2)
    rules = mine_rules(problem, 0, Budget(60.0))
    assert len(rules) > 5
    assert len(set(rules)) == len(rules)
    assert all(1 <= len(rule) <= 2 and list(rule) == sorted(set(rule)) for rule in rules)


def test_mined_rules_cover_mostly_positive_rows_of_what_they_were_grown_on():
    random = np.random.default_rng(0)
    literals = random.random((500, 6)) < 0.5
    rows = RuleRows.merge(literals, literals[:, 0] & literals[:, 1], np.zeros(500, dtype=np.int64), ["all"])
    rules = mine_rules(Problem(rows, 10), 0, Budget(60.0))
    assert (0, 1) in rules
    columns = RuleColumns.of(rules, rows)
    share = (columns.covers @ (rows.weights * rows.labels)) / (columns.covers @ rows.weights)
    # Each tree sees a bootstrap sample, so a share may be a little under a half on all rows.
    assert np.median(share) > 0.5


def test_opposites_hold_exactly_where_the_other_does_not():
    problem = tiny_problem(2, None, "hamming", 2)
    opposites = opposite_literals(problem.rows)
    literals = problem.rows.literals
    assert opposites.tolist() == [5, 6, 7, -1, -1, 0, 1, 2]
    for literal in np.flatnonzero(opposites >= 0):
        assert (literals[:, literal] != literals[:, opposites[literal]]).all()


def test_the_same_seed_mines_the_same_rules():
    problem = tiny_problem(3, "equal_opportunity", "hamming", 3, n_rows=200)
    assert mine_rules(problem, 5, Budget(60.0)) == mine_rules(problem, 5, Budget(60.0))


def test_there_is_nothing_to_mine_without_literals_or_with_one_label():
    rows = RuleRows.merge(np.zeros((4, 0), dtype=bool), np.array([1, 0, 1, 0], bool), np.zeros(4, np.int64), ["all"])
    assert mine_rules(Problem(rows, 5), 0, Budget(60.0)) == ()
    rows = RuleRows.merge(np.eye(4, dtype=bool), np.ones(4, dtype=bool), np.zeros(4, np.int64), ["all"])
    assert mine_rules(Problem(rows, 5), 0, Budget(60.0)) == ()


def test_no_time_mines_nothing():
    assert mine_rules(tiny_problem(3, None, "hamming", 2), 0, Budget(-1.0)) == ()
