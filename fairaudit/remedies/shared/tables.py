"""The tables of remedies: what was learned from, how all of them do, and what each changed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.bands import named_strata
from fairaudit.measure.results import ErrorComparison
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.errors import RATE_NAMES, Positive, rate_name, with_group
from fairaudit.present.field_tables import (
    adapted,
    declared_by,
    figures_table,
    frame_table,
    heads,
    inserted,
    of_amounts,
    rows_of,
)
from fairaudit.present.naming import listed
from fairaudit.present.numbers import finite, shown
from fairaudit.present.verdicts import READINGS_MEANING, reading
from fairaudit.remedies.shared.changes import change_word, get_fewer, given_share, is_one_answer
from fairaudit.remedies.shared.compared_models import (
    decided_name,
    judged,
    labels,
)
from fairaudit.remedies.shared.learned_rows import gap_note
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import (
    CANNOT_TELL,
    DIVISIONS,
    GOOD,
    MEASURES,
    NOT_WORSE,
    STRATA,
    WORSE,
    Change,
    Evaluation,
    GroupChange,
    Yardstick,
    non_dominated,
)

HEADS = {"selection_rate": "", "tpr": "TPR", "fpr": "FPR"}
SIGNED: Final = MEASURES | {
    "selection_gap": "gap in favourable predictions",
    "tpr_gap": "gap in true positive rates",
    "fpr_gap": "gap in false positive rates",
    "fdr_gap": "gap in false discovery rates",
    "for_gap": "gap in false omission rates",
}
"""Measures in words where the two groups of a gap are named beside it."""
WORSE_OFF: Final = ("rate_words", "group", "n", "before", "after", "change", "change_interval", "standing")
"""The columns of who is worse off that are printed."""
UNSIGNED = "Largest rate minus smallest rate."


PART: Final = Field("part", "part", "text", "Which cases.")
USED: Final[dict[Kind, Field]] = {
    "count": Field("n", "cases", "count", "How many."),
    "text": Field("use", "what for", "text", "What they were used for."),
}


def rows_table(facts: StudyFacts, *, learned: bool = True) -> TableBlock:
    """Return how many rows each part of the data has; `learned` says whether any model was fitted."""
    words = {
        "n_rows": "divided into the parts below",
        "n_train": "models learned from them" if learned else "not used",
        "n_tune": "to choose thresholds, models and rules",
        "n_held_out": "to judge all models",
        "n_undecided": "left out",
    }
    title = "Which cases were used for what"
    return figures_table("remedies_rows", title, facts, words, USED, words=words, figure=PART)


def features_table(facts: StudyFacts) -> TableBlock:
    """Return the columns that models may use."""
    columns = (
        Field("feature", "column", "text", "A column that the models may use."),
        Field("protected", "shows the group", "text", "yes: protection or the groups are made of it."),
    )
    rows = tuple((name, name in facts.protected_features) for name in facts.features)
    return TableBlock("remedies_features", "Columns that the models may use", columns, rows)


def remedies_summary_table(finding: RemediesFinding, in_use: Evaluation | None = None) -> TableBlock:
    """Return one row a model: the decisions themselves, models without a remedy, then all remedies in their order.

    The prediction that is `in_use` comes second, where it is given.
    """
    columns = (
        Field("model", "model", "text", "What decides."),
        Field("accuracy", "accuracy", "share", "Share of test cases where it agrees with the decision."),
        Field("accuracy_interval", "accuracy, range", "share_interval", "Of the accuracy."),
        Field("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        Field("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        Field("good_share", "favourable", "share", "Share of those compared with the favourable result.", turns=True),
        Field("gap", naming.gap_head(finding.facts.names, "points"), "points", "Protected minus others.", turns=True),
        Field("gap_interval", "gap, range", "points_interval", "Of the gap.", turns=True),
        Field("reading", "reading", "text", READINGS_MEANING),
        Field("tpr_gap", "gap in TPR, points", "size", f"True positive rates. {UNSIGNED}"),
        Field("tpr_gap_interval", "gap in TPR, range", "size_interval", "Of the gap."),
        Field("fpr_gap", "gap in FPR, points", "size", f"False positive rates. {UNSIGNED}"),
        Field("fpr_gap_interval", "gap in FPR, range", "size_interval", "Of the gap."),
        Field("worse_off", "worse off", "text", "Which group is worse off than without it."),
        Field("needs_group", "needs the group", "text", "yes: the group must be known to decide."),
        Field("number", "no.", "text", "A remedy has its number, another model a letter."),
    )
    decisions = finding.facts.decisions
    none = ("", "")
    first = (
        shown(given_share(decisions)),
        shown(decisions.difference),
        tuple(decisions.difference_interval),
        reading(decisions),
    )
    rows: list[tuple[Any, ...]] = [
        (decided_name(finding.facts), "", none, "", "", *first, "", none, "", none, "", "", "")
    ]
    if in_use is not None:
        rows.append((*_summary_row(in_use.name, in_use), "", "", ""))
    worse_off = {remedy.name: worse_off_cell(remedy, finding.facts) for remedy in finding.remedies}
    numbers = labels(finding)
    for name, evaluation, needs in judged(finding):
        cells = (worse_off.get(name, ""), needs, numbers[name])
        rows.append((*_summary_row(name, evaluation), *cells))
    note = say(_rates_note(finding)) if finding.remedies else None
    turned = finding.facts.names.of_unfavorable
    title = "All models, on the test cases"
    return TableBlock("remedies_summary", title, columns, tuple(rows), note=note, is_turned=turned)


def _rates_note(finding: RemediesFinding) -> tuple[Message, ...]:
    """Return what rates are, and why the gap in one is not defined where that is so of any model."""
    gaps = [model.measure(name).value for _, model, _ in judged(finding) for name in ("tpr_gap", "fpr_gap")]
    few = Message("remedies-rates-few", {"n": Count(ENOUGH)})
    is_few = any(gap is not None and math.isnan(gap) for gap in gaps)
    return (Message("remedies-rates"), few) if is_few else (Message("remedies-rates"),)


def frontier_rows(finding: RemediesFinding, x: str = "accuracy", y: str = "gap") -> pd.DataFrame:
    """Return the models as :func:`~fairaudit.remedies.shared.charts.frontier_chart` draws them.

    Columns: number (empty: the name stands beside the point), name, x,
    x_low, x_high, y, y_low, y_high, needs_group, and those of :func:`mark_unbeaten`.
    """
    records = []
    for name, evaluation, needs_group in judged(finding):
        across, down = evaluation.measure(x), evaluation.measure(y)
        if _is_drawn(evaluation, x, y):
            same = bool(is_one_answer(evaluation, finding.facts.decisions))
            figures = (across.value, *across.interval, down.value, *down.interval)
            records.append(("", name, *figures, needs_group, same))
    columns = ["number", "name", "x", "x_low", "x_high", "y", "y_low", "y_high", "needs_group", "same"]
    rows = pd.DataFrame(records, columns=columns).astype({"same": bool})
    points = [(round(100 * well, 1), round(100 * apart, 1)) for well, apart in zip(rows["x"], rows["y"], strict=True)]
    return mark_unbeaten(rows, points)


def mark_unbeaten(rows: pd.DataFrame, points: Sequence[tuple[float, float]]) -> pd.DataFrame:
    """Return models with two columns of bool: "unbeaten" by the others, and "on_frontier", not by one answer either.

    `points` are both figures as they are shown, the first better when higher: models with the same figures are equal.
    A model that gives all, or nearly all, the "same" answer is neither, as nobody should take it.
    """
    same = rows["same"].to_numpy(dtype=bool)
    unbeaten = np.zeros(len(rows), dtype=bool)
    unbeaten[~same] = non_dominated([point for point, is_same in zip(points, same, strict=True) if not is_same])
    return rows.assign(unbeaten=unbeaten, on_frontier=non_dominated(points) & ~same)


def quality_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return how well a model does before and after, and how sure the change is; one row a figure."""
    has_score = finding.plan.has_score
    measures = [measure for measure in GOOD if has_score or measure != "auc"]
    rows = _change_rows([change for change in finding.changes if change.measure in measures])
    return TableBlock(f"remedy_{number}_quality", "How well it does", _change_columns("share"), rows)


