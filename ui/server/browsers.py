"""A secret for each browser: its sessions, uploads and downloads answer to it alone, and it finds its audit again.

The number of a session stands in addresses, and so in the logs of servers in front: by itself it opens nothing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_websocket import gather_user_info

from ui.held import known_as
from ui.server.doors import App, Asked, Message, Receive, Scope, Send

COOKIE = "fairaudit_browser"
HEADER = "x-fairaudit-browser"
"""Names for Streamlit whose a request is; what a browser sends under this name itself is dropped."""

_MADE = re.compile(r"[\w-]{43}", re.ASCII)
_UPLOADS = "_stcore/upload_file/"
_DOWNLOADS = "media/"


def browser_secret(cookies: Mapping[str, str]) -> str:
    """Return the secret that a browser has brought; empty where it has none of the kind that is made here."""
    found = cookies.get(COOKIE)
    # Where a page is drawn without a browser, there are no cookies that are texts.
    return found if isinstance(found, str) and _MADE.fullmatch(found) else ""


class Browsers:
    """Give each browser a secret with its first page, and keep its sessions, uploads and downloads from all others.

    Scripts cannot read the secret, it is sent to this server only, and the browser forgets it when it is closed.

    Parameters
    ----------
    app : callable
        The ASGI application behind.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] in ("http", "websocket"):
            asked = Asked(scope)
            secret = browser_secret(asked.cookies)
            scope = _named(scope, secret)
            if scope["type"] == "http":
                if not _is_own(scope):
                    await PlainTextResponse("Not found.\n", 404)(scope, receive, send)
                    return
                # Files that a page needs are asked for all at once, and would each bring another one.
                if "text/html" in asked.headers.get("accept", "") and not secret:
                    send = _with_secret(scope, send)
        await self._app(scope, receive, send)


def bind_sessions(runtime: Runtime) -> None:
    """Let Streamlit give a session only to the browser that began it, and note whose the files are that it offers."""
    trusted = config.get_option("server.trustedUserHeaders")
    # Streamlit compares what these headers say before it goes on with a session.
    config.set_option("server.trustedUserHeaders", {**(trusted if isinstance(trusted, dict) else {}), HEADER: HEADER})
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

    def executed(file: str) -> str:
        # A file that is made as its button is pressed is of those to whom the button was shown, also where the page was
        # drawn anew meanwhile.
        owners = _OWNERS.get(file, set())
        made_for = files._deferred_callables.get(file)
        address = execute_deferred(file)
        # It is on no page, so the ends of any two runs of any sessions would drop it before its browser asks for it.
        with files._lock:
            used = files._files_by_session_and_coord
            if made_for is not None and made_for["session_id"] in used:
                used[made_for["session_id"]][f"made by {made_for['coordinates']}"] = _file_of(address)
        _OWNERS.setdefault(_file_of(address), set()).update(owners)
        return address

    files.add = lambda *given, **named: noted(add(*given, **named))
    files.add_deferred = lambda *given, **named: noted(add_deferred(*given, **named))
    files.execute_deferred = executed


_OWNERS: dict[str, set[object]] = {}
"""By file: the browsers that it was offered to."""


def _is_own(scope: Scope) -> bool:
    """Whether an upload or a download is of the browser that asks for it; other addresses are everybody's."""
    path = scope["path"].removeprefix("/" + config.get_option("server.baseUrlPath").strip("/")).lstrip("/")
    if path.startswith(_UPLOADS):
        info = Runtime.instance()._session_mgr.get_session_info(path.removeprefix(_UPLOADS).partition("/")[0])
        return info is not None and info.session.matches_user_info(gather_user_info(Headers(scope=scope)))
    if path.startswith(_DOWNLOADS):
        return Headers(scope=scope)[HEADER] in _OWNERS.get(_file_of(path), ())
    return True


def _file_of(address: str) -> str:
    return address.rpartition("/")[2].partition(".")[0]


def _named(scope: Scope, secret: str) -> Scope:
    """Return the scope with the name of its browser; without a secret it is another one with each request."""
    name = known_as(secret or secrets.token_urlsafe(32)).hex()
    rest = [(header, value) for header, value in scope["headers"] if header.lower() != HEADER.encode()]
    return {**scope, "headers": [*rest, (HEADER.encode(), name.encode())]}


def _with_secret(scope: Scope, send: Send) -> Send:
    secure = "; Secure" if scope.get("scheme") == "https" or config.get_option("server.sslCertFile") else ""
    cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), (b"set-cookie", cookie.encode())]}
        await send(message)

    return add
