"""A short list of rules to read aloud, found under a constraint."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study
from ui.remedies.rules import editor, form, other_settings, results
from ui.remedies.rules.page import RULES

state = open_page(
    RULES.title,
    "Can a few plain rules predict as well, with the groups kept alike? You say how complex they may be and how far "
    "apart groups may be. The best such rules are searched for, and you see how far from the best they can be. "
    "Do not use it where a score must say how likely the outcome is, or where so simple a model would lose too much.",
    method=RULES.called,
)
study = open_study(state)

settings, result = settings_and_result()
with settings:
    st.subheader("Settings", anchor=False)
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
        result=result,
        begin=begin,
    )
if fitted is not None:
    with result:
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
        rules, change, alike, whom, by_hand, others, search = st.tabs(
            [
                *("The rules", "Before and after", "What had to be alike", "Whom each rule concerns"),
                *("Change by hand", "Other settings", "The search"),
            ]
        )
    with rules:
        results.show_rules(plan, fitted)
    with change:
        outcome.show_change(fitted)
    with alike:
        results.show_gaps(fitted)
    with whom:
        results.show_coverage(fitted)
    with by_hand:
        editor.edit_rules(state, study, fitted)
    with others:
        other_settings.show_settings(state, fitted)
    with search:
        results.show_search(fitted)
