"""The page "Worst groups": what is asked of a search, the search in the background, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.data.code_columns import holds_codes
from fairaudit.estimators.leakage import columns_without_use
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.names import verb_of
from fairaudit.plan.questions import CheckPlan, SubgroupsPlan
from fairaudit.sections.worst import read_worst, say_worst
from fairaudit.sections.worst.answering import iter_search, outcome_columns
from fairaudit.sections.worst.charts import (
    worst_chart,
    worst_chart_text,
    worst_chart_title,
    worst_map,
    worst_map_note,
    worst_map_text,
)
from fairaudit.sections.worst.reading import compared_by
from fairaudit.sections.worst.saying import (
    MEASURES,
    PRINTED,
    how_searched,
    in_chart_order,
    left_out,
    say_group,
    what_compared,
    worst_tables,
)
from fairaudit.subgroups.cells import RATES
from fairaudit.subgroups.kinds import Measure
from fairaudit.subgroups.results import Subgroup
from ui.asking import Question
from ui.check.comparable import following
from ui.check.questions import cases, choose, show_about
from ui.data import codes
from ui.entries import CheckEntry, Search
from ui.look import beside
from ui.result import show_caution, show_chart, show_listed, show_picture, show_said, show_table
from ui.runtime import memory
from ui.searching import begin, offer_to_begin, show_last
from ui.state import AuditState
from ui.text import first_named, literal, stated
from ui.widgets import ask, tick_in_report

# What is asked of a search, and the button that begins it.

ROW_BYTES = 400
"""Memory that a search takes for a row, about."""


def show_settings(state: AuditState) -> SubgroupsPlan:
    """Draw what groups may be made of and what is compared; return the question."""
    columns = _columns(state)
    present = _present(state, columns)
    narrowing, naming = beside("worst_columns", small=True)

    def asked(name: str, place: DeltaGenerator, **given: Any) -> Any:
        first = {"key": f"worst_{name}", "first": getattr(present, name)}
        return ask(SubgroupsPlan, name, place, **first | given)

    chosen = asked("columns", narrowing, options=columns)
    protected = asked("protected", naming, options=columns)
    rated = state.present_decision.kind.has_good_outcome and (state.prediction is not None or state.score is not None)
    *first, left, middle, right = st.columns(4 if rated else 3)
    measure = None
    if rated:
        options: list[Measure] = ["selection", *RATES]
        measured = partial(_measure_words, state)
        measure = asked(
            "measure", first[0], first=present.measure or "selection", options=options, format_func=measured
        )
    worse = _worse_side(state, measure)
    # Who did not choose otherwise looks for what is worse, whatever is compared.
    is_worse = state.subgroups_draft is None or present.direction == _worse_side(state, present.measure)
    sides = {choice.value: choice.label for choice in form_of(SubgroupsPlan, "direction").choices}
    direction = asked(
        "direction",
        left,
        key=f"worst_direction_{worse}",
        first=worse if is_worse else present.direction,
        format_func=lambda side: sides[side] + (" (worse)" if side == worse else ""),
    )
    state.subgroups_draft = SubgroupsPlan(
        where=state.check.where,
        columns=tuple(chosen),
        protected=tuple(protected),
        measure=None if measure == "selection" else measure,
        direction=direction,
        max_conditions=asked("max_conditions", middle),
        min_rows=asked("min_rows", right),
        bound_rows=asked("bound_rows", right),
        confidence=state.check.confidence,
    )
    return state.subgroups_draft


def _present(state: AuditState, columns: Sequence[str]) -> SubgroupsPlan:
    """Return what is asked; what nobody has changed or searched is proposed anew, by similar cases and group."""
    proposed = SubgroupsPlan(columns=_first_columns(state), protected=_protected(state, columns))
    before, state.subgroups_proposed = state.subgroups_proposed, proposed
    draft = state.subgroups_draft
    if draft is None:
        return proposed
    is_changed = before is None or (draft.columns, draft.protected) != (before.columns, before.protected)
    if is_changed or is_answered(state):
        return draft
    return draft.model_copy(update={"columns": proposed.columns, "protected": proposed.protected})


def _columns(state: AuditState) -> list[str]:
    outcomes = outcome_columns(state.present_plan(fingerprint=False))
    return [name for name in state.present_table.columns if name not in outcomes]


def _first_columns(state: AuditState) -> tuple[str, ...]:
    """Return what groups are made of first: nothing that makes similar cases on Check; empty where that is all."""
    similar = {name for entry in state.checks for name in entry.plan.strata}
    usual = _proposed(state) if similar else []
    rest = tuple(name for name in usual if name not in similar)
    return rest if len(rest) < len(usual) else ()


def _protected(state: AuditState, columns: Sequence[str]) -> tuple[str, ...]:
    """Return which columns groups name one of where nobody has said so: the protected ones, or those of the group."""
    picked = state.present_table.condition(state.check.protected) if state.check.protected else None
    wanted = state.protected_columns or (() if picked is None else picked.columns)
    return tuple(name for name in wanted if name in columns)


def ask_order(state: AuditState, plan: SubgroupsPlan) -> tuple[Question, ...]:
    """Ask about the numbers that groups would be cut by, as above or below; those called codes are taken by value."""
    columns = state.present_table.columns
    names = [*(plan.columns or _proposed(state)), *plan.protected]
    return codes.ask_order(state, [name for name in names if name in columns and not holds_codes(columns[name])])


def show_what_is_asked(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw in one line what is compared, and of what groups are made."""
    columns = plan.columns or _proposed(state)
    measure = plan.measure or ("selection" if state.present_decision.kind.has_good_outcome else "mean")
    what = Message(MEASURES[compared_by(measure, state.positive)], {"verb": verb_of(state.present_decision)})
    said = [Message("worst-asked", {"what": what, "columns": Message("names-first", first_named(columns))})]
    if plan.protected:
        protected = Message("names-first", first_named(plan.protected))
        said.append(Message("worst-asked-protected", {"protected": protected}))
    st.markdown(literal(say(said), limit=900))


