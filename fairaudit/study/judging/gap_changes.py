"""How the gap between two groups changes from one model to another on the same rows: with a sign and an interval."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.measure.gaps import ENOUGH, gaps_from_counts
from fairaudit.study.judging.paired import ADDED, UNDEFINED, normal_interval
from fairaudit.study.judging.results import Change

SELECTION: Final = "selection_rate"
RATES: Final = {
    "selection_gap": SELECTION,
    "tpr_gap": "tpr",
    "fpr_gap": "fpr",
    "fdr_gap": "fdr",
    "for_gap": "for_",
}
"""The gaps between groups, and the rate that each is a gap of."""

LABEL, BEFORE, AFTER = np.indices((2, 2, 2)).reshape(3, 8)
"""Label and both predictions of the rows of each cell."""

Pair = tuple[str, str]
"""Two groups; their gap is the rate of the first minus that of the second."""


def furthest_apart(counts: pd.DataFrame, min_count: float) -> dict[str, Pair]:
    """Return for each gap the groups with the highest and the lowest rate, in their order in the table of counts.

    Only rates that are shares of enough rows are compared.

    Notes
    -----
    The counts must be of other rows than those on which the change is judged: a pair that is picked on the same rows
    looks further apart before than it is.
    """
    gaps = gaps_from_counts(counts, min_count=min_count).loc[list(RATES.values())]
    pairs = {gap: gaps.at[rate, "worst_pair"] for gap, rate in RATES.items()}
    order = counts["group"].tolist()
    return {gap: tuple(sorted(pair, key=order.index)) for gap, pair in pairs.items() if pair is not None}


def gap_change(gap: str, pair: Pair, cells: tuple[NDArray[np.int64], NDArray[np.int64]], confidence: float) -> Change:
    """Return how a gap changed, its interval by a normal approximation; NaN where a rate is a share of few rows.

    Shapes: each of `cells` (8,): rows of the first and the second group by label, prediction before and after.

    Notes
    -----
    Each rate is a share ``r = sum(t) / sum(b)``. To first order a row moves it by ``(t - r b) / sum(b)``, and its
    change between the models by the difference of two such terms: the variance of the change in a group is the sum of
    the squares of these over the rows, for each way in which a row can move the rate `ADDED` rows included: up or down,
    and with either label but for the selection rate, which does not depend on it. The groups are independent.

    Examples
    --------
    >>> few, many = np.array([0, 0, 0, 0, 40, 9, 1, 50]), np.array([0, 0, 0, 0, 100, 2, 18, 280])
    >>> change = gap_change("selection_gap", ("few", "many"), (few, many), 0.95)
    >>> print(f"{change.before:.3f} {change.after:.3f} {change.interval.low:.3f} {change.interval.high:.3f}")
    -0.235 -0.115 0.051 0.189
    """
    first, second = (_rates(own, gap) for own in cells)
    before, after = (float(one - other) for one, other in zip(first, second, strict=True))
    difference = after - before
    if np.isnan(difference):
        return Change(gap, before, after, difference, UNDEFINED, *pair)
    variance = sum(_variance(own, gap) for own in cells)
    return Change(gap, before, after, difference, normal_interval(difference, variance, confidence, most=2.0), *pair)


def _terms(gap: str) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]:
    """Return numerator and denominator of the rate of a gap for a row of each cell, before and after."""
    rates = {
        SELECTION: lambda h: (h, np.ones_like(h)),
        "tpr": lambda h: (LABEL * h, LABEL),
        "fpr": lambda h: ((1 - LABEL) * h, 1 - LABEL),
        "fdr": lambda h: ((1 - LABEL) * h, h),
        "for_": lambda h: (LABEL * (1 - h), 1 - h),
    }
    terms = rates[RATES.get(gap, SELECTION)]
    return terms(BEFORE), terms(AFTER)


def _rates(cells: NDArray[np.int64], gap: str) -> tuple[float, float]:
    """Return the rate of a group before and after; NaN where it is a share of too few rows."""
    least = 1 if gap == "gap" else ENOUGH
    sums = [(top @ cells, bottom @ cells) for top, bottom in _terms(gap)]
    return tuple(top / bottom if bottom >= least else np.nan for top, bottom in sums)


def _variance(cells: NDArray[np.int64], gap: str) -> float:
    """Return the variance of the change of a rate of a group."""
    labels_alike = RATES.get(gap, SELECTION) == SELECTION
    rows = cells + ADDED * (BEFORE != AFTER) / (2 if labels_alike else 1)
    moved = np.zeros(8)
    for sign, (top, bottom) in zip((-1, 1), _terms(gap), strict=True):
        whole = bottom @ rows
        moved += sign * (top - (top @ rows) / whole * bottom) / whole
    return float(rows @ moved**2)
