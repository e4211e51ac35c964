"""Columns that hold boxes of which a person may tick several: one column may be made of them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from fairaudit.columns import ColumnValues
from fairaudit.data.derived import SEVERAL
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.study.families import Family, find_families
from ui.data.spellings import reread
from ui.state import AuditState
from ui.text import literal, stated

_LEFT = "boxes_left_apart"
_MOST_ROWS = 2_000_000


def ask_what_is_ticked(state: AuditState) -> None:
    """Ask of one family of columns whether one is made of them, and draw what was made, with its undoing."""
    if state.content is None:
        return
    for place, made in enumerate(state.reading.derived):
        _show_made(state, made, place)
    family = _next_family(state)
    if family is None:
        return
    said: dict[str, Argument] = {"n": Count(family.n_several), "columns": Phrase(_listed(family.columns))}
    st.markdown(literal(say(Message("data-boxes", said)), limit=600))
    with st.container(horizontal=True, key="data_boxes"):
        if st.button(stated("data-boxes-make", name=Phrase(family.name)), key="data_boxes_make"):
            _reread_with(state, (*state.reading.derived, (family.name, family.columns)))
        st.button(stated("data-boxes-leave"), key="data_boxes_leave", on_click=_leave, args=(state, family))


def _next_family(state: AuditState) -> Family | None:
    table = state.present_table
    if table.n_rows > _MOST_ROWS:
        return None
    left = st.session_state.get(_LEFT, ())
    families = state.remember("boxes", (), lambda: find_families(table))
    return next((each for each in families if (state.source, each.columns) not in left), None)


def _show_made(state: AuditState, made: tuple[str, tuple[str, ...]], place: int) -> None:
    name, columns = made
    said = {"name": Phrase(name), "columns": Phrase(_listed(columns)), "several": Phrase(quote(SEVERAL))}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(say(Message("data-boxes-made", said)), limit=600))
        if st.button(stated("data-boxes-undo"), key=f"data_boxes_undo_{place}"):
            _reread_with(state, tuple(each for each in state.reading.derived if each != made))


def _reread_with(state: AuditState, derived: ColumnValues) -> None:
    reread(state, replace(state.reading, derived=derived))


def _leave(state: AuditState, family: Family) -> None:
    st.session_state[_LEFT] = (*st.session_state.get(_LEFT, ()), (state.source, family.columns))


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(columns)
