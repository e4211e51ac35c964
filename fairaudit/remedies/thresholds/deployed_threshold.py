"""The threshold in use: the score from which on another column of the table says something else.

Scores of all rows set the value, of those that are held out, too. No outcome does: it says what the tool does now, and
nothing of how well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.measure.bands import roundest_number
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.roles import outcome_of

FlaggedValue = Callable[[str, tuple[object, object]], object]
"""Says by which of both values of a column people are flagged; None where the column is no flag, or it is not known."""


@dataclass(frozen=True)
class ThresholdInUse:
    """The roundest score that separates all rows as a column does.

    `below` and `above` are what the column has for lower scores, and from the score on; both None where the sides are
    no two values.
    """

    column: str
    score: float
    below: object = None
    above: object = None


def threshold_in_use(table: Table, plan: AuditPlan, flagged_value: FlaggedValue) -> ThresholdInUse | None:
    """Return the score that separates what a plan predicts or, without a prediction there, a column that flags people.

    People are flagged from it on where a higher score is worse, and below it where it is better; the reverse is not
    returned. None where there is no such column, where several do so at different scores, and where the data stay in a
    database.
    """
    score = plan.score
    if score is None or table.is_connected or table.column(score.column).kind != "number":
        return None
    if plan.prediction is not None:
        return _predicted(table, score.column, plan.prediction, is_good_above=score.higher_is_favorable)
    found = []
    for column in table.columns:
        values = None if column in (plan.decision.column, score.column) else _two_values(table, column)
        flagged = None if values is None else flagged_value(column, values)
        if values is None or flagged is None:
            continue
        clear = values[1] if flagged == values[0] else values[0]
        below, above = (flagged, clear) if score.higher_is_favorable else (clear, flagged)
        sides = (Condition.equals(column, value, table.columns) for value in (below, above))
        if (at := _separating_score(table, score.column, *sides)) is not None:
            found.append(ThresholdInUse(column, at, below, above))
    return found[0] if len({each.score for each in found}) == 1 else None


def _predicted(table: Table, score: str, prediction: OutcomePlan, *, is_good_above: bool) -> ThresholdInUse | None:
    """Return the score that separates what is predicted, with its good side where higher scores are better or worse."""
    good = outcome_of(table, prediction).condition
    at = _separating_score(table, score, *((~good, good) if is_good_above else (good, ~good)))
    if at is None:
        return None
    values, named = _two_values(table, prediction.column), {str(value) for value in prediction.favorable}
    if values is None or len(named.intersection(map(str, values))) != 1:
        return ThresholdInUse(prediction.column, at)
    below, above = sorted(values, key=lambda value: (str(value) in named) is is_good_above)
    return ThresholdInUse(prediction.column, at, below, above)


def _two_values(table: Table, column: str) -> tuple[object, object] | None:
    """Return the values of a column of two, where each has enough rows."""
    if table.column(column).is_day or len([v for v in table.common_values(column) if v is not None]) != 2:
        return None
    counted = table.values(column, limit=3).dropna()
    if counted["n"].min() < ENOUGH:
        return None
    one, other = counted["value"].tolist()
    return one, other


def _separating_score(table: Table, score: str, lower: Condition, upper: Condition) -> float | None:
    """Return the roundest score above all of the lower rows and up to all of the upper ones; None where they overlap.

    It is no score of one person where a rounder number separates the rows, too.
    """
    below, at = table.column_range(score, where=lower)[1], table.column_range(score, where=upper)[0]
    if below is None or at is None or not (math.isfinite(below) and math.isfinite(at)) or below >= at:
        return None
    return -float(roundest_number(-float(at), -float(below)))
