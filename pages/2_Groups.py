"""Narrow the population and say who is protected."""

from __future__ import annotations

import streamlit as st

from ui.check import groups, population
from ui.frame import keep_way, need, next_step, open_page

state = open_page(
    "Groups",
    "Which cases are compared, and who is protected? Filter for what may rightly matter to the decision, "
    "so that like cases are compared. Do not filter by what the decision itself brought about.",
)
need(state)

st.header("Population")
population.show_population(state)

st.header("Protected group")
if groups.show_protected(state):
    next_step("pages/3_Check.py", "Next: are like cases treated alike?", first=True)
keep_way(state)
