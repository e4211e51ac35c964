"""What the server relies on in Streamlit and no version promises: looked for as it starts, not when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, cast

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState


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
