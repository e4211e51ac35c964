"""How the gap between two groups changes from one model to another on the same rows: with a sign and an interval."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.measure.rates import gaps_from_counts
from fairaudit.study.judging.paired import UNDEFINED, normal_interval
from fairaudit.study.judging.rate_terms import TERMS, change_variance, rates_of
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
    The variance is the sum of those of both groups, see :mod:`fairaudit.study.judging.rate_terms`: the groups are
    independent.

    Examples
    --------
    >>> few, many = np.array([0, 0, 0, 0, 40, 9, 1, 50]), np.array([0, 0, 0, 0, 100, 2, 18, 280])
    >>> change = gap_change("selection_gap", ("few", "many"), (few, many), 0.95)
    >>> print(f"{change.before:.3f} {change.after:.3f} {change.interval.low:.3f} {change.interval.high:.3f}")
    -0.235 -0.115 0.051 0.189
    """
    terms, least = TERMS[RATES.get(gap, SELECTION).rstrip("_")], 1 if gap == "gap" else ENOUGH
    first, second = (rates_of(own, terms, least) for own in cells)
    before, after = (float(one - other) for one, other in zip(first, second, strict=True))
    difference = after - before
    if np.isnan(difference):
        return Change(gap, before, after, difference, UNDEFINED, *pair)
    variance = sum(change_variance(own, terms) for own in cells)
    return Change(gap, before, after, difference, normal_interval(difference, variance, confidence, most=2.0), *pair)
