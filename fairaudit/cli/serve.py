"""What the command ``serve`` does: it serves the app until it is stopped."""

from __future__ import annotations

import os
import runpy
import socket
import sys
from argparse import ArgumentParser, Namespace

from fairaudit.cli.options import path, whole
from fairaudit.data import readers
from fairaudit.data.engines import named
from fairaudit.errors import InputError, quote
from fairaudit.files import APP_FOLDER


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    port = whole(1, 65535)
    parser.add_argument("--port", type=port, metavar="N", help="listen on it (default 8501, or the next that is free)")
    parser.add_argument("--address", help="listen at it (default localhost: this machine alone)")
    parser.add_argument(
        "--data-dir", type=path, metavar="DIR", help="offer the tables in this folder; they are read in place"
    )
    parser.add_argument(
        "--connections", type=path, metavar="FILE", help="offer the databases that this file of connections names"
    )
    parser.add_argument("--headless", action="store_true", help="open no browser")


def execute(options: Namespace) -> None:
    """Serve the app."""
    settings = _settings(options)
    # The app is a program of its own: its folder comes first, whatever else bears the names of its modules.
    sys.path.insert(0, str(APP_FOLDER))
    # Started as `make run` does, so that the same variables of the environment count.
    sys.argv = ["streamlit", "run", str(APP_FOLDER / "app.py"), *settings]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _settings(options: Namespace) -> list[str]:
    """Check the options, hand on those that the app finds in the environment, and return those of the server."""
    if options.data_dir is not None:
        if not options.data_dir.is_dir():
            raise InputError(f"'--data-dir' must name a folder, got {quote(options.data_dir)}.")
        os.environ[readers.FOLDER_VARIABLE] = str(options.data_dir.resolve())
    if options.connections is not None:
        if not options.connections.is_file():
            raise InputError(f"'--connections' must name a file, got {quote(options.connections)}.")
        os.environ[named.VARIABLE] = str(options.connections.resolve())
        named.named_connections()
    settings = []
    if options.address is not None:
        settings.append(f"--server.address={options.address}")
    if options.port is not None:
        _check_free(options.address or "localhost", options.port)
        settings.append(f"--server.port={options.port}")
    if options.headless:
        settings.append("--server.headless=true")
    return settings


def _check_free(address: str, port: int) -> None:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        raise InputError(
            f"The app cannot listen on port {port} of {quote(address)}: {error.strerror}.",
            hint="Name a port that is free, such as --port 8600, and an address of this machine.",
        ) from None
