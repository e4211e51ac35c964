"""Whether searches or inspections find something as often in each group, and how likely a find must be."""

from __future__ import annotations

import streamlit as st

from ui.data.not_known import show_not_known
from ui.frame import errors_shown, keep_way, need, next_step, open_page, show_mismatch
from ui.inspections import asking
from ui.inspections.results import show_differences, show_hit_rates
from ui.inspections.thresholds import show_thresholds
from ui.inspections.veil import show_veil
from ui.widgets import end_page, tick_in_report

state = open_page(
    "Searches and inspections",
    "Somebody decides whom to look at, and then something is found or not: police searches, tax or benefit "
    "inspections, audits, fraud flags. Compares what was found by group. Do not use it where nobody looked for "
    "anything.",
)
need(state, cases=False)
show_mismatch(state)
plan = asking.choose(state)
if plan is None:
    end_page()
with errors_shown(), st.spinner("Comparing …"):
    finding = asking.answer(state, plan)
show_hit_rates(finding)
show_not_known(state, finding.not_known, kinds=("group",), key="searches")
asking.say_population(state)
with st.container(horizontal=True, vertical_alignment="center", key="searches_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Who is looked at? Back to the check")
    state.inspections_in_report = tick_in_report("searches_in_report", state.inspections_in_report)

thresholds, veil, differences = st.tabs(
    ["How likely must a find be?", "Light and darkness", "All differences, and limits"]
)
with thresholds:
    show_thresholds(state, plan, finding)
with veil:
    show_veil(state, plan, finding)
with differences:
    show_differences(finding)
keep_way(state)
