"""A short list of rules to read aloud, found under a constraint."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study
from ui.remedies.rules import editor, form, other_settings, results

state = open_page(
    "Rules that can be read aloud",
    "Can a few plain rules predict as well, with the groups kept alike? You say how complex they may be and what must "
    "hold between groups. The best such rules are searched for, and you see how far from the best they can be. "
    "Do not use it where a score must say how likely the outcome is, or where so simple a model would lose too much.",
)
study = open_study(state)

st.header("What is asked of the rules")
plan = form.choose_plan(state, study)
fitted = trying.offer_fit(
    state,
    study,
    "rules",
    plan,
    label="Find a rule set",
    nothing="No rule set has been found yet. That takes seconds on small tables; on large ones twice the seconds of "
    "work that are allowed, and a minute more for other settings. It can be stopped at any time with the best so far "
    "kept.",
)
if fitted is not None:
    st.header("The rules")
    results.show_rules(plan, fitted)
    st.header("The judgement on held-out rows")
    outcome.show_outcome(fitted)
    results.show_gaps(fitted)
    results.show_coverage(fitted)
    st.header("Change the rules by hand")
    editor.edit_rules(state, study, fitted)
    other_settings.show_settings(state, fitted)
    results.show_search(fitted)
    trying.show_keeping(state, fitted)
