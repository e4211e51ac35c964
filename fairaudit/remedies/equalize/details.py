"""How the score distributions were brought together: what was found, in words and tables, and who may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, column, columns, fitted, setting
from fairaudit.measure.plain import Hideable
from fairaudit.present.blocks import TableBlock
from fairaudit.present.errors import label_words, needed_digits
from fairaudit.present.field_tables import adapted, figures_table, frame_table, inserted

DISTRIBUTION = columns(
    model=column(Literal["before", "after"], "Without or with the remedy.", "model", "text", "Before or after."),
    group=column(str, "The group.", "group", "group"),
    label=column(int, "1: truly positive.", "field", "text", "1: truly positive, 0: truly negative."),
    bin_low=column(float, "Lower end of the bin.", "score from", "number"),
    bin_high=column(float, "Upper end.", "to", "number", "Upper end of the bin."),
    n=column(Hideable[int], "Rows.", "rows", "count", "Test cases in the bin."),
    share=column(
        float, "Share of the group's rows with this label.", "share", "share", "Of the group with this outcome."
    ),
)

SWEEP = columns(
    accuracy_weight=column(float, "Weight of accuracy.", "weight of accuracy", "number", "1: accuracy alone."),
    accuracy=column(float, "Accuracy.", "accuracy", "share", "Share predicted rightly."),
    tpr_gap=column(float, "Gap in true positive rates.", "gap in TPR, points", "size", "True positive rates."),
    fpr_gap=column(float, "Gap in false positive rates.", "gap in FPR, points", "size", "False positive rates."),
    threshold=column(float, "The threshold there.", "threshold", "number", "One for all groups.", digits=3),
)


@dataclass(frozen=True, eq=False)
class EqualizeDetails:
    """How the score distributions were brought together."""

    loss_first: float = fitted(
        "The loss where the fit began and where it ended.", label="loss at the start", kind="number"
    )
    loss_last: float = fitted(AS_ABOVE, label="loss at the end", kind="number")
    n_iterations: int = setting("Steps taken.", label="steps", kind="number")
    smoothing: float = setting("The spread of the soft histogram.", label="smoothing of the scores", kind="number")
    threshold: float = fitted("The one threshold, chosen on the tuning rows.", label="threshold for all", kind="number")
    distribution: pd.DataFrame = fitted(
        "One row for each model, group, label and bin of scores, on the held-out rows.", DISTRIBUTION
    )
    sweep: pd.DataFrame = fitted("One row for each other weight, on the tuning rows.", SWEEP)
    stopped: bool = setting("Whether a person stopped the fit before its end.", default=False)


FIGURES = ("loss_first", "loss_last", "n_iterations", "smoothing", "threshold")
VALUE = Field("value", "value", "number", "The figure.", digits=4)


def steps_table(details: EqualizeDetails, number: int) -> TableBlock:
    """Return how the model was fitted; one row a figure."""
    return figures_table(f"remedy_{number}_fit", "How the model was fitted", details, FIGURES, {"number": VALUE})


def accuracy_weights_table(details: EqualizeDetails, number: int) -> TableBlock:
    """Return accuracy and gaps for several weights of accuracy."""
    key, title = f"remedy_{number}_weights", "Other weights of accuracy"
    return frame_table(key, title, details.sweep, SWEEP, note="On the tuning cases.")


def distribution_table(details: EqualizeDetails, number: int) -> TableBlock:
    """Return how scores are spread in each group, before and after."""
    frame = details.distribution
    digits = needed_digits(frame["bin_low"]) if len(frame) else 2
    declared = adapted(DISTRIBUTION, ("bin_low", "bin_high"), digits=digits)
    declared = inserted(declared, "label", outcome=Field("", "true outcome", "text", "The same in words."))
    frame = frame.assign(outcome=[label_words(label) for label in frame["label"]])
    return frame_table(f"remedy_{number}_distribution", "How scores are spread, before and after", frame, declared)
