"""The verdict on a comparison: one rule for shares, means and rates, whatever shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from fairaudit.measure.comparison_results import Interval

Verdict: TypeAlias = Literal[
    "clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"
]
ShownVerdict: TypeAlias = Literal[
    "clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare", "not_shown"
]
"""A verdict, or that it is hidden."""
Side: TypeAlias = Literal["within", "beyond", "open"]
"""Where all that fits the data lies: within the tolerance, beyond it, or on either side."""

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


def side_of(interval: Interval, equivalence_interval: Interval, tolerance: float) -> Side:
    """Say on which side of the tolerance the intervals of a gap are.

    Examples
    --------
    >>> from fairaudit.measure.comparison_results import Interval
    >>> side_of(Interval(0.06, 0.10), Interval(0.07, 0.09), 0.05)
    'beyond'
    """
    if -tolerance <= equivalence_interval.low and equivalence_interval.high <= tolerance:
        return "within"
    return "beyond" if interval.low > tolerance or interval.high < -tolerance else "open"


def verdict_of(result: Any) -> ShownVerdict:
    """Return the verdict on a comparison, also where that is hidden."""
    verdict: Verdict | None = result.verdict
    return "not_shown" if verdict is None or result.difference is None else verdict
