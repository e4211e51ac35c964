"""Choose whom the report is for, make it, and take it away."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.frame import errors_shown, keep_way, need, next_step, open_page, show_question
from ui.look import beside
from ui.presets import entries as preset_entries
from ui.report import contents, making
from ui.steps import no_question
from ui.text import stated
from ui.widgets import end_page

TITLE = "Report"

state = open_page(TITLE)
if no_question(state):
    show_question(TITLE, stated("report-page-lead"))
need(state, decision=not (state.inspections or state.rankings), cases=False, takes_partial_counts=True)
plan = state.plan(fingerprint=False)
if plan is None or contents.is_empty(plan):
    show_question(TITLE, stated("report-page-lead"))
    st.info(say(Message("report-page-nothing")))
    contents.show_findings(state)
    contents.show_missing(state)
    next_step("pages/2_Groups.py", "Go to Groups")
    end_page()

top = st.container(key="report_top")
with st.expander(stated("report-page-more"), key="report_more_all", on_change="rerun"):
    st.subheader(stated("report-page-contents"), anchor=False)
    contents.show_findings(state)
    if state.decision is not None:
        contents.show_remedies(state)
        preset_entries.show_entries(state)
    st.subheader(stated("report-page-about"), anchor=False)
    contents.show_options(state)
    files = st.container()
left = state.plan(fingerprint=False)
if left is None or contents.is_empty(left):
    # The last thing that was chosen is taken out: the page begins anew without it.
    st.rerun()
with top:
    show_title = making.show_state(state)
    asked, page = beside("report_pages", (3, 2)) if state.made is not None else (st.container(), st.empty())
with asked:
    contents.show_whom(state)
    contents.say_what_is_hidden(state)
    contents.show_missing(state)
    making.show_unfitted(state)

keep_way(state)
with st.bottom:
    ways = st.container(horizontal=True, vertical_alignment="center", key="report_ways")
    to_make = ways.empty()
    with to_make:
        asks = making.offer_to_make(state)
was_asked = making.is_asked(state)
with asked, errors_shown(go_on=True):
    if asks:
        making.ask(state)
        # So that the page says that it is made, and the sidebar shows the fits.
        st.rerun()
    if making.go_on(state):
        # So that the page begins with what was made.
        st.rerun()
if was_asked and not making.is_asked(state):
    # It could not be made: what the page says of it is no longer so.
    show_title()
    with to_make:
        making.offer_to_make(state)
with ways:
    making.offer_files(state)
with page:
    making.show_first_page(state)
with files:
    making.show_more_files(state)
