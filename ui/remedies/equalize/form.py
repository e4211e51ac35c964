"""How much accuracy counts beside scores that are spread alike, and how the model is fitted."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.present.numbers import number_text
from fairaudit.remedies.equalize.plan import EqualizePlan
from ui.remedies import drafts
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.widgets import start

USUAL: Final = EqualizePlan()
STEPS = tuple(step / 20 for step in range(21))
RARE = ("distance", "optimizer", "smoothing", "max_iter")
DISTANCES = {
    "ranks": "By the gaps at all thresholds",
    "histogram": "By histograms of the scores, as first published",
}
OPTIMIZERS = {
    "lbfgs": "Quickly, until nothing better is found (L-BFGS)",
    "momentum": "In many small steps, as first published (gradient descent with momentum)",
}


def choose_plan(state: AuditState) -> EqualizePlan:
    """Draw how much accuracy counts, and how the fit is made, and return the remedy that this makes."""
    draft = drafts.draft_of(state, USUAL)
    weight = st.select_slider(
        "Weight of accuracy",
        sorted({*STEPS, draft.accuracy_weight}),
        format_func=lambda value: f"{value:g}",
        help="Called alpha in the literature. The rest, 1 minus this weight, goes to scores that are spread alike.",
        **drafts.tied(state, USUAL, "accuracy_weight"),
    )
    st.caption(_weight_words(weight, draft.distance))
    choose_no_group_worse_off(state, USUAL)
    changed = any(getattr(draft, field) != getattr(USUAL, field) for field in RARE)
    if st.toggle("More settings", key=start("equalize_more", changed)):
        _choose_fit(state)
    return drafts.draft_of(state, USUAL)


def _weight_words(weight: float, distance: str) -> str:
    if weight == 1:
        return "At 1 only accuracy counts: this is a plain logistic regression."
    if weight == 0:
        return "At 0 only alike scores count, and a model that knows nothing is as good as any."
    usual = "Begin with 0.5" if distance == "ranks" else "The authors of this remedy recommend 0.1 to 0.2"
    return (
        f"Accuracy counts {number_text(weight)}, scores that are spread alike count {number_text(1 - weight)}. "
        f"{usual}. A smaller weight gives smaller gaps and more errors."
    )


def _choose_fit(state: AuditState) -> None:
    """Draw what few people change."""
    st.radio(
        "How differences in the spread of scores are measured",
        list(DISTANCES),
        format_func=DISTANCES.get,
        help="Histograms are alike, too, where everybody has nearly the same score, so scores may collapse to one "
        "value. That makes no gap smaller.",
        **drafts.tied(state, USUAL, "distance"),
    )
    st.radio(
        "How the weights of the model are found",
        list(OPTIMIZERS),
        format_func=OPTIMIZERS.get,
        **drafts.tied(state, USUAL, "optimizer"),
    )
    left, right = st.columns(2)
    left.number_input(
        "Smoothing of the scores",
        min_value=0.0,
        max_value=1.0,
        step=0.01,
        format="%.3f",
        help="How far a score reaches into neighbouring bins when distributions are compared. 0: the width of a bin, "
        "0.02.",
        **drafts.tied(state, USUAL, "smoothing", none=0.0),
    )
    right.number_input(
        "Steps, at most", min_value=1, max_value=100_000, step=100, **drafts.tied(state, USUAL, "max_iter")
    )
