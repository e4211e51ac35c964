"""What a session holds is gone soon after its end, also while nobody else comes or goes; what goes on, stays."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit
from serving import served
from shown import shows
from streamlit import config
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from benchmarks.visitor import Visitor
from ui.runtime import doors
from ui.runtime.doors import HEADER
from ui.runtime.held_sessions import known_as

MOST_S = 60
"""Within this time all that a session held is to be gone."""

NO_SESSIONS = SimpleNamespace(get_session_info=lambda _: None)

MOST_STORES = 6
"""Some are there before the app can say how many there are to be."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that holds no audit that no page shows."""
    with served(tmp_path_factory.mktemp("served"), FAIRAUDIT_HOLD_MINUTES="0") as started:
        yield started


@pytest.fixture(scope="module")
def holding(tmp_path_factory):
    """A server that holds audits as it usually does."""
    with served(tmp_path_factory.mktemp("holding")) as started:
        yield started


def with_report(server) -> Visitor:
    """Return a visitor who has opened the sample of Berkeley and made its report."""
    visitor = Visitor(server)
    visitor.draw()
    visitor.draw(press="home_sample_berkeley_1973")
    visitor.draw("Report")
    visitor.draw(press="report_make")
    assert visitor.downloads
    return visitor


def with_loans(server) -> Visitor:
    """Return a visitor who has opened the sample of loans."""
    visitor = Visitor(server)
    visitor.draw()
    visitor.draw(press="home_sample_loans")
    return visitor


def test_tables_fits_uploads_and_downloads_end_with_their_sessions(server):
    fitting, other = with_loans(server), with_loans(server)
    fitting.draw("Rules")
    fitting.draw(press="rules_fit")
    other.upload(b"sex,ok\n" + b"F,1\nM,0\n" * 1_000)
    before = server.counts()
    assert before["tables"] == 2 and before["sessions"] == 2 and before["jobs"] == 1 and before["uploads"] == 1
    fitting.leave()
    other.leave()
    assert server.wait_for(sessions=0, tables=0, uploads=0, media=0) < MOST_S
    # A fit ends at its next step, which takes long where others keep the machine busy.
    server.wait_for(jobs=0)


def test_files_of_a_report_end_with_the_only_session(server):
    visitor = with_report(server)
    assert visitor.download("report_download_pdf").startswith(b"%PDF-")
    # Beside the files there is the picture of page 1.
    assert server.counts()["media"] == len(visitor.downloads) + 1 >= 4
    visitor.leave()
    assert server.wait_for(sessions=0, media=0) < MOST_S


def test_session_whose_connection_was_lost_is_found_again_and_one_that_stays_is_left_alone(server):
    staying, lost, gone = (with_loans(server) for _ in range(3))
    lost.leave()
    again = Visitor(server, session=lost.session, cookie=lost.cookie)
    gone.leave()
    again.draw("Data")
    assert again.session == lost.session
    server.wait_for(sessions=2, tables=2)
    staying.draw("Data")
    assert server.counts()["tables"] == 2
    staying.leave()
    again.leave()


def secret_of(server) -> str:
    """Return what the server gives a browser to keep."""
    _, headers, _ = server.ask("/", accept="text/html")
    said = headers["set-cookie"]
    assert "HttpOnly" in said and "SameSite=Lax" in said and "fairaudit_browser=" in said
    return said.partition(";")[0]


def test_page_that_is_loaded_anew_finds_its_audit_and_fit_and_no_other_browser_does(holding):
    server = holding
    secret = secret_of(server)
    before = Visitor(server, cookie=secret)
    before.draw()
    before.draw(press="home_sample_loans")
    before.draw("Rules")
    before.draw(press="rules_fit")
    assert server.counts()["jobs"] == 1
    before.leave()
    other = Visitor(server, cookie=secret_of(server))
    other.draw("Check")
    assert any(shows(text, "page-needs-data") for text in other.texts)
    again = Visitor(server, cookie=secret)
    again.draw("Rules")
    assert again.session != before.session and not any(shows(text, "page-needs-data") for text in again.texts)
    assert server.counts()["jobs"] == 1 and server.counts()["tables"] == 1, "the fit went on, nothing was copied"
    # The first session ends meanwhile, and must not take the audit along.
    server.wait_for(sessions=2)
    again.draw("Check")
    assert not any(shows(text, "page-needs-data") for text in again.texts)
    # Who brings no secret, or one that is made up, finds nothing.
    for cookie in ("", f"fairaudit_browser={'a' * 43}"):
        stranger = Visitor(server, cookie=cookie)
        stranger.draw("Check")
        assert any(shows(text, "page-needs-data") for text in stranger.texts)
        stranger.leave()
    for visitor in (again, other):
        visitor.leave()


def test_audit_that_is_held_ends_when_its_time_is_over(tmp_path):
    with served(tmp_path, FAIRAUDIT_HOLD_MINUTES="0.6") as server:
        secret = secret_of(server)
        visitor = Visitor(server, cookie=secret)
        visitor.draw()
        visitor.draw(press="home_sample_loans")
        visitor.draw("Rules")
        visitor.draw(press="rules_fit")
        visitor.leave()
        server.wait_for(sessions=0)
        assert server.counts()["tables"] == 1, "the session is gone, its audit is held"
        assert server.wait_for(tables=0) < MOST_S
        server.wait_for(jobs=0)
        assert not server.counts()["opened"], "nothing was written to the disk"


