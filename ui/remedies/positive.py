"""Which outcome the models of an audit call positive: as on the page Errors, until the person chooses otherwise."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.measure.errors_by_group import Positive
from fairaudit.plan.models import ModelsPlan
from ui.check.errors import POSITIVES
from ui.check.errors import PROPOSED as PROPOSED_ON_ERRORS
from ui.data.flagged import proposed_positive
from ui.entries import Fit
from ui.state import AuditState
from ui.widgets import start

PROPOSED: Final = "models_positive_proposed"
CHOSEN: Final = "models_positive_chosen"
"""Under which of the session's drafts it stands what was proposed, and what the person chose."""
_KEY: Final = "models_positive"


def usual_positive(state: AuditState) -> Positive:
    """Return which outcome the page Errors calls positive, or would propose to."""
    if state.errors and PROPOSED_ON_ERRORS not in state.drafts:
        return state.errors[0].positive
    return proposed_positive(state.prediction, state.score)


def follow_errors(state: AuditState) -> None:
    """Let models call positive what the page Errors does, where the person said nothing and no remedy was tried yet."""
    if state.models is None or PROPOSED not in state.drafts or CHOSEN in state.drafts or _is_tried(state):
        return
    state.models = state.models.model_copy(update={"positive": usual_positive(state)})


def choose_positive(state: AuditState, present: ModelsPlan) -> Positive:
    """Draw what counts as positive, and return it."""
    usual = usual_positive(state)
    if state.models is None:
        state.drafts[PROPOSED] = usual
    value = state.drafts.get(CHOSEN, usual if state.models is None else present.positive)
    # Put there only where it is another, which is so where another page has changed it.
    if st.session_state.get(start(_KEY, value)) != value:
        st.session_state[_KEY] = value
    chosen = st.radio(
        "What counts as positive",
        list(POSITIVES),
        format_func=POSITIVES.get,
        horizontal=True,
        key=_KEY,
        on_change=lambda: state.drafts.update({CHOSEN: st.session_state[_KEY]}),
        help="Decides what a false positive is. Where people are flagged for a risk, it is somebody wrongly flagged: "
        "then the bad outcome is proposed.",
    )
    if chosen != usual and (state.prediction is not None or state.score is not None):
        st.caption(
            f"On the page Errors {POSITIVES[usual]} counts as positive: a false positive there is another error."
        )
    return chosen


def positive_words(meaning: str) -> str:
    """Return what is called positive, and what a false positive then is, to stand beside rates."""
    return f"Positive means: {meaning}. A false positive is a row for which that is predicted although it is not so."


def _is_tried(state: AuditState) -> bool:
    return bool(state.fitted) or any(isinstance(job.about, Fit) for job in state.jobs.active)
