"""A short list of rules to read aloud, found under a constraint."""

from __future__ import annotations

import streamlit as st

from ui.remedies import outcome, trying
from ui.remedies.page_shape import open_remedy
from ui.remedies.rules import editor, form, other_settings, results
from ui.remedies.rules.page import RULES

state, study, places = open_remedy(
    RULES,
    "Can a few plain rules predict as well, with the groups kept alike? You say how complex they may be and how far "
    "apart groups may be. The best such rules are searched for, and you see how far from the best they can be. "
    "Do not use it where a score must say how likely the outcome is, or where so simple a model would lose too much.",
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
        nothing="No rules have been looked for yet. That takes seconds with a small table and some minutes with a "
        "large one. You can stop it at any time and keep the best so far.",
        result=places.result,
        begin=begin,
    )
if fitted is not None:
    with places.result:
        outcome.show_answer(fitted, beside=lambda: results.show_rules(fitted))
    with places.more:
        parts = {
            "All limits": lambda: results.show_gaps(fitted),
            "Whom each rule concerns": lambda: results.show_coverage(fitted),
            "Change by hand": lambda: editor.edit_rules(state, study, fitted),
            "Other settings": lambda: other_settings.show_settings(state, fitted),
            "The search and files": lambda: results.show_search(plan, fitted),
        }
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)
