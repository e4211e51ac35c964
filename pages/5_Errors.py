"""Who is wrongly flagged, and who is wrongly missed, by a prediction or a score."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.check import errors as error_views
from ui.data.predictions import choose_flagged
from ui.data.roles import ASKED
from ui.frame import errors_shown, need, need_good_outcome, next_step, open_page, show_question
from ui.steps import no_decided_cases
from ui.text import stated
from ui.widgets import end_page, keep_shape

TITLE = "Errors"

state = open_page(TITLE)
# What is compared is asked above until there is an answer, and then folds.
can_answer = not no_decided_cases(state) and state.present_decision.kind.has_good_outcome
answered = can_answer and error_views.is_answered(state)
if not answered:
    show_question(TITLE, stated("errors-question"))
need(state, decision=True)
need_good_outcome(state)

about, form = error_views.show_context(state, answered=answered)
answer = st.container(key="errors_answer")
with form:
    choose_flagged(state)
if state.prediction is None and state.score is None:
    keep_shape("errors", state.data_key, answered=False, was=error_views.is_answered(state))
    st.markdown(stated("errors-needs-prediction", limit=400))
    state.drafts[ASKED] = True
    with st.bottom:
        next_step("pages/1_Data.py", say(Message("errors-name-prediction")), first=True)
    end_page()

more = error_views.open_more(state)
plan = error_views.choose(state, form, more)
if plan is None:
    st.info(say(Message("errors-choose-columns")))
    end_page()
with answer, errors_shown(), st.spinner("Counting …"):
    finding = error_views.finding_of(state, plan)
keep_shape("errors", state.data_key, answered=finding.errors is not None, was=error_views.is_answered(state))
error_views.show_about(state, about, finding)
with answer:
    error_views.show_answer(state, finding)
    error_views.offer_to_turn(state, finding)
error_views.show_more(state, finding, more)
error_views.show_ways_on(state)
