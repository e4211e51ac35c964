"""How long a search for rules or a tree may take."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.remedies import drafts
from ui.state import AuditState

MOST_SECONDS = 3600.0


def choose_time_limit(state: AuditState, usual: Any, *, other: str) -> None:
    """Draw how long is searched; `other` says what else takes time."""
    st.number_input(
        "Seconds of search",
        min_value=1.0,
        max_value=MOST_SECONDS,
        step=10.0,
        format="%g",
        help=f"Work is counted, so that each computer finds the same. {other}".strip(),
        **drafts.tied(state, usual, "time_limit", shown=lambda seconds: min(max(seconds, 1.0), MOST_SECONDS)),
    )
