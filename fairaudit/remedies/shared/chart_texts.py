"""What the charts of remedies say, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.measure.gaps import ENOUGH
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.results import ErrorComparison
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.charts.score_texts import METRICS, label_words
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import GOOD, MEASURES, Evaluation

MOST_NAMED = 5
"""Groups that a note names."""
RATES = {name: METRICS[name] for name in ("selection_rate", "tpr", "fpr")}
GAP_LABELS = {
    "gap": "Protected and the rest",
    "selection_gap": "Predicted positive",
    "tpr_gap": "True positive rates",
    "fpr_gap": "False positive rates",
    "odds_gap": "Larger of these two rates",
    "fdr_gap": "Wrong, predicted positive",
    "for_gap": "Wrong, predicted not positive",
}
"""The gaps that models are compared on, short enough for an axis."""
POINTS = {
    (False, 1): "good",
    (False, 0): "not good",
    (True, 1): "changed to good",
    (True, 0): "changed to not good",
}
"""What a row's label is called, by whether it was changed and by the label that is drawn."""


def before_after_alt(finding: RemedyFinding, *, protected_name: str | None = None) -> str:
    """Say in words what :func:`before_after_chart` shows."""
    before, after = finding.before, finding.after
    texts = []
    for side in ("protected", "reference"):
        one, other = (getattr(evaluation.fairness, side) for evaluation in (before, after))
        name = protected_name if side == "protected" and protected_name else other.name
        texts.append(f"{parts.short(name)}: {_moved(one.ratio, other.ratio)}")
    told = [f"Share with a predicted good outcome before and after. {'; '.join(texts)}."]
    for metric in ("tpr", "fpr"):
        sides = [_values(evaluation.errors, metric) for evaluation in (before, after)]
        groups = [
            f"{parts.short(group)}: {_moved(*(side.get(group) for side in sides))}"
            for group in parts.some(drawn_groups(after.errors))
        ]
        told.append(f"{RATES[metric]}: {'; '.join(groups)}.")
    return " ".join(told) + groups_note(after.errors)


def gaps_alt(finding: RemedyFinding) -> str:
    """Say in words what :func:`gaps_chart` shows."""
    texts = []
    for measure in (name for name in MEASURES if name not in GOOD):
        one, other = (evaluation.measure(measure).value for evaluation in (finding.before, finding.after))
        texts.append(f"{GAP_LABELS[measure]}: {_size(one)} before, {_size(other)} after")
    return f"Gaps between groups in points, before and after. {'; '.join(texts)}."


def threshold_roc_alt(roc: pd.DataFrame, points: pd.DataFrame) -> str:
    """Say in words what :func:`threshold_roc_chart` shows."""
    lead = (
        "ROC curve of each group: the true positive rate against the false positive rate at every threshold. A cross "
        "marks where the common threshold puts the group, a circle where its own threshold puts it."
    )
    texts = []
    for row in parts.some(list(points.itertuples())):
        digits = {"kind": "number", "digits": 3}
        texts.append(
            f"{parts.short(row.group)}: threshold {cell_text(row.before, **digits)} before, "
            f"{cell_text(row.after, **digits)} after; true positive rate {_moved(row.tpr_before, row.tpr_after)}, "
            f"false positive rate {_moved(row.fpr_before, row.fpr_after)}."
        )
    return " ".join([lead, *texts])


def weight_sweep_alt(sweep: pd.DataFrame, *, current: float | None = None) -> str:
    """Say in words what :func:`weight_sweep_chart` shows."""
    texts = [
        f"at {_weight(row.fairness_weight)}: {cell_text(row.accuracy, 'share')} and {_size(row.gap)} points"
        for row in parts.some(list(sweep.sort_values("fairness_weight", kind="stable").itertuples()))
    ]
    used = "" if current is None else f" The weight in use is {_weight(current)}."
    return (
        f"Accuracy and the sum of the gaps for several weights of fairness, {'; '.join(texts) or 'none'}. A larger "
        f"weight makes the gaps smaller.{used}"
    )


def of_known_group(distribution: pd.DataFrame) -> pd.DataFrame:
    """Return how the scores of people of a known group are spread: those of no known group are in none to compare."""
    return distribution[distribution["group"] != MISSING]


def distribution_note(distribution: pd.DataFrame) -> str:
    """Return what :func:`equalized_distribution_chart` leaves out, to be put after its title."""
    groups = of_known_group(distribution)["group"].nunique()
    unknown = " People of no known group are not drawn." if (distribution["group"] == MISSING).any() else ""
    return unknown + parts.drawn_note(groups, parts.MOST_SERIES)


