"""Worst groups, as a plan asks for them."""

from __future__ import annotations

from collections.abc import Generator

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.conditions import Condition
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.events import Command, Event, Finished
from fairaudit.findings import Message, Phrase
from fairaudit.findings.names import SearchNames
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import group_name, speaks_of_unfavorable, verb_of
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.plan.roles import decision_of, prediction_of, refuse_open_cases, uncounted
from fairaudit.study.columns import FOLLOWS, columns_that_follow
from fairaudit.subgroups.cells import RATES
from fairaudit.subgroups.finding import iter_subgroups


def outcome_columns(plan: AuditPlan) -> set[str]:
    """Return the columns of the decision, the prediction and the score, which no subgroup names."""
    return {part.column for part in (plan.decision, plan.prediction, plan.score) if part is not None}


def iter_search(table: Table, plan: AuditPlan, search: SubgroupsPlan) -> Generator[Event, Command | None, None]:
    """Answer one search of a plan, yielding events; the work of a search is limited, so no clock is asked."""
    table = as_table(table)
    refuse_open_cases(table, plan, search.where)
    decision, prediction = decision_of(table, plan.decision), prediction_of(table, plan)
    measure = search.measure or plan.decision.kind.searched
    # How a sample was drawn makes no group of people, either.
    outcomes = outcome_columns(plan) | set(() if table.design is None else table.design.columns)
    # Who names no columns does not mean the outcome in other words.
    named = [name for name in table.columns if name not in outcomes and not search.columns]
    follow = columns_that_follow(table, plan, [n for n in named if n not in search.protected], where=search.where)
    events = iter_subgroups(
        table,
        decision=plan.decision.column,
        favorable=decision.favorable,
        columns=search.columns or None,
        not_proposed={name: FOLLOWS.format(what) for name, what in follow.items()},
        protected=search.protected or None,
        prediction=prediction if measure in RATES else None,
        measure=measure,
        max_conditions=search.max_conditions,
        min_rows=search.min_rows,
        direction=search.direction,
        search_fraction=search.search_fraction,
        bound_rows=search.bound_rows,
        confidence=search.confidence,
        random_state=plan.seed,
        where=search.where,
        positive=plan.positive,
    )
    command = None
    with uncounted(plan):
        while True:
            try:
                event = events.send(command)
            except StopIteration:
                return
            if isinstance(event, Finished):
                where = table.condition(search.where)
                words = None if where is None else where.in_words()
                groups = tuple(
                    group_name(plan.names, Condition.parse(each.condition, table)) for each in event.result.subgroups
                )
                is_better = plan.decision.higher_is_favorable
                meaning, names = decision.meaning, search_names(plan, decision.favorable)
                event = Finished(SubgroupsFinding(search, meaning, words, event.result, names, groups, is_better))
            command = yield event


def search_names(plan: AuditPlan, condition: Condition | None) -> SearchNames:
    """Return what is said of people with each result, of which a condition is the good one; None of an amount."""
    decision = plan.decision
    if condition is None:
        what = Phrase("" if decision.verb else decision.meaning or decision.column)
        return SearchNames(verb_of(decision), what=what)
    said = None if plan.prediction is None else plan.prediction.unfavorable_verb
    return SearchNames(
        verb=verb_of(decision),
        of_unfavorable=speaks_of_unfavorable(decision),
        favorable=_with(decision.meaning, condition),
        unfavorable=_with(decision.other_meaning, ~condition),
        flagged=Phrase(said) if said else Message("name-flagged"),
    )


def _with(meaning: str | None, condition: Condition) -> Message:
    """Return what is said of people with a result after who they are."""
    if meaning:
        return Message("name-with", {"result": Phrase(meaning)})
    return Message("name-whose", {"conditions": Phrase(condition.in_words())})
