"""What is remarkable about the table, and what to do about it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal


def show_quality(state: AuditState) -> None:
    """Draw the quality report of the present table."""
    report = state.quality
    if not report.issues:
        st.success("Nothing stands out: no gaps, no odd codes, no repeated rows.")
        return
    st.markdown(f"{len(report.issues)} things to look at. None of them stops the audit.")
    frame = pd.DataFrame(
        [
            {"column": issue.column or "whole table", "message": issue.message, "advice": issue.advice, "n": issue.n}
            for issue in report.issues
        ]
    )
    show_table(
        frame.head(40),
        key="data_quality",
        labels={"column": "Column", "message": "What was found", "advice": "What to do"},
        alt="What stands out in the table, by column",
    )
    if len(frame) > 40:
        st.caption(literal(f"and {len(frame) - 40} more"))
