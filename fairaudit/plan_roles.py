"""What the roles of a plan mean in a table, and what a plan keeps out of messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fairaudit.conditions import Condition
from fairaudit.counting_sql import identifier
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.errors import GroupError
from fairaudit.plan import AuditPlan, OutcomePlan


def outcome_of(table: Table, outcome: OutcomePlan) -> Outcome:
    """Make an outcome of a plan ready for a table: its condition, checked, and its meaning in words.

    Parameters
    ----------
    table : Table
        The data.
    outcome : OutcomePlan
        A column and what is a good outcome in it.

    Returns
    -------
    Outcome
        With the plan's words for the meaning, where it has any.

    Raises
    ------
    InputError
        If the column, the values or the condition do not fit the data.
    """
    favorable = outcome.favorable or Condition.parse(outcome.favorable_when, table.columns)
    made = make_outcome(table, outcome.column, favorable)
    return made if outcome.meaning is None else replace(made, meaning=outcome.meaning)


def prediction_of(table: Table, plan: AuditPlan) -> Condition | None:
    """Return the condition under which a row is predicted to have the good outcome, or None.

    The plan's prediction column comes first; else its score with a cut, see :class:`~fairaudit.plan.ScorePlan`.

    Parameters
    ----------
    table : Table
        The data.
    plan : AuditPlan
        With a prediction, a score or neither.

    Returns
    -------
    Condition or None
        True where the good outcome is predicted.

    Raises
    ------
    InputError
        If a column or value does not fit the data.
    """
    if plan.prediction is not None:
        return outcome_of(table, plan.prediction).condition
    if plan.score is None or plan.score.cut is None:
        return None
    operator = ">=" if plan.score.higher_is_favorable else "<"
    return Condition.parse(f"{identifier(plan.score.column)} {operator} {plan.score.cut!r}", table.columns)


@contextmanager
def uncounted(plan: AuditPlan) -> Iterator[None]:
    """Leave the counts out of a message where the plan hides small ones.

    Parameters
    ----------
    plan : AuditPlan
        Says whether small counts are hidden.

    Raises
    ------
    GroupError
        What was raised inside, without its counts where the plan hides them.
    """
    try:
        yield
    except GroupError as error:
        if not plan.small_cells.mask:
            raise
        raise GroupError(error.uncounted, uncounted=error.uncounted, hint=error.hint) from None
