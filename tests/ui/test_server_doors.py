"""Strangers stay outside: other names and pages are refused, other machines need the token, nothing is framed."""

from __future__ import annotations

import asyncio
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from places import ROOT
from serving import Served, free_port, served, started
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from fairaudit.settings import PROXY_SECRET, TOKEN
from ui.runtime import doors
from ui.runtime.doors import Doors, is_open_to_others
from ui.runtime.server import welcome

HERE, ELSEWHERE = "127.0.0.1", "192.0.2.7"
REBOUND = {"host": "evil.example:8501", "origin": "http://evil.example:8501"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("served")) as started:
        yield started


def asked(path: str = "/", *, kind: str = "http", at: str = HERE, query: str = "", **headers: str):
    """Return the status, headers and the scope that came through the doors (None: refused) of one request."""
    sent, passed = [], []

    async def app(scope, receive, send):
        passed.append(scope)
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
            await send({"type": "http.response.body", "body": b"page"})

    async def send(message):
        sent.append(message)

    given = {"host": "localhost:8501" if at == HERE else f"{at}:8501"} | headers
    scope = {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "query_string": query.encode(),
        "server": (at, 8501),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    # In a thread of its own: the browser of other tests keeps a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(Doors(app)(scope, None, send))).result()
    first = sent[0] if sent else {}
    found = {name.decode(): value.decode() for name, value in first.get("headers", [])}
    return first.get("status"), found, passed[0] if passed else None


@pytest.mark.parametrize(
    "headers",
    [
        REBOUND,
        {"host": "evil.example:8501"},
        {"host": ""},
        {"host": "localhost.evil.example:8501"},
        {"host": "[::1"},
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:9999"},
        {"origin": "https://share.streamlit.io"},
        {"origin": "null"},
    ],
)
def test_other_names_and_other_pages_are_refused(headers):
    for kind in ("http", "websocket"):
        assert asked(kind=kind, **headers)[2] is None


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://localhost:8501"},
        {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501"},
        {"host": "[::1]:8501"},
        {"host": "LOCALHOST.:8501"},
    ],
)
def test_own_names_and_own_pages_come_in(headers):
    for kind in ("http", "websocket"):
        assert asked(kind=kind, **headers)[2] is not None


def test_names_and_pages_that_were_allowed_come_in(monkeypatch):
    allowed = {"server.allowedHosts": ["*.office.example"], "server.corsAllowedOrigins": ["https://portal.example"]}
    monkeypatch.setattr(doors.config, "get_option", lambda name: allowed[name])
    assert asked(host="audit.office.example")[2] is not None
    assert asked(host="audit.office.example", origin="https://portal.example")[2] is not None
    assert asked(host="audit.other.example")[2] is None
    assert asked(host="audit.office.example", origin="https://other.example")[2] is None
    assert asked(host="audit.office.example", at=ELSEWHERE)[0] == 403


def test_streamlit_is_never_led_to_ask_outside_for_the_address_of_this_machine(monkeypatch):
    monkeypatch.setattr("streamlit.net_util.get_external_ip", lambda: pytest.fail("asked outside"))
    monkeypatch.setattr("streamlit.net_util.get_internal_ip", lambda: pytest.fail("asked outside"))
    allowed = {"server.allowedHosts": [], "server.corsAllowedOrigins": ["https://portal.example"]}
    with monkeypatch.context() as patched:
        patched.setattr(doors.config, "get_option", lambda name: allowed[name])
        _, _, scope = asked(kind="websocket", origin="https://portal.example")
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    assert _is_origin_allowed(headers["origin"], headers["host"])
    assert config.get_option("logger.hideWelcomeMessage")


def test_other_machines_need_the_token_once(monkeypatch):
    monkeypatch.setenv(TOKEN.variable, "a token")
    for kind in ("http", "websocket"):
        assert asked(kind=kind, at=ELSEWHERE)[2] is None
        assert asked(kind=kind, at=ELSEWHERE, cookie="fairaudit_token=other")[2] is None
        assert asked(kind=kind, at=ELSEWHERE, cookie="fairaudit_token=a token")[2] is None
    assert asked(at=ELSEWHERE, query="token=other")[0] == 403
    status, headers, passed = asked("/Data", at=ELSEWHERE, query="token=a%20token&x=1")
    assert (status, passed, headers["location"]) == (303, None, "/Data?x=1")
    assert "HttpOnly; SameSite=Lax" in headers["set-cookie"] and headers["referrer-policy"] == "no-referrer"
    assert asked(kind="websocket", at=ELSEWHERE, query="token=a%20token")[2] is None


def test_cookies_of_other_programs_do_not_hide_the_own_one(monkeypatch):
    monkeypatch.setenv(TOKEN.variable, "token")
    own = asked("/", at=ELSEWHERE, query="token=token")[1]["set-cookie"].partition(";")[0]
    for other in ('prefs={"x":1}', "a b=c", "=;", 'x="unclosed'):
        assert asked("/", at=ELSEWHERE, cookie=f"{other}; {own}; {other}")[2] is not None


