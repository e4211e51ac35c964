"""Charts as people meet them: the picture, its description, and the same numbers as a table."""

from __future__ import annotations

import altair as alt
import streamlit as st
from altair.utils import schemapi

from ui.text import literal

# A chart is checked as a whole when it is sent. Checking each of its parts as well takes a third of a page's time.
schemapi.disable_debug_mode()

_RIGHT = 24
"""Room for texts at the right: a browser that measures them before their font is there takes them for narrower."""


def show_wide_and_narrow(wide: alt.Chart, narrow: alt.Chart, *, title: str, description: str) -> None:
    """Draw a chart for wide screens, and for narrow ones another of the same figures."""
    for chart, key in ((wide, "chart_wide"), (narrow, "chart_narrow")):
        with st.container(key=key):
            show_chart(chart, title=title, description=description)


def show_chart(chart: alt.Chart, *, description: str, title: str | None = None, note: str | None = None) -> None:
    """Draw a chart of the core as it is, with a title, its description for screen readers and a note: plain texts."""
    if title:
        st.markdown(f"**{literal(title, limit=300)}**")
    # The page carries the description; given twice, screen readers would read it twice.
    chart = chart.copy(deep=False)
    chart.description = alt.Undefined
    # The width follows the page; the height is that of the rows, with axis and legend outside.
    chart.padding = {**chart.padding, "right": _RIGHT}
    chart.autosize = alt.AutoSizeParams(type="fit-x", contains="padding")
    st.altair_chart(chart, theme=None, alt=description, width="stretch")
    if note:
        st.caption(literal(note, limit=1500))
