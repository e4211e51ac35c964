"""Say how far apart groups may be, and train a model that keeps to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Fitted
from ui.remedies import outcome, trying
from ui.remedies.constrain import form
from ui.remedies.outcome import open_remedy
from ui.remedies.registry import CONSTRAIN
from ui.text import literal

QUESTION = ("constrain-question", "constrain-not-for")

state, study, places = open_remedy(
    CONSTRAIN,
    literal(say(Message(key) for key in QUESTION)),
    widths=(1, 1.5),
)
with places.settings:
    begin = st.container(key="remedies_begin")
    plan = form.choose_plan(state, study)
    fitted = trying.offer_fit(
        state,
        study,
        "constrain",
        plan,
        label="Train to these limits",
        nothing=say(Message("constrain-nothing")),
        result=places.result,
        begin=begin,
        show_found=form.show_fits_so_far,
    )


def show_result(fitted: Fitted) -> None:
    """Draw the answer, and what opens below it."""
    with places.result:
        outcome.show_answer(fitted)
    parts: dict[str, Callable[[], None]] = {
        "All limits": lambda: form.show_constraints(form.draft_of(state), fitted),
        "Other limits": lambda: form.show_search(state, study, fitted),
    }
    parts |= {} if plan is None else {"Before training": lambda: form.show_before(state, study, plan)}
    with places.more:
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)


if fitted is not None:
    show_result(fitted)
elif plan is not None:
    with places.result:
        form.show_before(state, study, plan)
