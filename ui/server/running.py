"""What the server does beside answering: it says where it is, keeps uploads in memory, and ends sessions."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime import Runtime

from fairaudit.report.chart_process import drawing_apart
from ui import held, memory
from ui.server.browsers import Browsers, bind_sessions
from ui.server.doors import Doors, is_open_to_others, own_token
from ui.server.importing import import_ahead
from ui.server.memory import UploadRoom
from ui.server.relying import look_for_parts
from ui.server.sessions import end_sessions, let_go_of_messages
from ui.work_apart import working_apart

DOORS = (Middleware(Doors), Middleware(Browsers), Middleware(UploadRoom))
"""What each request passes first."""


@asynccontextmanager
async def running(_app: Any) -> AsyncIterator[None]:
    """Do what is to be done while the app is served."""
    # 0 is without a limit: otherwise an upload of more than 1 MB goes through a file on the disk.
    MultiPartParser.spool_max_size = 0
    # What is said wrongly is refused now, and not when the first table comes.
    memory.most()
    held.hold_minutes()
    sys.stderr.write(welcome())
    sys.stderr.flush()
    look_for_parts(Runtime.instance())
    bind_sessions(Runtime.instance())
    let_go_of_messages()
    import_ahead()
    if not config.get_option("server.headless"):
        # The server listens already, and answers as soon as this is done.
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, own_address())
    ending = asyncio.create_task(end_sessions(Runtime.instance()))
    try:
        # In this process, drawing would let no page be answered meanwhile, and what fits need would not go back whole.
        with drawing_apart(), working_apart():
            yield
    finally:
        ending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ending


def own_address(name: str = "localhost") -> str:
    """Return where the app is under a name of this machine."""
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{name}:{config.get_option('server.port')}/{config.get_option('server.baseUrlPath').strip('/')}"


def welcome() -> str:
    """Return the lines that say where the app is, and from other machines with which token."""
    address = config.get_option("server.address")
    if not is_open_to_others(address):
        return f"\n  fairaudit is at this address. URL: {own_address()}\n\n"
    name = "ADDRESS-OF-THIS-MACHINE" if address in (None, "", "0.0.0.0", "::") else address  # noqa: S104
    lines = [f"  fairaudit listens to other machines. From this one, URL: {own_address()}"]
    if own_token():
        lines += [f"  From others: {own_address(name)}?token={quote(own_token(), safe='')}"]
    else:
        lines += [f"  From others, as FAIRAUDIT_TOKEN is empty, without a token: {own_address(name)}"]
    return "\n" + "\n".join(lines) + "\n\n"