def gaps_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return each gap before and after, with its sign, and how sure the change is; one row a gap."""
    changes = [change for change in finding.changes if change.measure not in GOOD]
    figure, words, *rest = _change_columns("points")
    groups = Field("groups", "groups", "groups", "The first minus the second.")
    rows = tuple(
        (row[0], naming.capital(SIGNED[change.measure]), (change.first, change.second), *row[2:])
        for row, change in zip(_change_rows(changes), changes, strict=True)
    )
    note = gap_note(finding.after.n, finding.after.fairness) or None
    return TableBlock(f"remedy_{number}_gaps", "Gaps between groups", (figure, words, groups, *rest), rows, note=note)


def population_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return the share with the favourable result in the protected group and among others, before and after."""
    columns = (
        Field("role", "group", "group", "The protected group or everyone else."),
        Field("n", "cases", "count", "Test cases that the gap is measured on."),
        Field("before", "without the remedy", "share", "Share with the favourable result.", turns=True),
        Field("before_interval", "range without", "share_interval", "Wilson interval.", turns=True),
        Field("after", "with the remedy", "share", "Share with the favourable result.", turns=True),
        Field("after_interval", "range with", "share_interval", "Wilson interval.", turns=True),
    )
    rows = []
    for role, side in (("protected", "protected"), ("everyone else", "reference")):
        one, other = (getattr(evaluation.fairness, side) for evaluation in (finding.before, finding.after))
        cells = (shown(one.ratio), tuple(one.interval), shown(other.ratio), tuple(other.interval))
        rows.append((role, shown(other.n), *cells))
    return TableBlock(f"remedy_{number}_population", "Who gets the favourable result", columns, tuple(rows))


