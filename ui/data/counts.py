"""The question whether a row is one case, where a column of the table looks as if it counted cases."""

from __future__ import annotations

import streamlit as st

from fairaudit.data.case_counts import count_column, counts_caution, taken_for_cases
from fairaudit.errors import ConnectError, StoppedError
from ui.state import AuditState
from ui.text import literal

COUNTS, CASES = "Yes, it counts cases", "No, each row is one case"
ANSWER = "counts_cases"


def counts_cases(state: AuditState) -> bool:
    """Whether the table seems to hold counts of cases, and the person has not said that each row is one."""
    return counted_column(state) is not None and not state.table.rows_are_cases


def show_caution(state: AuditState) -> None:
    """Say so where each row is counted as one case although a column seems to count cases."""
    try:
        column = None if state.table is None else taken_for_cases(state.table)
    except (ConnectError, StoppedError):
        return
    if column is not None:
        st.warning(literal(counts_caution(column), limit=300))


def counted_column(state: AuditState) -> str | None:
    """Return the column that seems to count cases; None where a database does not say."""
    try:
        return None if state.table is None else count_column(state.table)
    except (ConnectError, StoppedError):
        return None
