"""The tables of what a remedy did: changed labels, thresholds, curves, other weights, scores brought together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.charts.score_texts import label_words, needed_digits
from fairaudit.present.numbers import shown
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.tables import TUNING, constraint_tables
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.tables import rules_tables
from fairaudit.remedies.shared.held_out_words import FILTERED, is_filtered, relabelled_note
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.tables import trees_tables
from fairaudit.study.findings import RemedyFinding

GROUP = ColumnSpec("group", "group", "text", "The group.")


def detail_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return the tables of what was done; those that are hidden have no rows."""
    match finding.details:
        case RelabelDetails():
            return [_relabelled(finding, finding.details, number), _flipped(finding, finding.details, number)]
        case ThresholdDetails():
            return [
                thresholds_table(finding.details, number),
                fairness_weights_table(finding.details, number),
                _roc(finding.details, number),
            ]
        case EqualizeDetails():
            return [
                _steps(finding.details, number),
                _accuracy_weights(finding.details, number),
                _distribution(finding.details, number),
            ]
        case ConstrainDetails():
            return constraint_tables(finding.details, number)
        case RulesDetails():
            return rules_tables(finding.details, number)
        case TreesDetails():
            return trees_tables(finding.details, number)
    return []


def _relabelled(finding: RemedyFinding, details: RelabelDetails, number: int) -> Table:
    kept = f" {FILTERED}" if is_filtered(finding, details) else ""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("n", "rows", "count", "The figure, where it counts rows."),
        ColumnSpec("value", "value", "number", "The figure, where it is another number.", digits=4),
        ColumnSpec("gap", "gap, points", "points", "The figure, where it is a gap: protected minus the rest."),
    )
    counts = (
        ("rows that the first model learned from", details.n_risk),
        ("rows that relabelling was given", details.n_relabeled),
        (f"protected rows among them{kept}", details.n_protected),
        (f"rows of the rest among them{kept}", details.n_reference),
        ("labels changed", details.n_flipped),
    )
    rows = (
        *((name, shown(n), "", "") for name, n in counts),
        ("shift of the protected rows' scores", "", shown(details.risk_shift), ""),
        ("gap in the labels before", "", "", shown(details.gap_before)),
        ("gap in the labels after", "", "", shown(details.gap_after)),
    )
    return Table(f"remedy_{number}_relabelling", "What relabelling did", columns, rows)


def _flipped(finding: RemedyFinding, details: RelabelDetails, number: int) -> Table:
    columns = (
        GROUP,
        ColumnSpec("label", "field", "number", "1: good, 0: not good, before relabelling.", digits=0),
        ColumnSpec("label_words", "label before", "text", "The same in words."),
        ColumnSpec("n", "rows", "count", "Rows with this label that relabelling was about."),
        ColumnSpec("n_flipped", "labels changed", "count", "Those of them whose label was changed."),
    )
    words = ["good" if int(label) == 1 else "not good" for label in details.flipped["label"]]
    rows = _rows(details.flipped.assign(label_words=words), columns)
    note = relabelled_note(finding, details) or None
    return Table(f"remedy_{number}_flipped", "Labels changed, by group and label before", columns, rows, note=note)


def thresholds_table(details: ThresholdDetails, number: int) -> Table:
    """Return the thresholds of each group and what they do on the tuning rows, before and after."""
    frame = details.thresholds
    digits = needed_digits(pd.concat([frame["before"], frame["after"]])) if len(frame) else 3
    columns = (
        GROUP,
        ColumnSpec("before", "threshold before", "number", "One for all groups.", digits=digits),
        ColumnSpec("after", "threshold after", "number", "The group's own.", digits=digits),
        ColumnSpec("tpr_before", "TPR before", "share", f"True positive rate. {TUNING}"),
        ColumnSpec("tpr_after", "TPR after", "share", f"True positive rate. {TUNING}"),
        ColumnSpec("fpr_before", "FPR before", "share", f"False positive rate. {TUNING}"),
        ColumnSpec("fpr_after", "FPR after", "share", f"False positive rate. {TUNING}"),
        ColumnSpec("n_positive", "truly positive", "count", "Tuning rows that are truly positive."),
        ColumnSpec("n_negative", "truly negative", "count", "Tuning rows that are truly negative."),
    )
    side = "up to its threshold: a lower score is better" if details.turned else "from its threshold on"
    note = f"The good outcome is predicted {side}. TPR: true positive rate; FPR: false positive rate. {TUNING}"
    return Table(f"remedy_{number}_thresholds", "Thresholds by group", columns, _rows(frame, columns), note=note)


