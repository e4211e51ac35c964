"""Files that a page offers to take away, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st


def offer_files(page: str, files: Iterable[tuple[str, str, str, Callable[[], bytes]]]) -> None:
    """Draw a button for each file: its label, name and media type, and what makes its content when it is wanted."""
    with st.container(horizontal=True):
        for label, name, mime, made in files:
            st.download_button(
                label,
                data=made,
                file_name=name,
                mime=mime,
                key=f"{page}_file_{name.partition('.')[2]}",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
            )
