"""The rates that a rule set must have alike in all groups, on any rows of a study.

Rates are of the outcome that ``models.positive`` names. Only rows of a known group count.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec
from fairaudit.estimators.rules.problem import RATES
from fairaudit.measure.limits import SLACK
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import check_groups, known_groups, learned_rows
from fairaudit.study.pair_gaps import gap_table
from fairaudit.study.rows import Study

FAIRNESS_WORDS: Final = {
    "equalized_odds": "both error rates alike",
    "equal_opportunity": "false negative rates alike",
    "false_positive_rate": "false positive rates alike",
    "statistical_parity": "positive predictions alike",
    "accuracy": "accuracy alike",
}
"""What may be asked to be alike, in the name of a rule set."""

RATE_WORDS: Final = {
    "fnr": "false negative rate",
    "fpr": "false positive rate",
    "selection_rate": "share of positive predictions",
    "error_rate": "share of wrong predictions",
}
"""Rates in words, to stand after "the"."""

METRICS: Final = {"fnr": "fnr", "fpr": "fpr", "selection_rate": "sp", "error_rate": "mr"}
"""The metric of each rate."""

GAP_COLUMNS: Final = ("rate", "rate_words", "first", "second", "gap", "low", "high", "n_first", "n_second", "reading")


def limit_text(value: float) -> str:
    """Return what a person allows, in points, as it was written.

    Examples
    --------
    >>> limit_text(0.01), limit_text(0.125), limit_text(0.0)
    ('1 point', '12.5 points', '0 points')
    """
    text = f"{100 * value:.6g}"
    return "1 point" if text == "1" else f"{text} points"


def check_rates(study: Study, fairness: str | None) -> None:
    """Refuse groups that lack, among the rows to learn from, what the rates that must be alike are shares of."""
    if fairness is None:
        return
    positive, negative = ("good", "bad") if study.models.positive == "favorable" else ("bad", "good")
    needs = {"fnr": positive, "fpr": negative}
    outcomes = frozenset(needs[rate.name] for rate in RATES[fairness] if rate.name in needs)
    check_groups(study, learned_rows(study), "rules are learned from", outcomes)


def rated_rows(study: Study, fairness: str | None, max_difference: float) -> ConstrainedRows:
    """Return all rows of a study with the groups whose rates must be alike, and how far apart they may be."""
    names = known_groups(study)
    members = tuple(np.flatnonzero(study.group_known & (study.groups == name)) for name in names)
    # A specification allows more than nothing. What is rounding in a search is so here, too.
    limit = max(max_difference, SLACK)
    rates = () if fairness is None else RATES[fairness]
    specs = tuple(FairnessSpec(METRICS[rate.name], "group", limit) for rate in rates)
    return ConstrainedRows(positive_labels(study), specs, (names,) * len(specs), (members,) * len(specs))


def rate_gaps(rows: ConstrainedRows, h: NDArray[np.int64], confidence: float) -> pd.DataFrame:
    """Return the gap of each rate and pair of groups, with its interval.

    Shapes: `h` (n,); returns a frame of rate, rate_words, first, second, gap, low, high, n_first, n_second, reading.
    """
    if not rows.constraints:
        return pd.DataFrame(columns=list(GAP_COLUMNS))
    rate_of = {metric: rate for rate, metric in METRICS.items()}
    rates = [rate_of[constraint.spec.measure.name] for constraint in rows.constraints]
    table = gap_table(rows, h, confidence).assign(
        rate=rates,
        rate_words=[RATE_WORDS[rate] for rate in rates],
        first=[constraint.first for constraint in rows.constraints],
        second=[constraint.second for constraint in rows.constraints],
    )
    return table[list(GAP_COLUMNS)]


def largest_gap(gaps: pd.Series) -> float:
    """Return the largest of gaps without their signs; NaN where there is none."""
    sizes = gaps.astype(float).abs()
    return float(sizes.max()) if len(sizes) else float("nan")


def group_rate_table(
    names: tuple[str, ...], groups: NDArray, y: NDArray[np.int64], h: NDArray[np.int64]
) -> pd.DataFrame:
    """Return the rates of each group.

    Shapes: `groups` (n,), `y` (n,), `h` (n,); returns a frame of group, n, fnr, fpr, selection_rate, error_rate.

    Examples
    --------
    >>> y, h = np.array([1, 1, 0]), np.array([1, 0, 0])
    >>> group_rate_table(("a",), np.array(["a", "a", "a"]), y, h)["fnr"].tolist()
    [0.5]
    """
    rows = []
    for name in names:
        inside = groups == name
        label, predicted = y[inside], h[inside]
        shares = (predicted[label == 1] == 0, predicted[label == 0] == 1, predicted == 1, predicted != label)
        rows.append((name, int(inside.sum()), *(float(part.mean()) if len(part) else np.nan for part in shares)))
    return pd.DataFrame(rows, columns=["group", "n", *RATE_WORDS])
