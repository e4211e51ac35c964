from __future__ import annotations

import itertools
import math

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

from fairaudit.measure.intervals import (
    equality_p_value,
    exact_p_value,
    holm,
    needs_fisher,
    newcombe,
    pooled_z,
    ratio_interval,
    weighted_holm,
    wilson,
)


@st.composite
def counts(draw, empty=False):
    n = draw(st.integers(0 if empty else 1, 200))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize("k, n, low, high", [(50, 100, 0.4038, 0.5962), (4, 5, 0.3755, 0.9638)])
def test_wilson_matches_published_numbers(k, n, low, high):
    assert [round(float(end), 4) for end in wilson(k, n)] == [low, high]


@pytest.mark.parametrize("cells, z", [((5, 10, 10, 10), -2.5820), ((10, 20, 20, 20), -3.65148)])
def test_pooled_z_matches_published_numbers(cells, z):
    assert float(pooled_z(*cells)) == pytest.approx(z, abs=5e-5)


@given(counts(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_solves_its_equation_and_holds_the_point(cell, confidence):
    k, n = cell
    low, high = wilson(k, n, confidence)
    expected = oracles.wilson(k, n, stats.norm.isf((1 - confidence) / 2))
    assert (low, high) == pytest.approx(expected, abs=1e-7)
    assert 0 <= low <= k / n <= high <= 1


@given(counts(), counts())
def test_newcombe_is_statsmodels_holds_the_point_and_turns_around_with_the_groups(p, r):
    low, high = newcombe(*p, *r)
    assert (low, high) == pytest.approx(confint_proportions_2indep(*p, *r, method="newcomb"), abs=1e-12)
    assert -1 <= low <= p[0] / p[1] - r[0] / r[1] <= high <= 1
    assert newcombe(*r, *p) == pytest.approx((-high, -low), abs=1e-12)
    if p[0] and r[0]:
        low, high = ratio_interval(*p, *r)
        assert ratio_interval(*r, *p) == pytest.approx((1 / high, 1 / low), rel=1e-9)


@given(counts(empty=True), counts(empty=True))
def test_ratio_interval_holds_the_point_or_is_undefined(p, r):
    low, high = ratio_interval(*p, *r)
    if p[1] and r[0]:
        assert 0 <= low <= (p[0] / p[1]) / (r[0] / r[1]) <= high < math.inf
        assert low < high
    else:
        assert np.isnan([low, high]).all()


def test_katz_interval_by_hand():
    spread = stats.norm.isf(0.025) * math.sqrt(1 / 20 - 1 / 100 + 1 / 30 - 1 / 90)
    expected = (0.6 * math.exp(-spread), 0.6 * math.exp(spread))
    assert ratio_interval(20, 100, 30, 90) == pytest.approx(expected)


def test_ratio_interval_without_good_outcomes_starts_at_zero():
    low, high = ratio_interval(0, 10, 5, 10)
    assert low == 0
    assert 0.5 < high < 0.8  # Koopman's score interval ends at 0.641


def test_ratio_interval_of_two_full_groups_is_not_certain():
    low, high = ratio_interval(10, 10, 10, 10)
    assert (low, high) == pytest.approx((wilson(10, 10)[0], 1 / wilson(10, 10)[0]))


@given(st.lists(st.tuples(counts(empty=True), counts(empty=True)), min_size=1, max_size=6))
def test_many_pairs_at_once_equal_one_by_one(pairs):
    cells = np.array([[*p, *r] for p, r in pairs]).T
    for function in (newcombe, ratio_interval, pooled_z, equality_p_value, needs_fisher):
        together = np.atleast_2d(function(*cells))
        alone = np.array([np.atleast_1d(function(*(p + r))) for p, r in pairs]).T
        np.testing.assert_allclose(together, alone, atol=1e-12)


@given(counts(), counts())
def test_p_value_is_fisher_exactly_where_a_cell_is_expected_below_five(p, r):
    table = np.array([[p[0], p[1] - p[0]], [r[0], r[1] - r[0]]])
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    assert bool(needs_fisher(*p, *r)) == bool((expected < 5 - 1e-12).any())
    if (expected < 5).any():
        assert equality_p_value(*p, *r) == pytest.approx(stats.fisher_exact(table).pvalue)
    else:
        chi2 = stats.chi2_contingency(table, correction=False)
        assert equality_p_value(*p, *r) == pytest.approx(chi2.pvalue)


def test_empty_groups_are_undefined_everywhere():
    for values in (wilson(0, 0), newcombe(0, 0, 1, 2), ratio_interval(0, 0, 1, 2), pooled_z(1, 2, 0, 0)):
        assert np.isnan(values).all()
    assert np.isnan(equality_p_value(0, 0, 1, 2))


@pytest.mark.thorough
@settings(max_examples=10)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_statsmodels(p_values):
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1])


def test_holm_by_hand_and_with_undefined():
    assert holm([0.01, 0.04, math.nan, 0.03]) == pytest.approx([0.03, 0.06, math.nan, 0.06], nan_ok=True)
    assert np.isnan(holm([math.nan])).all()
    assert holm([]).size == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.05, 0.1, 0.2])), min_size=1, max_size=5))
def test_weighted_holm_is_the_closed_test_of_weighted_sums(cells):
    p_values, weights = (np.array(part) for part in zip(*cells, strict=True))
    # A hypothesis goes with the largest adjusted p-value of all sets that hold it; the last place stays unused.
    unused = [max(1 - weights.sum(), 0.0)] if weights.sum() < 1 - 1e-9 else []
    every = np.append(p_values, np.ones(len(unused))), np.append(weights, unused)
    sets = [
        list(chosen)
        for size in range(1, len(every[0]) + 1)
        for chosen in itertools.combinations(range(len(every[0])), size)
    ]
    of_set = {tuple(s): (every[0][s] / every[1][s]).min() * every[1][s].sum() for s in sets}
    expected = [min(1.0, max(p for s, p in of_set.items() if i in s)) for i in range(len(p_values))]
    np.testing.assert_allclose(weighted_holm(p_values, weights), expected, rtol=1e-9, atol=1e-300)


def test_weighted_holm_leaves_out_what_is_undefined():
    assert weighted_holm([math.nan, 0.01], [0.5, 0.25]) == pytest.approx([math.nan, 0.04], nan_ok=True)
    assert weighted_holm([], []).size == 0


@given(counts(), counts(), st.sampled_from([-1, 1]))
def test_an_exact_p_value_is_fishers(one, other, sign):
    (k, n), (a, m) = one, other
    expected = stats.fisher_exact([[k, n - k], [a, m - a]], alternative="greater" if sign > 0 else "less").pvalue
    assert exact_p_value(k, n, a, m, sign) == pytest.approx(expected, abs=1e-12)
