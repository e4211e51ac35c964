"""A threshold for each group on one score, so that errors are alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.numbers import count_text
from ui.frame import open_page
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study
from ui.remedies.thresholds import form
from ui.remedies.thresholds.results import show_judged
from ui.remedies.thresholds.trial import try_thresholds

state = open_page(
    "A threshold for each group",
    "From which score on should each group reach the good outcome, so that errors fall on all groups alike? "
    "Do not use it where the group of a person is not known when deciding, or may not be used: deciding by group is "
    "unlawful in many places. Ask counsel first.",
)
study = open_study(state)

st.header("Which score")
model = form.choose_score(state)
tuning = form.open_tuning(state, study, model)
if tuning is not None:
    st.header("Try thresholds")
    st.caption(
        f"All figures here are from the {count_text(tuning.problem.n)} tuning rows. The held-out rows stay out of "
        "sight until you ask for the judgement: who chooses by them sees a result that is better than it will be."
    )
    try_thresholds(state, study, tuning)
    if st.button("Judge these thresholds", type="primary", key="thresholds_judge"):
        trying.start_fit(state, study, form.plan_to_judge(state, tuning))
        st.rerun()

fitted = trying.choose_fitted(state, study, "thresholds", nothing="No thresholds have been judged yet.")
if fitted is not None:
    st.header("The judgement on held-out rows")
    outcome.show_outcome(fitted)
    show_judged(fitted)
    trying.show_keeping(state, fitted)
