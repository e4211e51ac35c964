"""Charts as people meet them: the picture, its description, and the same numbers as a table."""

from __future__ import annotations

import altair as alt
import streamlit as st


def show_chart(chart: alt.Chart, *, description: str, note: str | None = None) -> None:
    """Draw a chart of the core as it is, with its description for screen readers.

    Parameters
    ----------
    chart : altair.Chart
        Made by ``fairaudit.report.charts``.
    description : str
        What the chart shows, in sentences with the numbers.
    note : str, optional
        How to read it, below the chart.
    """
    st.altair_chart(chart, theme=None, alt=description, width="stretch")
    if note:
        st.caption(note)
