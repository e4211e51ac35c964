"""A model whose scores are spread alike in all groups."""

from __future__ import annotations

import streamlit as st

from ui.remedies import outcome, trying
from ui.remedies.equalize import results
from ui.remedies.equalize.form import choose_plan
from ui.remedies.equalize.page import EQUALIZE
from ui.remedies.page_shape import open_remedy

state, study, places = open_remedy(
    EQUALIZE,
    "Can one score with one threshold for everybody treat the groups alike, without asking who belongs to which? "
    "A model learns to be accurate and to spread its scores alike in every group. Do not use it where the score must "
    "say how likely the outcome is: it no longer does.",
)
with places.settings:
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
        result=places.result,
        begin=begin,
    )
if fitted is not None:
    with places.result:
        outcome.show_answer(fitted)
    with places.more:
        parts = {
            "How the scores are spread": lambda: results.show_spread(fitted),
            "Other weights": lambda: results.show_weights(state, fitted),
        }
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)
