"""Weights of a survey on the page Data: whether rows count by them, and how the sample was drawn."""

from __future__ import annotations

from functools import partial

import streamlit as st

from fairaudit.columns import SurveyDesign
from fairaudit.errors import quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.cases import say_weighted
from ui.asking import Press, Question, show_answer
from ui.frame import errors_shown
from ui.state import AuditState
from ui.values import open_designs

_MOST_ASKED = 3


def ask_about_weights(state: AuditState) -> Question | None:
    """Ask whether rows count by a column that seems to hold weights; None where nothing is open."""
    designs = open_designs(state)[:_MOST_ASKED]
    if not designs:
        return None
    names = " and ".join(quote(each.weights, limit=40) for each in designs)
    use = "data-weights-use" if len(designs) == 1 else "data-weights-use-this"
    return Question(
        Message("data-weights-headline"),
        Message("data-weights-question", {"column": Phrase(names), "n": Count(len(designs))}),
        (
            *(
                Press(_named(use, each.weights), f"data_weights_use{place or ''}", partial(_count_by, state, each))
                for place, each in enumerate(designs)
            ),
            Press(Message("data-weights-leave"), "data_weights_leave", lambda: _count_by(state, None)),
        ),
    )


def show_weighted(state: AuditState) -> None:
    """Say where rows count by weights, and how the sample was drawn, with the press that takes it back."""
    back = Press(Message("data-weights-leave"), "data_weights_back", lambda: _count_by(state, None))
    for said in say_weighted(state.present_table.design):
        show_answer(said, back)


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


def _named(key: str, column: str) -> Message:
    return Message(key, {"column": Phrase(quote(column, limit=40))})


def _count_by(state: AuditState, design: SurveyDesign | None) -> None:
    """Take the present table with other weights, or with none."""
    with errors_shown(go_on=True):
        table = state.present_table.with_design(design)
        if design is None:
            table.say_unweighted()
        state.put_table(table, source=state.source, content=state.content)
        st.rerun()
