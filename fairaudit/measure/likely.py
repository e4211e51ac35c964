"""Whether there is a gap at all: whether chance alone is an unlikely reason for one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fairaudit.measure.comparison_results import Comparison, Interval
    from fairaudit.measure.mean_results import MeanComparison

Moved = Literal["gap_smaller", "gap_larger", "gap_turned_around", "gap_changed"]
Resized = Literal["gap_smaller", "gap_larger", "gap_changed"]


def leaves_out_zero(result: Comparison | MeanComparison) -> bool:
    """Return whether the interval of a gap leaves out zero."""
    low, high = result.difference_interval
    return None not in (low, high) and math.isfinite(low) and math.isfinite(high) and (low > 0 or high < 0)


def is_exact(result: Comparison | MeanComparison) -> bool:
    """Return whether rows are so few that the test is Fisher's."""
    return getattr(result, "test", None) == "fisher" and result.p_value is not None


def gap_is_likely(result: Comparison | MeanComparison) -> bool:
    """Return whether the interval of the gap leaves out zero, however the gap stands to the tolerance.

    Where rows are so few that the test is Fisher's, that must agree: the interval leaves out zero for 0 of 2 beside 2
    of 2, which happens by chance in one case of three.
    """
    return leaves_out_zero(result) and not (is_exact(result) and result.p_value > 1 - result.confidence)


def moved_gap(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> Moved:
    """Return what became of a gap whose change is more than chance.

    Where the gap points the other way, that change is of no size: it turned around where both gaps are likely, it is
    smaller or larger where all sizes of one that fit are below the other, and else it changed.
    """
    if is_turned(before, after):
        return "gap_turned_around"
    return resized_gap(before, after)


def is_turned(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> bool:
    """Return whether a gap points the other way than before, and both are likely."""
    return before.difference * after.difference < 0 and gap_is_likely(before) and gap_is_likely(after)


def resized_gap(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> Resized:
    """Return what became of the size of a gap whose change is more than chance, whichever way it points."""
    if before.difference * after.difference >= 0:
        return "gap_smaller" if abs(after.difference) < abs(before.difference) else "gap_larger"
    if _largest(after) <= abs(before.difference):
        return "gap_smaller"
    return "gap_larger" if _largest(before) <= abs(after.difference) else "gap_changed"


def resized_widest(changes: Sequence[tuple[float, Interval]]) -> Resized:
    """Return what became of the size of the widest of some gaps, by each before and the interval of its change.

    It is smaller where none that fits is as large as the widest was, larger where all that fit of one are larger.

    Examples
    --------
    >>> resized_widest([(0.24, (-0.32, -0.16))]), resized_widest([(0.24, (-0.49, -0.20))])
    ('gap_smaller', 'gap_changed')
    """
    widest = max(abs(before) for before, _ in changes)
    sizes = [_sizes(before, change) for before, change in changes]
    if max(most for _, most in sizes) < widest:
        return "gap_smaller"
    return "gap_larger" if max(least for least, _ in sizes) > widest else "gap_changed"


def _sizes(before: float, change: Interval) -> tuple[float, float]:
    """Return the smallest and the largest size of a gap that fits after a change; any where no interval is known."""
    low, high = (before + end for end in change)
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, math.inf
    ends = (abs(low), abs(high))
    return 0.0 if low <= 0 <= high else min(ends), max(ends)


def _largest(answer: Comparison | MeanComparison) -> float:
    """Return the largest size of a gap that fits the data; any where that is hidden."""
    low, high = answer.difference_interval
    return math.inf if None in (low, high) else max(abs(low), abs(high))
