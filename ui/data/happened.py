"""Whether the decision column holds what somebody decided, or what happened later: proposed by its name, asked once."""

from __future__ import annotations

from typing import Final

import streamlit as st

from ui.data.flagged import sounds_decided, sounds_true
from ui.state import AuditState
from ui.widgets import start

DECIDED, HAPPENED = "what somebody decided", "what happened later"
SHOWN: Final = "decision_shown"
"""Under which of the session's drafts it stands what a column is taken for of which a saved audit does not say it."""


def proposed_outcome(state: AuditState, column: str) -> bool:
    """Say whether a column is taken for what happened later: by its name or, where that says nothing, a prediction."""
    if sounds_true(column) or sounds_decided(column):
        return sounds_true(column)
    return _is_judged(state)


def settle_outcome(state: AuditState) -> None:
    """Let what a column was shown to tell stay, where a prediction was named or taken back since."""
    decision = state.decision
    if decision is None or decision.amount or decision.is_outcome is not None:
        return
    now = (state.data_key, decision.column, _is_judged(state))
    *place, shown = state.drafts.get(SHOWN, now)
    if (*place,) == now[:2] and shown != now[2]:
        state.decision = decision.model_copy(update={"is_outcome": shown})
    state.drafts[SHOWN] = now


def choose_outcome(state: AuditState, same: bool | None, column: str, key: str) -> bool | None:
    """Draw what the column tells, and return whether that is what happened; `same` is what was said of it before.

    It is proposed once, when the column is chosen. None is what a saved audit says which did not know the question:
    its answer depends on the prediction.
    """
    before = state.decision
    is_new = before is None or before.column != column
    value = proposed_outcome(state, column) if is_new and same is None else same
    shown = _is_judged(state) if value is None else value
    place, option = f"{key}_happened_{column}", HAPPENED if shown else DECIDED
    # Put there only where it is another, as where another audit was opened since.
    if st.session_state.get(start(place, option)) != option:
        st.session_state[place] = option

    def take() -> None:
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


def _is_judged(state: AuditState) -> bool:
    """Say whether a prediction or score is named."""
    return (state.prediction or state.score) is not None
