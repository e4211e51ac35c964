"""Where to go from an answer: one button that leads on, and links beside it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.check.comparable import show_compare_otherwise
from ui.check.questions import ask_another
from ui.frame import next_step
from ui.remedies.registry import remedy_pages
from ui.state import AuditState
from ui.steps import CHOOSER
from ui.widgets import tick_in_report


def show_ways_on(state: AuditState, finding: Any) -> None:
    """Draw the button that leads on from the answer of the selected question, and two links."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_ways"):
        next_step("pages/4_Report.py", "Go to the report", first=True)
        next_step("pages/7_Explain.py", "What explains it")
        if remedy_pages(state.decision.kind) and not finding.result.has_one_decision:
            next_step(CHOOSER, "Try a remedy")
        show_compare_otherwise(state)


def show_other_ways(state: AuditState) -> None:
    """Draw what else can be done with the selected question."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_other_ways"):
        if (state.prediction or state.score) and state.decision.kind.has_good_outcome:
            next_step("pages/5_Errors.py", "Errors of the prediction")
        if state.decision.kind.has_good_outcome:
            next_step("pages/8_Change.py", "Change over time")
        if st.button("Ask another question", key="check_another", help="Keeps this one and starts a new comparison."):
            ask_another(state)
        state.entry.in_report = tick_in_report(f"check_in_report_{state.selected}", state.entry.in_report)
