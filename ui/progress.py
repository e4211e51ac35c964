"""Long work: the core yields events, this draws them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from fairaudit.events import Finished, Progress, Started


def follow(events: Iterable[Any], *, label: str) -> Any:
    """Draw a progress bar for `events` and return the result of the last one.

    Parameters
    ----------
    events : iterable
        What the core's ``iter_`` functions yield.
    label : str
        What is going on, for people.

    Returns
    -------
    object
        The result that the ``Finished`` event carries.
    """
    bar = st.progress(0.0, text=label)
    result = None
    try:
        for event in events:
            match event:
                case Started():
                    bar.progress(0.0, text=f"{label} {event.what}")
                case Progress():
                    bar.progress(min(event.done / max(event.total, 1), 1.0), text=f"{label} {event.what}")
                case Finished():
                    result = event.result
    finally:
        bar.empty()
    return result
