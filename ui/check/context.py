"""The line above an answer: of which cases it is, where not of all, and the way to change it."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from ui.check.questions import question_words
from ui.conditions import condition_words
from ui.frame import next_step
from ui.manual import offer_manual
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start


def show_context(state: AuditState) -> None:
    """Draw which of several questions is asked, of which cases, and what leads to another one."""
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        if len(state.checks) > 1:
            state.selected = st.selectbox(
                "Question",
                range(len(state.checks)),
                format_func=lambda i: f"{i + 1}. {question_words(state, i)}",
                key=start("check_selected", state.selected),
                label_visibility="collapsed",
                width=340,
            )
        if state.check.where:
            where = Phrase(condition_words(state.table, state.check.where))
            st.markdown(literal(say(Message("check-context", {"where": where})), limit=300), width="content")
        next_step("pages/2_Groups.py", "Change")
        offer_manual()
