"""A short list of rules to read aloud, found under a constraint."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import outcome, trying
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import RULES
from ui.remedies.rules import form, results
from ui.text import literal

QUESTION = ("rules-question", "rules-not-for")

state, study, places = open_remedy(
    RULES,
    literal(say(Message(key) for key in QUESTION)),
)
with places.settings:
    begin = st.container(key="remedies_begin")
    plan = form.choose_plan(state, study)
    fitted = trying.offer_fit(
        state,
        study,
        "rules",
        plan,
        label="Find rules",
        nothing=say(Message("rules-not-begun")),
        result=places.result,
        begin=begin,
        show_found=results.show_rounds,
    )


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        outcome.show_answer(
            fitted, beside=lambda: results.show_rules(fitted), picture=lambda: results.show_picture(fitted)
        )
    with places.more:
        parts = {
            "All limits": lambda: results.show_gaps(fitted),
            "Whom each rule concerns": lambda: results.show_coverage(fitted),
            "Change by hand": lambda: form.edit_rules(state, study, fitted),
            "Other settings": lambda: results.show_settings(state, fitted),
            "The search and files": lambda: results.show_search(plan, fitted),
        }
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)


if fitted is not None:
    show_result(fitted)
