"""A threshold for each group on one score, so that errors are alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.numbers import count_text
from ui.frame import open_page
from ui.look import settings_and_result
from ui.remedies import outcome, trying
from ui.remedies.learning_panel import open_study, show_sizes
from ui.remedies.thresholds import form
from ui.remedies.thresholds.page import THRESHOLDS
from ui.remedies.thresholds.results import show_judged
from ui.remedies.thresholds.trial import try_thresholds

state = open_page(
    THRESHOLDS.title,
    "From which score on should each group reach the good outcome, so that errors fall on all groups alike? "
    "Do not use it where the group of a person is not known when deciding, or may not be used: deciding by group is "
    "unlawful in many places. Ask counsel first.",
    method=THRESHOLDS.called,
)
study = open_study(state)

settings, result = settings_and_result()
with settings:
    st.subheader("Settings", anchor=False)
    model = form.choose_score(state)
    tuning = form.open_tuning(state, study, model)
    if tuning is not None:
        form.choose_wish(state)
    if tuning is not None and st.button("Judge these thresholds", type="primary", key="thresholds_judge"):
        trying.start_fit(state, study, form.plan_to_judge(state, tuning))
        st.rerun()
    show_sizes(study, "thresholds")
with result:
    fitted = trying.choose_fitted(state, study, "thresholds", nothing="No thresholds have been judged yet.")
    if fitted is not None:
        form.note_change(state, tuning, fitted)
        outcome.show_answer(fitted)
        trying.show_keeping(state, fitted)
    names = ["Before and after", "The thresholds that were judged"] if fitted is not None else []
    names += ["Try thresholds"] if tuning is not None else []
    tabs = dict(zip(names, st.tabs(names) if names else (), strict=True))
    if tuning is not None:
        with tabs["Try thresholds"]:
            st.caption(
                f"All figures here are from the {count_text(tuning.problem.n)} tuning rows. The held-out rows stay out "
                "of sight until you ask for the judgement: choosing by them would make the result look better than it "
                "is."
            )
            try_thresholds(state, study, tuning)
    if fitted is not None:
        with tabs["Before and after"]:
            outcome.show_change(fitted)
        with tabs["The thresholds that were judged"]:
            show_judged(fitted)
