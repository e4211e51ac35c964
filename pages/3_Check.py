"""The verdict on whether like cases are treated alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.outcomes.registry import SHARES
from ui.check import tabs as check_tabs
from ui.check.bands import suggest_bands
from ui.check.inside import offer_inside
from ui.check.questions import finding_of, question_words
from ui.check.ways_on import show_ways_on
from ui.data import counts, not_known
from ui.frame import errors_shown, keep_way, need, open_page, show_mismatch
from ui.outcomes import page_of_outcome
from ui.state import get_state
from ui.widgets import start

decision = get_state().decision
page = page_of_outcome(SHARES if decision is None else decision.kind)
state = open_page("Are like cases treated alike?", page.question)
need(state, decision=True, protected=True)

show_mismatch(state)
if len(state.checks) > 1:
    state.selected = st.selectbox(
        "Question",
        range(len(state.checks)),
        format_func=lambda i: f"{i + 1}. {question_words(state, i)}",
        key=start("check_selected", state.selected),
    )
    need(state, protected=True)

check_tabs.suggest_groups(state)
suggest_bands(state)
answer, line = st.container(), st.container()
with line:
    page.show_settings(state)
with answer:
    with errors_shown(way=("pages/2_Groups.py", "Change the groups or the filter")), st.spinner("Counting …"):
        finding = finding_of(state, state.entry)
    page.show_answer(state, finding)
    counts.show_caution(state)
    offer_inside(state)
    show_ways_on(state, finding)
not_known.show_not_known(state, finding.not_known, kinds=("group", "decision"), key="check")

groups, strata, more, formula = check_tabs.show_tabs(page.more)
with groups:
    check_tabs.show_groups(state, finding, page.draw_groups)
with strata:
    check_tabs.show_strata(state, finding, page.draw_strata)
with more:
    page.show_more(state, finding)
with formula:
    page.show_formula(finding)
state.answered.add(state.check.protected)
keep_way(state)
