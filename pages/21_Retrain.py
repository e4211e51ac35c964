"""Learn from past decisions of which some were changed until the gap in them is gone."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import outcome, relabel, trying
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import RELABEL
from ui.remedies.relabel import choose_plan, show_relabeling, show_what_to_expect
from ui.text import literal

QUESTION = ("retrain-question", "retrain-not-for")

state, study, places = open_remedy(
    RELABEL,
    literal(say(Message(key) for key in QUESTION)),
)
with places.settings:
    begin = st.container(key="remedies_begin")
    plan = choose_plan(state, study)
    show_what_to_expect(state, study, plan)
    fitted = trying.offer_fit(
        state,
        study,
        "relabel",
        plan,
        label="Retrain",
        nothing=say(Message("retrain-nothing")),
        result=places.result,
        begin=begin,
    )
    missing = relabel.pairs_missing(state, plan)
    if st.button("Try all pairs of models", key="retrain_pairs", disabled=not missing, help=relabel.PAIRS_HELP):
        relabel.start_pairs(state, study, plan)
        st.rerun()


def show_exact(fitted: Fitted) -> None:
    """Draw the gap where another picture stands in its place, and the gaps inside and outside the filter."""
    if relabel.needs_curve(fitted):
        outcome.show_gap(fitted)
    relabel.show_places(fitted)


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        picture = (lambda: relabel.show_extents(fitted)) if relabel.needs_curve(fitted) else None
        outcome.show_answer(fitted, picture=picture)
    with places.more:
        parts = {
            "How far": lambda: relabel.show_search(fitted),
            "Which decisions change": lambda: show_relabeling(state, study, fitted),
            "All pairs of models": lambda: relabel.show_pairs(state, plan),
        }
        outcome.show_more(
            fitted, parts, exact=lambda: show_exact(fitted), made=lambda: trying.show_other_ways(state, fitted)
        )
    trying.show_ways_on(state, fitted)


if fitted is None:
    with places.result:
        relabel.show_pairs(state, plan)
else:
    show_result(fitted)
