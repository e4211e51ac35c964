"""The site is built of all documents without a warning, and what it loads is its own."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from manual_pages import MANUAL
from places import ROOT

pytest.importorskip("furo", reason="what builds the site is not here (make docs)")
pytest.importorskip("myst_parser", reason="what builds the site is not here (make docs)")

DOCS = ROOT / "docs"
# A link may lead anywhere: a browser follows it only where a person does. All else is loaded at once.
LOADED = {"src", "srcset", "data", "poster", "action", "href"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site, as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html"]
    built = subprocess.run([*command, DOCS, folder], capture_output=True, text=True, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    return folder


class Loads(HTMLParser):
    """What a page loads without being asked."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        """Note each address that a browser would fetch."""
        self.found += [value for name, value in attrs if tag != "a" and name in LOADED and value]


def test_every_document_is_a_page(site):
    pages = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert {path.relative_to(DOCS).with_suffix("").as_posix() for path in MANUAL} <= pages


def test_no_page_loads_anything_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        assert not [address for address in loads.found if re.match(r"(\w+:)?//", address)], page.name
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:\w+:)?//[^)]*", text), sheet.name


def test_the_search_needs_no_server(site):
    assert (site / "searchindex.js").stat().st_size > 10_000
    page = (site / "search.html").read_text(encoding="utf-8")
    assert "searchindex.js" in page and "searchtools.js" in page
