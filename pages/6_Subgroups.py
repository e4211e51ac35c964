"""Which subgroups are worst hit, and whether that is more than chance."""

from __future__ import annotations

import streamlit as st

from ui.data import not_known
from ui.frame import need, next_step, open_page, show_mismatch
from ui.widgets import tick_in_report
from ui.worst.form import offer_search, show_settings
from ui.worst.results import show_answer, show_details

state = open_page(
    "Where is it worst?",
    "Searches all subgroups that a few conditions describe, such as women under 25 in one district, and checks the "
    "worst of them on rows that the search has not seen. If you know which group to ask about, use Check: it sees "
    "smaller gaps.",
)
need(state, decision=True)
show_mismatch(state)
with st.expander("What is searched", expanded=not state.searched):
    plan = show_settings(state)
offer_search(state, plan)
found = state.searched.get(state.search_key(plan))
if found is None and state.searched:
    st.info("Settings have changed since the last search. Search again to see what they bring.")
if found is not None:
    show_answer(found)
with st.container(horizontal=True, vertical_alignment="center", key="worst_ways"):
    if found is not None:
        next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Check a group that you know")
    state.subgroups_in_report = tick_in_report("subgroups_in_report", state.subgroups_in_report)
if found is not None:
    not_known.show_answer(state, found.not_known, key="worst")
    show_details(state, found)
