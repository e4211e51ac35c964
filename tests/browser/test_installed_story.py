"""The app as people get it: a wheel in an empty environment, far from the clone, under a user who may write nothing."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from auditor import Auditor, text_of_pdf
from places import ROOT
from serving import free_port

UV = (sys.executable, "-m", "uv")
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "env")
"""Where the tests run as root, the app does not. setpriv starts one program that only root may start; env does not."""
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
HOSTILE = {
    "app.py": "raise SystemExit('not this one')",
    "ui/__init__.py": "raise SystemExit('not this one')",
    "random.py": "raise SystemExit('not this one')",
    ".streamlit/config.toml": "[server]\nenableXsrfProtection = false\n[client]\nallowedOrigins = ['https://evil.example']",
}


def in_container(name: str) -> list[str]:
    """Return the command of an instruction of the container file, without the folder of its environment."""
    found = re.search(rf"^\s*{name} (\[.*\])$", CONTAINER, re.MULTILINE)
    return [part.replace("/opt/fairaudit/bin/", "") for part in json.loads(found[1])]


def unprivileged() -> tuple[str, ...]:
    """Return what a command begins with that is to run without privileges."""
    return NOBODY if os.geteuid() == 0 else ()


def python_for_all() -> str:
    """Return a Python that an unprivileged user may start."""
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        new_enough = "import sys; sys.exit(sys.version_info < (3, 11))"
        if shutil.which("setpriv") and not subprocess.run([*unprivileged(), python, "-c", new_enough]).returncode:
            return python
    pytest.skip("no Python of 3.11 or later here that everybody may start")


@pytest.fixture(scope="session")
def installed():
    """A folder that all may read: an environment with the wheel and what is locked, and nothing of the clone."""
    python = python_for_all()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        subprocess.run([*UV, "build", "--quiet", "--out-dir", folder / "dist", ROOT], check=True)
        (wheel,) = (folder / "dist").glob("*.whl")
        subprocess.run([*UV, "venv", "--quiet", "--python", python, folder / "env"], check=True)
        install = [*UV, "pip", "install", "--quiet", "--link-mode=copy", "--compile-bytecode"]
        install += ["--python", folder / "env" / "bin" / "python"]
        subprocess.run(
            [*install, "--no-deps", "--require-hashes", "--requirement", ROOT / "requirements.lock"], check=True
        )
        subprocess.run([*install, "--no-deps", wheel], check=True)
        (folder / "tables").mkdir()
        for path, content in HOSTILE.items():
            (folder / "tables" / path).parent.mkdir(exist_ok=True)
            (folder / "tables" / path).write_text(content, encoding="utf-8")
        subprocess.run(["chmod", "-R", "a-w", folder / "env", folder / "tables"], check=True)
        yield folder
        subprocess.run(["chmod", "-R", "u+w", folder], check=True)


@pytest.fixture(scope="session")
def app_server(installed, launch):
    """The app, started as in the container, in a folder of hostile files that nobody may write to."""
    port, scratch = free_port(), Path(tempfile.mkdtemp())
    scratch.chmod(0o777)
    program, *options = in_container("ENTRYPOINT")
    command = [*unprivileged(), str(installed / "env" / "bin" / program), *options]
    command[command.index("--port") + 1] = str(port)
    surroundings = {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    yield launch(command, port, installed / "tables", FAIRAUDIT_TOKEN="secret", **surroundings)
    shutil.rmtree(scratch)


def test_sample_becomes_a_report(auditor: Auditor, tmp_path):
    auditor.open_sample("berkeley_1973")
    auditor.go("Report")
    auditor.make_report()
    assert "44.5 %" in text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)


def test_the_doors_are_closed(app_server):
    address = urlsplit(app_server.url).netloc

    def ask(path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    status, headers, _ = ask("/")
    assert status == 200 and headers["x-frame-options"] == "DENY"
    assert ask("/", Host="evil.example")[0] == 400
    assert ask("/_stcore/metrics")[0] == 404
    assert json.loads(ask("/_stcore/host-config")[2])["allowedOrigins"] == []
    assert "?token=secret" in app_server.log


def test_the_container_asks_for_its_health(installed, app_server):
    port = str(urlsplit(app_server.url).port)
    command = [part.replace("8501", port) for part in in_container("CMD")]
    command[0] = str(installed / "env" / "bin" / command[0])
    assert subprocess.run(command).returncode == 0
    assert subprocess.run([part.replace(port, "9") for part in command], stderr=subprocess.DEVNULL).returncode != 0


def test_the_app_can_write_nowhere_but_in_its_scratch_folder(installed):
    for folder in ("env", "env/lib", "tables"):
        tried = subprocess.run([*unprivileged(), "touch", installed / folder / "new"], stderr=subprocess.DEVNULL)
        assert tried.returncode != 0, shlex.join(map(str, tried.args))
    left = {path.relative_to(installed / "tables").as_posix() for path in (installed / "tables").rglob("*.*")}
    assert left == {*HOSTILE, ".streamlit"}
