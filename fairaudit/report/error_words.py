"""Sentences about the errors of a prediction, shared by pages and report."""

from __future__ import annotations

import pandas as pd

from fairaudit.audit import ErrorsFinding
from fairaudit.measure.results import ErrorComparison
from fairaudit.report.numbers import count_text, share_text

MEANINGS = {
    "fpr": "Of those who are truly not positive, the share that was predicted positive.",
    "fnr": "Of those who are truly positive, the share that was predicted not positive.",
    "fdr": "Of those predicted positive, the share that is truly not.",
    "for_": "Of those predicted not positive, the share that truly is.",
    "tpr": "Of those who are truly positive, the share that was predicted positive.",
    "tnr": "Of those who are truly not positive, the share that was predicted so.",
    "ppv": "Of those predicted positive, the share that truly is.",
    "npv": "Of those predicted not positive, the share that truly is not.",
    "selection_rate": "The share that was predicted positive.",
    "base_rate": "The share that is truly positive.",
    "accuracy": "The share that was predicted right.",
}
LEADS = {
    "fpr": "Wrongly predicted positive",
    "fnr": "Wrongly predicted not positive",
}
FEW = 30


def errors_sentence(finding: ErrorsFinding) -> str:
    """Say which groups bear the most false positives and false negatives, and whether chance could explain it.

    Parameters
    ----------
    finding : ErrorsFinding
        One finding with a prediction, masked or not.

    Returns
    -------
    str
        One sentence for each of the two rates; groups in which a rate is a share of fewer than 30 rows are left out.
    """
    if finding.errors is None:
        return "There is no prediction to judge."
    sentences = [_extremes(finding.errors, metric, lead) for metric, lead in LEADS.items()]
    said = [sentence for sentence in sentences if sentence]
    if said and finding.errors.counts["tp"].isna().any():
        said.insert(0, "Among the groups that are shown:")
    return " ".join(said) if said else "There are too few rows, or too few groups, to compare the errors."


def metric_meaning(metric: str, errors: ErrorComparison) -> str:
    """Say in plain words what a rate is a share of.

    Parameters
    ----------
    metric : str
        A column of :func:`fairaudit.group_metrics`.
    errors : ErrorComparison
        Says which outcome is called positive.

    Returns
    -------
    str
        Two short sentences.
    """
    return f"{MEANINGS[metric]} Positive means: {errors.positive_meaning}."


def _extremes(errors: ErrorComparison, metric: str, lead: str) -> str | None:
    rows = errors.intervals[errors.intervals["metric"] == metric].dropna(subset=["value", "n"])
    rows = rows[rows["n"] >= FEW]
    if len(rows) < 2:
        return None
    high = rows.loc[rows["value"].idxmax()]
    low = rows.loc[rows["value"].idxmin()]
    if high["value"] == low["value"]:
        return f"{lead}: {share_text(high['value'])} in every group."
    apart = high["low"] > low["high"]
    chance = "The intervals are apart." if apart else "The intervals overlap, so this may be chance."
    return f"{lead}: most often {_group(high)}, least often {_group(low)}. {chance}"


def _group(row: pd.Series) -> str:
    return f"{row['group']} ({share_text(row['value'])} of {count_text(row['n'])})"
