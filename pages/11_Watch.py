"""Whether a gap stays within the tolerance, batch by batch."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Message
from fairaudit.messages import say
from ui.check.verdict import show_context
from ui.follow_ups import watching
from ui.frame import need, next_step, open_page, show_mismatch
from ui.state import get_state
from ui.steps import no_groups
from ui.text import show_error, stated
from ui.widgets import end_page, keep_shape, tick_in_report, was_answered

state = open_page("Watch", say(Message("watch-question")) if no_groups(get_state()) else "")
need(state, decision=True, protected=True)
show_mismatch(state)
show_context(state)
if not state.present_decision.kind.has_good_outcome:
    st.info(stated("watch-no-amounts"))
    end_page()

# What a batch is is asked before the answer; with the answer, it is a setting like others.
about = watching.about(state)
answered = was_answered("watch", about, watching.proposed(state) is not None)
answer = st.container(key="watch_answer")
if answered:
    more = st.expander(stated("watch-more"), key="watch_more", on_change="rerun")
    figures, settings, computed = (more.container() for _ in range(3))
    settings.subheader(stated("watch-more-settings"), anchor=False)
else:
    st.title(stated("watch-question"), anchor=False)
    settings = st.container()
finding, error = None, None
with settings:
    plan = watching.choose(state)
if plan is not None:
    try:
        with answer, st.spinner("Watching …"):
            finding = watching.answer(state, plan)
    except FairauditError as caught:
        error = caught
keep_shape("watch", about, answered=finding is not None, was=answered)
if error is not None:
    show_error(error)
if finding is None:
    end_page()

with answer:
    watching.show_answer(finding)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="watch_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/8_Change.py", "Change over time")
with figures:
    watching.show_figures(finding)
with computed:
    watching.show_computed(finding)
    tick_in_report("watch_in_report", state.left_out, "watches")
