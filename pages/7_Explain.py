"""What explains a gap, what is left, and what could overturn that."""

from __future__ import annotations

import streamlit as st

from ui.data import not_known
from ui.follow_ups import explaining
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.widgets import end_page, tick_in_report

state = open_page(
    "What explains it?",
    "Divides the gap of your question into what comes from how the groups differ in some columns, and what is left. "
    "What is left is not explained by these columns. This does not say why it is there.",
)
need(state, decision=True, protected=True)
show_mismatch(state)

plan = explaining.choose(state)
if plan is None:
    end_page()
with errors_shown(), st.spinner("Computing …"):
    finding = explaining.answer(state, plan)

explaining.show(finding, tolerance=state.check.tolerance)
with st.container(horizontal=True, vertical_alignment="center", key="explain_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Back to the check")
    next_step("pages/8_Change.py", "Did it change?")
    state.explanations_in_report = tick_in_report("explain_in_report", state.explanations_in_report)
not_known.show_answer(state, finding.not_known, key="explain")
explaining.show_details(finding)
