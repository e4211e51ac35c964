"""``serve`` refuses what it cannot use in one sentence, before anything is served."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from fairaudit.cli.main import BAD_INPUT, main
from fairaudit.files import APP_FOLDER, SAMPLE_FOLDER


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--data-dir", "nowhere"], "'--data-dir' must name a folder, got 'nowhere'."),
        (["--connections", "nowhere.toml"], "'--connections' must name a file, got 'nowhere.toml'."),
        (["--connections", "broken.toml"], "not valid TOML"),
        (["--address", "192.0.2.7"], "cannot listen on '192.0.2.7'"),
        (["--proxy-secret", "abc"], "A secret such as 'proxy-secret' is no option"),
        (["--address", "192.0.2.7", "--port", "8600"], "cannot listen on port 8600 of '192.0.2.7'"),
    ],
)
def test_what_cannot_be_used_is_named(options, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    (tmp_path / "broken.toml").write_text("[connections", encoding="utf-8")
    assert main(["serve", *options]) == BAD_INPUT
    printed = capsys.readouterr()
    assert said in printed.err and "Traceback" not in printed.err and not printed.out


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_a_port_that_is_none_is_refused(port, capsys):
    assert main(["serve", f"--port={port}"]) == BAD_INPUT
    assert f"'--port' must be a whole number between 1 and 65535, got '{port}'." in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--address=127.0.0.1", f"--port={port}"]) == BAD_INPUT
    assert f"port {port}" in capsys.readouterr().err


def test_the_help_calls_the_program_as_it_was_started(monkeypatch, capsys):
    for started, called in (("/somewhere/bin/fairaudit", "  fairaudit serve"), ("-m", "  python -m fairaudit serve")):
        monkeypatch.setattr(sys, "argv", [started])
        with pytest.raises(SystemExit):
            main(["--help"])
        assert called in capsys.readouterr().out


def test_the_app_and_its_samples_lie_where_the_package_says():
    assert {"app.py", "pages", "ui", ".streamlit"} <= {path.name for path in APP_FOLDER.iterdir()}
    assert (SAMPLE_FOLDER / "berkeley_1973.toml").is_file()
