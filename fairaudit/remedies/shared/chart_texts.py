"""What the charts of remedies say, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.measure.results import ErrorComparison
from fairaudit.present import brief, rate_words
from fairaudit.present.blocks import cell_text
from fairaudit.remedies.shared.decided_words import decided_place
from fairaudit.remedies.shared.number_texts import moved_text, size_text
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import Evaluation

Part = Literal["all", "gap", "rates"]
"""What a chart of before and after draws: the gap, on the rows that the filter keeps, rates, on all rows, or both."""
MOST_NAMED = 5
"""Groups that a note names."""
RATES = {name: rate_words.RATES[name] for name in ("selection_rate", "tpr", "fpr")}
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


def chart_parts(finding: RemedyFinding) -> tuple[Part, ...]:
    """Return the charts of before and after: two where a filter keeps other rows for the gap than rates are of."""
    fairness = finding.after.fairness
    return ("all",) if fairness.where is None or fairness.n_filtered_out == 0 else ("gap", "rates")


def before_after_alt(finding: RemedyFinding, *, protected_name: str | None = None, part: Part = "all") -> str:
    """Say in words what :func:`before_after_chart` shows."""
    before, after = finding.before, finding.after
    texts, sentences = [], []
    for side in ("protected", "reference"):
        one, other = (getattr(evaluation.fairness, side) for evaluation in (before, after))
        name = protected_name if side == "protected" and protected_name else other.name
        texts.append(f"{brief.short(name)}: {moved_text(one.ratio, other.ratio)}")
    if part != "rates":
        sentences.append(f"Share with a predicted good outcome before and after. {'; '.join(texts)}.")
    if part == "gap":
        return sentences[0]
    if part == "rates":
        sentences.append("How often each group is predicted positive, rightly or wrongly, before and after the remedy.")
    for metric in RATES if part == "rates" else ("tpr", "fpr"):
        sides = [_values(evaluation.errors, metric) for evaluation in (before, after)]
        groups = [
            f"{brief.short(group)}: {moved_text(*(side.get(group) for side in sides))}"
            for group in brief.some(drawn_groups(after.errors))
        ]
        sentences.append(f"{RATES[metric]}: {'; '.join(groups)}.")
    return " ".join(sentences) + groups_note(after.errors)


def frontier_alt(
    rows: pd.DataFrame,
    *,
    x_title: str = "Accuracy",
    y_title: str = "Gap",
    digits: int | None = None,
    decided: float | None = None,
    decided_words: str = "the decisions themselves",
) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    texts = []
    for row in rows.itertuples(index=False):
        best = "; no other model is at least as good in both and better in one" if row.on_frontier else ""
        needs = "; needs the group to decide" if row.needs_group else ""
        figures = (
            f"{cell_text(row.x, 'share')}, {size_text(row.y)} points"
            if digits is None
            else ", ".join(cell_text(value, "amount", digits=digits) for value in (row.x, row.y))
        )
        texts.append(f"{row.number}, {brief.short(row.name)}: {figures}{best}{needs}.")
    better = "higher is better" if digits is None else "lower is better"
    lead = f"Models by {brief.shorten(x_title, 60)} ({better}) and {brief.shorten(y_title, 60)} (lower)."
    line = [] if decided is None else [f"{brief.capital(decided_words)}: {size_text(decided)} points."]
    return " ".join([lead, *line, *texts])


def decided_line(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what :func:`frontier_chart` calls the line of the gap that is no model's."""
    return f"the gap {decided_place(facts)}" if facts.decision_is_outcome else "the decisions themselves"


def drawn_groups(errors: ErrorComparison) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    size = _sizes(errors)
    groups = [group for group in size if size[group] >= ENOUGH] or list(size)
    kept = sorted(groups, key=lambda group: -size[group])[: brief.MOST_SERIES]
    return [group for group in groups if group in kept]


def groups_note(errors: ErrorComparison, *, held_by: str = "the table holds") -> str:
    """Return which groups :func:`before_after_chart` leaves out, to be put after its title; nothing if none."""
    size, drawn = _sizes(errors), drawn_groups(errors)
    small = [group for group in size if size[group] < ENOUGH and group not in drawn]
    note = brief.drawn_note(len(size) - len(small), brief.MOST_SERIES, held_by=held_by)
    if not small:
        return note
    named = ", ".join(brief.short(group) for group in small[:MOST_NAMED])
    more = f" and {len(small) - MOST_NAMED} more" if len(small) > MOST_NAMED else ""
    return f" Not drawn, for fewer than {ENOUGH} held-out rows: {named}{more}; {held_by} all groups.{note}"


def draws_other_groups(evaluation: Evaluation) -> bool:
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


_PAIR = 48


def pair_labels(pairs: Iterable[tuple[object, object]]) -> list[str]:
    """Return pairs of groups for an axis, each different.

    Examples
    --------
    >>> pair_labels([("a", "b"), ("a", "c")])
    ['a − b', 'a − c']
    """
    return brief.unique_labels((_pair_label(first, second) for first, second in pairs), _PAIR)


def _pair_label(first: object, second: object) -> str:
    text = f"{brief.shorten(first)} − {brief.shorten(second)}"
    if brief.shorten(text, _PAIR) == text:
        return text
    return f"{brief.shorten(first, _PAIR // 2 - 1)} − {brief.shorten(second, _PAIR // 2 - 1)}"
