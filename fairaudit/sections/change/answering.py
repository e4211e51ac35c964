"""Answer whether a gap changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from fairaudit.audit.result import ChangeFinding
from fairaudit.columns import ReadOptions
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.errors import FingerprintError, quote, require
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.period_questions import Span
from fairaudit.measure.periods import compare_spans, compare_two, spans_of
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import fits, open_data, read_alike
from fairaudit.plan.names import names_of
from fairaudit.plan.questions import ChangePlan
from fairaudit.plan.roles import decision_of, refuse_open_cases, uncounted
from fairaudit.sections.asked import asked_words


def run_change(
    table: Table,
    plan: AuditPlan,
    asked: ChangePlan,
    *,
    base: str | Path | None = None,
    second: Table | pd.DataFrame | None = None,
    ignore_fingerprint: bool = False,
) -> ChangeFinding:
    """Answer whether a gap changed; `second` is the second table, where it is open already."""
    table = as_table(table)
    settings: dict[str, Any] = {
        "decision": plan.decision.column,
        "favorable": plan.decision.favorable or decision_of(table, plan.decision).favorable,
        "protected": asked.protected,
        "where": asked.where,
        "tolerance": asked.limit(plan.decision.kind),
        "confidence": asked.confidence,
    }
    fingerprint = None
    if asked.second is not None:
        other = as_table(second) if second is not None else open_second(plan, asked, base)
        fingerprint = other.fingerprint
        recorded = asked.second_fingerprint
        if recorded is not None and not ignore_fingerprint and fits(recorded, fingerprint) is False:
            raise FingerprintError(
                f"The second table {quote(asked.second)} is not the one that the plan was saved with.",
                hint="Give that one, or go on with this: --ignore-fingerprint, or ignore_fingerprint=True in Python.",
            )
        periods = (table, other) if asked.second_is == "later" else (other, table)
        names = [period.name for period in periods]
        names = ["before", "after"] if names[0] == names[1] else names
        spans = tuple(Span(name, period) for name, period in zip(names, periods, strict=True))
    else:
        spans = spans_of(table, require(asked.column), asked.cuts)
    for span in spans:
        refuse_open_cases(span.table, plan, asked.where)
    result = line = None
    with uncounted(plan):
        if len(spans) == 2:
            result = compare_two(spans, **settings, strata=asked.strata, cluster=asked.cluster, cut_by=asked.column)
        else:
            line = compare_spans(spans, **settings, cut_by=asked.column)
    return ChangeFinding(
        plan=asked,
        decision=plan.decision,
        result=result,
        line=line,
        second_fingerprint=fingerprint,
        names=names_of(plan, asked, protected_condition(table, asked.protected)),
        **asked_words(table, plan, asked),
    )


def open_second(plan: AuditPlan, asked: ChangePlan, base: str | Path | None) -> Table:
    """Open the second table of a question, read as the first one."""
    second = DataPlan(source=require(asked.second), fingerprint=asked.second_fingerprint)

    def read(options: ReadOptions) -> Table:
        return open_data(
            plan.model_copy(update={"data": second.read_by(options)}),
            base=base,
        )

    return read_alike(plan.data.options, read)
