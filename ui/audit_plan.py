"""The choices of a session as a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.plan import AuditPlan, CheckPlan, DataPlan
from fairaudit.plan.amounts import goes_with

if TYPE_CHECKING:
    from ui.state import AuditState


def make_plan(state: AuditState) -> AuditPlan:
    """Return the audit as a plan, without what does not go with the kind of its decision.

    Parameters
    ----------
    state : AuditState
        With a table and a decision.

    Returns
    -------
    AuditPlan
        Not bound to the table; a choice that is left out stays in the session, should the decision change back.
    """
    amount = state.decision.amount
    kept = state.remedies if state.models is not None else ()
    return AuditPlan(
        data=_data_plan(state),
        decision=state.decision,
        prediction=state.prediction,
        score=state.score,
        protected_columns=state.protected_columns,
        checks=tuple(_fitting(e.plan, amount) for e in state.checks if e.in_report and e.plan.protected),
        errors=tuple(state.errors) if state.errors_in_report and not amount else (),
        models=state.models,
        presets=tuple(state.presets),
        remedies=tuple(e.plan for e in kept if e.in_report and goes_with(e.plan, amount=amount)),
        small_cells=state.small_cells,
        report=state.report,
        seed=state.seed,
    )


def _data_plan(state: AuditState) -> DataPlan:
    facts = state.table.connection
    if facts is None:
        return DataPlan(source=state.source, name=state.table.name)
    where = {"connection": facts.connection, "table": facts.table, "query": facts.query}
    return DataPlan(source=state.source, name=state.table.name, **where)


def _fitting(check: CheckPlan, amount: bool) -> CheckPlan:
    return check if amount else check.model_copy(update={"amount_tolerance": None, "similar_by": ()})
