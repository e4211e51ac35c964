"""The thresholds of each group, and what they came to on the tuning rows: figures, sentences and tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, fitted, setting
from fairaudit.findings import Message
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, moved_table, pick
from fairaudit.present.errors import Positive, needed_digits, rate_name
from fairaudit.present.field_tables import adapted, frame_table
from fairaudit.remedies.tables import GAPS, differences_table

NOTHING_MISSING = 0.00005
"""Less than this is as good as the best."""

NOTE = "On the tuning cases."

THRESHOLDS = columns(
    group=column(str, "The group.", "group", "group"),
    before=column(
        float,
        "Threshold without the remedy, in the numbers of the score, as the data have it.",
        "threshold without the remedy",
        "number",
        "One for all groups.",
    ),
    after=column(float, "Threshold with it.", "threshold with it", "number", "The group's own."),
    tpr_before=column(float, "True positive rate before.", "TPR without the remedy", "share", "True positive rate."),
    fpr_before=column(float, "False positive rate before.", "FPR without the remedy", "share", "False positive rate."),
    tpr_after=column(float, "True positive rate after.", "TPR with it", "share", "True positive rate."),
    fpr_after=column(float, "False positive rate after.", "FPR with it", "share", "False positive rate."),
    n_positive=column(
        Hideable[int], "Truly positive rows.", "truly positive", "count", "Tuning cases that are truly positive."
    ),
    n_negative=column(
        Hideable[int], "Truly negative rows.", "truly negative", "count", "Tuning cases that are truly negative."
    ),
)

ROC = columns(
    group=column(str, "The group.", "group", "group"),
    threshold=column(
        float, "The threshold; NaN above all scores.", "threshold", "number", "Empty above all scores.", digits=3
    ),
    fpr=column(float, "False positive rate.", "false positive rate", "share", NOTE),
    tpr=column(float, "True positive rate.", "true positive rate", "share", NOTE),
)

SWEEP = columns(
    fairness_weight=column(
        float, "What the gap is multiplied with.", "weight", "number", "It multiplies the gaps in errors."
    ),
    accuracy=column(float, "Accuracy.", "accuracy", "share", "Of the best thresholds."),
    gap=column(float, "Sum of the gaps.", "gaps in errors, points", "size", "In both error rates, added up."),
)


@dataclass(frozen=True, eq=False)
class ThresholdDetails:
    """The thresholds of each group and where they put it, on the tuning rows."""

    thresholds: pd.DataFrame = fitted("One row for each group.", THRESHOLDS)
    roc: pd.DataFrame = fitted("The ROC curve of each group, thinned for drawing.", ROC)
    sweep: pd.DataFrame = fitted("One row for each other weight: the exact optimum there.", SWEEP)
    objective: float = fitted("Accuracy minus weighted gaps at the thresholds used, and at the exact optimum.")
    optimal_objective: float = fitted(AS_ABOVE)
    accuracy: float = fitted("The two parts of `objective`.")
    gap: float = fitted(AS_ABOVE)
    gaps: pd.DataFrame = fitted(
        "Where a limit was to hold on new people, one row for each error rate and pair of groups; empty elsewhere. A "
        "gap is the rate of the first group minus that of the second.",
        GAPS,
        default_factory=partial(pd.DataFrame, columns=list(GAPS)),
    )
    max_difference: float = setting("That limit: how far apart groups may be; NaN elsewhere.", default=math.nan)
    are_averages: bool = setting(
        "Whether rates are averages over similar cases; they are those of all people together otherwise.",
        default=False,
    )
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    turned: bool = setting(
        "Whether a lower score is better: the good outcome is predicted up to a threshold then, not from it on.",
        default=False,
    )


def limited_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the difference of each error rate and pair of groups, beside the limit that was to hold on new people."""
    return differences_table(details, f"remedy_{number}_limits")


def _note(details: ThresholdDetails) -> str:
    """Return of whom rates are."""
    return f"{NOTE} {say(Message('similar-rates'))}" if details.are_averages else NOTE


SIDE_BY_SIDE = (
    "group", "before", "after", "tpr_before", "tpr_after", "fpr_before", "fpr_after", "n_positive", "n_negative",
)  # fmt: skip


def thresholds_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the thresholds of each group and what they do on the tuning rows, before and after."""
    frame = details.thresholds
    digits = needed_digits(pd.concat([frame["before"], frame["after"]])) if len(frame) else 3
    declared = adapted(THRESHOLDS, ("before", "after"), digits=digits)
    note = f"{_note(details)} {say(Message('thresholds-turned'))}" if details.turned else _note(details)
    key, title = f"remedy_{number}_thresholds", "A threshold for each group"
    return frame_table(key, title, frame, declared, SIDE_BY_SIDE, note=note)


def moved_thresholds(table: TableBlock, positive: Positive) -> TableBlock:
    """Return the thresholds for paper, from :func:`thresholds_table`."""
    heads = {"": "threshold", "tpr": rate_name("tpr", positive), "fpr": rate_name("fpr", positive)}
    moved = moved_table(pick(table, [c.name for c in table.columns if not c.name.startswith("n_")]), heads)
    return replace(moved, title="A threshold for each group, without and with the remedy", note=table.note)


def fairness_weights_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    return frame_table(f"remedy_{number}_weights", "Other weights", details.sweep, SWEEP, note=_note(details))


def roc_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the ROC curve of each group."""
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return frame_table(f"remedy_{number}_roc", "ROC curve of each group", frame, ROC)
