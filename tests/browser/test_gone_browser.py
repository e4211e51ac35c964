"""A browser that is offline, reloaded or closed while a fit goes on: no page breaks, and no fit goes on for nobody."""

from __future__ import annotations

import re

import pytest
from auditor import Auditor
from cut_line import line_to
from playwright.sync_api import expect
from serving import served
from test_trees_story import ask

from fairaudit.findings import Message
from fairaudit.messages import say

MOST_S = 60
"""Within this time a fit for nobody is to have ended."""
HELD_S = 45
"""For how long an audit is held that no page shows."""
AWAY_MS = 5_000
"""How long a browser is offline that finds its session again."""
OVER = re.compile("^(?!CONNECTED$)")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that counts its sessions and fits."""
    with served(tmp_path_factory.mktemp("served"), FAIRAUDIT_HOLD_MINUTES=f"{HELD_S / 60}") as started:
        yield started
        assert started.process.poll() is None
        log = (started.folder / "log").read_text(encoding="utf-8")
        assert "Traceback" not in log, log


@pytest.fixture
def line(server):
    """What lies between the browsers and the server."""
    with line_to(server.port) as held:
        yield held


@pytest.fixture
def fitting(open_page, settle, line):
    """Return a function that lets one more person begin the search for a tree with so many seconds of work."""

    def begin(seconds: int) -> Auditor:
        auditor = Auditor(open_page(), line.url, settle)
        auditor.open_sample("recidivism")
        auditor.go("Trees")
        auditor.learn()
        ask(auditor, 3, seconds)
        auditor.press("Find a tree")
        expect(auditor.fitting).to_be_visible()
        return auditor

    return begin


def expect_connection(auditor: Auditor, state: str | re.Pattern) -> None:
    """Wait until the page knows whether it reaches the server."""
    expect(auditor.page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", state)


@pytest.mark.parametrize("in_silence", [False, True], ids=["cut", "cut in silence"])
def test_fit_goes_on_while_its_page_is_offline_and_its_result_is_there(fitting, line, server, in_silence):
    auditor = fitting(15)
    line.cut(in_silence=in_silence)
    expect_connection(auditor, OVER)
    auditor.page.wait_for_timeout(AWAY_MS)
    # The table of who came before may still be there.
    assert server.counts()["tables"] >= 1
    line.mend()
    expect_connection(auditor, "CONNECTED")
    auditor.expect_answer()
    expect(auditor.sidebar).to_contain_text("Reoffending")
    auditor.go("Compare")
    expect(auditor.compared().get_by_role("row").filter(has_text="A decision tree")).to_have_count(1)


def test_page_that_was_offline_for_longer_finds_its_audit_and_after_the_time_begins_anew(fitting, line, server):
    auditor = fitting(15)
    line.cut()
    server.wait_for(sessions=0)
    line.mend()
    expect_connection(auditor, "CONNECTED")
    auditor.expect_answer()
    expect(auditor.sidebar).to_contain_text("Reoffending")
    line.cut()
    assert server.wait_for(sessions=0, tables=0, jobs=0) < MOST_S + HELD_S
    line.mend()
    expect_connection(auditor, "CONNECTED")
    # What was drawn may stand there still; the page that is loaded anew has nothing of it.
    auditor.page.reload()
    auditor.settle()
    auditor.expect_text(say(Message("page-needs-data")))
    expect(auditor.fitting).to_have_count(0)
    auditor.go("fairaudit")
    auditor.open_sample("recidivism")


def test_fit_goes_on_where_its_page_is_loaded_anew_and_ends_where_it_is_closed(fitting, server):
    staying, closing = fitting(300), fitting(300)
    staying.page.reload()
    staying.settle()
    expect(staying.sidebar).to_contain_text("Reoffending")
    closing.page.close()
    assert server.wait_for(sessions=1, tables=1, jobs=1) < MOST_S + HELD_S
    staying.forget()
    expect(staying.sidebar).to_contain_text("No table yet")
    assert server.wait_for(tables=0, jobs=0) < MOST_S
