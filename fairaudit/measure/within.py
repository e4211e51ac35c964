"""Whether a gap is clear, and whether strata say otherwise than all rows together.

What is hidden gives no answer. All functions are pure and take results about shares or amounts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from fairaudit.measure.verdicts import GAPS

if TYPE_CHECKING:
    from fairaudit.measure.results import (
        Comparison,
        Interval,
        MeanComparison,
        Stratified,
        StratumRow,
    )


def gap_is_clear(result: Comparison | MeanComparison) -> bool:
    """Return whether all gaps that fit the data are beyond the tolerance."""
    return result.verdict == "clear_gap"


Reading = Literal["both ways", "turned", "gone", "open", "average", "all", "some"]
"""How strata say otherwise than all rows together: what :func:`reading_within` returns."""

STRATA_FIRST: Final = ("both ways", "turned", "gone", "open")
"""Readings that contradict a gap in all rows together, so that strata are to be read before it."""


def reading_within(strata: Stratified, whole: Comparison | MeanComparison) -> Reading | None:
    """Return how strata say otherwise than all rows together; None where they do not, or where hidden.

    - "both ways": some strata have a clear gap in one direction and some in the other, allowing for all strata.
    - "turned": the average over strata points the other way than all rows together, and zero does not fit it.
    - "gone": there is a gap in all rows together, and all that fits the average is within the tolerance.
    - "open": the gap in all rows together is clear, and the average is too imprecise to say whether there is one, or
      most rows are in no stratum that holds both groups.
    - "average", "all", "some": the gap is clear on average, in all strata or in some, but not in all rows together.
    """
    if is_one_stratum(strata):
        return None
    known = (strata.common_difference, *strata.common_difference_interval)
    if None in (*known, strata.reversal) or not all(map(math.isfinite, known)):
        return None
    clear = clear_strata(strata.strata)
    if len({row.difference > 0 for row in clear}) == 2:
        return "both ways"
    if not alike_on_average(strata):
        if not zero_fits_average(strata) and strata.reversal:
            return "turned"
        if zero_fits_average(strata) and gap_is_clear(whole):
            return "open"
    elif whole.verdict in GAPS:
        return "gone" if holds_most(strata, whole) else "open"
    if gap_is_clear(whole):
        return None
    if clear and len(clear) == len(strata.strata):
        return "all"
    if clear_on_average(strata):
        return "average"
    return "some" if clear and whole.verdict not in GAPS else None


def is_one_stratum(strata: Stratified) -> bool:
    """Return whether one stratum holds all rows that are compared, so that it says nothing of its own."""
    return len(strata.strata) == 1 and not strata.left_out


def holds_most(strata: Stratified, whole: Comparison | MeanComparison) -> bool:
    """Return whether at least half of the rows are in strata that hold both groups; True where that is hidden."""
    inside = [side.n for row in strata.strata for side in (row.comparison.protected, row.comparison.reference)]
    sizes = [whole.protected.n, whole.reference.n]
    return None in (*inside, *sizes) or 2 * sum(inside) >= sum(sizes)


def holds_among(result: Comparison | MeanComparison, number: int) -> bool:
    """Return whether a difference is beyond chance among so many, by Bonferroni's method."""
    return result.p_value is not None and number * result.p_value < 1 - result.confidence


def clear_strata(rows: Sequence[StratumRow]) -> list[StratumRow]:
    """Return strata whose gap is clear, allowing for all of them."""
    return [row for row in rows if gap_is_clear(row.comparison)]


def found_strata(rows: Sequence[StratumRow]) -> list[StratumRow]:
    """Return strata with a gap that is more than chance, allowing for all of them, of whatever size."""
    return [row for row in rows if row.comparison.verdict in GAPS]


def strata_apart(strata: Stratified) -> tuple[StratumRow, ...]:
    """Return strata with a clear gap that their average does not show: not all have one, or not in its direction.

    Where none is clear and the average shows no gap, those with a gap of unclear size are returned. Those come first
    that contradict the average, then the largest gaps. Nothing where the average is hidden.
    """
    low, high = strata.common_difference_interval
    is_hidden: bool = None in (low, high)
    if is_hidden:
        return ()
    clear, is_open = clear_strata(strata.strata), zero_fits_average(strata) or alike_on_average(strata)
    if is_open and not clear:
        clear = found_strata(strata.strata)
    against = {row.values: is_open or row.difference * (low + high) < 0 for row in clear}
    if len(clear) == len(strata.strata) and not any(against.values()):
        return ()
    return tuple(sorted(clear, key=lambda row: (not against[row.values], -abs(row.difference))))


def zero_fits_average(strata: Stratified) -> bool:
    """Return whether no gap at all fits what strata have on average."""
    low, high = strata.common_difference_interval
    return low <= 0 <= high


def alike_on_average(strata: Stratified) -> bool:
    """Return whether all gaps that fit what strata have on average are within the tolerance, by two one-sided tests."""
    return _within(strata.common_equivalence_interval, strata.pooled.tolerance)


def deciding_average(strata: Stratified) -> tuple[Interval, float]:
    """Return the interval of the average that shows what is said of it, and its confidence.

    Where only the interval of the two one-sided tests is within the tolerance, groups are alike by that one.
    """
    wide, confidence = strata.common_difference_interval, strata.pooled.confidence
    if alike_on_average(strata) and not _within(wide, strata.pooled.tolerance):
        return strata.common_equivalence_interval, max(2 * confidence - 1, 0.0)
    return wide, confidence


def _within(interval: Interval, limit: float) -> bool:
    low, high = interval
    return None not in (low, high, limit) and -limit <= low and high <= limit


def clear_on_average(strata: Stratified) -> bool:
    """Return whether all gaps that fit what strata have on average are beyond the tolerance."""
    low, high = strata.common_difference_interval
    limit = strata.pooled.tolerance
    return None not in (low, high, limit) and (low > limit or high < -limit)
