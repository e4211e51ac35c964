"""A wheelhouse: made by one command, installed by that of its README without a network, and used by a new user."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest
from manual_pages import blocks_of, commands_of
from places import ROOT
from serving import free_port, started

from benchmarks.visitor import Visitor

PLACE = "/opt/fairaudit"
LEFT_OUT = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["exclude-dependencies"]
)
ALONE = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "FAIRAUDIT_"))}
"""An environment without settings of pip, so that nothing but the folder is asked."""


def made(folder, target):
    """Make a target with its files in a folder of the test."""
    own = [f"DIST={folder / 'dist'}", f"BUILD={folder / 'build'}", f"PYTHON={sys.executable}"]
    subprocess.run(["make", *own, target], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return folder / "dist"


@pytest.fixture(scope="module")
def wheelhouse(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    yield made(folder, "wheelhouse") / "wheelhouse"
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def installed(wheelhouse, tmp_path_factory):
    """The environment that the README's own commands make; none of them may ask the network."""
    place = tmp_path_factory.mktemp("opt") / "fairaudit"
    readme = wheelhouse / "README.md"
    commands = [command for block in blocks_of(readme) if block.language == "sh" for command in commands_of(block)]
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(command.replace(PLACE, str(place)))
        words = [sys.executable if word == "python3" else word for word in words]
        alone = {"PIP_CONFIG_FILE": os.devnull, "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
        subprocess.run(words, cwd=wheelhouse, env={**ALONE, **alone}, check=True, stdout=subprocess.DEVNULL)
    (environment,) = place.iterdir()
    yield environment
    # It takes a gigabyte, and pytest would keep it.
    shutil.rmtree(place)


def ran(environment, folder, *words, code=0):
    """Run a program of the environment in a folder and return what it printed."""
    command = [environment / "bin" / words[0], *words[1:]]
    done = subprocess.run(command, cwd=folder, env=ALONE, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_the_wheel_is_built_twice_alike(tmp_path):
    kept = []
    for _ in range(2):
        folder = made(tmp_path, "wheel")
        kept.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(kept[0]) == 2 and kept[0] == kept[1]
    assert not [name for name in kept[0] if not name.startswith("fairaudit-")]


def test_only_what_is_left_out_on_purpose_is_missing(installed, tmp_path):
    said = ran(installed, tmp_path, "python", "-m", "pip", "check", code=1)
    assert set(re.findall(r"requires (\S+), which is not installed", said)) == LEFT_OUT


def test_the_app_opens_its_front_page(installed, tmp_path):
    port = free_port()
    with started(
        [str(installed / "bin" / "fairaudit"), "serve", "--headless", f"--port={port}"], port, tmp_path
    ) as app:
        visitor = Visitor(app)
        visitor.draw("")
        assert visitor.texts and not visitor.errors
        visitor.leave()


def test_a_sample_becomes_a_folder_that_verifies(installed, tmp_path):
    samples = next(installed.rglob("fairaudit_app/sample_data"))
    ran(installed, tmp_path, "fairaudit", "run", str(samples / "berkeley_1973.toml"), "--out", "results")
    data = samples / "berkeley_1973.csv"
    assert "Made again" in ran(installed, tmp_path, "fairaudit", "verify", "results", "--data", str(data))
    report = tmp_path / "results" / "report.pdf"
    report.write_bytes(report.read_bytes().replace(b"\n", b" ", 1))
    said = ran(installed, tmp_path, "fairaudit", "verify", "results", "--fail-on", "changed", code=3)
    assert "report.pdf" in said


def test_a_wheel_that_was_altered_is_refused(wheelhouse, tmp_path):
    folder = shutil.copytree(wheelhouse, tmp_path / "copy")
    (own,) = folder.glob("fairaudit-*.whl")
    content = bytearray(own.read_bytes())
    content[len(content) // 2] ^= 1
    own.write_bytes(content)
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 1
    install = ["install", "--no-index", "--no-deps", "--find-links", ".", "--require-hashes", "-r", "fairaudit.lock"]
    command = [sys.executable, "-m", "venv", tmp_path / "environment"]
    subprocess.run(command, check=True)
    said = ran(tmp_path / "environment", folder, "python", "-m", "pip", *install, code=1)
    assert "DO NOT MATCH THE HASHES" in said
