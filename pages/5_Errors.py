"""Who bears the errors of a prediction or a score."""

from __future__ import annotations

import streamlit as st

from ui.check import errors as error_views
from ui.data.roles import ASKED
from ui.frame import errors_shown, need, need_good_outcome, next_step, open_page
from ui.steps import CHOOSER
from ui.widgets import end_page, start

state = open_page(
    "Who bears the errors?",
    "Compares a prediction with what really happened, group by group. "
    "Use it only where the decision column holds the true outcome, not another person's judgement.",
)
need(state, decision=True)
need_good_outcome(state)
if state.prediction is None and state.score is None:
    st.info("There is no prediction and no score yet. If the table holds one, name it on the page Data.")
    state.drafts[ASKED] = True
    next_step("pages/1_Data.py", "Name a prediction or score")
    next_step("pages/3_Check.py", "Back to the check")
    end_page()

plan = error_views.show_settings(state)
if plan is None:
    st.info("Choose the columns whose groups are compared.")
    end_page()
with errors_shown(), st.spinner("Counting …"):
    finding = error_views.finding_of(state, plan)

error_views.show_caution(finding)
if finding.errors is not None:
    error_views.show_errors(finding, state.plan(fingerprint=False))
else:
    st.info(
        "The score has no cut, and no prediction has its good outcome named, so there is no prediction to judge. Name "
        "one of the two on the page Data to see error rates."
    )
    next_step("pages/1_Data.py", "Set a cut, or name a prediction")
with st.container(horizontal=True, vertical_alignment="center", key="errors_ways"):
    next_step("pages/4_Report.py", "Make the report", first=True)
    next_step(CHOOSER, "Try a remedy")
    state.errors_in_report = st.checkbox(
        "Put this in the report", key=start("errors_in_report", state.errors_in_report)
    )
error_views.show_warnings(finding)
error_views.offer_to_turn(state, finding)
error_views.show_details(finding)
