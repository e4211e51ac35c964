"""The tables of retraining: what was changed, in whose decisions, and pairs of models side by side."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.error_tables import GROUP
from fairaudit.present.numbers import shown
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.naming import ALGORITHM_WORDS
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.relabel.words import is_filtered, relabelled_note
from fairaudit.remedies.shared.frames import table_rows
from fairaudit.remedies.shared.held_out_words import FILTERED, gap_note
from fairaudit.study.findings import RemedyFinding


def relabelled_table(finding: RemedyFinding, details: RelabelDetails, number: int) -> Table:
    """Return what was changed; one row a figure."""
    kept = f" {FILTERED}" if is_filtered(finding, details) else ""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("n", "rows", "count", "The figure, where it counts rows."),
        ColumnSpec("value", "value", "number", "The figure, where it is another number.", digits=4),
        ColumnSpec("gap", "gap, points", "points", "The figure, where it is a gap: protected minus the rest."),
    )
    counts = (
        ("rows that the first model learned from", details.n_risk),
        ("rows whose decisions could be changed", details.n_relabeled),
        (f"protected rows among them{kept}", details.n_protected),
        (f"rows of the rest among them{kept}", details.n_reference),
        ("decisions changed", details.n_flipped),
    )
    rows = (
        *((name, shown(n), "", "") for name, n in counts),
        ("shift of the protected rows' scores", "", shown(details.risk_shift), ""),
        ("gap in the decisions before", "", "", shown(details.gap_before)),
        ("gap in the decisions after", "", "", shown(details.gap_after)),
    )
    return Table(f"remedy_{number}_relabelling", "What was changed in the decisions", columns, rows)


def flipped_table(finding: RemedyFinding, details: RelabelDetails, number: int) -> Table:
    """Return whose decisions were changed, by group and decision before."""
    columns = (
        GROUP,
        ColumnSpec("label", "field", "number", "1: good, 0: not good, before any was changed.", digits=0),
        ColumnSpec("label_words", "decision before", "text", "The same in words."),
        ColumnSpec("n", "rows", "count", "Rows with this decision that could be changed."),
        ColumnSpec("n_flipped", "decisions changed", "count", "Those of them whose decision was changed."),
    )
    words = ["good" if int(label) == 1 else "not good" for label in details.flipped["label"]]
    rows = table_rows(details.flipped.assign(label_words=words), columns)
    note = relabelled_note(finding, details) or None
    return Table(
        f"remedy_{number}_flipped", "Decisions changed, by group and decision before", columns, rows, note=note
    )


def pairs_tables(findings: Sequence[RemedyFinding]) -> list[Table]:
    """Return retrained models, one row a pair of models, with ranking, accuracy and both groups' shares."""
    columns = (
        ColumnSpec("algorithm", "learned from", "text", "Which decisions the second model learned from."),
        ColumnSpec("risk_model", "first model", "text", "It shows which decisions to change."),
        ColumnSpec("final_model", "second model", "text", "It learns from the changed decisions and is judged."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("accuracy", "accuracy", "share", "On the held-out rows."),
        ColumnSpec("protected_share", "protected", "share", "Predicted good outcomes in the protected group."),
        ColumnSpec("reference_share", "the rest", "share", "Predicted good outcomes in the rest."),
        ColumnSpec("gap", "gap, points", "points", "Protected minus the rest."),
        ColumnSpec("gap_interval", "gap, interval", "points_interval", "Of the gap."),
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
    words = {"subject": "Shares and gaps are", "others": "AUC and accuracy"}
    note = gap_note(findings[0].after.n, findings[0].after.fairness, **words) or None
    return [Table("remedies_pairs", "Retraining, by pair of models", columns, tuple(rows), note=note)]


def relabel_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return all tables of one remedy; hidden ones have no rows."""
    return [relabelled_table(finding, finding.details, number), flipped_table(finding, finding.details, number)]
