import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from event_runs import driven, returned
from every_tree import best_objective, drawn_rows
from scipy import sparse
from sweeps import seeds

from fairaudit.estimators.trees.frontier import conjunctions, search
from fairaudit.estimators.trees.frontier.conjunctions import LiteralSets
from fairaudit.estimators.trees.frontier.enumeration import Packing
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.problem import Measure, TreeProblem, TreeRows, TreeShape, didi_measure, parity_limit
from fairaudit.estimators.trees.relaxation import Terms
from fairaudit.events import Incumbent
from fairaudit.work import Budget

LIMITS = ("demographic_parity", "four_fifths", "equal_opportunity", "equalized_odds")


def run(problem, **options):
    """Run a search to its end, and return what it found."""
    return returned(iter_frontier(problem, **{"budget": Budget(60), **options}))


def drawn_problem(seed, **fixed):
    """Draw a small problem with some of all that can be asked."""
    rng = np.random.default_rng(seed)
    rows = drawn_rows(rng, int(rng.integers(8, 60)), int(rng.integers(1, 4)), int(rng.integers(2, 5)))
    asked = {"max_depth": int(rng.integers(1, 3))}
    if rng.random() < 0.7:
        asked["limit"] = parity_limit(rows, str(rng.choice(LIMITS)), float(rng.choice([0, 0.05, 0.1, 0.2])))
        asked["limit_price"] = float(rng.choice([0, 0, 0.1, 0.5, 2]))
        if rng.random() < 0.15:
            asked["limit"] = replace(asked["limit"], bounds=asked["limit"].bounds - 0.15)
    if rng.random() < 0.5:
        asked["measures"] = (didi_measure(rows, "classification"),)
        asked["price"] = float(rng.choice([0, 0.01, 0.1, 0.5, 3]))
        asked["max_measure"] = rng.choice([None, None, 0.0, 0.1, 0.4])
    asked["split_price"] = float(rng.choice([0, 0, 0.001, 0.01, 0.05]))
    asked["min_leaf_size"] = int(rng.choice([1, 1, 3, 8]))
    return TreeProblem(rows, **{**asked, **fixed})


def check(problem, found, best):
    """Compare a result with the objective of the oracle."""
    if math.isinf(best):
        assert found.status == "infeasible" and found.shape is None
        return
    assert found.status == "optimal", found
    assert found.objective == pytest.approx(best, abs=1e-8)
    assert found.bound <= found.objective
    assert problem.allows(found.shape)
    assert problem.objective(found.shape) == pytest.approx(found.objective, abs=1e-12)


@pytest.mark.parametrize("seed", seeds(40))
def test_objective_equals_that_of_the_best_of_all_trees(seed):
    problem = drawn_problem(seed)
    check(problem, run(problem), best_objective(problem))


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("n_groups", [2, 3])
def test_each_constraint_equals_the_best_of_all_trees(name, n_groups):
    rows = drawn_rows(np.random.default_rng(n_groups), 80, 3, n_groups)
    problem = TreeProblem(rows, limit=parity_limit(rows, name, 0.04))
    check(problem, run(problem), best_objective(problem))


def points_below(rows, inside, depth):
    """Return, for each count of rows of each group predicted 1, the least errors of a tree: one node at a time."""
    found = {}

    def keep(tally, errors):
        found[tally] = min(errors, found.get(tally, math.inf))

    keep((0,) * rows.n_groups, int(rows.weights[inside] @ rows.targets[inside]))
    tally = np.bincount(rows.groups[inside], weights=rows.weights[inside], minlength=rows.n_groups)
    keep(tuple(tally.astype(int).tolist()), int(rows.weights[inside] @ (1 - rows.targets[inside])))
    for split in range(rows.n_splits) if depth else ():
        held = rows.holds[:, split]
        sides = [points_below(rows, inside & side, depth - 1) for side in (held, ~held)]
        for one, errors in sides[0].items():
            for other, more in sides[1].items():
                keep(tuple(a + b for a, b in zip(one, other, strict=True)), errors + more)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_depth_three_equals_all_counts_node_by_node(seed):
    rng = np.random.default_rng(seed)
    rows = drawn_rows(rng, 24, 4, 2)
    points = points_below(rows, np.ones(rows.n_cells, dtype=bool), 3)
    tallies, errors = np.array(list(points)), np.array(list(points.values()))
    rates = tallies / np.bincount(rows.groups, weights=rows.weights)
    gaps = np.abs(rates[:, 0] - rates[:, 1])
    for bound in (0.0, 0.03, 0.1):
        problem = TreeProblem(rows, max_depth=3, limit=parity_limit(rows, "demographic_parity", bound))
        check(problem, run(problem), errors[gaps <= bound + 1e-9].min() / rows.n_rows)
    shares = tallies.sum(axis=1) / rows.n_rows
    didi = 2 * np.abs(rates - shares[:, None]).sum(axis=1)
    problem = TreeProblem(rows, max_depth=3, measures=(didi_measure(rows, "classification"),), price=0.2)
    check(problem, run(problem), (errors / rows.n_rows + 0.2 * didi).min())


