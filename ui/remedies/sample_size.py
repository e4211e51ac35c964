"""How many rows of a connected table are drawn for models to learn from."""

from __future__ import annotations

import streamlit as st

from fairaudit.plan.models import ModelsPlan
from fairaudit.present.numbers import count_text
from fairaudit.study.row_groups import MAX_ROWS
from ui.state import AuditState
from ui.widgets import start

SAMPLE_ROWS = 20_000
"""How many rows of a database are drawn, unless the person says otherwise."""

FEWEST = 20
"""Rows that a sample must have."""


def choose_sample(state: AuditState, present: ModelsPlan) -> int:
    """Draw how many rows are fetched from the database for models to learn from; return that."""
    most = max(FEWEST, min(state.table.n_rows, MAX_ROWS))
    rows = st.number_input(
        "Rows to draw from the database",
        min_value=FEWEST,
        max_value=most,
        step=1000,
        key=start("models_sample", min(present.sample_rows or SAMPLE_ROWS, most)),
        help="Models need rows, not counts. So many are drawn at random in the database and kept in the memory of this "
        "session: as large a part of the protected group as of the rest, and of good outcomes as of bad ones. The same "
        "seed (under More settings) draws the same rows.",
    )
    st.caption(
        f"Of {count_text(state.table.n_rows)} rows, those that are drawn leave the database for this session. Only "
        "remedies use them: checks are still counted over all rows."
    )
    return int(rows)
