"""What explains a gap, what is left, and what could overturn that."""

from __future__ import annotations

import streamlit as st

from ui.check.verdict import show_context
from ui.follow_ups import explaining
from ui.frame import errors_shown, need, next_step, open_page, show_mismatch
from ui.state import get_state
from ui.steps import no_groups
from ui.text import stated
from ui.widgets import end_page

TITLE = "What explains it"
QUESTION = (
    "Divides the gap of your question into what comes from how the groups differ in some columns, and what is left. "
    "It does not say why."
)

state = open_page(TITLE, QUESTION if no_groups(get_state()) else "")
need(state, decision=True, protected=True)
show_mismatch(state)
show_context(state)
need(state, protected=True)

asking = st.container()
chosen = explaining.choose(state)
if not chosen:
    with asking:
        st.title(TITLE, anchor=False)
        st.caption(QUESTION)
    end_page()

answer = st.container(key="explain_answer")
with st.expander(stated("explain-more"), key="explain_more"):
    exact, methods, overturn, stand_in, settings, how = st.tabs(
        [
            "Exact figures",
            "Other methods",
            "What could overturn it",
            stated("proxies-title"),
            "Settings",
            "How it is computed",
        ]
    )
with settings:
    plan = explaining.question(state, chosen)
with answer:
    with errors_shown(), st.spinner("Computing …"):
        finding = explaining.answer(state, plan)
    explaining.show(finding)
    explaining.ask_reasons(state, chosen)
with exact:
    explaining.show_exact(finding)
with methods:
    explaining.show_methods(finding)
with overturn:
    explaining.show_sensitivity(finding)
with how:
    explaining.show_how(finding)
with stand_in:
    explaining.show_stand_ins(state, finding)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="explain_ways"):
    next_step("pages/4_Report.py", "Go to the report", first=True)
    next_step("pages/3_Check.py", "Back to the check")
