"""How figures change from one model to another on the same rows: gaps, rates of groups, performance; with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints.metrics import ErrorCost
from fairaudit.estimators.constraints.polishing import GOOD_OUTCOMES, WorseOffRate
from fairaudit.measure.intervals import ratio, two_sided_z, wilson
from fairaudit.measure.rates import CELLS, METRIC_PARTS, gaps_from_counts, in_cells
from fairaudit.measure.results import Interval
from fairaudit.measure.scores import auc_interval
from fairaudit.study.judging.results import (
    CANNOT_TELL,
    NOT_WORSE,
    TOO_FEW,
    WORSE,
    BesideDecisions,
    Change,
    GroupChange,
    Judged,
    Standing,
)

# Intervals of differences between two models that were judged on the same rows.

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


def auc_shift(y: NDArray[np.int64], before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[float, float]:
    """Return the difference of two areas under the ROC curve of the same rows, after minus before, and its variance.

    NaN with fewer than two rows of a class; a variance of NaN where two different rankings leave no trace of chance.

    Shapes: `y` (n,), `before` (n,), `after` (n,).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988); Sun and Xu (2014) for the fast form.
    """
    good, bad = y == 1, y == 0
    m, n = int(good.sum()), int(bad.sum())
    if m < 2 or n < 2:
        return math.nan, math.nan
    placed = [_placements(score, good, bad) for score in (before, after)]
    if all(np.array_equal(b, a) for b, a in zip(*placed, strict=True)):
        return 0.0, 0.0
    (good_before, bad_before), (good_after, bad_after) = placed
    of_good, of_bad = good_after - good_before, bad_after - bad_before
    variance = float(of_good.var(ddof=1) / m + of_bad.var(ddof=1) / n)
    return float(of_good.mean()), variance if variance > 1e-16 else math.nan


def auc_difference(
    y: NDArray[np.int64], before: NDArray[np.float64], after: NDArray[np.float64], confidence: float
) -> Interval:
    """Return DeLong's interval of the difference of two areas under the ROC curve, see :func:`auc_shift`.

    Shapes: `y` (n,), `before` (n,), `after` (n,).
    """
    difference, variance = auc_shift(y, before, after)
    return UNDEFINED if math.isnan(variance) else normal_interval(difference, variance, confidence, most=1.0)


def _placements(
    score: NDArray[np.float64], good: NDArray[np.bool_], bad: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each good row the share of bad rows below it, for each bad row the share of good rows above it."""
    rank = stats.rankdata(score)
    good_rank, bad_rank = rank[good], rank[bad]
    m, n = len(good_rank), len(bad_rank)
    return (good_rank - stats.rankdata(good_rank)) / n, 1 - (bad_rank - stats.rankdata(bad_rank)) / m


# Rates of a group before and after on the same rows, and the variance of their change.
#
# A rate is a share ``r = sum(t) / sum(b)`` over the rows of a group. To first order a row moves it by ``(t - r b) /
# sum(b)``, and its change between two models by the difference of two such terms. The variance of the change is the sum
# of the squares of these over the rows, for each way in which a row can move the rate `ADDED` rows included: up or
# down, and with either label but for a rate of all rows, which counts each alike.

LABEL, BEFORE, AFTER = np.indices((2, 2, 2)).reshape(3, 8)
"""Label and both predictions of the rows of each cell."""

Cells = NDArray[np.int64]
"""Rows of a group by label, prediction before and prediction after, shape (8,)."""

Term = tuple[NDArray[np.number], NDArray[np.integer]]
"""Numerator and denominator of a rate for a row of each cell, shape (8,) each."""

Terms = Callable[[NDArray[np.integer]], Term]
"""From the predictions of the cells, `BEFORE` or `AFTER`, to the terms of a rate."""


def _terms(top: Sequence[str], bottom: Sequence[str]) -> Terms:
    return lambda h: (in_cells(top, LABEL, h).astype(np.int64), in_cells(bottom, LABEL, h).astype(np.int64))


_PARTS = METRIC_PARTS | {"rejection_rate": (("tn", "fn"), CELLS)}
TERMS = {name: _terms(*parts) for name, parts in _PARTS.items()}
"""The rates that have a name."""


def cost_terms(c_fp: float, c_fn: float) -> Terms:
    """Return the terms of the average cost of errors."""
    return lambda h: (c_fp * (1 - LABEL) * h + c_fn * LABEL * (1 - h), np.ones(8, dtype=np.int64))


