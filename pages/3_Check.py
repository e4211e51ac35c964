"""The verdict on whether like cases are treated alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.report import words
from ui import check_tabs, verdict
from ui.findings import ask_another, finding_of
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.text import literal
from ui.widgets import start

state = open_page(
    "Are like cases treated alike?",
    "Compares how often the good outcome is reached in the protected group and in the rest, among the people your "
    "filter selects. It does not say why. Where the true outcome is known too, see Errors.",
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

verdict.show_settings(state)
check_tabs.suggest_groups(state)
with errors_shown(way=("pages/2_Groups.py", "Change the groups or the filter")), st.spinner("Counting …"):
    finding = finding_of(state, state.entry)

verdict.show_verdict(finding)
verdict.show_chart_and_table(finding)
if reversal := words.reversal_warning(finding):
    st.warning(literal(reversal, limit=900))
for warning in finding.result.warnings:
    st.warning(literal(warning, limit=600))

groups, strata, tolerance, formula = st.tabs(["All groups", "By stratum", "Explore", "How this is computed"])
with groups:
    check_tabs.show_groups(state, finding)
with strata:
    check_tabs.show_strata(state, finding)
with tolerance:
    check_tabs.show_explorer(state, finding)
with formula:
    check_tabs.show_formula(finding)

st.header("What next")
state.entry.in_report = st.checkbox(
    "Put this in the report", key=start(f"check_in_report_{state.selected}", state.entry.in_report)
)
with st.container(horizontal=True):
    next_step("pages/12_Report.py", "Make the report")
    if state.prediction or state.score:
        next_step("pages/4_Errors.py", "Look at the errors of the prediction")
    next_step("pages/2_Groups.py", "Compare stricter: change the filter")
    next_step("pages/5_Retrain.py", "Try a remedy: retrain on relabelled rows")
    next_step("pages/6_Thresholds.py", "Try a remedy: a threshold for each group")
    next_step("pages/7_Equalize.py", "Try a remedy: scores that are spread alike")
if st.button("Ask another question", key="check_another", help="Keeps this one and starts a new comparison."):
    ask_another(state)
