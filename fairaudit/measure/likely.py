"""Whether there is a gap at all: whether chance alone is an unlikely reason for one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairaudit.measure.comparison_results import Comparison
    from fairaudit.measure.mean_results import MeanComparison


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