def groups_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return rates by group before and after; one row a group."""
    columns = [
        Field("group", "group", "group", "The group."),
        Field("n", "cases", "count", "Test cases of the group."),
    ]
    for name, head in HEADS.items():
        label = head or rate_name(name, finding.after.errors.positive)
        columns += [
            Field(f"{name}_before", f"{label}, without the remedy", "share", f"{RATE_NAMES[name]} without the remedy."),
            Field(f"{name}_after", f"{label}, with the remedy", "share", f"{RATE_NAMES[name]} with the remedy."),
        ]
    before, after = (_metrics(evaluation.errors) for evaluation in (finding.before, finding.after))
    rows = []
    for group, record in after.items():
        cells = [(before.get(group, {}).get(name, np.nan), record[name]) for name in HEADS]
        rows.append((group, record["n"], *(value for pair in cells for value in pair)))
    positive = Message("remedies-positive", {"positive": Phrase(finding.after.errors.positive_meaning)})
    title = "Groups without and with the remedy"
    return TableBlock(f"remedy_{number}_groups", title, tuple(columns), tuple(rows), note=say(positive))


def worse_off_cell(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return who is worse off, for a cell; empty for a model that is no remedy."""
    if finding.worse_off is None:
        return ""
    standing = finding.worse_off.standing
    if standing != WORSE:
        if any(get_fewer(finding, facts)):
            return "fewer than decided"
        return {NOT_WORSE: "no group", CANNOT_TELL: "cannot tell", None: "not shown"}[standing]
    names = list(dict.fromkeys(each.group for each in finding.worse_off.groups if each.standing == WORSE))
    return ", ".join(map(naming.short, map(called, names))) if len(names) <= 2 else f"{len(names)} groups"


def _rate_said(change: GroupChange, positive: Positive) -> str:
    """Return a rate in plain words; of a rule that the person wrote, what it says."""
    return rate_name(change.rate, positive) if change.rate in RATE_NAMES else naming.capital(change.rate_words)


WORSE_OFF_ORDER: Final = (
    "rate", "rate_words", "more_is_better", "group", "n", "before", "after", "difference", "interval", "n_lost",
    "standing",
)  # fmt: skip


