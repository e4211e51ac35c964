"""Intervals and tests for shares, for one pair of groups or many at once.

Zero denominators give NaN, rounding noise never leaves a point outside its own interval, and the small cases in which a
formula would claim certainty are caught. The tests compare every formula with statsmodels and SciPy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from fairaudit.defaults import USUAL_CONFIDENCE

Floats = NDArray[np.float64]

FISHER_BELOW = 5.0
"""Fisher's exact test takes over from the z test where an expected cell is below this."""
MOST_IN_SMALLEST = 80
"""A cell in which fewer than 5 are expected does not hold more by any chance that counts."""


def shares(positives: ArrayLike, n: ArrayLike) -> Floats:
    """Divide counts of good outcomes by group sizes."""
    return ratio(positives, n)


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Divide, with NaN for a zero denominator.

    Examples
    --------
    >>> ratio([1, 0, 3], [2, 0, 0])
    array([0.5, nan, nan])
    """
    top, bottom = np.broadcast_arrays(np.asarray(numerator, dtype=float), np.asarray(denominator, dtype=float))
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)


def wilson(positives: ArrayLike, n: ArrayLike, confidence: float = USUAL_CONFIDENCE) -> tuple[Floats, Floats]:
    """Return the Wilson score interval of a share.

    References
    ----------
    Wilson (1927), "Probable inference, the law of succession, and statistical inference".

    Examples
    --------
    >>> low, high = wilson(50, 100)
    >>> print(f"{low:.4f} {high:.4f}")
    0.4038 0.5962
    """
    positives, n = _counts(positives, n)
    n[n <= 0] = np.nan
    return wilson_to(positives / n, n, two_sided_z(confidence))


def wilson_to(share: ArrayLike, n: ArrayLike, z: ArrayLike) -> tuple[Floats, Floats]:
    """Return Wilson's interval of a share of `n` rows, or of what is worth as many, to a quantile of z or t."""
    share, n, z = (np.asarray(each, dtype=float) for each in (share, n, z))
    # center = (p + z^2 / 2n) / (1 + z^2 / n), half = z sqrt(p (1 - p) / n + z^2 / 4n^2) / (1 + z^2 / n)
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return _around(share, np.maximum(center - half, 0), np.minimum(center + half, 1))


