"""What is remarkable about the table, and what to do about it."""

from __future__ import annotations

import streamlit as st

from fairaudit.data import quality_report
from fairaudit.report.blocks import ColumnSpec, Table
from ui.state import AuditState
from ui.tables import show_table

_MOST = 30
_LARGE = 2_000_000


def show_quality(state: AuditState) -> None:
    """Draw the quality report of the present table."""
    table = state.table
    if table.n_rows > _LARGE and not st.checkbox(
        f"Look at every column of all {table.n_rows:,} rows (may take minutes)", key=f"data_look_{state.data_key}"
    ):
        return
    with st.spinner("Looking at every column …"):
        decision = state.decision
        amount = decision.column if decision is not None and decision.amount else None
        issues = state.remember("quality", amount, lambda: quality_report(table, amount=amount)).issues
    if not issues:
        st.success("Nothing stands out: no gaps, no odd codes, no repeated rows.")
        return
    things = "One thing" if len(issues) == 1 else f"{len(issues)} things"
    st.markdown(f"{things} to look at: no reason to stop the audit, but a reason why its answer might change.")
    columns = (
        ColumnSpec("column", "Column", "text", "The column, or the whole table."),
        ColumnSpec("message", "What was found", "text", "What stands out."),
        ColumnSpec("advice", "What to do", "text", "What to do about it."),
    )
    rows = tuple((issue.column or "whole table", issue.message, issue.advice) for issue in issues)
    show_table(Table("data_quality", "What stands out in the table, by column", columns, rows), most=_MOST)
