"""The tables of thresholds by group: where they put each group, other weights, and the ROC curves."""

from __future__ import annotations

import pandas as pd

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.charts.score_texts import needed_digits
from fairaudit.present.error_tables import GROUP
from fairaudit.remedies.shared.frames import TUNING, table_rows
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.study.findings import RemedyFinding


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
    return Table(
        f"remedy_{number}_thresholds", "A threshold for each group", columns, table_rows(frame, columns), note=note
    )


def fairness_weights_table(details: ThresholdDetails, number: int) -> Table:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    columns = (
        ColumnSpec("fairness_weight", "weight of fairness", "number", "It multiplies the sum of the gaps."),
        ColumnSpec("accuracy", "accuracy", "share", f"At the exact optimum. {TUNING}"),
        ColumnSpec("gap", "sum of the gaps, points", "size", f"Gaps in both error rates. {TUNING}"),
    )
    rows = table_rows(details.sweep, columns)
    return Table(f"remedy_{number}_weights", "Other weights of fairness", columns, rows, note=TUNING)


def roc_table(details: ThresholdDetails, number: int) -> Table:
    """Return the ROC curve of each group."""
    columns = (
        GROUP,
        ColumnSpec("threshold", "threshold", "number", "Empty above all scores.", digits=3),
        ColumnSpec("fpr", "false positive rate", "share", TUNING),
        ColumnSpec("tpr", "true positive rate", "share", TUNING),
    )
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return Table(f"remedy_{number}_roc", "ROC curve of each group", columns, table_rows(frame, columns))


def thresholds_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return all tables of one remedy; hidden ones have no rows."""
    made = (thresholds_table, fairness_weights_table, roc_table)
    return [table(finding.details, number) for table in made]
