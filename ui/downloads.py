"""Files with figures of the audit that a page offers to take away: where small counts are to be hidden, none is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.state import get_state


@dataclass(frozen=True)
class OfferedFile:
    """A file to take away, and what makes its content when it is wanted."""

    label: str
    name: str
    mime: str
    make: Callable[[], str | bytes]
    key: str
    help: str | None = None


def offer_files(files: Iterable[OfferedFile], *, prominent: bool = False) -> None:
    """Draw a button for each file or, where small counts are to be hidden, a line that says where it is.

    These files have not passed the gate that reports pass, so all of them are offered here and nowhere else.
    """
    if get_state().small_cells.mask:
        st.caption(say(Message("files-hidden")))
        return
    with st.container(horizontal=True):
        for file in files:
            st.download_button(
                file.label,
                data=file.make,
                file_name=file.name,
                mime=file.mime,
                key=file.key,
                help=file.help,
                icon=":material/download:",
                type="secondary" if prominent else "tertiary",
                on_click="ignore",
            )
