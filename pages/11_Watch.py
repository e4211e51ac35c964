"""Whether a gap stays within the tolerance, batch by batch."""

from __future__ import annotations

from functools import partial

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.check.verdict import show_context
from ui.follow_ups import watching
from ui.frame import need, next_step, open_page, show_mismatch
from ui.state import get_state
from ui.steps import no_groups
from ui.text import stated
from ui.widgets import end_page, found_or_end, tick_in_report, was_answered

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
with settings:
    plan = watching.choose(state)
finding = found_or_end("watch", about, plan, partial(watching.answer, state), answer, was=answered)

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