def hard_problem():
    """Return a problem whose bound and best tree are far apart for a while."""
    rows = drawn_rows(np.random.default_rng(7), 900, 10, 4)
    return TreeProblem(rows, max_depth=4, limit=parity_limit(rows, "equalized_odds", 0.002))


def test_a_search_out_of_work_says_what_it_has():
    problem = hard_problem()
    found = run(problem, budget=Budget(0.0))
    assert found.status == "work_limit"
    assert problem.allows(found.shape) and found.bound < found.objective
    assert found.bound <= run(replace(problem, max_depth=2), budget=Budget(60)).objective


def test_stop_ends_with_the_best_so_far():
    problem = hard_problem()
    _, found = driven(iter_frontier(problem, budget=Budget(600)), stop=bool)
    assert found.status == "stopped"
    assert problem.allows(found.shape)


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_before_the_end_is_valid_and_events_are_finite(seed):
    problem = drawn_problem(100 + seed, min_leaf_size=1)
    events, found = driven(iter_frontier(problem, budget=Budget(60)))
    shown = [event.figures for event in events if isinstance(event, Incumbent)]
    assert shown or found.shape is None
    for figures in shown:
        assert math.isfinite(figures["objective"])
        assert figures["bound"] <= found.objective + 1e-9
    assert [figures["objective"] for figures in shown] == sorted((f["objective"] for f in shown), reverse=True)


def test_the_same_problem_gives_the_same_tree():
    rows = drawn_rows(np.random.default_rng(3), 300, 8, 3)
    problem = TreeProblem(rows, max_depth=3, limit=parity_limit(rows, "equalized_odds", 0.03))
    assert run(problem).shape == run(problem).shape


def test_a_good_start_is_kept():
    problem = drawn_problem(11, split_price=0.0)
    first = run(problem)
    assert run(problem, start=[first.shape], budget=Budget(0.0)).objective == first.objective


def test_splits_that_are_constant_or_alike_change_nothing():
    rng = np.random.default_rng(5)
    rows = drawn_rows(rng, 60, 3, 2)
    holds = np.column_stack([np.ones(rows.n_cells, dtype=bool), rows.holds, ~rows.holds[:, :1], rows.holds[:, 1:2]])
    more = replace(rows, holds=holds)
    one, two = (
        run(TreeProblem(table, max_depth=3, limit=parity_limit(table, "demographic_parity", 0.05)))
        for table in (rows, more)
    )
    assert one.objective == two.objective and two.status == "optimal"


def test_a_table_without_splits_gives_a_stump():
    rows = TreeRows.merge(
        np.zeros((6, 0), dtype=bool), np.array([0, 0, 0, 1, 1, 1]), np.array([1.0] * 4 + [0] * 2), "ab"
    )
    found = run(TreeProblem(rows, max_depth=2, limit=parity_limit(rows, "demographic_parity", 0.0)))
    assert (found.status, found.shape) == ("optimal", TreeShape.stump(2, 1.0))


@pytest.mark.parametrize("seed", range(12))
def test_measures_with_forms_of_single_cells_equal_the_best_of_all_trees(seed):
    rng = np.random.default_rng(seed)
    rows = drawn_rows(rng, 50, 3, 2)
    forms = sparse.csr_array(rng.normal(size=(9, rows.n_cells)) * (rng.random((9, rows.n_cells)) < 0.3))
    asked = {"price": 0.2} if seed % 2 else {"max_measure": 1.5, "min_leaf_size": 4}
    problem = TreeProblem(rows, measures=(Measure("dtdi", forms, 0.3),), split_price=0.01 * (seed % 3), **asked)
    assert Terms(problem).kinds is None
    check(problem, run(problem), best_objective(problem))


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_holds_where_the_conjunctions_are_too_many(seed, monkeypatch):
    monkeypatch.setattr(conjunctions, "MOST_BYTES", (10, 300, 1000, 2000)[seed % 4])
    problem = drawn_problem(200 + seed)
    found, best = run(problem), best_objective(problem)
    assert found.bound <= best + 1e-8
    assert found.shape is None or (problem.allows(found.shape) and found.objective >= best - 1e-8)
    assert found.status != "optimal" or found.objective == pytest.approx(best, abs=1e-8)


