"""What the charts of errors and scores say, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.present.rate_words import RATES
from fairaudit.present.written_scores import higher_is, written_calibration, written_distribution

FEW = 10
"""A bin with fewer rows is drawn fainter and not joined to its neighbours."""


def rates_alt(errors: ErrorComparison, metric: str) -> str:
    """Say in words what :func:`rates_chart` shows."""
    rows = errors.intervals[errors.intervals["metric"] == metric]
    known = rows[rows["value"].notna()].sort_values("value", kind="stable")
    lead = f"{RATES.get(metric, metric)} of each group with {brief.percent(errors.confidence)} intervals."
    if known.empty:
        return f"{lead} It is undefined in every group."
    shown = "; ".join(
        f"{brief.short(r.group)} {cell_text(r.value, 'share')}" for r in brief.some(list(known.itertuples()))
    )
    undefined = len(rows) - len(known)
    tail = f" Undefined in {undefined} group{'s' if undefined > 1 else ''}." if undefined else ""
    return f"{lead} {brief.counted(len(known), 'group')}, from lowest to highest: {shown}.{tail}"


def roc_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`roc_chart` shows."""
    groups = [
        f"{brief.short(r.group)} {cell_text(r.auc, 'number', digits=3)}"
        for r in brief.some(list(scores.auc.itertuples()))
    ]
    return (
        "ROC curve of each group: the true positive rate against the false positive rate at every cut of the score. "
        f"Area under the curve (0.5 is chance, 1 is perfect): {'; '.join(groups)}."
    )


def calibration_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`calibration_chart` shows."""
    frame = written_calibration(scores).dropna(subset=["score_mean", "observed"])
    lead = f"Observed share against the mean score ({higher_is(scores)}), bin by bin"
    lead += "; on the diagonal the score means what it says." if scores.is_probability else "."
    digits = max(needed_digits(frame["score_mean"], 2), 2 if scores.is_probability else 0)
    texts = []
    for group, rows in list(frame[frame["n"] >= FEW].groupby("group", sort=False))[: brief.MOST_SERIES]:
        ends = [rows.iloc[0], rows.iloc[-1]][: len(rows)]
        shares = [cell_text(row["observed"], "share") for row in ends]
        means = [cell_text(row["score_mean"], "number", digits=digits) for row in ends]
        points = [f"{share} at a mean score of {mean}" for share, mean in zip(shares, means, strict=True)]
        texts.append(f"{brief.short(group)}: {', '.join(points)}.")
    return " ".join([lead, *texts, *few_note(scores)])


def few_note(scores: ScoreComparison) -> list[str]:
    """Say how bins with few rows are drawn; nothing where there are none."""
    few = int((scores.calibration["n"] < FEW).sum())
    if not few:
        return []
    subject = "1 bin" if few == 1 else f"{few} bins"
    verb = "is drawn fainter and without a line" if few == 1 else "are drawn fainter and without a line"
    return [f"{subject} of fewer than {FEW} rows {verb}: a share of so few rows says little."]


def needed_digits(values: pd.Series, most: int = 3) -> int:
    """Return how many decimals show the numbers in full, at most `most`: none for whole numbers.

    Examples
    --------
    >>> needed_digits(pd.Series([1.0, 2.0])), needed_digits(pd.Series([0.5, 1.0])), needed_digits(pd.Series([1 / 3]))
    (0, 1, 3)
    """
    known = values.astype(float).to_numpy()
    known = known[np.isfinite(known)]
    return next((i for i in range(most) if np.allclose(known, np.round(known, i), rtol=0, atol=1e-9)), most)


def distribution_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`distribution_chart` shows."""
    frame = written_distribution(scores)
    digits = needed_digits(frame["bin_low"], 2)
    texts = []
    for (group, label), rows in list(frame.groupby(["group", "label"], sort=False))[: 2 * brief.MOST_SERIES]:
        n = rows["n"].sum()
        if n:
            top = rows.iloc[int(rows["share"].to_numpy().argmax())]
            ends = " to ".join(cell_text(top[end], "number", digits=digits) for end in ("bin_low", "bin_high"))
            texts.append(f"{brief.short(group)}, {label_words(label)}: {cell_text(n, 'count')} rows, most at {ends}.")
    return " ".join([f"How the score ({higher_is(scores)}) is spread in each group, by true outcome.", *texts])


def label_words(label: Any) -> str:
    """Name a true outcome: 1 or True is ``truly positive``, 0 or False ``truly negative``."""
    if isinstance(label, str) and label not in {"0", "1"}:
        return label
    return "truly positive" if int(label) == 1 else "truly negative"
