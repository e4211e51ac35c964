"""The thresholds of each group, and what they came to on the tuning rows: figures, sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, column, columns, learned, setting
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Message, Phrase, Points
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import TableBlock
from fairaudit.present.errors import GROUP, needed_digits
from fairaudit.present.numbers import are_known
from fairaudit.remedies.shared.changes import model_words
from fairaudit.remedies.shared.group_gaps import table_rows
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemedyFinding

NOTHING_MISSING = 0.00005
"""Less than this is as good as the best."""

THRESHOLDS = columns(
    group=column(str, "The group."),
    before=column(float, "Threshold without the remedy, in the numbers of the score, as the data have it."),
    after=column(float, "Threshold with it."),
    tpr_before=column(float, "True positive rate before."),
    fpr_before=column(float, "False positive rate before."),
    tpr_after=column(float, "True positive rate after."),
    fpr_after=column(float, "False positive rate after."),
    n_positive=column(Hideable[int], "Truly positive rows."),
    n_negative=column(Hideable[int], "Truly negative rows."),
)

ROC = columns(
    group=column(str, "The group."),
    threshold=column(float, "The threshold; NaN above all scores."),
    fpr=column(float, "False positive rate."),
    tpr=column(float, "True positive rate."),
)

SWEEP = columns(
    fairness_weight=column(float, "What the gap is multiplied with."),
    accuracy=column(float, "Accuracy."),
    gap=column(float, "Sum of the gaps."),
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


NOTE = "On the tuning cases."


def thresholds_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the thresholds of each group and what they do on the tuning rows, before and after."""
    frame = details.thresholds
    digits = needed_digits(pd.concat([frame["before"], frame["after"]])) if len(frame) else 3
    columns = (
        GROUP,
        Field("before", "threshold without the remedy", "number", "One for all groups.", digits=digits),
        Field("after", "threshold with it", "number", "The group's own.", digits=digits),
        Field("tpr_before", "TPR without the remedy", "share", "True positive rate."),
        Field("tpr_after", "TPR with it", "share", "True positive rate."),
        Field("fpr_before", "FPR without the remedy", "share", "False positive rate."),
        Field("fpr_after", "FPR with it", "share", "False positive rate."),
        Field("n_positive", "truly positive", "count", "Tuning cases that are truly positive."),
        Field("n_negative", "truly negative", "count", "Tuning cases that are truly negative."),
    )
    rows = table_rows(frame, columns)
    note = f"{NOTE} {say(Message('thresholds-turned'))}" if details.turned else NOTE
    return TableBlock(f"remedy_{number}_thresholds", "A threshold for each group", columns, rows, note=note)


def fairness_weights_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return accuracy and gaps at the exact optimum for several weights of fairness."""
    columns = (
        Field("fairness_weight", "weight", "number", "It multiplies the gaps in errors."),
        Field("accuracy", "accuracy", "share", "Of the best thresholds."),
        Field("gap", "gaps in errors, points", "size", "In both error rates, added up."),
    )
    rows = table_rows(details.sweep, columns)
    return TableBlock(f"remedy_{number}_weights", "Other weights", columns, rows, note=NOTE)


def roc_table(details: ThresholdDetails, number: int) -> TableBlock:
    """Return the ROC curve of each group."""
    columns = (
        GROUP,
        Field("threshold", "threshold", "number", "Empty above all scores.", digits=3),
        Field("fpr", "false positive rate", "share", NOTE),
        Field("tpr", "true positive rate", "share", NOTE),
    )
    above = details.roc["threshold"]
    frame = details.roc.assign(threshold=above.astype(object).where(above.notna(), ""))
    return TableBlock(f"remedy_{number}_roc", "ROC curve of each group", columns, table_rows(frame, columns))


def thresholds_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return all tables of one remedy; hidden ones have no rows."""
    made = (thresholds_table, fairness_weights_table, roc_table)
    return [table(finding.details, number) for table in made]
