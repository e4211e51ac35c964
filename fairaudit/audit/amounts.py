"""Answer one question of a plan whose decision is an amount."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairaudit.audit.asking import Question
from fairaudit.audit.result import AmountFinding
from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import averaging_sql
from fairaudit.data.table import Table, as_table
from fairaudit.errors import GroupError
from fairaudit.findings import Message
from fairaudit.measure import check_group_means, check_mean_strata, check_means, check_similar
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.not_known import columns_not_known
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.measure.spellings import apart_warnings
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import amount_of, uncounted


def run_amount(table: Table, plan: AuditPlan, check: CheckPlan) -> AmountFinding:
    """Compare amounts for one question, with its groups, strata and similar people."""
    table = as_table(table)
    amount = amount_of(table, plan.decision)
    question = Question(table, plan, check)
    protected, where = question.protected, question.where
    looked_at = {"decision": amount.column, "where": where}
    settings: dict[str, Any] = {**looked_at, "tolerance": check.amount_tolerance, "confidence": check.confidence}
    with uncounted(plan):
        result = check_means(table, **settings, protected=protected)
    result = replace(result, warnings=(*result.warnings, *apart_warnings(table, (protected,), where=where)))
    return AmountFinding(
        plan=check,
        decision=plan.decision,
        meaning=amount.meaning,
        result=result,
        groups=question.groups(check_group_means, **settings),
        strata=question.strata(_mean_strata, **settings),
        similar=_similar(question, looked_at, plan.seed),
        sql=averaging_sql(table, amount.column, protected, where),
        not_known=(
            *result.not_known,
            *columns_not_known(
                table,
                question.own_columns,
                where=where,
                decision=Condition.equals(amount.column, 0, table.columns),
            ),
        ),
        **question.words,
    )


def _mean_strata(table: Table, **question: Any) -> StratifiedMeans:
    """Compare means inside strata, of which one must hold both groups."""
    found = check_mean_strata(table, **question)
    if not found.strata:
        raise GroupError("No stratum holds both groups.")
    return found


def _similar(question: Question, looked_at: dict[str, Any], seed: int) -> SimilarAmounts | None:
    """Compare people who are similar; None where the plan does not say who is, or that cannot be done."""
    columns = question.check.similar_by
    if not columns:
        return None
    if question.table.is_connected:
        question.not_compared.append(say(Message("check-not-compared-stay", question.similar_columns)))
        return None
    reason = say(Message("check-not-compared-similar", question.similar_columns))
    given: dict[str, Any] = {"protected": question.protected, "columns": columns, "random_state": seed}
    return question.tried(check_similar, columns, reason, **looked_at, **given)
