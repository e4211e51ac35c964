"""Trees of depth 2 to 4 over more splits than all conjunctions can be summed for."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from every_tree import best_objective, drawn_rows
from fair_problems import fair_problem
from sweeps import seeds

from fairaudit.estimators.trees.frontier import conjunctions, search
from fairaudit.estimators.trees.frontier.conjunctions import BestSubtrees, LiteralSets, PairTables, PairValue, SumsBelow
from fairaudit.estimators.trees.frontier.search import ROOT_BOUNDS_BY_DEPTH, RootPrices, iter_frontier
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeRows, TreeShape, didi_measure, parity_limit
from fairaudit.estimators.trees.relaxation import Terms
from fairaudit.events import STOP, Incumbent
from fairaudit.work import Budget


def run(problem, work=60.0, answers=None):
    """Run a search to its end, and return what it found; say `answers` after each event."""
    events, bounds, found = iter_frontier(problem, budget=Budget(work)), [], None
    try:
        event = next(events)
        while True:
            bounds += [event.figures["bound"]] if isinstance(event, Incumbent) else []
            event = events.send(answers)
    except StopIteration as end:
        found = end.value
    assert max(bounds, default=-np.inf) <= found.objective + 1e-9
    return found


def by_roots(monkeypatch):
    """Let all conjunctions be too many, but those of a few splits."""
    monkeypatch.setattr(search, "can_be_summed", lambda state, n_splits, seconds: False)


def drawn_problem(seed, depth):
    """Draw a small problem of a depth."""
    rng = np.random.default_rng(seed)
    rows = drawn_rows(rng, int(rng.integers(20, 120)), int(rng.integers(2, 6)), int(rng.integers(2, 4)))
    asked = {"split_price": float(rng.choice([0, 0, 0.004])), "min_leaf_size": int(rng.choice([1, 1, 3, 9]))}
    if rng.random() < 0.6:
        name = str(rng.choice(["demographic_parity", "equalized_odds"]))
        asked["limit"] = parity_limit(rows, name, float(rng.choice([0.02, 0.1])))
    if rng.random() < 0.3:
        asked |= {"measures": (didi_measure(rows, "classification"),), "price": 0.1}
    return TreeProblem(rows, max_depth=depth, **asked)


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("seed", seeds(16, 4, rest="thorough"))
def test_the_best_tree_and_the_bound_match_the_search_over_all_conjunctions(seed, depth, monkeypatch):
    problem = drawn_problem(seed, depth)
    whole = run(problem)
    assert whole.status in ("optimal", "infeasible")
    by_roots(monkeypatch)
    found = run(problem)
    assert found.bound <= whole.objective + 1e-8
    assert found.objective >= whole.objective - 1e-8
    assert found.shape is None or problem.allows(found.shape)
    if found.status == "optimal" or (problem.limit is None and not problem.measures and problem.min_leaf_size == 1):
        assert found.status == "optimal" and found.objective == pytest.approx(whole.objective, abs=1e-8)


@pytest.mark.parametrize("seed", seeds(24))
def test_depth_two_is_proven_and_equals_the_best_of_all_trees(seed, monkeypatch):
    problem = drawn_problem(1_000 + seed, 2)
    by_roots(monkeypatch)
    found, best = run(problem), best_objective(problem)
    assert found.status == ("optimal" if np.isfinite(best) else "infeasible")
    assert found.objective == pytest.approx(best, abs=1e-8)
    assert found.bound <= found.objective


@pytest.mark.parametrize("gap", [None, 0.03])
def test_depth_two_is_whole_where_conjunctions_find_no_room(gap, monkeypatch):
    rows = cut_at_all_values(500)
    limit = None if gap is None else parity_limit(rows, "demographic_parity", gap)
    problem = TreeProblem(rows, max_depth=2, limit=limit, min_leaf_size=20)
    whole = run(problem)
    # Enough for those of 200 splits, of the 352 there are.
    monkeypatch.setattr(conjunctions, "MOST_BYTES", conjunctions.n_bytes(200, 2, 4))
    found = run(problem)
    assert found.status == whole.status == "optimal" and not found.notes
    assert found.objective == pytest.approx(whole.objective, abs=1e-9)


@pytest.mark.parametrize("least", [1, 6])
def test_with_each_split_depth_two_costs_what_its_best_trees_do(least):
    rng = np.random.default_rng(least)
    rows = drawn_rows(rng, 90, 5, 2)
    problem = TreeProblem(rows, max_depth=2, min_leaf_size=least, split_price=0.003)
    kinds = Terms(problem).kinds
    costs, weights = kinds.costs[kinds.of_cells] * rows.weights, rows.weights.astype(float)
    parts = [weights * (kinds.of_cells == kind) for kind in range(len(kinds.costs))]
    bounds = ROOT_BOUNDS_BY_DEPTH[2](
        problem, SumsBelow(rows.holds, parts, Budget()), RootPrices.of_kinds(kinds.costs), Budget()
    )
    splits = np.arange(5)
    for root in range(5):
        expected = np.full(5, np.inf)
        for below in product([NO_SPLIT, *splits], repeat=2):
            leaves = TreeShape((root, *below), (0.0,) * 4).leaves(rows.holds)
            sums, sizes = (np.bincount(leaves, weights=each, minlength=4) for each in (costs, weights))
            used = [place for place in range(4) if below[place // 2] != NO_SPLIT or place % 2 == 0]
            if (sizes[used] < least).any():
                continue
            cost = np.minimum(sums, 0).sum() + 0.003 * (1 + sum(split != NO_SPLIT for split in below))
            for split in {root, *below} - {NO_SPLIT}:
                expected[split] = min(expected[split], cost)
        assert bounds.with_each(root) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_many_kinds_have_bounds_too(seed, monkeypatch):
    problem = fair_problem(seed, "classification", "dtdi", n_splits=4, max_depth=3, min_leaf_size=1)
    assert Terms(problem).kinds is None
    whole = run(problem)
    by_roots(monkeypatch)
    found = run(problem)
    assert found.bound <= whole.objective + 1e-8 and found.objective >= whole.bound - 1e-8
    assert found.bound > 0.5 * whole.bound


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize(("least", "price"), [(1, 0.0), (1, 0.01), (6, 0.0)])
def test_bounds_of_roots_rise_to_what_the_best_trees_cost(depth, least, price):
    rng = np.random.default_rng(depth + least)
    rows = drawn_rows(rng, 150, 6, 2)
    problem = TreeProblem(rows, max_depth=depth, min_leaf_size=least, split_price=price)
    kinds = Terms(problem).kinds
    costs, weights = kinds.costs[kinds.of_cells] * rows.weights, rows.weights.astype(float)
    sets = LiteralSets(6, depth)
    holds = rows.holds.astype(float)
    small = [sizes < least for sizes in sets.shorter_sums(sets.sums(holds, weights))] if least > 1 else None
    values = BestSubtrees.of(sets, sets.sums(holds, costs), small, price).values[1]
    held, missed = (children[0] for children in sets.children[0])
    expected = values[held] + values[missed] + price
    parts = [weights * (kinds.of_cells == kind) for kind in range(len(kinds.costs))]
    bounds = ROOT_BOUNDS_BY_DEPTH[depth](
        problem, SumsBelow(rows.holds, parts, Budget()), RootPrices.of_kinds(kinds.costs), Budget()
    )
    for _ in bounds.iter_begin():
        pass
    for root in range(6):
        assert (bounds.roots <= expected + 1e-12).all()
        while bounds.raise_root(root):
            assert (bounds.roots <= expected + 1e-12).all()
        assert bounds.roots[root] == pytest.approx(expected[root], abs=1e-12)
        if np.isfinite(expected[root]):
            tree = bounds.tree(root)
            total = costs @ tree.predict(rows.holds) + price * tree.tidy().n_splits
            assert total == pytest.approx(expected[root], abs=1e-12)
    assert bounds.best == pytest.approx(expected.min(), abs=1e-12)


def test_sums_from_the_nearest_set_equal_those_over_the_rows(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, 200)
    holds = np.column_stack([values[:, None] <= np.arange(1, 7), rng.random((200, 3)) < 0.3])
    whole, fractions = rng.integers(0, 4, 200).astype(float), rng.normal(size=200)
    for most in (1e9, 3000.0):
        monkeypatch.setattr(conjunctions, "MOST_BYTES_OF_PAIRS", most)
        sums = SumsBelow(holds, [whole, fractions], Budget())
        with_all = np.column_stack([holds, np.ones(200)])
        assert sorted(sums.nearest_first()) == list(range(9))
        for split in (5, 2, 8, 3):
            for held in (True, False):
                rows = holds[:, split] == held
                for part, each in enumerate((whole, fractions)):
                    expected = (with_all[rows] * each[rows, None]).T @ with_all[rows]
                    assert sums.below(split, held)[part] == pytest.approx(expected, abs=1e-12)
    assert SumsBelow(holds, [whole], Budget()).whole.dtype == np.float32


@pytest.mark.parametrize("price", [0.0, 0.05])
def test_one_value_is_that_of_the_tables(price):
    rng = np.random.default_rng(3)
    holds = np.column_stack([rng.random((40, 5)) < 0.5, np.ones(40)])
    value = PairValue(5, price)
    for _ in range(20):
        costs = rng.normal(size=40) * (rng.random(40) < 0.4)
        sums = (holds * costs[:, None]).T @ holds
        tables = PairTables(sums[None], 1, price)
        assert value(sums) == pytest.approx(tables.value, abs=1e-12)
        each = tables.with_each()
        assert (each >= tables.value - 1e-12).all()
        split = [place for place in tables.subtree().splits if place >= 0]
        assert each[split] == pytest.approx(tables.value, abs=1e-12)


def cut_at_all_values(n=3_000):
    """Return rows of eight numbers that are cut at all their values, over 300 splits."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 45, (n, 8))
    groups = rng.integers(0, 2, n)
    score = (X[:, 0] > 20) * (X[:, 1] < 30) + 0.7 * (X[:, 2] > 33) + 0.3 * groups
    labels = (score + rng.normal(0, 0.4, n) > 0.7).astype(float)
    holds = np.hstack([X[:, [column]] <= np.unique(X[:, column])[:-1] for column in range(8)])
    return TreeRows.merge(holds, groups, labels, ["a", "b"])


def test_numbers_cut_at_all_values_are_proven_with_the_usual_work():
    rows = cut_at_all_values()
    assert rows.n_splits > 300
    problem = TreeProblem(rows, max_depth=3)
    found = run(problem)
    assert found.status == "optimal" and not found.notes
    limited = replace(problem, limit=parity_limit(rows, "demographic_parity", 0.05))
    found = run(limited)
    assert limited.allows(found.shape)
    assert found.bound >= 0.95 * found.objective


def test_stop_and_no_work_keep_what_is_known():
    problem = TreeProblem(cut_at_all_values(400), max_depth=4)
    stopped, nothing = run(problem, answers=STOP), run(problem, work=0.0)
    assert stopped.status == "stopped" and nothing.status == "work_limit"
    for found in (stopped, nothing):
        assert problem.allows(found.shape) and found.bound <= found.objective
