"""The line above the answer to a question, and the way to change it."""

from __future__ import annotations

import streamlit as st

from ui.asked import asked_of_check, choose_question, show_asked
from ui.frame import next_step
from ui.manual import offer_manual
from ui.state import AuditState


def show_context(state: AuditState) -> None:
    """Draw which of several questions is asked, who is compared, among which cases, and what leads to another one."""
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        choose_question(state)
        if (asked := asked_of_check(state)) is not None:
            show_asked(asked)
        next_step("pages/2_Groups.py", "Change")
        offer_manual()
