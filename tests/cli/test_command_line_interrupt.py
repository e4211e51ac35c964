"""Ctrl-C ends a command in one word, whatever a library makes of it."""

from __future__ import annotations

import pytest

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
