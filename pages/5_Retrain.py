"""Retrain a model on past decisions that were relabelled until the gap in them is gone."""

from __future__ import annotations

import streamlit as st

from ui import models, remedies, retrain_views
from ui.frame import open_page

state = open_page(
    "Retrain on relabelled rows",
    "What if a model learned from decisions without the gap? Some past decisions of the protected group are relabelled "
    "until both groups reach the good outcome alike, and a new model learns from them. Do not use it where the gap in "
    "the past decisions is justified, or where the decision column holds what truly happened.",
)
study = models.open_study(state)

st.header("How to relabel")
plan = retrain_views.choose_plan(state)
with st.container(horizontal=True):
    if st.button("Retrain", type="primary", key="retrain_fit"):
        remedies.start_fit(state, study, plan)
    if st.button("All four model pairs", key="retrain_pairs", help=retrain_views.PAIRS_HELP):
        retrain_views.start_pairs(state, study, plan)
remedies.show_fits(state, "relabel")

fitted = remedies.choose_fitted(state, "relabel")
if fitted is None:
    st.caption("Nothing is fitted yet. It takes seconds on thousands of rows, minutes on hundreds of thousands.")
    st.stop()

remedies.show_outcome(fitted)
changed, pairs = st.tabs(["Which labels change", "All model pairs"])
with changed:
    retrain_views.show_relabeling(state, study, fitted)
with pairs:
    retrain_views.show_pairs(state, plan)
remedies.show_keeping(state, fitted)
