"""A threshold for each group on one score, so that errors are alike."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit.present.numbers import count_text
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import show_sizes
from ui.remedies.page_shape import open_remedy
from ui.remedies.thresholds import form
from ui.remedies.thresholds.page import THRESHOLDS
from ui.remedies.thresholds.results import show_judged
from ui.remedies.thresholds.trial import try_thresholds

state, study, places = open_remedy(
    THRESHOLDS,
    "From which score on should each group reach the good outcome, so that errors fall on all groups alike? "
    "Do not use it where the group of a person is not known when deciding, or may not be used: deciding by group is "
    "unlawful in many places. Ask counsel first.",
)
with places.settings:
    model = form.choose_score(state)
    tuning = form.open_tuning(state, study, model)
    if tuning is not None:
        form.choose_wish(state)
    if tuning is not None and st.button("Judge these thresholds", type="primary", key="thresholds_judge"):
        trying.start_fit(state, study, form.plan_to_judge(state, tuning))
        st.rerun()
    show_sizes(study, "thresholds")


def show_trial() -> None:
    """Draw other thresholds, with what they come to on the tuning rows."""
    st.caption(
        f"All figures here are from the {count_text(tuning.problem.n)} tuning rows. The held-out rows stay out of "
        "sight until you ask for the judgement: choosing by them would make the result look better than it is."
    )
    try_thresholds(state, study, tuning)


with places.result:
    fitted = trying.choose_fitted(state, study, "thresholds", nothing="No thresholds have been judged yet.")
    if fitted is not None:
        form.note_change(state, tuning, fitted)
        outcome.show_answer(fitted)
    elif tuning is not None:
        show_trial()
if fitted is not None:
    parts: dict[str, Callable[[], None]] = {"The thresholds that were judged": lambda: show_judged(fitted)}
    parts |= {} if tuning is None else {"Try thresholds": show_trial}
    with places.more:
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)
