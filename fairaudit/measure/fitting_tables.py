"""Two groups over every table that fits their rounded and hidden counts: bounds, and the verdict that all have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.data.printed_counts import CountRange
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import InputError
from fairaudit.findings import REST
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.intervals import (
    FISHER_BELOW,
    equality_p_value,
    fisher_p_values,
    needs_fisher,
    newcombe,
    pooled_z,
)
from fairaudit.measure.limits import within
from fairaudit.measure.results import BoundsComparison, GroupBounds, Interval
from fairaudit.measure.verdicts import Side, Verdict, equivalence_confidence, side_of


@dataclass(frozen=True)
class PartialRow:
    """The numbers that the cells of one row may stand for; None where the table has no such column.

    Parameters
    ----------
    favorable, others, every : CountRange, optional
        Cases with the favourable result, without it, and all.
    """

    favorable: CountRange | None = None
    others: CountRange | None = None
    every: CountRange | None = None

    @property
    def is_possible(self) -> bool:
        """Whether there are numbers that fit: not more than all."""
        parts = [part for part in (self.favorable, self.others) if part is not None]
        return self.every is None or all(part.low <= self.every.high for part in parts)


def bounds_of(rows: Iterable[PartialRow], name: str = "") -> GroupBounds:
    """Return what is known of a group from its rows: bounds of its people, good outcomes and share, each exact.

    Notes
    -----
    With favourable cases f and others o the share F / (F + O) is smallest at the least f and most o, and largest the
    other way round. Where all cases a are printed, o = a - f, so that a takes its largest value for the smallest share
    and the smallest that holds the most f for the largest.
    """
    least_f = most_f = least_n = most_n = least_o = most_o = 0
    n_at_least = n_at_most = 0
    for row in rows:
        few, many = _decided(row)
        least_f, n_at_least = least_f + few[0], n_at_least + few[1]
        most_f, n_at_most = most_f + many[0], n_at_most + many[1]
        low, high = people_of(row)
        least_n, most_n = least_n + low, most_n + high
        low, high = _others(row)
        least_o, most_o = least_o + low, most_o + high
    known = n_at_least > 0 and n_at_most > 0 and least_n > 0
    share = Interval(least_f / n_at_least, most_f / n_at_most) if known else Interval(math.nan, math.nan)
    ratio = share.low if share.low == share.high else math.nan
    return GroupBounds(
        name,
        n=least_n,
        most_n=most_n,
        positives=least_f,
        most_positives=most_f,
        others=least_o,
        most_others=most_o,
        ratio=ratio,
        interval=share,
    )


def _decided(row: PartialRow) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return favourable cases and people of the smallest share of a row, and of the largest."""
    f, o, a = row.favorable, row.others, row.every
    if a is None and f is not None and o is not None:
        return (f.low, f.low + o.high), (f.high, f.high + o.low)
    if f is not None and a is not None:
        everybody = max(a.low, min(f.high, a.high))
        return (f.low, a.high), (min(f.high, everybody), everybody)
    if o is None or a is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    everybody = max(a.low, min(o.high, a.high))
    return (everybody - min(o.high, everybody), everybody), (a.high - o.low, a.high)


def people_of(row: PartialRow) -> tuple[int, int]:
    """Return the fewest and the most people of a row."""
    f, o, a = row.favorable, row.others, row.every
    if a is None and f is not None and o is not None:
        return f.low + o.low, f.high + o.high
    part = f or o
    if a is None or part is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    return max(a.low, part.low), a.high


def _others(row: PartialRow) -> tuple[int, int]:
    f, o, a = row.favorable, row.others, row.every
    if o is not None:
        return o.low, o.high if a is None else min(o.high, a.high)
    if a is None or f is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    return max(a.low - f.high, 0), a.high - f.low


