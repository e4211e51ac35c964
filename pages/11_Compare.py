"""All models of this audit on the same held-out rows."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_page
from ui.remedies import models
from ui.remedies.compare import amounts as amount_compare
from ui.remedies.compare import views as compare_views

state = open_page(
    "How do the models compare?",
    "Puts all models of this audit side by side, on the same held-out rows: how well they do, and how far apart they "
    "leave the groups. It does not choose for you, and what looks best by a hair may be chance.",
)
study = models.open_study(state, amounts=True)
amount = state.decision.amount
compare_views.show_running(state)
findings = (amount_compare.amount_findings_of if amount else compare_views.findings_of)(state, study)
if findings.remedies and amount:
    amount_compare.show_amount_frontier(findings)
    amount_compare.show_amount_models(findings)
elif findings.remedies:
    compare_views.show_frontier(findings)
    compare_views.show_models(findings)
else:
    st.info("No model is fitted to the present rows yet. Try a remedy first, or fit those below.")
if amount:
    amount_compare.offer_plain(state, study)
compare_views.show_entries(state, study)
compare_views.show_next(amount=amount)
