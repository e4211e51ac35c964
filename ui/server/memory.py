"""Where there is not enough memory: an upload is not taken, and a page that runs out says so."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from fairaudit.errors import LimitError
from ui import memory
from ui.server.doors import App, Receive, Scope, Send
from ui.text import show_error


class UploadRoom:
    """Refuse uploads that would take more memory than is left, before they are sent.

    Parameters
    ----------
    app : callable
        The ASGI application behind.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] == "http" and scope["method"] == "PUT":
            said = Headers(scope=scope).get("content-length", "")
            try:
                memory.ask_for(memory.COPIES * int(said) if said.isascii() and said.isdigit() else 0, "This upload")
            except LimitError as error:
                await PlainTextResponse(f"{error}\n", 507)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def show_spent(error: Exception) -> bool:
    """Show a sentence where a page ran out of memory, and return whether it did."""
    if isinstance(error, MemoryError):
        error = memory.spent("This page")
    if not isinstance(error, LimitError):
        return False
    show_error(error)
    return True
