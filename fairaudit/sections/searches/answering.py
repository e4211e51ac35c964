"""Answer a question about searches and inspections."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import reduce
from typing import Any

from fairaudit.audit.result import InspectionFinding
from fairaudit.conditions import Condition
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.errors import InputError, quote, require
from fairaudit.events import Command, Event, Finished, Progress
from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.findings.names import GroupName
from fairaudit.measure.inspections.outcome import outcome_test
from fairaudit.measure.inspections.results import OutcomeTest, ThresholdTest, VeilOfDarkness
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.names import group_name, known_verb, people_whose, similar_cases
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import InspectionPlan
from fairaudit.plan.roles import uncounted


def iter_inspection(table: Table, plan: AuditPlan, asked: InspectionPlan) -> Generator[Event, Command | None, None]:
    """Answer one question with all that it asks for, yielding events."""
    table = as_table(table)
    yield Progress("Comparing what was found", 0, 1)
    with uncounted(plan):
        outcome = run_outcome(table, asked)
        thresholds = None
        if asked.location:
            command = None
            events = iter_thresholds(table, asked, seed=plan.seed)
            while thresholds is None:
                event = events.send(command)
                if isinstance(event, Finished):
                    thresholds = event.result
                else:
                    command = yield event
        veil = None
        if asked.veil is not None:
            yield Progress("Comparing light with darkness", 0, 1)
            veil = run_veil(table, asked)
    yield Finished(finding_of(table, plan, asked, outcome, thresholds, veil))


def run_outcome(table: Table, asked: InspectionPlan) -> OutcomeTest:
    """Compare how often something was found, by group."""
    return outcome_test(
        table,
        acted=asked.acted,
        found=asked.found,
        stopped=asked.stopped,
        strata=asked.strata or None,
        tolerance=asked.tolerance,
        **_shared(table, asked),
    )


def iter_thresholds(table: Table, asked: InspectionPlan, *, seed: int) -> Generator[Event, Command | None, None]:
    """Infer thresholds, yielding events; the last holds them."""
    # Here, because it takes scipy's optimizers, which a comparison of hit rates does without.
    from fairaudit.measure.inspections.threshold import iter_threshold_test

    return iter_threshold_test(
        table,
        searched=asked.acted,
        found=asked.found,
        stopped=asked.stopped,
        location=list(asked.location),
        tolerance=asked.threshold_tolerance,
        signal=asked.signal,
        base_rate=asked.base_rate,
        n_placebo=asked.n_placebo,
        random_state=seed,
        **_shared(table, asked),
    )


def run_veil(table: Table, asked: InspectionPlan) -> VeilOfDarkness:
    """Compare stops in light with stops in darkness."""
    from fairaudit.measure.inspections.veil import veil_of_darkness

    veil = require(asked.veil)
    settings = veil.model_dump(exclude_none=True, exclude={"acted_only"}) | _shared(table, asked)
    if veil.acted_only:
        settings["where"] = _looked_at(as_table(table), asked)
    return veil_of_darkness(table, **settings)


def finding_of(
    table: Table,
    plan: AuditPlan | None,
    asked: InspectionPlan,
    outcome: OutcomeTest,
    thresholds: ThresholdTest | None = None,
    veil: VeilOfDarkness | None = None,
) -> InspectionFinding:
    """Put the answers to a question together with its words, as the plan says them."""
    names = NamesPlan() if plan is None else plan.names
    return InspectionFinding(
        plan=asked,
        acted_words=in_words(table, asked.acted),
        found_words=in_words(table, asked.found),
        group_words=" and ".join(in_words(table, name) for name in asked.group),
        where_words=None if asked.where is None else in_words(table, asked.where),
        outcome=outcome,
        thresholds=thresholds,
        veil=veil,
        verb=_verb(table, plan, asked),
        similar=similar_cases(names, asked.strata, ()) if asked.strata else None,
        groups=_called(table, plan, asked, outcome),
    )


def _verb(table: Table, plan: AuditPlan | None, asked: InspectionPlan) -> Argument:
    """Return what is said of several people who were looked at, as the plan says or by column and value."""
    if asked.verb:
        return Phrase(asked.verb)
    column = asked.acted
    values: tuple[object, ...] = (True,)
    if asked.acted not in table.columns:
        listed = require(table.condition(asked.acted)).listed
        if listed is None:
            return Message("name-looked-at")
        column, values = listed
    decision = None if plan is None else plan.decision
    if decision is not None and decision.column == column and decision.unfavorable_verb:
        return Phrase(decision.unfavorable_verb)
    plain = tuple(value for value in values if isinstance(value, str | bool | int))
    proposed = known_verb(OutcomePlan(column=column, favorable=plain)) if len(plain) == len(values) else None
    return Phrase(proposed) if proposed else Message("name-looked-at")


def _called(
    table: Table, plan: AuditPlan | None, asked: InspectionPlan, outcome: OutcomeTest
) -> tuple[tuple[str, GroupName], ...]:
    """Return what each group is called, by its name in the tables."""
    names = [rate.name for rate in outcome.hit_rates]
    if all(name in table.columns for name in asked.group):
        given = NamesPlan() if plan is None else plan.names
        said = (_who(table, given, rate.values) for rate in outcome.hit_rates)
        return tuple(zip(names, said, strict=True))
    # A condition makes two groups, those who meet it first.
    condition = require(table.condition(asked.group[0]))
    check = next((c for c in (() if plan is None else plan.checks) if c.protected == asked.group[0]), None)
    named = None if check is None else check.protected_name
    first: Argument = Group(named) if named else people_whose(condition)
    others = Group(None if check is None else check.others_name)
    return tuple(zip(names, (GroupName(first, first, 0), GroupName(others, others, 0)), strict=False))


def _who(table: Table, names: NamesPlan, values: Sequence[tuple[str, object]]) -> GroupName:
    """Return what people with these values are called."""
    parts = (Condition.equals(column, value, table.columns) for column, value in values)
    return group_name(names, reduce(lambda one, other: one & other, parts))


def in_words(table: Table, given: str) -> str:
    """Return a condition in plain English; a column by its name."""
    return given if given in table.columns else require(table.condition(given)).in_words()


def _looked_at(table: Table, asked: InspectionPlan) -> Condition:
    """Return the filter under which only rows that were looked at are left."""
    if asked.acted in table.columns:
        kind = table.column(asked.acted).kind
        if kind != "boolean":
            raise InputError(
                f"'acted_only' needs 'acted' to say of each row whether it was looked at, and {quote(asked.acted)} is "
                f"a column of kind {kind}.",
                hint="Leave 'acted_only' out where rows hold counts, or bring a table with one row for each case.",
            )
        looked = Condition.equals(asked.acted, True, table.columns)
    else:
        looked = require(table.condition(asked.acted))
    where = table.condition(asked.where)
    return looked if where is None else where & looked


def _shared(table: Table, asked: InspectionPlan) -> dict[str, Any]:
    """Return what all three tests take."""
    group = asked.group[0] if len(asked.group) == 1 else list(asked.group)
    reference = None
    if asked.reference:
        named = list(asked.reference)
        if len(named) == len(asked.group) and table.columns.keys() >= {*asked.group}:
            named = [table.columns[c].labelled(value) for c, value in zip(asked.group, named, strict=True)]
        reference = named[0] if len(named) == 1 else named
    return {"group": group, "reference": reference, "where": asked.where, "confidence": asked.confidence}
