"""The tables of retraining: what was changed, in whose decisions, and pairs of models side by side."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.error_tables import GROUP
from fairaudit.present.numbers import shown
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.naming import ALGORITHM_WORDS
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.shared.frames import table_rows
from fairaudit.study.findings import RemedyFinding

USUAL = 0.5
"""The score from which a model says yes where nothing else is needed."""


def relabelled_table(details: RelabelDetails, number: int) -> Table:
    """Return what was changed; one row a figure."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("n", "rows", "count", "Where it counts cases."),
        ColumnSpec("value", "value", "number", "Where it is another number.", digits=4),
        ColumnSpec("gap", "gap, points", "points", "Where it is a gap: protected minus everyone else.", turns=True),
    )
    counts = (
        ("cases that the first model learned from", details.n_risk),
        ("cases whose decisions could be changed", details.n_relabeled),
        ("protected group among them", details.n_protected),
        ("everyone else among them", details.n_reference),
        ("decisions changed", details.n_flipped),
    )
    rows = (
        *((name, shown(n), "", "") for name, n in counts),
        ("shift of the protected group's scores", "", shown(details.risk_shift), ""),
        ("gap in the decisions before", "", "", shown(details.gap_before)),
        ("gap in the decisions after", "", "", shown(details.gap_after)),
    )
    weight = "weight of a favourable decision about the protected group, beside an unfavourable one"
    needed = ((weight, details.weight_ratio, 1), ("score from which the model says yes", details.threshold, USUAL))
    used = tuple((name, "", shown(value), "") for name, value, usual in needed if value not in (usual, None))
    return Table(f"remedy_{number}_relabelling", "What was changed in the decisions", columns, (*rows, *used))


def flipped_table(details: RelabelDetails, number: int) -> Table:
    """Return whose decisions were changed, by group and decision before."""
    columns = (
        GROUP,
        ColumnSpec("label", "field", "number", "1: favourable, 0: not, before any was changed.", digits=0),
        ColumnSpec("label_words", "decision before", "text", "The same in words."),
        ColumnSpec("n", "rows", "count", "Cases with this decision."),
        ColumnSpec("n_flipped", "decisions changed", "count", "Of them, changed."),
    )
    words = ["favourable" if int(label) == 1 else "not favourable" for label in details.flipped["label"]]
    rows = table_rows(details.flipped.assign(label_words=words), columns)
    return Table(f"remedy_{number}_flipped", "Decisions changed", columns, rows, note=relabelled_note(details))


def pairs_tables(findings: Sequence[RemedyFinding]) -> list[Table]:
    """Return retrained models, one row a pair of models, with ranking, accuracy and both groups' shares."""
    columns = (
        ColumnSpec("algorithm", "learned from", "text", "What the second model learned from."),
        ColumnSpec("risk_model", "first model", "text", "Scores the cases."),
        ColumnSpec("final_model", "second model", "text", "Learns from the changed decisions."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("accuracy", "accuracy", "share", "On the test cases."),
        ColumnSpec("protected_share", "protected", "share", "Favourable results in the protected group.", turns=True),
        ColumnSpec("reference_share", "everyone else", "share", "Favourable results among everyone else.", turns=True),
        ColumnSpec("gap", "gap, points", "points", "Protected minus everyone else.", turns=True),
        ColumnSpec("gap_interval", "gap, interval", "points_interval", "Of the gap.", turns=True),
    )
    rows = []
    for finding in findings:
        plan, after, fairness = as_part(finding.plan, RelabelPlan), finding.after, finding.after.fairness
        rows.append(
            (
                ALGORITHM_WORDS[plan.algorithm],
                MODEL_WORDS[plan.risk_model],
                MODEL_WORDS[plan.final_model],
                shown(after.measure("auc").value),
                shown(after.measure("accuracy").value),
                shown(fairness.protected.ratio),
                shown(fairness.reference.ratio),
                shown(fairness.difference),
                tuple(fairness.difference_interval),
            )
        )
    return [Table("remedies_pairs", "Retraining, by pair of models", columns, tuple(rows))]


def relabelled_note(details: RelabelDetails) -> str | None:
    """Return among which rows decisions are counted, and changed; None where that is all, or hidden."""
    n, sides = details.n_relabeled, (details.n_protected, details.n_reference)
    if n is None or None in sides or sum(sides) == n:
        return None
    return say(Message("retrain-counted", {"n": Count(sum(sides)), "all": Count(n)}))


def relabel_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return all tables of one remedy; hidden ones have no rows."""
    return [relabelled_table(finding.details, number), flipped_table(finding.details, number)]
