"""Columns that hold boxes of which a person may tick several: one column may be made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from fairaudit.columns import ColumnValues
from fairaudit.data.derived import SEVERAL
from fairaudit.errors import quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.study.families import Family, find_families
from ui.asking import Press, Question, show_answer
from ui.data.spellings import reread
from ui.state import AuditState

_LEFT = "boxes_left_apart"
_MOST_ROWS = 2_000_000


def ask_what_is_ticked(state: AuditState) -> Question | None:
    """Ask of one family of columns whether one is made of them; None where nothing is open."""
    family = None if state.content is None else _next_family(state)
    if family is None:
        return None
    columns = Phrase(_listed(family.columns))
    return Question(
        Message("data-boxes", {"columns": columns}),
        Message("data-boxes-lead", {"n": Count(family.n_several), "several": Phrase(quote(SEVERAL))}),
        (
            Press(
                Message("data-boxes-make", {"name": Phrase(family.name)}),
                "data_boxes_make",
                lambda: _reread_with(state, (*state.reading.derived, (family.name, family.columns))),
            ),
            Press(Message("data-boxes-leave"), "data_boxes_leave", lambda: _leave(state, family)),
        ),
    )


def show_what_was_made(state: AuditState) -> None:
    """Say which columns were made of boxes, each with the press that takes it back."""
    for place, made in enumerate(state.reading.derived if state.content is not None else ()):
        name, columns = made
        said = {"name": Phrase(name), "columns": Phrase(_listed(columns)), "several": Phrase(quote(SEVERAL))}
        rest = tuple(each for each in state.reading.derived if each != made)
        back = Press(Message("data-undo"), f"data_boxes_undo_{place}", partial(_reread_with, state, rest))
        show_answer(Message("data-boxes-made", said), back, limit=600)


def _next_family(state: AuditState) -> Family | None:
    table = state.present_table
    if table.n_rows > _MOST_ROWS:
        return None
    left = st.session_state.get(_LEFT, ())
    families = state.remember("boxes", (), lambda: find_families(table))
    return next((each for each in families if (state.source, each.columns) not in left), None)


def _reread_with(state: AuditState, derived: ColumnValues) -> None:
    reread(state, replace(state.reading, derived=derived))


def _leave(state: AuditState, family: Family) -> None:
    st.session_state[_LEFT] = (*st.session_state.get(_LEFT, ()), (state.source, family.columns))
    st.rerun()


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(columns)
