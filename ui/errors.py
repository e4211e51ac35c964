"""How an error is shown."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from ui.text import literal


def show_error(error: FairauditError) -> None:
    """Draw one error: what is wrong, then the remedy."""
    hint = f"\n\n{literal(error.hint, limit=600)}" if error.hint else ""
    st.error(literal(error.message, limit=600) + hint)
