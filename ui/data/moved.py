"""What became of the filters that were in use before another table was brought, and the press that takes it back."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.present.numbers import count_text
from ui.moved_filters import MovedFilter, moved_filters, turn_back
from ui.state import AuditState
from ui.text import literal


def show_moved(state: AuditState) -> None:
    """Draw a sentence a filter, with the button that takes back what became of it."""
    for place, moved in enumerate(moved_filters(state)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"data_moved_{place}"):
            st.markdown(literal(_sentence(state, moved), limit=900))
            label = "Put it back" if moved.why else "Look at every row"
            st.button(label, key=f"data_moved_back_{place}", on_click=turn_back, args=(state, moved))


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
