"""What a remedy gains over simple answers, in one sentence and as a table; shared by pages and report."""

from __future__ import annotations

from typing import Any

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    share_text,
    shown,
)
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.number_texts import change_digits, changed_text
from fairaudit.remedies.shared.one_answer_words import one_answer
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Yardstick

TITLE = "Beside simple answers"
PRINTED = ("answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval")
"""The columns that are printed."""
NOT_BETTER = "Little gained over a simple answer"
"""Said of a remedy where a simple answer within the same limit may agree with the outcomes as often."""
WORSE = "Worse than a simple answer"
"""Said of a remedy where a simple answer within the same limit surely agrees with them more often."""
LIMIT_NOTE = (
    "Keeps the limit: on the tuning rows its gaps are no larger than what the remedy is to keep to or, where the "
    "remedy does not, than those of the remedy. Thresholds are chosen on these rows, to agree with the outcomes most "
    "often within it. All other figures are of the held-out rows, where a gap can be larger than the limit."
)


def best_yardstick(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple answer that agrees most often within the limit; None if none keeps to it."""
    return next((each for each in finding.yardsticks if each.is_best), None)


def is_beaten(finding: RemedyFinding) -> bool:
    """Say whether a simple answer within the same limit surely agrees with the outcomes more often."""
    best = best_yardstick(finding)
    return best is not None and best.change.interval.high is not None and best.change.interval.high < 0


def beside_simple(finding: RemedyFinding) -> str:
    """Return that a simple answer may be, or surely is, as good within the same limit; empty where not, or hidden.

    Where that is one answer for all, or nearly so, it is called that.
    """
    best = best_yardstick(finding)
    if best is None or best.change.interval.low is None or best.change.interval.low > 0:
        return ""
    is_worse = is_beaten(finding)
    if same := one_answer(best):
        return f"{'Less' if is_worse else 'Not clearly more'} accurate than {same}"
    return WORSE if is_worse else NOT_BETTER


def gained_sentence(finding: RemedyFinding, *, with_limit: bool = False) -> str:
    """Return what a remedy gains over the best simple answer; empty where there is none, or it is hidden.

    `with_limit` adds what that answer keeps to on the tuning rows.
    """
    best = best_yardstick(finding)
    if best is None or best.change.interval.low is None:
        return ""
    change = best.change
    interval = f"{confidence_text(finding.after.fairness.confidence)} interval {interval_text(change.interval)}"
    simple = brief.whole(best.name, 160)
    kept = f" On the tuning rows that answer keeps {best.limit}." if with_limit and best.limit else ""
    if change.interval.low > 0:
        return (
            f"It agrees with the table's outcomes more often than the best simple answer, {simple}: by "
            f"{changed_text(finding, change, signed=False)} ({interval}).{kept}"
        )
    digits = change_digits(finding, change.before, change.after)
    other, own = (share_text(share, digits=digits) for share in (change.before, change.after))
    balanced = [share_text(each.measure("balanced_accuracy").value) for each in (finding.after, best)]
    n = finding.after.n
    people = "the people" if n is None else f"{count_text(n)} people"
    same = one_answer(best)
    return (
        f"{beside_simple(finding)}. It agrees with the table's outcomes for {own} of {people} it had not seen; "
        f"{same or 'a simple answer'}, {simple}, for {other} (difference {changed_text(finding, change)}, {interval}). "
        f"Balanced accuracy is {balanced[0]} and {balanced[1]}.{kept}"
    )


def _ahead(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple answer that is ahead on the tuning rows, the last of several."""
    return next((each for each in reversed(finding.yardsticks) if each.is_ahead), None)


def _held_out_says_no(simple: Yardstick) -> bool:
    """Say whether the remedy is clearly ahead on the held-out rows; False where that is hidden."""
    low = simple.change.interval.low
    return low is not None and low > 0


def simple_plan(finding: RemedyFinding) -> PlainPlan | None:
    """Return a plan of the simple answer that is ahead of a remedy: a model and its threshold; None without one."""
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
        ColumnSpec("keeps_limit", "keeps the limit on the tuning rows", "text", LIMIT_NOTE),
        ColumnSpec("best", "best of these on the tuning rows", "text", "yes: most accurate within the limit."),
        ColumnSpec("ahead", "ahead on the tuning rows", "text", "yes: more accurate than the remedy, no larger gap."),
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
