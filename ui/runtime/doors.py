"""Who may come in, whose sessions, uploads and downloads are whose, and uploads that there is no room for."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_websocket import gather_user_info

from fairaudit.errors import LimitError
from fairaudit.settings import ALLOWED_HOSTS, PROXY_SECRET, TOKEN, USER_HEADER
from ui.runtime import activity
from ui.runtime.activity import PERSON, person_here
from ui.runtime.held_sessions import known_as
from ui.runtime.memory import COPIES, ask_for, spent
from ui.text import show_error

# Who may come in: requests to this server by its own name, from its own pages, and from elsewhere with a token.

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "fairaudit_token"
OWN_NAMES = ("localhost", "127.0.0.1", "::1")
CLOSED = ("/_stcore/metrics", "/_stcore/agent/")
"""What Streamlit serves and nobody here needs: figures about all sessions, and a way in for programs."""

PROXY = "x-fairaudit-proxy"
"""In this header the server in front sends the secret that both have."""

HEALTH = "health"
"""The path at which the server says to anybody that it is up, and nothing else."""

# Charts are drawn by functions that are made of text; styles of elements are written as the page is drawn.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' blob:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "frame-src": "'none'",
    "frame-ancestors": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

NOT_THIS_NAME = "This server does not go by that name. Whoever runs it can allow one with allowed-hosts.\n"
NOT_IN_FRONT = "Ask the server in front of this one: it alone is answered.\n"
NOT_THIS_PAGE = "Only pages of this server may ask it.\n"
NO_TOKEN = "Open the address with the token that the server printed when it started: ADDRESS/?token=TOKEN\n"  # noqa: S105


def own_token() -> str:
    """Return the token that people from other machines need; empty where none is asked for."""
    said = TOKEN.text
    return _MADE if said is None else said


_MADE = secrets.token_urlsafe(24)


def is_open_to_others(address: str | None) -> bool:
    """Whether a server at this address listens to more than this machine."""
    return not (address and _is_this_machine(address))


def _is_this_machine(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address == "localhost"
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


@dataclass(frozen=True)
class AskedTable:
    """What a request says of itself."""

    scope: Scope
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in self.scope["headers"]}
        object.__setattr__(self, "headers", headers)

    @property
    def host(self) -> str:
        """Name and port that the browser believes it is talking to."""
        return self.headers.get("host", "")

    @property
    def path(self) -> str:
        """The path that is asked for."""
        return self.scope["path"]

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether the connection came to an address that other machines can reach."""
        server = self.scope.get("server")
        return server is None or not _is_this_machine(server[0])

    @property
    def has_known_name(self) -> bool:
        """Whether the name is one of this server.

        Any page of the internet can let a name of its own lead here, and would then count as a page of this server.
        From elsewhere no page can do so, as it does not know the token.
        """
        try:
            name = (urlsplit(f"//{self.host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        asked = ALLOWED_HOSTS.value or config.get_option("server.allowedHosts")
        allowed = [host.strip().lower().rstrip(".") for host in asked]
        if not allowed and self.is_from_elsewhere and own_token():
            return bool(name)
        return name in OWN_NAMES or any(
            name == host or host == "*" or (host.startswith("*.") and name.endswith(host[1:])) for host in allowed
        )

    @property
    def has_known_origin(self) -> bool:
        """Whether the page that asks is one of this server, or of one that was allowed by name; programs name none."""
        origin = self.headers.get("origin")
        if origin is None:
            return True
        return urlsplit(origin).netloc.lower() == self.host.lower() or origin in {
            allowed.strip() for allowed in config.get_option("server.corsAllowedOrigins")
        }

    @property
    def is_through_proxy(self) -> bool:
        """Whether the server in front has sent this, which alone knows its secret."""
        secret = PROXY_SECRET.value
        return secret is not None and _is_same(self.headers.get(PROXY, ""), secret)

    @property
    def person(self) -> str:
        """Who is signed on, as the server in front says; empty where it says nobody, or several."""
        name = USER_HEADER.value
        if name is None or not self.is_through_proxy:
            return ""
        found = [value for header, value in self.scope["headers"] if header.lower() == name.encode()]
        return found[0].decode("utf-8", "replace").strip() if len(found) == 1 else ""

    @property
    def asks_for_health(self) -> bool:
        """Whether it is asked if the server is up."""
        before, _, last = self.path.rpartition("/")
        return self.scope["type"] == "http" and last == HEALTH and before.strip("/") in ("", base_path())

    @property
    def query(self) -> list[tuple[str, str]]:
        """The parts of the address after the question mark."""
        return parse_qsl(self.scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)

    @property
    def gives_token(self) -> bool:
        """Whether the token stands in the address, also where somebody typed it there with its plus signs."""
        given = [value for name, value in self.query if name == "token"]
        return any(_is_same(value.replace(" ", plus), own_token()) for value in given for plus in (" ", "+"))

    @property
    def cookies(self) -> dict[str, str]:
        """What the browser has kept for this server."""
        # Python's own reader drops all of them where another program of this machine has left one that it cannot read.
        return cookie_parser(self.headers.get("cookie", ""))

    @property
    def has_token(self) -> bool:
        """Whether the browser has brought the token before."""
        return _is_same(self.cookies.get(COOKIE, ""), _kept_as(own_token()))


def _kept_as(token: str) -> str:
    """Return what a browser keeps in place of the token: it has no sign that cookies do not take."""
    return hashlib.sha256(token.encode()).hexdigest()


def _is_same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


class Doors:
    """Let in who may come to the ASGI `app`, and say in each answer what a page of this server may do."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked = AskedTable(scope)
        if asked.asks_for_health:
            is_up, said = await Runtime.instance().is_ready_for_browser_connection
            await _answer(scope, send, 200 if is_up else 503, f"{said}\n", {})
            return
        refusal = self._refusal(asked)
        scope = _as_proxy_says(scope, asked)
        if refusal is not None:
            await _answer(scope, send, *refusal)
        elif scope["type"] == "websocket":
            with activity.visiting(asked.person):
                await self._app(_as_own_page(scope, asked), receive, send)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, asked: AskedTable) -> tuple[int, str, dict[str, str]] | None:
        """Return the answer in place of what was asked for; None where it may be had."""
        if PROXY_SECRET.value is not None and not asked.is_through_proxy:
            return 403, NOT_IN_FRONT, {}
        if not asked.has_known_name:
            return 400, NOT_THIS_NAME, {}
        if not asked.has_known_origin:
            return 403, NOT_THIS_PAGE, {}
        if any(closed in asked.path for closed in CLOSED):
            return 404, "Not found.\n", {}
        if not (asked.is_from_elsewhere and own_token()) or asked.has_token or asked.is_through_proxy:
            return None
        if asked.scope["type"] == "http" and asked.gives_token:
            rest = urlencode([(name, value) for name, value in asked.query if name != "token"])
            secure = "; Secure" if asked.scope.get("scheme") == "https" else ""
            return (
                303,
                "",
                {
                    # A path that begins with two slashes would lead to another server; browsers drop tabs first.
                    "location": "/" + quote(asked.path.lstrip("/")) + (f"?{rest}" if rest else ""),
                    "set-cookie": f"{COOKIE}={_kept_as(own_token())}; Path=/; HttpOnly; SameSite=Lax{secure}",
                },
            )
        return 403, NO_TOKEN, {}


def base_path() -> str:
    """Return the path that the app is below, without slashes around it."""
    return str(config.get_option("server.baseUrlPath") or "").strip("/")


def _as_proxy_says(scope: Scope, asked: AskedTable) -> Scope:
    """Return the scope with what the server in front alone can say: who is signed on, and whether all is encrypted."""
    rest = [(name, value) for name, value in scope["headers"] if name.lower() not in (PROXY.encode(), PERSON.encode())]
    if not asked.is_through_proxy:
        return {**scope, "headers": rest}
    is_encrypted = asked.headers.get("x-forwarded-proto") == "https"
    schemes = ("http", "https") if scope["type"] == "http" else ("ws", "wss")
    # Streamlit reads headers as signs of one byte each.
    said = quote(asked.person, safe="").encode()
    return {**scope, "scheme": schemes[is_encrypted], "headers": [*rest, (PERSON.encode(), said)]}


def _as_own_page(scope: Scope, asked: AskedTable) -> Scope:
    """Return the scope with the server's own page as its origin, which has been looked at.

    Of any other, Streamlit would ask a machine on the internet for its own address there, to compare the two.
    """
    if "origin" not in asked.headers:
        return scope
    rest = [(name, value) for name, value in scope["headers"] if name.lower() != b"origin"]
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    return {**scope, "headers": [*rest, (b"origin", f"{scheme}://{asked.host}".encode("latin-1"))]}


def _with_headers(send: Send) -> Send:
    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.decode("latin-1").lower() for name, _ in message.get("headers", [])}
            added = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return add


async def _answer(scope: Scope, send: Send, status: int, text: str, headers: dict[str, str]) -> None:
    if scope["type"] == "websocket":
        # Before a connection is accepted, this is answered with the status 403.
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    said = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store", **headers}
    send = _with_headers(send)
    start = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in said.items()]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": text.encode()})


# A secret for each browser: its sessions, uploads and downloads answer to it alone, and it finds its audit again.
#
# The number of a session stands in addresses, and so in the logs of servers in front: by itself it opens nothing.

BROWSER_COOKIE = "fairaudit_browser"
HEADER = "x-fairaudit-browser"
"""Names for Streamlit whose a request is; what a browser sends under this name itself is dropped."""

_SECRET = re.compile(r"[\w-]{43}", re.ASCII)
_UPLOADS = "_stcore/upload_file/"
_DOWNLOADS = "media/"


def browser_secret(cookies: Mapping[str, str]) -> str:
    """Return the secret that a browser has brought; empty where it has none of the kind that is made here."""
    found = cookies.get(BROWSER_COOKIE)
    # Where a page is drawn without a browser, there are no cookies that are texts.
    return found if isinstance(found, str) and _SECRET.fullmatch(found) else ""


def browser_here() -> str:
    """Return the secret of the browser that a page is drawn for, with who is signed on there; empty without a secret.

    Whoever signs on after another person in the same browser finds nothing of theirs.
    """
    return _of_person(browser_secret(st.context.cookies), person_here())


def _of_person(secret: str, person: str) -> str:
    return f"{secret} {person}" if secret and person else secret


class Browsers:
    """Give each browser a secret with its first page, and keep its sessions, uploads and downloads from all others.

    Scripts cannot read the secret, it is sent to this server only, and the browser forgets it when it is closed.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] in ("http", "websocket"):
            asked = AskedTable(scope)
            secret = browser_secret(asked.cookies)
            person = unquote(asked.headers.get(PERSON, ""))
            scope = _named(scope, _of_person(secret, person))
            if scope["type"] == "http":
                if not _is_own(scope):
                    await PlainTextResponse("Not found.\n", 404)(scope, receive, send)
                    return
                # Files that a page needs are asked for all at once, and would each bring another one.
                if "text/html" in asked.headers.get("accept", "") and not secret:
                    send = _with_secret(scope, send)
                if _below_base(scope).startswith(_DOWNLOADS):
                    send = _noted_download(send, person)
        await self._app(scope, receive, send)


def bind_sessions(runtime: Runtime) -> None:
    """Let Streamlit give a session only to the browser that began it, and note whose the files are that it offers."""
    trusted = config.get_option("server.trustedUserHeaders")
    # Streamlit compares what these headers say before it goes on with a session.
    own = {HEADER: HEADER, PERSON: PERSON}
    config.set_option("server.trustedUserHeaders", {**(trusted if isinstance(trusted, dict) else {}), **own})
    files = runtime.media_file_mgr
    add, add_deferred, execute_deferred = files.add, files.add_deferred, files.execute_deferred

    def noted(address: str) -> str:
        for file in list(_OWNERS):
            if file not in files._file_metadata and file not in files._deferred_callables:
                _OWNERS.pop(file, None)
        context = get_script_run_ctx()
        if context is not None:
            _OWNERS.setdefault(_file_of(address), set()).add(context.user_info.get(HEADER))
        return address

    def executed(file_id: str) -> str:
        # A file that is made as its button is pressed is of those to whom the button was shown, also where the page was
        # drawn anew meanwhile.
        owners = _OWNERS.get(file_id, set())
        made_for = files._deferred_callables.get(file_id)
        address = execute_deferred(file_id)
        # It is on no page, so the ends of any two runs of any sessions would drop it before its browser asks for it.
        with files._lock:
            used = files._files_by_session_and_coord
            if made_for is not None and made_for["session_id"] in used:
                used[made_for["session_id"]][f"made by {made_for['coordinates']}"] = _file_of(address)
        _OWNERS.setdefault(_file_of(address), set()).update(owners)
        return address

    # Streamlit has no other place that says something of a file.
    files.add = lambda *given, **named: noted(add(*given, **named))  # type: ignore[method-assign]
    files.add_deferred = lambda *given, **named: noted(add_deferred(*given, **named))  # type: ignore[method-assign]
    files.execute_deferred = executed  # type: ignore[method-assign]


_OWNERS: dict[str, set[object]] = {}
"""By file: the browsers that it was offered to."""


def _is_own(scope: Scope) -> bool:
    """Whether an upload or a download is of the browser that asks for it; other addresses are everybody's."""
    path = _below_base(scope)
    if path.startswith(_UPLOADS):
        info = Runtime.instance()._session_mgr.get_session_info(path.removeprefix(_UPLOADS).partition("/")[0])
        asks: dict[str, str | bool | dict[str, str] | None] = {**gather_user_info(Headers(scope=scope))}
        return info is not None and info.session.matches_user_info(asks)
    if path.startswith(_DOWNLOADS):
        return Headers(scope=scope)[HEADER] in _OWNERS.get(_file_of(path), ())
    return True


def _below_base(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(f"/{base_path()}").lstrip("/")


def _noted_download(send: Send, person: str) -> Send:
    """Note a file that is taken away; pictures of a page come from the same place, and are no such file."""

    async def look(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = {name.decode("latin-1").lower(): value for name, value in message.get("headers", [])}
            if headers.get("content-disposition", b"").startswith(b"attachment"):
                activity.note("download", person, 0)
        await send(message)

    return look


def _file_of(address: str) -> str:
    return address.rpartition("/")[2].partition(".")[0]


def _named(scope: Scope, secret: str) -> Scope:
    """Return the scope with the name of its browser; without a secret it is another one with each request."""
    name = known_as(secret or secrets.token_urlsafe(32)).hex()
    rest = [(header, value) for header, value in scope["headers"] if header.lower() != HEADER.encode()]
    return {**scope, "headers": [*rest, (HEADER.encode(), name.encode())]}


def _with_secret(scope: Scope, send: Send) -> Send:
    secure = "; Secure" if scope.get("scheme") == "https" or config.get_option("server.sslCertFile") else ""
    cookie = f"{BROWSER_COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), (b"set-cookie", cookie.encode())]}
        await send(message)

    return add


# Where there is not enough memory: an upload is not taken, and a page that runs out says so.


class UploadRoom:
    """Refuse uploads that would take more memory than is left, before they are sent."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] == "http" and scope["method"] == "PUT":
            said = Headers(scope=scope).get("content-length", "")
            try:
                ask_for(COPIES * int(said) if said.isascii() and said.isdigit() else 0, "This upload")
            except LimitError as error:
                await PlainTextResponse(f"{error}\n", 507)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def show_spent(error: Exception) -> bool:
    """Show a sentence where a page ran out of memory, and return whether it did."""
    if isinstance(error, MemoryError):
        error = spent("This page")
    if not isinstance(error, LimitError):
        return False
    show_error(error)
    return True
