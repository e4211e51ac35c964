"""What a remedy gains over simple answers, in one sentence and as a table; shared by pages and report."""

from __future__ import annotations

from typing import Any

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import are_known, confidence_text, interval_text, number_text, share_text, shown
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.held_out_words import all_rows
from fairaudit.remedies.shared.number_texts import change_digits, changed_text
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Yardstick

TITLE = "Beside simple answers"
PRINTED = ("answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval")
"""The columns that are printed."""
NOT_BETTER = "Little gained over a simple answer"
"""Said of a remedy where a simple answer within the same limit may be right as often."""
WORSE = "Worse than a simple answer"
"""Said of a remedy where a simple answer within the same limit is surely right more often."""
LIMIT_NOTE = (
    "Keeps the limit: on the tuning rows its gaps are no larger than what the remedy is to keep to or, where the "
    "remedy does not, than those of the remedy. Thresholds are chosen on these rows, to be right most often within it."
)


def best_yardstick(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple answer that is right most often within the limit; None if none keeps to it."""
    return next((each for each in finding.yardsticks if each.is_best), None)


def beside_simple(finding: RemedyFinding) -> str:
    """Return that a simple answer may be, or surely is, as good within the same limit; empty where not, or hidden."""
    best = best_yardstick(finding)
    if best is None or best.change.interval.low is None or best.change.interval.low > 0:
        return ""
    return NOT_BETTER if best.change.interval.high >= 0 else WORSE


def gained_sentence(finding: RemedyFinding) -> str:
    """Return what a remedy gains over the best simple answer; empty where there is none, or it is hidden."""
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
    return (
        f"{beside_simple(finding)}: of {all_rows(finding.after.n)} it is right for {own}; a simple answer, {simple}, "
        f"is right for {other} (difference {changed_text(finding, change)}, {interval}). Balanced accuracy is "
        f"{balanced[0]} and {balanced[1]}.{kept}"
    )


def ahead_sentence(finding: RemedyFinding) -> str:
    """Return which simple answer is ahead on the tuning rows, how it does on the others, and whether to use it."""
    simple = _ahead(finding)
    if simple is None:
        return ""
    at = "" if simple.threshold is None else f" Its threshold is {number_text(simple.threshold, digits=3)}."
    return (
        f"On the tuning rows, by which models are chosen, {brief.whole(simple.name, 160)} is right more often than "
        f"this remedy, with no larger gap.{at} {_on_held_out(finding, simple)}{_advice(simple)}"
    )


def _ahead(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple answer that is ahead on the tuning rows, the last of several."""
    return next((each for each in reversed(finding.yardsticks) if each.is_ahead), None)


def _on_held_out(finding: RemedyFinding, simple: Yardstick) -> str:
    """Return how a simple answer and a remedy do on the held-out rows; empty where that is hidden."""
    change, interval = simple.change, simple.change.interval
    if not are_known(change.before, change.after, change.difference, interval.low, interval.high):
        return ""
    digits = change_digits(finding, change.before, change.after)
    other, own = (share_text(share, digits=digits) for share in (change.before, change.after))
    chance = "which is more than chance" if interval.low > 0 or interval.high < 0 else "which may be chance"
    return (
        f"On the held-out rows, which all other figures here are about, it is right for {other} and this remedy for "
        f"{own} (difference {changed_text(finding, change)}, {confidence_text(finding.after.fairness.confidence)} "
        f"interval {interval_text(interval)}, {chance}). "
    )


def _advice(simple: Yardstick) -> str:
    """Return whether a simple answer that is ahead on the tuning rows should be used."""
    if _held_out_says_no(simple):
        return "The two disagree, so this is no reason to use that answer."
    if simple.learner is None:
        return "That is no remedy, but what this one learned makes it right no more often."
    return (
        "Use that instead. The tuning rows decide this, as held-out rows are there to judge: whoever chooses by them, "
        "too, has no rows left for a fair test of the choice."
    )


def _held_out_says_no(simple: Yardstick) -> bool:
    """Say whether the remedy is clearly right more often on the held-out rows; False where that is hidden."""
    low = simple.change.interval.low
    return low is not None and low > 0


def simple_plan(finding: RemedyFinding) -> PlainPlan | None:
    """Return a plan of the simple answer to use instead of a remedy: a model and its threshold; None without one."""
    simple = _ahead(finding)
    if simple is None or simple.learner is None or _held_out_says_no(simple):
        return None
    threshold = None if simple.kind == "plain" else simple.threshold
    return PlainPlan.model_validate({"model": simple.learner, "threshold": threshold})


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
