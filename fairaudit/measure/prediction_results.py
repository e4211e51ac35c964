"""What the measures of a prediction or score return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd


@dataclass(frozen=True)
class ErrorComparison:
    """Error rates of a prediction per group, from one table of counts.

    Parameters
    ----------
    groups : tuple of str
        The groups in order, ``"missing"`` last.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.
    positive_meaning : str
        That outcome in words.
    counts : DataFrame
        One row a group: ``group, tp, fp, tn, fn, unknown`` (rows without label or prediction).
    metrics : DataFrame
        As :func:`fairaudit.group_metrics`, with the index ``group``.
    intervals : DataFrame
        ``group, metric, value, n, low, high``: Wilson intervals; n is the denominator.
    gaps : DataFrame
        As :func:`fairaudit.group_gaps`, over rates that are a share of at least 30 rows, with ``low, high`` (Newcombe's
        interval), ``n_high, n_low`` (rows behind both rates) and ``n_few`` (groups left out because of few rows).
    confidence : float
        Of the intervals.
    where : str or None
        The filter.
    warnings : tuple of str
        What makes some rates doubtful or undefined, with counts.
    """

    groups: tuple[str, ...]
    positive: Literal["favorable", "unfavorable"]
    positive_meaning: str
    counts: pd.DataFrame
    metrics: pd.DataFrame
    intervals: pd.DataFrame
    gaps: pd.DataFrame
    confidence: float
    where: str | None
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class ScoreComparison:
    """How well a score ranks and how well it is calibrated, per group.

    Scores are turned so that higher means the positive outcome is more likely; ``warnings`` says where they were.

    Parameters
    ----------
    score : str
        The column.
    groups : tuple of str
        The groups in order, ``"missing"`` last.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.
    positive_meaning : str
        That outcome in words.
    is_probability : bool
        Whether all scores are between 0 and 1 (and not only 0 and 1).
    roc : DataFrame
        ``group, threshold, fpr, tpr``, thinned for drawing; the first threshold of a group is NaN.
    auc : DataFrame
        ``group, n, n_positive, auc, low, high``: areas with DeLong intervals.
    calibration : DataFrame
        ``group, bin, score_mean, n, positives, observed, low, high``: Wilson intervals; bins without rows are left out.
    distribution : DataFrame
        ``group, label, bin_low, bin_high, n, share``: label is 1 for the positive outcome, shares add up to 1 for each
        group and label.
    where : str or None
        The filter.
    warnings : tuple of str
        What makes some figures doubtful or undefined, with counts.
    """

    score: str
    groups: tuple[str, ...]
    positive: Literal["favorable", "unfavorable"]
    positive_meaning: str
    is_probability: bool
    roc: pd.DataFrame
    auc: pd.DataFrame
    calibration: pd.DataFrame
    distribution: pd.DataFrame
    where: str | None
    warnings: tuple[str, ...]
