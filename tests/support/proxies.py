"""The examples of `deploy/` at work: a server in front, on ports, files and passwords of a test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT
from serving import free_port

DEPLOY = ROOT / "deploy"
NAME = "audit.example.org"
"""The host name of the examples."""

USER, PASSWORD = "ada", "lovelace"
"""Who signs on in tests."""


SECRET = "0123456789abcdef0123456789abcdef"
"""What the server in front and the app both know."""


def program(name: str) -> str:
    """Return the path of a program; skip the test where it is missing."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if not found:
        pytest.skip(f"{name} is not installed")
    return found


def said_by(*command: str) -> str:
    """Return what a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def written_anew(text: str, changes: dict[str, str]) -> str:
    """Return an example with values of the test in place of its own; each of them must be there."""
    for old, new in changes.items():
        assert old in text, f"the example lacks {old!r}"
        text = text.replace(old, new)
    return text


def certificate(folder: Path) -> Path:
    """Write a certificate of the host name, and its key beside it; return the certificate."""
    made = folder / "certificate.pem"
    new = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}")
    alternative = ("-addext", f"subjectAltName=DNS:{NAME},DNS:localhost")
    keys = ("-keyout", str(folder / "key.pem"), "-out", str(made))
    subprocess.run([program("openssl"), *new, *alternative, *keys], check=True, capture_output=True)
    return made


def nginx_command(folder: Path, port: int, app_port: int) -> list[str]:
    """Write the example for nginx for these ports, and return the command that runs it."""
    command = [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "main.conf")]
    certificate(folder)
    (folder / "users").write_text(f"{USER}:{said_by(program('openssl'), 'passwd', '-apr1', PASSWORD)}\n")
    (folder / "secret").write_text(f'proxy_set_header X-Fairaudit-Proxy "{SECRET}";\n', encoding="utf-8")
    changes = {
        "/etc/nginx/fairaudit.secret": str(folder / "secret"),
        "server 127.0.0.1:8501;": f"server 127.0.0.1:{app_port};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "/etc/ssl/fairaudit": str(folder),
        "/etc/nginx/fairaudit.users": str(folder / "users"),
        "/var/log/nginx": str(folder),
    }
    site = written_anew((DEPLOY / "nginx.conf").read_text(encoding="utf-8"), changes)
    (folder / "site.conf").write_text(site, encoding="utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    http = f"http {{ {places} include {folder / 'site.conf'}; }}"
    # Workers would give up the rights of root, and with them this folder.
    user = "user root;" if os.geteuid() == 0 else ""
    own = f"daemon off; {user} pid {folder / 'nginx.pid'}; error_log stderr; events {{}}"
    (folder / "main.conf").write_text(f"{own} {http}\n", encoding="utf-8")
    return command


def caddy_command(folder: Path, port: int, app_port: int) -> list[str]:
    """Write the example for Caddy for these ports, and return the command that runs it."""
    caddy = program("caddy")
    certificate(folder)
    hashed = said_by(caddy, "hash-password", "--plaintext", PASSWORD)
    (folder / "secret").write_text(f'header_up X-Fairaudit-Proxy "{SECRET}"\n', encoding="utf-8")
    (folder / "fairaudit.users").write_text(f"{USER} {hashed}\n", encoding="utf-8")
    changes = {
        "\naudit.example.org {": f"\n{NAME}:{port}, localhost:{port} {{\n\tbind 127.0.0.1",
        "127.0.0.1:8501": f"127.0.0.1:{app_port}",
        "/etc/ssl/fairaudit": str(folder),
        "/etc/caddy/fairaudit.secret": str(folder / "secret"),
        "/etc/caddy/fairaudit.users": str(folder / "fairaudit.users"),
    }
    site = written_anew((DEPLOY / "Caddyfile").read_text(encoding="utf-8"), changes)
    options = "{\n\tadmin off\n\tauto_https off\n}\n"
    (folder / "Caddyfile").write_text(options + site, encoding="utf-8")
    return [caddy, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


COMMANDS = {"nginx": nginx_command, "caddy": caddy_command}


@contextmanager
def in_front(kind: str, folder: Path, app_port: int) -> Iterator[int]:
    """Run the example for ``nginx`` or ``caddy`` in front of an app while the ``with`` lasts; yields its port."""
    port = free_port()
    command = COMMANDS[kind](folder, port, app_port)
    with (folder / "proxy.log").open("w", encoding="utf-8") as log:
        running = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)})
    try:
        until = time.monotonic() + 20
        while True:
            assert running.poll() is None and time.monotonic() < until, (folder / "proxy.log").read_text()
            try:
                socket.create_connection(("127.0.0.1", port), timeout=2).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        running.terminate()
        running.wait(20)