def rates_of(cells: Cells, terms: Terms, least: int) -> tuple[float, float]:
    """Return a rate before and after; NaN where it is a share of fewer rows."""
    sums = [(top @ cells, bottom @ cells) for top, bottom in (terms(BEFORE), terms(AFTER))]
    before, after = (float(top / bottom) if bottom >= least else np.nan for top, bottom in sums)
    return before, after


def change_variance(cells: Cells, terms: Terms) -> float:
    """Return the variance of the change of a rate."""
    of_all = terms(BEFORE)[1].all()
    rows = cells + ADDED * (BEFORE != AFTER) / (2 if of_all else 1)
    moved = np.zeros(8)
    for sign, (top, bottom) in zip((-1, 1), (terms(BEFORE), terms(AFTER)), strict=True):
        whole = bottom @ rows
        moved += sign * (top - (top @ rows) / whole * bottom) / whole
    return float(rows @ moved**2)


# How the gap between two groups changes from one model to another on the same rows: with a sign and an interval.

SELECTION: Final = "selection_rate"
RATES: Final = {
    "selection_gap": SELECTION,
    "tpr_gap": "tpr",
    "fpr_gap": "fpr",
    "fdr_gap": "fdr",
    "for_gap": "for_",
}
"""The gaps between groups, and the rate that each is a gap of."""

Pair = tuple[str, str]
"""Two groups; their gap is the rate of the first minus that of the second."""


def furthest_apart(counts: pd.DataFrame, min_count: float) -> dict[str, Pair]:
    """Return for each gap the groups with the highest and the lowest rate, in their order in the table of counts.

    Only rates that are shares of enough rows are compared.

    Notes
    -----
    The counts must be of other rows than those on which the change is judged: a pair that is picked on the same rows
    looks further apart before than it is.
    """
    gaps = gaps_from_counts(counts, min_count=min_count).loc[list(RATES.values())]
    pairs = {gap: gaps.at[rate, "worst_pair"] for gap, rate in RATES.items()}
    order = counts["group"].tolist()
    return {gap: tuple(sorted(pair, key=order.index)) for gap, pair in pairs.items() if pair is not None}


def gap_change(gap: str, pair: Pair, cells: tuple[NDArray[np.int64], NDArray[np.int64]], confidence: float) -> Change:
    """Return how a gap changed, its interval by a normal approximation; NaN where a rate is a share of few rows.

    Shapes: each of `cells` (8,): rows of the first and the second group by label, prediction before and after.

    Notes
    -----
    The variance is the sum of those of both groups, see :mod:`fairaudit.study.judging.changes`: the groups are
    independent.

    Examples
    --------
    >>> few, many = np.array([0, 0, 0, 0, 40, 9, 1, 50]), np.array([0, 0, 0, 0, 100, 2, 18, 280])
    >>> change = gap_change("selection_gap", ("few", "many"), (few, many), 0.95)
    >>> print(f"{change.before:.3f} {change.after:.3f} {change.interval.low:.3f} {change.interval.high:.3f}")
    -0.235 -0.115 0.051 0.189
    """
    terms, least = TERMS[RATES.get(gap, SELECTION)], 1 if gap == "gap" else ENOUGH
    first, second = (rates_of(own, terms, least) for own in cells)
    before, after = (float(one - other) for one, other in zip(first, second, strict=True))
    difference = after - before
    if np.isnan(difference):
        return Change(gap, before, after, difference, UNDEFINED, *pair)
    variance = sum(change_variance(own, terms) for own in cells)
    return Change(gap, before, after, difference, normal_interval(difference, variance, confidence, most=2.0), *pair)


# Whether a group is worse off with a remedy than without: how a rate of it changed on the same held-out rows.


def group_change(rate: WorseOffRate, cells: Cells, confidence: float, *, positive_is_good: bool) -> GroupChange | None:
    """Return how a rate of a group changed; None for a metric that a user made.

    Shapes: `cells` (8,): rows of the group by label, prediction before and after, 1 where positive.

    Examples
    --------
    >>> from fairaudit.estimators.constraints import FLOORS
    >>> cells = np.array([0, 0, 0, 0, 40, 2, 18, 40])
    >>> tpr = WorseOffRate(FLOORS["tpr"], "few", np.arange(100), more_is_better=True)
    >>> change = group_change(tpr, cells, 0.95, positive_is_good=True)
    >>> change.before, change.after, change.n_lost, change.standing
    (0.58, 0.42, 18, 'worse off')
    """
    terms = _group_terms(rate, positive_is_good)
    if terms is None:
        return None
    (top_before, bottom_before), (top_after, bottom_after) = terms(BEFORE), terms(AFTER)
    lost = BEFORE != AFTER
    if np.array_equal(bottom_before, bottom_after):
        lost = rate.sign * (top_after - top_before) < 0
    n, n_lost = int(min(bottom_before @ cells, bottom_after @ cells)), int(cells[lost].sum())
    before, after = rates_of(cells, terms, ENOUGH)
    difference, interval = after - before, UNDEFINED
    if not np.isnan(difference):
        most = 1.0 if rate.metric.name in TERMS or rate.metric.name == GOOD_OUTCOMES else np.inf
        interval = normal_interval(difference, change_variance(cells, terms), confidence, most=most)
    return GroupChange(
        rate=rate.metric.name,
        rate_words=rate.metric.words,
        group=rate.group,
        more_is_better=rate.more_is_better,
        n=n,
        before=before,
        after=after,
        difference=difference,
        interval=interval,
        n_lost=n_lost,
        standing=_standing(interval, n_lost, rate.sign),
    )


