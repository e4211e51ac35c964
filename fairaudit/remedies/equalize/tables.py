"""The tables of equalized distributions: how the model was fitted, other weights, and how scores are spread."""

from __future__ import annotations

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.charts.score_texts import label_words, needed_digits
from fairaudit.present.error_tables import GROUP
from fairaudit.present.numbers import shown
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.shared.frames import table_rows
from fairaudit.study.findings import RemedyFinding


def steps_table(details: EqualizeDetails, number: int) -> Table:
    """Return how the model was fitted; one row a figure."""
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


def accuracy_weights_table(details: EqualizeDetails, number: int) -> Table:
    """Return accuracy and gaps for several weights of accuracy."""
    columns = (
        ColumnSpec("accuracy_weight", "weight of accuracy", "number", "1: accuracy alone."),
        ColumnSpec("accuracy", "accuracy", "share", "Share predicted rightly."),
        ColumnSpec("tpr_gap", "gap in TPR, points", "size", "True positive rates."),
        ColumnSpec("fpr_gap", "gap in FPR, points", "size", "False positive rates."),
        ColumnSpec("threshold", "threshold", "number", "One for all groups.", digits=3),
    )
    rows = table_rows(details.sweep, columns)
    return Table(f"remedy_{number}_weights", "Other weights of accuracy", columns, rows, note="On the tuning cases.")


def distribution_table(details: EqualizeDetails, number: int) -> Table:
    """Return how scores are spread in each group, before and after."""
    frame = details.distribution
    digits = needed_digits(frame["bin_low"]) if len(frame) else 2
    columns = (
        ColumnSpec("model", "model", "text", "Before or after."),
        GROUP,
        ColumnSpec("label", "field", "text", "1: truly positive, 0: truly negative."),
        ColumnSpec("outcome", "true outcome", "text", "The same in words."),
        ColumnSpec("bin_low", "score from", "number", "Lower end of the bin.", digits=digits),
        ColumnSpec("bin_high", "to", "number", "Upper end of the bin.", digits=digits),
        ColumnSpec("n", "rows", "count", "Test cases in the bin."),
        ColumnSpec("share", "share", "share", "Of the group with this outcome."),
    )
    rows = table_rows(frame.assign(outcome=[label_words(label) for label in frame["label"]]), columns)
    return Table(f"remedy_{number}_distribution", "How scores are spread, before and after", columns, rows)


def equalize_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return all tables of one remedy; hidden ones have no rows."""
    made = (steps_table, accuracy_weights_table, distribution_table)
    return [table(finding.details, number) for table in made]
