"""Answer what explains a gap."""

from __future__ import annotations

from fairaudit.audit.result import ExplanationFinding
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.findings.names import Names
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.explain import Proxies, explain_gap, find_proxies
from fairaudit.measure.explain.proxies import proxy_columns
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.questions import CheckPlan, ExplanationPlan
from fairaudit.plan.roles import decision_of, refuse_open_cases, uncounted
from fairaudit.sections.asked import asked_words


def run_explanation(table: Table, plan: AuditPlan, asked: ExplanationPlan) -> ExplanationFinding:
    """Answer what explains a gap and, where that is asked, how well columns stand in for the group."""
    table = as_table(table)
    refuse_open_cases(table, plan, asked.where)
    with uncounted(plan):
        result = explain_gap(
            table,
            decision=plan.decision.column,
            favorable=decision_of(table, plan.decision).favorable,
            protected=asked.protected,
            controls=[control.column for control in asked.controls],
            where=asked.where,
            method=asked.method,
            reference=asked.reference,
            model=asked.model,
            cluster=asked.cluster,
            confidence=asked.confidence,
            random_state=plan.seed,
        )
    return ExplanationFinding(
        plan=asked,
        decision=plan.decision,
        result=result,
        names=_names(table, plan, asked),
        proxies=run_proxies(table, plan, asked) if asked.proxies else None,
        **asked_words(table, plan, asked),
    )


def run_proxies(table: Table, plan: AuditPlan, asked: ExplanationPlan) -> Proxies:
    """Answer how well each column stands in for the group, but those that models of the data made."""
    table = as_table(table)
    protected = protected_condition(table, asked.protected)
    left_out = {plan.decision.column, asked.cluster, *protected.columns}
    left_out |= {part.column for part in (plan.prediction, plan.score) if part is not None}
    with uncounted(plan):
        return find_proxies(
            table,
            decision=plan.decision.column,
            favorable=decision_of(table, plan.decision).favorable,
            protected=protected,
            columns=proxy_columns(table, left_out),
            where=asked.where,
            cluster=asked.cluster,
            confidence=asked.confidence,
            random_state=plan.seed,
        )


def _names(table: Table, plan: AuditPlan, asked: ExplanationPlan) -> Names:
    """Return what the groups and the decision are called: as here or, without that, in the check of the same people."""
    key = (asked.where, asked.protected)
    check = next((check for check in plan.checks if (check.where, check.protected) == key), None)
    columns = tuple(control.column for control in asked.controls)
    called = CheckPlan(
        where=asked.where,
        protected=asked.protected,
        protected_name=asked.protected_name or (None if check is None else check.protected_name),
        others_name=asked.others_name or (None if check is None else check.others_name),
        strata=columns,
        # What a check has put into bands is alike there, and the same nowhere.
        strata_cuts={name: cuts for name, cuts in (check.strata_cuts if check else {}).items() if name in columns},
    )
    return names_of(plan, called, protected_condition(table, asked.protected))