@pytest.mark.parametrize("token", ["a+b/c==", "a&b", "a#b", "a%20b", "a b", "a;b,c", '"a"', "é"])
def test_an_address_with_the_token_lets_in_whatever_the_token_is(monkeypatch, token):
    monkeypatch.setenv(TOKEN.variable, token)
    status, headers, _ = asked("/", at=ELSEWHERE, query=f"token={quote(token, safe='')}")
    assert status == 303
    cookie = headers["set-cookie"].partition(";")[0]
    assert token not in cookie
    for kind in ("http", "websocket"):
        assert asked(kind=kind, at=ELSEWHERE, cookie=cookie)[2] is not None


def test_token_with_a_plus_sign_may_be_typed_as_it_is(monkeypatch):
    monkeypatch.setenv(TOKEN.variable, "a+b/c==")
    assert asked("/", at=ELSEWHERE, query="token=a+b/c==")[0] == 303


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\t/evil.example", "/\\evil.example", "/\t\t//evil.example", "\t//x"]
)
def test_address_with_the_token_leads_to_this_server_alone(monkeypatch, path):
    monkeypatch.setenv(TOKEN.variable, "token")
    location = asked(path, at=ELSEWHERE, query="token=token")[1]["location"]
    # Browsers drop tabs and line ends, and read a backslash as a slash.
    seen = location.translate({ord(sign): None for sign in "\t\r\n"}).replace("\\", "/")
    assert seen.startswith("/") and not seen.startswith("//")


def test_administrator_with_a_server_in_front_may_do_without_a_token(monkeypatch):
    monkeypatch.setenv(TOKEN.variable, "")
    monkeypatch.setattr(doors.config, "get_option", lambda name: {"server.allowedHosts": [ELSEWHERE]}.get(name, []))
    assert asked(at=ELSEWHERE)[2] is not None
    assert asked(at=ELSEWHERE, **REBOUND)[2] is None


def test_every_start_makes_a_token_of_its_own_and_says_it_where_others_can_come(monkeypatch):
    monkeypatch.delenv(TOKEN.variable, raising=False)
    options = {"server.address": "0.0.0.0", "server.port": 8501, "server.sslCertFile": None, "server.baseUrlPath": ""}
    monkeypatch.setattr(config, "get_option", options.__getitem__)
    assert len(doors.own_token()) == 32
    assert f"?token={doors.own_token()}" in welcome()
    monkeypatch.setenv(TOKEN.variable, "the-token-of-the-office")
    assert "?token=TOKEN" in welcome() and "the-token" not in welcome()
    monkeypatch.setenv(PROXY_SECRET.variable, "a secret of the server in front")
    assert "token" not in welcome()
    monkeypatch.delenv(PROXY_SECRET.variable)
    options["server.address"] = "localhost"
    assert "token" not in welcome()


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.0.2.7", "audit.example", "2001:db8::1"])
def test_addresses_that_others_can_reach(address):
    assert is_open_to_others(address)


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_addresses_that_only_this_machine_can_reach(address):
    assert not is_open_to_others(address)


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/_stcore/metrics/",
        "/_stcore/agent/mcp",
        "/_stcore/agent/openapi.json",
        "/base/_stcore/agent/openapi.json",
    ],
)
def test_what_nobody_here_needs_is_closed(path):
    assert asked(path)[0] == 404


def test_real_server_refuses_strangers(server: Served):
    here = f"localhost:{server.port}"
    assert server.shake_hands() == 101
    assert server.shake_hands(origin=f"http://{here}") == 101
    assert server.shake_hands(**REBOUND) == 403
    assert server.shake_hands(origin="http://localhost:1") == 403
    assert server.shake_hands(origin="http://evil.example") == 403
    assert server.ask("/", host="evil.example")[0] == 400
    assert server.ask("/_stcore/metrics")[0] == server.ask("/_stcore/agent/openapi.json")[0] == 404
    status, headers, _ = server.ask("/")
    assert status == 200 and headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "http" not in server.ask("/_stcore/host-config")[2]


def test_other_machines_are_asked_for_the_token_by_the_real_server(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        # No packet is sent: this looks which address of this machine leads there.
        way.connect(("192.0.2.1", 9))
        own = way.getsockname()[0]
    if own.startswith("127."):
        pytest.skip("This machine has no address that others could reach")
    with served(tmp_path, address="0.0.0.0") as open_server:
        log = (tmp_path / "log").read_text(encoding="utf-8")
        token = log.partition("?token=")[2].split()[0]
        assert open_server.ask("/", at=own)[0] == 403
        status, headers, _ = open_server.ask(f"/?token={token}", at=own)
        assert status == 303
        cookie = headers["set-cookie"].partition(";")[0]
        assert open_server.ask("/", at=own, cookie=cookie)[0] == 200
        assert open_server.ask("/")[0] == 200


def test_command_serve_heeds_the_variables_that_the_manual_names(tmp_path):
    port, name = free_port(), "audit.example.org"
    command = [sys.executable, "-m", "fairaudit", "serve", "--port", str(port), "--headless"]
    surroundings = {"FAIRAUDIT_ALLOWED_HOSTS": f"{name}, *.office.example", "PYTHONPATH": str(ROOT)}
    with started(command, port, tmp_path, **surroundings) as server:
        assert server.ask("/", host=name)[0] == server.ask("/", host="one.office.example")[0] == 200
        assert server.shake_hands(host=name, origin=f"https://{name}") == 101
        assert server.ask("/", host="evil.example")[0] == 400
