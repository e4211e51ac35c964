"""A certificate among similar cases: the size of its test over all tables, and the error of the whole procedure."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from fairaudit.estimators.certified import Comparison
from fairaudit.estimators.certified_strata import StrataComparison, compare_strata
from fairaudit.estimators.certifying import LimitedRows
from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec
from fairaudit.estimators.constraints.certifying import requirements_of
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.measure.grouping import group_rows

SMALL = {
    "two strata": [[6, 5], [4, 7]],
    "three in each cell": [[3, 3], [3, 3]],
    "groups in different strata": [[10, 2], [2, 10]],
    "one stratum": [[12, 10]],
    "pairs": [[2, 2], [2, 2], [2, 2]],
    "cells of one": [[1, 5], [5, 1], [3, 3]],
}


def every_table(sizes: np.ndarray) -> np.ndarray:
    grid = product(*[range(int(n) + 1) for n in sizes.ravel()])
    return np.array(list(grid), dtype=float).reshape(-1, *sizes.shape)


def rates_beyond(limit: float, weights: np.ndarray, random: np.random.Generator):
    """Rates whose average gap is exactly the limit: alike in all strata, or not."""
    while True:
        n = len(weights)
        second = random.beta(0.7, 0.7, n) if random.random() < 0.5 else np.full(n, random.random())
        gaps = limit + (random.normal(0, 0.3, n) if random.random() < 0.67 else np.zeros(n))
        first = second + gaps - (weights @ gaps - limit)
        if ((first >= 0) & (first <= 1)).all():
            return first, second


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("limit", [0.1, 0.3, 0.6])
def test_a_gap_beyond_the_limit_passes_no_more_often_than_the_error_that_is_allowed(name, limit):
    sizes = np.array(SMALL[name], dtype=float)
    tables, people = every_table(sizes), sizes.sum(axis=1)
    p_values = StrataComparison("a", "b", tables, sizes, people, limit).p_values()
    random = np.random.default_rng(0)
    for _ in range(60):
        first, second = rates_beyond(limit, people / people.sum(), random)
        chances = np.prod(
            [
                stats.binom.pmf(tables[:, s, g], sizes[s, g], rates[s])
                for s in range(len(sizes))
                for g, rates in enumerate((first, second))
            ],
            axis=0,
        )
        assert chances[p_values <= 0.1].sum() <= 0.1, (first, second)
        # A discrete test cannot keep each level exactly.
        assert chances[p_values <= 0.06].sum() <= 0.075, (first, second)
        assert chances[p_values <= 0.04].sum() <= 0.045, (first, second)


def test_with_many_rows_one_stratum_is_tested_as_without_strata():
    random = np.random.default_rng(1)
    sizes = np.array([[4_000.0, 3_000.0]])
    hits = random.binomial(sizes.astype(int)[0], [0.4, 0.37], size=(50, 2))[:, None].astype(float)
    own = StrataComparison("a", "b", hits, sizes, sizes.sum(axis=1), 0.05)
    plain = Comparison("a", "b", hits[:, 0], np.broadcast_to(sizes[0], (50, 2)), 0.05)
    assert own.gaps == pytest.approx(plain.gaps)
    assert own.p_values() == pytest.approx(plain.p_values(np.zeros(50, dtype=bool)), abs=0.005)


def test_a_stratum_of_which_nothing_is_known_counts_as_far_apart_as_can_be():
    sizes = np.array([[400.0, 400.0], [0.0, 40.0]])
    hits = np.array([[[160.0, 160.0], [0.0, 20.0]]])
    people = np.array([800.0, 40.0])
    known = StrataComparison("a", "b", hits[:, :1], sizes[:1], people[:1], 0.1).p_values()[0]
    half = StrataComparison("a", "b", hits, sizes, people, 0.1).p_values()[0]
    assert known < 0.01 < half
    assert StrataComparison("a", "b", hits, sizes, people, 0.04).p_values()[0] > 0.5
    nothing = StrataComparison("a", "b", hits[:, 1:], sizes[1:], people[1:], 0.1)
    assert nothing.p_values()[0] == 1 and np.isnan(nothing.ratios()[0])


def test_weights_and_shared_people_make_it_no_surer():
    random = np.random.default_rng(2)
    n = 4_000
    strata, group = random.integers(0, 3, n), random.integers(0, 2, n)
    h = (random.random((1, n)) < 0.4).astype(np.int64)
    events, counting = (np.ones((1, n), dtype=bool), h == 1), np.ones(3, dtype=bool)
    members = [np.flatnonzero(group == code) for code in (0, 1)]

    def p_of(members, counts=None):
        [found] = compare_strata(events, strata, members, ["a", "b"], counting, 0.05, counts)
        return found.p_values()[0]

    alone = p_of(members)
    assert p_of(members, np.full(n, 2.0)) < alone
    assert p_of(members, random.exponential(size=n)) > alone
    shared = [np.append(members[0], members[1][:200]), members[1]]
    [both] = compare_strata(events, strata, shared, ["a", "b"], counting, 0.05)
    assert both.overlap and both.p_values()[0] > alone


def test_constraints_and_limits_of_other_searches_ask_for_the_same():
    random = np.random.default_rng(3)
    n = 3_000
    strata, group = random.integers(0, 4, n), random.choice(["a", "b", "c"], n)
    y, h = random.integers(0, 2, n), random.integers(0, 2, (5, n))
    import pandas as pd

    some = np.flatnonzero(random.random(n) < 0.4)
    grouping = group_rows(group, n)
    for metric, constraint in (("demographic_parity", "demographic_parity"), ("fnr", "equal_opportunity")):
        limited = LimitedRows(y, grouping, None, constraint, 0.05, similar=strata)
        specs = (FairnessSpec(metric, "g", 0.05),)
        rows = ConstrainedRows.of(specs, y, pd.DataFrame({"g": group}), strata=strata)
        mine, theirs = limited.requirements(some, h[:, some]), requirements_of(rows.take(some), h[:, some], rows)
        assert len(mine) == len(theirs) == 3
        for one, other in zip(mine, theirs, strict=True):
            assert np.array_equal(one.p_values(), other.p_values())
        # What is tested is the average over strata that the search held.
        gaps = rows.take(some).gaps(h[0, some])
        assert [each.gaps[0] for each in theirs] == pytest.approx(gaps)


N_DRAWS = 150


@pytest.mark.thorough
@pytest.mark.parametrize("n_strata", [3, 10])
def test_certified_limits_are_missed_no_more_often_than_allowed(n_strata):
    """The whole procedure over draws of a population: groups live in different strata, and gaps there turn around."""

    def drawn(n: int, random: np.random.Generator):
        strata = random.integers(0, n_strata, n)
        group = (random.random(n) < 0.25 + 0.5 * strata / (n_strata - 1)).astype(np.int64)
        score = random.random(n) + 0.6 * strata / n_strata - 0.12 * group
        y = (random.random(n) < 1 / (1 + np.exp(-6 * (score - 0.7)))).astype(np.int64)
        return score[:, None], y, group, strata

    X, y, group, strata = drawn(100_000, np.random.default_rng(0))
    codes = group_rows(group, len(y))
    limit, missed, n_certified = 0.08, 0, 0
    for seed in range(N_DRAWS):
        own_X, own_y, own_group, own_strata = drawn(4_000, np.random.default_rng([1, seed]))
        model = GroupThresholdClassifier(
            method="exact", max_difference=limit, certify_fraction=0.5, confidence=0.9, random_state=seed
        ).fit(own_X, own_y, sensitive_features=own_group, strata=own_strata)
        if not model.certified_.is_certified:
            continue
        n_certified += 1
        h = np.asarray(model.predict(X, sensitive_features=group), dtype=np.int64)
        limited = LimitedRows(y, codes, None, "equalized_odds", limit, similar=strata)
        true = max(abs(each.gaps[0]) for each in limited.requirements(np.arange(len(y)), h[None]))
        missed += true > limit
    assert n_certified > N_DRAWS / 4
    assert missed <= 0.1 * N_DRAWS
