"""All models of this audit on the same held-out rows."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.outcomes import page_of_outcome
from ui.remedies import trying
from ui.remedies.compare import comparison, for_report
from ui.remedies.learning_panel import open_study, show_sizes

state = open_page(
    "How do the models compare?",
    "Puts all models of this audit side by side, on the same held-out rows: how well they do, and how far apart they "
    "leave the groups. It does not choose for you. What looks best by a hair may be chance.",
)
study = open_study(state, any_decision=True)
show_sizes(study)
page = page_of_outcome(state.decision.kind)
trying.show_all_fits(state)
findings = page.findings(state, study)
if findings.remedies:
    compared = page.comparison(state, study, findings)
    comparison.show_answer(findings, compared)
    models, report = st.tabs(["All models", "For the report"])
    with models:
        comparison.show_models(compared)
else:
    st.info(for_report.none_made(state))
    for_report.show_next()
    models, report = st.container(), st.container()
with models:
    page.offer_models(state, study)
with report:
    for_report.show_entries(state, study)
