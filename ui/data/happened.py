"""Whether the decision column holds what somebody decided, or what happened later: proposed by its name, asked once."""

from __future__ import annotations

from typing import Final

import streamlit as st

from ui.data.flagged import sounds_decided, sounds_true
from ui.state import AuditState
from ui.widgets import start

DECIDED, HAPPENED = "what somebody decided", "what happened later"
PROPOSED: Final = "decision_is_outcome"
"""Under which of the session's drafts the column stands of which the answer is only proposed."""


def proposed_outcome(state: AuditState, column: str) -> bool:
    """Say whether a column is taken for what happened later: by its name or, where that says nothing, a prediction."""
    if sounds_true(column) or sounds_decided(column):
        return sounds_true(column)
    return (state.prediction or state.score) is not None


def settle_outcome(state: AuditState) -> None:
    """Let the answer follow what is proposed, until the person gives one; a saved audit has its own."""
    decision = state.decision
    if decision is None or decision.amount or state.drafts.get(PROPOSED) != decision.column:
        return
    if decision.is_outcome != (proposed := proposed_outcome(state, decision.column)):
        state.decision = decision.model_copy(update={"is_outcome": proposed})


def choose_outcome(state: AuditState, same: bool | None, column: str, key: str) -> bool | None:
    """Draw what the column tells, and return whether that is what happened; `same` is what was said of it before.

    None is what a saved audit says which did not know the question: its answer depends on the prediction.
    """
    before = state.decision
    is_new = before is None or before.column != column
    if is_new and same is None:
        state.drafts[PROPOSED] = column
    is_proposed = state.drafts.get(PROPOSED) == column
    value = same
    if is_proposed:
        value = proposed_outcome(state, column)
    shown = (state.prediction or state.score) is not None if value is None else value
    place, option = f"{key}_happened_{column}", HAPPENED if shown else DECIDED
    # Put there only where it is another, as where a prediction was named since.
    if st.session_state.get(start(place, option)) != option:
        st.session_state[place] = option

    def take() -> None:
        state.drafts.pop(PROPOSED, None)
        if state.decision is not None:
            happened = st.session_state[place] == HAPPENED
            state.decision = state.decision.model_copy(update={"is_outcome": happened})

    st.radio(
        "This column says",
        [DECIDED, HAPPENED],
        horizontal=True,
        key=place,
        on_change=take,
        help="What happened later is what a prediction is judged by, on the page Errors; a decision is what models may "
        "replace. Sentences follow it.",
    )
    return value
