"""From which score on a column of the table says something else: then that score is where the line is drawn now."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import outcome_of


@dataclass(frozen=True)
class ThresholdInUse:
    """The smallest score of all rows on the upper side, and the column that the two sides are exactly."""

    column: str
    score: float


def threshold_in_use(table: Table, plan: AuditPlan) -> ThresholdInUse | None:
    """Return the score that parts what a plan predicts or, where it names no prediction, a column of two values.

    None where there is no such column, where several part at different scores, and where the data stay in a database.
    """
    score = plan.score
    if score is None or table.is_connected or table.column(score.column).kind != "number":
        return None
    if plan.prediction is not None:
        good = outcome_of(table, plan.prediction).condition
        sides = (~good, good) if score.higher_is_favorable else (good, ~good)
        found = _parting(table, score.column, *sides)
        return None if found is None else ThresholdInUse(plan.prediction.column, found)
    parted = [
        ThresholdInUse(column, at)
        for column in table.columns
        if column not in (plan.decision.column, score.column)
        for one, other in _sides(table, column)
        if (at := _parting(table, score.column, one, other)) is not None
    ]
    return parted[0] if len({found.score for found in parted}) == 1 else None


def _sides(table: Table, column: str) -> list[tuple[Condition, Condition]]:
    """Return the rows of either value of a column of two, in both orders; nothing for other columns."""
    if table.column(column).is_day or len([v for v in table.common_values(column) if v is not None]) != 2:
        return []
    counted = table.values(column, limit=3).dropna()
    if counted["n"].min() < ENOUGH:
        return []
    one, other = (Condition.equals(column, value, table.columns) for value in counted["value"])
    return [(one, other), (other, one)]


def _parting(table: Table, score: str, lower: Condition, upper: Condition) -> float | None:
    """Return the smallest score of the upper rows, where it is above all of the lower ones."""
    below, at = table.column_range(score, where=lower)[1], table.column_range(score, where=upper)[0]
    return float(at) if below is not None and at is not None and below < at else None
