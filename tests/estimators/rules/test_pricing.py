"""Pricing against all rules: the beam, the exact search and SCIP."""

from __future__ import annotations

import numpy as np
import pytest
from every_rule import every_rule, run, tiny_problem

from fairaudit.estimators.rules.master import Duals
from fairaudit.estimators.rules.pricing import (
    Blocks,
    LiteralTable,
    beam_search,
    iter_scip_search,
    iter_search,
    iter_short_search,
)
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows


def by_branches(table, coefficients, price, longest, **limits):
    """Search by branch and bound."""
    return run(iter_search(table, coefficients, price, longest, **limits))[1]


def by_blocks(table, coefficients, price, longest, **limits):
    """Search by sums over blocks of literals."""
    return run(iter_short_search(Blocks.of(table, longest), coefficients, price, **limits))[1]


each_search = pytest.mark.parametrize("search", [by_branches, by_blocks])


def drawn(seed):
    """Return a problem, its rules, random coefficients, a price and the reduced cost of each rule."""
    random = np.random.default_rng(seed)
    shape = {"n_rows": int(random.integers(8, 70)), "n_literals": int(random.integers(4, 8))}
    problem = tiny_problem(seed, None, "hamming", 2, **shape)
    n_cells = problem.rows.n_cells
    coefficients = random.normal(size=n_cells) * random.integers(0, 2, n_cells) + random.choice([-0.3, 0, 0.3])
    price = float(random.choice([0, 0.1, 0.5, 1]))
    columns = every_rule(problem)
    return problem, columns, coefficients, price, columns.covers @ coefficients + price * columns.costs


def least_by_cover(columns, reduced, below):
    """Return the least reduced cost of each cover that is below a limit and covers anything."""
    least = {}
    for cover, cost in zip(columns.covers, reduced.tolist(), strict=True):
        if cost < below and cover.any():
            least[cover.tobytes()] = min(cost, least.get(cover.tobytes(), np.inf))
    return least


@pytest.fixture(params=[2, 5, 24])
def most_codes(request, monkeypatch):
    """Blocks of one literal, of a few, and of all."""
    monkeypatch.setattr("fairaudit.estimators.rules.pricing.MOST_CODES", request.param)


@each_search
def test_the_exact_search_finds_the_least_reduced_cost(search, most_codes):
    for seed in range(40):
        problem, _, coefficients, price, reduced = drawn(seed)
        table = LiteralTable.of(problem.rows)
        for keep in (1, 5, 10_000):
            searched = search(table, coefficients, price, problem.longest, keep=keep)
            assert searched.complete
            found = RuleColumns.of(searched.rules, problem.rows)
            own = found.covers @ coefficients + price * found.costs
            assert own == pytest.approx(searched.reduced_costs, abs=1e-9)
            expected = min(reduced.min(), 0.0)
            got = searched.reduced_costs.min(initial=0.0)
            assert got == pytest.approx(expected, abs=1e-6), (seed, keep)
            assert len(searched.rules) <= keep


@each_search
def test_the_exact_search_lists_each_cover_once_at_its_least_cost(search, most_codes):
    for seed in range(40):
        problem, columns, coefficients, price, reduced = drawn(seed)
        searched = search(
            LiteralTable.of(problem.rows), coefficients, price, problem.longest, below=1.0, keep=10**6, every_cover=True
        )
        found = RuleColumns.of(searched.rules, problem.rows)
        got = least_by_cover(found, searched.reduced_costs, 1.0)
        expected = least_by_cover(columns, reduced, 1 - 1e-6)
        assert got.keys() == expected.keys(), seed
        assert all(got[cover] == pytest.approx(expected[cover], abs=1e-9) for cover in got), seed


@each_search
@pytest.mark.parametrize("keep", [1, 100])
def test_at_the_proven_price_no_reduced_cost_is_negative(search, keep, most_codes):
    for seed in range(20):
        problem, columns, coefficients, price, _ = drawn(seed)
        searched = search(LiteralTable.of(problem.rows), coefficients, price, problem.longest, keep=keep)
        proven = searched.proven_price(price)
        assert (columns.covers @ coefficients + proven * columns.costs).min() > -1e-6, seed


def test_a_search_by_blocks_that_keeps_few_rules_still_proves_the_least_share(monkeypatch, most_codes):
    monkeypatch.setattr("fairaudit.estimators.rules.pricing.MOST_HELD", 3)
    for seed in range(20):
        problem, columns, coefficients, price, reduced = drawn(seed)
        searched = by_blocks(LiteralTable.of(problem.rows), coefficients, price, problem.longest, keep=2)
        least = float((reduced / columns.costs)[columns.covers.any(axis=1)].min())
        assert searched.least_share <= least + 1e-9, seed
        assert len(searched.rules) <= 2
        covers = {cover.tobytes() for cover in RuleColumns.of(searched.rules, problem.rows).covers}
        unlisted = [
            cost
            for cover, cost in zip(columns.covers, reduced.tolist(), strict=True)
            if cover.any() and cover.tobytes() not in covers
        ]
        assert searched.floor <= min(unlisted, default=np.inf) + 1e-6, seed