def worse_off_table(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return one row for each rate and group; no table of a plain model, no rows where small counts are hidden."""
    if finding.worse_off is None:
        return []
    groups, positive = finding.worse_off.groups, finding.after.errors.positive
    declared = declared_by(GroupChange)
    if not all(map(_is_share, groups)):
        declared = adapted(adapted(declared, ("before", "after"), kind="number"), ("interval",), kind="number_interval")
        declared = adapted(declared, ("difference",), kind="number", label="change")
    rows = []
    for each, cells in zip(groups, rows_of(groups, declared, WORSE_OFF_ORDER), strict=True):
        better = "more" if each.more_is_better else "less"
        rows.append((cells[0], _rate_said(each, positive), better, *cells[3:]))
    key, title = f"remedy_{number}_worse_off", "Who is worse off than without the remedy"
    return [TableBlock(key, title, heads(declared, WORSE_OFF_ORDER), tuple(rows))]


def _is_share(each: GroupChange) -> bool:
    """Say whether a rate is a share, and not a cost."""
    return not each.rate.startswith("aec(")


def within_tables(
    finding: RemedyFinding | AmountRemedyFinding,
    facts: StudyFacts | AmountStudyFacts,
    number: int,
    digits: int | None = None,
) -> list[TableBlock]:
    """Return the gap of each stratum; no table where no question has strata, no rows where it is hidden.

    `digits` are those of amounts; None where shares are compared.
    """
    found = finding.within
    if found is None:
        return []
    declared = STRATA
    if digits is not None:
        gaps = ("decisions", "before", "after", "after_low")
        declared = adapted(of_amounts(STRATA), gaps, digits=digits)
    unit = ", points" if digits is None else ""
    sides = (facts.names.protected, facts.names.others)
    own, others = (say(Message("change-column-cases", {"group": group})) for group in sides)
    labels_here = {
        "stratum": listed(named_strata(found.columns, found.cut)),
        "n_protected": own,
        "n_rest": others,
        "decisions": f"{decided_name(facts)}{unit}",
        "before": f"{STRATA['before'].label}{unit}",
        "after": f"{STRATA['after'].label}{unit}",
    }
    for name, label in labels_here.items():
        declared = adapted(declared, (name,), label=label)
    order = say(Message("remedy-within-order", {"protected": sides[0], "others": sides[1]}))
    return [frame_table(f"remedy_{number}_strata", "Among similar cases", found.strata, declared, note=order)]


def divisions_table(
    divisions: pd.DataFrame | None, number: int, words: Mapping[str, str], digits: int
) -> list[TableBlock]:
    """Return one row for each repeat and measure; no table without repeats."""
    if divisions is None:
        return []
    declared = adapted(DIVISIONS, ("before", "after", "difference"), digits=digits)
    declared = inserted(declared, "measure", figure=Field("", "figure", "text", "Which figure, in words."))
    worded = divisions.assign(figure=[words[measure] for measure in divisions["measure"]])
    return [frame_table(f"remedy_{number}_divisions", "The remedy on other random splits", worded, declared)]


def _change_columns(kind: Kind) -> tuple[Field, ...]:
    return (
        Field("measure", "field", "code", "Which figure."),
        Field("figure", "figure", "text", "Which figure, in words."),
        Field("before", "without the remedy", kind, "Without the remedy, on the test cases."),
        Field("after", "with the remedy", kind, "With the remedy, on the same cases."),
        Field("change", "change, points", "points", "After minus before."),
        Field("change_interval", "range", "points_interval", "Of the change; both on the same cases."),
        Field("reading", "reading", "text", "may be chance: the range includes 0."),
    )


def _change_rows(changes: Sequence[Change]) -> tuple[tuple[Any, ...], ...]:
    return tuple(
        (
            change.measure,
            naming.capital(MEASURES[change.measure]),
            shown(change.before),
            shown(change.after),
            shown(change.difference),
            tuple(change.interval),
            change_word(change),
        )
        for change in changes
    )


def _metrics(errors: ErrorComparison) -> dict[str, dict[str, Any]]:
    return {str(record["group"]): record for record in with_group(errors.metrics).to_dict("records")}


def _is_drawn(evaluation: Evaluation | Yardstick, *measures: str) -> bool:
    return all(finite(evaluation.measure(measure).value) is not None for measure in measures)


def _summary_row(name: str, evaluation: Evaluation | Yardstick) -> tuple[Any, ...]:
    value = {measured.measure: shown(measured.value) for measured in evaluation.measures}
    interval = {measured.measure: tuple(measured.interval) for measured in evaluation.measures}
    fairness = evaluation.fairness
    return (
        name,
        value["accuracy"],
        interval["accuracy"],
        *(value[measure] for measure in GOOD[1:]),
        shown(given_share(fairness)),
        shown(fairness.difference),
        # The same answer for everybody leaves no gap, also for other people.
        ("", "") if fairness.has_one_decision else tuple(fairness.difference_interval),
        reading(fairness),
        value["tpr_gap"],
        interval["tpr_gap"],
        value["fpr_gap"],
        interval["fpr_gap"],
    )
