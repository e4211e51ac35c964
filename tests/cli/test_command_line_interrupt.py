"""Ctrl-C ends a command in one word, whatever a library makes of it."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal

import pytest
from places import SAMPLES

from fairaudit import interrupts
from fairaudit.cli import describe
from fairaudit.cli.main import main
from fairaudit.errors import InputError


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted"), InputError("Not read.")])
def test_a_command_that_was_interrupted_says_that_it_was_stopped(monkeypatch, capsys, error):
    def fails(options):
        raise error

    monkeypatch.setattr(describe, "execute", fails)
    assert main(["describe", "people.csv"], interrupted=lambda: True) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_a_fault_that_is_no_interrupt_is_still_said(monkeypatch, capsys):
    def fails(options):
        raise RuntimeError("secret")

    monkeypatch.setattr(describe, "execute", fails)
    assert main(["describe", "people.csv"]) not in (0, 130)
    assert "fairaudit itself failed (RuntimeError)" in capsys.readouterr().err


@pytest.fixture
def pressed_in(monkeypatch):
    """Press Ctrl-C in a function, which swallows it and goes on."""

    def press(name):
        module, _, attribute = name.rpartition(".")
        function = getattr(importlib.import_module(module), attribute)

        def swallowing(*given, **named):
            with contextlib.suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
            return function(*given, **named)

        monkeypatch.setattr(name, swallowing)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(interrupts, "_seen", [])
    yield press
    signal.signal(signal.SIGINT, before)


HIRING = str(SAMPLES / "hiring_tool.csv")
DECISION = ["--decision", "advanced", "--favorable", "yes"]
KNOWN = ["--protected", "sex = 'Female'", "--not-known", "sex=Unknown"]


@pytest.mark.parametrize(
    ("function", "command"),
    [
        ("fairaudit.report.composing.to_pdf", ["run", "audit.toml", "--data", HIRING, "--out", "out"]),
        ("fairaudit.files._clear", ["run", "audit.toml", "--data", HIRING, "--out", "out"]),
        ("fairaudit.report.composing.to_json", ["form", "nyc144", HIRING, *DECISION, "--out", "out"]),
        ("fairaudit.cli.check.record_data", ["check", HIRING, *DECISION, *KNOWN]),
    ],
)
def test_ctrl_c_that_something_swallows_leaves_all_files_as_they_were(
    tmp_path, monkeypatch, pressed_in, capsys, function, command
):
    monkeypatch.chdir(tmp_path)
    question = ["check", HIRING, *DECISION, *KNOWN, "--save-plan"]
    assert main([*question, "audit.toml"]) == 0
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.pdf").write_bytes(b"an earlier report")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    if command[0] == "check":
        command = [*command, "--tolerance", "0.1", "--save-plan", "audit.toml"]
    pressed_in(function)
    assert main(command, begun=interrupts.listen) == 130
    assert capsys.readouterr().err == "Stopped.\n"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
