"""Every formula for shares beside statsmodels and SciPy, on many random tables with empty cells, and at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

from fairaudit.measure import intervals, means
from fairaudit.measure.strata import cochran_mantel_haenszel, common_odds_ratio

CONFIDENCES = (0.5, 0.8, 0.95, 0.999)
LARGEST = (3, 20, 1_000, 10_000_000)


def random_pairs(seed: int) -> np.ndarray:
    """Return rows of (positives_p, n_p, positives_r, n_r), of all sizes, many with nobody or everybody positive."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, np.array(LARGEST)[rng.integers(0, 4, 100), None] + 1, size=(100, 2))
    positives = rng.binomial(n, rng.choice([0.0, 0.01, 0.3, 0.5, 0.97, 1.0], size=n.shape))
    return np.stack([positives[:, 0], n[:, 0], positives[:, 1], n[:, 1]]).astype(float)


def random_strata(seed: int) -> np.ndarray:
    """Return up to 30 strata (positives_p, n_p, positives_r, n_r); in both groups of each there is somebody."""
    return random_pairs(seed)[:, : 1 + seed % 30].T


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("seed", range(3))
def test_wilson_and_newcombe(seed, confidence):
    pairs = random_pairs(seed)
    expected = proportion_confint(*pairs[:2], 1 - confidence, method="wilson")
    np.testing.assert_allclose(intervals.wilson(*pairs[:2], confidence), expected, rtol=1e-9, atol=1e-12)
    expected = confint_proportions_2indep(*pairs, method="newcomb", alpha=1 - confidence)
    np.testing.assert_allclose(intervals.newcombe(*pairs, confidence), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("seed", range(3))
def test_ratio_by_the_log_method(seed, confidence):
    positives_p, n_p, positives_r, n_r = pairs = random_pairs(seed)
    usual = (positives_p > 0) & (positives_r > 0) & ((positives_p < n_p) | (positives_r < n_r))
    expected = confint_proportions_2indep(*pairs[:, usual], compare="ratio", method="log", alpha=1 - confidence)
    found = np.array(intervals.ratio_interval(*pairs, confidence))
    np.testing.assert_allclose(found[:, usual], expected, rtol=1e-9)
    assert (np.isnan(found).all(axis=0) == (positives_r == 0)).all()


@pytest.mark.parametrize("seed", range(3))
def test_pooled_z(seed):
    for pair in random_pairs(seed).T:
        positives_p, n_p, positives_r, n_r = pair
        if 0 < positives_p + positives_r < n_p + n_r:
            expected = proportions_ztest([positives_p, positives_r], [n_p, n_r])[0]
            assert intervals.pooled_z(*pair) == pytest.approx(expected, rel=1e-9), pair
        else:
            assert math.isnan(intervals.pooled_z(*pair)), pair


def test_common_odds_ratio_and_test():
    for seed in range(300):
        assert_common_odds_ratio_and_test(seed)


def assert_common_odds_ratio_and_test(seed):
    cells = random_strata(seed)
    a, n1, b, n0 = cells.T
    confidence = CONFIDENCES[seed % 4]
    ratio, ends = common_odds_ratio(cells, confidence)
    top, bottom = (a * (n0 - b)).any(), (b * (n1 - a)).any()
    table = StratifiedTable(np.array([[a, n1 - a], [b, n0 - b]]))
    if top and bottom:
        assert ratio == pytest.approx(table.oddsratio_pooled, rel=1e-9)
        assert tuple(ends) == pytest.approx(table.oddsratio_pooled_confint(1 - confidence), rel=1e-9)
    else:
        assert (ratio == 0) if bottom else math.isnan(ratio)
        assert np.isnan(tuple(ends)).all()
    good = a + b
    for correction in (True, False):
        found = cochran_mantel_haenszel(cells, correction=correction)
        if not (good * (n1 + n0 - good)).any():
            assert np.isnan(found).all()
        elif correction and abs((a - n1 * good / (n1 + n0)).sum()) <= 0.5:
            # A correction larger than the distance would turn around and count as evidence.
            assert found == (0.0, 1.0)
        else:
            expected = table.test_null_odds(correction=correction)
            assert found[0] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
            assert found[1] == pytest.approx(expected.pvalue, abs=1e-12)


def test_strata_of_two_rows():
    assert cochran_mantel_haenszel(np.array([[1.0, 1, 0, 1]]), correction=False) == pytest.approx(
        (1.0, stats.chi2.sf(1, 1))
    )
    assert np.isnan(common_odds_ratio(np.array([[1.0, 1, 0, 1]]), 0.95)[0])
    assert np.isnan(common_odds_ratio(np.empty((0, 4)), 0.95)[0])
    assert np.isnan(cochran_mantel_haenszel(np.empty((0, 4)), correction=True)).all()


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_quantiles_are_those_of_scipy(confidence):
    assert intervals.two_sided_z(confidence) == pytest.approx(stats.norm.isf((1 - confidence) / 2), rel=1e-12)
    for freedom in (0.3, 1, 1.7, 4, 29, 1e4, 1e12, math.inf):
        upper = stats.t.ppf((1 + confidence) / 2, freedom)
        assert special.stdtrit(freedom, (1 + confidence) / 2) == pytest.approx(upper, rel=1e-9)
        for distance in (0.0, 0.4, 3.0, 40.0):
            assert special.stdtr(freedom, -distance) == pytest.approx(stats.t.sf(distance, freedom), rel=1e-9)


def test_welch():
    for seed in range(50):
        assert_welch(seed)


def assert_welch(seed):
    rng = np.random.default_rng(seed)
    samples = [rng.normal(rng.normal(), rng.choice([0.01, 1, 50]), size=rng.integers(2, 40)) for _ in range(2)]
    parts = [{"n": len(s), "mean": s.mean(), "variance": s.var(ddof=1)} for s in samples]
    expected = stats.ttest_ind(*samples, equal_var=False)
    confidence = CONFIDENCES[seed % 4]
    assert means.welch_p_value(*parts) == pytest.approx(expected.pvalue, rel=1e-9)
    ends = means.welch_interval(*parts, confidence)
    assert tuple(ends) == pytest.approx(tuple(expected.confidence_interval(confidence)), rel=1e-9, abs=1e-12)


def test_welch_at_the_edges():
    one, two = {"n": 1, "mean": 3.0, "variance": math.nan}, {"n": 2, "mean": 1.0, "variance": 0.5}
    equal = {"n": 40, "mean": 2.0, "variance": 0.0}
    assert np.isnan([*means.welch_interval(one, two, 0.95), means.welch_p_value(one, two)]).all()
    assert tuple(means.welch_interval(equal, equal, 0.95)) == (0.0, 0.0)
    assert math.isnan(means.welch_p_value(equal, equal))
    assert tuple(means.welch_interval(equal, two, 0.9)) == pytest.approx(
        (1 - stats.t.ppf(0.95, 1) * 0.5, 1 + stats.t.ppf(0.95, 1) * 0.5)
    )
