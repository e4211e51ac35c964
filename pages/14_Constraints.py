"""Say how far apart groups may be, and train a model that keeps to it."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.constrain import form, results
from ui.remedies.constrain.page import CONSTRAIN
from ui.remedies.learning_panel import open_study

state = open_page(
    CONSTRAIN.title,
    "How small can the differences between groups be made, and at what price? You set limits, such as false positive "
    "rates at most 3 points apart. A model is trained to keep them, and to lose as little accuracy as it can. Do not "
    "use it where the groups are so small that their rates are mostly chance.",
    method=CONSTRAIN.called,
)
study = open_study(state)

settings, result = settings_and_result((1, 1.5))
with settings:
    st.subheader("Settings", anchor=False)
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
        result=result,
        begin=begin,
    )
with result:
    names = ["Before training"] if plan is not None else []
    if fitted is not None:
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
        names = ["Are they met?", "Before and after", "Other limits", *names]
    tabs = dict(zip(names, st.tabs(names) if names else (), strict=True))
    if fitted is not None:
        with tabs["Are they met?"]:
            results.show_constraints(form.draft_of(state), fitted)
        with tabs["Before and after"]:
            outcome.show_change(fitted)
        with tabs["Other limits"]:
            results.show_search(state, study, fitted)
    if plan is not None:
        with tabs["Before training"]:
            form.show_before(state, study, plan)
