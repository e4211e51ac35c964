"""Counts, means and variances of groups: added up, and compared by Welch's method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from scipy import special

from fairaudit.defaults import ENOUGH
from fairaudit.measure.comparison_results import Interval

Moments = Mapping[str, float]
"""``n, missing, mean, variance, quarter, median, three_quarters`` of some rows."""

FIGURES: Final = ("n", "missing", "mean", "variance", "quarter", "median", "three_quarters")


def joined(parts: Sequence[Moments]) -> Moments:
    """Return the moments of several parts together; quartiles only where no more than one part has rows."""
    missing = sum(part["missing"] for part in parts)
    filled = [part for part in parts if part["n"]]
    n = sum(part["n"] for part in filled)
    if not filled:
        return dict.fromkeys(FIGURES, math.nan) | {"n": 0.0, "missing": missing}
    if len(filled) == 1:
        return dict(filled[0]) | {"missing": missing}
    mean = sum(part["n"] * part["mean"] for part in filled) / n
    squares = sum(_squares(part) + part["n"] * (part["mean"] - mean) ** 2 for part in filled)
    unknown = dict.fromkeys(("quarter", "median", "three_quarters"), math.nan)
    return {"n": n, "missing": missing, "mean": mean, "variance": squares / (n - 1), **unknown}


def _squares(part: Moments) -> float:
    """Return the sum of squared distances from the mean."""
    return (part["n"] - 1) * part["variance"] if part["n"] > 1 else 0.0


def pooled_variance(parts: Sequence[Moments]) -> float:
    """Return the variance within the parts; NaN where they have no rows to spare."""
    freedom = sum(part["n"] for part in parts) - len(parts)
    return sum(map(_squares, parts)) / freedom if freedom > 0 else math.nan


def _error(protected: Moments, reference: Moments) -> tuple[float, float]:
    """Return the standard error of the difference and its degrees of freedom; NaN where it is not known."""
    shares = [part["variance"] / part["n"] if part["n"] > 1 else math.nan for part in (protected, reference)]
    total = sum(shares)
    if not total > 0:
        return total, math.inf
    below = sum(share**2 / (part["n"] - 1) for share, part in zip(shares, (protected, reference), strict=True))
    return math.sqrt(total), total**2 / below


def welch_interval(protected: Moments, reference: Moments, confidence: float) -> Interval:
    """Return the interval of the difference of means; NaN where the spread is not known."""
    error, freedom = _error(protected, reference)
    if error == 0 and min(protected["n"], reference["n"]) < ENOUGH:
        error = math.nan
    half = 0.0 if error == 0 else float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
    difference = float(protected["mean"] - reference["mean"])
    return Interval(difference - half, difference + half)


def welch_p_value(protected: Moments, reference: Moments) -> float:
    """Return the two-sided p-value of Welch's t test; NaN where the spread is not known or 0."""
    error, freedom = _error(protected, reference)
    if not error > 0:
        return math.nan
    return float(2 * special.stdtr(freedom, -abs(protected["mean"] - reference["mean"]) / error))
