"""What the roles of a plan mean in a table, and what a plan keeps out of messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from fairaudit.conditions import Condition
from fairaudit.data.engine import quoted
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.data.texts_of_numbers import words_among_numbers
from fairaudit.errors import FairauditError, GroupError, InputError, quote
from fairaudit.measure.open_cases import refuse_open_times
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

Outcomes = TypeVar("Outcomes", OutcomePlan, OutcomePlan | None)
Asking = TypeVar("Asking", CheckPlan, ModelsPlan)

MOST: Final = 1e150
"""The largest amount, without its sign."""


@dataclass(frozen=True)
class Decision:
    """A decision, read for a table.

    Parameters
    ----------
    column : str
        Its column.
    meaning : str
        The favourable result, or the amount, in words.
    favorable : Condition or None
        What counts as the favourable result; None where the decision is an amount.
    """

    column: str
    meaning: str
    favorable: Condition | None


def decision_of(table: Table, outcome: OutcomePlan) -> Decision:
    """Make a decision of a plan ready for a table, whatever its kind."""
    if outcome.kind.has_good_outcome:
        made = outcome_of(table, outcome)
        return Decision(made.column, made.meaning, made.condition)
    check_amounts(table, outcome)
    return Decision(outcome.column, outcome.meaning or outcome.column, None)


def check_amounts(table: Table, outcome: OutcomePlan) -> None:
    """Refuse an amount of a plan whose column does not hold numbers that can be added up."""
    kind = table.column(outcome.column).kind
    if kind != "number":
        words = words_among_numbers(table, outcome.column) if kind == "text" else []
        pairs = " ".join(f"--not-known {quote(f'{outcome.column}={each}')}" for each in words)
        in_python = f"not_known={{{quote(outcome.column)}: {words}}}"
        raise InputError(
            f"The decision {quote(outcome.column)} is to be an amount, but the column holds {kind} values.",
            hint=f"If these mean that it is not known, say so: {pairs}, or in Python {in_python}, or in a plan "
            "under [data.not_known]."
            if words
            else "Choose a column of numbers, or say which values are a favourable result.",
        )
    # Squares of larger numbers leave the range of floats; an empty column has no ends, and is refused where it is used.
    if any(end is not None and not abs(end) <= MOST for end in table.column_range(outcome.column)):
        raise InputError(
            f"The decision {quote(outcome.column)} is to be an amount, but holds endless or undefined numbers, or some "
            f"beyond {MOST:g}.",
            hint="Leave these rows out, or say which values are a favourable result.",
        )


def outcome_of(table: Table, outcome: OutcomePlan) -> Outcome:
    """Make an outcome of a plan ready for a table: its condition, checked, and what it means in words."""
    if not outcome.kind.has_good_outcome:
        raise InputError(
            f"The decision {quote(outcome.column)} is an amount, and this needs one with a favourable result.",
            hint="Say which values are a favourable result, or from which amount on it is one.",
        )
    when = outcome.favorable_when
    favorable = Condition.parse(when, table.columns) if when else outcome.favorable
    made = make_outcome(table, outcome.column, favorable)
    if outcome.meaning is not None:
        made = replace(made, meaning=outcome.meaning, other_meaning=f'not "{outcome.meaning}"')
    return made if outcome.other_meaning is None else replace(made, other_meaning=outcome.other_meaning)


def judged_outcome(table: Table, plan: AuditPlan) -> Outcome:
    """Make a plan's decision ready as :func:`outcome_of`, and name the other outcome by its value where there are two.

    Where small counts are hidden it is not named: that there is no third value would say that nobody has it.
    """
    outcome = outcome_of(table, plan.decision)
    listed, own_words = outcome.condition.listed, (~outcome.condition).in_words()
    if plan.small_cells.mask or listed is None or len(listed[1]) > 1 or outcome.other_meaning != own_words:
        return outcome
    values = [value for value in table.common_values(outcome.column) if value is not None]
    others = [value for value in values if value != listed[1][0]]
    if (len(values), len(others)) != (2, 1):
        return outcome
    return replace(outcome, other_meaning=Condition.equals(outcome.column, others[0], table.columns).in_words())


def prediction_of(table: Table, plan: AuditPlan) -> Condition | None:
    """Return the condition under which a row is predicted to have the good outcome, or None.

    The plan's prediction column comes first; else its score with a cut, see ``plan.score``.
    """
    if plan.prediction is not None:
        return outcome_of(table, plan.prediction).condition
    if plan.score is None or plan.score.cut is None:
        return None
    operator = ">=" if plan.score.higher_is_favorable else "<"
    return Condition.parse(f"{quoted(plan.score.column)} {operator} {plan.score.cut!r}", table.columns)


@contextmanager
def uncounted(plan: AuditPlan) -> Iterator[None]:
    """Leave the counts out of a message where the plan hides small ones."""
    try:
        yield
    except GroupError as error:
        if not plan.small_cells.mask:
            raise
        raise GroupError(error.uncounted, uncounted=error.uncounted, hint=error.hint) from None


def in_labels(plan: AuditPlan, table: Table) -> AuditPlan:
    """Return the plan with the labels of its columns in place of codes, wherever sentences take values from it."""
    if not any(column.labels for column in table.columns.values()):
        return plan
    said: dict[str, object] = {
        name: outcome_in_labels(getattr(plan, name), table) for name in ("decision", "prediction")
    }
    said["checks"] = tuple(_groups_in_labels(check, table) for check in plan.checks)
    said["models"] = plan.models and _groups_in_labels(plan.models, table)
    return plan.model_copy(update={**said, "names": _names_in_labels(plan.names, table)})


def _groups_in_labels(part: Asking, table: Table) -> Asking:
    """Return a part of a plan whose condition on the protected group names labels."""
    try:
        condition = table.condition(part.protected or None)
    except FairauditError:
        # What is wrong with it is said where it is used.
        return part
    if condition is None or not any(table.columns[name].labels for name in condition.columns):
        return part
    return part.model_copy(update={"protected": str(condition)})


def outcome_in_labels(outcome: Outcomes, table: Table) -> Outcomes:
    """Return a decision or prediction whose favourable values are the labels of its column; others as they are."""
    column = None if outcome is None else table.columns.get(outcome.column)
    if outcome is None or column is None or not column.labels:
        return outcome
    said: dict[str, object] = {"favorable": tuple(column.labelled(value) for value in outcome.favorable)}
    if outcome.favorable_when is not None:
        said["favorable_when"] = str(Condition.parse(outcome.favorable_when, table.columns))
    return outcome.model_copy(update=said)


def _names_in_labels(names: NamesPlan, table: Table) -> NamesPlan:
    """Return names of groups and values by the labels of their columns, where the plan gives them by code."""
    said: dict[str, object] = {}
    for field in ("groups", "values"):
        by_column = getattr(names, field).items()
        labelled = ((name, table.columns.get(name), own) for name, own in by_column)
        said[field] = {
            name: own if column is None else {str(column.labelled(value)): text for value, text in own.items()}
            for name, column, own in labelled
        }
    return names.model_copy(update=said)


def refuse_open_cases(table: Table, plan: AuditPlan, where: Condition | str | None) -> None:
    """Refuse a decision that is a time of which some cases seem to be open: what asks can count closed ones alone."""
    if not plan.decision.kind.has_good_outcome:
        refuse_open_times(table, plan.decision.column, where)


def meaning_of(table: Table, outcome: OutcomePlan) -> str:
    """Return the good outcome, or the amount, in words."""
    return decision_of(table, outcome).meaning
