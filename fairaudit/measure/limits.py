"""How a figure is held against a limit: the one place that says what counts as kept."""

from __future__ import annotations

from typing import Any, Final

SLACK: Final = 1e-9
"""A figure that is above its limit by less is within it: figures are sums of fractions."""

FOUR_FIFTHS: Final = 0.8
"""How many times the highest share another must be, at least, by the rule of thumb of that name."""


def exceeds(value: float, limit: float) -> bool:
    """Say whether a figure is above what is allowed, and not only by rounding; an undefined one is not.

    Examples
    --------
    >>> exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3), exceeds(float("nan"), 0.3)
    (False, True, False)
    """
    return bool(value > limit + SLACK)


def within(value: Any, limit: float) -> Any:
    """Say whether a figure, or each of many, is at most what is allowed, but for rounding; an undefined one is not."""
    return value <= limit + SLACK


def falls_short(value: float, limit: float) -> bool:
    """Say whether a figure is below what is asked for, and not only by rounding; an undefined one is not."""
    return bool(value < limit - SLACK)
