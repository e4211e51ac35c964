"""What a tree predicts for a made-up person, and the way there."""

from __future__ import annotations

import datetime
from typing import Any
from zlib import crc32

import streamlit as st

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.trees.example_person import AskedColumn, Way, asked_columns, way_of
from fairaudit.study.divided import DividedRows
from fairaudit.study.fitting import unturned
from fairaudit.study.trying import plan_key
from ui.remedies.trees.drawing import look_at
from ui.remedies.trees.views import views_of
from ui.state import AuditState, Fitted
from ui.text import labels, literal

UNKNOWN = "not known"
_ACROSS = 3


@st.fragment
def ask_person(state: AuditState, study: DividedRows, fitted: Fitted) -> None:
    """Draw a field for each column that the tree asks for, what it predicts then, and the way to that."""
    if not state.is_current(fitted):
        st.caption(say(Message("tree-person-old")))
        return
    model = fitted.candidate.model
    tree = unturned(model).tree
    plan = plan_key(fitted.candidate.finding.plan)
    if not tree.columns:
        st.caption(say(Message("tree-person-nothing")))
        return
    asked = state.remember("asked", (state.study_key, plan, tree.columns), lambda: asked_columns(study, tree))
    st.caption(say(Message("tree-person")))
    fields = st.columns(min(_ACROSS, len(asked)))
    person = {}
    for place, column in enumerate(asked):
        key = f"trees_person_{crc32(f'{plan} {column.name}'.encode())}"
        person[column.name] = _field(fields[place % len(fields)], column, key)
    way = way_of(study.X, tree, person)
    with st.container(border=True, key="trees_person"):
        st.markdown(f"**{literal(say(views_of(fitted.outcome).predicted(way, fitted.facts)), limit=600)}**")
        st.markdown(way_words(way))
        if st.button("Show the way", key="trees_show_way"):
            look_at(state, fitted, way.nodes[-1])
            # The drawing is a part of its own.
            st.rerun()


def way_words(way: Way) -> str:
    """Return the way through a tree as a numbered list, in Markdown."""
    lines = [
        f"{place}. {literal(say(_step(step, node)), limit=500)}"
        for place, (step, node) in enumerate(zip(way.steps, way.nodes[1:], strict=True), start=1)
    ]
    return "\n".join(lines)


def _step(step: str, node: int) -> Message:
    return Message("tree-person-step", {"step": Phrase(step), "node": Count(node)})


def _field(place: Any, column: AskedColumn, key: str) -> Any:
    """Draw a field and return what is in it; None where nothing is known."""
    if key not in st.session_state:
        st.session_state[key] = column.usual
    with place:
        st.markdown(f"**{literal(column.name, limit=60)}**")
        hidden = {"label": literal(column.name, limit=60), "label_visibility": "collapsed", "key": key}
        if column.kind == "number":
            step = 1.0 if column.is_whole else max(float(f"{(column.high - column.low) / 50:.0e}"), 1e-9)
            found: Any = st.number_input(value=None, step=step, format="%g", placeholder=UNKNOWN, **hidden)
            st.caption(range_words(f"{column.low:g}", f"{column.high:g}"))
        elif column.kind == "date":
            ends = {"min_value": datetime.date.min, "max_value": datetime.date.max}
            found = st.date_input(value=None, **ends, **hidden)
            st.caption(range_words(str(column.low), str(column.high)))
        else:
            label = labels(column.choices)
            found = st.selectbox(
                options=list(column.choices), index=None, format_func=label, placeholder=UNKNOWN, **hidden
            )
    return found


def range_words(low: str, high: str) -> str:
    """Return between what values a column was on the training rows, in words."""
    return say(Message("tree-person-range", {"low": Phrase(low), "high": Phrase(high)}))
