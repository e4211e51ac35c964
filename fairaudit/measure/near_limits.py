"""How many decimals show on which side of a limit a number is."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_DIGITS = 4
"""Decimals that are shown at most to distinguish a number from a limit."""
SAME = 1e-9
"""Numbers closer than this are the same: their distance comes from how they were computed."""


def digits_beside(
    value: float, limits: Sequence[float], *, digits: int, most: int = MOST_DIGITS, rounded: bool = False
) -> int | None:
    """Return how many decimals a number needs, so that what is shown is on the same side of each limit as the number.

    Examples
    --------
    >>> digits_beside(0.7955, [0.8], digits=2), digits_beside(0.5, [0.8], digits=2)
    (3, 2)
    >>> digits_beside(0.79999999, [0.8], digits=2) is None
    True
    """
    sides = [_side(value, limit) for limit in limits]
    for places in range(digits, max(digits, most) + 1):
        shown = [round(limit, places) for limit in limits] if rounded else limits
        if [_side(round(value, places), limit) for limit in shown] == sides:
            return places
    return None


def digits_that_subtract(first: float, second: float, *, digits: int, difference: float | None = None) -> int:
    """Return with how many decimals two numbers and their difference subtract as they are shown: `digits` or one more.

    The `difference` is the one that is shown, which may differ in its last digits.

    With one more they may still be off by one in the last, so show their difference by :func:`rounded_difference`.

    Examples
    --------
    >>> digits_that_subtract(93.54, 78.46, digits=1), digits_that_subtract(93.5, 78.5, digits=1)
    (2, 1)
    """
    shown = round(first - second if difference is None else difference, digits)
    same = round(rounded_difference(first, second, digits) - shown, digits) == 0
    return digits if same else digits + 1


def rounded_difference(first: float, second: float, digits: int) -> float:
    """Return the difference of two numbers as they are shown.

    Examples
    --------
    >>> rounded_difference(44.519, 30.354, 2), round(44.519 - 30.354, 2)
    (14.17, 14.16)
    """
    return round(round(first, digits) - round(second, digits), digits)


def nearest(value: float, limits: Sequence[float]) -> tuple[float, int]:
    """Return the limit that is nearest to a number, and its side: -1 below it, 0 at it, 1 above it."""
    limit = min(limits, key=lambda each: abs(each - value))
    return limit, _side(value, limit)


def _side(value: float, limit: float) -> int:
    if abs(value - limit) <= SAME * max(1.0, abs(limit)):
        return 0
    return int(math.copysign(1, value - limit))
