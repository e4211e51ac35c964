"""What was asked about two groups, as an answer repeats it."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import ChangeFinding, CheckFinding, ExplanationFinding
from fairaudit.data.table import Table
from fairaudit.measure.controlled import protected_condition
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import ChangePlan, ExplanationPlan
from fairaudit.plan.roles import meaning_of


def protected_text(finding: CheckFinding | ExplanationFinding | ChangeFinding) -> str:
    """Return the protected group as its plan names it, or its condition in words."""
    return finding.plan.protected_name or finding.protected_words


def asked_rows(finding: ExplanationFinding | ChangeFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked, as label and value."""
    return (
        ("Filter", finding.where_words or "all rows"),
        ("Protected group", protected_text(finding)),
        (finding.decision.kind.label, finding.meaning),
    )


def asked_words(table: Table, plan: AuditPlan, asked: ExplanationPlan | ChangePlan) -> dict[str, Any]:
    """Return what an answer says of its question."""
    where, protected = table.condition(asked.where), protected_condition(table, asked.protected)
    return {
        "meaning": meaning_of(table, plan.decision),
        "where_words": None if where is None else where.in_words(),
        "protected_words": protected.in_words(),
    }
