"""Simple rules beside a remedy: which does better, which can be reported too, and all of them as a table."""

from __future__ import annotations

from typing import Any

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Yardstick

TITLE = "Simple rules"
PRINTED = ("answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval")
"""The columns that are printed."""


def best_yardstick(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple rule that agrees most often within the limit on the tuning rows; None if none keeps to it."""
    return next((each for each in finding.yardsticks if each.is_best), None)


def better_simple_rule(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple rule that does better on the test cases; None where none does, or that is hidden.

    It surely agrees with the decisions more often, and its gaps are within the limit and no larger than the remedy's.
    """
    best = best_yardstick(finding)
    if best is None or not best.holds_in_test or best.change.interval.high is None:
        return None
    return best if best.change.interval.high < 0 else None


def simple_plan(finding: RemedyFinding) -> PlainPlan | None:
    """Return a plan of the simple rule that is ahead of a remedy: a model and its threshold; None without one."""
    simple = next((each for each in reversed(finding.yardsticks) if each.is_ahead), None)
    if simple is None or simple.learner is None:
        return None
    low = simple.change.interval.low
    if low is not None and low > 0:
        return None
    threshold = None if simple.kind == "plain" else simple.threshold
    return PlainPlan.model_validate({"model": simple.learner, "threshold": threshold})


def yardsticks_table(finding: RemedyFinding, number: int) -> list[Table]:
    """Return one row for each simple rule, on the test cases; no table of a plain model."""
    if not finding.yardsticks:
        return []
    columns = (
        ColumnSpec("kind", "field", "code", "Which rule."),
        ColumnSpec("answer", "simple rule", "text", "The same in words."),
        ColumnSpec("keeps_limit", "keeps the limit when tuned", "text", "On the tuning cases, by which it is chosen."),
        ColumnSpec("best", "best when tuned", "text", "yes: of those within the limit right most often."),
        ColumnSpec("ahead", "ahead when tuned", "text", "yes: right more often than the remedy, with no larger gap."),
        ColumnSpec("threshold", "threshold", "number", "The favourable result is predicted from it on.", digits=3),
        ColumnSpec("accuracy", "accuracy", "share", "How often it is right on the test cases."),
        ColumnSpec("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        ColumnSpec(
            "gap", "gap, points", "points", "Protected group minus everyone else, on the test cases.", turns=True
        ),
        ColumnSpec("tpr_gap", "gap in TPR, points", "size", "True positive rates: largest minus smallest."),
        ColumnSpec("fpr_gap", "gap in FPR, points", "size", "False positive rates: largest minus smallest."),
        ColumnSpec("gained", "gained, points", "points", "Accuracy of the remedy minus that of this rule."),
        ColumnSpec("gained_interval", "its range", "points_interval", "Both on the same test cases."),
    )
    rows = tuple(_row(each) for each in finding.yardsticks)
    return [Table(f"remedy_{number}_yardsticks", TITLE, columns, rows)]


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
