"""A decision tree of a few questions, found under a constraint or with a price on discrimination."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.remedies import amount_outcome, models, outcome, trying
from ui.remedies.trees import amount_plan as amount_tree_plan
from ui.remedies.trees import amount_results
from ui.remedies.trees import drawing as tree_drawn
from ui.remedies.trees import other_settings as trees_settings
from ui.remedies.trees import person as tree_person
from ui.remedies.trees import results as trees_results
from ui.remedies.trees import views as trees_views

state = open_page(
    "A decision tree to draw on a whiteboard",
    "Can a few yes-or-no questions, asked one after the other, predict as well, with the groups kept alike? You say "
    "how many questions and what must hold between groups. The best such tree is searched for, and you see how far "
    "from the best it can be. Do not use it where a score must say how likely the outcome is, or where so simple a "
    "model would lose too much.",
)
study = models.open_study(state, amounts=True)
amount = state.decision.amount
results = amount_results if amount else trees_results

st.header("What is asked of the tree")
plan = (amount_tree_plan.choose_amount_plan if amount else trees_views.choose_plan)(state, study)
fitted = trying.offer_fit(
    state,
    study,
    "trees",
    plan,
    label="Find a tree",
    nothing="No tree has been found yet. With few questions that takes seconds; otherwise up to twice the time limit, "
    "and a while for other settings. It can be stopped at any time with the best so far kept.",
)
if fitted is not None:
    st.header("The tree")
    results.show_verdict(plan, fitted)
    tree_drawn.show_tree(state, fitted)
    results.show_files(fitted)
    st.header("The judgement on held-out rows")
    (amount_outcome.show_amount_outcome if amount else outcome.show_outcome)(fitted)
    results.show_alike(fitted)
    results.show_similar(fitted)
    st.header("Try a made-up person")
    tree_person.ask_person(state, study, fitted)
    trees_settings.show_settings(state, fitted)
    results.show_search(fitted)
    trying.show_keeping(state, fitted)
