"""What a session holds is gone soon after its end, also while nobody else comes or goes; what goes on, stays."""

from __future__ import annotations

import ctypes
import threading

import pytest
from serving import served

from benchmarks.visitor import Visitor

MOST_S = 60
"""Within this time all that a session held is to be gone."""

MOST_STORES = 6
"""Some are there before the app can say how many there are to be."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("served")) as started:
        yield started


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
    visitor = Visitor(server)
    visitor.draw()
    visitor.draw(press="home_sample_berkeley_1973")
    visitor.draw("Report")
    visitor.draw(press="report_make")
    assert visitor.download("report_download_pdf").startswith(b"%PDF-")
    assert server.counts()["media"] == len(visitor.downloads) >= 4
    visitor.leave()
    assert server.wait_for(sessions=0, media=0) < MOST_S


def test_session_whose_connection_was_lost_is_found_again_and_one_that_stays_is_left_alone(server):
    staying, lost, gone = (with_loans(server) for _ in range(3))
    lost.leave()
    again = Visitor(server, session=lost.session)
    gone.leave()
    again.draw("Data")
    assert again.session == lost.session
    server.wait_for(sessions=2, tables=2)
    staying.draw("Data")
    assert server.counts()["tables"] == 2
    staying.leave()
    again.leave()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_threads_share_few_stores_of_freed_memory(server):
    visitors = [with_loans(server) for _ in range(MOST_STORES)]
    drawing = [threading.Thread(target=visitor.draw, args=("Check",)) for visitor in visitors]
    for thread in drawing:
        thread.start()
    for thread in drawing:
        thread.join()
    assert server.counts()["stores"] <= MOST_STORES
    for visitor in visitors:
        visitor.leave()
