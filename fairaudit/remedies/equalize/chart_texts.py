"""What the charts of equalized distributions say, in words."""

from __future__ import annotations

import pandas as pd

from fairaudit.measure.grouping import MISSING
from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts.score_texts import label_words
from fairaudit.remedies.shared.number_texts import size_text, weight_text


def of_known_group(distribution: pd.DataFrame) -> pd.DataFrame:
    """Return how the scores of people of a known group are spread: those of no known group are in none to compare."""
    return distribution[distribution["group"] != MISSING]


def distribution_note(distribution: pd.DataFrame) -> str:
    """Return what :func:`equalized_distribution_chart` leaves out, to be put after its title."""
    groups = of_known_group(distribution)["group"].nunique()
    unknown = " People of no known group are not drawn." if (distribution["group"] == MISSING).any() else ""
    return unknown + brief.drawn_note(groups, brief.MOST_SERIES)


def equalized_distribution_alt(distribution: pd.DataFrame) -> str:
    """Say in words what :func:`equalized_distribution_chart` shows."""
    texts = []
    distribution = of_known_group(distribution)
    for (model, label, group), rows in list(distribution.groupby(["model", "label", "group"], sort=False))[:32]:
        if rows["n"].sum():
            top = rows.iloc[int(rows["share"].to_numpy(float).argmax())]
            ends = " to ".join(cell_text(top[end], "number") for end in ("bin_low", "bin_high"))
            texts.append(f"{brief.capital(model)}, {label_words(label)}, {brief.short(group)}: most at {ends}.")
    lead = "How the score is spread in each group, before and after, by true outcome. The more alike, the better."
    return " ".join([lead, *texts])


def equalized_sweep_alt(sweep: pd.DataFrame, *, current: float | None = None) -> str:
    """Say in words what :func:`equalized_sweep_chart` shows."""
    texts = [
        f"at {weight_text(row.accuracy_weight)}: accuracy {cell_text(row.accuracy, 'share')}, gaps "
        f"{size_text(row.tpr_gap)} and {size_text(row.fpr_gap)} points"
        for row in brief.some(list(sweep.sort_values("accuracy_weight", kind="stable").itertuples()))
    ]
    used = "" if current is None else f" The weight in use is {weight_text(current)}."
    return (
        "Accuracy and the gaps in true and false positive rates for several weights of accuracy, "
        f"{'; '.join(texts) or 'none'}.{used}"
    )
