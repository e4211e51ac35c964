"""How a figure is held against a limit: the one place that says what counts as kept."""

from __future__ import annotations

from typing import Final

SLACK: Final = 1e-9
"""A figure that is above its limit by less is within it: it comes from sums of fractions."""

FOUR_FIFTHS: Final = 0.8
"""How many times the share of one group that of another must be, at least, by the rule of that name."""


def exceeds(value: float, limit: float, *, slack: float = SLACK) -> bool:
    """Say whether a figure is above what is allowed; an undefined one is not.

    Examples
    --------
    >>> exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3)
    (False, True)
    """
    return bool(value > limit + slack)
