"""A secret for each browser, by which it finds its audit again after a reload."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from streamlit import config

from ui.held import hold_minutes
from ui.server.doors import App, Asked, Message, Receive, Scope, Send

COOKIE = "fairaudit_browser"
_MADE = re.compile(r"[\w-]{43}", re.ASCII)


def browser_secret(cookies: Mapping[str, str]) -> str:
    """Return the secret that a browser has brought; empty where it has none of the kind that is made here."""
    found = cookies.get(COOKIE)
    # Where a page is drawn without a browser, there are no cookies that are texts.
    return found if isinstance(found, str) and _MADE.fullmatch(found) else ""


class Browsers:
    """Give each browser that has none a secret of its own, with the first page that it opens.

    Scripts cannot read it, it is sent to this server only, and the browser forgets it when it is closed.

    Parameters
    ----------
    app : callable
        The ASGI application behind.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] == "http" and hold_minutes():
            asked = Asked(scope)
            # Files that a page needs are asked for all at once, and would each bring another one.
            if "text/html" in asked.headers.get("accept", "") and not browser_secret(asked.cookies):
                send = _with_secret(scope, send)
        await self._app(scope, receive, send)


def _with_secret(scope: Scope, send: Send) -> Send:
    secure = "; Secure" if scope.get("scheme") == "https" or config.get_option("server.sslCertFile") else ""
    cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), (b"set-cookie", cookie.encode())]}
        await send(message)

    return add
