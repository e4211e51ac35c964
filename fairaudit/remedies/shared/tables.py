"""The tables of remedies: what was learned from, how all of them do, and what each changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.measure.results import ErrorComparison
from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.error_tables import with_group
from fairaudit.present.numbers import finite, shown
from fairaudit.present.rate_words import RATES
from fairaudit.present.words import reading
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.compared_models import by_kind, judged, labels, learned
from fairaudit.remedies.shared.decided_words import given_share
from fairaudit.remedies.shared.divisions import divisions_table
from fairaudit.remedies.shared.held_out_words import gap_note, other_gaps, summary_note
from fairaudit.remedies.shared.one_answer_words import ONE, found_words, one_answer
from fairaudit.remedies.shared.sample import sample_tables
from fairaudit.remedies.shared.simple_rules import yardsticks_table
from fairaudit.remedies.shared.within_words import within_tables
from fairaudit.remedies.shared.words import change_word
from fairaudit.remedies.shared.worse_off_words import worse_off_cell, worse_off_table
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.frontier import non_dominated
from fairaudit.study.judging.results import GOOD, MEASURES, Change, Evaluation, Yardstick

DECISIONS = "The decisions themselves"
HEADS = {"selection_rate": "positive", "tpr": "TPR", "fpr": "FPR"}
UNSIGNED = "Largest rate minus smallest rate."


def remedies_tables(finding: RemediesFinding) -> list[Table]:
    """Return all tables of the remedies of an audit."""
    rows = rows_table(finding.facts, learned=learned(finding))
    tables = [*sample_tables(finding.facts), rows, features_table(finding.facts), remedies_summary_table(finding)]
    tables += [table for kind, findings in by_kind(finding.remedies) for table in kind.joint_tables(findings)]
    for number, remedy in enumerate(finding.remedies, start=1):
        tables += remedy_tables(remedy, number)
    return tables


def remedy_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return the tables of one remedy; a table that is hidden has no rows."""
    tables = [quality_table(finding, number), gaps_table(finding, number)] if finding.changes else []
    tables += worse_off_table(finding, number)
    tables += within_tables(finding, number)
    tables += yardsticks_table(finding, number)
    tables += divisions_table(finding.divisions, number, MEASURES, digits=4)
    return [
        *tables,
        population_table(finding, number),
        groups_table(finding, number),
        *kind_of(finding.plan).tables(finding, number),
    ]


def rows_table(facts: StudyFacts, *, learned: bool = True) -> Table:
    """Return how many rows each part of the data has; `learned` says whether any model was fitted."""
    columns = (
        ColumnSpec("part", "part", "text", "Which rows."),
        ColumnSpec("n", "rows", "count", "How many."),
        ColumnSpec("use", "what for", "text", "What they were used for."),
    )
    kept = "" if facts.outcome_where_words is None else ", or with one that the filter leaves out"
    parts_of = (
        ("rows with a decision", facts.n_rows, "divided into the parts below"),
        ("training", facts.n_train, "models learned from them" if learned else "not used: no model was fitted"),
        (
            "tuning",
            facts.n_tune,
            "thresholds and models trained to limits were chosen, and lists of rules compared, on them; retraining "
            "learned, too",
        ),
        ("held out", facts.n_held_out, "all models were judged on them and on nothing else"),
        (f"rows without a decision{kept}", facts.n_undecided, "left out"),
    )
    rows = tuple((part, shown(n), use) for part, n, use in parts_of)
    title = "What models learned from and were judged on" if learned else "What thresholds were chosen and judged on"
    return Table("remedies_rows", title, columns, rows)


def features_table(facts: StudyFacts) -> Table:
    """Return the columns that models may use."""
    columns = (
        ColumnSpec("feature", "column", "text", "A column that the models may use."),
        ColumnSpec("protected", "of protection or groups", "text", "yes: protection or the groups are made of it."),
    )
    rows = tuple((name, name in facts.protected_features) for name in facts.features)
    return Table("remedies_features", "Columns that the models may use", columns, rows)


