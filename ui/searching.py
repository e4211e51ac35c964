"""Questions that are answered in the background, such as a search for groups: begun by a press, and drawn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.entries import Search
from ui.progress import show_job
from ui.runtime.activity import Work
from ui.runtime.jobs import Events, Job
from ui.state import AuditState


def offer_to_begin(state: AuditState, search: Search, label: str, *, key: str) -> bool:
    """Draw the button that begins a search, which waits while it is under way; return whether it was pressed."""
    under_way = any(not job.ended for job in _jobs(state, search.key))
    return st.button(label, type="primary", key=key, disabled=under_way)


def begin(
    state: AuditState, search: Search, kind: Work, work: str, events: Callable[[], Events], *, n_bytes: int
) -> None:
    """Begin a search, and draw the page anew so that the sidebar shows it."""
    state.jobs.start(f"{kind} {search.key}", work, events, about=search, n_bytes=n_bytes, kind=kind)
    st.rerun()


def show_last(state: AuditState, key: str) -> Job | None:
    """Draw how far searches with a key are, and return the last of them."""
    here = _jobs(state, key)
    for job in here:
        if not job.ended:
            show_job(job, state.jobs)
    return here[-1] if here else None


def _jobs(state: AuditState, key: str) -> list[Job]:
    return [job for job in state.jobs.all if isinstance(job.about, Search) and job.about.key == key]
