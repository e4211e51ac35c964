"""A decision tree of a few questions, found under a constraint or with a price on discrimination."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study
from ui.remedies.trees import drawing, other_settings, person, result_parts
from ui.remedies.trees.page import TREES
from ui.remedies.trees.views import views_of

state = open_page(
    TREES.title,
    "Can a few yes-or-no questions, drawn as a tree, predict as well, with the groups kept alike? You say how many "
    "questions and how far apart groups may be. Do not use it where a score must say how likely the outcome is.",
    method=TREES.called,
)
study = open_study(state, any_decision=True)
views = views_of(state.decision.kind)

settings, result = settings_and_result()
with settings:
    st.subheader("Settings", anchor=False)
    begin = st.container(key="remedies_begin")
    plan = views.choose_plan(state, study)
    fitted = trying.offer_fit(
        state,
        study,
        "trees",
        plan,
        label="Find a tree",
        nothing="No tree has been looked for yet. That takes seconds with few questions and some minutes with more. "
        "You can stop it at any time and keep the best so far.",
        result=result,
        begin=begin,
    )
if fitted is not None:
    with result:
        outcome.show_answer(fitted)
        views.show_missed(fitted)
        trying.show_keeping(state, fitted)
        tree, change, alike, ask, others, search = st.tabs(
            [
                *("The tree", "Before and after", "What had to be alike", "Try a made-up person"),
                *("Other settings", "The search"),
            ]
        )
    with tree:
        views.show_verdict(plan, fitted)
        drawing.show_tree(state, fitted)
        result_parts.show_certificate(fitted)
        views.show_files(fitted)
    with change:
        outcome.show_change(fitted)
    with alike:
        views.show_alike(fitted)
        views.show_similar(fitted)
    with ask:
        person.ask_person(state, study, fitted)
    with others:
        other_settings.show_settings(state, fitted)
    with search:
        views.show_search(fitted)
