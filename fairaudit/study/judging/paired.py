"""Intervals of differences between two models that were judged on the same rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.intervals import two_sided_z, wilson
from fairaudit.measure.results import Interval

UNDEFINED = Interval(float("nan"), float("nan"))


def share_difference(both: int, only_after: int, only_before: int, neither: int, confidence: float) -> Interval:
    """Return Newcombe's interval of the difference of two shares of the same rows, after minus before.

    References
    ----------
    Newcombe (1998), "Improved confidence intervals for the difference between binomial proportions based on paired
    data", method 10.

    Examples
    --------
    >>> low, high = share_difference(20, 12, 2, 16, 0.95)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0562 0.3292
    """
    n = both + only_after + only_before + neither
    if n == 0:
        return UNDEFINED
    if only_after == only_before == 0:
        return Interval(0.0, 0.0)
    after, before = (both + only_after) / n, (both + only_before) / n
    low, high = wilson([both + only_after, both + only_before], n, confidence)
    product = (both + only_after) * (only_before + neither) * (both + only_before) * (only_after + neither)
    cross = float(both * neither - only_after * only_before)
    if cross > 0:
        cross = max(cross - n / 2, 0.0)
    phi = cross / np.sqrt(float(product)) if product else 0.0
    down, up = (after - low[0], high[1] - before), (high[0] - after, before - low[1])
    width_low, width_high = (
        np.sqrt(max(a**2 - 2 * phi * a * b + b**2, 0.0)) for a, b in (down, up)
    )  # the rows are the same, so errors in both shares partly cancel
    difference = (only_after - only_before) / n
    return Interval(float(max(difference - width_low, -1.0)), float(min(difference + width_high, 1.0)))


def mean_interval(first: tuple[float, Interval], second: tuple[float, Interval]) -> Interval:
    """Return the interval of the mean of two figures from different rows, by square and add.

    References
    ----------
    Zou and Donner (2008), "Construction of confidence limits about effect measures: a general approach".

    Examples
    --------
    >>> low, high = mean_interval((0.5, Interval(0.47, 0.53)), (0.7, Interval(0.66, 0.74)))
    >>> print(f"{low:.3f} {high:.3f}")
    0.575 0.625
    """
    (a, of_a), (b, of_b) = first, second
    mean = (a + b) / 2
    down, up = np.hypot(a - of_a.low, b - of_b.low) / 2, np.hypot(of_a.high - a, of_b.high - b) / 2
    return Interval(float(mean - down), float(mean + up))


def auc_difference(
    y: NDArray[np.int64], before: NDArray[np.float64], after: NDArray[np.float64], confidence: float
) -> Interval:
    """Return DeLong's interval of the difference of two areas under the ROC curve, after minus before.

    Shapes: `y` (n,), `before` (n,), `after` (n,).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988); Sun and Xu (2014) for the fast form.
    """
    good, bad = y == 1, y == 0
    m, n = int(good.sum()), int(bad.sum())
    if m < 2 or n < 2:
        return UNDEFINED
    placed = [_placements(score, good, bad) for score in (before, after)]
    if all(np.array_equal(b, a) for b, a in zip(*placed, strict=True)):
        return Interval(0.0, 0.0)
    (good_before, bad_before), (good_after, bad_after) = placed
    of_good, of_bad = good_after - good_before, bad_after - bad_before
    variance = float(of_good.var(ddof=1) / m + of_bad.var(ddof=1) / n)
    if variance <= 1e-16:
        return UNDEFINED
    difference = float(of_good.mean())
    spread = float(two_sided_z(confidence) * np.sqrt(variance))
    return Interval(max(difference - spread, -1.0), min(difference + spread, 1.0))


def _placements(
    score: NDArray[np.float64], good: NDArray[np.bool_], bad: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each good row the share of bad rows below it, for each bad row the share of good rows above it."""
    rank = stats.rankdata(score)
    good_rank, bad_rank = rank[good], rank[bad]
    m, n = len(good_rank), len(bad_rank)
    return (good_rank - stats.rankdata(good_rank)) / n, 1 - (bad_rank - stats.rankdata(bad_rank)) / m
