"""Values of a plan's outcome that say that it is not known."""

from __future__ import annotations

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.measure.not_known import NotKnown, amounts_not_known, decisions_not_known
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.roles import outcome_of


def outcome_not_known(table: Table, outcome: OutcomePlan, where: Condition | None) -> tuple[NotKnown, ...]:
    """Return what is not known in the column of a decision, an amount or a prediction."""
    if not outcome.kind.has_good_outcome:
        return amounts_not_known(table, outcome.column, where=where)
    return decisions_not_known(table, outcome_of(table, outcome), where=where)
