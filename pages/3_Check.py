"""The verdict on whether like cases are treated alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.present import words
from ui.check import amounts as amount_views
from ui.check import tabs as check_tabs
from ui.check import verdict
from ui.data import not_known
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.remedies.registry import remedy_pages
from ui.report.findings import ask_another, finding_of
from ui.state import get_state
from ui.text import literal
from ui.widgets import start

decision = get_state().decision
state = open_page(
    "Are like cases treated alike?", amount_views.QUESTION if decision and decision.amount else verdict.QUESTION
)
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

amounts = state.decision.amount
(amount_views if amounts else verdict).show_settings(state)
check_tabs.suggest_groups(state)
with errors_shown(way=("pages/2_Groups.py", "Change the groups or the filter")), st.spinner("Counting …"):
    finding = finding_of(state, state.entry)

if amounts:
    amount_views.show_verdict(finding)
    amount_views.show_chart_and_table(finding)
else:
    verdict.show_verdict(finding)
    verdict.show_chart_and_table(finding)
    if reversal := words.reversal_warning(finding):
        st.warning(literal(reversal, limit=900))
    for warning in finding.result.warnings:
        st.warning(literal(warning, limit=600))

not_known.show_not_known(state, finding.not_known, kinds=("group", "decision"), key="check")

third = "Similar people" if amounts else "Explore"
groups, strata, more, formula = st.tabs(["All groups", "By stratum", third, "How this is computed"])
with groups:
    check_tabs.show_groups(state, finding, amount_views.draw_groups if amounts else check_tabs.draw_comparison)
with strata:
    check_tabs.show_strata(state, finding, amount_views.draw_strata if amounts else check_tabs.draw_strata)
with more:
    (amount_views.show_similar if amounts else check_tabs.show_explorer)(state, finding)
with formula:
    (amount_views if amounts else check_tabs).show_formula(finding)

st.header("What next")
state.entry.in_report = st.checkbox(
    "Put this in the report", key=start(f"check_in_report_{state.selected}", state.entry.in_report)
)
with st.container(horizontal=True):
    next_step("pages/12_Report.py", "Make the report")
    if (state.prediction or state.score) and not amounts:
        next_step("pages/4_Errors.py", "Look at the errors of the prediction")
    next_step("pages/2_Groups.py", "Compare stricter: change the filter")
    for page in remedy_pages(amount=amounts):
        next_step(page.path, f"Try a remedy: {page.remedy}")
if st.button("Ask another question", key="check_another", help="Keeps this one and starts a new comparison."):
    ask_another(state)
