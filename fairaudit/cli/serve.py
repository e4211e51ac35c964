"""What the command ``serve`` does: it serves the app until it is stopped."""

from __future__ import annotations

import runpy
import socket
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from typing import Any

from fairaudit import settings
from fairaudit.errors import InputError, quote
from fairaudit.files import APP_FOLDER


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes: each setting that is no secret."""
    for each in settings.SETTINGS:
        if each.kind == "flag":
            parser.add_argument(each.option, action="store_const", const="yes", help=each.meaning)
        elif each.kind == "secret":
            # It is known only so that it is refused with what to do instead.
            parser.add_argument(f"--{each.name}", help=SUPPRESS)
        else:
            said = f"{each.meaning} (default {each.usual})".replace("%", "%%")
            parser.add_argument(each.option, metavar=each.metavar, help=said)


def execute(options: Namespace) -> None:
    """Serve the app."""
    for each in settings.SETTINGS:
        if each.kind == "secret" and _given(options, each) is not None:
            raise InputError(
                f"A secret such as {quote(each.name)} is no option: everybody on this machine could read it.",
                hint=f"Set {each.variable}, or write it into the file of --config.",
            )
    settings.take({each.name: _given(options, each) for each in settings.SETTINGS})
    if settings.CONNECTIONS.text is not None:
        from fairaudit.data.engines.named import named_connections

        named_connections()
    if (place := settings.METRICS.value) is not None:
        _check_free(*place)
    # The app is a program of its own: its folder comes first, whatever else bears the names of its modules.
    sys.path.insert(0, str(APP_FOLDER))
    # Streamlit reads its own variables, STREAMLIT_..., only where it is started so.
    sys.argv = ["streamlit", "run", str(APP_FOLDER / "app.py"), *_of_streamlit()]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _given(options: Namespace, setting: settings.Setting[Any]) -> str | None:
    """Return what an option says; None where it was not given."""
    said: str | None = getattr(options, setting.name.replace("-", "_"))
    return said


def _of_streamlit() -> list[str]:
    """Return the settings that Streamlit itself heeds; the app heeds the others."""
    address, port, base_path = settings.ADDRESS.value, settings.PORT.value, settings.BASE_PATH.value
    found = []
    if address is not None or port is not None:
        _check_free(address or "localhost", port)
    if address is not None:
        found.append(f"--server.address={address}")
    if port is not None:
        found.append(f"--server.port={port}")
    if base_path is not None:
        found.append(f"--server.baseUrlPath={base_path}")
    if settings.HEADLESS.value:
        found.append("--server.headless=true")
    return found


def _check_free(address: str, port: int | None) -> None:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port or 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        where = quote(address) if port is None else f"port {port} of {quote(address)}"
        raise InputError(
            f"The app cannot listen on {where}: {error.strerror}.",
            hint="Name a port that is free, such as --port 8600, and an address of this machine.",
        ) from None
