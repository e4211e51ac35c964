"""What a remedy gains over simple answers, in one sentence and as a table; shared by pages and report."""

from __future__ import annotations

from typing import Any

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import confidence_text, interval_text, number_text, share_text, shown
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.held_out_words import all_rows
from fairaudit.remedies.shared.number_texts import change_digits, changed_text
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Yardstick

TITLE = "Beside simple answers"
PRINTED = ("answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval")
"""The columns that are printed."""
LIMIT_NOTE = (
    "Keeps the limit: on the tuning rows its gaps are no larger than what the remedy is to keep to or, where the "
    "remedy does not, than those of the remedy. Thresholds are chosen on these rows, to be right most often within it."
)


def best_yardstick(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple answer that is right most often within the limit; None if none keeps to it."""
    return next((each for each in finding.yardsticks if each.is_best), None)


def is_little_gained(finding: RemedyFinding) -> bool:
    """Say whether a simple answer may be right as often within the same limit; False where hidden."""
    best = best_yardstick(finding)
    return best is not None and best.change.interval.low is not None and best.change.interval.low <= 0


def gained_sentence(finding: RemedyFinding) -> str:
    """Return what a remedy gains over the best simple answer; empty where there is none, or it is hidden.

    It begins with "Little gained" where that could be nothing, and with "Nothing gained" where it is surely less.
    """
    best = best_yardstick(finding)
    if best is None or best.change.interval.low is None:
        return ""
    change = best.change
    interval = f"{confidence_text(finding.after.fairness.confidence)} interval {interval_text(change.interval)}"
    simple = brief.whole(best.name, 160)
    kept = f" On the tuning rows that answer keeps {best.limit}." if best.limit else ""
    if change.interval.low > 0:
        return (
            f"It is right for {changed_text(finding, change, signed=False)} more people than the best simple answer, "
            f"{simple} ({interval} points).{kept}"
        )
    digits = change_digits(finding, change.before, change.after)
    other, own = (share_text(share, digits=digits) for share in (change.before, change.after))
    balanced = [share_text(each.measure("balanced_accuracy").value) for each in (finding.after, best)]
    lead = "Little gained" if change.interval.high >= 0 else "Nothing gained"
    return (
        f"{lead}: of {all_rows(finding.after.n)} it is right for {own}; a simple answer, {simple}, is right for "
        f"{other} (difference {changed_text(finding, change)}, {interval}). Balanced accuracy is {balanced[0]} and "
        f"{balanced[1]}.{kept}"
    )


def ahead_sentence(finding: RemedyFinding) -> str:
    """Return which simple answer is ahead on the tuning rows; empty where none is."""
    ahead = [each for each in finding.yardsticks if each.is_ahead]
    if not ahead:
        return ""
    threshold, constant = ahead[-1].threshold, ahead[-1].learner is None
    at = "" if threshold is None else f" Its threshold is {number_text(threshold, digits=3)}."
    then = "That is no remedy, but what this one learned makes it right no more often."
    if not constant:
        then = "Use that instead."
    return (
        f"On the tuning rows, {brief.whole(ahead[-1].name, 160)} is right more often than this remedy, with no larger "
        f"gap.{at} {then}"
    )


def simple_plan(finding: RemedyFinding) -> PlainPlan | None:
    """Return a plan of the simple answer that is ahead on the tuning rows: a model and its threshold; None without."""
    ahead = [each for each in finding.yardsticks if each.is_ahead and each.learner is not None]
    if not ahead:
        return None
    threshold = None if ahead[-1].kind == "plain" else ahead[-1].threshold
    return PlainPlan.model_validate({"model": ahead[-1].learner, "threshold": threshold})


def yardsticks_table(finding: RemedyFinding, number: int) -> list[Table]:
    """Return one row for each simple answer, on the held-out rows; no table of a plain model."""
    if not finding.yardsticks:
        return []
    columns = (
        ColumnSpec("kind", "field", "code", "Which answer."),
        ColumnSpec("answer", "answer", "text", "The same in words."),
        ColumnSpec("keeps_limit", "keeps the limit", "text", LIMIT_NOTE),
        ColumnSpec("best", "best of these", "text", "yes: it is right most often on the tuning rows within the limit."),
        ColumnSpec("ahead", "ahead", "text", "yes: right more often than the remedy there, with no larger gap."),
        ColumnSpec("threshold", "threshold", "number", "The good outcome is predicted from it on.", digits=3),
        ColumnSpec("accuracy", "accuracy", "share", "Share of held-out rows on which it agrees with the decision."),
        ColumnSpec("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        ColumnSpec("gap", "gap, points", "points", "Protected minus the rest in predicted good outcomes."),
        ColumnSpec("tpr_gap", "gap in TPR, points", "size", "True positive rates. Largest rate minus smallest rate."),
        ColumnSpec("fpr_gap", "gap in FPR, points", "size", "False positive rates. Largest rate minus smallest rate."),
        ColumnSpec("gained", "gained, points", "points", "Accuracy of the remedy minus that of this answer."),
        ColumnSpec("gained_interval", "its interval", "points_interval", "Both judged on the same rows."),
    )
    rows = tuple(_row(each) for each in finding.yardsticks)
    return [Table(f"remedy_{number}_yardsticks", TITLE, columns, rows, note=LIMIT_NOTE)]


def _row(yardstick: Yardstick) -> tuple[Any, ...]:
    value = {measured.measure: shown(measured.value) for measured in yardstick.measures}
    return (
        yardstick.kind,
        brief.capital(yardstick.name),
        shown(yardstick.keeps_limit),
        yardstick.is_best,
        shown(yardstick.is_ahead),
        shown(yardstick.threshold) if yardstick.threshold is not None or yardstick.keeps_limit is None else "",
        value["accuracy"],
        value["balanced_accuracy"],
        shown(yardstick.fairness.difference),
        value["tpr_gap"],
        value["fpr_gap"],
        shown(yardstick.change.difference),
        tuple(yardstick.change.interval),
    )
