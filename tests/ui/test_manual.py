"""Each page of the app has a document of the manual, which a dialog can show."""

from __future__ import annotations

import re

import pytest
from places import ROOT

from ui.manual import DOCUMENTS, FOLDER, page_name, read_on, readable, title_of

SHOWN = sorted(set(DOCUMENTS.values()))


def test_each_page_has_its_document():
    pages = {page_name(path) for path in [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]}
    assert set(DOCUMENTS) == pages
    assert all((FOLDER / document).exists() for document in SHOWN)


def reached() -> list[str]:
    """Return all documents that a person comes to from the pages of the app."""
    found, new = set(), set(SHOWN)
    while new:
        found |= new
        new = {name for each in new for name in read_on(each, (FOLDER / each).read_text(encoding="utf-8"))} - found
    return sorted(found)


@pytest.mark.parametrize("document", reached())
def test_a_document_is_drawn_as_it_reads(document):
    text = (FOLDER / document).read_text(encoding="utf-8")
    shown = re.sub(r"^```.*?^```$", "", readable(text), flags=re.DOTALL | re.MULTILINE)
    assert text.startswith("# ") and title_of(FOLDER / document) in shown
    assert "![" not in shown, "pictures are left to the site"
    assert not re.search(r"\]\((?!https?://)", shown), "other documents stand below it, as buttons"
    plain = re.sub(r"`[^`]*`|https?://\S+", "", shown)
    assert "$" not in plain and not re.search(r":\w[\w-]*:", plain), "what Streamlit would draw as something else"


def test_every_page_of_a_method_is_reached_from_the_app():
    paths = [path for part in ("methods", "remedies", "forms") for path in (FOLDER / part).glob("*.md")]
    written = {path.relative_to(FOLDER).as_posix() for path in paths if title_of(path)}
    assert written <= set(reached())
