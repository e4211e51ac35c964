"""What the charts of remedies say, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.findings import REST, Argument, Count, Message, Phrase, Word
from fairaudit.measure.results import ErrorComparison
from fairaudit.messages import called, say
from fairaudit.present import brief, rate_words
from fairaudit.present.blocks import cell_text
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
    "gap": "Protected and everyone else",
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


def group_called(name: object, others: str) -> str:
    """Return what a group is called; `others` is the name of everyone else, if they have one."""
    return others if others and name == REST else called(name)


def before_after_alt(
    finding: RemedyFinding, *, protected_name: str | None = None, others: str = "", part: Part = "all"
) -> str:
    """Say in words what :func:`before_after_chart` shows."""
    before, after = finding.before, finding.after
    said: list[Message] = []
    if part != "rates":
        for side in ("protected", "reference"):
            one, other = (getattr(evaluation.fairness, side) for evaluation in (before, after))
            name = protected_name if side == "protected" and protected_name else other.name
            said.append(_row(say(Message("remedies-chart-gap")), group_called(name, others), one.ratio, other.ratio))
    if part == "gap":
        return say(said)
    for metric in RATES if part == "rates" else ("tpr", "fpr"):
        one, other = (_values(evaluation.errors, metric) for evaluation in (before, after))
        groups = brief.some(drawn_groups(after.errors))
        said += [_row(RATES[metric], group_called(each, others), one.get(each), other.get(each)) for each in groups]
    title = [f"{say(Message('remedies-chart-groups'))}."] if part == "rates" else []
    return " ".join([*title, say(said)]) + groups_note(after.errors)


def _row(what: str, group: object, before: Any, after: Any) -> Message:
    args = {
        "what": Phrase(what),
        "group": Phrase(brief.short(called(group))),
        "shares": Phrase(moved_text(before, after)),
    }
    return Message("remedies-chart-groups-row", args)


def frontier_alt(
    rows: pd.DataFrame,
    *,
    x_title: str = "Accuracy",
    y_title: str = "Gap",
    digits: int | None = None,
    decided: float | None = None,
    decided_words: str = "",
) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    axes = {"x": Phrase(brief.shorten(x_title, 60)), "y": Phrase(brief.shorten(y_title, 60))}
    said = [f"{say(Message('remedies-chart-models', axes))}."]
    if decided is not None:
        line = {"what": Phrase(decided_words), "size": Phrase(size_text(decided))}
        said.append(say(Message("remedies-chart-decided", line)))
    for row in rows.itertuples(index=False):
        figures = (
            f"{cell_text(row.x, 'share')}, {size_text(row.y)} points"
            if digits is None
            else ", ".join(cell_text(value, "amount", digits=digits) for value in (row.x, row.y))
        )
        texts = {"number": str(row.number), "name": brief.short(row.name), "figures": figures}
        key = "remedies-chart-model-best" if row.on_frontier else "remedies-chart-model"
        said.append(say(Message(key, {name: Phrase(text) for name, text in texts.items()})))
    return " ".join(said)


DECIDED = {"shares": "decision", "amounts": "amount"}
"""What the column that models learn from holds, by the kind of decision."""


def decided_name(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what is beside models and is none: past decisions, what happened, or actual amounts."""
    about = "outcome" if facts.decision_is_outcome else DECIDED[facts.outcome.name]
    return say(Message("remedy-row-decided", {"about": Word(about)}))


def decided_line(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what :func:`frontier_chart` calls the line of the gap that is no model's."""
    return say(Message("remedies-happened" if facts.decision_is_outcome else "remedies-decided"))


def drawn_groups(errors: ErrorComparison) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    size = _sizes(errors)
    groups = [group for group in size if size[group] >= ENOUGH] or list(size)
    kept = sorted(groups, key=lambda group: -size[group])[: brief.MOST_SERIES]
    return [group for group in groups if group in kept]


def groups_note(errors: ErrorComparison, *, held_by: brief.HeldBy = "table") -> str:
    """Return which groups :func:`before_after_chart` leaves out, to be put after its title; nothing if none."""
    size, drawn = _sizes(errors), drawn_groups(errors)
    small = [group for group in size if size[group] < ENOUGH and group not in drawn]
    note = brief.drawn_note(len(size) - len(small), brief.MOST_SERIES, held_by=held_by)
    if not small:
        return note
    names = ", ".join(brief.short(called(group)) for group in small[:MOST_NAMED])
    few: dict[str, Argument] = {"groups": Phrase(names), "n": Count(max(len(small) - MOST_NAMED, 0))}
    return f" {say(Message('remedies-chart-few', few))}{note}"


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
    return brief.unique_labels((_pair_label(called(first), called(second)) for first, second in pairs), _PAIR)


def _pair_label(first: str, second: str) -> str:
    text = f"{brief.shorten(first)} − {brief.shorten(second)}"
    if brief.shorten(text, _PAIR) == text:
        return text
    return f"{brief.shorten(first, _PAIR // 2 - 1)} − {brief.shorten(second, _PAIR // 2 - 1)}"
