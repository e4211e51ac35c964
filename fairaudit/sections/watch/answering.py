"""Watch a gap, as a plan asks for it."""

from __future__ import annotations

from fairaudit.conditions import Condition
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.measure.watching import GapWatch, watch_gap
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import decision_of, refuse_open_cases, uncounted
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.plan import WatchPlan


def run_watch(
    table: Table, plan: AuditPlan, asked: WatchPlan, *, batch: str | None = None, before: GapWatch | None = None
) -> WatchFinding:
    """Watch a gap over the batches of a table, or over all of it as one `batch`, after those `before`."""
    table = as_table(table)
    refuse_open_cases(table, plan, asked.where)
    with uncounted(plan):
        found = watch_gap(
            table,
            decision=plan.decision.column,
            favorable=_favorable(table, plan.decision),
            protected=asked.protected,
            batches=asked.batches if batch is None else None,
            batch=batch,
            before=before,
            where=asked.where,
            tolerance=asked.tolerance,
            confidence=asked.confidence,
        )
    # A table of no rows has columns of no kinds.
    known = table if table.n_rows else list(table.columns)
    where = None if asked.where is None else Condition.parse(asked.where, known)
    protected = Condition.parse(asked.protected, known)
    made = Condition.parse(found.question.favorable, known).in_words()
    named = CheckPlan(protected=asked.protected, protected_name=asked.protected_name, others_name=asked.others_name)
    return WatchFinding(
        plan=asked,
        meaning=plan.decision.meaning or made,
        where_words=None if where is None else where.in_words(),
        protected_words=protected.in_words(),
        names=names_of(plan, named, protected),
        result=found,
    )


def _favorable(table: Table, decision: OutcomePlan) -> object:
    """Return the favourable values, or the condition of the favourable result, which a batch may lack."""
    if decision.favorable_when is None or not decision.kind.has_good_outcome:
        return decision.favorable or decision_of(table, decision).favorable
    return Condition.parse(decision.favorable_when, table if table.n_rows else list(table.columns))
