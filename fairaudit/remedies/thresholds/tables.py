"""The tables of thresholds by group: where they put each group, other weights, and the ROC curves."""

from __future__ import annotations

import pandas as pd

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.charts.score_texts import needed_digits
from fairaudit.present.error_tables import GROUP
from fairaudit.remedies.shared.frames import table_rows
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.study.findings import RemedyFinding

NOTE = "On the tuning cases."


def thresholds_table(details: ThresholdDetails, number: int) -> Table:
    """Return the thresholds of each group and what they do on the tuning rows, before and after."""
    frame = details.thresholds
    digits = needed_digits(pd.concat([frame["before"], frame["after"]])) if len(frame) else 3
    columns = (
        GROUP,
        ColumnSpec("before", "threshold without the remedy", "number", "One for all groups.", digits=digits),
        ColumnSpec("after", "threshold with it", "number", "The group's own.", digits=digits),
        ColumnSpec("tpr_before", "TPR without the remedy", "share", "True positive rate."),
        ColumnSpec("tpr_after", "TPR with it", "share", "True positive rate."),
        ColumnSpec("fpr_before", "FPR without the remedy", "share", "False positive rate."),
        ColumnSpec("fpr_after", "FPR with it", "share", "False positive rate."),
        ColumnSpec("n_positive", "truly positive", "count", "Tuning cases that are truly positive."),
        ColumnSpec("n_negative", "truly negative", "count", "Tuning cases that are truly negative."),
    )
    rows = table_rows(frame, columns)
    note = f"{NOTE} {say(Message('thresholds-turned'))}" if details.turned else NOTE
    return Table(f"remedy_{number}_thresholds", "A threshold for each group", columns, rows, note=note)


def fairness_weights_table(details: ThresholdDetails, number: int) -> Table:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    columns = (
        ColumnSpec("fairness_weight", "weight", "number", "It multiplies the gaps in errors."),
        ColumnSpec("accuracy", "accuracy", "share", "Of the best thresholds."),
        ColumnSpec("gap", "gaps in errors, points", "size", "In both error rates, added up."),
    )
    rows = table_rows(details.sweep, columns)
    return Table(f"remedy_{number}_weights", "Other weights", columns, rows, note=NOTE)


def roc_table(details: ThresholdDetails, number: int) -> Table:
    """Return the ROC curve of each group."""
    columns = (
        GROUP,
        ColumnSpec("threshold", "threshold", "number", "Empty above all scores.", digits=3),
        ColumnSpec("fpr", "false positive rate", "share", NOTE),
        ColumnSpec("tpr", "true positive rate", "share", NOTE),
    )
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return Table(f"remedy_{number}_roc", "ROC curve of each group", columns, table_rows(frame, columns))


def thresholds_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return all tables of one remedy; hidden ones have no rows."""
    made = (thresholds_table, fairness_weights_table, roc_table)
    return [table(finding.details, number) for table in made]
