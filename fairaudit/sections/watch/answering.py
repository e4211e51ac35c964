"""Watch a gap, as a plan asks for it."""

from __future__ import annotations

from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.watching import GapWatch, watch_gap
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import decision_of, meaning_of, refuse_open_cases, uncounted
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
            favorable=plan.decision.favorable or decision_of(table, plan.decision).favorable,
            protected=asked.protected,
            batches=asked.batches if batch is None else None,
            batch=batch,
            before=before,
            where=asked.where,
            tolerance=asked.tolerance,
            confidence=asked.confidence,
        )
    where, protected = table.condition(asked.where), protected_condition(table, asked.protected)
    named = CheckPlan(protected=asked.protected, protected_name=asked.protected_name, others_name=asked.others_name)
    return WatchFinding(
        plan=asked,
        meaning=meaning_of(table, plan.decision),
        where_words=None if where is None else where.in_words(),
        protected_words=protected.in_words(),
        names=names_of(plan, named, protected),
        result=found,
    )
