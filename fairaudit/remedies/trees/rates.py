"""The shares that a tree must have alike in all groups, on any rows of a study.

Shares are of the outcome that ``models.positive`` names. Only rows of a known group count.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.measure.intervals import ratio_interval
from fairaudit.measure.limits import FOUR_FIFTHS, exceeds, falls_short
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.group_checks import check_groups, known_groups, learned_rows
from fairaudit.study.pair_gaps import alike_level
from fairaudit.study.rates_alike import largest_gap, rate_gaps, rated_rows
from fairaudit.study.rows import Study

RATIO_COLUMNS: Final = ("first", "second", "ratio", "low", "high", "n_first", "n_second", "reading")

_FAIRNESS = {"demographic_parity": "statistical_parity", "four_fifths": "statistical_parity"}
_OUTCOMES = {"equal_opportunity": ("positive",), "equalized_odds": ("positive", "negative")}


def check_rates(study: Study, remedy: TreesPlan) -> None:
    """Refuse groups that lack, among the rows to learn from, what the shares that must be alike are shares of."""
    if remedy.is_free:
        return
    names = ("good", "bad") if study.models.positive == "favorable" else ("bad", "good")
    outcome = dict(zip(("positive", "negative"), names, strict=True))
    needed = frozenset(outcome[label] for label in _OUTCOMES.get(remedy.constraint or "", ()))
    check_groups(study, learned_rows(study), "the tree is learned from", needed)


def alike_rows(study: Study, remedy: TreesPlan) -> ConstrainedRows:
    """Return all rows of a study with the groups that must be alike, for :func:`rate_gaps`."""
    fairness = _FAIRNESS.get(remedy.constraint or "", remedy.constraint)
    return rated_rows(study, fairness, remedy.max_difference)


def gaps_of(study: Study, remedy: TreesPlan, rows: NDArray[np.int64], h: NDArray[np.int64]) -> pd.DataFrame:
    """Return the gap of each rate and pair of groups on some rows."""
    table = rate_gaps(alike_rows(study, remedy).take(rows), h, study.models.confidence)
    if remedy.by_ratio:
        table = table.assign(reading=ratios_of(study, remedy, rows, h)["reading"].to_numpy())
    return table


def ratios_of(study: Study, remedy: TreesPlan, rows: NDArray[np.int64], h: NDArray[np.int64]) -> pd.DataFrame:
    """Return the ratio of shares of each pair of groups on some rows; without rows where "four_fifths" is not asked."""
    names = known_groups(study) if remedy.by_ratio else ()
    return ratio_table(names, study.groups[rows], h, study.models.confidence)


def ratio_table(
    names: tuple[str, ...], groups: NDArray[np.object_], h: NDArray[np.int64], confidence: float
) -> pd.DataFrame:
    """Return for each pair of groups how many times the larger share of positive predictions the smaller one is.

    Shapes: `groups` (n,), `h` (n,); returns a frame of first, second, ratio, low, high, n_first, n_second, reading.

    Examples
    --------
    >>> groups = np.array(["a"] * 4 + ["b"] * 4)
    >>> ratio_table(("a", "b"), groups, np.array([1, 1, 0, 0, 1, 0, 0, 0]), 0.95)[["ratio", "reading"]].values.tolist()
    [[0.5, 'outside, not clear']]
    """
    found = []
    for first, second in combinations(names, 2):
        one, other = h[groups == first], h[groups == second]
        counts = sorted(
            [(int(one.sum()), len(one)), (int(other.sum()), len(other))], key=lambda c: c[0] / c[1] if c[1] else 1.0
        )
        (part, n), (whole_part, whole_n) = counts
        ratio = (part / n) / (whole_part / whole_n) if n and whole_n and whole_part else float("nan")
        counts_of_both = (part, n, whole_part, whole_n)
        low, high = (float(end) for end in ratio_interval(*counts_of_both, alike_level(confidence)))
        if not low >= FOUR_FIFTHS:
            low, high = (float(end) for end in ratio_interval(*counts_of_both, confidence))
        found.append((first, second, ratio, low, high, len(one), len(other), _reading(ratio, low, high)))
    return pd.DataFrame(found, columns=list(RATIO_COLUMNS))


def worst_of(remedy: TreesPlan, gaps: pd.Series, ratios: pd.Series) -> float:
    """Return the largest gap or, for "four_fifths", the smallest ratio; NaN where there is none."""
    if not remedy.by_ratio:
        return largest_gap(gaps)
    return float(ratios.astype(float).min())


def is_kept(remedy: TreesPlan, worst: float, *, trained: bool = False) -> bool:
    """Say whether the worst gap or ratio keeps to what is allowed; also where nothing must be alike."""
    if remedy.constraint is None or np.isnan(worst):
        return True
    if remedy.by_ratio:
        return not falls_short(worst, FOUR_FIFTHS)
    return not exceeds(worst, remedy.max_difference - (remedy.margin if trained else 0.0))


def _reading(ratio: float, low: float, high: float) -> str:
    """Say whether a ratio is at least 80 %, and whether its interval leaves that open."""
    if np.isnan(ratio):
        return "not defined"
    if not falls_short(ratio, FOUR_FIFTHS):
        return "within" if low >= FOUR_FIFTHS else "within, not clear"
    return "outside" if high < FOUR_FIFTHS else "outside, not clear"
