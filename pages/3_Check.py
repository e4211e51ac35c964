"""The verdict on whether like cases are treated alike."""

from __future__ import annotations

import streamlit as st

from fairaudit.outcomes import SHARES
from fairaudit.sections.check import say_check
from fairaudit.sections.check.charts import check_chart, check_chart_text, check_chart_title
from fairaudit.sections.check.reading import quantity_of, read_check
from ui.asking import ask_first
from ui.check import tabs as check_tabs
from ui.check.comparable import offers, show_comparable, show_compare, suggest_bands
from ui.check.open_cases import ask_open_cases
from ui.check.questions import finding_of
from ui.check.verdict import show_answer, show_context, show_levels, show_other_ways, show_ways_on
from ui.check.views import BOUNDS, CHECK_VIEWS, STRATA_BOUNDS
from ui.frame import errors_shown, keep_way, need, open_page, show_mismatch
from ui.look import beside
from ui.result import show_caution, show_picture, show_said
from ui.state import get_state
from ui.steps import no_groups
from ui.text import literal, stated
from ui.values import show_caution_on_rows
from ui.widgets import end_page

# A page with an answer begins with it.
state = open_page("Check", stated("check-question") if no_groups(get_state()) else "")
need(state, decision=True, protected=True, takes_partial_counts=True)
views = CHECK_VIEWS[SHARES if state.decision is None else state.decision.kind]
show_mismatch(state)
show_context(state)
need(state, protected=True, takes_partial_counts=True)

if (asked := ask_open_cases(state)) is not None:
    ask_first([asked])
    keep_way(state)
    end_page()
check_tabs.suggest_groups(state)
suggest_bands(state)
answer = st.container(key="check_answer")
with st.expander(stated("check-more"), key="check_more", on_change="rerun"):
    with st.container(key="check_settings_now"):
        views.show_settings(state)
    more = st.container()
with answer:
    with errors_shown(way=("pages/2_Groups.py", "Change the groups or the filter")), st.spinner("Counting …"):
        finding = finding_of(state, state.entry)
    said = say_check(finding)
    show_said(said)
    asks = (
        not state.check.counts_open
        and offers(state)
        and read_check(finding).verdict not in ("nothing_to_compare", "not_shown")
    )
    column = None
    left, right = beside("check_picture", (3, 2)) if asks else (st.container(), None)
    with left:
        show_caution_on_rows(state)
        show_picture(finding, check_chart, check_chart_title, check_chart_text)
        show_caution(said)
    if right is not None:
        with right:
            column = show_comparable(state, finding.names, quantity_of(finding))
with st.bottom:
    if column is None:
        show_ways_on(state, finding)
    else:
        show_compare(state, column)

with more:
    show_levels(finding, state.selected + 1)
    show_answer(state, finding, views.both)
    if state.present_table.partial_counts is None:
        groups, strata, explore, formula = check_tabs.show_tabs(literal(views.more))
        with groups:
            check_tabs.show_groups(state, finding, views.groups)
        with strata:
            check_tabs.show_strata(state, finding, views.strata)
        with explore:
            views.show_more(state, finding)
        with formula:
            check_tabs.show_formula(finding)
    else:
        groups, strata, formula = check_tabs.show_tabs()
        with groups:
            check_tabs.show_groups(state, finding, BOUNDS)
        with strata:
            check_tabs.show_strata(state, finding, STRATA_BOUNDS)
        with formula:
            check_tabs.show_formula(finding)
        check_tabs.say_exact_counts_needed()
    show_other_ways(state)
state.answered.add(state.check.protected)
keep_way(state)
