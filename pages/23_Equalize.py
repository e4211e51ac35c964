"""A model whose scores are spread alike in all groups."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import equalize, outcome, trying
from ui.remedies.equalize import choose_plan
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import EQUALIZE
from ui.text import literal

QUESTION = ("equalize-question", "equalize-not-for")

state, study, places = open_remedy(
    EQUALIZE,
    literal(say(Message(key) for key in QUESTION)),
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
        nothing=say(Message("equalize-nothing")),
        result=places.result,
        begin=begin,
    )


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        outcome.show_answer(fitted)
    with places.more:
        parts = {
            "How the scores are spread": lambda: equalize.show_spread(fitted),
            "Other weights": lambda: equalize.show_weights(state, fitted),
        }
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)


if fitted is not None:
    show_result(fitted)
