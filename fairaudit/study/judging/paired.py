"""Intervals of differences between two models that were judged on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.study.judging.results import BesideDecisions

UNDEFINED = Interval(float("nan"), float("nan"))


ADDED: Final = 1.0
"""Rows that are added for each way in which two models can differ: none seen does not mean that there is none."""


def share_difference(only_after: int, only_before: int, n: int, confidence: float) -> Interval:
    """Return the interval of the difference of two shares of the same `n` rows, after minus before.

    Notes
    -----
    Wald's, with `ADDED` rows that count only after and as many that count only before; Agresti and Min add half a row.

    References
    ----------
    Agresti and Min (2005), "Simple improved confidence intervals for comparing matched proportions".

    Examples
    --------
    >>> low, high = share_difference(12, 2, 50, 0.95)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0586 0.3414
    """
    if n == 0:
        return UNDEFINED
    rows, differing = n + 2 * ADDED, only_after + only_before + 2 * ADDED
    variance = (differing - (only_after - only_before) ** 2 / rows) / rows**2
    return normal_interval((only_after - only_before) / n, variance, confidence, most=1.0)


def share_variance(moved: NDArray[np.float64]) -> float:
    """Return the variance of the mean of what rows are moved by, in ones, as :func:`share_difference` has it.

    Examples
    --------
    >>> moved = np.repeat([1.0, -1.0, 0.0], [12, 2, 36])
    >>> low, high = normal_interval(moved.mean(), share_variance(moved), 0.95)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0586 0.3414
    """
    rows = len(moved) + 2 * ADDED
    return float((moved**2).sum() + 2 * ADDED - moved.sum() ** 2 / rows) / rows**2


def mean_variance(moved: NDArray[np.float64]) -> float:
    """Return the variance of the mean of amounts that rows are moved by; NaN of fewer than two."""
    return float(moved.var(ddof=1)) / len(moved) if len(moved) > 1 else math.nan


def beside_decisions(
    decided: NDArray[np.float64],
    given: NDArray[np.float64],
    sides: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    confidence: float,
    variance: Callable[[NDArray[np.float64]], float],
    *,
    most: float = np.inf,
) -> BesideDecisions | None:
    """Return how far what a model gives is from what was decided for the same rows; None where a side has no row.

    Shapes: `decided`, `given` and each of `sides`, the protected group and the rest, (n,).

    Notes
    -----
    Each row stands for itself: a group's mean is moved by the mean of what its rows are moved by. The size of a gap is
    moved by ``s (mean_p(given) - mean_r(given)) - t (mean_p(decided) - mean_r(decided))``, `s` and `t` its signs.
    """
    if not all(side.any() for side in sides):
        return None
    signs = [1 if one >= other else -1 for one, other in ([x[side].mean() for side in sides] for x in (given, decided))]
    moved, gap = given - decided, signs[0] * given - signs[1] * decided
    compared, protected, rest = (
        normal_interval(float(own.mean()), variance(own), confidence, most=most)
        for own in (moved[sides[0] | sides[1]], *(moved[side] for side in sides))
    )
    one, other = (gap[side] for side in sides)
    size = float(one.mean() - other.mean())
    wider = normal_interval(size, variance(one) + variance(other), confidence, most=most)
    return BesideDecisions(compared, protected, rest, wider)


def normal_interval(difference: float, variance: float, confidence: float, *, most: float = np.inf) -> Interval:
    """Return the interval of a difference by a normal approximation, with ends of at most `most` in size.

    Examples
    --------
    >>> low, high = normal_interval(0.1, 0.0004, 0.95)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0608 0.1392
    """
    spread = two_sided_z(confidence) * np.sqrt(variance)
    return Interval(float(max(difference - spread, -most)), float(min(difference + spread, most)))


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
    return normal_interval(float(of_good.mean()), variance, confidence, most=1.0)


def _placements(
    score: NDArray[np.float64], good: NDArray[np.bool_], bad: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each good row the share of bad rows below it, for each bad row the share of good rows above it."""
    rank = stats.rankdata(score)
    good_rank, bad_rank = rank[good], rank[bad]
    m, n = len(good_rank), len(bad_rank)
    return (good_rank - stats.rankdata(good_rank)) / n, 1 - (bad_rank - stats.rankdata(bad_rank)) / m
