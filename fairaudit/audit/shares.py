"""Answer one question of a plan whose decision has a good outcome."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairaudit.audit.asking import Question
from fairaudit.audit.result import CheckFinding
from fairaudit.data.counting_sql import counting_sql
from fairaudit.data.table import Table, as_table
from fairaudit.measure import check_controlled_fairness, check_groups, check_strata
from fairaudit.measure.not_known import columns_not_known
from fairaudit.measure.spellings import apart_warnings
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import outcome_of, uncounted


def run_check(table: Table, plan: AuditPlan, check: CheckPlan) -> CheckFinding:
    """Answer one controlled-fairness question, with its groups and strata."""
    table = as_table(table)
    outcome = outcome_of(table, plan.decision)
    question = Question(table, plan, check)
    protected, where = question.protected, question.where
    settings: dict[str, Any] = {
        "decision": outcome.column,
        "favorable": outcome.condition,
        "where": where,
        "tolerance": check.tolerance,
        "confidence": check.confidence,
        "cluster": check.cluster,
    }
    with uncounted(plan):
        result = check_controlled_fairness(table, **settings, protected=protected)
    apart = apart_warnings(table, (protected, outcome.condition), where=where)
    result = replace(result, warnings=(*result.warnings, *apart))
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=outcome.meaning,
        result=result,
        groups=question.groups(check_groups, **settings),
        strata=question.strata(check_strata, **settings),
        sql=counting_sql(table, outcome.condition, protected, where),
        not_known=(
            *result.not_known,
            *columns_not_known(table, question.own_columns, where=where, decision=outcome.condition),
        ),
        **question.words,
    )
