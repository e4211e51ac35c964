"""Each setting does what it says, as an option, as a variable and in a file, where the command ``serve`` is started."""

from __future__ import annotations

import os
import sys

import pytest
from streamlit import config

from fairaudit.cli import serve
from fairaudit.cli.main import DONE, main
from fairaudit.data.engines.named import named_connections
from fairaudit.plan.data import salted
from fairaudit.presets.preset import find_presets
from fairaudit.settings import LOG_DAYS, SETTINGS, USER_HEADER
from ui.data.loading import folder_files
from ui.runtime import activity, memory
from ui.runtime.doors import AskedTable, own_token
from ui.runtime.held_sessions import hold_minutes
from ui.runtime.turns import fits_at_once

SECRET = "s" * 16
DATABASE = '[connections.payroll]\nurl = "duckdb:///payroll.duckdb"\n'


def asked(**headers: str) -> AskedTable:
    """Return a request to this machine, with headers."""
    given = {"host": "localhost", "x_fairaudit_proxy": SECRET} | headers
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
    return AskedTable({"type": "http", "path": "/", "headers": raw, "server": ("127.0.0.1", 8501)})


def logs(path: str) -> bool:
    """Whether work is noted in a file."""
    with activity.recording():
        activity.note("check", "", 0)
    return os.path.exists(path)


EFFECTS = {
    "port": ("8610", lambda: "--server.port=8610" in sys.argv),
    "address": ("127.0.0.1", lambda: "--server.address=127.0.0.1" in sys.argv),
    "headless": ("yes", lambda: "--server.headless=true" in sys.argv),
    "allowed-hosts": ("audit.example.org", lambda: asked(host="audit.example.org").has_known_name),
    "base-path": ("/audit", lambda: "--server.baseUrlPath=audit" in sys.argv),
    "proxy-secret": (SECRET, lambda: asked().is_through_proxy),
    "user-header": ("X-User", lambda: asked(x_user="ada").person == "ada"),
    "token": ("of the office", lambda: own_token() == "of the office"),
    "data-dir": ("tables", lambda: [each.name for each in folder_files()] == ["loans.csv"]),
    "connections": ("databases.toml", lambda: [each.name for each in named_connections()] == ["payroll"]),
    "presets": ("forms", lambda: bool(find_presets()[1])),
    "salt": ("a secret of the office", lambda: salted("a" * 64) is not None),
    "fits-at-once": ("7", lambda: fits_at_once() == 7),
    "memory": ("123MB", lambda: memory.most() == 123_000_000),
    "hold-minutes": ("7.5", lambda: hold_minutes() == 7.5),
    "log": ("access.log", lambda: logs("access.log")),
    "log-days": ("7", lambda: LOG_DAYS.value == 7),
    "metrics": ("127.0.0.1:8617", lambda: "8617" in str(activity.METRICS.value)),
}
"""By name, a value, and whether it is so: what the app itself asks, or what its server is started with."""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """An office's folder, an environment without settings, and a command that starts no server."""
    # Streamlit reads its own settings once, from where it is first asked.
    config.get_config_options()
    monkeypatch.setattr(os, "environ", {k: v for k, v in os.environ.items() if not k.startswith("FAIRAUDIT_")})
    monkeypatch.setattr(sys, "argv", ["fairaudit"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(serve.runpy, "run_module", lambda *given, **named: None)
    monkeypatch.chdir(tmp_path)
    for folder in ("tables", "forms"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tables" / "loans.csv").write_text("a\n1\n", encoding="utf-8")
    (tmp_path / "forms" / "none.toml").write_text("nothing = 1\n", encoding="utf-8")
    (tmp_path / "databases.toml").write_text(DATABASE, encoding="utf-8")


def test_each_setting_but_the_name_of_the_file_is_tried():
    assert list(EFFECTS) == [each.name for each in SETTINGS if each.name != "config"]


@pytest.mark.parametrize("way", ["option", "variable", "file"])
@pytest.mark.parametrize("name", EFFECTS)
def test_a_setting_has_its_effect(name, way, tmp_path):
    setting = next(each for each in SETTINGS if each.name == name)
    value, is_so = EFFECTS[name]
    command = ["serve"]
    if setting is USER_HEADER:
        os.environ["FAIRAUDIT_PROXY_SECRET"] = SECRET
    assert not is_so()
    if way == "file":
        (tmp_path / "fairaudit.toml").write_text(f'{name} = "{value}"\n', encoding="utf-8")
        command += ["--config", "fairaudit.toml"]
    elif way == "variable" or setting.kind == "secret":
        os.environ[setting.variable] = value
    else:
        command += [setting.option] if setting.kind == "flag" else [setting.option, value]
    assert main(command) == DONE
    assert is_so()