def compare_partial(
    protected: Sequence[PartialRow],
    reference: Sequence[PartialRow],
    *,
    names: tuple[str, str] = ("the protected group", REST),
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> BoundsComparison:
    """Compare two groups over every table that fits their rows; see :func:`check_partial_counts`."""
    check_settings(tolerance, confidence)
    fits = FittingTables(bounds_of(protected, names[0]), bounds_of(reference, names[1]))
    p, r = fits.protected, fits.reference
    gap = Interval(p.interval.low - r.interval.high, p.interval.high - r.interval.low)
    cells = [
        part for row in (*protected, *reference) for part in (row.favorable, row.others, row.every) if part is not None
    ]
    nothing = Interval(math.nan, math.nan)
    interval, narrow = (
        fits.ends(level).outer if fits.are_populated else nothing
        for level in (confidence, equivalence_confidence(confidence))
    )
    return BoundsComparison(
        protected=p,
        reference=r,
        difference=gap.low if gap.low == gap.high else math.nan,
        difference_interval=interval,
        equivalence_interval=narrow,
        impact_ratio=math.nan,
        impact_ratio_interval=nothing,
        four_fifths=None,
        z=math.nan,
        p_value=math.nan,
        test="z",
        tolerance=tolerance,
        confidence=confidence,
        within_tolerance=bool(within(abs(gap.low), tolerance) and within(abs(gap.high), tolerance)),
        verdict=fits.verdict(tolerance, confidence),
        warnings=(),
        difference_bounds=gap,
        n_uncertain=sum(each.low < each.high for each in cells),
    )


@dataclass(frozen=True)
class CommonEnds:
    """The intervals of the gap of all tables that fit: where both of their ends lie.

    Parameters
    ----------
    lower, upper : Interval
        The smallest and the largest lower end, and the same of the upper end.
    """

    lower: Interval
    upper: Interval

    @property
    def outer(self) -> Interval:
        """The smallest interval that holds all of them."""
        return Interval(self.lower.low, self.upper.high)


@dataclass(frozen=True)
class FittingTables:
    """Every pair of a table of the protected group and one of the others that fit what is printed.

    Parameters
    ----------
    protected, reference : GroupBounds
        What is known of both groups.

    Notes
    -----
    The tables of a group are all whole numbers f of favourable cases and o of others with f, o and f + o within its
    bounds: of a row that is so, and sums of such sets are such sets (generalised polymatroids). They hold the fewest f
    beside the most o, and the reverse. Shares, Newcombe's ends and the pooled z rise with f and fall with o of the
    protected group, and the other way round of the others, so that each has its extremes at two tables.

    References
    ----------
    Frank and Tardos (1988), "Generalized polymatroids and submodular flows", on sums of whole points.
    """

    protected: GroupBounds
    reference: GroupBounds

    @property
    def are_populated(self) -> bool:
        """Whether both groups have people in each table."""
        return self.protected.n > 0 and self.reference.n > 0

    @cached_property
    def extremes(self) -> NDArray[np.int64]:
        """Favourable cases and people of both groups in the tables of the smallest and of the largest gap; (4, 2)."""
        p, r = self.protected, self.reference
        low = (p.positives, p.positives + p.most_others, r.most_positives, r.most_positives + r.others)
        high = (p.most_positives, p.most_positives + p.others, r.positives, r.positives + r.most_others)
        return np.array([low, high], dtype=np.int64).T

    def ends(self, confidence: float) -> CommonEnds:
        """Return where Newcombe's intervals of the gap end."""
        good_p, n_p, good_r, n_r = self.extremes
        lower, upper = newcombe(good_p, n_p, good_r, n_r, confidence)
        return CommonEnds(Interval(*lower.tolist()), Interval(*upper.tolist()))

    def side(self, tolerance: float, confidence: float) -> Side | None:
        """Return where the gap of every table lies; None where they differ."""
        if not self.are_populated:
            return None
        wide, narrow = self.ends(confidence), self.ends(equivalence_confidence(confidence))
        side = side_of(wide.outer, narrow.outer, tolerance)
        some_beyond = wide.lower.high > tolerance or wide.upper.low < -tolerance
        some_within = narrow.lower.high >= -tolerance and narrow.upper.low <= tolerance
        return None if side == "open" and (some_beyond or some_within) else side

    def verdict(self, tolerance: float, confidence: float) -> Verdict:
        """Return the verdict that every table has; "too_few_to_tell" where they differ or that cannot be shown."""
        return self.verdict_by(self.side(tolerance, confidence), confidence)

    def verdict_by(self, side: Side | None, confidence: float, *, adjusted: float | None = None) -> Verdict:
        """Return the verdict that every table has, from where its gap lies.

        Of one comparison out of many, `adjusted` is its largest p-value of all tables as Holm's method adjusts it.
        """
        p, r = self.protected, self.reference
        if (
            0 in (p.most_n, r.most_n)
            or p.most_positives == r.most_positives == 0
            or p.most_others == r.most_others == 0
        ):
            return "nothing_to_compare"
        # Of a table without a group, or in which all decisions are the same, nothing is said.
        if side is None or p.positives == r.positives == 0 or p.others == r.others == 0:
            return "too_few_to_tell"
        if side == "within":
            return "no_gap_above_tolerance"
        by_fisher = self.largest_p_values(confidence)[0]
        # A gap beyond the tolerance at a confidence for all comparisons needs no test, but where that is Fisher's.
        is_chance = adjusted is not None and adjusted >= 1 - confidence and (side == "open" or by_fisher > 0)
        if by_fisher > 1 - confidence or is_chance:
            return "too_few_to_tell"
        return "clear_gap" if side == "beyond" else "gap_size_unclear"

    def largest_p_values(self, confidence: float) -> tuple[float, float]:
        """Return the largest p-value of all tables by Fisher's test, 0 where none needs it, and by the z test.

        Both are 1 where the range of the gap holds zero, and the first where one above 1 - `confidence` was found, or
        there are too many tables to look at. None needs it where the fewest people of both groups, with the smallest
        share of all tables, are enough.
        """
        p, r = self.protected, self.reference
        wide = self.ends(confidence) if self.are_populated else None
        if wide is None or wide.lower.low <= 0 <= wide.upper.high:
            return 1.0, 1.0
        weakest = self.extremes[:, 0 if wide.lower.low > 0 else 1]
        by_z = float(2 * special.ndtr(-abs(pooled_z(*weakest))))
        pooled = (
            (p.positives + r.positives) / (p.positives + r.positives + p.most_others + r.most_others),
            (p.others + r.others) / (p.others + r.others + p.most_positives + r.most_positives),
        )
        if min(p.n, r.n) * min(pooled) >= FISHER_BELOW:
            return 0.0, by_z
        own, other = _tables(p), _tables(r)
        if own is None or other is None or len(own) * len(other) > MOST_TABLES:
            return 1.0, by_z
        if needs_fisher(*weakest) and equality_p_value(*weakest) > 1 - confidence:
            return 1.0, by_z
        tables = np.hstack([np.repeat(own, len(other), axis=0), np.tile(other, (len(own), 1))]).T
        tables = tables[:, needs_fisher(*tables)]
        p_values = fisher_p_values(*tables)
        # At the limit itself the last digit decides, so that it must be that of a single comparison.
        at_limit = np.isclose(p_values, 1 - confidence, rtol=1e-9, atol=0)
        p_values[at_limit] = equality_p_value(*tables[:, at_limit])
        return float(p_values.max(initial=0.0)), by_z


def _tables(group: GroupBounds) -> NDArray[np.int64] | None:
    """Return favourable cases and people of each table of a group, (tables, 2); None where they are too many."""
    size = (group.most_positives - group.positives + 1) * (group.most_others - group.others + 1)
    if size > MOST_TABLES:
        return None
    good = np.arange(group.positives, group.most_positives + 1)
    others = np.arange(group.others, group.most_others + 1)
    found = np.stack([np.repeat(good, len(others)), np.add.outer(good, others).ravel()], axis=1)
    return found[(found[:, 1] >= group.n) & (found[:, 1] <= group.most_n)]


MOST_TABLES = 50_000
"""Of more tables so small that Fisher's test decides, it is not shown that all have a verdict."""
