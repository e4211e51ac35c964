"""A decision tree of a few questions, found under a constraint or with a price on discrimination."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import outcome, trying
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import TREES
from ui.remedies.trees import results
from ui.remedies.trees.nodes import views_of
from ui.text import literal

QUESTION = ("trees-question", "trees-not-for")

state, study, places = open_remedy(
    TREES,
    literal(say(Message(key) for key in QUESTION)),
    any_decision=True,
)
views = views_of(state.present_decision.kind)
with places.settings:
    begin = st.container(key="remedies_begin")
    plan = views.choose_plan(state, study)
    fitted = trying.offer_fit(
        state,
        study,
        "trees",
        plan,
        label="Find a tree",
        nothing="No tree yet. A search takes seconds to minutes.",
        result=places.result,
        begin=begin,
        show_found=results.show_steps,
    )


def show_made(fitted: Fitted) -> None:
    """Draw how the tree was found, how else to try it, and its files."""
    results.show_how_found(fitted)
    trying.show_other_ways(state, fitted)
    results.show_files(fitted)


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        results.note_change(plan, fitted)
        outcome.show_answer(fitted, picture=lambda: results.show_picture(fitted))
    with places.more:
        parts = {
            "Nodes": lambda: results.show_tree(state, fitted),
            "All limits": lambda: results.show_alike(fitted),
            "A made-up person": lambda: results.ask_person(state, study, fitted),
            "Other settings": lambda: results.show_settings(state, fitted),
        }
        outcome.show_more(fitted, parts, exact=lambda: outcome.show_gap(fitted), made=lambda: show_made(fitted))
    trying.show_ways_on(state, fitted)


if fitted is not None:
    show_result(fitted)