def fairness_weights_table(details: ThresholdDetails, number: int) -> Table:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    columns = (
        ColumnSpec("fairness_weight", "weight of fairness", "number", "It multiplies the sum of the gaps."),
        ColumnSpec("accuracy", "accuracy", "share", f"At the exact optimum. {TUNING}"),
        ColumnSpec("gap", "sum of the gaps, points", "size", f"Gaps in both error rates. {TUNING}"),
    )
    rows = _rows(details.sweep, columns)
    return Table(f"remedy_{number}_weights", "Other weights of fairness", columns, rows, note=TUNING)


def _roc(details: ThresholdDetails, number: int) -> Table:
    columns = (
        GROUP,
        ColumnSpec("threshold", "threshold", "number", "Empty above all scores.", digits=3),
        ColumnSpec("fpr", "false positive rate", "share", TUNING),
        ColumnSpec("tpr", "true positive rate", "share", TUNING),
    )
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return Table(f"remedy_{number}_roc", "ROC curve of each group", columns, _rows(frame, columns))


def _steps(details: EqualizeDetails, number: int) -> Table:
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("value", "value", "number", "The figure.", digits=4),
    )
    rows = (
        ("loss at the start", shown(details.loss_first)),
        ("loss at the end", shown(details.loss_last)),
        ("steps", shown(details.n_iterations)),
        ("smoothing of the scores", shown(details.smoothing)),
        ("threshold for all", shown(details.threshold)),
    )
    return Table(f"remedy_{number}_fit", "How the model was fitted", columns, rows)


def _accuracy_weights(details: EqualizeDetails, number: int) -> Table:
    columns = (
        ColumnSpec("accuracy_weight", "weight of accuracy", "number", "1: accuracy alone; 0: alike scores alone."),
        ColumnSpec("accuracy", "accuracy", "share", TUNING),
        ColumnSpec("tpr_gap", "gap in TPR, points", "size", f"True positive rates. {TUNING}"),
        ColumnSpec("fpr_gap", "gap in FPR, points", "size", f"False positive rates. {TUNING}"),
        ColumnSpec("threshold", "threshold", "number", "One for all groups.", digits=3),
    )
    rows = _rows(details.sweep, columns)
    return Table(f"remedy_{number}_weights", "Other weights of accuracy", columns, rows, note=TUNING)


def _distribution(details: EqualizeDetails, number: int) -> Table:
    frame = details.distribution
    digits = needed_digits(frame["bin_low"]) if len(frame) else 2
    columns = (
        ColumnSpec("model", "model", "text", "Before or after."),
        GROUP,
        ColumnSpec("label", "field", "text", "1: truly positive, 0: truly negative."),
        ColumnSpec("outcome", "true outcome", "text", "The same in words."),
        ColumnSpec("bin_low", "score from", "number", "Lower end of the bin.", digits=digits),
        ColumnSpec("bin_high", "to", "number", "Upper end of the bin.", digits=digits),
        ColumnSpec("n", "rows", "count", "Held-out rows in the bin."),
        ColumnSpec("share", "share", "share", "Share of the group's rows with this true outcome."),
    )
    rows = _rows(frame.assign(outcome=[label_words(label) for label in frame["label"]]), columns)
    return Table(f"remedy_{number}_distribution", "How scores are spread, before and after", columns, rows)


def _rows(frame: pd.DataFrame, columns: Sequence[ColumnSpec]) -> tuple[tuple[Any, ...], ...]:
    records = frame.to_dict("records")
    return tuple(tuple(shown(record[column.name]) for column in columns) for record in records)
