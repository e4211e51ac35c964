"""Weights of a survey on the page Data: whether rows count by them, and how the sample was drawn."""

from __future__ import annotations

import streamlit as st

from fairaudit.columns import SurveyDesign
from fairaudit.errors import quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal
from ui.values import weighing_column


def ask_about_weights(state: AuditState) -> None:
    """Ask whether rows count by a column that seems to hold weights, and say where they do."""
    if (design := state.present_table.design) is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(literal(_named("data-weighted", design.weights), limit=200))
            if st.button(say(Message("data-weights-leave")), key="data_weights_back"):
                _count_by(state, None)
        return
    column = weighing_column(state)
    if column is None:
        return
    with st.container(border=True):
        st.markdown(f"**{literal(_named('data-weights-question', column), limit=300)}**")
        with st.container(horizontal=True):
            if st.button(say(Message("data-weights-use")), type="primary", key="data_weights_use"):
                _count_by(state, SurveyDesign(column))
            if st.button(say(Message("data-weights-leave")), key="data_weights_leave"):
                _count_by(state, None)


def show_weights(state: AuditState) -> None:
    """Draw the columns of the weights, and of the strata and clusters that the sample was drawn from."""
    table, none = state.present_table, say(Message("data-weights-none"))
    design = table.design
    numbers = [name for name, column in table.columns.items() if column.kind == "number"]
    if not numbers:
        return
    with st.form(f"data_weights_{state.data_key}", border=False), st.container(horizontal=True):
        weights = st.selectbox(
            say(Message("data-weights-field")),
            [None, *numbers],
            index=0 if design is None else 1 + numbers.index(design.weights),
            format_func=lambda name: name or none,
            key=f"data_weights_column_{state.data_key}",
        )
        strata, clusters = (
            st.selectbox(
                say(Message(label)),
                [None, *table.columns],
                index=0 if chosen is None else 1 + list(table.columns).index(chosen),
                format_func=lambda name: name or "none",
                key=f"{key}_{state.data_key}",
            )
            for label, key, chosen in (
                ("data-weights-strata", "data_weights_strata", None if design is None else design.strata),
                ("data-weights-clusters", "data_weights_clusters", None if design is None else design.clusters),
            )
        )
        pressed = st.form_submit_button(say(Message("data-weights-change")))
    if pressed:
        _count_by(state, None if weights is None else SurveyDesign(weights, strata, clusters))


def _named(key: str, column: str) -> str:
    return say(Message(key, {"column": Phrase(quote(column, limit=40))}))


def _count_by(state: AuditState, design: SurveyDesign | None) -> None:
    """Take the present table with other weights, or with none."""
    with errors_shown(go_on=True):
        table = state.present_table.with_design(design)
        if design is None:
            table.say_unweighted()
        state.put_table(table, source=state.source, content=state.content)
        st.rerun()
