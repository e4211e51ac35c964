"""What the charts of errors and scores say, in words."""

from __future__ import annotations

from typing import Any

from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.report.blocks import cell_text
from fairaudit.report.charts import parts

METRICS = {
    "base_rate": "Share truly positive",
    "selection_rate": "Share predicted positive",
    "accuracy": "Accuracy",
    "tpr": "True positive rate",
    "fpr": "False positive rate",
    "tnr": "True negative rate",
    "fnr": "False negative rate",
    "ppv": "Right among predicted positive",
    "npv": "Right among predicted negative",
    "fdr": "Wrong among predicted positive",
    "for_": "Wrong among predicted negative",
}


def rates_alt(errors: ErrorComparison, metric: str) -> str:
    """Say in words what :func:`rates_chart` shows."""
    rows = errors.intervals[errors.intervals["metric"] == metric]
    known = rows[rows["value"].notna()].sort_values("value", kind="stable")
    lead = f"{METRICS.get(metric, metric)} of each group with {parts.percent(errors.confidence)} intervals."
    if known.empty:
        return f"{lead} It is undefined in every group."
    shown = "; ".join(
        f"{parts.short(r.group)} {cell_text(r.value, 'share')}" for r in parts.some(list(known.itertuples()))
    )
    undefined = len(rows) - len(known)
    tail = f" Undefined in {undefined} group{'s' if undefined > 1 else ''}." if undefined else ""
    return f"{lead} {parts.counted(len(known), 'group')}, from lowest to highest: {shown}.{tail}"


def roc_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`roc_chart` shows."""
    groups = [
        f"{parts.short(r.group)} {cell_text(r.auc, 'number', digits=3)}"
        for r in parts.some(list(scores.auc.itertuples()))
    ]
    return (
        "ROC curve of each group: the true positive rate against the false positive rate at every cut of the score. "
        f"Area under the curve (0.5 is chance, 1 is perfect): {'; '.join(groups)}."
    )


def calibration_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`calibration_chart` shows."""
    frame = scores.calibration.dropna(subset=["score_mean", "observed"])
    lead = "Observed share against the mean score, bin by bin; on the diagonal the score means what it says."
    lead = lead if scores.is_probability else "Observed share against the mean score, bin by bin."
    texts = []
    for group, rows in list(frame.groupby("group", sort=False))[: parts.MOST_SERIES]:
        first, last = rows.iloc[0], rows.iloc[-1]
        texts.append(
            f"{parts.short(group)}: {cell_text(first['observed'], 'share')} at a mean score of "
            f"{cell_text(first['score_mean'], 'number')}, {cell_text(last['observed'], 'share')} at "
            f"{cell_text(last['score_mean'], 'number')}."
        )
    return " ".join([lead, *texts])


def distribution_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`distribution_chart` shows."""
    frame = scores.distribution
    texts = []
    for (group, label), rows in list(frame.groupby(["group", "label"], sort=False))[: 2 * parts.MOST_SERIES]:
        n = rows["n"].sum()
        if n:
            top = rows.iloc[int(rows["share"].to_numpy().argmax())]
            ends = f"{cell_text(top['bin_low'], 'number')} to {cell_text(top['bin_high'], 'number')}"
            texts.append(f"{parts.short(group)}, {label_words(label)}: {cell_text(n, 'count')} rows, most at {ends}.")
    return " ".join(["How the score is spread in each group, by true outcome.", *texts])


def label_words(label: Any) -> str:
    """Name a true outcome: 1 or True is ``truly positive``, 0 or False ``truly negative``."""
    if isinstance(label, str) and label not in {"0", "1"}:
        return label
    return "truly positive" if int(label) == 1 else "truly negative"
