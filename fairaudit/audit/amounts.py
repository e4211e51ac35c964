"""Answer one question of a plan whose decision is an amount."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairaudit.audit.result import AmountFinding
from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import averaging_sql
from fairaudit.data.table import Table, as_table
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure import check_group_means, check_mean_strata, check_means, check_similar
from fairaudit.measure.not_known import groups_not_known
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import amount_of, uncounted


def run_amount(table: Table, plan: AuditPlan, check: CheckPlan) -> AmountFinding:
    """Compare amounts for one question, with its groups, strata and similar people."""
    table = as_table(table)
    amount = amount_of(table, plan.decision)
    protected = table.condition(check.protected)
    if protected is None:
        raise InputError(
            "'protected' of a check is empty.", hint="Write a condition that says who is in the protected group."
        )
    where = table.condition(check.where)
    looked_at = {"decision": amount.column, "where": where}
    settings = {"tolerance": check.amount_tolerance, "confidence": check.confidence}
    with uncounted(plan):
        result = check_means(table, **looked_at, **settings, protected=protected)
    not_compared: list[str] = []

    def tried(ask: Callable[..., Any], reason: str, **question: Any) -> Any:
        try:
            return ask(table, **looked_at, **question)
        except GroupError:
            not_compared.append(reason)
            return None

    groups = [
        tried(
            check_group_means,
            f"{_names(columns)}: there are {_too_few(check.reference if position == 0 else None)} among the rows "
            "looked at.",
            **settings,
            columns=columns,
            reference=check.reference if position == 0 else None,
            min_count=check.min_count,
        )
        for position, columns in enumerate(check.compare)
    ]
    strata = similar = None
    if check.strata:
        reason = f"Inside {_names(check.strata)}: no stratum holds both groups."
        strata = tried(check_mean_strata, reason, **settings, protected=protected, strata=check.strata)
        if strata is not None and not strata.strata:
            not_compared.append(reason)
            strata = None
    if check.similar_by and table.is_connected:
        not_compared.append(
            f"People similar in {_names(check.similar_by)}: this needs rows, but they stay in the database."
        )
    elif check.similar_by:
        reason = f"People similar in {_names(check.similar_by)}: there are too few of both groups."
        similar = tried(check_similar, reason, protected=protected, columns=check.similar_by, random_state=plan.seed)
    return AmountFinding(
        plan=check,
        decision=plan.decision,
        meaning=amount.meaning,
        result=result,
        groups=tuple(each for each in groups if each is not None),
        strata=strata,
        similar=similar,
        where_words=None if where is None else where.in_words(),
        protected_words=protected.in_words(),
        sql=averaging_sql(table, amount.column, protected, where),
        not_compared=tuple(not_compared),
        not_known=groups_not_known(
            table,
            protected,
            sizes=(result.protected.n, result.reference.n),
            where=where,
            decision=Condition.equals(amount.column, 0, table.columns),
        ),
    )


def _too_few(reference: str | None) -> str:
    return "fewer than two groups" if reference is None else f"fewer than two groups, or no {quote(reference)},"


def _names(columns: tuple[str, ...]) -> str:
    return " and ".join(quote(column, limit=60) for column in columns)
