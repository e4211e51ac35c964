"""Which groups stand out, and whether that is more than chance."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui import worst
from ui.asking import ask_first
from ui.frame import keep_way, need, next_step, open_page, show_mismatch, show_question
from ui.text import stated
from ui.widgets import end_page
from ui.worst import offer_search, show_settings, show_under_way, show_what_is_asked

TITLE = "Worst groups"

state = open_page(TITLE)
if state.table is None or state.decision is None:
    show_question(TITLE, say(Message("worst-question")))
need(state, decision=True)
show_mismatch(state)

# Until there is an answer, what is searched is all that stands here; then it is a setting like others.
answered = worst.is_answered(state)
answer = st.container(key="worst_answer")
with st.expander(stated("worst-more" if answered else "worst-more-settings"), key="worst_more"):
    figures, people, group, settings = (st.container() for _ in range(4))
with settings:
    if answered:
        st.subheader(stated("worst-more-settings"), anchor=False)
    plan = show_settings(state)
found = state.searched.get(state.search_key(plan))
if found is None and (asked := worst.ask_order(state, plan)):
    with answer:
        ask_first(asked)
    keep_way(state)
    end_page()
with answer:
    if found is None:
        show_question(TITLE, say(Message("worst-question")))
        show_what_is_asked(state, plan)
        if state.searched:
            st.info(stated("worst-changed"))
        show_under_way(state, plan)
    else:
        worst.show_context(state, found)
        worst.show_answer(found)
if found is not None:
    with figures:
        worst.show_figures(found)
    with people:
        worst.show_map(found)
        worst.show_chance(found)
    with group:
        worst.show_groups(state, found)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="worst_ways"):
    if found is None:
        offer_search(state, plan)
    else:
        next_step("pages/4_Report.py", "Go to the report", first=True)
        worst.offer_check(state, found)
with settings:
    worst.tick_report(state)
if answered != (found is not None):
    # The form stands in the wrong place: above an answer, or below none.
    st.rerun()
