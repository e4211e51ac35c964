"""Say what must hold between groups, and train a model to it."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.constrain import form, results
from ui.remedies.learning_panel import open_study

state = open_page(
    "Keep the groups alike while training",
    "How small can the differences between groups be made, and at what price? You say what must hold, such as false "
    "positive rates within 3 points of each other, and a model is trained to it at the least loss of accuracy. Do not "
    "use it where the groups are so small that their rates are mostly chance.",
)
study = open_study(state)

settings, result = settings_and_result((1, 1.5))
with settings:
    st.subheader("Settings", anchor=False)
    plan = form.choose_plan(state, study)
    fitted = trying.offer_fit(
        state,
        study,
        "constrain",
        plan,
        label="Train under these constraints",
        nothing="Nothing is trained yet. The model is fitted many times: that takes seconds to minutes, by the rows, "
        "the model and the number of groups.",
        result=result,
    )
with result:
    names = ["Before training"] if plan is not None else []
    if fitted is not None:
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
        names = ["Are they met?", "Before and after", "Other limits", *names]
    tabs = dict(zip(names, st.tabs(names) if names else (), strict=True))
    if fitted is not None:
        with tabs["Are they met?"]:
            results.show_constraints(form.draft_of(state), fitted)
        with tabs["Before and after"]:
            outcome.show_change(fitted)
        with tabs["Other limits"]:
            results.show_search(state, study, fitted)
    if plan is not None:
        with tabs["Before training"]:
            form.show_before(state, study, plan)
