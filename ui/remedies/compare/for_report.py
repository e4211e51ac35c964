"""Which models go into the report, what can be done with each, and where to go from there."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key
from ui.frame import next_step
from ui.remedies.names import in_bold, numbered_name, plans_of
from ui.remedies.trying import offer_look, start_fit, tick_report
from ui.state import AuditState
from ui.steps import CHOOSER
from ui.text import literal


def show_entries(state: AuditState, study: DividedRows) -> None:
    """Draw each model with its place in the report, and what can be done with it; fit again what is out of date."""
    plans = plans_of(state)
    if not plans:
        return
    absent = {key: said for key, plan in plans.items() if (said := absence(state, plan)) is not None}
    waiting = [key for key in absent if not state.find_fit(plans[key])]
    if waiting and st.button("Make what is missing", key="compare_fit_all"):
        for key in waiting:
            _fit(state, study, plans[key])
        st.rerun()
    for position, (key, plan) in enumerate(plans.items()):
        with st.container(border=True, key=f"compare_card_{position}"):
            st.markdown(in_bold(numbered_name(state, plan)))
            if key in absent:
                st.caption(literal(absent[key]))
            _card(state, study, plan, position, fit=key in waiting)


def _card(state: AuditState, study: Study, plan: RemedyPlan, position: int, *, fit: bool) -> None:
    """Draw what can be done with one model."""
    with st.container(horizontal=True, vertical_alignment="center"):
        tick_report(state, plan, "In the report", key=f"compare_in_{position}")
        label = "Make it" if state.find_fitted(plan) is None else "Make it again"
        if fit and st.button(label, key=f"compare_fit_{position}"):
            _fit(state, study, plan)
            st.rerun()
        offer_look(state, plan, key=f"compare_open_{position}")
        st.button("Remove", key=f"compare_remove_{position}", on_click=remove, args=(state, plan))


def _fit(state: AuditState, study: Study, plan: RemedyPlan) -> None:
    start_fit(state, study, plan, keep=state.find_entry(plan) is not None)


def absence(state: AuditState, plan: RemedyPlan) -> str | None:
    """Return what keeps a model out of the comparison, in words; None where nothing does."""
    if state.find_current(plan) is not None:
        return None
    fit = state.find_fit(plan)
    if fit is not None:
        return say(Message("compare-being-made"))
    return say(Message("compare-not-made" if state.find_fitted(plan) is None else "compare-out-of-date"))


def none_made(state: AuditState) -> str:
    """Return why there is nothing to compare: nothing was tried, or what is kept is not made with these data."""
    n = len(plans_of(state))
    return say(Message("learn-kept", {"n": Count(n)}) if n else Message("compare-none-made"))


def remove(state: AuditState, plan: RemedyPlan) -> None:
    """Forget a model: it is neither compared nor in the report."""
    state.leave(plan)
    state.fitted.pop(plan_key(plan), None)
    if state.shown.get(plan.method) == plan_key(plan):
        del state.shown[plan.method]


def show_next() -> None:
    """Draw where to go from here."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_ways"):
        next_step("pages/4_Report.py", "Go to the report", first=True)
        next_step(CHOOSER, "Try another remedy")
