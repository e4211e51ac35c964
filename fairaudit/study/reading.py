"""Read the rows that models learn from and are judged on, by the kind of the decision."""

from __future__ import annotations

from fairaudit.data.code_columns import refuse_open_codes
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.columns import feature_columns
from fairaudit.study.rows import Study

STUDIES: dict[OutcomeKind, type[Study] | type[AmountStudy]] = {SHARES: Study, AMOUNTS: AmountStudy}


def study_of(table: Table, plan: AuditPlan) -> Study | AmountStudy:
    """Read the rows of a table for the models of a plan; refuse features that may be codes, until somebody says so."""
    table = as_table(table)
    if plan.models is not None:
        refuse_open_codes(table, feature_columns(table, plan, plan.models))
    return STUDIES[plan.decision.kind].of(table, plan)
