"""From the moments of two groups to a verdict with its uncertainty, for decisions that are amounts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy import special

from fairaudit.errors import InputError
from fairaudit.findings import Message
from fairaudit.measure.comparison import said_group
from fairaudit.measure.comparison_results import Interval
from fairaudit.measure.intervals import ratio
from fairaudit.measure.mean_results import GroupMean, MeanComparison
from fairaudit.measure.moments import Moments, joined, pooled_variance, welch_interval, welch_p_value
from fairaudit.measure.verdicts import Side, side_of
from fairaudit.measure.verdicts_of_many import judged
from fairaudit.messages import say

TOLERATED_DEVIATIONS: Final = 0.1
"""The tolerance without another: this share of the standard deviation of all amounts looked at."""


def compare_means(
    protected: Moments,
    reference: Moments,
    *,
    names: tuple[str, str],
    tolerance: float | None = None,
    confidence: float,
) -> MeanComparison:
    """Compare two groups on their mean amount; see :func:`check_means`."""
    tolerance = tolerance_of(tolerance, [protected, reference])
    groups = tuple(_group(part, name, confidence) for part, name in zip((protected, reference), names, strict=True))
    difference = float(protected["mean"] - reference["mean"])
    interval = welch_interval(protected, reference, confidence)
    inner = welch_interval(protected, reference, 2 * confidence - 1) if confidence > 0.5 else interval
    pooled = math.sqrt(pooled_variance([protected, reference]))
    both_positive = protected["mean"] > 0 and reference["mean"] > 0
    compared = MeanComparison(
        protected=groups[0],
        reference=groups[1],
        difference=difference,
        difference_interval=interval,
        equivalence_interval=inner,
        standardized_difference=float(ratio(difference, pooled)),
        ratio=protected["mean"] / reference["mean"] if both_positive else math.nan,
        p_value=welch_p_value(protected, reference),
        tolerance=tolerance,
        confidence=confidence,
        within_tolerance=bool(abs(difference) <= tolerance),
        verdict="too_few_to_tell",
        warnings=_warnings(groups),
    )
    return judged(compared, side_of(interval, inner, tolerance))


def sides_at(comparisons: Sequence[MeanComparison], confidence: float) -> list[Side]:
    """Say where comparisons lie with another confidence."""
    found = []
    for each in comparisons:
        outer, inner = (gap_interval(each, level) for level in (confidence, max(2 * confidence - 1, 0.0)))
        found.append(side_of(outer, inner, each.tolerance))
    return found


def gap_interval(comparison: MeanComparison, confidence: float) -> Interval:
    """Return Welch's interval of a gap between means, from the figures of both groups."""
    protected, reference = (
        {"n": group.n, "mean": group.mean, "variance": group.deviation**2}
        for group in (comparison.protected, comparison.reference)
    )
    return welch_interval(protected, reference, confidence)


def tolerance_of(tolerance: float | None, parts: Sequence[Moments]) -> float:
    """Return a tolerance; without one, a share of the standard deviation of all parts together, as a round figure."""
    if tolerance is not None:
        return float(tolerance)
    variance = joined(parts)["variance"]
    return proposed_tolerance(math.sqrt(variance)) if variance > 0 else 0.0


def proposed_tolerance(deviation: float) -> float:
    """Return the tolerance that is proposed for amounts: a tenth of their standard deviation, rounded to one digit.

    One digit is the same on all cases and on those that are set aside, and what a person might have said.

    Examples
    --------
    >>> proposed_tolerance(12_159.0), proposed_tolerance(11_935.97), proposed_tolerance(0.0372)
    (1000.0, 1000.0, 0.004)
    """
    return float(f"{TOLERATED_DEVIATIONS * deviation:.1g}")


def _group(part: Moments, name: str, confidence: float) -> GroupMean:
    n = int(part["n"])
    deviation = math.sqrt(part["variance"]) if n > 1 else math.nan
    half = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / math.sqrt(n) if n > 1 else math.nan
    interval = Interval(part["mean"] - half, part["mean"] + half)
    low, middle, high = (float(part[name]) for name in ("quarter", "median", "three_quarters"))
    return GroupMean(name, n, float(part["mean"]), deviation, interval, low, middle, high, int(part["missing"]))


def _warnings(groups: Sequence[GroupMean]) -> tuple[str, ...]:
    """Say where few amounts pull a mean; the median is what one person has, so this declares nothing."""
    pulled = [group for group in groups if group.deviation > 0 and abs(group.mean - group.median) > group.deviation]
    return tuple(say(Message("doubt-extremes", {"group": said_group(group.name)})) for group in pulled)


def check_tolerance(tolerance: Any) -> None:
    """Refuse a tolerance that is neither None nor a finite number of at least 0."""
    is_number = isinstance(tolerance, int | float | np.integer | np.floating) and not isinstance(tolerance, bool)
    if tolerance is not None and not (is_number and 0 <= tolerance < math.inf):
        raise InputError(
            f"'tolerance' must be a number of at least 0 or None, got {tolerance!r}.",
            hint="It is in the unit of the amount.",
        )
