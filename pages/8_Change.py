"""Whether a gap changed from one period to another."""

from __future__ import annotations

import streamlit as st

from ui.data import not_known
from ui.follow_ups import changing
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.widgets import end_page, tick_in_report

state = open_page(
    "Did it change?",
    "Asks your question in two or more periods, and whether the gap changed by more than chance explains. Do not use "
    "it where the same people are in both periods.",
)
need(state, decision=True, protected=True)
show_mismatch(state)

plan = changing.choose(state)
if plan is None:
    end_page()
with errors_shown(), st.spinner("Comparing …"):
    finding = changing.answer(state, plan)

changing.show(finding)
with st.container(horizontal=True, vertical_alignment="center", key="change_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/7_Explain.py", "What explains it?")
    state.changes_in_report = tick_in_report("change_in_report", state.changes_in_report)
not_known.show_answer(state, finding.not_known, key="change")
changing.show_limits(finding)
