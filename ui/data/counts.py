"""The question whether a row is one case, where a column of the table looks as if it counted cases."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import quote
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start_choice

COUNTS, CASES = "Yes, it counts cases", "No, each row is one case"
_ANSWER = "counts_cases"


def ask_what_rows_are(state: AuditState) -> None:
    """Ask, keep the answer with how the table was read, and say what to do where it is a table of counts."""
    if state.count_column is None:
        return
    named = literal(quote(state.count_column, limit=40))
    said = CASES if state.table.rows_are_cases else state.drafts.get(_ANSWER)
    options = [COUNTS, CASES]
    answer = st.radio(
        f"Does {named} say how many cases each row stands for?",
        options,
        index=None,
        horizontal=True,
        key=start_choice(f"data_counts_{state.data_key}", said, options),
    )
    state.drafts[_ANSWER] = answer
    state.table.say_rows_are_cases(answer == CASES)
    if answer == COUNTS:
        st.error("Tables of counts cannot be compared yet. Bring a table with one row for each case.")
