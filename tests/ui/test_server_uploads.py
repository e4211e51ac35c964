"""An upload of any size stays in memory: the server opens no file to write to, not while it comes in nor afterwards."""

from __future__ import annotations

import pytest
from serving import served

from benchmarks.visitor import Visitor

ROW = b"sex,ok,a long text that fills the table\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("served")) as started:
        yield started


@pytest.mark.parametrize("megabytes", [0.5, 3, 40])
def test_upload_touches_no_file(server, megabytes):
    visitor = Visitor(server)
    visitor.draw()
    before = server.counts()["opened"]
    visitor.upload(ROW * int(megabytes * 2**20 / len(ROW)))
    after = server.counts()
    assert after["uploads"] >= 1
    assert after["opened"] == before
    visitor.leave()
