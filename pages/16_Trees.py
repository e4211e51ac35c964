"""A decision tree of a few questions, found under a constraint or with a price on discrimination."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.remedies import outcome, trying
from ui.remedies.page_shape import open_remedy
from ui.remedies.trees import drawing, other_settings, person, result_parts
from ui.remedies.trees.page import TREES
from ui.remedies.trees.views import views_of

state, study, places = open_remedy(
    TREES,
    "Can a few yes-or-no questions, drawn as a tree, predict as well, with the groups kept alike? You say how many "
    "questions and how far apart groups may be. Do not use it where a score must say how likely the outcome is.",
    any_decision=True,
)
views = views_of(state.decision.kind)
with places.settings:
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
        result=places.result,
        begin=begin,
    )


def show_alike() -> None:
    """Draw what had to be alike, and whether similar people are treated alike."""
    views.show_alike(fitted)
    views.show_similar(fitted)


def show_search() -> None:
    """Draw how the tree was found, how far from the best it can be, and its files."""
    views.show_verdict(plan, fitted)
    result_parts.show_certificate(fitted)
    views.show_search(fitted)
    views.show_files(fitted)


if fitted is not None:
    with places.result:
        outcome.show_answer(fitted)
        drawing.show_picture(fitted)
    with places.more:
        parts = {
            say(Message("remedy-tree-node")): lambda: drawing.show_tree(state, fitted),
            "All limits": show_alike,
            "Try a made-up person": lambda: person.ask_person(state, study, fitted),
            "Other settings": lambda: other_settings.show_settings(state, fitted),
            "The search and files": show_search,
        }
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)