def _proposed(state: AuditState) -> list[str]:
    """Return the columns that a search looks at where none is chosen."""
    columns = _columns(state)
    without_use = state.remember("without_use", (), lambda: columns_without_use(state.table))
    left_out = {**without_use, **following(state, columns)}
    return [name for name in columns if name not in left_out]


def _measure_words(state: AuditState, measure: Measure) -> str:
    key = MEASURES[compared_by(measure, state.positive)]
    return stated("name-label", label=Message(key, {"verb": verb_of(state.present_decision)}))


def _worse_side(state: AuditState, measure: str | None) -> str:
    """Return on which side of the others a subgroup fares worse: with fewer good outcomes, or with more errors."""
    if measure in RATES and measure != "accuracy":
        return "higher"
    return "lower" if state.present_decision.higher_is_favorable else "higher"


def offer_search(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw the button that begins the search."""
    search = Search(plan, state.search_key(plan))
    if offer_to_begin(state, search, "Search", key="worst_search"):
        state.subgroups = [plan]
        events = partial(iter_search, state.present_table, state.present_plan(fingerprint=False), plan)
        n_bytes = memory.FIT + ROW_BYTES * state.present_table.n_rows
        begin(state, search, "worst", "Searching groups", events, n_bytes=n_bytes)


def show_under_way(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw how far a search is, or why it failed."""
    last = show_last(state, state.search_key(plan))
    if last is not None and last.error is not None:
        st.error(literal(str(last.error), limit=900))


# What a search found: the answer, and under More its figures, what chance would show, and each group.

_MOST_COLUMNS = 4


def is_answered(state: AuditState) -> bool:
    """Whether the page holds an answer to what was asked last, so that the form is a setting below it."""
    draft = state.subgroups_draft
    return draft is not None and state.search_key(draft) in state.searched


def show_context(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw what is compared, what groups are made of, and the way to the manual."""
    named = found.result.columns
    many = len(named) > _MOST_COLUMNS
    columns = Message("worst-by-columns", {"n": Count(len(named))}) if many else Phrase(", ".join(named))
    asked = {"what": what_compared(found), "columns": columns, "cases": cases(state, found.plan.where)}
    show_about(Message("worst-context", asked))


def show_answer(found: SubgroupsFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said = say_worst(found)
    show_said(said)
    show_picture(found, worst_chart, worst_chart_title, worst_chart_text)
    show_caution(said)


def offer_check(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw the button that asks about the group that fares worst."""
    standing = read_worst(found).standing_out
    if not standing:
        return
    asked = Message("worst-check-worst", {"group": found.groups[standing[0]].label})
    if st.button(literal(say(asked), limit=60), key="worst_ask_worst"):
        ask_about(state, found.result.subgroups[standing[0]])


def show_figures(found: SubgroupsFinding) -> None:
    """Draw each group with its figures and ranges."""
    _head("worst-more-figures")
    show_table(in_chart_order(found, worst_tables(found, 1)[0]), columns=PRINTED)


def show_map(found: SubgroupsFinding) -> None:
    """Draw how many people are affected, and how large each gap is."""
    _head("worst-more-people")
    show_chart(worst_map(found), description=worst_map_text(found), note=worst_map_note(found))


def show_chance(found: SubgroupsFinding) -> None:
    """Draw what chance would show, and how far the search can be trusted."""
    _head("worst-more-chance")
    show_listed((*how_searched(found), *left_out(found)), limit=900)
    show_table(worst_tables(found, 1)[1])


def show_groups(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw one of the groups, and what can be done with it."""
    _head("worst-more-group")
    reading = read_worst(found)
    number = st.selectbox(
        "Group",
        (*reading.standing_out, *reading.others),
        format_func=lambda n: stated("name-label", label=found.groups[n].label),
        key="worst_group",
        label_visibility="collapsed",
    )
    st.markdown(literal(say(say_group(found, number)), limit=1500))
    with st.container(horizontal=True):
        if st.button(stated("worst-check-one"), key="worst_ask"):
            ask_about(state, found.result.subgroups[number])
        if st.button(stated("worst-filter-one"), key="worst_filter"):
            look_only_at(state, found.result.subgroups[number])


def tick_report(state: AuditState) -> None:
    """Draw whether the search goes into the report."""
    tick_in_report("subgroups_in_report", state.left_out, "subgroups")


def ask_about(state: AuditState, each: Subgroup) -> None:
    """Ask about a group, in a question of its own unless there is an empty one, and go to its answer."""
    if state.check.protected:
        state.checks.append(CheckEntry(CheckPlan(protected="", where=state.check.where)))
        choose(state, len(state.checks) - 1)
    state.change_check(protected=each.condition)
    st.switch_page("pages/3_Check.py")


def look_only_at(state: AuditState, each: Subgroup) -> None:
    """Narrow the population of the selected question to a group, and go to the page where that is seen."""
    condition = Condition.parse(each.condition, state.table)
    where = state.present_table.condition(state.check.where)
    state.entry.undo.append(state.check.where or "")
    state.change_check(where=str(condition if where is None else where & condition))
    st.switch_page("pages/2_Groups.py")


def _head(key: str) -> None:
    st.subheader(stated(key), anchor=False)
