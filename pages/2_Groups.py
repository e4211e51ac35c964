"""Narrow the population and say who is protected."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.asking import ask_first
from ui.check import groups, population
from ui.check.questions import ask_another, choose_question
from ui.frame import keep_way, need, next_step, open_page, show_question
from ui.look import beside
from ui.manual import offer_manual
from ui.result import show_headline
from ui.text import literal

state = open_page("Groups")
# Only now: a database is asked nothing before the page has begun.
said = groups.say_groups(state)
if said is None:
    show_question("Groups", say(Message("groups-question")))
need(state, takes_partial_counts=True)
if said is not None or len(state.checks) > 1:
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        choose_question(state)
        if said is not None:
            st.space("stretch")
            offer_manual()
asked = groups.open_questions(state)
if asked:
    ask_first(asked)
elif said is not None:
    show_headline(said[0], said[1:])
cases, who = beside("groups_questions", (3, 2))
with cases, st.container(border=True):
    st.header(say(Message("groups-cases")))
    population.show_population(state)
with who, st.container(border=True):
    st.header(say(Message("groups-who")))
    groups.show_protected(state)
if state.check.protected and groups.show_sizes(state):
    with st.expander(say(Message("groups-more")), key="groups_more"):
        groups.show_title(state)
        groups.offer_seal(state)
        st.caption(literal(groups.say_seen(state)))
    with st.bottom, st.container(horizontal=True, vertical_alignment="center"):
        if not asked:
            next_step("pages/3_Check.py", say(Message("groups-next")), first=True)
        if st.button(say(Message("groups-another")), key="groups_another"):
            ask_another(state)
keep_way(state)
