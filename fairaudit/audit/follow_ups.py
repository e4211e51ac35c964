"""Answer the questions of a plan that follow a verdict: what explains a gap, and whether it changed."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairaudit.audit.follow_up_results import ChangeFinding, ExplanationFinding
from fairaudit.columns import ReadOptions
from fairaudit.data.table import Table, as_table
from fairaudit.errors import FingerprintError, quote, sure
from fairaudit.events import Command, Event, Finished, Progress
from fairaudit.findings.names import Names
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.explain import explain_gap
from fairaudit.measure.period_questions import Span
from fairaudit.measure.periods import compare_spans, compare_two, spans_of
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import open_data, read_alike
from fairaudit.plan.follow_ups import ChangePlan, ExplanationPlan
from fairaudit.plan.naming import names_of
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import meaning_of, outcome_of, uncounted
from fairaudit.plan.salt import fits


@dataclass(frozen=True)
class Sources:
    """Where the other tables of a plan are.

    Parameters
    ----------
    base : str or Path, optional
        The folder that their paths are relative to.
    seconds : mapping of str to Table
        Those that are open already, by the names that the plan has for them.
    ignore_fingerprint : bool
        Whether to go on where one is not that of the plan.
    """

    base: str | Path | None = None
    seconds: Mapping[str, Table] = field(default_factory=dict)
    ignore_fingerprint: bool = False


def iter_explanation(
    table: Table, plan: AuditPlan, asked: ExplanationPlan, sources: Sources
) -> Generator[Event, Command | None, None]:
    """Answer what explains a gap, yielding events."""
    yield Progress("Looking for what explains the gap", 0, 1)
    yield Finished(run_explanation(table, plan, asked))


def iter_change(
    table: Table, plan: AuditPlan, asked: ChangePlan, sources: Sources
) -> Generator[Event, Command | None, None]:
    """Answer whether a gap changed, yielding events."""
    yield Progress("Comparing periods", 0, 1)
    second = None if asked.second is None else sources.seconds.get(asked.second)
    yield Finished(
        run_change(table, plan, asked, base=sources.base, second=second, ignore_fingerprint=sources.ignore_fingerprint)
    )


def run_explanation(table: Table, plan: AuditPlan, asked: ExplanationPlan) -> ExplanationFinding:
    """Answer what explains a gap."""
    table = as_table(table)
    good = plan.decision.kind.has_good_outcome
    with uncounted(plan):
        result = explain_gap(
            table,
            decision=plan.decision.column,
            favorable=outcome_of(table, plan.decision).condition if good else None,
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
        **_words(table, plan, asked),
    )


def run_change(
    table: Table,
    plan: AuditPlan,
    asked: ChangePlan,
    *,
    base: str | Path | None = None,
    second: Any = None,
    ignore_fingerprint: bool = False,
) -> ChangeFinding:
    """Answer whether a gap changed; `second` is the second table, where it is open already."""
    table = as_table(table)
    good = plan.decision.kind.has_good_outcome
    settings: dict[str, Any] = {
        "decision": plan.decision.column,
        "favorable": (plan.decision.favorable or outcome_of(table, plan.decision).condition) if good else None,
        "protected": asked.protected,
        "where": asked.where,
        "tolerance": asked.tolerance if good else asked.amount_tolerance,
        "confidence": asked.confidence,
    }
    fingerprint = None
    if asked.second is not None:
        other = as_table(second) if second is not None else _open_second(plan, asked, base)
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
        spans = spans_of(table, sure(asked.column), asked.cuts)
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
        **_words(table, plan, asked),
    )


def _open_second(plan: AuditPlan, asked: ChangePlan, base: str | Path | None) -> Table:
    second = DataPlan(source=sure(asked.second), fingerprint=asked.second_fingerprint)

    def read(options: ReadOptions) -> Table:
        return open_data(
            plan.model_copy(update={"data": second.read_by(options)}),
            base=base,
        )

    return read_alike(plan.data.options, read)


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


def _words(table: Table, plan: AuditPlan, asked: ExplanationPlan | ChangePlan) -> dict[str, Any]:
    where, protected = table.condition(asked.where), protected_condition(table, asked.protected)
    return {
        "meaning": meaning_of(table, plan.decision),
        "where_words": None if where is None else where.in_words(),
        "protected_words": protected.in_words(),
    }
