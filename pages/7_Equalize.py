"""A model whose scores are spread alike in all groups."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.remedies import outcome, trying
from ui.remedies.equalize.form import choose_plan
from ui.remedies.equalize.results import show_equalizing
from ui.remedies.learning_panel import open_study

state = open_page(
    "Scores that are spread alike",
    "Can one score, cut at one threshold for all, treat the groups alike without asking who belongs to which? "
    "A logistic model learns to be accurate and to spread its scores alike in every group. Do not use it where the "
    "score must say how likely the outcome is: it no longer does.",
)
study = open_study(state)

st.header("How much accuracy counts")
plan = choose_plan(state)
fitted = trying.offer_fit(
    state,
    study,
    "equalize",
    plan,
    label="Fit",
    nothing="Nothing is fitted yet. It takes seconds on thousands of rows, minutes on hundreds of thousands.",
)
if fitted is not None:
    st.header("The judgement on held-out rows")
    outcome.show_outcome(fitted)
    show_equalizing(state, fitted)
    trying.show_keeping(state, fitted)
