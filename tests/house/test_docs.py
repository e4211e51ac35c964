"""What the documents, the changelog and the requirement files say is so."""

from __future__ import annotations

import re
import tomllib

import pytest
from manual_pages import DOCUMENTS, name_of
from sources import APP_FILES, PACKAGE_FILES, ROOT

from fairaudit.cli.sign import PASSPHRASE
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.settings import SETTINGS
from fairaudit.study.divided import MAX_ROWS
from fairaudit.version import __version__
from ui.remedies.registry import remedy_pages

README = (ROOT / "README.md").read_text(encoding="utf-8")


def headings(path) -> set[str]:
    """Return the anchors of a Markdown file."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=name_of)
def test_each_relative_link_leads_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (document.parent / path).resolve() if path else document
        assert found.exists(), f"{target} is not there"
        if anchor:
            assert anchor in headings(found), f"{target}: there is no such heading"


def test_every_setting_from_the_environment_is_one_of_the_table():
    code = "".join(path.read_text(encoding="utf-8") for path in [*PACKAGE_FILES, *APP_FILES])
    # Names at the end of which one of a setting is put.
    # One is no setting of the server, but holds the secret of a command.
    known = {PASSPHRASE, *(each.variable for each in SETTINGS)}
    assert set(re.findall(r"\bFAIRAUDIT_[A-Z_]+", code)) <= known


def test_the_changelog_describes_this_version():
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_server_keeps_to_itself():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["maxUploadSize"] == 500
    assert settings["server"]["address"] == "localhost"
    assert "http" not in str(settings["theme"]), "fonts and colours come from this machine"


def test_the_table_of_remedies_names_each_page():
    rows = re.findall(r"^\| \[([\w ]+)\]\(", manual("remedies/choosing.md"), re.MULTILINE)
    assert rows == [*(page.title for page in remedy_pages()), say(Message("remedy-way-compare"))]


def test_the_manual_says_how_many_rows_remedies_take():
    assert f"up to {MAX_ROWS:,} rows" in manual("limits.md")
    assert f"up to {MAX_ROWS:,} rows" in manual("remedies/choosing.md")


def test_the_readme_is_short_and_has_one_picture():
    assert len(README.splitlines()) <= 150
    assert README.count("![") == 1


def manual(name: str) -> str:
    """Return a document of the manual."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")
