"""What the README, the changelog and the requirement files say is so."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib

import pytest
from sources import APP_FILES, PACKAGE_FILES, ROOT

from fairaudit.cli.main import DONE, main
from fairaudit.study.row_groups import MAX_ROWS
from fairaudit.version import __version__
from ui.remedies.registry import remedy_pages
from ui.steps import all_labels

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = "\n".join(re.findall(r"```(?:sh|bash|console)\n(.*?)```", SHOWN, re.DOTALL)).replace("\\\n", " ")
LINES = [line.split("  #")[0].strip() for line in BLOCKS.splitlines() if not line.startswith("#")]
COMMANDS = list(dict.fromkeys(filter(None, LINES)))
FAIRAUDIT = ".venv/bin/python -m fairaudit "


def headings(path) -> set[str]:
    """Return the anchors of a Markdown file."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize(
    "document",
    [path for folder in (".", "docs", "sample_data") for path in sorted((ROOT / folder).glob("*.md"))],
    ids=lambda p: p.name,
)
def test_each_relative_link_leads_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (document.parent / path).resolve() if path else document
        assert found.exists(), f"{target} is not there"
        if anchor:
            assert anchor in headings(found), f"{target}: there is no such heading"


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_each_make_target_exists(command):
    words = [word for word in shlex.split(command)[1:] if "=" not in word]
    subprocess.run(["make", "--dry-run", *words], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(FAIRAUDIT)])
def test_each_command_works(command, tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    done = main(shlex.split(command.removeprefix(FAIRAUDIT)))
    printed = capsys.readouterr()
    assert done == DONE, printed.err
    assert printed.out


def test_only_commands_that_are_tested_are_shown():
    assert COMMANDS
    assert all(command.startswith(("make ", FAIRAUDIT)) for command in COMMANDS)


def test_every_setting_from_the_environment_is_in_the_readme():
    code = "".join(path.read_text(encoding="utf-8") for path in [*PACKAGE_FILES, *APP_FILES])
    assert set(re.findall(r"\bFAIRAUDIT_[A-Z_]+", code)) == set(re.findall(r"\bFAIRAUDIT_[A-Z_]+", README))


def test_the_changelog_describes_this_version():
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_server_keeps_to_itself():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["maxUploadSize"] == 500
    assert settings["server"]["address"] == "localhost"
    assert "http" not in str(settings["theme"]), "fonts and colours come from this machine"


def test_the_readme_names_each_page_of_the_app_and_each_remedy():
    steps = README.split("## The app")[1].split("\n\n")[1]
    assert all(label in steps for label in all_labels())
    rows = re.findall(r"^\| (\w+) \|", README.split("## Trying remedies")[1].split("\n## ")[0], re.MULTILINE)
    assert rows[1:] == [*(page.label for page in remedy_pages()), "Compare"]


def test_the_readme_shows_how_many_rows_remedies_take():
    assert f"up to {MAX_ROWS:,} rows" in README.split("## Limits")[1]
