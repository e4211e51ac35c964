"""The questions of this audit: their answers, and how another one is begun."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.conditions import condition_words
from ui.entries import CheckEntry
from ui.state import AuditState


def finding_of(state: AuditState, entry: CheckEntry) -> Any:
    """Return the answer to a question on the present data, computed once: about shares or about amounts."""
    plan = state.plan(fingerprint=False)
    key = (entry.plan, plan.decision, plan.names, plan.seed)
    return state.remember("check", key, lambda: plan.decision.kind.answer(state.table, plan, entry.plan))


def question_words(state: AuditState, position: int) -> str:
    """Return what a question is called: its title or its protected group, both as they are said elsewhere."""
    asked = state.checks[position].plan
    if not asked.protected:
        return asked.title or "new"
    return asked.title or asked.protected_name or condition_words(state.table, asked.protected)


def ask_another(state: AuditState) -> None:
    """Start a new question on the same data and go to the page where it is put."""
    if state.check.protected:
        state.checks.append(CheckEntry(state.check.model_copy(update={"protected": "", "title": None})))
        state.selected = len(state.checks) - 1
    st.switch_page("pages/2_Groups.py")
