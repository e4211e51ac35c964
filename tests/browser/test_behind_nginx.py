"""An office as the manual says: nginx with encryption, passwords and a sub-path in front, one file of settings."""

from __future__ import annotations

import base64
import http.client
import json
import os
import ssl
import stat
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from auditor import Auditor
from places import ROOT
from playwright.sync_api import expect
from proxies import DEPLOY, NAME, PASSWORD, SECRET, USER, in_front, written_anew
from serving import Served, free_port, started

pytestmark = pytest.mark.thorough

OF_THE_SAMPLE = ("berkeley", "gender", "Women", "Men", "Admitted", "department", "decision", "brought", "secret")
"""Names and values of the sample and of what is uploaded, and what they are called."""


HANDS = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}
"""What asks for a WebSocket."""


@dataclass
class Office:
    """The app, the server in front of it, and what both write."""

    app: Served
    port: int
    metrics_port: int
    log: Path

    @property
    def lines(self) -> list[dict]:
        """What is in the log."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    @property
    def n_visits(self) -> int:
        """How many visits have begun."""
        return sum(line["work"] == "visit" and line["ending"] == "begun" for line in self.lines)

    def numbers(self) -> dict[str, float]:
        """Return what Prometheus reads."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    def ask_in_front(self, path: str, **headers: str) -> tuple[int, list[str]]:
        """Return status and cookies of an answer by way of nginx."""
        trusted = ssl.create_default_context()
        trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=trusted)
        signed_on = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        sent = {"Host": f"{NAME}:{self.port}", "Authorization": f"Basic {signed_on}", "Accept": "text/html", **headers}
        connection.request("GET", path, headers=sent)
        answer = connection.getresponse()
        if answer.status != 101:
            answer.read()
        connection.close()
        return answer.status, answer.headers.get_all("Set-Cookie") or []


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder, port, metrics_port = tmp_path_factory.mktemp("office"), free_port(), free_port()
    changes = {
        "port = 8501": f"port = {port}",
        '# log = "/var/log/fairaudit/work.log"': f'log = "work.log"\nmetrics = {metrics_port}',
    }
    settings = written_anew((DEPLOY / "serve.toml").read_text(encoding="utf-8"), changes)
    (folder / "serve.toml").write_text(settings, encoding="utf-8")
    nginx = tmp_path_factory.mktemp("nginx")
    command = [sys.executable, "-m", "fairaudit", "serve", "--config", "serve.toml"]
    surroundings = {"FAIRAUDIT_PROXY_SECRET": SECRET, "PYTHONPATH": str(ROOT)}
    with in_front("nginx", nginx, port) as in_front_port, started(command, port, folder, **surroundings) as app:
        yield Office(app, in_front_port, metrics_port, folder / "work.log")


def test_a_person_signs_on_and_reads_a_verdict(office, chromium, settle):
    context = chromium.new_context(
        http_credentials={"username": USER, "password": PASSWORD}, ignore_https_errors=True, locale="en-GB"
    )
    context.set_default_timeout(180_000)
    auditor = Auditor(context.new_page(), f"https://{NAME}:{office.port}/audit", settle)
    auditor.open_sample("berkeley_1973")
    expect(auditor.said).to_contain_text("45%")
    with auditor.page.expect_download() as taken:
        auditor.sidebar.get_by_role("button", name="Save this audit", exact=True).click()
    # Chromium itself keeps no file of a server whose certificate nobody has signed.
    assert "Women" in auditor.page.evaluate("url => fetch(url).then(answer => answer.text())", taken.value.url)
    auditor.go("Data")
    auditor.upload_csv("brought", "secret_column,answer\nsecret_value,yes\nother,no\n")
    kept = context.cookies()
    assert kept and all(cookie["secure"] and cookie["httpOnly"] for cookie in kept if "fairaudit" in cookie["name"])
    seen = office.numbers()
    assert seen["fairaudit_sessions"] == 1 and seen["fairaudit_jobs_running"] == seen["fairaudit_jobs_waiting"] == 0
    assert seen['fairaudit_work_seconds_count{work="table"}'] == 2
    assert seen['fairaudit_work_seconds_count{work="check"}'] >= 1
    assert 0 < seen["fairaudit_memory_bytes"] < seen["fairaudit_memory_limit_bytes"]
    context.close()
    assert {line["person"] for line in office.lines} == {USER}
    assert next(line["ending"] for line in office.lines if line["work"] == "visit") == "begun"
    assert {"visit", "table", "check", "download"} == {line["work"] for line in office.lines}


def test_the_log_says_nothing_of_the_data_and_nobody_else_reads_it(office):
    lines = office.lines
    assert lines and all(set(line) == {"time", "person", "work", "seconds", "ending"} for line in lines)
    text = office.log.read_text(encoding="utf-8")
    assert not [name for name in OF_THE_SAMPLE if name in text]
    assert stat.S_IMODE(os.stat(office.log).st_mode) == 0o600
    assert "Traceback" not in (office.app.folder / "log").read_text(encoding="utf-8")


def test_who_does_not_come_through_nginx_is_not_believed(office):
    forged = {"host": NAME, "x_forwarded_user": "root", "x_fairaudit_person": "root"}
    # The visit of the test before may still be ending, so its last line is not counted.
    before = office.n_visits
    for secret in ({}, {"x_fairaudit_proxy": "0" * 32}):
        assert office.app.ask("/audit/", **forged, **secret)[0] == 403
        assert office.app.shake_hands("/audit/_stcore/stream", **forged, **secret) == 403
    assert office.app.ask("/audit/", host="evil.example", x_fairaudit_proxy=SECRET)[0] == 400
    assert office.n_visits == before
    claims = {"X-Forwarded-User": "root", "X-Fairaudit-Person": "root", "X-Fairaudit-Proxy": SECRET}
    assert office.ask_in_front("/audit/_stcore/stream", **HANDS, **claims)[0] == 101
    assert {line["person"] for line in office.lines} == {USER} and office.n_visits > before


def test_cookies_go_through_encryption_alone(office):
    status, cookies = office.ask_in_front("/audit/")
    assert status == 200
    assert any(cookie.startswith("fairaudit_browser=") and cookie.endswith("; Secure") for cookie in cookies)


def test_health_is_said_to_everybody_and_nothing_else_is(office):
    for path in ("/health", "/audit/health"):
        assert office.app.ask(path, host="anybody.example")[::2] == (200, "ok\n")
    assert office.app.ask("/audit/_stcore/health", host=NAME)[0] == 403
    assert office.app.ask("/other/health", host=NAME)[0] == 403
    assert office.ask_in_front("/audit/health")[0] == 200
