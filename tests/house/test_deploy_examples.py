"""The examples for an office: a service of systemd, and nginx or Caddy in front of the app."""

from __future__ import annotations

import base64
import http.client
import http.server
import json
import os
import re
import ssl
import subprocess
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT
from proxies import COMMANDS, DEPLOY, NAME, PASSWORD, SECRET, USER, in_front, program, written_anew

from fairaudit import settings
from fairaudit.version import __version__

KINDS = ["nginx", pytest.param("caddy", marks=pytest.mark.thorough)]
EXAMPLES = {"nginx": "nginx.conf", "caddy": "Caddyfile"}
SERVICE = (DEPLOY / "fairaudit.service").read_text(encoding="utf-8")
SET = tomllib.loads((DEPLOY / "serve.toml").read_text(encoding="utf-8"))
SIGNED_ON = {"Authorization": "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()}

BEGUN = threading.Event()
"""Set when the echo has read the first part of an upload."""


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what it was asked; a WebSocket is agreed to."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.end_headers()
            self.close_connection = True
            return
        wanted, length = int(self.headers.get("Content-Length", 0)), 0
        while length < wanted:
            length += len(self.rfile.read(min(1000, wanted - length)))
            BEGUN.set()
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = json.dumps({"path": self.path, "length": length, "headers": headers}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_PUT = do_GET

    def log_message(self, *_):
        pass


@contextmanager
def echoing() -> Iterator[int]:
    """Serve the echo while the ``with`` lasts; yields its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module", params=KINDS)
def proxy(request, tmp_path_factory):
    """The port of a server in front of the echo."""
    with echoing() as app_port, in_front(request.param, tmp_path_factory.mktemp(request.param), app_port) as port:
        yield port


def asked(port: int, path: str, method: str = "GET", body: Iterator[bytes] | None = None, **headers: str):
    """Return status, headers and text of an answer."""
    trusted = ssl.create_default_context()
    trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=trusted)
    try:
        sent = {"Host": f"{NAME}:{port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), "" if answer.status == 101 else answer.read().decode()
    finally:
        connection.close()


def test_the_app_reads_who_signed_on_and_nothing_that_the_browser_claims(proxy):
    claims = {
        "X_Fairaudit_Proxy": "guessed",
        "X_Forwarded_User": "root",
        "X_Forwarded_For": "192.0.2.1",
        "Forwarded": "for=192.0.2.1",
    }
    claims |= {"X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "http"}
    status, _, text = asked(proxy, "/audit/Check?a=b", **claims, **SIGNED_ON)
    assert status == 200
    heard = json.loads(text)
    assert heard["path"] == "/audit/Check?a=b"
    assert heard["headers"]["x-forwarded-user"] == USER
    assert heard["headers"]["x-fairaudit-proxy"] == SECRET
    assert heard["headers"]["host"] == f"{NAME}:{proxy}"
    assert heard["headers"]["x-forwarded-proto"] == "https" and heard["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert "authorization" not in heard["headers"] and not {"root", "evil.example"} & set(heard["headers"].values())
    assert not any("192.0.2.1" in value for value in heard["headers"].values())


def test_nobody_comes_in_without_a_password(proxy):
    wrong = {"Authorization": "Basic " + base64.b64encode(f"{USER}:wrong".encode()).decode()}
    assert asked(proxy, "/audit/")[0] == asked(proxy, "/audit/", **wrong)[0] == 401
    assert asked(proxy, "/audit/", X_Forwarded_User=USER)[0] == 401


def test_only_the_sub_path_is_the_app(proxy):
    status, headers, _ = asked(proxy, "/audit", **SIGNED_ON)
    assert status == 308 and headers["Location"] == "/audit/"
    assert asked(proxy, "/", **SIGNED_ON)[0] == asked(proxy, "/auditor/", **SIGNED_ON)[0] == 404


def test_a_websocket_comes_through(proxy):
    hands = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    assert asked(proxy, "/audit/_stcore/stream", **hands, **key, **SIGNED_ON)[0] == 101
    assert asked(proxy, "/audit/_stcore/stream", **hands, **key)[0] == 401


def test_an_upload_is_handed_on_while_it_comes_in_so_that_no_disk_holds_it(proxy):
    def body():
        BEGUN.clear()
        yield b"x" * 2_000_000
        assert BEGUN.wait(20), "the app has seen nothing of an upload of which 2 MB were sent"
        yield b"x" * 1_000_000

    place, length = "/audit/_stcore/upload_file/a/b", {"Content-Length": "3000000"}
    status, _, text = asked(proxy, place, "PUT", body(), **length, **SIGNED_ON)
    assert status == 200 and json.loads(text)["length"] == 3_000_000


def test_the_limits_of_an_upload_are_those_of_the_app():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    most = settings["server"]["maxUploadSize"]
    said = {"nginx": f"client_max_body_size     {most}m;", "caddy": f"max_size {most}MB"}
    for kind, words in said.items():
        assert words in (DEPLOY / EXAMPLES[kind]).read_text(encoding="utf-8"), kind


def test_the_app_is_set_to_what_the_servers_in_front_ask_for(monkeypatch):
    monkeypatch.setattr(os, "environ", {"FAIRAUDIT_PROXY_SECRET": SECRET})
    settings.take({"config": str(DEPLOY / "serve.toml")})
    assert settings.HEADLESS.value and settings.ALLOWED_HOSTS.value == (NAME,)
    for name in EXAMPLES.values():
        text = (DEPLOY / name).read_text(encoding="utf-8")
        asked = (
            NAME,
            f"{settings.ADDRESS.value}:{settings.PORT.value}",
            f"/{settings.BASE_PATH.value}/",
            SET["user-header"],
        )
        assert all(each in text for each in asked), name


def test_nginx_and_caddy_take_their_examples(tmp_path):
    for kind, check in (("nginx", "-t"), ("caddy", "validate")):
        folder = tmp_path / kind
        folder.mkdir()
        command = COMMANDS[kind](folder, 8443, 8501)
        command = [*command, check] if kind == "nginx" else [word if word != "run" else check for word in command]
        done = subprocess.run(command, capture_output=True, text=True, env={"HOME": str(folder)}, check=False)
        assert done.returncode == 0, done.stderr


def test_the_manual_of_administrators_copies_what_a_wheelhouse_holds():
    manual = (ROOT / "docs" / "administration.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    held = set(re.findall(r"deploy/([\w.]+)", re.search(r"^\t@cp \$\(DIST\).*$", makefile, re.MULTILINE)[0]))
    copied = re.findall(r"^(?:cp|install -m \d+) ([a-zN]\S+) ", manual, re.MULTILINE)
    assert set(copied) | {"Caddyfile"} == held and all((DEPLOY / name).is_file() for name in held)
    assert f"/opt/fairaudit/{__version__} " in manual


def service_for(folder: Path) -> str:
    """Write the service with a program that is there, and return its path."""
    unit = folder / "fairaudit.service"
    there = written_anew(SERVICE, {"/opt/fairaudit/current/bin/fairaudit": program("true")})
    unit.write_text(there, encoding="utf-8")
    return str(unit)


def test_systemd_takes_the_service(tmp_path):
    command = [program("systemd-analyze"), "verify", "--man=no", service_for(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "fairaudit.service" not in done.stderr, done.stderr


def test_the_service_may_do_little(tmp_path):
    # Of 10, where 10 is everything; a service with none of these settings has 9.6.
    analyze = [program("systemd-analyze"), "security", "--offline=yes", "--threshold=15", service_for(tmp_path)]
    done = subprocess.run(analyze, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_limit_of_the_app_lies_below_that_of_the_system():
    most = int(re.search(r"^MemoryMax=(\d+)G$", SERVICE, re.MULTILINE)[1]) * 2**30
    assert settings.MEMORY.value_of(SET["memory"], "memory") < most
    assert "OOMPolicy=continue" in SERVICE, "or a fit that the system ends takes the server with it"
