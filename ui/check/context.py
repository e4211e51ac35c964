"""The line above an answer: which question it is about, and the way to change it."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.naming import names_of
from ui.check.questions import question_words
from ui.conditions import condition_words
from ui.frame import next_step
from ui.manual import offer_manual
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start


def show_context(state: AuditState) -> None:
    """Draw which question is asked, of whom, and what leads to another one."""
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
        if state.check.protected and (asked := _asked(state)):
            st.markdown(literal(asked, limit=300), width="content")
        next_step("pages/2_Groups.py", "Change")
        offer_manual()


def _asked(state: AuditState) -> str:
    protected = state.table.condition(state.check.protected)
    if protected is None:
        return ""
    names = names_of(state.plan(fingerprint=False), state.check, protected)
    args = {"protected": names.protected, "others": names.others}
    if not state.check.where:
        return say(Message("check-context", args))
    return say(
        Message("check-context-where", {**args, "where": Phrase(condition_words(state.table, state.check.where))})
    )