def test_nothing_is_held_where_the_administrator_says_so(server):
    visitor = with_loans(server)
    visitor.leave()
    again = Visitor(server, cookie=visitor.cookie)
    assert not is_let_in(again)
    again.leave()


def is_let_in(visitor: Visitor) -> bool:
    """Whether a tab shows what is held for the session that it asked for."""
    visitor.draw("Check")
    return not any(shows(text, "page-needs-data") for text in visitor.texts)


@pytest.mark.parametrize("cookie", ["", None], ids=["no secret", "another secret"])
def test_number_of_a_session_opens_nothing_of_it_to_another_browser(server, cookie):
    victim = with_report(server)
    victim.upload(b"sex,ok\nF,1\n", file_id="own")
    address = next(iter(victim.downloads.values()))
    # While it is connected ...
    thief = Visitor(server, session=victim.session, cookie=cookie)
    assert not is_let_in(thief) and thief.session != victim.session
    thief.session = victim.session
    assert thief.upload(b"sex,ok\nM,1\n", file_id="own")[0] == 404
    assert thief.upload(b"sex,ok\nM,1\n", file_id="other")[0] == 404
    assert thief.take_back(file_id="own") == 404
    assert thief.fetch(address)[0] == 404
    assert server.counts()["uploads"] == 1
    # ... and between its end and that of its grace.
    victim.leave()
    late = Visitor(server, session=victim.session, cookie=cookie)
    assert not is_let_in(late) and late.session != victim.session
    # The browser itself goes on as before.
    back = Visitor(server, session=victim.session, cookie=victim.cookie)
    # A file is there for as long as the page that offers it.
    assert back.fetch(address)[0] == 200
    assert is_let_in(back) and back.session == victim.session
    assert back.take_back(file_id="own") == 204
    for visitor in (thief, late, back):
        visitor.leave()


def test_what_pages_are_made_of_is_for_every_browser(server):
    fonts = next(Path(streamlit.__file__).parent.glob("static/static/media/*.woff2"))
    assert server.ask(f"/static/media/{fonts.name}", method="HEAD")[0] == 200


def test_file_that_is_made_when_its_button_is_pressed_is_of_those_who_see_the_button(monkeypatch):
    monkeypatch.setattr(doors, "_OWNERS", {})
    monkeypatch.setattr(config, "set_option", lambda *_: None)
    media = MediaFileManager(MemoryMediaFileStorage("/media"))
    doors.bind_sessions(SimpleNamespace(media_file_mgr=media))
    monkeypatch.setattr(doors, "get_script_run_ctx", lambda: SimpleNamespace(user_info={HEADER: "own"}))
    placeholder = media.add_deferred(lambda: b"made", "text/plain", "1", file_name="plan.toml")
    monkeypatch.setattr(doors, "get_script_run_ctx", lambda: None)
    address = media.execute_deferred(placeholder)
    for name, own in ((b"own", True), (b"other", False)):
        assert doors._is_own({"path": address, "headers": [(HEADER.encode(), name)]}) is own


def test_file_that_is_made_when_its_button_is_pressed_waits_for_its_browser_while_others_draw(monkeypatch):
    monkeypatch.setattr(doors, "_OWNERS", {})
    monkeypatch.setattr(config, "set_option", lambda *_: None)
    media = MediaFileManager(MemoryMediaFileStorage("/media"))
    doors.bind_sessions(SimpleNamespace(media_file_mgr=media))
    placeholder = media.add_deferred(lambda: b"made", "text/plain", "1", file_name="plan.toml")
    made = doors._file_of(media.execute_deferred(placeholder))
    for _ in range(3):
        media.remove_orphaned_files()
    assert media.read_file(made).content == b"made"
    media.clear_session_refs()
    for _ in range(2):
        media.remove_orphaned_files()
    assert media.read_file(made) is None, "it goes with the page of its button"
    assert not media._files_by_session_and_coord


@pytest.mark.parametrize("base", ["", "office/audit"])
def test_uploads_and_downloads_of_others_are_known_under_every_address(monkeypatch, base):
    monkeypatch.setattr(doors.config, "get_option", {"server.baseUrlPath": base, "server.trustedUserHeaders": {}}.get)
    monkeypatch.setattr(doors.Runtime, "instance", lambda: SimpleNamespace(_session_mgr=NO_SESSIONS))
    for path, own in (("_stcore/upload_file/a/b", False), ("media/a.pdf", False), ("static/media/a.woff2", True)):
        scope = {"path": "/" + "/".join(filter(None, (base, path))), "headers": [(HEADER.encode(), b"x")]}
        assert doors._is_own(scope) is own


def test_name_of_a_browser_cannot_be_said_by_a_request(server):
    victim = with_report(server)
    name = known_as(victim.cookie.partition("=")[2]).hex()
    address = next(iter(victim.downloads.values()))
    assert server.ask(address, **{HEADER: name})[0] == 404
    victim.leave()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_threads_share_few_stores_of_freed_memory(server):
    visitors = [with_loans(server) for _ in range(MOST_STORES)]
    drawing = [threading.Thread(target=visitor.draw, args=("Check",)) for visitor in visitors]
    for thread in drawing:
        thread.start()
    for thread in drawing:
        thread.join()
    counts = server.counts()
    assert counts["stores"] <= MOST_STORES
    # Of stores of its own, Arrow would give back little after its threads have ended.
    assert counts["arrow"] == "system"
    for visitor in visitors:
        visitor.leave()
