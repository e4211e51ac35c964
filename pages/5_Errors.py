"""Who bears the errors of a prediction or a score."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import quote
from ui.check import errors as error_views
from ui.data import not_known
from ui.data.flagged import choose_flagged
from ui.data.roles import ASKED
from ui.frame import errors_shown, need, need_good_outcome, next_step, open_page
from ui.steps import CHOOSER
from ui.text import literal
from ui.widgets import end_page, tick_in_report

state = open_page(
    "Who bears the errors?",
    "Compares a prediction with what really happened, group by group. "
    "Use it only where the decision column holds the true outcome, not another person's judgement.",
)
need(state, decision=True)
need_good_outcome(state)
choose_flagged(state)
if state.prediction is None and state.score is None:
    decision = literal(quote(state.decision.column, limit=60))
    st.info(
        "There is no prediction and no score yet.\n"
        "- If the table holds a score, choose it above; a prediction in words, such as yes and no, is named on Data.\n"
        f"- If {decision} is what somebody decided, and the table holds what became true after the decision, such as "
        "whether those who were released were arrested again: on Data, make that column the decision, with its good "
        f"outcome, and {decision} the prediction. Check is then about that column, until you choose {decision} again."
    )
    state.drafts[ASKED] = True
    next_step("pages/1_Data.py", "Go to Data")
    next_step("pages/3_Check.py", "Back to the check")
    end_page()

plan = error_views.show_settings(state, error_views.choose_question(state))
if plan is None:
    st.info("Choose the columns whose groups are compared.")
    end_page()
with errors_shown(), st.spinner("Counting …"):
    finding = error_views.finding_of(state, plan)

error_views.show_caution(finding, state.plan(fingerprint=False))
if finding.errors is not None:
    error_views.show_errors(finding, state.plan(fingerprint=False))
else:
    st.info(
        "The score has no cut yet, so there is no prediction to judge. To see error rates, say above from which value "
        "on people are flagged. Below you see how well the score ranks people in each group."
    )
with st.container(horizontal=True, vertical_alignment="center", key="errors_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step(CHOOSER, "Try a remedy")
    state.errors_in_report = tick_in_report("errors_in_report", state.errors_in_report)
not_known.show_answer(state, finding.not_known, key="errors")
error_views.show_warnings(finding)
error_views.offer_to_turn(state, finding)
error_views.show_details(finding)