def test_a_search_over_a_part_of_the_splits_says_so(monkeypatch):
    monkeypatch.setattr(conjunctions, "MOST_BYTES", 4000)
    monkeypatch.setattr(search, "goes_by_roots", lambda problem, n_splits: False)
    rows = drawn_rows(np.random.default_rng(2), 200, 12, 2)
    found = run(TreeProblem(rows, max_depth=3, limit=parity_limit(rows, "demographic_parity", 0.02)))
    assert found.status == "gap"
    assert "most promising" in found.notes[0]


def test_counts_of_many_classes_take_several_words():
    rows = drawn_rows(np.random.default_rng(0), 120, 3, 6)
    weights = rows.weights * 5000
    large = replace(rows, weights=weights)
    terms = Terms(TreeProblem(large, limit=parity_limit(large, "equalized_odds", 0.1)))
    kinds = terms.kinds
    sizes = np.bincount(kinds.of_cells, weights=weights).astype(np.int64)
    packing = Packing(kinds, sizes)
    counts = np.column_stack([sizes, sizes // 2, sizes * 0])
    assert packing.n_words > 1
    assert packing.form_values(packing.packed(counts.astype(float))) == pytest.approx((kinds.forms @ counts).T)


@pytest.mark.parametrize(("n_variables", "longest"), [(1, 1), (4, 2), (5, 3), (4, 4)])
def test_sums_over_conjunctions_equal_those_over_their_rows(n_variables, longest):
    rng = np.random.default_rng(longest)
    holds, weights = rng.random((40, n_variables)) < 0.5, rng.integers(1, 9, 40).astype(float)
    sets = LiteralSets(n_variables, longest)
    for length, sums in enumerate(sets.shorter_sums(sets.sums(holds.astype(float), weights))):
        for number, total in enumerate(sums.tolist()):
            variables, signs = sets.variables[length][number >> length], number >> np.arange(length) & 1
            assert total == weights[(holds[:, variables] == signs).all(axis=1)].sum()


COMPAS = (
    (2, None, 0.6694),
    (3, None, 0.6838),
    (3, 0.05, 0.6080),
    (3, 0.01, 0.5843),
    (4, 0.05, 0.6230),
    (4, 0.01, 0.6008),
)
"""Depth, gap of positive predictions, and the accuracy of pystreed's optimal tree over the same 11 literals."""


@pytest.mark.parametrize(("depth", "gap", "accuracy"), COMPAS)
def test_compas_reaches_the_optima_of_the_peer(shared_data, depth, gap, accuracy):
    table = pd.read_csv(shared_data("compas_fairml_5278.csv"))
    priors, groups = table.pop("Number_of_Priors"), table.pop("African_American").to_numpy()
    labels = table.pop("Two_yr_Recidivism").to_numpy()
    cuts = np.unique(np.quantile(priors, np.arange(1, 10) / 10))
    rows = TreeRows.merge(np.column_stack([*(priors <= cut for cut in cuts), table == 1]), groups, labels, ["a", "b"])
    limit = None if gap is None else parity_limit(rows, "demographic_parity", gap)
    found = run(TreeProblem(rows, max_depth=depth, limit=limit))
    assert (found.status, round(1 - found.objective, 4)) == ("optimal", accuracy)


@pytest.mark.parametrize("seed", range(8))
def test_limits_on_features_keep_the_bound_valid(seed):
    rows = drawn_rows(np.random.default_rng(seed), 60, 4, 2)
    asked = {"max_features": 1} if seed % 2 else {"max_uses_per_feature": 1}
    problem = TreeProblem(rows, columns=(0, 0, 1, 1), limit=parity_limit(rows, "demographic_parity", 0.1), **asked)
    found, best = run(problem), best_objective(problem)
    assert problem.allows(found.shape)
    assert found.objective == problem.objective(found.shape)
    assert found.bound <= best + 1e-9
    assert found.status != "optimal" or found.objective == pytest.approx(best, abs=1e-9)


def test_limits_without_bounds_can_be_priced():
    rows = drawn_rows(np.random.default_rng(4), 60, 3, 3)
    limit = parity_limit(rows, "equal_opportunity", 0.0)
    problem = TreeProblem(rows, limit=replace(limit, bounds=np.full(len(limit.bounds), np.inf)), limit_price=0.3)
    check(problem, run(problem), best_objective(problem))
