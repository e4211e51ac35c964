"""Values that say that something is not known, where answers do not name them themselves: errors and follow-ups."""

from __future__ import annotations

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.measure.not_known import (
    NotKnown,
    amounts_not_known,
    columns_not_known,
    decisions_not_known,
    groups_not_known,
)
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.follow_ups import ChangePlan, ExplanationPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ErrorsPlan, SubgroupsPlan
from fairaudit.plan.roles import outcome_of

Question = ErrorsPlan | SubgroupsPlan | ExplanationPlan | ChangePlan


def follow_ups_not_known(table: Table, plan: AuditPlan) -> tuple[NotKnown, ...]:
    """Return what is not known in the errors and follow-ups of a plan, each once."""
    found: dict[tuple, NotKnown] = {}
    questions: tuple[Question, ...] = (*plan.errors, *plan.subgroups, *plan.explanations, *plan.changes)
    for question in questions:
        for part in question_not_known(table, plan, question):
            found.setdefault((part.column, part.values, part.counted), part)
    return tuple(found.values())


def question_not_known(table: Table, plan: AuditPlan, question: Question) -> tuple[NotKnown, ...]:
    """Return what is not known of groups, decision and prediction in one question."""
    where = table.condition(question.where)
    found = list(outcome_not_known(table, plan.decision, where))
    if isinstance(question, ErrorsPlan):
        found += [] if plan.prediction is None else outcome_not_known(table, plan.prediction, where)
        found += columns_not_known(table, question.by, where=where)
    elif isinstance(question, SubgroupsPlan):
        found += columns_not_known(table, question.protected, where=where)
    else:
        protected = table.condition(question.protected)
        found += [] if protected is None else groups_not_known(table, protected, sizes=(0, 0), where=where)
    return tuple(found)


def outcome_not_known(table: Table, outcome: OutcomePlan, where: Condition | None) -> tuple[NotKnown, ...]:
    """Return what is not known in the column of a decision, an amount or a prediction."""
    if not outcome.kind.has_good_outcome:
        return amounts_not_known(table, outcome.column, where=where)
    return decisions_not_known(table, outcome_of(table, outcome), where=where)
