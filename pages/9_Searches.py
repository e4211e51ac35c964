"""Whether one group was searched or inspected on weaker grounds than another."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.frame import errors_shown, keep_way, need, next_step, open_page, show_mismatch, show_question
from ui.inspections import asking, results
from ui.inspections.results import choose_model, offer_inference, show_model, show_under_way, show_veil, with_thresholds
from ui.text import stated
from ui.widgets import end_page, keep_shape, tick_in_report

TITLE = "Searches and inspections"

state = open_page(TITLE)
if state.table is None:
    show_question(TITLE, say(Message("searches-question")))
need(state, cases=False)
show_mismatch(state)

# What is compared is asked before the answer; with the answer, it is a setting like others.
answered = asking.is_answered(state)
answer = st.container(key="searches_answer")
if answered:
    with st.expander(stated("searches-more"), key="searches_more"):
        figures, model, light, settings, computed = results.tabs()
else:
    with answer:
        show_question(TITLE, say(Message("searches-question")))
    settings = st.container()
with settings:
    plan = asking.choose(state)
keep_shape("searches", state.data_key, answered=plan is not None, was=asking.is_answered(state))
if plan is None:
    end_page()
with answer:
    about = st.container()
    with errors_shown(), st.spinner("Comparing …"):
        finding = asking.answer(state, plan)
with model:
    asked = choose_model(state, plan)
    finding = with_thresholds(state, finding, asked)
with answer:
    with about:
        results.show_context(state, finding)
    results.show_answer(finding)
    show_under_way(state, asked)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="searches_ways"):
    is_offered = offer_inference(state, asked)
    next_step("pages/4_Report.py", "Go to the report", first=not is_offered)
    next_step("pages/3_Check.py", "Back to the check")
with figures:
    results.show_figures(finding)
with model:
    show_model(finding)
with light:
    show_veil(state, plan, finding)
with computed:
    results.show_computed()
with settings:
    tick_in_report("searches_in_report", state.left_out, "inspections")
keep_way(state)