def equalized_distribution_alt(distribution: pd.DataFrame) -> str:
    """Say in words what :func:`equalized_distribution_chart` shows."""
    texts = []
    distribution = of_known_group(distribution)
    for (model, label, group), rows in list(distribution.groupby(["model", "label", "group"], sort=False))[:32]:
        if rows["n"].sum():
            top = rows.iloc[int(rows["share"].to_numpy(float).argmax())]
            ends = " to ".join(cell_text(top[end], "number") for end in ("bin_low", "bin_high"))
            texts.append(f"{parts.capital(model)}, {label_words(label)}, {parts.short(group)}: most at {ends}.")
    lead = "How the score is spread in each group, before and after, by true outcome. The more alike, the better."
    return " ".join([lead, *texts])


def equalized_sweep_alt(sweep: pd.DataFrame, *, current: float | None = None) -> str:
    """Say in words what :func:`equalized_sweep_chart` shows."""
    texts = [
        f"at {_weight(row.accuracy_weight)}: accuracy {cell_text(row.accuracy, 'share')}, gaps "
        f"{_size(row.tpr_gap)} and {_size(row.fpr_gap)} points"
        for row in parts.some(list(sweep.sort_values("accuracy_weight", kind="stable").itertuples()))
    ]
    used = "" if current is None else f" The weight in use is {_weight(current)}."
    return (
        "Accuracy and the gaps in true and false positive rates for several weights of accuracy, "
        f"{'; '.join(texts) or 'none'}.{used}"
    )


def frontier_alt(
    rows: pd.DataFrame, *, x_title: str = "Accuracy", y_title: str = "Gap", digits: int | None = None
) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    texts = []
    for number, row in enumerate(rows.itertuples(index=False), start=1):
        best = "; no other model is at least as good in both and better in one" if row.on_frontier else ""
        needs = "; needs the group to decide" if row.needs_group else ""
        figures = (
            f"{cell_text(row.x, 'share')}, {_size(row.y)} points"
            if digits is None
            else ", ".join(cell_text(value, "amount", digits=digits) for value in (row.x, row.y))
        )
        texts.append(f"{number}, {parts.short(row.name)}: {figures}{best}{needs}.")
    better = "higher is better" if digits is None else "lower is better"
    lead = f"Models by {parts.shorten(x_title, 60)} ({better}) and {parts.shorten(y_title, 60)} (lower)."
    return " ".join([lead, *texts])


def flipped_points_alt(frame: pd.DataFrame, *, x_title: str = "x", y_title: str = "y") -> str:
    """Say in words what :func:`flipped_points_chart` shows."""
    counts = frame.groupby([frame["flipped"].astype(bool), frame["label"].astype(int)]).size()
    told = [f"{cell_text(int(counts.get(key, 0)), 'count')} {name}" for key, name in POINTS.items()]
    axes = f"{parts.shorten(x_title, 60)} and {parts.shorten(y_title, 60)}"
    return f"Rows by {axes}, with their label: {', '.join(told)}."


def drawn_groups(errors: ErrorComparison) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    size = _sizes(errors)
    groups = [group for group in size if size[group] >= ENOUGH] or list(size)
    kept = sorted(groups, key=lambda group: -size[group])[: parts.MOST_SERIES]
    return [group for group in groups if group in kept]


def groups_note(errors: ErrorComparison) -> str:
    """Return which groups :func:`before_after_chart` leaves out, to be put after its title; nothing if none."""
    size, drawn = _sizes(errors), drawn_groups(errors)
    small = [group for group in size if size[group] < ENOUGH and group not in drawn]
    note = parts.drawn_note(len(size) - len(small), parts.MOST_SERIES)
    if not small:
        return note
    named = ", ".join(parts.short(group) for group in small[:MOST_NAMED])
    more = f" and {len(small) - MOST_NAMED} more" if len(small) > MOST_NAMED else ""
    return f" Not drawn, for fewer than {ENOUGH} held-out rows: {named}{more}; the table holds all groups.{note}"


def told_apart(evaluation: Evaluation) -> bool:
    """Say whether the groups that are drawn are others than the protected group and the rest."""
    errors = evaluation.errors
    return len(errors.groups) > 2 and not (
        len(drawn_groups(errors)) <= 2 and evaluation.fairness.reference.name in drawn_groups(errors)
    )


def _sizes(errors: ErrorComparison) -> dict[str, float]:
    rows = errors.counts
    sizes = rows[["tp", "fp", "tn", "fn"]].sum(axis=1)
    size = dict(zip(rows["group"].map(str), sizes, strict=True))
    return {str(group): float(size.get(str(group), 0)) for group in errors.groups}


def _values(errors: ErrorComparison, metric: str) -> dict[str, Any]:
    rows = errors.intervals[errors.intervals["metric"] == metric]
    return dict(zip(rows["group"].map(str), rows["value"], strict=True))


def _moved(before: Any, after: Any) -> str:
    return f"{cell_text(before, 'share')} to {cell_text(after, 'share')}"


def _size(gap: Any) -> str:
    return cell_text(gap, "points").lstrip("+")


def _weight(weight: float) -> str:
    return f"{weight:g}"
