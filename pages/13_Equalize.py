"""A model whose scores are spread alike in all groups."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.equalize import results
from ui.remedies.equalize.form import choose_plan
from ui.remedies.equalize.page import EQUALIZE
from ui.remedies.learning_panel import open_study

state = open_page(
    EQUALIZE.title,
    "Can one score with one threshold for everybody treat the groups alike, without asking who belongs to which? "
    "A model learns to be accurate and to spread its scores alike in every group. Do not use it where the score must "
    "say how likely the outcome is: it no longer does.",
    method=EQUALIZE.called,
)
study = open_study(state)

settings, result = settings_and_result()
with settings:
    st.subheader("Settings", anchor=False)
    begin = st.container(key="remedies_begin")
    plan = choose_plan(state)
    fitted = trying.offer_fit(
        state,
        study,
        "equalize",
        plan,
        label="Make this score",
        nothing="Nothing has been tried yet. It takes seconds with thousands of rows, minutes with hundreds of "
        "thousands.",
        result=result,
        begin=begin,
    )
if fitted is not None:
    with result:
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
        change, spread, weights = st.tabs(["Before and after", "How the scores are spread", "Other weights"])
    with change:
        outcome.show_change(fitted)
    with spread:
        results.show_spread(fitted)
    with weights:
        results.show_weights(state, fitted)
