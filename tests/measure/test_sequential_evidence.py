"""Evidence does not grow on average while the gap is within the tolerance: by summing over all batches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from fairaudit.measure.sequential import EXCESSES, Evidence, _log_ratio, _waiting

TOLERANCE = 0.05


def after_one(n=(60, 40), k=(30, 20)) -> Evidence:
    """Return what is known after a first batch."""
    return Evidence.none().after(np.array(n, float), np.array(k, float), TOLERANCE)


def mean_growth(before: Evidence, n: tuple[int, int], shares: tuple[float, float], tolerance: float) -> np.ndarray:
    """Return the mean of what a batch is worth, over all batches of these sizes, by side and excess."""
    first, second = np.meshgrid(np.arange(n[0] + 1), np.arange(n[1] + 1), indexing="ij")
    k = np.stack([first, second], axis=-1).reshape(-1, 2).astype(float)
    chance = stats.binom.pmf(k[:, 0], n[0], shares[0]) * stats.binom.pmf(k[:, 1], n[1], shares[1])
    many = Evidence.none(len(k))
    known = {name: np.broadcast_to(getattr(before, name), (len(k), 2)) for name in ("recent_n", "recent_k")}
    factors = Evidence(**vars(many) | known)._log_factors(np.broadcast_to(np.array(n, float), k.shape), k, tolerance)
    return (chance[:, None, None] * np.exp(factors)).sum(axis=0)


@pytest.mark.parametrize("n", [(1, 1), (5, 5), (3, 20), (30, 4)])
@pytest.mark.parametrize("before", [(0.5, 0.5), (0.1, 0.9), (0.02, 0.03), (0.95, 0.6)])
@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.2])
def test_a_batch_is_worth_at_most_one_on_average_for_all_shares_within_the_tolerance(n, before, tolerance):
    seen = after_one((100, 100), tuple(100 * share for share in before))
    for share in np.linspace(0, 1, 11):
        for apart in (0.0, tolerance / 2, tolerance):
            for shares in ((share, share + apart), (share + apart, share)):
                if max(shares) > 1:
                    continue
                found = mean_growth(seen, n, shares, tolerance)
                assert found.max() <= 1 + 1e-9, (shares, found)


def test_a_batch_with_a_gap_beyond_the_tolerance_is_worth_more_on_its_side():
    found = mean_growth(after_one((100, 100), (40, 60)), (20, 20), (0.3, 0.7), TOLERANCE)
    assert (found[0] > 1).all()
    assert (found[1] < 1).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_shares_within_the_tolerance_are_those_of_a_direct_search(seed):
    rng = np.random.default_rng(seed)
    n, level, tolerance = rng.integers(1, 300, 2).astype(float), rng.uniform(0.15, 0.85), rng.uniform(0, 0.2)
    k = np.floor(rng.random(2) * (n + 1))
    ratio = _log_ratio(n, k, np.asarray(level), tolerance)
    for excess, found in zip(EXCESSES, ratio, strict=True):
        apart = tolerance + excess
        low = level - n[1] / n.sum() * apart
        high = low + apart
        if not (low > 1e-4 and high < 1 - 1e-4):
            continue

        def divergence(a, low=low, high=high):
            b = a + tolerance
            own = low * math.log(low / a) + (1 - low) * math.log((1 - low) / (1 - a))
            return n[0] * own + n[1] * (high * math.log(high / b) + (1 - high) * math.log((1 - high) / (1 - b)))

        a = optimize.minimize_scalar(divergence, bounds=(low, high - tolerance), method="bounded").x
        b = a + tolerance
        likely = stats.binom.logpmf(k[0], n[0], low) + stats.binom.logpmf(k[1], n[1], high)
        nearest = stats.binom.logpmf(k[0], n[0], a) + stats.binom.logpmf(k[1], n[1], b)
        assert found == pytest.approx(likely - nearest, abs=1e-2), (seed, excess)


def test_the_beginnings_weigh_one_together():
    weights = [_waiting(n) - _waiting(n + 1) for n in range(10_000)]
    assert sum(weights) + _waiting(10_000) == pytest.approx(1)
    assert min(weights) > 0


def test_before_the_first_batch_and_after_one_alone_there_is_no_evidence():
    assert float(Evidence.none().log_evidence) == pytest.approx(0)
    assert float(after_one().log_evidence) == pytest.approx(0)


@pytest.mark.parametrize("n", [(0, 40), (40, 0), (0, 0)])
def test_a_batch_without_one_of_the_groups_changes_no_evidence_and_no_gap(n):
    before = after_one().after(np.array([50.0, 50.0]), np.array([10.0, 30.0]), TOLERANCE)
    k = np.array(n, float) / 2
    found = before.after(np.array(n, float), k, TOLERANCE)
    assert float(found.log_evidence) == pytest.approx(float(before.log_evidence))
    assert float(found.gap) == pytest.approx(float(before.gap))


def test_the_gap_so_far_is_the_mean_of_the_gaps_by_the_sizes_of_both_groups():
    seen = after_one((60, 40), (30, 10)).after(np.array([10.0, 30.0]), np.array([5.0, 30.0]), TOLERANCE)
    weights = (60 * 40 / 100, 10 * 30 / 40)
    assert float(seen.gap) == pytest.approx((weights[0] * 0.25 + weights[1] * -0.5) / sum(weights))
    low, high = seen.interval(0.95)
    assert low < seen.gap < high


@pytest.mark.thorough
@pytest.mark.parametrize(("gap", "share"), [(0.0, 0.5), (0.05, 0.5), (-0.05, 0.3), (0.05, 0.1)])
def test_streams_of_a_year_within_the_tolerance_give_an_alarm_in_at_most_one_of_twenty(gap, share):
    streams, rng = 300, np.random.default_rng(11)
    evidence, alarms, held = Evidence.none(streams), np.zeros(streams, bool), np.ones(streams, bool)
    for night in range(365):
        n = rng.poisson(60, (streams, 2))
        level = share + 0.03 * math.sin(night)
        k = rng.binomial(n, [level - gap, level])
        evidence = evidence.after(n.astype(float), k.astype(float), TOLERANCE)
        alarms |= evidence.log_evidence >= math.log(20)
        low, high = evidence.interval(0.95)
        held &= (low <= -gap) & (-gap <= high)
    most = stats.binom.isf(0.001, streams, 0.05)
    assert alarms.sum() <= most
    assert (~held).sum() <= most
