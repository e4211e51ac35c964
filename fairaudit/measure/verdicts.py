"""The verdict on a comparison: one rule for shares, means and rates, whatever shows it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from fairaudit.measure.within import gap_is_clear, gap_is_likely

if TYPE_CHECKING:
    from fairaudit.measure.mean_results import MeanComparison
    from fairaudit.measure.results import Comparison

Verdict = Literal[
    "clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare", "not_shown"
]


def verdict_of(result: Comparison | MeanComparison) -> Verdict:
    """Return the verdict on a comparison.

    A gap is clear where all that fits the data is beyond the tolerance; there is none above the tolerance where the
    equivalence interval is within it. Else it is of unclear size where chance alone is unlikely, and too few rows tell
    otherwise.
    """
    is_hidden: bool = result.difference is None
    if is_hidden:
        return "not_shown"
    if not math.isfinite(result.difference) or result.has_one_decision:
        return "nothing_to_compare"
    if result.evidence == "supported_fair":
        return "no_gap_above_tolerance"
    if not gap_is_likely(result):
        return "too_few_to_tell"
    return "clear_gap" if gap_is_clear(result) else "gap_size_unclear"
