"""How many rows of a connected table are drawn for models to learn from."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.models import ModelsPlan
from fairaudit.study.divided import MAX_ROWS
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start

SAMPLE_ROWS = 20_000
"""How many rows of a database are drawn, unless the person says otherwise."""

FEWEST = 20
"""Rows that a sample must have."""


def choose_sample(state: AuditState, present: ModelsPlan) -> int:
    """Draw how many rows are fetched from the database for models to learn from; return that."""
    most = max(FEWEST, min(state.table.n_rows, MAX_ROWS))
    rows = st.number_input(
        "Rows to draw",
        min_value=FEWEST,
        max_value=most,
        step=1000,
        key=start("models_sample", min(present.sample_rows or SAMPLE_ROWS, most)),
        help="Drawn at random within both groups. The same seed draws the same rows.",
    )
    st.caption(literal(say(Message("learn-drawn", {"n": Count(state.table.n_rows)}))))
    return int(rows)
