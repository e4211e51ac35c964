"""Where it is worst, as a plan asks it."""

from __future__ import annotations

from collections.abc import Generator

from fairaudit.audit.follow_ups import Sources
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.data.table import Table, as_table
from fairaudit.events import Command, Event, Finished
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.plan.roles import amount_of, meaning_of, outcome_of, prediction_of, uncounted
from fairaudit.subgroups.finding import iter_subgroups
from fairaudit.subgroups.measures import RATES


def outcome_columns(plan: AuditPlan) -> set[str]:
    """Return the columns of the decision, the prediction and the score, which no subgroup names."""
    return {part.column for part in (plan.decision, plan.prediction, plan.score) if part is not None}


def iter_answer(
    table: Table, plan: AuditPlan, search: SubgroupsPlan, sources: Sources
) -> Generator[Event, Command | None, None]:
    """Answer one search of a plan; it needs no other sources."""
    return iter_search(table, plan, search)


def iter_search(table: Table, plan: AuditPlan, search: SubgroupsPlan) -> Generator[Event, Command | None, None]:
    """Answer one search of a plan, yielding events; the work of a search is limited, so no clock is asked."""
    table = as_table(table)
    amounts = not plan.decision.kind.has_good_outcome
    if amounts:
        amount_of(table, plan.decision)
    prediction = prediction_of(table, plan)
    measure = search.measure or ("mean" if amounts else "selection")
    outcomes = outcome_columns(plan)
    columns = search.columns or tuple(name for name in table.columns if name not in outcomes)
    events = iter_subgroups(
        table,
        decision=plan.decision.column,
        favorable=None if amounts else outcome_of(table, plan.decision).condition,
        columns=columns,
        protected=search.protected or None,
        prediction=prediction if measure in RATES else None,
        measure=measure,
        max_conditions=search.max_conditions,
        min_rows=search.min_rows,
        direction=search.direction,
        search_fraction=search.search_fraction,
        confidence=search.confidence,
        random_state=plan.seed,
        where=search.where,
        positive=plan.positive,
    )
    command = None
    with uncounted(plan):
        while True:
            try:
                event = events.send(command)
            except StopIteration:
                return
            if isinstance(event, Finished):
                where = table.condition(search.where)
                words = None if where is None else where.in_words()
                event = Finished(SubgroupsFinding(search, meaning_of(table, plan.decision), words, event.result))
            command = yield event
