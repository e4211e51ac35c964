"""The questions of this audit: their answers, and how another one is begun."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.conditions import condition_words
from ui.entries import CheckEntry
from ui.state import AuditState

_ON_GROUPS = "groups_"
CHOSEN = "check_selected"
"""The choice of the question that is worked on."""


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
    """Start a new question of the same cases and go to the page where it is put, or to one that was started.

    What makes cases comparable is asked anew: that of one group need not be that of another.
    """
    started = next((place for place, entry in enumerate(state.checks) if not entry.plan.protected), None)
    if started is None:
        new = {"protected": "", "title": None, "protected_name": None, "others_name": None}
        new |= {"strata": (), "strata_cuts": {}, "similar_by": ()}
        state.checks.append(CheckEntry(state.check.model_copy(update=new)))
        started = len(state.checks) - 1
    choose(state, started)
    st.switch_page("pages/2_Groups.py")


def choose(state: AuditState, place: int) -> None:
    """Work on another question, whatever the choice on the page says."""
    state.selected = place
    # What is written on Groups is of the question before.
    for key in [key for key in st.session_state if key == CHOSEN or str(key).startswith(_ON_GROUPS)]:
        del st.session_state[key]


def back_to_asked(state: AuditState) -> None:
    """Work on the last question that was put, where one was begun and left without a group."""
    asked = [place for place, entry in enumerate(state.checks) if entry.plan.protected]
    if asked and not state.check.protected:
        choose(state, asked[-1])
