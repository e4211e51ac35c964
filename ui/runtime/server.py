"""What the server does beside answering: it looks for what it relies on, imports ahead, and forgets ended sessions."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import sys
import threading
import time
import webbrowser
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from operator import attrgetter
from typing import Any, cast
from urllib.parse import quote

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from fairaudit import settings
from fairaudit.report.chart_process import drawing_apart, forget_drawn
from fairaudit.report.pdf import forget_printed
from ui.runtime.activity import recording
from ui.runtime.doors import Browsers, Doors, UploadRoom, bind_sessions, is_open_to_others, own_token
from ui.runtime.freed_memory import give_back
from ui.runtime.held_sessions import WORKS
from ui.runtime.processes import working_apart
from ui.state import KEY
from ui.widgets import empty_session

# What pages are made of is imported while nobody waits for it, so that the first person does not wait either.

AHEAD = (
    "ui.front_page",
    "ui.data.roles",
    "ui.check.tabs",
    "ui.check.verdict",
    # For the exact tests of small groups.
    "scipy.stats",
    "ui.check.errors",
    "ui.report.making",
    "ui.remedies.learning_panel",
    "ui.presets.views",
)
"""Modules in the order in which a person comes to the pages that use them; each brings what it is made of."""


def import_ahead() -> threading.Thread:
    """Import the modules of :data:`AHEAD` in a thread of its own, which ends with the server."""
    thread = threading.Thread(target=_import_all, name="imports", daemon=True)
    thread.start()
    return thread


def _import_all() -> None:
    for name in AHEAD:
        importlib.import_module(name)


# What the server relies on in Streamlit and no version promises: looked for as it starts, not when it is needed.


def look_for_parts(runtime: Runtime) -> None:
    """Refuse a Streamlit that lacks something that sessions are bound, ended and emptied with.

    Raises
    ------
    RuntimeError
        Names what is missing.
    """
    state, info = SessionState(), cast(Any, SessionInfo)(client=None, session=None)
    relied_on = (
        (
            runtime,
            "_session_mgr.get_session_info",
            "_session_mgr.list_sessions",
            "close_session",
            "is_active_session",
            "uploaded_file_mgr.remove_session_files",
            "media_file_mgr._file_metadata",
            "media_file_mgr._deferred_callables",
            "media_file_mgr._files_by_session_and_coord",
            "media_file_mgr._lock",
            "media_file_mgr.add",
            "media_file_mgr.add_deferred",
            "media_file_mgr.execute_deferred",
            "media_file_mgr.remove_orphaned_files",
        ),
        (AppSession, "matches_user_info", "session_state", "flush_browser_queue"),
        (info, "client", "session"),
        (SafeSessionState(state, lambda: None), "_state.clear"),
        (state, "_new_widget_state.widget_metadata.clear"),
    )
    missing = [name for each, *paths in relied_on for name in _missing(each, paths)]
    if missing:
        raise RuntimeError(
            f"Streamlit {st.__version__} lacks what the app keeps sessions apart with: {', '.join(missing)}. "
            "Install the version that requirements.lock names."
        )


def _missing(holder: Any, paths: list[str]) -> Iterator[str]:
    name = (holder if isinstance(holder, type) else type(holder)).__name__
    for path in paths:
        try:
            attrgetter(path)(holder)
        except AttributeError:
            yield f"{name}.{path}"


# Sessions that have ended are forgotten soon: their tables, uploads and downloads, and the fits that go on for them.
#
# Streamlit keeps a session whose browser has gone, in case it comes back, and forgets it when another browser goes.

GRACE_S = 15.0
"""A browser that lost its connection finds its session again within this time, and later its audit."""

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


# What the server does beside answering: it says where it is, keeps uploads in memory, and ends sessions.

DOORS = (Middleware(Doors), Middleware(Browsers), Middleware(UploadRoom))
"""What each request passes first."""


@asynccontextmanager
async def running(_app: Any) -> AsyncIterator[None]:
    """Do what is to be done while the app is served."""
    # 0 is without a limit: otherwise an upload of more than 1 MB goes through a file on the disk.
    MultiPartParser.spool_max_size = 0
    # What is said wrongly is refused now, and not when the first table comes.
    settings.check()
    sys.stderr.write(welcome())
    sys.stderr.flush()
    look_for_parts(Runtime.instance())
    bind_sessions(Runtime.instance())
    let_go_of_messages()
    import_ahead()
    if not config.get_option("server.headless"):
        # The server listens already, and answers as soon as this is done.
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, own_address())
    ending = asyncio.create_task(end_sessions(Runtime.instance()))
    try:
        # In this process, drawing would let no page be answered meanwhile, and what fits need would not go back whole.
        with recording(), drawing_apart(), working_apart():
            yield
    finally:
        ending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ending


def own_address(name: str = "localhost") -> str:
    """Return where the app is under a name of this machine."""
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{name}:{config.get_option('server.port')}/{config.get_option('server.baseUrlPath').strip('/')}"


def welcome() -> str:
    """Return the lines that say where the app is, and from other machines with which token."""
    address = config.get_option("server.address")
    if not is_open_to_others(address):
        return f"\n  fairaudit is at this address. URL: {own_address()}\n\n"
    name = "ADDRESS-OF-THIS-MACHINE" if address in (None, "", "0.0.0.0", "::") else address  # noqa: S104
    lines = [f"  fairaudit listens to other machines. From this one, URL: {own_address()}"]
    if settings.PROXY_SECRET.value:
        lines += ["  From others: through the server in front."]
    elif settings.TOKEN.text:
        # It is a secret of the office, and these lines stand in the log of a service.
        lines += [f"  From others, with your token in the place of TOKEN: {own_address(name)}?token=TOKEN"]
    elif own_token():
        lines += [f"  From others: {own_address(name)}?token={quote(own_token(), safe='')}"]
    else:
        lines += [f"  From others, as the token is empty, without a token: {own_address(name)}"]
    return "\n" + "\n".join(lines) + "\n\n"
