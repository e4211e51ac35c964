"""Several things to be careful about: the gravest in sight, the others folded with their number."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.text import literal

UNLAWFUL = "may be unlawful"


def show_cautions(texts: Sequence[str], *, limit: int = 900) -> None:
    """Draw the first of some cautions, the gravest first, and each that says what may be unlawful; fold the others."""
    standing = [text for place, text in enumerate(texts) if place == 0 or UNLAWFUL in text]
    for text in standing:
        st.warning(literal(text, limit=limit))
    folded = [text for text in texts if text not in standing]
    if folded:
        with st.expander("One more thing to know" if len(folded) == 1 else f"{len(folded)} more things to know"):
            for text in folded:
                st.warning(literal(text, limit=limit))
