"""A Streamlit that lacks something that keeps sessions apart is refused as the server starts, and named."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from ui.runtime.server import look_for_parts


@pytest.fixture
def runtime():
    """Parts of the installed version; a runtime itself can be made only once."""
    return SimpleNamespace(
        _session_mgr=SimpleNamespace(get_session_info=None, list_sessions=None),
        close_session=None,
        is_active_session=None,
        uploaded_file_mgr=MemoryUploadedFileManager("/uploads"),
        media_file_mgr=MediaFileManager(MemoryMediaFileStorage("/media")),
    )


def test_the_installed_version_has_all_of_it(runtime):
    look_for_parts(runtime)


def test_one_that_lacks_something_is_refused_and_it_is_named(monkeypatch, runtime):
    monkeypatch.delattr(AppSession, "matches_user_info")
    del runtime.media_file_mgr._file_metadata, runtime._session_mgr.list_sessions
    with pytest.raises(RuntimeError) as raised:
        look_for_parts(runtime)
    for name in ("AppSession.matches_user_info", "media_file_mgr._file_metadata", "_session_mgr.list_sessions"):
        assert name in str(raised.value)
    assert "_deferred_callables" not in str(raised.value), "what is there is not named"
