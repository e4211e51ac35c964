"""When the memory of a session that has ended is given back, by a clock that does not wait."""

from __future__ import annotations

import asyncio
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime.state.session_state import SessionState

from ui.runtime import server


class Message:
    """What can be referred to weakly."""

    type = "delta"


def test_message_that_was_sent_is_held_by_nobody_who_still_names_it():
    messages = [Message() for _ in range(3)]
    known = [weakref.ref(message) for message in messages]
    handed_out = server.handed_out(messages)
    del messages
    for n_sent, message in enumerate(handed_out):
        assert message.type == "delta"
        assert [reference() is None for reference in known] == [number < n_sent for number in range(3)]
    assert message is not None and all(reference() is None for reference in known)


class Over(Exception):
    """The time of the test is over."""


def test_memory_is_given_back_until_two_minutes_after_the_end_of_a_session(monkeypatch):
    clock, given_back, forgot = [0.0], [], []
    flushed = []
    session = SimpleNamespace(
        id="gone", session_state=SessionState(), flush_browser_queue=lambda: flushed.append(clock[0])
    )
    there = [SimpleNamespace(session=session, client=None)]

    async def sleep(seconds):
        clock[0] += seconds
        if clock[0] > 600:
            raise Over

    def close(_):
        there.clear()

    runtime = SimpleNamespace(
        _session_mgr=SimpleNamespace(list_sessions=lambda: list(there), get_session_info=lambda _: there[0]),
        close_session=close,
        media_file_mgr=SimpleNamespace(remove_orphaned_files=lambda: forgot.append(clock[0])),
    )
    monkeypatch.setattr(server.asyncio, "sleep", sleep)
    monkeypatch.setattr(server.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(server, "give_back", lambda: given_back.append(clock[0]))
    monkeypatch.setattr(server, "forget_printed", lambda: None)
    monkeypatch.setattr(server, "forget_drawn", lambda: None)
    # In a thread of its own, as a browser that is driven in this one has a loop that runs here.
    with ThreadPoolExecutor(1) as thread, pytest.raises(Over):
        thread.submit(asyncio.run, server.end_sessions(runtime)).result()
    ended = given_back[0]
    assert server.GRACE_S <= ended <= server.GRACE_S + 2 * server.LOOK_S
    assert flushed == [ended], "what was drawn for nobody is gone, too"
    # Downloads are gone within a minute; a fit whose step took longer than that holds its rows until later.
    assert forgot[0] - ended < 60 - server.GRACE_S
    assert 120 <= given_back[-1] - ended <= 120 + server.LOOK_S
    assert len(given_back) == len(server.COLLECT_AFTER_S), "an idle server does nothing"
