"""Whether a gap is clear, and whether strata say otherwise on average than all rows together.

What is hidden gives no answer. All functions are pure and take results about shares or amounts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fairaudit.measure.mean_results import MeanComparison
    from fairaudit.measure.mean_strata import StratifiedMeans
    from fairaudit.measure.results import Comparison, StratifiedFairness


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


def gap_is_clear(result: Comparison | MeanComparison) -> bool:
    """Return whether all gaps that fit the data are beyond the tolerance."""
    return result.evidence == "supported_unfair" and gap_is_likely(result)


def differs_on_average(
    strata: StratifiedFairness | StratifiedMeans, whole: Comparison | MeanComparison
) -> Literal["turned", "gone"] | None:
    """Return whether the average over strata says otherwise than all rows together; None where not, or where hidden.

    The gap turns around where it points the other way inside the strata, and zero does not fit there. It is gone where
    it is clear in all rows together, and zero fits what strata have on average, or all that fits is alike.
    """
    low, high = strata.common_difference_interval
    known = (strata.common_difference, low, high)
    if None in (*known, strata.reversal) or not all(map(math.isfinite, known)):
        return None
    if low <= 0 <= high or alike_on_average(strata):
        return "gone" if gap_is_clear(whole) else None
    return "turned" if strata.reversal else None


def alike_on_average(strata: StratifiedFairness | StratifiedMeans) -> bool:
    """Return whether all gaps that fit what strata have on average are within the tolerance."""
    low, high = strata.common_difference_interval
    limit = strata.pooled.tolerance
    return None not in (low, high, limit) and -limit <= low and high <= limit


def clear_on_average(strata: StratifiedFairness | StratifiedMeans) -> bool:
    """Return whether all gaps that fit what strata have on average are beyond the tolerance."""
    low, high = strata.common_difference_interval
    limit = strata.pooled.tolerance
    return None not in (low, high, limit) and (low > limit or high < -limit)


def what_remains(strata: StratifiedFairness | StratifiedMeans, noun: str = "gap") -> str:
    """Return in words what is left on average inside strata where no clear gap is."""
    return "the groups are alike" if alike_on_average(strata) else f"no clear {noun} remains"
