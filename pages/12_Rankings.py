"""Who stands among the first of lists."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Message
from fairaudit.messages import say
from ui.check.verdict import show_context
from ui.follow_ups import ranking
from ui.frame import need, next_step, open_page, show_mismatch
from ui.state import get_state
from ui.steps import no_groups
from ui.text import show_error, stated
from ui.widgets import end_page, keep_shape, tick_in_report

state = open_page("Rankings", say(Message("rankings-question")) if no_groups(get_state()) else "")
need(state, decision=True, protected=True)
show_mismatch(state)
show_context(state)

# What is ordered is asked before the answer; with the answer, it is a setting like others.
answered = ranking.is_answered(state)
answer = st.container(key="rankings_answer")
if answered:
    more = st.expander(stated("rankings-more"), key="rankings_more")
    figures, settings = more.container(), more.container()
    settings.subheader(stated("rankings-more-settings"), anchor=False)
else:
    answer.title(stated("rankings-question"), anchor=False)
    figures, settings = st.container(), st.container()
finding, error = None, None
with settings:
    plan = ranking.choose(state)
if plan is not None:
    try:
        with answer, st.spinner("Comparing …"):
            finding = ranking.answer(state, plan)
    except FairauditError as caught:
        error = caught
keep_shape("rankings", ranking.about(state), answered=finding is not None, was=answered)
if error is not None:
    show_error(error)
if finding is None:
    end_page()

with answer:
    ranking.show_answer(finding)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="rankings_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Back to the check")
with figures:
    ranking.show_figures(finding)
with settings:
    tick_in_report("rankings_in_report", state.left_out, "rankings")
