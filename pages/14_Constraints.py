"""Say how far apart groups may be, and train a model that keeps to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.remedies import outcome, trying
from ui.remedies.constrain import form, results
from ui.remedies.constrain.page import CONSTRAIN
from ui.remedies.page_shape import open_remedy

state, study, places = open_remedy(
    CONSTRAIN,
    "How small can the differences between groups be made, and at what price? You set limits, such as false positive "
    "rates at most 3 points apart. A model is trained to keep them, and to lose as little accuracy as it can. Do not "
    "use it where the groups are so small that their rates are mostly chance.",
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
        label="Train under these constraints",
        nothing="Nothing has been trained yet. The model is trained many times, which takes seconds to minutes: longer "
        "with more rows, more groups or a slower model.",
        result=places.result,
        begin=begin,
    )
if fitted is not None:
    with places.result:
        outcome.show_answer(fitted)
    parts: dict[str, Callable[[], None]] = {
        "All limits": lambda: results.show_constraints(form.draft_of(state), fitted),
        "Other limits": lambda: results.show_search(state, study, fitted),
    }
    parts |= {} if plan is None else {"Before training": lambda: form.show_before(state, study, plan)}
    with places.more:
        outcome.show_more(fitted, parts, made=lambda: trying.show_other_ways(state, fitted))
    trying.show_ways_on(state, fitted)
elif plan is not None:
    with places.result:
        form.show_before(state, study, plan)
