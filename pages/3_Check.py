"""The verdict on whether like cases are treated alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.outcomes.registry import SHARES
from ui.check import tabs as check_tabs
from ui.data import not_known
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.outcomes import page_of_outcome
from ui.remedies.registry import remedy_pages
from ui.report.findings import ask_another, finding_of
from ui.state import get_state
from ui.widgets import start

decision = get_state().decision
page = page_of_outcome(SHARES if decision is None else decision.kind)
state = open_page("Are like cases treated alike?", page.question)
need(state, decision=True, protected=True)

show_mismatch(state)
if len(state.checks) > 1:
    state.selected = st.selectbox(
        "Question",
        range(len(state.checks)),
        format_func=lambda i: f"{i + 1}. {state.checks[i].plan.title or state.checks[i].plan.protected or 'new'}",
        key=start("check_selected", state.selected),
    )
    need(state, protected=True)

page.show_settings(state)
check_tabs.suggest_groups(state)
with errors_shown(way=("pages/2_Groups.py", "Change the groups or the filter")), st.spinner("Counting …"):
    finding = finding_of(state, state.entry)

page.show_answer(finding)
not_known.show_not_known(state, finding.not_known, kinds=("group", "decision"), key="check")

groups, strata, more, formula = st.tabs(["All groups", "By stratum", page.more, "How this is computed"])
with groups:
    check_tabs.show_groups(state, finding, page.draw_groups)
with strata:
    check_tabs.show_strata(state, finding, page.draw_strata)
with more:
    page.show_more(state, finding)
with formula:
    page.show_formula(finding)

st.header("What next")
state.entry.in_report = st.checkbox(
    "Put this in the report", key=start(f"check_in_report_{state.selected}", state.entry.in_report)
)
with st.container(horizontal=True):
    next_step("pages/12_Report.py", "Make the report")
    if (state.prediction or state.score) and state.decision.kind.has_good_outcome:
        next_step("pages/4_Errors.py", "Look at the errors of the prediction")
    next_step("pages/14_Explain.py", "What explains it?")
    if state.decision.kind.has_good_outcome:
        next_step("pages/15_Change.py", "Did it change?")
    next_step("pages/2_Groups.py", "Compare stricter: change the filter")
    for remedy in () if finding.result.has_one_decision else remedy_pages(state.decision.kind):
        next_step(remedy.path, f"Try a remedy: {remedy.remedy}")
if st.button("Ask another question", key="check_another", help="Keeps this one and starts a new comparison."):
    ask_another(state)
