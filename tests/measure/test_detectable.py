"""How large a gap must be to be seen: against statsmodels' power, and against what the check itself finds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestIndPower
from statsmodels.stats.proportion import power_proportions_2indep

from fairaudit import detectable_gap
from fairaudit.errors import InputError
from fairaudit.findings import Amount, Points
from fairaudit.measure import compare_counts
from fairaudit.measure.comparison import compare_many
from fairaudit.measure.detectable import detectable_mean_gap, detectable_of
from fairaudit.measure.intervals import fisher_p_values, needs_fisher, newcombe
from fairaudit.measure.means import compare_means
from fairaudit.sections.detectable import say_seen_before


def power_of(gap: float, rate: float, n_p: int, n_r: int, confidence: float = 0.95) -> float:
    return float(power_proportions_2indep(gap, rate, n_p, ratio=n_r / n_p, alpha=1 - confidence, return_results=False))


@pytest.mark.parametrize(
    ("n_p", "n_r", "rate", "power"),
    [(93, 92, 0.7, 0.8), (93, 92, 0.5, 0.8), (600, 4_000, 0.1, 0.9), (50, 300, 0.6, 0.5)],
)
def test_the_gap_has_the_power_that_statsmodels_gives_it(n_p, n_r, rate, power):
    found = detectable_gap(n_p, n_r, rate=rate, power=power)
    below, above = (power_of(sign * found.gap, rate, n_p, n_r) for sign in (-1, 1))
    assert min(below, above) == pytest.approx(power, abs=1e-6)


@pytest.mark.parametrize(("rate", "tolerance"), [(0.5, 0.05), (0.3, 0.02), (0.15, 0.1)])
def test_the_rows_needed_are_the_fewest_with_the_power(rate, tolerance):
    found = detectable_gap(100, 300, rate=rate, tolerance=tolerance)
    sides = [sign for sign in (-1, 1) if 0 <= rate + sign * tolerance <= 1]
    enough = [
        min(power_of(s * tolerance, rate, n, 3 * n) for s in sides) for n in (found.n_needed[0], found.n_needed[0] - 1)
    ]
    assert enough[0] >= 0.8 > enough[1]
    assert found.n_needed[1] == pytest.approx(3 * found.n_needed[0], abs=3)


def counted_power(n_p: int, n_r: int, rate: float, moved: float, tolerance: float) -> float:
    """Return how often a check says a gap, by all tables that can come up."""
    k_p, k_r = np.arange(n_p + 1), np.arange(n_r + 1)
    of_p, of_r = stats.binom.pmf(k_p, n_p, moved), stats.binom.pmf(k_r, n_r, rate)
    kept_p, kept_r = of_p > 1e-8, of_r > 1e-8
    k_p, of_p, k_r, of_r = k_p[kept_p], of_p[kept_p], k_r[kept_r], of_r[kept_r]
    inside, outside = (each.ravel() for each in np.meshgrid(k_p, k_r, indexing="ij"))
    low, high = newcombe(inside, n_p, outside, n_r)
    called = (low > tolerance) | (high < -tolerance)
    for i in np.flatnonzero(called & needs_fisher(inside, n_p, outside, n_r)):
        a, b = int(inside[i]), int(outside[i])
        called[i] = stats.fisher_exact([[a, n_p - a], [b, n_r - b]]).pvalue <= 0.05
    return float(of_p @ called.reshape(len(k_p), len(k_r)) @ of_r)


@pytest.mark.parametrize(("n_p", "n_r", "rate"), [(40, 1960, 0.02), (12, 188, 0.3), (30, 270, 0.1), (20, 20, 0.9)])
def test_where_fisher_decides_the_gap_has_its_power_by_all_tables(n_p, n_r, rate):
    found = detectable_gap(n_p, n_r, rate=rate)
    for gap, tolerance in ((found.gap, 0.0), (found.clear_gap, 0.05)):
        shares = [rate + sign * gap for sign in (-1, 1) if 0 <= rate + sign * gap <= 1]
        assert min(counted_power(n_p, n_r, rate, moved, tolerance) for moved in shares) == pytest.approx(0.8, abs=1e-3)


def test_the_rows_that_a_rare_outcome_needs_have_the_power_by_all_tables():
    found = detectable_gap(40, 1960, rate=0.02, tolerance=0.1)
    assert counted_power(*found.n_needed, 0.02, 0.12, 0.0) >= 0.8
    rare = detectable_gap(5_000, 5_000, rate=2e-4)
    assert counted_power(5_000, 5_000, 2e-4, 2e-4 + rare.gap, 0.0) == pytest.approx(0.8, abs=1e-3)


@given(st.integers(1, 60), st.integers(1, 400), st.floats(0, 1), st.floats(0, 1), st.booleans())
@settings(max_examples=200, deadline=None)
def test_fisher_s_test_of_many_tables_is_that_of_scipy(n_p, n_r, share, other, swapped):
    k_p, k_r = round(share * n_p), round(other * n_r)
    if swapped:
        k_p, n_p, k_r, n_r = k_r, n_r, k_p, n_p
    assume(bool(needs_fisher(k_p, n_p, k_r, n_r)))
    expected = stats.fisher_exact([[k_p, n_p - k_p], [k_r, n_r - k_r]]).pvalue
    assert fisher_p_values(k_p, n_p, k_r, n_r)[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("n_p", "n_r"), [(50, 50), (20, 500), (900, 900)])
def test_a_difference_of_means_has_the_power_that_statsmodels_gives_it(n_p, n_r):
    found = detectable_mean_gap(n_p, n_r, deviation=2.0, tolerance=0.3)
    power = TTestIndPower()
    assert power.power(found.gap / 2, n_p, 0.05, ratio=n_r / n_p) == pytest.approx(0.8, abs=2e-3)
    assert power.power(0.15, found.n_needed[0], 0.05, ratio=n_r / n_p) == pytest.approx(0.8, abs=5e-3)


@pytest.mark.parametrize(("n_p", "n_r", "rate"), [(93, 92, 0.7), (60, 400, 0.4), (800, 500, 0.15)])
def test_as_many_simulated_audits_see_the_gap_as_is_said(n_p, n_r, rate):
    found = detectable_gap(n_p, n_r, rate=rate)
    rng = np.random.default_rng(1)
    n = 4_000
    shown = {}
    for name, gap in (("gap", found.gap), ("clear_gap", found.clear_gap)):
        sign = 1 if rate + gap <= 1 and power_of(gap, rate, n_p, n_r) < power_of(-gap, rate, n_p, n_r) else -1
        inside, outside = rng.binomial(n_p, rate + sign * gap, n), rng.binomial(n_r, rate, n)
        results = compare_many(inside, [n_p] * n, outside, [n_r] * n, names=[("p", "r")] * n)
        limit = 0.0 if name == "gap" else 0.05
        shown[name] = np.mean(
            [not r.difference_interval.low <= limit * sign <= r.difference_interval.high for r in results]
        )
    # Of the other direction the power is higher, and Newcombe's interval is not exactly the pooled test.
    assert shown["gap"] == pytest.approx(0.8, abs=0.03)
    assert 0.77 < shown["clear_gap"] < 0.9


@given(st.integers(1, 5_000), st.integers(1, 5_000), st.floats(0, 1), st.floats(0.01, 0.5))
@settings(max_examples=40, deadline=None)
def test_more_rows_see_smaller_gaps(n_p, n_r, rate, tolerance):
    one, more = (detectable_gap(k * n_p, k * n_r, rate=rate, tolerance=tolerance) for k in (1, 4))
    assert math.isnan(one.gap) or more.gap <= one.gap
    assert math.isnan(one.clear_gap) or one.clear_gap >= one.gap
    if one.n_needed is not None and max(one.n_needed) < 1e12:
        again = detectable_gap(*one.n_needed, rate=rate, tolerance=tolerance)
        assert again.gap <= tolerance * (1 + 1e-6) or max(1 - rate, rate) < tolerance


def test_nothing_can_be_seen_of_one_person_each_and_no_number_sees_a_gap_of_zero():
    found = detectable_gap(1, 1, rate=0.5, tolerance=0)
    assert math.isnan(found.gap) and math.isnan(found.clear_gap) and found.n_needed is None
    assert say_seen_before(1, 1, confidence=0.95, of_shares=True).key == "detectable-nothing"


@pytest.mark.parametrize(
    ("sizes", "confidence", "of_shares", "size"),
    [
        ((1_017, 3_183), 0.95, True, (Points, 5.0)),
        ((1_017, 3_183), 0.99, True, (Points, 6.1)),
        ((400, 700), 0.95, False, (Amount, 0.18)),
    ],
)
def test_what_a_table_can_show_goes_by_the_confidence_of_the_audit(sizes, confidence, of_shares, size):
    said = dict(say_seen_before(*sizes, confidence=confidence, of_shares=of_shares).args)["size"]
    scale = 100 if isinstance(said, Points) else 1
    assert (type(said), round(scale * said.value, 2 - (scale == 100))) == size


def test_a_comparison_gives_its_own_figures():
    found = detectable_of(compare_counts(40, 93, 46, 92))
    assert (found.n_protected, found.n_reference, found.rate) == (93, 92, 0.5)
    sides = [
        {"n": 30, "missing": 0, "mean": m, "variance": v} | dict.fromkeys(("quarter", "median", "three_quarters"), m)
        for m, v in ((1.0, 4.0), (2.0, 9.0))
    ]
    amounts = detectable_of(compare_means(*sides, names=("p", "r"), tolerance=0.5, confidence=0.95))
    assert amounts.deviation == pytest.approx(math.sqrt(6.5))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"n_protected": 0}, "n_protected"),
        ({"n_reference": 2.5}, "n_reference"),
        ({"rate": 1.2}, "rate"),
        ({"power": 1}, "power"),
        ({"confidence": 0.3}, "confidence"),
        ({"tolerance": -1}, "tolerance"),
        ({"n_protected": "many"}, "n_protected"),
        ({"n_reference": math.inf}, "n_reference"),
        ({"rate": None}, "rate"),
        ({"rate": True}, "rate"),
        ({"power": None}, "power"),
    ],
)
def test_a_number_out_of_range_is_refused(changed, named):
    with pytest.raises(InputError, match=named):
        detectable_gap(**({"n_protected": 10, "n_reference": 10, "rate": 0.5} | changed))


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_gap_of_means_falls_steadily_as_people_grow(confidence):
    gaps = [
        detectable_mean_gap(n, n, deviation=1.0, tolerance=0.1, confidence=confidence) for n in (*range(2, 420), 2_000)
    ]
    for measure in ("gap", "clear_gap"):
        values = [getattr(each, measure) for each in gaps]
        assert all(after < before for before, after in itertools.pairwise(values))


def test_gap_of_means_with_two_hundred_people_each_is_that_of_the_normal_distribution():
    # (1.96 + .8416) sqrt(2 / 200), a little more for the t distribution
    assert detectable_mean_gap(200, 200, deviation=1.0, tolerance=0.1).gap == pytest.approx(0.2808, abs=0.001)
