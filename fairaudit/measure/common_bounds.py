"""The common gap of strata over every table that fits their rounded and hidden counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.fitting_tables import FittingTables
from fairaudit.measure.intervals import FISHER_BELOW, Floats, two_sided_z
from fairaudit.measure.results import (
    BoundsComparison,
    ControlledBounds,
    GroupBounds,
    Interval,
    StratifiedBounds,
    StratumRow,
    as_kind,
)
from fairaudit.measure.verdicts import GAPS, equivalence_confidence
from fairaudit.measure.within import alike_on_average, clear_on_average, gap_is_clear, is_one_stratum

Pair = tuple[GroupBounds, GroupBounds]
EVERY_GAP = Interval(-1.0, 1.0)
BoundedReading = Literal["both ways", "turned", "gone", "same", "only"]


def bounded_strata(
    pooled: ControlledBounds, columns: Sequence[str], strata: tuple[StratumRow, ...], left_out: tuple[str, ...]
) -> StratifiedBounds:
    """Return what strata say together over every table that fits their counts."""
    pairs = [
        (as_kind(GroupBounds, row.comparison.protected), as_kind(GroupBounds, row.comparison.reference))
        for row in strata
    ]
    bounds = common_bounds(pairs)
    wide, narrow = (
        common_interval(pairs, bounds, level)
        for level in (pooled.confidence, equivalence_confidence(pooled.confidence))
    )
    undefined, nothing = math.nan, Interval(math.nan, math.nan)
    difference = bounds.low if bounds.low == bounds.high else undefined
    signs = pooled.difference_bounds.low * bounds.high, pooled.difference_bounds.high * bounds.low
    same_side = bounds.low * bounds.high > 0 and pooled.difference_bounds.low * pooled.difference_bounds.high > 0
    return StratifiedBounds(
        pooled=pooled,
        columns=tuple(columns),
        strata=strata,
        left_out=left_out,
        common_odds_ratio=undefined,
        common_odds_ratio_interval=nothing,
        cmh_statistic=undefined,
        cmh_p_value=undefined,
        cmh_statistic_uncorrected=undefined,
        cmh_p_value_uncorrected=undefined,
        common_difference=difference,
        common_difference_interval=wide,
        common_equivalence_interval=narrow,
        reversal=same_side and max(signs) < 0,
        common_difference_bounds=bounds,
    )


def reading_of_bounds(strata: StratifiedBounds) -> BoundedReading | None:
    """Return what strata say in every table that fits; None where tables may differ.

    - "both ways", "turned", "gone": as :func:`fairaudit.measure.within.reading_within` returns them.
    - "same": the gap is clear in all rows together and on average, in one direction.
    - "only": the gap is clear on average, and that of all rows together within the tolerance or of unclear size.
    """
    whole, bounds = strata.pooled, strata.common_difference_bounds
    if is_one_stratum(strata) or not all(map(math.isfinite, bounds)):
        return None
    compared = [as_kind(BoundsComparison, row.comparison) for row in strata.strata]
    if len({each.difference_bounds.low > 0 for each in compared if gap_is_clear(each)}) == 2:
        return "both ways"
    above, below = (any(ways) for ways in zip(*map(_may_be_clear, compared), strict=True))
    if above and below:
        return None
    if alike_on_average(strata):
        if whole.verdict == "no_gap_above_tolerance":
            return None if above or below else "gone"
        inside = sum(side.n for each in compared for side in (each.protected, each.reference))
        holds_most = 2 * inside >= whole.protected.most_n + whole.reference.most_n
        return "gone" if whole.verdict in GAPS and holds_most else None
    if not clear_on_average(strata):
        return None
    if whole.verdict in GAPS and whole.difference_bounds.low * bounds.low < 0:
        return "turned"
    if whole.verdict == "clear_gap":
        return "same"
    return "only" if whole.verdict in ("no_gap_above_tolerance", "gap_size_unclear") else None


def _may_be_clear(found: BoundsComparison) -> tuple[bool, bool]:
    """Say whether the gap of a stratum may be clear in some table, above and below zero, were it asked about alone."""
    fits = FittingTables(found.protected, found.reference)
    if not fits.are_populated:
        return True, True
    ends = fits.ends(found.confidence)
    return ends.lower.high > found.tolerance, ends.upper.low < -found.tolerance


def common_bounds(strata: Sequence[Pair]) -> Interval:
    """Return the smallest and the largest common gap of all tables that fit; NaN where no table has one.

    Both are exact: each is the common gap of a table that fits.

    Notes
    -----
    Mantel-Haenszel's common gap is ``sum(g) / sum(w)`` with ``g = (a n0 - b n1) / n`` and ``w = n1 n0 / n`` of each
    stratum, where `a` of `n1` and `b` of `n0` have the favourable result. It is larger than `x` in some table where
    ``sum(max(g - x w)) > 0``, each maximum over the tables of one stratum (Dinkelbach). ``g - x w`` is linear in
    ``(a, n1)`` divided by what is linear in it, and in ``(b, n0)`` too, so that its maximum is at corners of what the
    counts of either group may be. These are whole numbers.

    References
    ----------
    Dinkelbach (1967), "On nonlinear fractional programming".
    """
    corners = [_gaps_and_weights(pair) for pair in strata]
    sizes = [len(gaps) for gaps, _ in corners]
    if not sizes:
        return Interval(math.nan, math.nan)
    starts = [0, *accumulate(sizes)][:-1]
    gaps, weights = (np.concatenate(each) for each in zip(*corners, strict=True))
    low = -_largest_ratio(-gaps, weights, starts)
    return Interval(low, _largest_ratio(gaps, weights, starts))


def _largest_ratio(gaps: Floats, weights: Floats, starts: Sequence[int]) -> float:
    """Return the largest ``sum(gaps) / sum(weights)`` of one entry of each stretch; NaN where all weights are 0."""
    value = math.nan
    chosen = _best(weights, starts)
    while (total := weights[chosen].sum()) > 0:
        found = float(gaps[chosen].sum() / total)
        if found <= value:
            break
        value = found
        chosen = _best(gaps - value * weights, starts)
    return value


def _best(values: Floats, starts: Sequence[int]) -> NDArray[np.intp]:
    """Return the place of the largest value of each stretch."""
    return np.array([start + part.argmax() for start, part in zip(starts, np.split(values, starts[1:]), strict=True)])


def _gaps_and_weights(pair: Pair) -> tuple[Floats, Floats]:
    """Return `g` and `w` of a stratum at each pair of corners; both are 0 where a group is empty."""
    pairs = np.array([(*own, *other) for own, other in product(*map(_corners, pair))], dtype=float)
    a, n1, b, n0 = pairs.T
    n = np.maximum(n1 + n0, 1)
    return (a * n0 - b * n1) / n, n1 * n0 / n


def _corners(group: GroupBounds) -> set[tuple[int, int]]:
    """Return favourable cases and people of a group at the corners of all that fits, with a few on its edges."""
    found = set()
    for good in (group.positives, group.most_positives):
        found |= {(good, max(group.n, good + group.others)), (good, min(group.most_n, good + group.most_others))}
    for others in (group.others, group.most_others):
        ends = (max(group.positives, group.n - others), min(group.most_positives, group.most_n - others))
        found |= {(good, good + others) for good in ends}
    for people in (group.n, group.most_n):
        ends = (max(group.positives, people - group.most_others), min(group.most_positives, people - group.others))
        found |= {(good, people) for good in ends}
    return found


def common_interval(strata: Sequence[Pair], bounds: Interval, confidence: float) -> Interval:
    """Return a range that holds Sato's interval of the common gap of each table that fits.

    It is an outer bound: `bounds`, at each end as far as the largest variance over the smallest weight. Where a table
    may be so sparse that the interval is widened, or have no such gap, all gaps are in it.

    Notes
    -----
    With `D` the common gap, ``W = sum(w)``, ``p = (n1^2 b - n0^2 a + n1 n0 (n0 - n1) / 2) / n^2`` and ``q = (a (n0 - b)
    + b (n1 - a)) / 2 n`` of a stratum, the variance is ``sum(D p + q) / W^2``. Each factor is bounded by itself.
    """
    cells = _Cells.of([pair for pair in strata if min(side.most_n for side in pair) > 0])
    if not np.isfinite(bounds).all() or (weight := cells.least_weight) == 0 or cells.may_be_sparse:
        return EVERY_GAP
    low, high = bounds
    variance = max(end * p for end, p in product(bounds, cells.p_ends)) + cells.largest_q
    half = two_sided_z(confidence) * math.sqrt(max(variance, 0.0)) / weight
    return Interval(max(low - half, -1.0), min(high + half, 1.0))


class _Cells:
    """Ends of the four cells of each stratum, as columns; `a`, `c`: with and without the result of the first group.

    Shapes: each end (n_strata,).
    """

    def __init__(self, ends: NDArray[np.float64]):
        self.a, self.c, self.n1, self.b, self.e, self.n0 = (ends[:, i : i + 2].T for i in range(0, 12, 2))

    @classmethod
    def of(cls, strata: Sequence[Pair]) -> _Cells:
        """Read the bounds of both groups of each stratum."""
        ends = [
            [
                end
                for g in pair
                for end in (g.positives, g.most_positives, g.others, g.most_others, g.n, g.most_n)
            ]
            for pair in strata
        ]  # fmt: skip
        return cls(np.array(ends, dtype=float).reshape(-1, 12))

    @property
    def least_weight(self) -> float:
        """The smallest ``sum(n1 n0 / n)``, which grows with both."""
        (n1, _), (n0, _) = self.n1, self.n0
        return float((n1 * n0 / np.maximum(n1 + n0, 1)).sum())

    @property
    def may_be_sparse(self) -> bool:
        """Whether fewer than 5 of one kind may be expected in one group, over all strata that hold both.

        ``(x + y) (x + z) / (x + y + z + u)`` grows with x, y and z, and falls with u.
        """
        both = (self.n1[0] > 0) & (self.n0[0] > 0)
        least = [
            np.where(both, (x[0] + y[0]) * (x[0] + z[0]) / np.maximum(x[0] + y[0] + z[0] + u[1], 1), 0.0).sum()
            for x, y, z, u in (
                (self.a, self.c, self.b, self.e),
                (self.c, self.a, self.e, self.b),
                (self.b, self.e, self.a, self.c),
                (self.e, self.b, self.c, self.a),
            )
        ]
        return min(least, default=0.0) < FISHER_BELOW

    @property
    def largest_q(self) -> float:
        """The largest ``sum((a e + b c) / 2 n)``."""
        n = np.maximum(self.n1[0] + self.n0[0], 1)
        return float(((self.a[1] * self.e[1] + self.b[1] * self.c[1]) / (2 * n)).sum())

    @property
    def p_ends(self) -> tuple[float, float]:
        """The smallest and the largest ``sum(p)``, with ``f1 = n1 / n``: ``f1^2 b - f0^2 a + f1 f0 (n0 - n1) / 2``."""
        (n1, most_n1), (n0, most_n0) = self.n1, self.n0
        f1, most_f1 = n1 / (n1 + most_n0), most_n1 / (most_n1 + n0)
        f0, most_f0 = 1 - most_f1, 1 - f1
        ends = np.stack([f1 * most_f0, most_f1 * f0])
        both = ends.min(axis=0), np.where((f1 <= 0.5) & (most_f1 >= 0.5), 0.25, ends.max(axis=0))
        apart = n0 - most_n1, most_n0 - n1
        mixed = np.stack([part * distance for part in both for distance in apart]) / 2
        low = f1**2 * self.b[0] - most_f0**2 * self.a[1] + mixed.min(axis=0)
        high = most_f1**2 * self.b[1] - f0**2 * self.a[0] + mixed.max(axis=0)
        return float(low.sum()), float(high.sum())
