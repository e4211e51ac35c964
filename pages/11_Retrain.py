"""Learn from past decisions of which some were changed until the gap in them is gone."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study
from ui.remedies.relabel import pairs
from ui.remedies.relabel.form import choose_plan, show_what_to_expect
from ui.remedies.relabel.page import RELABEL
from ui.remedies.relabel.results import show_relabeling

state = open_page(
    RELABEL.title,
    "What if a model learned from decisions without the gap? Some past decisions of the protected group are changed "
    "until both groups have the good outcome equally often among them. A new model learns from these and tries to give "
    "it to both equally often, which can fail. Do not use it where the gap in the past decisions is justified, or "
    "where the decision column holds what truly happened.",
    method=RELABEL.called,
)
study = open_study(state)

settings, result = settings_and_result()
with settings:
    st.subheader("Settings", anchor=False)
    begin = st.container(key="remedies_begin")
    plan = choose_plan(state)
    show_what_to_expect(study)
    fitted = trying.offer_fit(
        state,
        study,
        "relabel",
        plan,
        label="Retrain",
        nothing="Nothing has been tried yet. It takes seconds with thousands of rows, minutes with hundreds of "
        "thousands.",
        result=result,
        begin=begin,
    )
    missing = pairs.pairs_missing(state, plan)
    if st.button("Try all four pairs of models", key="retrain_pairs", disabled=not missing, help=pairs.PAIRS_HELP):
        pairs.start_pairs(state, study, plan)
        st.rerun()
with result:
    if fitted is not None:
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
        change, labels, models = st.tabs(["Before and after", "Which decisions change", "All pairs of models"])
        with change:
            outcome.show_change(fitted)
        with labels:
            show_relabeling(state, study, fitted)
        with models:
            pairs.show_pairs(state, plan)
    else:
        pairs.show_pairs(state, plan)
