"""The thresholds of each group, and what they came to on the tuning rows: figures, sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, learned, setting
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Message, Phrase, Points
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import TableBlock
from fairaudit.present.errors import needed_digits
from fairaudit.present.field_tables import adapted, frame_table
from fairaudit.present.numbers import are_known
from fairaudit.remedies.shared.changes import model_words
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemedyFinding

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

    thresholds: pd.DataFrame = learned("One row for each group.", THRESHOLDS)
    roc: pd.DataFrame = learned("The ROC curve of each group, thinned for drawing.", ROC)
    sweep: pd.DataFrame = learned("One row for each other weight: the exact optimum there.", SWEEP)
    objective: float = learned("Accuracy minus weighted gaps at the thresholds used, and at the exact optimum.")
    optimal_objective: float = learned(AS_ABOVE)
    accuracy: float = learned("The two parts of `objective`.")
    gap: float = learned(AS_ABOVE)
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    turned: bool = setting(
        "Whether a lower score is better: the good outcome is predicted up to a threshold then, not from it on.",
        default=False,
    )


SEARCH_WORDS = {"exact": "", "pso": ", a search by chance", "chosen": ", chosen by hand"}


def thresholds_name(plan: ThresholdsPlan) -> str:
    """Return the name of such a remedy."""
    weight = "" if plan.search == "chosen" else f", fairness weight {plan.fairness_weight:g}"
    return f"A threshold for each group ({MODEL_WORDS[plan.model]}{weight}{SEARCH_WORDS[plan.search]})"


def done_sentences(finding: RemedyFinding) -> str:
    """Return how the thresholds were found."""
    plan = as_part(finding.plan, ThresholdsPlan)
    keys = {"exact": "thresholds-found", "pso": "thresholds-found-pso", "chosen": "thresholds-chosen"}
    args = {"score": Phrase(model_words(plan, "model")), "weight": Phrase(f"{plan.fairness_weight:g}")}
    return say([Message("thresholds-made", args), Message(keys[plan.search], args)])


def cautions(finding: RemedyFinding) -> list[str]:
    """Return how far thresholds that were not searched for exactly are from the optimum."""
    details, search = finding.details, as_part(finding.plan, ThresholdsPlan).search
    if search == "exact" or not are_known(details.objective, details.optimal_objective):
        return []
    missing = details.optimal_objective - details.objective
    if missing < NOTHING_MISSING:
        return []
    return [say(Message("thresholds-missing", {"missing": Points(missing, 2)}))]


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return ((say(Message("thresholds-term")), say(Message("thresholds-term-means"))),)


SIDE_BY_SIDE = (
    "group", "before", "after", "tpr_before", "tpr_after", "fpr_before", "fpr_after", "n_positive", "n_negative",
)  # fmt: skip


def thresholds_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the thresholds of each group and what they do on the tuning rows, before and after."""
    frame = details.thresholds
    digits = needed_digits(pd.concat([frame["before"], frame["after"]])) if len(frame) else 3
    declared = adapted(THRESHOLDS, ("before", "after"), digits=digits)
    note = f"{NOTE} {say(Message('thresholds-turned'))}" if details.turned else NOTE
    key, title = f"remedy_{number}_thresholds", "A threshold for each group"
    return frame_table(key, title, frame, declared, SIDE_BY_SIDE, note=note)


def fairness_weights_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    return frame_table(f"remedy_{number}_weights", "Other weights", details.sweep, SWEEP, note=NOTE)


def roc_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the ROC curve of each group."""
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return frame_table(f"remedy_{number}_roc", "ROC curve of each group", frame, ROC)


def thresholds_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return all tables of one remedy; hidden ones have no rows."""
    made = (thresholds_table, fairness_weights_table, roc_table)
    return [table(finding.details, number) for table in made]
