"""How much accuracy counts beside scores that are spread alike, and how the model is fitted."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.equalize.plan import EqualizePlan
from ui.remedies import drafts
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start

USUAL: Final = EqualizePlan()
STEPS = tuple(step / 20 for step in range(21))
RARE = ("distance", "optimizer", "smoothing", "max_iter")
DISTANCES = {
    "ranks": "By gaps at all thresholds",
    "histogram": "By histograms, as first published",
}
OPTIMIZERS = {
    "lbfgs": "Quickly (L-BFGS)",
    "momentum": "In small steps, as first published (momentum)",
}


def choose_plan(state: AuditState) -> EqualizePlan:
    """Draw how much accuracy counts, and how the fit is made, and return the remedy that this makes."""
    draft = drafts.draft_of(state, USUAL)
    weight = st.select_slider(
        "Weight of accuracy",
        sorted({*STEPS, draft.accuracy_weight}),
        format_func=lambda value: f"{value:g}",
        help="The other part goes to scores that are spread alike. Known as alpha.",
        **drafts.tied(state, USUAL, "accuracy_weight"),
    )
    st.caption(literal(_weight_meaning(weight)))
    choose_no_group_worse_off(state, USUAL)
    changed = any(getattr(draft, field) != getattr(USUAL, field) for field in RARE)
    if st.toggle("More settings", key=start("equalize_more", changed)):
        _choose_fit(state)
    return drafts.draft_of(state, USUAL)


def _weight_meaning(weight: float) -> str:
    key = "equalize-weight-all" if weight == 1 else "equalize-weight-none" if weight == 0 else "equalize-weight"
    return say(Message(key))


def _choose_fit(state: AuditState) -> None:
    """Draw what few people change."""
    st.radio(
        "How spreads are compared",
        list(DISTANCES),
        format_func=DISTANCES.get,
        help="By histograms, scores may collapse to one value, which makes no gap smaller.",
        **drafts.tied(state, USUAL, "distance"),
    )
    st.radio(
        "How the model is fitted",
        list(OPTIMIZERS),
        format_func=OPTIMIZERS.get,
        **drafts.tied(state, USUAL, "optimizer"),
    )
    left, right = st.columns(2)
    left.number_input(
        "Smoothing",
        min_value=0.0,
        max_value=1.0,
        step=0.01,
        format="%.3f",
        help="How far a score counts in neighbouring bins. 0: the width of one.",
        **drafts.tied(state, USUAL, "smoothing", none=0.0),
    )
    right.number_input(
        "Steps, at most", min_value=1, max_value=100_000, step=100, **drafts.tied(state, USUAL, "max_iter")
    )
