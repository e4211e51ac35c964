"""The app on a server of its own, which counts what it holds."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from places import ROOT

from benchmarks.visitor import PATIENCE_S

# Serves the app, and writes on a signal how many tables, threads with jobs, sessions and stores of freed memory there
# are, and which files were opened to be written.
COUNTING = """
import ctypes, gc, json, os, signal, sys, threading
sys.path.insert(0, {root!r})
opened = []

def look(event, arguments):
    # How a file is opened: its path or number, mode and flags. What Python compiles is none of ours.
    if event == "open" and isinstance(arguments[0], (str, bytes)) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        path = os.fsdecode(arguments[0])
        if "__pycache__" not in path and not path.startswith(("counts", "/dev/")):
            opened.append(path)

sys.addaudithook(look)
from app import app

def stores():
    # The C library itself writes what it holds: each of its stores of freed memory is a "heap".
    c = ctypes.CDLL(None)
    c.fopen.restype = ctypes.c_void_p
    file = ctypes.c_void_p(c.fopen(b"counts.stores", b"w"))
    c.malloc_info(0, file)
    c.fclose(file)
    with open("counts.stores") as written:
        return written.read().count("<heap nr=")

def count(*_):
    import pyarrow as pa
    from fairaudit.data import Table
    from streamlit.runtime import Runtime
    found = {{
        "tables": sum(isinstance(each, Table) for each in gc.get_objects()),
        "jobs": sum(thread.name == "fairaudit-job" for thread in threading.enumerate()),
        "sessions": len(Runtime.instance()._session_mgr.list_sessions()),
        "uploads": sum(map(len, Runtime.instance().uploaded_file_mgr.file_storage.values())),
        "opened": opened,
        "stores": stores(),
        "arrow": pa.default_memory_pool().backend_name,
        "media": len(Runtime.instance().media_file_mgr._storage._files_by_id),
    }}
    with open("counts.new", "w") as file:
        json.dump(found, file)
    os.replace("counts.new", "counts.json")

signal.signal(signal.SIGUSR1, count)
app.run(config={{"server.port": {port}, "server.address": {address!r}, "server.headless": True}})
"""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@dataclass
class Served:
    """A running server: its process, port and working folder."""

    process: subprocess.Popen
    port: int
    folder: Path

    @property
    def url(self) -> str:
        """Where the app is."""
        return f"http://localhost:{self.port}"

    def counts(self) -> dict[str, Any]:
        """Return what is alive in the server, tables, threads with jobs, sessions, uploads and downloads, how many
        stores of freed memory it has, whose memory Arrow takes, and which files it has opened to be written."""
        file = self.folder / "counts.json"
        file.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + PATIENCE_S
        while not file.exists():
            assert time.monotonic() < until and self.process.poll() is None
            time.sleep(0.05)
        return json.loads(file.read_text(encoding="utf-8"))

    def ask(
        self, path: str, *, method: str = "GET", at: str = "localhost", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of an answer; `headers` may hold any name of the server."""
        connection = http.client.HTTPConnection(at, self.port, timeout=PATIENCE_S)
        connection.putrequest(method, path, skip_host="host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        # A connection that was made a WebSocket does not end.
        text = "" if answer.status == 101 else answer.read().decode()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def shake_hands(self, path: str = "/_stcore/stream", **headers: str) -> int:
        """Ask for a WebSocket and return the status of the answer; 101 is a yes."""
        asked = {"connection": "Upgrade", "upgrade": "websocket", "sec_websocket_version": "13"}
        return self.ask(path, **asked, sec_websocket_key="AAAAAAAAAAAAAAAAAAAAAA==", **headers)[0]

    def wait_for(self, **wanted: int) -> float:
        """Wait until what is alive is so many at most, and return after how many seconds that was."""
        began = time.monotonic()
        while any((counts := self.counts())[name] > most for name, most in wanted.items()):
            assert time.monotonic() < began + PATIENCE_S, counts
            time.sleep(2)
        return time.monotonic() - began


@contextmanager
def served(folder: Path, *, address: str = "localhost", **environment: str) -> Iterator[Served]:
    """Serve the app on a free port while the ``with`` lasts."""
    port = free_port()
    starter = folder / "start.py"
    starter.write_text(COUNTING.format(root=str(ROOT), port=port, address=address), encoding="utf-8")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_bytes((ROOT / ".streamlit" / "config.toml").read_bytes())
    with started([sys.executable, str(starter)], port, folder, **environment) as server:
        yield server


@contextmanager
def started(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[Served]:
    """Run a command that serves the app on a port while the ``with`` lasts."""
    with (folder / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < until and process.poll() is None, (folder / "log").read_text(encoding="utf-8")
            try:
                urllib.request.urlopen(f"http://localhost:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield Served(process, port, folder)
    finally:
        process.kill()
        process.wait(PATIENCE_S)
