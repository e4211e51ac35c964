"""Choose what the report holds, make it, and take it away."""

from __future__ import annotations

import streamlit as st

from ui.frame import errors_shown, keep_way, need, next_step, open_page
from ui.presets import entries as preset_entries
from ui.report import findings, making
from ui.widgets import end_page

state = open_page(
    "Report",
    "A report that others can check and repeat: the PDF to read, the tables to compute with, the saved audit to run "
    "again. It holds counts, shares and means, never a row of your data.",
)
need(state, decision=not state.inspections, cases=False)

# Above what it holds: the button is what the page is for.
take = st.container(key="report_take")

st.header("What will be in it")
findings.show_findings(state)
if state.decision is not None:
    findings.show_remedies(state)
    preset_entries.show_entries(state)

st.header("About the report")
making.show_options(state)
findings.say_what_is_hidden(state)

plan = state.plan(fingerprint=False)
if plan is None or findings.is_empty(plan):
    st.info("Nothing is chosen for the report yet. Say who is protected, then look at the check.")
    next_step("pages/2_Groups.py", "Go to Groups")
    end_page()

keep_way(state)
with take:
    making.show_unfitted(state)
    with errors_shown(go_on=True):
        if st.button("Make the report", type="primary", key="report_make"):
            making.ask(state)
            if making.unfitted(state):
                # So that the sidebar shows the fits.
                st.rerun()
        making.go_on(state)
    making.show_made(state)
