"""A threshold for each group on one score, so that errors are alike."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import outcome, thresholds, trying
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import THRESHOLDS
from ui.remedies.thresholds import show_judged, try_thresholds
from ui.text import literal

QUESTION = ("thresholds-question", "thresholds-not-for")

state, study, places = open_remedy(THRESHOLDS, literal(say(Message(key) for key in QUESTION)))
with places.settings:
    begin = st.container(key="remedies_begin")
    model = thresholds.choose_score(state)
    thresholds.choose_wish(state, study)
    tuning, can_be_cut = thresholds.open_tuning(state, study, model)
    fitted = trying.offer_fit(
        state,
        study,
        "thresholds",
        thresholds.plan_to_judge(state, tuning) if can_be_cut else None,
        label=thresholds.press(state, tuning),
        nothing=say(Message("thresholds-nothing")),
        result=places.result,
        begin=begin,
    )
if fitted is None and tuning is not None:
    with places.result, st.expander(say(Message("thresholds-by-hand"))):
        try_thresholds(state, study, tuning)


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        thresholds.note_change(state, tuning, fitted)
        outcome.show_answer(fitted)
    parts: dict[str, Callable[[], None]] = {"These thresholds": lambda: show_judged(fitted)}
    if tuning is not None:
        parts |= {say(Message("thresholds-by-hand")): lambda: try_thresholds(state, study, tuning)}
    with places.more:
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)


if fitted is not None:
    show_result(fitted)
