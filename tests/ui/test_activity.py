"""What people did is logged and counted where the administrator wants that: who, when, what kind, how long, no data."""

from __future__ import annotations

import json
import logging
import os
import stat
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import get_args

import pytest
from serving import free_port
from streamlit.runtime import scriptrunner

from fairaudit.errors import FairauditError, InputError
from fairaudit.events import Finished, Progress, Started
from fairaudit.settings import LOG, LOG_DAYS, METRICS, PROXY_SECRET, USER_HEADER
from ui.runtime import activity
from ui.runtime.activity import ANSWERS, Work, note, noted, recording, visiting
from ui.runtime.doors import AskedTable, _of_person
from ui.runtime.jobs import Jobs
from ui.runtime.turns import Turns

PATIENCE_S = 20


@pytest.fixture
def log(tmp_path, monkeypatch):
    """The path of the log, which is written."""
    monkeypatch.setenv(LOG.variable, str(tmp_path / "access.log"))
    monkeypatch.delenv(METRICS.variable, raising=False)
    with recording():
        yield tmp_path / "access.log"


def lines(path) -> list[dict]:
    """Return what a log says."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_says_who_when_what_and_how_long(log):
    before = datetime.now(UTC).replace(microsecond=0)
    note("check", "ada", 1.26)
    (line,) = lines(log)
    assert before <= datetime.fromisoformat(line.pop("time")) <= datetime.now(UTC)
    assert line == {"person": "ada", "work": "check", "seconds": 1.3, "ending": "done"}


def test_a_name_cannot_write_lines_of_its_own(log):
    note("check", 'a"}\n{"person": "b', 0)
    note("check", "x" * 5_000, 0)
    assert [line["person"] for line in lines(log)] == ['a"}\n{"person": "b', "x" * 200]


def test_nobody_is_named_where_nobody_is_signed_on(log):
    note("table", "", 0)
    assert lines(log)[0]["person"] is None


def test_nothing_is_logged_unless_it_is_wanted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for each in (LOG, METRICS):
        monkeypatch.delenv(each.variable, raising=False)
    with recording(), visiting("ada"):
        note("check", "ada", 1)
    assert not list(tmp_path.iterdir()) and capsys.readouterr() == ("", "")


def test_how_work_ended_is_said(log):
    with noted("table", "ada"):
        pass
    with pytest.raises(FairauditError), noted("check", "ada"):
        raise FairauditError("no")
    with pytest.raises(KeyboardInterrupt), noted("report", "ada"):
        raise KeyboardInterrupt
    assert [(line["work"], line["ending"]) for line in lines(log)] == [
        ("table", "done"), ("check", "failed"), ("report", "stopped")
    ]  # fmt: skip


def test_a_visit_is_logged_when_it_begins_and_when_it_ends(log):
    with visiting("ada"):
        assert [line["ending"] for line in lines(log)] == ["begun"]
    assert [line["ending"] for line in lines(log)] == ["begun", "done"]


def test_a_fit_is_logged_with_how_it_ended_and_without_its_words(log, monkeypatch):
    def fine():
        yield Started("column secret", 1)
        yield Progress("value secret", 0, 1)
        yield Finished(None)

    def broken():
        raise FairauditError("value secret")
        yield

    monkeypatch.setattr(activity, "person_here", lambda: "ada")
    jobs = Jobs(Turns(1))
    for name, make in (("fine", fine), ("broken", broken)):
        assert jobs.start(f"{name} secret", "Secret", make, kind="remedy").wait(PATIENCE_S)
    assert jobs.start("unnoted", "Secret", fine).wait(PATIENCE_S)
    assert [(line["person"], line["work"], line["ending"]) for line in lines(log)] == [
        ("ada", "remedy", "done"), ("ada", "remedy", "failed")
    ]  # fmt: skip
    assert "ecret" not in log.read_text(encoding="utf-8")


def test_the_log_is_for_its_owner_and_new_each_day(tmp_path, monkeypatch):
    path = tmp_path / "access.log"
    monkeypatch.setenv(LOG.variable, str(path))
    monkeypatch.setenv(LOG_DAYS.variable, "2")
    today = datetime.now(UTC).date()
    for days in (2, 3, 4, 5):
        path.with_name(f"access.log.{today - timedelta(days=days)}").touch()
    path.write_text("yesterday\n", encoding="utf-8")
    os.utime(path, (time.time() - 86_400,) * 2)
    with recording():
        note("check", "ada", 0)
    kept = sorted(each.name for each in tmp_path.iterdir())
    assert kept[0] == "access.log" and len(kept) == 3 and kept[1] == f"access.log.{today - timedelta(days=2)}"
    assert "yesterday" not in path.read_text(encoding="utf-8") and stat.S_IMODE(path.stat().st_mode) == 0o600


def numbers(port: int) -> dict[str, float]:
    """Return what Prometheus reads, by name with labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        read = answer.read().decode().splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in read if line[0] != "#")}


