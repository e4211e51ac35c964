"""What is installed: locks with hashes, versions said once, the container, the bill of materials."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sources import ROOT, normal

from fairaudit.version import __version__
from ui.manual import all_titles

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS, BUILDS = PROJECT["dependency-groups"], PROJECT["build-system"]["requires"]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-spark.lock", "requirements-build.lock")
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")


def program(name: str) -> str:
    """Return the path of a program that was installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def entries(lock: str) -> list[str]:
    """Return what a lock says of each package, in one line each."""
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(lock: str) -> dict[str, str]:
    """Return the versions of a lock by the name of the package."""
    found = (re.match(r"([\w.-]+)==([^\s;]+)", entry) for entry in entries(lock))
    return {normal(match[1]): match[2] for match in found}


def numbers(version: str) -> list[int]:
    """Return the numbers of a version."""
    return [int(part) for part in re.findall(r"\d+", version)]


@pytest.mark.parametrize("lock", LOCKS)
def test_each_package_of_a_lock_has_a_version_and_hashes(lock):
    assert entries(lock)
    wrong = [entry[:80] for entry in entries(lock) if not re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry)]
    assert not wrong, "write the locks anew: make lock"


def test_the_locks_agree_and_keep_the_lower_bounds():
    run_lock, dev_lock, spark_lock, build_lock = map(pins, LOCKS)
    assert run_lock.items() <= dev_lock.items(), "renew both: make lock"
    needed = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    dev = [line for group in ("dev", "docs") for line in GROUPS[group] if isinstance(line, str)]
    assert {"include-group": "docs"} in GROUPS["dev"]
    for listing, lock in ((needed, run_lock), (dev, dev_lock), (GROUPS["spark"], spark_lock), (BUILDS, build_lock)):
        lines = [re.sub(r"\[.*?\]", "", line) for line in listing if not line.startswith("#")]
        assert lines
        for name, how, bound in (re.match(r"([\w.-]+)(>=|==|<)([\d.]+)$", line).groups() for line in lines):
            found, asked = numbers(lock[normal(name)]), numbers(bound)
            fits = {">=": found >= asked, "==": found == asked, "<": found < asked}[how]
            assert fits, f"{name} in the lock is not {how}{bound}: make lock"


def test_make_installs_nothing_without_a_hash():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    variables = dict(re.findall(r"^(\w+) :?= (.*)$", makefile, re.MULTILINE))
    text = makefile.replace("$(LOCKED)", variables["LOCKED"]).replace("\\\n", " ") + CONTAINER
    commands = re.findall(r"(?:install|download) .*--requirement .*", text)
    assert len(commands) == 6 and all({"--require-hashes", "--no-deps"} <= set(command.split()) for command in commands)


def test_the_version_is_the_same_wherever_it_is_said():
    said = {
        "CITATION.cff": r"^version: (.*)$",
        "publiccode.yml": r"^softwareVersion: (.*)$",
    }
    for name, pattern in said.items():
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert found and found[1] == __version__, name


def test_the_wheel_holds_each_document_that_the_app_shows():
    held = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert held["docs"] == "fairaudit_app/docs" and all((ROOT / "docs" / name).exists() for name in all_titles())


def test_the_container_begins_from_an_image_that_is_named_by_its_digest():
    begins = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", CONTAINER, re.MULTILINE)
    own = {name for _, name in begins}
    assert all(re.search(r"@sha256:[0-9a-f]{64}$", image) for image, _ in begins if image not in own)


def test_the_container_is_as_the_linter_wants_it():
    subprocess.run([program("hadolint"), str(ROOT / "Containerfile")], check=True)


def test_the_container_runs_without_privileges_and_asks_for_its_health():
    last = CONTAINER.split("\nFROM ")[-1]
    order = [line.split()[0] for line in last.splitlines() if re.match(r"[A-Z]+ ", line)]
    users = re.findall(r"^USER (\d+):(\d+)$", last, re.MULTILINE)
    assert users and all(int(number) > 0 for number in users[-1])
    assert order.index("USER") < order.index("ENTRYPOINT") and not {"RUN", "COPY"} & set(order[order.index("USER") :])
    assert "HEALTHCHECK" in order and ":8501/health" in last


@pytest.mark.thorough
def test_the_bill_of_materials_lists_what_is_locked(tmp_path):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    words = re.search(r"cyclonedx-py (.*)$", makefile, re.MULTILINE)[1].replace("dist/", f"{tmp_path}/").split()
    subprocess.run([program("cyclonedx-py"), *words], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    bill = json.loads((tmp_path / "bom.json").read_text(encoding="utf-8"))
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["name"] == "fairaudit"
    assert {normal(part["name"]): part["version"] for part in bill["components"]} == pins("requirements.lock")


def test_each_hook_before_a_commit_runs_a_program_that_make_installs():
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    programs = re.findall(r"entry: \.venv/bin/(\S+)", text)
    assert len(programs) == text.count("- id:") > 0
    assert all(shutil.which(program(name)) for name in programs)
