"""A PostgreSQL server of the tests' own: its own folder and port, and a user without rights where they run as root."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
PASSWORD = "s3cret-of-the-tests"


class Postgres:
    """A PostgreSQL server in a folder of its own, run as a user without rights where the tests run as root."""

    def __init__(self, folder: Path, **settings: str):
        self.folder = folder
        self.settings = settings
        self.programs = PROGRAMS[-1]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        """As the user who owns everything."""
        return self.url_of("owner", PASSWORD)

    def url_of(self, user: str, password: str, database: str = "postgres") -> str:
        """The address with any user and password."""
        return f"postgresql+psycopg://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def run(self, *command: str) -> subprocess.CompletedProcess:
        """Run one of the server's programs."""
        found = subprocess.run([*_as_nobody(), *command], capture_output=True, text=True, cwd="/", check=False)
        assert found.returncode == 0, found.stderr
        return found

    def start(self) -> None:
        """Make the data folder and start the server; returns when it answers."""
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            for parent in self.folder.parents:
                # pytest's folders are closed to others.
                if parent.stat().st_mode & 0o001 == 0:
                    parent.chmod(parent.stat().st_mode | 0o011)
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        data = self.folder / "data"
        self.run(
            str(self.programs / "initdb"), "-D", str(data), "-U", "owner", "--auth=scram-sha-256",
            f"--pwfile={secret}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync",
        )  # fmt: skip
        self.serve()

    def serve(self) -> None:
        """Start the server on the data that it has; returns when it answers."""
        data = self.folder / "data"
        options = {
            "listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": str(self.folder),
            "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "64MB",
            "max_connections": "50", "logging_collector": "off", "autovacuum": "off",
            **self.settings,
        }  # fmt: skip
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*_as_nobody(), str(self.programs / "postgres"), "-D", str(data), *settings],
                stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        for _ in range(100):
            ready = subprocess.run(
                [str(self.programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-t", "1"],
                capture_output=True, check=False,
            )  # fmt: skip
            if ready.returncode == 0:
                return
            try:
                self.process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
            break
        raise RuntimeError((self.folder / "log").read_text(errors="replace"))

    def stop(self) -> None:
        """Stop the server at once, also where it stands still or has ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(timeout=30)

    def execute(self, *statements: str) -> None:
        """Run statements as the owner, each in a transaction of its own."""
        import psycopg

        with psycopg.connect(self.url.replace("+psycopg", ""), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)


@contextmanager
def started(folder: Path) -> Iterator[Postgres]:
    """Run a server in a folder that is made; skip visibly where there is none to run."""
    if not PROGRAMS or not sys.platform.startswith("linux"):
        pytest.skip("no PostgreSQL server is installed (Debian: postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    server = Postgres(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def _as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env", "HOME=/"]
