"""What became of the filters that were in use before another table was brought, and the press that takes it back."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.present.numbers import count_text
from ui.moved_filters import MovedFilter
from ui.state import AuditState
from ui.text import literal


def show_moved(state: AuditState) -> None:
    """Draw a sentence a filter, with the button that takes back what became of it."""
    for place, moved in enumerate(_said(state)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"data_moved_{place}"):
            st.markdown(literal(_sentence(state, moved), limit=900))
            label = "Put it back" if moved.why else "Look at every row"
            st.button(label, key=f"data_moved_back_{place}", on_click=_turn_back, args=(state, moved))


def _sentence(state: AuditState, moved: MovedFilter) -> str:
    if moved.why:
        return f"The filter of the table before was left out: {moved.where}. {moved.why} Every row is looked at."
    try:
        n_left = state.remember("count", moved.where, lambda: state.table.count(moved.where))
    except FairauditError:
        return f"The filter of the table before is still in use: {moved.where}."
    return (
        f"The filter of the table before is still in use: {moved.where}. {count_text(n_left)} of "
        f"{count_text(state.table.n_rows)} rows meet it."
    )


def _said(state: AuditState) -> list[MovedFilter]:
    """Return what became of the filters, as long as nobody has changed them since."""
    moved = [(entry.moved, entry.plan.where) for entry in state.checks if entry.moved is not None]
    return list(dict.fromkeys(each for each, where in moved if each.is_so(where)))


def _turn_back(state: AuditState, moved: MovedFilter) -> None:
    """Put a filter back that was left out, or leave out one that was kept."""
    for entry in state.checks:
        before = entry.plan.where
        if entry.moved == moved and moved.is_so(before):
            entry.undo.append(before or "")
            change = {"where": moved.where if moved.why else None}
            asked = (entry.plan.protected, before)
            entry.plan = entry.plan.model_copy(update=change)
            state.errors = [e.model_copy(update=change) if e.where == before else e for e in state.errors]
            if state.models is not None and (state.models.protected, state.models.where) == asked:
                state.models = state.models.model_copy(update=change)
