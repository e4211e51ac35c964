"""The verdict on a comparison: one rule for shares, means and rates, whatever shows it."""

from __future__ import annotations

import math
from typing import Any, Final, Literal, TypeAlias

Verdict: TypeAlias = Literal[
    "clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"
]
ShownVerdict: TypeAlias = Literal[
    "clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare", "not_shown"
]
"""A verdict, or that it is hidden."""
Side: TypeAlias = Literal["within", "beyond", "open"]
"""Where all that fits the data lies: within the tolerance, beyond it, or on either side."""

Ends: TypeAlias = tuple[float, float]

GAPS: Final = ("clear_gap", "gap_size_unclear")
"""Verdicts that say that there is a gap."""


def verdict_by(side: Side, *, likely: bool, comparable: bool = True) -> Verdict:
    """Return the verdict on a gap.

    A gap is clear where all that fits the data is beyond the tolerance; there is none above the tolerance where the
    equivalence interval is within it. Else it is of unclear size where chance alone is unlikely (`likely`), and too few
    rows tell otherwise. Where only one decision was made nothing is `comparable`.

    Examples
    --------
    >>> verdict_by("open", likely=True)
    'gap_size_unclear'
    """
    if not comparable:
        return "nothing_to_compare"
    if side == "within":
        return "no_gap_above_tolerance"
    if not likely:
        return "too_few_to_tell"
    return "clear_gap" if side == "beyond" else "gap_size_unclear"


def side_of(interval: Ends, equivalence_interval: Ends, tolerance: float) -> Side:
    """Say on which side of the tolerance the intervals of a gap are.

    Examples
    --------
    >>> side_of((0.06, 0.10), (0.07, 0.09), 0.05)
    'beyond'
    """
    low, high = equivalence_interval
    if -tolerance <= low and high <= tolerance:
        return "within"
    low, high = interval
    return "beyond" if low > tolerance or high < -tolerance else "open"


def equivalence_confidence(confidence: float) -> float:
    """Return the confidence of the interval that the two one-sided tests of alikeness use: 1 - 2a for 1 - a.

    Examples
    --------
    >>> round(equivalence_confidence(0.95), 2)
    0.9
    """
    return max(2 * confidence - 1, 0.0)


def verdict_by_intervals(difference: float, interval: Ends, equivalence_interval: Ends, tolerance: float) -> Verdict:
    """Return the verdict on a difference of which nothing is known but its intervals."""
    side, (low, high) = side_of(interval, equivalence_interval, tolerance), interval
    return verdict_by(side, likely=low > 0 or high < 0, comparable=math.isfinite(difference))


def verdict_of(result: Any) -> ShownVerdict:
    """Return the verdict on a comparison, also where that is hidden."""
    verdict: Verdict | None = result.verdict
    return "not_shown" if verdict is None or result.difference is None else verdict
