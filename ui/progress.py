"""Long work: the core yields events, this draws them, while the page waits or of a job in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from fairaudit.events import Finished, Progress, Started
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from ui.runtime.jobs import Job, Jobs
from ui.text import literal, stated

_MINUTES = (1, 2, 3, 5, 10, 15, 20, 30, 45, 60)
"""The durations that are said of what is left."""


def follow(events: Iterable[Any], *, label: str) -> Any:
    """Draw a progress bar for `events` and return the result of the last one."""
    shown: tuple[float, str] = 0.0, label
    bar = st.progress(*shown)
    result = None
    try:
        for event in events:
            match event:
                case Started():
                    shown = 0.0, f"{label} {literal(event.what)}"
                case Progress():
                    share = min(event.done / max(event.total, 1), 1.0)
                    shown = share, f"{label} {literal(event.briefly)} ({share:.0%})"
                case Finished():
                    result = event.result
            # Also where nothing is new: whoever has gone to another page leaves here.
            bar.progress(*shown)
    finally:
        bar.empty()
    return result


def duration_text(seconds: float) -> str:
    """Return a duration in words.

    Examples
    --------
    >>> duration_text(0.4), duration_text(75), duration_text(3700)
    ('1 s', '1 min 15 s', '1 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def left_text(seconds: float) -> str:
    """Return about how long something will take, no finer than an estimate is.

    Examples
    --------
    >>> left_text(12), left_text(80), left_text(400), left_text(5000)
    ('less than a minute', 'about 2 min', 'about 10 min', 'more than an hour')
    """
    minutes = next((most for most in _MINUTES if seconds <= 60 * most), None)
    if minutes is None:
        return "more than an hour"
    return "less than a minute" if minutes == 1 else f"about {minutes} min"


@st.fragment(run_every=0.5)
def show_job(job: Job, jobs: Jobs, *, show_found: Callable[[Job], None] | None = None) -> None:
    """Draw how far a job has come and the button that stops it; draw the page anew when it has ended.

    `show_found` draws what its search has found so far.
    """
    if job.ended:
        st.rerun()
    if job.status == "waiting":
        with st.container(horizontal=True, vertical_alignment="center"):
            key = "job-left-out" if job.stopping else "job-waits"
            st.caption(stated(key, what=Phrase(job.what), n=Count(jobs.place(job) or 0)))
            if not job.stopping:
                st.button("Leave out", key=f"job_stop_{job.number}", on_click=job.stop, type="tertiary")
        return
    stage = job.stage
    step = f": {literal(stage.what)}" if stage.what else ""
    st.progress(stage.fraction, text=f"{literal(job.what)}{step} …")
    left = "" if job.left_s is None else f", {left_text(job.left_s)} left"
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.stopping:
            st.caption(say(Message("page-stopping")))
        else:
            st.button("Stop", key=f"job_stop_{job.number}", on_click=job.stop)
            line = job.line
            waits = "" if line is None else f"{say(Message('job-line'))} {literal(line)} "
            st.caption(f"{waits}{duration_text(job.elapsed_s)} so far{left}. {say(Message('job-meanwhile'))}")
    if show_found is not None and job.found:
        show_found(job)


@st.fragment(run_every=0.5)
def show_running(jobs: Jobs) -> None:
    """Draw one line for the sidebar while a job is under way; draw the page anew when one has ended."""
    active = jobs.active
    if any(job.ended and not job.taken for job in jobs.all):
        st.rerun()
    if active:
        waiting = f", {len(active) - 1} more" if len(active) > 1 else ""
        line = active[0].line
        far = f" … {active[0].stage.fraction:.0%}" if line is None else f": {literal(str(line).rstrip('.'))}"
        st.caption(f"{literal(active[0].what)}{far}{waiting}")
