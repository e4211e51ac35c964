"""Each setting is known under one name: options win over variables, and these over the config file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from places import ROOT

from fairaudit.cli.main import build_parsers
from fairaudit.errors import InputError
from fairaudit.settings import CONFIG, SETTINGS, TOKEN, check, take

GOOD = {
    "config": ("one.toml", "two.toml", "three.toml"),
    "port": ("8610", "8611", "8612"),
    "address": ("127.0.0.1", "127.0.0.2", "127.0.0.3"),
    "headless": ("yes", "no", "true"),
    "allowed-hosts": ("audit.example.org", "*.one.example, two.example", "10.0.0.7"),
    "base-path": ("/fairness", "office/fairness/", "a"),
    "proxy-secret": ("a" * 16, "b" * 16, "c" * 16),
    "user-header": ("X-Remote-User", "X-Forwarded-User", "Remote-User"),
    "token": ("one", "two", "three"),
    "data-dir": ("one", "two", "three"),
    "connections": ("one.toml", "two.toml", "three.toml"),
    "presets": ("one", "two", "three"),
    "salt": ("a secret of the office", "b secret of the office", "c secret of the office"),
    "fits-at-once": ("1", "2", "3"),
    "memory": ("6GB", "800 MB", "123456789"),
    "hold-minutes": ("0", "2.5", "15"),
    "log": ("one.log", "two.log", "three.log"),
    "log-days": ("1", "30", "365"),
    "metrics": ("9100", "127.0.0.1:9102", "0.0.0.0:9101"),
}
"""By name, three values that differ."""
BAD = {
    "config": "nowhere.toml",
    "port": "65536",
    "address": "http://localhost",
    "headless": "perhaps",
    "allowed-hosts": "https://audit.example.org/",
    "base-path": "/a b",
    "proxy-secret": "short",
    "user-header": "Cookie",
    "data-dir": "nowhere",
    "connections": "one",
    "presets": "one.toml",
    "salt": "short",
    "fits-at-once": "0",
    "memory": "6 TB",
    "hold-minutes": "-1",
    "log": "nowhere/one.log",
    "log-days": "0",
    "metrics": "localhost",
}
"""By name, a value that breaks the rule; any text may be a token."""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """A folder with what the values name, and an environment without settings."""
    monkeypatch.setattr(os, "environ", {k: v for k, v in os.environ.items() if not k.startswith("FAIRAUDIT_")})
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.toml").write_text("", encoding="utf-8")


def test_every_setting_is_tried_here():
    assert list(GOOD) == [each.name for each in SETTINGS] and {*BAD} == {*GOOD} - {TOKEN.name}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.name)
def test_an_option_wins_over_the_variable_and_that_over_the_file(setting, tmp_path):
    from_file, from_variable, given = GOOD[setting.name]
    values = [setting.value_of(text, "") for text in GOOD[setting.name]]
    assert len({*map(str, values)}) == 3 or setting.kind == "flag"
    os.environ["FAIRAUDIT_PROXY_SECRET"] = "s" * 16
    if setting is not CONFIG:
        (tmp_path / "set.toml").write_text(f'{setting.name} = "{from_file}"', encoding="utf-8")
        os.environ["FAIRAUDIT_CONFIG"] = "set.toml"
        del os.environ["FAIRAUDIT_PROXY_SECRET"]
        if setting.name == "user-header":
            os.environ["FAIRAUDIT_PROXY_SECRET"] = "s" * 16
        take({})
        assert setting.text == setting.resolved(from_file)
    os.environ[setting.variable] = from_variable
    take({})
    assert setting.text == setting.resolved(from_variable)
    take({setting.name: given})
    assert setting.text == setting.resolved(given)
    assert str(setting.value) == str(setting.value_of(setting.resolved(given), ""))


@pytest.mark.parametrize("name", BAD)
def test_what_breaks_a_rule_is_named_as_it_was_written(name, tmp_path):
    setting = next(each for each in SETTINGS if each.name == name)
    ways = (f"'--{name}'", setting.variable, f"'{name}' in 'set.toml'")
    for said_by in ways[setting.kind == "secret" : 2 if setting is CONFIG else None]:
        os.environ.pop(setting.variable, None)
        given = {}
        if said_by == setting.variable:
            os.environ[setting.variable] = BAD[name]
        elif said_by.startswith("'--"):
            given[name] = BAD[name]
        else:
            (tmp_path / "set.toml").write_text(f"{name} = '{BAD[name]}'", encoding="utf-8")
            given["config"] = "set.toml"
        with pytest.raises(InputError) as refused:
            take(given)
        assert refused.value.message.startswith(f"{said_by} must {setting.rule}, got ")
        assert refused.value.hint == setting.remedy
        assert (BAD[name] in refused.value.message) == (setting.kind != "secret")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory", f"{'9' * 400}GB"), ("memory", "0.0000001KB"), ("hold-minutes", "9" * 400), ("base-path", "/_stcore"),
        ("data-dir", "~nobody-of-this-name/x"), ("user-header", "Authorization"), ("user-header", "X-Fairaudit-Proxy"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_no_traceback(name, text):
    with pytest.raises(InputError, match=f"'--{name}' must"):
        take({name: text})


def test_numbers_for_prometheus_have_another_port():
    with pytest.raises(InputError, match=r"'metrics' must be another port than 'port'\."):
        take({"port": "8501", "metrics": "8501"})


def test_lists_and_numbers_and_truths_of_a_file_are_read(tmp_path):
    (tmp_path / "set.toml").write_text(
        'port = 8610\nheadless = true\nallowed-hosts = ["one.example", "two.example"]\nhold-minutes = 2.5\n', "utf-8"
    )
    take({"config": "set.toml"})
    found = {each.name: each.value for each in SETTINGS}
    assert (found["port"], found["headless"], found["hold-minutes"]) == (8610, True, 2.5)
    assert found["allowed-hosts"] == ("one.example", "two.example")


def test_paths_of_a_file_lie_beside_it(tmp_path):
    (tmp_path / "one" / "tables").mkdir()
    (tmp_path / "one" / "set.toml").write_text('data-dir = "tables"', encoding="utf-8")
    take({"config": "one/set.toml"})
    assert os.environ["FAIRAUDIT_DATA_DIR"] == str(tmp_path / "one" / "tables")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("hold_minutes = 3", "'hold_minutes' in 'set.toml' is no setting.\nHint: Did you mean 'hold-minutes'?"),
        ("config = 'one.toml'", "'config' in 'set.toml' is no setting."),
        ("port = ", "The config file 'set.toml' cannot be read"),
    ],
)
def test_a_file_with_another_key_or_no_toml_is_refused(written, said, tmp_path):
    (tmp_path / "set.toml").write_text(written, encoding="utf-8")
    with pytest.raises(InputError, match=said.replace("?", r"\?")):
        take({"config": "set.toml"})


def test_a_header_that_names_people_needs_a_secret_of_the_proxy():
    os.environ["FAIRAUDIT_USER_HEADER"] = "X-Remote-User"
    with pytest.raises(InputError, match=r"(?s)'user-header' needs a 'proxy-secret'.*FAIRAUDIT_PROXY_SECRET"):
        check()
    os.environ["FAIRAUDIT_PROXY_SECRET"] = "s" * 16
    check()


def test_an_empty_variable_says_nothing_but_that_no_token_is_asked_for():
    for each in SETTINGS:
        os.environ[each.variable] = ""
    assert [each.name for each in SETTINGS if each.text is not None] == ["token"]


def test_the_command_has_an_option_for_each_setting_that_is_no_secret():
    options = [written.split()[0] for written, _ in build_parsers("serve")[1]["serve"].described()]
    assert [name for name in options if name in {each.option for each in SETTINGS}] == [
        each.option for each in SETTINGS if each.kind != "secret"
    ]
    assert not any(each.name in " ".join(options) for each in SETTINGS if each.kind == "secret")


def test_the_manual_lists_each_setting_as_the_command_does():
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `") and "FAIRAUDIT_" in line]
    assert rows == [f"| `{each.name}` | `{each.variable}` | {each.meaning} | {each.usual} |" for each in SETTINGS]


def test_no_other_place_names_a_variable():
    own = {ROOT / "fairaudit" / "settings.py"}
    names = {each.variable for each in SETTINGS}
    code = {*(ROOT / "fairaudit").rglob("*.py"), *(ROOT / "ui").rglob("*.py")} - own
    assert not [path for path in sorted(code) for name in names if f'"{name}"' in Path(path).read_text("utf-8")]
