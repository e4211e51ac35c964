"""The questions of this audit: which go into the report, which to work on."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.report import words
from fairaudit.run import run_check
from ui.state import AuditState, CheckEntry
from ui.text import literal
from ui.widgets import start


def finding_of(state: AuditState, entry: CheckEntry):
    """Return the answer to a question on the present data, computed once."""
    plan = state.plan(fingerprint=False)
    key = (entry.plan, plan.decision)
    return state.remember("check", key, lambda: run_check(state.table, plan, entry.plan))


def show_findings(state: AuditState) -> None:
    """Draw the list of questions with their verdicts, and what can be done with each."""
    if state.small_cells.mask:
        st.caption("You see every count here. In the report, small ones are hidden.")
    for position, entry in enumerate(state.checks):
        if entry.plan.protected:
            with st.container(border=True, key=f"report_card_{position}"):
                _card(state, position, entry)
    if state.errors:
        state.errors_in_report = st.checkbox(
            "The errors of the prediction, by group", key=start("report_errors", state.errors_in_report)
        )
    if st.button("Ask another question", key="report_another", help="Keeps what you have and starts a new comparison."):
        ask_another(state)


def ask_another(state: AuditState) -> None:
    """Start a new question on the same data and go to the page where it is put."""
    if state.check.protected:
        state.checks.append(CheckEntry(state.check.model_copy(update={"protected": "", "title": None})))
        state.selected = len(state.checks) - 1
    st.switch_page("pages/2_Groups.py")


def _card(state: AuditState, position: int, entry: CheckEntry) -> None:
    try:
        sentence = words.verdict_sentence(finding_of(state, entry))
    except FairauditError as error:
        sentence = f"This question cannot be answered on the present data. {error.message}"
    st.markdown(literal(sentence, limit=900))
    with st.container(horizontal=True, vertical_alignment="center"):
        entry.in_report = st.checkbox(
            "In the report", key=start(f"report_in_{position}_{len(state.checks)}", entry.in_report)
        )
        if st.button("Change", key=f"report_change_{position}"):
            state.selected = position
            st.switch_page("pages/2_Groups.py")
        if st.button("Remove", key=f"report_remove_{position}"):
            _remove(state, position)
            st.rerun()


def _remove(state: AuditState, position: int) -> None:
    del state.checks[position]
    if not state.checks:
        state.checks.append(CheckEntry())
    state.selected = min(state.selected, len(state.checks) - 1)