def _group_terms(rate: WorseOffRate, positive_is_good: bool) -> Terms | None:
    """Return the numerator and the denominator of a rate; None for a metric that a user made."""
    if rate.metric.name == GOOD_OUTCOMES:
        return TERMS["selection_rate" if positive_is_good else "rejection_rate"]
    if isinstance(errors := rate.metric.coefficients, ErrorCost):
        return cost_terms(errors.c_fp, errors.c_fn)
    return TERMS.get(rate.metric.name)


def _standing(interval: Interval, n_lost: int, sign: int) -> Standing:
    """Say whether a group is worse off, where `sign` is 1 if more is better and -1 if less is."""
    if np.isnan(interval.low):
        return TOO_FEW
    worst, best = sorted((sign * interval.low, sign * interval.high))
    if n_lost == 0 or worst >= 0:
        return NOT_WORSE
    return WORSE if best < 0 else CANNOT_TELL


# How well a model does, whatever the groups, and how much better or worse than another on the same rows.

Figure = tuple[float, Interval]


def performance(y: NDArray[np.int64], judged: Judged, confidence: float) -> dict[str, Figure]:
    """Return the measures of how well a model does.

    Shapes: `y` (n,).
    """
    right = judged.prediction == y
    classes = [_share(right[y == label], confidence) for label in (0, 1)]
    return {
        "accuracy": _share(right, confidence),
        "balanced_accuracy": ((classes[0][0] + classes[1][0]) / 2, mean_interval(*classes)),
        "auc": _auc(y, judged.score, confidence),
    }


def performance_changes(
    y: NDArray[np.int64], before: Judged, after: Judged, confidence: float
) -> dict[str, tuple[float, float, Interval]]:
    """Compare the measures of :func:`performance` of two models on the same rows.

    Shapes: `y` (n,).
    """
    first, second = performance(y, before, confidence), performance(y, after, confidence)
    was, is_now = before.prediction == y, after.prediction == y
    classes = [share_change(was[y == label], is_now[y == label], confidence) for label in (0, 1)]
    intervals = {
        "accuracy": share_change(was, is_now, confidence)[1],
        "balanced_accuracy": mean_interval(*classes),
        "auc": _auc_change(y, before.score, after.score, confidence),
    }
    return {name: (first[name][0], second[name][0], interval) for name, interval in intervals.items()}


def _share(right: NDArray[np.bool_], confidence: float) -> Figure:
    k, n = int(right.sum()), len(right)
    low, high = wilson(k, n, confidence)
    return float(ratio(k, n)), Interval(float(low), float(high))


def share_change(was: NDArray[np.bool_], is_now: NDArray[np.bool_], confidence: float) -> Figure:
    """Return how much larger a share is than another of the same rows.

    Shapes: `was` (n,), `is_now` (n,).
    """
    up, down, n = int((~was & is_now).sum()), int((was & ~is_now).sum()), len(was)
    return float(ratio(up - down, n)), share_difference(up, down, n, confidence)


def _auc(y: NDArray[np.int64], score: NDArray[np.float64] | None, confidence: float) -> Figure:
    if score is None:
        return float("nan"), UNDEFINED
    known = ~np.isnan(score)
    values, codes = np.unique(score[known], return_inverse=True)
    positives, negatives = (np.bincount(codes[y[known] == label], minlength=len(values)) for label in (1, 0))
    return auc_interval(positives, negatives, confidence)


def _auc_change(
    y: NDArray[np.int64], before: NDArray[np.float64] | None, after: NDArray[np.float64] | None, confidence: float
) -> Interval:
    if before is None or after is None:
        return UNDEFINED
    known = ~np.isnan(before)
    if not np.array_equal(known, ~np.isnan(after)):
        return UNDEFINED
    return auc_difference(y[known], before[known], after[known], confidence)
