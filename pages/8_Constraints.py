"""Say what must hold between groups, and train a model to it."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
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

st.header("What must hold")
plan = form.choose_plan(state, study)
if plan is not None:
    st.header("Before training")
    form.show_before(state, study, plan)
fitted = trying.offer_fit(
    state,
    study,
    "constrain",
    plan,
    label="Train under these constraints",
    nothing="Nothing is trained yet. The model is fitted many times: that takes seconds to minutes, by the rows, the "
    "model and the number of groups.",
)
if fitted is not None:
    st.header("Are they met?")
    results.show_constraints(form.draft_of(state), fitted)
    results.show_search(state, study, fitted)
    st.header("The judgement on held-out rows")
    outcome.show_outcome(fitted)
    trying.show_keeping(state, fitted)
