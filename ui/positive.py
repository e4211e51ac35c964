"""Which outcome the audit calls positive: one choice for errors, searches for worst groups, and models."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.defaults import Positive
from ui.data.flagged import proposed_positive
from ui.state import AuditState
from ui.widgets import start

POSITIVES: Final = {"favorable": "the favourable result", "unfavorable": "the unfavourable result"}


def settle_positive(state: AuditState) -> None:
    """Let the audit call positive what is proposed for its prediction and score, until the person chooses."""
    if not state.positive_is_said:
        state.call_positive(proposed_positive(state.prediction, state.score))


def choose_positive(state: AuditState, place: DeltaGenerator, key: str, *, horizontal: bool = False) -> Positive:
    """Draw what counts as positive, wherever it matters, and return it."""
    settle_positive(state)
    # Put there only where it is another, which is so where another page has changed it.
    if st.session_state.get(start(key, state.positive)) != state.positive:
        st.session_state[key] = state.positive

    def take() -> None:
        state.positive_is_said = True
        state.call_positive(st.session_state[key])

    return place.radio(
        "What counts as positive",
        list(POSITIVES),
        format_func=POSITIVES.get,
        horizontal=horizontal,
        key=key,
        on_change=take,
        help="Decides what a false positive is, on all pages and in the report. Where people are flagged for a risk, "
        "it is somebody wrongly flagged: then the unfavourable result is proposed.",
    )