def test_days_that_are_long_ago_go_where_nobody_came_since(tmp_path, monkeypatch):
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    for name in ("2025-01-01", "2026-13-99x", yesterday):
        (tmp_path / f"access.log.{name}").write_text("{}\n", encoding="utf-8")
    monkeypatch.setenv(LOG.variable, str(tmp_path / "access.log"))
    monkeypatch.setenv(LOG_DAYS.variable, "90")
    monkeypatch.delenv(METRICS.variable, raising=False)
    with recording():
        left = {path.name.removeprefix("access.log") for path in tmp_path.iterdir()}
    assert left == {"", ".2026-13-99x", f".{yesterday}"}


def test_prometheus_reads_how_much_was_done_and_is_under_way(monkeypatch):
    port = free_port()
    monkeypatch.setenv(METRICS.variable, str(port))
    turns = Turns(1)
    monkeypatch.setattr(activity, "TURNS", turns)
    with recording(), visiting("ada"), turns.turn() as turn:
        assert turn.take(lambda: False)
        note("report", "ada", 3)
        note("report", "ada", 4, "failed")
        note("check", "ada", 0.2)
        seen = numbers(port)
        labels = {name.partition("{")[2] for name in seen if name.startswith("fairaudit_work_seconds_count")}
    assert labels == {f'work="{kind}"}}' for kind in {*get_args(Work)} - {"visit", "download"}}
    assert seen["fairaudit_audits_total"] == 1 and seen["fairaudit_sessions"] == 1
    assert (seen["fairaudit_jobs_running"], seen["fairaudit_jobs_waiting"]) == (1, 0)
    assert seen['fairaudit_work_seconds_count{work="report"}'] == 2
    assert seen['fairaudit_work_seconds_sum{work="report"}'] == 7
    assert seen['fairaudit_work_seconds_bucket{le="0.5",work="check"}'] == 1
    assert 0 < seen["fairaudit_memory_bytes"] < seen["fairaudit_memory_limit_bytes"]
    with pytest.raises(urllib.error.URLError):
        numbers(port)


def test_a_port_of_prometheus_that_is_taken_is_named(monkeypatch):
    port = free_port()
    monkeypatch.setenv(METRICS.variable, str(port))
    with recording(), pytest.raises(InputError, match=f"'metrics' cannot listen on port {port}"), recording():
        pass


def test_kinds_of_work_are_words_of_ours():
    assert {*ANSWERS.values()} <= {*get_args(Work)}
    assert all(kind.isalpha() for kind in get_args(Work))
    assert not logging.getLogger("fairaudit.activity").propagate


def asked(*headers: tuple[bytes, bytes]) -> AskedTable:
    """Return a request with these headers."""
    return AskedTable({"type": "http", "path": "/", "headers": list(headers)})


@pytest.mark.parametrize(
    ("headers", "person"),
    [
        ([(b"x-user", b"ada"), (b"x-fairaudit-proxy", b"s" * 16)], "ada"),
        ([(b"x-user", "Žofie".encode()), (b"x-fairaudit-proxy", b"s" * 16)], "Žofie"),
        ([(b"x-user", b"ada")], ""),
        ([(b"x-user", b"ada"), (b"x-fairaudit-proxy", b"t" * 16)], ""),
        ([(b"x-user", b"ada"), (b"x-fairaudit-proxy", b"")], ""),
        ([(b"x-user", b"root"), (b"x-user", b"ada"), (b"x-fairaudit-proxy", b"s" * 16)], ""),
        ([(b"x-fairaudit-person", b"ada"), (b"x-fairaudit-proxy", b"s" * 16)], ""),
    ],
)
def test_who_is_signed_on_is_what_the_server_in_front_says_once(headers, person, monkeypatch):
    monkeypatch.setenv(USER_HEADER.variable, "X-User")
    monkeypatch.setenv(PROXY_SECRET.variable, "s" * 16)
    assert asked(*headers).person == person


def test_whoever_signs_on_later_in_the_same_browser_has_another_audit():
    assert len({_of_person("secret", "ada"), _of_person("secret", "grace"), _of_person("secret", "")}) == 3
    assert _of_person("", "ada") == ""


def test_the_person_of_a_page_is_read_as_it_was_sent(monkeypatch):
    context = SimpleNamespace(user_info={activity.PERSON: "%C5%BDofie"})
    monkeypatch.setattr(scriptrunner, "get_script_run_ctx", lambda: context)
    assert activity.person_here() == "Žofie"
