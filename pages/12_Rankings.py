"""Who stands among the first of lists."""

from __future__ import annotations

from functools import partial

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.check.verdict import show_context
from ui.follow_ups import ranking
from ui.frame import need, next_step, open_page, show_mismatch
from ui.state import get_state
from ui.steps import no_groups
from ui.text import stated
from ui.widgets import found_or_end, tick_in_report

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
with settings:
    plan = ranking.choose(state)
finding = found_or_end("rankings", ranking.about(state), plan, partial(ranking.answer, state), answer, was=answered)

with answer:
    ranking.show_answer(finding)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="rankings_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Back to the check")
with figures:
    ranking.show_figures(finding)
with settings:
    tick_in_report("rankings_in_report", state.left_out, "rankings")
