"""The question whether a row is one case, where a column of the table looks as if it counted cases."""

from __future__ import annotations

import streamlit as st

from fairaudit.data.case_counts import count_column
from fairaudit.errors import ConnectError, StoppedError, quote
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start_choice

COUNTS, CASES = "Yes, it counts cases", "No, each row is one case"
_ANSWER = "counts_cases"


def counts_cases(state: AuditState) -> bool:
    """Whether the table seems to hold counts of cases, and the person has not said that each row is one."""
    return _column(state) is not None and not state.table.rows_are_cases


def ask_what_rows_are(state: AuditState) -> None:
    """Ask, keep the answer with how the table was read, and say what to do where it is a table of counts."""
    column = _column(state)
    if column is None:
        return
    named = literal(quote(column, limit=40))
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


def _column(state: AuditState) -> str | None:
    """Return the column that seems to count cases; None where a database does not say."""
    try:
        return None if state.table is None else count_column(state.table)
    except (ConnectError, StoppedError):
        return None
