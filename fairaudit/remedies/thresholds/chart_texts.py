"""What the charts of thresholds say, in words."""

from __future__ import annotations

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.remedies.shared.number_texts import moved_text, size_text, weight_text


def threshold_roc_alt(roc: pd.DataFrame, points: pd.DataFrame) -> str:
    """Say in words what :func:`threshold_roc_chart` shows."""
    lead = (
        "ROC curve of each group: the true positive rate against the false positive rate at every threshold. A cross "
        "marks where the common threshold puts the group, a circle where its own threshold puts it."
    )
    texts = []
    for row in brief.some(list(points.itertuples())):
        before, after = (cell_text(cut, "number", digits=3) for cut in (row.before, row.after))
        texts.append(
            f"{brief.short(row.group)}: threshold {before} before, "
            f"{after} after; true positive rate {moved_text(row.tpr_before, row.tpr_after)}, "
            f"false positive rate {moved_text(row.fpr_before, row.fpr_after)}."
        )
    return " ".join([lead, *texts])


def weight_sweep_alt(sweep: pd.DataFrame, *, current: float | None = None) -> str:
    """Say in words what :func:`weight_sweep_chart` shows."""
    texts = [
        f"at {weight_text(row.fairness_weight)}: {cell_text(row.accuracy, 'share')} and {size_text(row.gap)} points"
        for row in brief.some(list(sweep.sort_values("fairness_weight", kind="stable").itertuples()))
    ]
    used = "" if current is None else f" The weight in use is {weight_text(current)}."
    return (
        f"Accuracy and the sum of the gaps for several weights of fairness, {'; '.join(texts) or 'none'}. A larger "
        f"weight makes the gaps smaller.{used}"
    )