def remedies_summary_table(finding: RemediesFinding, in_use: Evaluation | None = None) -> Table:
    """Return one row a model: the decisions themselves, models without a remedy, then all remedies in their order.

    The prediction that is `in_use` comes second, where it is given.
    """
    columns = (
        ColumnSpec("model", "model", "text", "What decides."),
        ColumnSpec("accuracy", "accuracy", "share", "Share of held-out rows on which it agrees with the decision."),
        ColumnSpec("accuracy_interval", "accuracy, interval", "share_interval", "Of the accuracy."),
        ColumnSpec("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("good_share", "good outcome", "share", "Share of the rows of the gap that get the good outcome."),
        ColumnSpec("gap", "gap, points", "points", "Protected minus the rest in predicted good outcomes."),
        ColumnSpec("gap_interval", "gap, interval", "points_interval", "Of the gap."),
        ColumnSpec("reading", "reading", "text", "Whether the gap is within tolerance, and how clear that is."),
        ColumnSpec("tpr_gap", "gap in TPR, points", "size", f"True positive rates. {UNSIGNED}"),
        ColumnSpec("tpr_gap_interval", "gap in TPR, interval", "size_interval", "Of the gap."),
        ColumnSpec("fpr_gap", "gap in FPR, points", "size", f"False positive rates. {UNSIGNED}"),
        ColumnSpec("fpr_gap_interval", "gap in FPR, interval", "size_interval", "Of the gap."),
        ColumnSpec("worse_off", "worse off", "text", "Which group is worse off than without it, on held-out rows."),
        ColumnSpec("needs_group", "needs the group", "text", "yes: the group must be known to decide."),
        ColumnSpec("number", "no.", "text", "Of a remedy its number everywhere; of other models a letter."),
    )
    decisions = finding.facts.decisions
    none = ("", "")
    first = (
        shown(given_share(decisions)),
        shown(decisions.difference),
        tuple(decisions.difference_interval),
        reading(decisions),
    )
    rows: list[tuple[Any, ...]] = [(DECISIONS, "", none, "", "", *first, "", none, "", none, "", "", "")]
    if in_use is not None:
        rows.append((*_summary_row(in_use.name, in_use), "", "", ""))
    worse_off = {remedy.name: worse_off_cell(remedy, finding.facts) for remedy in finding.remedies}
    numbers = labels(finding)
    for name, evaluation, needs in judged(finding):
        cells = (worse_off.get(name, ""), needs, numbers[name])
        rows.append((*_summary_row(name, evaluation), *cells))
    note = "TPR: true positive rate; FPR: false positive rate."
    for kind, _ in by_kind(finding.remedies):
        note += "" if kind.has_score else f" A {kind.noun} has no score, so it has no AUC."
    note = " ".join(text for text in (note, summary_note(finding.facts), same_note(finding)) if text)
    title = "All models, on the held-out rows"
    return Table("remedies_summary", title, columns, tuple(rows), note=note)


def frontier_rows(finding: RemediesFinding, x: str = "accuracy", y: str = "gap") -> pd.DataFrame:
    """Return the models as :func:`~fairaudit.remedies.shared.charts.frontier_chart` draws them.

    Columns: number, name, x, x_low, x_high, y, y_low, y_high, needs_group, and those of :func:`mark_unbeaten`.
    """
    records, numbers = [], labels(finding)
    for name, evaluation, needs_group in judged(finding):
        across, down = evaluation.measure(x), evaluation.measure(y)
        if _is_drawn(evaluation, x, y):
            same = bool(one_answer(evaluation))
            figures = (across.value, *across.interval, down.value, *down.interval)
            records.append((numbers[name], name, *figures, needs_group, same))
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


def same_note(finding: RemediesFinding) -> str:
    """Return which remedies predict the same for all or nearly all people; empty where none does."""
    texts = []
    for remedy in finding.remedies:
        if said := one_answer(remedy.after):
            before = remedy.before if remedy.changes else None
            found = "" if said == ONE else found_words(remedy.after, before)
            texts.append(f"“{brief.whole(remedy.name, 160)}” is {said}{f': it {found}' if found else ''}.")
    return " ".join(texts)


def quality_table(finding: RemedyFinding, number: int) -> Table:
    """Return how well a model does before and after, and how sure the change is; one row a figure."""
    note = "All are better when higher. A model that knows nothing has an area (AUC) of 50 %."
    measures = set(GOOD)
    kind = kind_of(finding.plan)
    if not kind.has_score:
        note = f"All are better when higher. A {kind.noun} has no score, so it has no area under the ROC curve (AUC)."
        measures.remove("auc")
    rows = _change_rows([change for change in finding.changes if change.measure in measures])
    return Table(f"remedy_{number}_quality", "How well it does", _change_columns("share"), rows, note=note)


def gaps_table(finding: RemedyFinding, number: int) -> Table:
    """Return each gap before and after, with its sign, and how sure the change is; one row a gap."""
    gap, others = f"The {MEASURES['gap']} is", other_gaps(finding.after.errors)
    rows_note = gap_note(finding.after.n, finding.after.fairness, subject=gap, others=others)
    changes = [change for change in finding.changes if change.measure not in GOOD]
    figure, words, *rest = _change_columns("points")
    groups = ColumnSpec("groups", "groups", "text", "The first minus the second.")
    rows = tuple(
        (row[0], row[1].replace("Largest gap", "Gap"), f"{change.first} minus {change.second}", *row[2:])
        for row, change in zip(_change_rows(changes), changes, strict=True)
    )
    note = f"Gaps are better when nearer to zero. {pairs_note(finding)} {rows_note}".rstrip()
    return Table(f"remedy_{number}_gaps", "Gaps between groups", (figure, words, groups, *rest), rows, note=note)


def pairs_note(finding: RemedyFinding) -> str:
    """Return which groups the gaps of a remedy are between; empty where there are two groups in all."""
    if len(finding.after.errors.groups) <= 2:
        return ""
    return (
        "Of more than two groups, the two that the model before leaves furthest apart on the rows that models may "
        "learn from are compared; after the remedy, others may be further apart."
    )


def population_table(finding: RemedyFinding, number: int) -> Table:
    """Return the share of predicted good outcomes in the protected group and in the rest, before and after."""
    columns = (
        ColumnSpec("role", "group", "text", "Protected group or the rest."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group that the gap is measured on."),
        ColumnSpec("before", "predicted good, before", "share", "Share of predicted good outcomes without the remedy."),
        ColumnSpec("before_interval", "interval", "share_interval", "Wilson interval."),
        ColumnSpec("after", "predicted good, after", "share", "Share of predicted good outcomes with the remedy."),
        ColumnSpec("after_interval", "interval", "share_interval", "Wilson interval."),
    )
    rows = []
    for role, side in (("protected", "protected"), ("the rest", "reference")):
        one, other = (getattr(evaluation.fairness, side) for evaluation in (finding.before, finding.after))
        cells = (shown(one.ratio), tuple(one.interval), shown(other.ratio), tuple(other.interval))
        rows.append((role, shown(other.n), *cells))
    return Table(f"remedy_{number}_population", "The protected group and the rest", columns, tuple(rows))


def groups_table(finding: RemedyFinding, number: int) -> Table:
    """Return rates by group before and after; one row a group."""
    columns = [
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group."),
    ]
    for name, label in HEADS.items():
        columns += [
            ColumnSpec(f"{name}_before", f"{label}, before", "share", f"{RATES[name]} without the remedy."),
            ColumnSpec(f"{name}_after", f"{label}, after", "share", f"{RATES[name]} with the remedy."),
        ]
    before, after = (_metrics(evaluation.errors) for evaluation in (finding.before, finding.after))
    rows = []
    for group, record in after.items():
        cells = [(before.get(group, {}).get(name, np.nan), record[name]) for name in HEADS]
        rows.append((group, record["n"], *(value for pair in cells for value in pair)))
    positive = finding.after.errors.positive_meaning
    note = (
        "positive: share predicted positive; TPR: true positive rate; FPR: false positive rate. Positive means: "
        f"{positive}. A rate of no rows is not defined."
    )
    return Table(f"remedy_{number}_groups", "Groups before and after", tuple(columns), tuple(rows), note=note)


def _change_columns(kind: Kind) -> tuple[ColumnSpec, ...]:
    return (
        ColumnSpec("measure", "field", "code", "Which figure."),
        ColumnSpec("figure", "figure", "text", "Which figure, in words."),
        ColumnSpec("before", "before", kind, "Without the remedy, on the held-out rows."),
        ColumnSpec("after", "after", kind, "With the remedy, on the same rows."),
        ColumnSpec("change", "change, points", "points", "After minus before."),
        ColumnSpec(
            "change_interval", "its interval", "points_interval", "Of the change; both judged on the same rows."
        ),
        ColumnSpec("reading", "reading", "text", "could be nothing: the interval includes 0; no change: it is 0."),
    )


def _change_rows(changes: Sequence[Change]) -> tuple[tuple[Any, ...], ...]:
    return tuple(
        (
            change.measure,
            brief.capital(MEASURES[change.measure]),
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
