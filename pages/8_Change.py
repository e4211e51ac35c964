"""Whether a gap changed from one period to another."""

from __future__ import annotations

from functools import partial

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.sections.change.tables import change_table
from ui.check.verdict import show_context
from ui.follow_ups import changing
from ui.frame import need, next_step, open_page, show_mismatch
from ui.result import show_table
from ui.state import get_state
from ui.steps import no_groups
from ui.text import stated
from ui.widgets import found_or_end, tick_in_report

state = open_page("Change over time", say(Message("change-question")) if no_groups(get_state()) else "")
need(state, decision=True, protected=True)
show_mismatch(state)
show_context(state)

# What makes the periods is asked before the answer; with the answer, it is a setting like others.
answered = changing.is_answered(state)
answer = st.container(key="change_answer")
if answered:
    more = st.expander(stated("change-more"), key="change_more", on_change="rerun")
    figures, mix, recording, settings, computed = (more.container() for _ in range(5))
    mix.subheader(stated("change-more-mix"), anchor=False)
    settings.subheader(stated("change-more-settings"), anchor=False)
else:
    st.title(stated("change-question"), anchor=False)
    settings, mix = st.container(), st.container()
with settings:
    plan = changing.choose(state, mix)
finding = found_or_end("change", changing.about(state), plan, partial(changing.answer, state), answer, was=answered)

with answer:
    changing.show_answer(state, finding)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="change_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/7_Explain.py", "What explains it")
with figures:
    changing.show_figures(finding)
with mix:
    if finding.result is not None and finding.result.strata:
        show_table(change_table(finding, 1))
with recording:
    changing.show_recording(finding)
with computed:
    changing.show_computed()
    tick_in_report("change_in_report", state.left_out, "changes")
