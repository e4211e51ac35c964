"""The gap and the impact ratio of a comparison, with enough decimals to differ from the limits beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairaudit.measure.limits import FOUR_FIFTHS, answer_digits, is_whole
from fairaudit.measure.results import Comparison
from fairaudit.present.numbers import beside_text, points_number, points_text, share_text

if TYPE_CHECKING:
    pass

RATIO_LIMITS = (FOUR_FIFTHS, 1 / FOUR_FIFTHS)


def gap_text(result: Comparison, *, digits: int = 1) -> str:
    """Return the gap, protected minus reference, in signed points."""
    return points_text(result.difference, digits=digits, **by_tolerance(result))


def gap_number(result: Comparison, *, digits: int = 1) -> str:
    """Return the same number without the name of points."""
    return points_number(result.difference, digits=digits, **by_tolerance(result))


def gap_size_text(result: Comparison, *, digits: int = 1) -> str:
    """Return how large the gap is, in points without a sign."""
    if abs(result.difference) < 0.0005:
        return "less than 0.1 points"
    return points_text(result.difference, signed=False, digits=digits, **by_tolerance(result))


def figures_that_subtract(result: Comparison) -> tuple[str, str, str]:
    """Return both shares and the signed gap, with two decimals where they need them."""
    digits = answer_digits(result)
    own, other = (share_text(side.ratio, digits=digits) for side in (result.protected, result.reference))
    return own, other, points_text(result.difference, digits=digits, **by_tolerance(result))


def own_share_text(result: Comparison, *, digits: int = 1) -> str:
    """Return the share of the group that is compared."""
    return share_text(result.protected.ratio, digits=digits)


def ratio_text(result: Comparison) -> str:
    """Return the impact ratio."""
    return beside_text(result.impact_ratio, RATIO_LIMITS, finer=is_whole(result))


def by_tolerance(result: Comparison) -> dict[str, Any]:
    """Return what :func:`~fairaudit.present.numbers.points_text` needs to print a gap apart from the tolerance."""
    return {"beside": result.tolerance, "finer": is_whole(result)}