def difference_ends(
    p: ArrayLike, of_p: tuple[ArrayLike, ArrayLike], r: ArrayLike, of_r: tuple[ArrayLike, ArrayLike], related: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the interval of a difference from both figures, their intervals, and their correlation.

    References
    ----------
    Zou and Donner (2008), "Construction of confidence limits about effect measures: a general approach".
    """
    p, r = np.asarray(p, dtype=float), np.asarray(r, dtype=float)
    (low_p, high_p), (low_r, high_r) = of_p, of_r
    low = p - r - combined_distance(p - low_p, high_r - r, related)
    high = p - r + combined_distance(high_p - p, r - low_r, related)
    return _around(p - r, low, high)


def combined_distance(one: ArrayLike, other: ArrayLike, related: ArrayLike) -> Floats:
    """Return how far a difference reaches, from how far two figures with a correlation do."""
    one, other, related = (np.asarray(each, dtype=float) for each in (one, other, related))
    return np.asarray(np.sqrt(np.maximum(one**2 + other**2 - 2 * related * one * other, 0.0)), dtype=float)


def newcombe(
    positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike, confidence: float = USUAL_CONFIDENCE
) -> tuple[Floats, Floats]:
    """Return Newcombe's hybrid score interval of the difference of two shares, protected minus reference.

    References
    ----------
    Newcombe (1998), "Interval estimation for the difference between independent proportions", method 10.
    """
    positives_p, n_p, positives_r, n_r = _counts(positives_p, n_p, positives_r, n_r)
    p, r = shares(positives_p, n_p), shares(positives_r, n_r)
    of_p, of_r = wilson(positives_p, n_p, confidence), wilson(positives_r, n_r, confidence)
    return difference_ends(p, of_p, r, of_r, 0.0)


def ratio_interval(
    positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike, confidence: float = USUAL_CONFIDENCE
) -> tuple[Floats, Floats]:
    """Return the interval of the ratio of two shares, protected divided by reference, by the log method.

    Notes
    -----
    Katz's interval needs good outcomes in both groups and would claim certainty where everybody has one. Where the
    protected group has none, or both groups have nothing else, the limits come from the two Wilson intervals (Donner
    and Zou). A ratio of 0 then has the low end 0 and an honest high end.

    References
    ----------
    Katz, Baptista, Azen and Pike (1978); Donner and Zou (2012), equations 8 and 9.
    """
    counts = _counts(positives_p, n_p, positives_r, n_r)
    positives_p, n_p, positives_r, n_r = counts
    known = (n_p > 0) & (n_r > 0) & (positives_r > 0)
    degenerate = known & ((positives_p == 0) | ((positives_p == n_p) & (positives_r == n_r)))
    low, high = np.full(known.shape, np.nan), np.full(known.shape, np.nan)
    plain = known & ~degenerate
    if plain.any():
        low[plain], high[plain] = _katz([c[plain] for c in counts], confidence)
    if degenerate.any():
        low[degenerate], high[degenerate] = _donner_zou([c[degenerate] for c in counts], confidence)
    return _around(ratio(shares(positives_p, n_p), shares(positives_r, n_r)), low, high)


def pooled_z(positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike) -> Floats:
    """Return the z statistic of two shares with the pooled variance, protected minus reference.

    Examples
    --------
    >>> print(f"{pooled_z(5, 10, 10, 10):.4f}")
    -2.5820
    """
    positives_p, n_p, positives_r, n_r = _counts(positives_p, n_p, positives_r, n_r)
    pooled = shares(positives_p + positives_r, n_p + n_r)
    variance = pooled * (1 - pooled) * (ratio(1, n_p) + ratio(1, n_r))
    return ratio(shares(positives_p, n_p) - shares(positives_r, n_r), np.sqrt(variance))


def needs_fisher(positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike) -> NDArray[np.bool_]:
    """Say where an expected cell of the two-by-two table is below 5."""
    positives_p, n_p, positives_r, n_r = _counts(positives_p, n_p, positives_r, n_r)
    positives, n = positives_p + positives_r, n_p + n_r
    smallest = np.minimum(n_p, n_r) * np.minimum(positives, n - positives)
    return smallest < FISHER_BELOW * n


def equality_p_value(positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike) -> Floats:
    """Return the two-sided p-value of "both groups have the same share".

    The pooled z test or, where an expected cell is below 5, Fisher's exact test.
    """
    counts = _counts(positives_p, n_p, positives_r, n_r)
    p_values = np.array(2 * special.ndtr(-np.abs(pooled_z(*counts))))
    exact = needs_fisher(*counts) & (counts[1] > 0) & (counts[3] > 0)
    if exact.any():
        from scipy import stats  # here, because it takes longer to import than to use
    for i in np.argwhere(exact):
        a, n_a, b, n_b = (int(c[tuple(i)]) for c in counts)
        p_values[tuple(i)] = stats.fisher_exact([[a, n_a - a], [b, n_b - b]]).pvalue
    return p_values


def fisher_p_values(positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike) -> Floats:
    """Return the two-sided p-values of Fisher's exact test of many tables in which :func:`needs_fisher` holds.

    Shapes: (n,) each, or one number; returns (n,). As ``scipy.stats.fisher_exact``, for many tables at once.
    """
    positives_p, n_p, positives_r, n_r = (np.atleast_1d(c) for c in _counts(positives_p, n_p, positives_r, n_r))
    n, positives = n_p + n_r, positives_p + positives_r
    drawn, marked = np.minimum(n_p, n_r), np.minimum(positives, n - positives)
    own = np.where(n_p <= n_r, positives_p, positives_r)
    own = np.where(positives <= n - positives, own, drawn - own)
    # The smallest cell is hypergeometric with a mean below 5: P(j + 1) / P(j), from P(0) = 1 before all are scaled.
    j = np.arange(MOST_IN_SMALLEST)
    step = (marked[:, None] - j) * (drawn[:, None] - j) / ((j + 1) * ((n - marked - drawn)[:, None] + j + 1))
    chances = np.concatenate([np.ones((len(n), 1)), np.cumprod(np.maximum(step, 0), axis=1)], axis=1)
    chances /= chances.sum(axis=1, keepdims=True)
    observed = np.take_along_axis(chances, np.minimum(own, MOST_IN_SMALLEST).astype(int)[:, None], axis=1)
    return np.where(chances <= observed * (1 + 1e-7), chances, 0.0).sum(axis=1)


def exact_p_value(positives_p: int, n_p: int, positives_r: int, n_r: int, sign: int) -> float:
    """Return the p-value of "the first share is not larger" for the sign 1, or "not smaller" for -1.

    Fisher's exact test: unlike the z test, it never errs more often than it says, which matters far out in a tail.
    """
    from scipy import stats  # here, because it takes longer to import than to use

    people = (n_p + n_r, positives_p + positives_r, n_p)
    if sign > 0:
        return float(stats.hypergeom.sf(positives_p - 1, *people))
    return float(stats.hypergeom.cdf(positives_p, *people))


def central_p_values(positives_p: ArrayLike, n_p: ArrayLike, positives_r: ArrayLike, n_r: ArrayLike) -> Floats:
    """Return the two-sided p-values of Fisher's test that err at most half as often in either direction.

    Twice the smaller tail, as a claim says which share is lower. Far out in a tail, where Holm's method reads the
    first of many groups, the z test can err more often than it says, and this never does. NaN for an empty group.

    Examples
    --------
    >>> print(f"{central_p_values(43, 300, 200, 1000):.4f}")
    0.0306
    """
    from scipy import stats  # here, because it takes longer to import than to use

    positives_p, n_p, positives_r, n_r = _counts(positives_p, n_p, positives_r, n_r)
    people = (n_p + n_r, positives_p + positives_r, n_p)
    tail = np.minimum(stats.hypergeom.sf(positives_p - 1, *people), stats.hypergeom.cdf(positives_p, *people))
    return np.where((n_p > 0) & (n_r > 0), np.minimum(2 * tail, 1.0), np.nan)


def two_sided_z(confidence: float) -> float:
    """Return the standard normal quantile that a two-sided interval reaches to.

    Examples
    --------
    >>> print(f"{two_sided_z(0.95):.4f}")
    1.9600
    """
    return float(-special.ndtri((1 - confidence) / 2))


def holm(p_values: ArrayLike) -> Floats:
    """Adjust p-values for having asked several questions, by Holm's method.

    Shapes: `p_values` (n,); returns (n,).

    Examples
    --------
    >>> holm([0.01, float("nan"), 0.04])
    array([0.02,  nan, 0.04])
    """
    p_values = np.asarray(p_values, dtype=float)
    adjusted = np.full(p_values.shape, np.nan)
    known = ~np.isnan(p_values)
    order = np.argsort(p_values[known], kind="stable")
    # The smallest of m p-values is multiplied by m, the next by m - 1, ...; none may fall below one before it.
    stepped = np.maximum.accumulate(p_values[known][order] * np.arange(len(order), 0, -1))
    result = np.empty(len(order))
    result[order] = np.minimum(stepped, 1.0)
    adjusted[known] = result
    return adjusted


def weighted_holm(p_values: ArrayLike, weights: ArrayLike) -> Floats:
    """Adjust p-values for having asked several questions that are unlike worth the error, by Holm's method.

    Weights are fixed before the p-values are seen and add up to at most 1; what is missing to 1 is left unused. Shapes:
    (n,) each; returns (n,).

    References
    ----------
    Holm (1979), section 3; Benjamini and Hochberg (1997), on weights.

    Examples
    --------
    >>> weighted_holm([0.02, 0.01], [0.5, 0.25])
    array([0.04, 0.04])
    """
    p_values, weights = np.asarray(p_values, dtype=float), np.asarray(weights, dtype=float)
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known] / weights[known], kind="stable")]
    # The smallest p / w is compared with all of the error, the next with what is left without the weight of the first.
    left = 1 - np.concatenate([[0.0], np.cumsum(weights[order])[:-1]]) if len(order) else np.zeros(0)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] / weights[order] * left), 1.0)
    return adjusted


# NumPy's own differ from processor to processor in the last digit.
_exp, _log = (np.vectorize(function, otypes=[float]) for function in (math.exp, math.log))


def _katz(counts: list[Floats], confidence: float) -> tuple[Floats, Floats]:
    positives_p, n_p, positives_r, n_r = counts
    logarithm = _log(shares(positives_p, n_p) / shares(positives_r, n_r))
    spread = two_sided_z(confidence) * np.sqrt(1 / positives_p - 1 / n_p + 1 / positives_r - 1 / n_r)
    return _exp(logarithm - spread), _exp(logarithm + spread)


def _donner_zou(counts: list[Floats], confidence: float) -> tuple[Floats, Floats]:
    positives_p, n_p, positives_r, n_r = counts
    p, r = shares(positives_p, n_p), shares(positives_r, n_r)
    low_p, high_p = wilson(positives_p, n_p, confidence)
    low_r, high_r = wilson(positives_r, n_r, confidence)
    upper, lower = high_r * (2 * r - high_r), low_r * (2 * r - low_r)
    root_low = np.sqrt(np.maximum((p * r) ** 2 - upper * low_p * (2 * p - low_p), 0))
    root_high = np.sqrt(np.maximum((p * r) ** 2 - lower * high_p * (2 * p - high_p), 0))
    return np.maximum((p * r - root_low) / upper, 0), (p * r + root_high) / lower


def _counts(*counts: ArrayLike) -> list[Floats]:
    return [np.array(c, dtype=float) for c in np.broadcast_arrays(*counts)]


def _around(point: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    return np.minimum(low, point), np.maximum(high, point)