@each_search
def test_a_search_that_gives_up_proves_nothing(search):
    problem, _, coefficients, price, _ = drawn(3)
    table = LiteralTable.of(problem.rows)
    searched = search(table, coefficients - 0.5, price, problem.longest, max_work=0.0)
    assert not searched.complete
    assert searched.proven_price(price) is None


def test_the_beam_finds_rules_of_the_cost_it_says_and_on_tiny_tables_the_best():
    for seed in range(40):
        problem, _, coefficients, price, reduced = drawn(seed)
        found = beam_search(LiteralTable.of(problem.rows), coefficients, price, problem.longest)
        own = RuleColumns.of(found.rules, problem.rows)
        assert own.covers @ coefficients + price * own.costs == pytest.approx(found.reduced_costs, abs=1e-4)
        assert (np.diff(found.reduced_costs) >= 0).all()
        assert all(1 <= len(rule) <= problem.longest for rule in found.rules)
        assert found.reduced_costs.min(initial=0.0) == pytest.approx(min(reduced.min(), 0.0), abs=1e-4), seed


def test_seeds_lead_a_narrow_beam_where_it_would_not_go():
    random = np.random.default_rng(0)
    literals = random.random((400, 12)) < 0.7
    target = (3, 7, 9, 11)
    covered = literals[:, target].all(axis=1)
    rows = RuleRows.merge(literals, covered, np.zeros(400, dtype=np.int64), ["all"])
    coefficients = np.where(rows.labels, -1.0, 1.0) * rows.weights
    table = LiteralTable.of(rows)
    found = beam_search(table, coefficients, 0.5, 4, seeds=[(3, 7, 9)], width=1)
    assert found.rules[0] == target


@pytest.mark.parametrize("seed", range(6))
def test_scip_finds_the_least_reduced_cost_and_proves_it(seed):
    problem, _, coefficients, price, reduced = drawn(seed)
    duals = Duals(coefficients, price, 0.0, problem.max_complexity)
    _, searched = run(iter_scip_search(LiteralTable.of(problem.rows), duals, problem.longest, below=1e9))
    assert searched.reduced_costs[0] == pytest.approx(reduced.min(), abs=1e-6)
    assert searched.floor == pytest.approx(reduced.min(), abs=1e-4)
    assert searched.floor <= reduced.min()


def test_scip_interrupted_at_once_still_proves_a_price():
    problem, columns, coefficients, price, _ = drawn(4)
    duals = Duals(coefficients - 0.2, price, 0.0, problem.max_complexity)
    _, searched = run(iter_scip_search(LiteralTable.of(problem.rows), duals, problem.longest), stop_at=1)
    proven = searched.proven_price(price)
    assert (columns.covers @ duals.coefficients + proven * columns.costs).min() > -1e-6


def test_literals_that_never_hold_or_repeat_are_left_out():
    literals = np.array([[1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 1]], dtype=bool)
    rows = RuleRows.merge(literals, np.array([True, False, False]), np.zeros(3, dtype=np.int64), ["all"])
    table = LiteralTable.of(rows)
    assert table.kept.tolist() == [0, 3]
    assert len(table.literals) == 2
    assert table.net(np.array([1.0, 2.0, 4.0]))[table.patterns].tolist() == [
        sum(weight for weight, own in zip((1.0, 2.0, 4.0), table.patterns, strict=True) if own == pattern)
        for pattern in table.patterns
    ]


def test_blocks_stay_small_where_few_rows_have_many_literals():
    random = np.random.default_rng(0)
    literals = random.random((20, 300)) < 0.5
    rows = RuleRows.merge(literals, random.random(20) < 0.5, np.zeros(20, dtype=np.int64), ["all"])
    table = LiteralTable.of(rows)
    blocks = Blocks.of(table, 3).blocks
    assert max(len(block.rules[0]) for block in blocks) == 32
    kept = [place for block in blocks for (place,) in block.rules[0]]
    assert kept == list(range(table.literals.shape[1]))


@each_search
def test_a_table_without_literals_has_no_rules(search):
    rows = RuleRows.merge(np.zeros((3, 0), dtype=bool), np.array([1, 0, 1], bool), np.zeros(3, dtype=np.int64), ["all"])
    table = LiteralTable.of(rows)
    coefficients = -np.ones(rows.n_cells)
    assert beam_search(table, coefficients, 0.0, 3).rules == ()
    searched = search(table, coefficients, 0.0, 3)
    assert searched.complete
    assert searched.rules == ()


@each_search
def test_a_literal_that_always_holds_is_a_rule(search):
    rows = RuleRows.merge(
        np.ones((4, 1), dtype=bool), np.array([1, 1, 1, 0], bool), np.zeros(4, dtype=np.int64), ["all"]
    )
    problem = Problem(rows, max_complexity=4)
    coefficients = np.where(rows.labels, -1.0, 1.0) * rows.weights
    searched = search(LiteralTable.of(rows), coefficients, 0.1, min(problem.longest, 3))
    assert searched.rules == ((0,),)
    assert searched.reduced_costs == pytest.approx([-1.8])
