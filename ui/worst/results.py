"""What a search found: the verdict, the map, the table, and what to do with a subgroup."""

from __future__ import annotations

import streamlit as st

from fairaudit import Condition
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.plan import CheckPlan
from fairaudit.present import subgroup_words as words
from fairaudit.present.charts.subgroups import subgroups_alt, subgroups_chart, subgroups_note
from fairaudit.present.chips import subgroups_chip
from fairaudit.present.subgroup_tables import subgroup_tables
from fairaudit.report.chapters.subgroups import PRINTED
from fairaudit.subgroups.results import Subgroup
from ui.charts import show_chart
from ui.entries import CheckEntry
from ui.look import beside, show_chip
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal

EVERY, ONE, TRUST = "All of them", "Go on with one", "How far this can be trusted"
MOST_IN_ANSWER = 3
"""Subgroups that the answer names where none stands out; else it names the clearest."""


def show_answer(found: SubgroupsFinding) -> None:
    """Draw the verdict on the left, and the map on the right."""
    left, right = beside("worst_answer")
    with left, st.container(border=True, key="worst_verdict"):
        show_chip(subgroups_chip(found))
        st.header(literal(words.verdict(found), limit=400), anchor=False)
        if found.result.n_standing_out:
            clearest = next(each for each in found.result.subgroups if each.stands_out)
            st.markdown(literal(f"The clearest: {words.subgroup_sentence(clearest, found.result)}", limit=900))
        else:
            for number, each in enumerate(found.result.subgroups[:MOST_IN_ANSWER], start=1):
                st.markdown(f"**{number}.** {literal(words.subgroup_sentence(each, found.result), limit=900)}")
        st.caption(literal(f"{words.compared_sentence(found)} {words.WHAT_IT_IS_NOT}", limit=900))
    with right, st.container(border=True, key="worst_chart"):
        show_chart(
            subgroups_chart(found),
            title="How large, and how far apart",
            description=subgroups_alt(found),
        )
        with st.expander("How to read it"):
            st.caption(literal(subgroups_note(found), limit=1500))


def show_details(state: AuditState, found: SubgroupsFinding) -> None:
    """Draw the table, each subgroup with its ways on, and how far all that can be trusted, one part a tab."""
    tables = subgroup_tables(found, 1)
    every, one, trust = st.tabs([EVERY, ONE, TRUST])
    with every:
        show_table(tables[0], columns=PRINTED)
    with one:
        for number, each in enumerate(found.result.subgroups):
            with st.container(border=True, key=f"worst_subgroup_{number}"):
                _show_subgroup(state, found, each, number)
    with trust:
        for sentence in words.search_sentences(found):
            st.markdown(literal(sentence, limit=900))
        show_table(tables[1])
        for sentence in words.left_out_sentences(found):
            st.markdown(literal(sentence, limit=400))


def _show_subgroup(state: AuditState, found: SubgroupsFinding, each: Subgroup, number: int) -> None:
    st.markdown(f"**{number + 1}.** {literal(words.subgroup_sentence(each, found.result), limit=900)}")
    if each.same_people:
        st.caption(literal(words.same_people_sentence(each), limit=900))
    with st.container(horizontal=True):
        if st.button("Make this the protected group of a new question", key=f"worst_ask_{number}"):
            ask_about(state, each)
        if st.button("Use as filter", key=f"worst_filter_{number}"):
            look_only_at(state, each)


def ask_about(state: AuditState, each: Subgroup) -> None:
    """Ask about a subgroup, in a question of its own unless there is an empty one, and go to its answer."""
    if state.check.protected:
        state.checks.append(CheckEntry(CheckPlan(protected="", where=state.check.where)))
        state.selected = len(state.checks) - 1
    state.change_check(protected=each.condition)
    st.switch_page("pages/3_Check.py")


def look_only_at(state: AuditState, each: Subgroup) -> None:
    """Narrow the population of the selected question to a subgroup, and go to the page where that is seen."""
    condition = Condition.parse(each.condition, state.table)
    where = state.table.condition(state.check.where)
    state.entry.undo.append(state.check.where or "")
    state.change_check(where=str(condition if where is None else where & condition))
    st.switch_page("pages/2_Groups.py")
