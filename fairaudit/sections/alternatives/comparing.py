"""How two models compare on the same rows: how good each is by a measure, and how large a gap each leaves.

A gap is a difference of shares with the good outcome, protected minus others. Among similar cases it is their average
over strata by Mantel-Haenszel's weights, as a check has it: with ``n1`` and ``n0`` rows of both sides in a stratum,
``w = n1 n0 / (n1 + n0)``. Either way it is a sum over the rows of ``c h``, where ``c`` is ``w / (sum(w) n1)`` for the
protected and ``-w / (sum(w) n0)`` for others, so that the change from one model to another is the same sum of what
rows are moved by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.intervals import newcombe, two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.measure.scores import auc_interval
from fairaudit.measure.strata import common_difference
from fairaudit.sections.alternatives.plan import AsGoodBy
from fairaudit.study.judging.changes import (
    ADDED,
    TERMS,
    UNDEFINED,
    auc_shift,
    change_variance,
    mean_variance,
    normal_interval,
    rates_of,
    share_variance,
)
from fairaudit.study.judging.results import Judged

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


# How good a model is.


def quality_of(measure: AsGoodBy, y: Labels, model: Judged) -> float:
    """Return how good a model is: the share that is right, of pairs ranked rightly, or of those approved who are good.

    Shapes: `y` (n,).

    Examples
    --------
    >>> model = Judged(np.array([1, 1, 0, 0]), np.array([0.9, 0.8, 0.4, 0.1]))
    >>> [quality_of(measure, np.array([1, 0, 1, 0]), model) for measure in ("accuracy", "auc", "approvals")]
    [0.5, 0.75, 0.5]
    """
    if measure == "accuracy":
        return float((model.prediction == y).mean())
    if measure == "approvals":
        return rates_of(_cells(y, model, model), TERMS["ppv"], 1)[0]
    if model.score is None:
        return math.nan
    values, codes = np.unique(model.score, return_inverse=True)
    good, bad = (np.bincount(codes[y == label], minlength=len(values)) for label in (1, 0))
    return auc_interval(good, bad, 0.95)[0]


def quality_change(measure: AsGoodBy, y: Labels, before: Judged, after: Judged) -> tuple[float, float]:
    """Return how much better one model is than another on the same rows, and the variance of that; NaN if undefined.

    Shapes: `y` (n,).

    Notes
    -----
    Each row stands for both models. The share that is right moves by the mean of -1, 0 and 1; the area under the ROC
    curve by DeLong's placements; the share of those approved who are good by linearisation, as rates of groups do.
    """
    if measure == "auc":
        scores = before.score, after.score
        return (math.nan, math.nan) if scores[0] is None or scores[1] is None else auc_shift(y, scores[0], scores[1])
    if measure == "approvals":
        cells = _cells(y, before, after)
        was, is_now = rates_of(cells, TERMS["ppv"], 1)
        return is_now - was, math.nan if math.isnan(is_now - was) else change_variance(cells, TERMS["ppv"])
    moved = (after.prediction == y).astype(float) - (before.prediction == y)
    return float(moved.mean()), share_variance(moved)


def quality_interval(change: tuple[float, float], confidence: float) -> Interval:
    """Return the interval of a change with its variance."""
    return UNDEFINED if math.isnan(change[1]) else normal_interval(*change, confidence, most=1.0)


def worse_p_value(change: tuple[float, float], loss: float) -> float:
    """Return the one-sided p-value of "it is worse by more than is allowed"; 1 where that is not known."""
    difference, variance = change
    return 1.0 if math.isnan(variance) else float(stats.norm.sf(_score(difference + loss, math.sqrt(variance))))


def _cells(y: Labels, before: Judged, after: Judged) -> NDArray[np.int64]:
    """Count rows by label and both predictions."""
    return np.bincount(4 * y + 2 * before.prediction + after.prediction, minlength=8)


# How large a gap a model leaves.


@dataclass(frozen=True, eq=False)
class Sides:
    """Two groups among some rows. Shapes: all (n,); `strata` numbers similar cases, None where all are compared."""

    protected: Mask
    others: Mask
    strata: NDArray[np.int64] | None = None

    @property
    def compared(self) -> Mask:
        """Whose gap it is."""
        return self.protected | self.others

    @cached_property
    def _codes(self) -> NDArray[np.int64]:
        return np.zeros(len(self.protected), dtype=np.int64) if self.strata is None else self.strata

    @cached_property
    def _sizes(self) -> Floats:
        """Rows of both sides in each stratum, shape (2, n_strata)."""
        n = int(self._codes.max(initial=0)) + 1
        return np.array([np.bincount(self._codes[side], minlength=n) for side in self._both], dtype=float)

    @property
    def _both(self) -> tuple[Mask, Mask]:
        return self.protected, self.others

    @cached_property
    def _parts(self) -> Floats:
        """What each row of a side counts in its mean, shape (2, n_strata); NaN where no stratum has both sides."""
        weight = np.divide(self._sizes.prod(axis=0), self._sizes.sum(axis=0), out=np.zeros(self._sizes.shape[1]),
                           where=self._sizes.all(axis=0))  # fmt: skip
        total = weight.sum() or math.nan
        return np.divide(weight / total, self._sizes, out=np.zeros_like(self._sizes), where=self._sizes > 0)

    def gap(self, h: NDArray[np.generic]) -> float:
        """Return the difference of shares, protected minus others; NaN where there is none to compare.

        Examples
        --------
        >>> protected = np.array([True, True, False, False])
        >>> Sides(protected, ~protected).gap(np.array([1, 0, 1, 1]))
        -0.5
        """
        first, second = (
            part[self._codes[side]] @ h[side].astype(float) for part, side in zip(self._parts, self._both, strict=True)
        )
        return float(first - second) if np.isfinite(self._parts).all() and all(map(np.any, self._both)) else math.nan

    def interval(self, h: Labels, confidence: float) -> Interval:
        """Return the interval of the gap: Newcombe's, or that of Mantel-Haenszel's common difference."""
        n = self._sizes.shape[1]
        a, b = (np.bincount(self._codes[side], weights=h[side], minlength=n) for side in self._both)
        cells = np.column_stack([a, self._sizes[0], b, self._sizes[1]])
        if self.strata is None:
            low, high = newcombe(a[0], self._sizes[0, 0], b[0], self._sizes[1, 0], confidence)
            return Interval(float(low), float(high))
        return common_difference(cells[self._sizes.all(axis=0)], confidence)[1]

    def variance(self, moved: Floats, *, of_shares: bool) -> float:
        """Return the variance of the gap of what rows are moved by; `of_shares`: by -1, 0 and 1.

        Notes
        -----
        Shares have `ADDED` rows of each kind on either side, so that none seen does not mean that there is none. Within
        strata, a side's only row there varies about the mean of its side.
        """
        if self.strata is None:
            alone = share_variance if of_shares else mean_variance
            return sum(alone(moved[side]) for side in self._both)
        return sum(
            self._within(moved[side], self._codes[side], part, of_shares)
            for side, part in zip(self._both, self._parts, strict=True)
        )

    def _within(self, moved: Floats, codes: NDArray[np.int64], part: Floats, of_shares: bool) -> float:
        n = np.bincount(codes, minlength=len(part))[codes]
        means = sums_by_code(codes, moved) / np.maximum(np.bincount(codes), 1)
        counts = part[codes]
        squares = np.where(n > 1, (moved - means[codes]) ** 2 * n / np.maximum(n - 1, 1), (moved - moved.mean()) ** 2)
        added = 2 * ADDED * float((counts**2).mean()) if of_shares else 0.0
        return float((counts**2 * squares).sum()) + added


def size_change(
    before: Labels, after: Labels, sides: Sides, confidence: float, *, sign: float
) -> tuple[float, Interval, float]:
    """Return how much larger the gap of one model is than that of another on the same rows, its interval, and p.

    `sign` is 1 or -1: the side that the gap of the first is on, as other rows say. Shapes: `before`, `after` (n,).

    Notes
    -----
    The p-value is of "the gap is no smaller": one-sided, and the larger of two. A gap is smaller if the difference of
    shares moved towards zero, and not as far beyond it as it was away (intersection-union test, Berger 1982).

    Examples
    --------
    >>> rows = np.arange(200)
    >>> sides = Sides(rows < 100, rows >= 100)
    >>> before, after = (rows % 100 < np.where(sides.protected, few, 60) for few in (40, 55))
    >>> change, interval, p = size_change(before.astype(int), after.astype(int), sides, 0.95, sign=-1)
    >>> print(f"{change:.2f} {interval.low:.3f} {interval.high:.3f} {p:.4f}")
    -0.15 -0.229 -0.071 0.0321
    """
    was, now = sides.gap(before), sides.gap(after)
    towards = math.sqrt(sides.variance((after - before).astype(float), of_shares=True))
    beyond = math.sqrt(sides.variance((after + before).astype(float), of_shares=False))
    scores = (_score(sign * (was - now), towards), _score(sign * (was + now), beyond))
    size = abs(now) - abs(was)
    # The size of a gap that turned moves by the sum of both, not by their difference.
    spread = two_sided_z(confidence) * (towards if was * now >= 0 else beyond)
    interval = Interval(max(size - spread, -1.0), min(size + spread, 1.0))
    return size, interval, float(max(stats.norm.sf(each) for each in scores))


def _score(value: float, deviation: float) -> float:
    if deviation > 0:
        return value / deviation
    return math.copysign(math.inf, value) if value else 0.0
