"""Each page of the app has a document of the manual, which a dialog can show."""

from __future__ import annotations

import re

import pytest
from places import ROOT

from ui.manual import DOCUMENTS, FOLDER, all_titles, page_name, readable

SITE_ALONE = {
    "index.md",
    "reference.md",
    "samples.md",
    "security.md",
    "contributing.md",
    "changelog.md",
    "benchmarks.md",
}
"""What the site puts together from other files."""


def test_each_page_has_its_document_and_every_other_one_can_be_chosen():
    pages = {page_name(path) for path in [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]}
    assert set(DOCUMENTS) == pages
    written = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md")} - SITE_ALONE - {"forms/local.md"}
    assert set(all_titles()) == written >= set(DOCUMENTS.values())
    assert len(set(all_titles().values())) == len(written), "titles are chosen from a list"


@pytest.mark.parametrize("document", all_titles())
def test_a_document_is_drawn_as_it_reads(document):
    text = (FOLDER / document).read_text(encoding="utf-8")
    shown = re.sub(r"^```.*?^```$", "", readable(text), flags=re.DOTALL | re.MULTILINE)
    assert text.startswith("# ") and all_titles()[document] in shown
    assert "![" not in shown, "pictures are left to the site"
    assert not re.search(r"\]\((?!https?://)", shown), "other documents are chosen above it"
    plain = re.sub(r"`[^`]*`|https?://\S+", "", shown)
    assert "$" not in plain and not re.search(r":\w[\w-]*:", plain), "what Streamlit would draw as something else"
