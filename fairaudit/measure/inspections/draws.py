"""What draws from a posterior support: the interval of a figure, and the verdicts on differences together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairaudit.measure.comparison_results import Interval
from fairaudit.measure.intervals import Floats
from fairaudit.measure.verdicts import Side, Verdict, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm


def ends_of(draws: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval that holds the middle part of draws."""
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return low, high


def verdicts_of_draws(differences: Sequence[Floats], confidence: float, tolerance: float) -> list[Verdict]:
    """Return the verdicts on draws of differences together, by Holm's method."""

    def read(limit: float) -> Sequence[Side]:
        return readings_by_holm(
            lambda level: [_side_at(each, level, tolerance, limit) for each in differences],
            len(differences),
            confidence,
        )

    return [verdict_by(side, likely=apart == "beyond") for side, apart in zip(read(tolerance), read(0.0), strict=True)]


def _side_at(difference: Floats, confidence: float, tolerance: float, limit: float) -> Side:
    """Say whether all of a difference that is likely is within the tolerance, or beyond a limit."""
    wide, narrow = (
        Interval(*map(float, ends_of(difference, level))) for level in (confidence, max(2 * confidence - 1, 0.0))
    )
    if wide.low > limit or wide.high < -limit:
        return "beyond"
    return side_of(wide, narrow, tolerance)
