"""Sessions that have ended are forgotten soon: their tables, uploads and downloads, and the fits that go on for them.

Streamlit keeps a session whose browser has gone, in case it comes back, and forgets it when another browser goes.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession

from fairaudit.report.chart_process import forget_drawn
from fairaudit.report.pdf import forget_printed
from ui.held import WORKS
from ui.server.stores import give_back
from ui.state import KEY
from ui.widgets import empty_session

GRACE_S = 15.0
"""A browser that lost its connection finds its session again within this time, and later its audit (ui/held.py)."""

LOOK_S = 2.0
"""How often it is looked whether a session has ended."""

COLLECT_AFTER_S = (0.0, 4.0, 10.0, 18.0, 28.0, 60.0, 120.0)
"""When garbage is collected after the end of a session: its fits end at their next step, and hold rows until then.

On a busy machine a step takes long, so that is done twice more, when most have ended.
"""

PAGES_END_S = 28.0
"""When the pages of a session have ended that were drawn as it ended."""


async def end_sessions(runtime: Runtime) -> None:
    """Close each session whose browser has been gone for so long, again and again. Runs in the server's own thread."""
    # Streamlit offers no list of its sessions; a test on the real server looks whether this one is still there.
    sessions = runtime._session_mgr
    gone: dict[str, float] = {}
    due: list[float] = []
    ended_at = 0.0
    while True:
        await asyncio.sleep(LOOK_S)
        now = time.monotonic()
        left = [info.session.id for info in sessions.list_sessions() if info.client is None]
        gone = {session: gone.get(session, now) for session in left}
        ended = [session for session, since in gone.items() if now - since >= GRACE_S]
        for session in ended:
            _close(runtime, session)
        n_forgotten = await asyncio.to_thread(WORKS.forget_left)
        if ended or n_forgotten:
            ended_at, due = now, list(COLLECT_AFTER_S)
        if due and due[0] <= now - ended_at:
            due = [after for after in due if after > now - ended_at]
            await asyncio.to_thread(_give_back, runtime, pages_ended=now - ended_at >= PAGES_END_S)


def let_go_of_messages() -> None:
    """Let go of each message to a browser when it was sent: Streamlit holds those of a page until the next one."""
    flush = AppSession.flush_browser_queue
    AppSession.flush_browser_queue = lambda session: handed_out(flush(session))  # type: ignore[method-assign, return-value, assignment]


def handed_out(messages: Iterable[Any]) -> Iterator[Any]:
    """Yield messages, and hold none of them when the next one is asked for, whoever holds what was yielded."""
    waiting = deque(messages)
    del messages
    while waiting:
        lent = _Lent(waiting.popleft())
        yield lent
        lent._message = None


class _Lent:
    """A message, as long as it is there."""

    def __init__(self, message: Any) -> None:
        self._message = message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._message, name)


def _give_back(runtime: Runtime, *, pages_ended: bool) -> None:
    """Free what sessions held, and give the memory back to the system."""
    if pages_ended:
        # A report that was printed as its session ended is remembered until then.
        forget_printed()
        forget_drawn()
        # At the end of a session its downloads are only marked: a second look drops what is marked and still unused.
        runtime.media_file_mgr.remove_orphaned_files()
    give_back()


def _close(runtime: Runtime, session: str) -> None:
    info = runtime._session_mgr.get_session_info(session)
    runtime.close_session(session)
    if info is not None:
        # The server goes on to hold the session that was answered last, until another one comes: it is emptied.
        held = info.session.session_state
        if KEY in held and not WORKS.holds(held[KEY]):
            held[KEY].forget()
        empty_session(held)
        # What was drawn for a browser that had gone.
        info.session.flush_browser_queue()
