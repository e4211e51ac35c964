"""What a search found: the answer, and under More its figures, what chance would show, and each group."""

from __future__ import annotations

import streamlit as st

from fairaudit import Condition
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan import CheckPlan
from fairaudit.sections.worst import read_worst, say_worst
from fairaudit.sections.worst.charts import (
    worst_chart,
    worst_chart_text,
    worst_chart_title,
    worst_map,
    worst_map_note,
    worst_map_text,
)
from fairaudit.sections.worst.saying import (
    PRINTED,
    how_searched,
    in_chart_order,
    left_out,
    say_group,
    what_compared,
    worst_tables,
)
from fairaudit.subgroups.results import Subgroup
from ui.asked import cases, show_asked
from ui.charts import show_chart, show_wide_and_narrow
from ui.check.questions import choose
from ui.entries import CheckEntry
from ui.manual import offer_manual
from ui.result import show_caution, show_said
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal
from ui.widgets import tick_in_report

_MOST_COLUMNS = 4


def is_answered(state: AuditState) -> bool:
    """Whether the page holds an answer to what was asked last, so that the form is a setting below it."""
    draft = state.subgroups_draft
    return draft is not None and state.search_key(draft) in state.searched


def keep_shape(was: bool, answered: bool) -> None:
    """Draw the page anew where the form stands in the wrong place: above an answer, or below none."""
    if was != answered:
        st.rerun()


def show_context(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw what is compared, what groups are made of, and the way to the manual."""
    named = found.result.columns
    many = len(named) > _MOST_COLUMNS
    columns = Message("worst-by-columns", {"n": Count(len(named))}) if many else Phrase(", ".join(named))
    asked = {"what": what_compared(found), "columns": columns, "cases": cases(state, found.plan.where)}
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        show_asked(Message("worst-context", asked))
        offer_manual()


def show_answer(found: SubgroupsFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said = say_worst(found)
    show_said(said)
    show_wide_and_narrow(
        worst_chart(found),
        worst_chart(found, narrow=True),
        title=worst_chart_title(found),
        description=worst_chart_text(found),
    )
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
    for message in (*how_searched(found), *left_out(found)):
        st.markdown(f"- {literal(say(message), limit=900)}")
    show_table(worst_tables(found, 1)[1])


def show_groups(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw one of the groups, and what can be done with it."""
    _head("worst-more-group")
    reading = read_worst(found)
    number = st.selectbox(
        "Group",
        (*reading.standing_out, *reading.others),
        format_func=lambda n: literal(say(Message("name-label", {"label": found.groups[n].label}))),
        key="worst_group",
        label_visibility="collapsed",
    )
    st.markdown(literal(say(say_group(found, number)), limit=1500))
    with st.container(horizontal=True):
        if st.button(literal(say(Message("worst-check-one"))), key="worst_ask"):
            ask_about(state, found.result.subgroups[number])
        if st.button(literal(say(Message("worst-filter-one"))), key="worst_filter"):
            look_only_at(state, found.result.subgroups[number])


def tick_report(state: AuditState) -> None:
    """Draw whether the search goes into the report."""
    state.subgroups_in_report = tick_in_report("subgroups_in_report", state.subgroups_in_report)


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
    where = state.table.condition(state.check.where)
    state.entry.undo.append(state.check.where or "")
    state.change_check(where=str(condition if where is None else where & condition))
    st.switch_page("pages/2_Groups.py")


def _head(key: str) -> None:
    st.subheader(literal(say(Message(key))), anchor=False)
