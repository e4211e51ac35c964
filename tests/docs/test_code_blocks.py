"""Every block of code in the documents runs, and what is shown is what comes out."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import tomllib

import pytest
import tomli_w
from manual_pages import DOCUMENTS, blocks_of, commands_of, name_of
from places import ROOT, SAMPLES

from fairaudit import AuditPlan, Condition, settings
from fairaudit.cli.main import DONE, main
from fairaudit.data.engines.named import read_connections
from fairaudit.estimators.constraints import parse_specs
from fairaudit.version import __version__

FAIRAUDIT = ("fairaudit ", ".venv/bin/python -m fairaudit ", "python -m fairaudit ")
WHEEL = f"dist/fairaudit-{__version__}-py3-none-any.whl"
INSTALLS = "it changes what is installed; tests/browser/test_installed_story.py serves from a wheel"
# What a test cannot run, with the reason. Targets of `make` are looked up, and not made.
ENGINE = "it needs a container engine"
NOT_RUN = {
    '.venv/bin/python -m pip install -e ".[postgres]"': INSTALLS,
    f"uvx --from {WHEEL} fairaudit serve": INSTALLS,
    f"pipx run --spec {WHEEL} fairaudit serve": INSTALLS,
    f"pip install {WHEEL}": INSTALLS,
    f"pip install --no-deps {WHEEL}": INSTALLS,
    "pip install --no-deps --require-hashes -r requirements.lock": INSTALLS,
    "podman build --tag fairaudit --file Containerfile .": ENGINE,
    "podman run --read-only --tmpfs /tmp --cap-drop all --publish 127.0.0.1:8501:8501 "
    "--env FAIRAUDIT_TOKEN fairaudit": ENGINE,
    "fairaudit serve": "it serves until it is ended; tests/browser/test_installed_story.py does",
    "fairaudit errors graded.csv --decision grade --levels A,B,C,D,E --ordered --predicted predicted_grade --by sex "
    "--strata department": "no sample has a predicted level; tests/cli/test_level_errors_command.py does",
}
PRINTED: dict[str, str] = {}
COLUMNS = {
    "race": "text",
    "age": "number",
    "hours per week": "number",
    "district": "text",
    "born": "date",
    "name": "text",
    "grade": "number",
}
LANGUAGES = {"python", "sh", "output", "toml", "text", ""}
IDS = {"ids": name_of}


def having(*languages: str) -> list:
    """Return the documents that have a block in one of some languages."""
    return [path for path in DOCUMENTS if any(block.language in languages for block in blocks_of(path))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder in which the samples are, as in a clone."""
    (tmp_path / "sample_data").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, **IDS)
def test_each_block_is_of_a_kind_that_is_tried(document):
    assert {block.language for block in blocks_of(document)} <= LANGUAGES


@pytest.mark.parametrize("document", having("python"), **IDS)
def test_python_gives_what_is_shown(document, folder):
    text = "\n".join(block.text for block in blocks_of(document) if block.language == "python")
    example = doctest.DocTestParser().get_doctest(text, {}, name_of(document), str(document), 0)
    assert example.examples, "a block of Python shows what it gives: >>>"
    assert not doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed


@pytest.mark.parametrize("document", having("sh", "output"), **IDS)
def test_commands_work_and_print_what_is_shown(document, folder, capsys):
    printed = ""
    for block in blocks_of(document):
        if block.language == "sh":
            for command in commands_of(block):
                # A command that several documents show runs once.
                if command not in PRINTED:
                    PRINTED[command] = run(command, capsys)
            printed = "".join(PRINTED[command] for command in commands_of(block))
        elif block.language == "output":
            assert plain(block.text) in plain(printed), f"line {block.line}"


def run(command: str, capsys) -> str:
    """Run a command and return what it prints."""
    if command in NOT_RUN:
        return ""
    words = shlex.split(command)
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)
        return ""
    start = next((each for each in FAIRAUDIT if command.startswith(each)), None)
    assert start is not None, f"only what is tried is shown: {command}"
    done = main(shlex.split(command.removeprefix(start)))
    captured = capsys.readouterr()
    assert done == DONE, captured.err
    assert captured.out
    return captured.out


def plain(text: str) -> str:
    """Return a text with single blanks."""
    return re.sub(r"\s+", " ", text).strip()


def test_what_is_not_run_is_still_shown():
    shown = {command for path in DOCUMENTS for b in blocks_of(path) if b.language == "sh" for command in commands_of(b)}
    assert shown >= set(NOT_RUN)


@pytest.mark.parametrize("document", having("toml"), **IDS)
def test_parts_of_plans_and_files_of_connections_and_settings_are_read(document, tmp_path, monkeypatch):
    for block in blocks_of(document):
        if block.language != "toml":
            continue
        part = tomllib.loads(block.text)
        if "connections" in part:
            assert read_connections(block.text)
        elif "allowed-hosts" in part:
            monkeypatch.setattr(os, "environ", {})
            (tmp_path / "serve.toml").write_text(block.text, encoding="utf-8")
            settings.take({"config": str(tmp_path / "serve.toml")})
            assert settings.ALLOWED_HOSTS.value == tuple(part["allowed-hosts"])
        else:
            AuditPlan.from_toml(tomli_w.dumps(whole(part)))


def whole(part: dict) -> dict:
    """Return a plan that has a part, and the rest from the sample of loans."""
    rest = tomllib.loads((SAMPLES / "loans.toml").read_text(encoding="utf-8"))
    if "decision" in part:
        rest = {name: rest[name] for name in ("schema_version", "data")}
    if "data" in part:
        part = {**part, "data": {**rest["data"], **part["data"]}}
    return {**rest, **part}


@pytest.mark.parametrize("document", having("text"), **IDS)
def test_conditions_and_constraints_are_read(document):
    for block in blocks_of(document):
        lines = block.text.splitlines()
        if block.language == "text" and document.name == "conditions.md":
            assert all(Condition.parse(line, COLUMNS) for line in lines)
        elif block.language == "text" and re.match(r"\S.* by .* <= [\d.]+%?$", lines[0]):
            assert len(parse_specs(block.text)) == len(lines)
