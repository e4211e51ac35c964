"""Each page offers the document of the manual that explains it, and shows it on a press."""

from __future__ import annotations

import pytest
from places import ROOT

from ui.manual import DOCUMENTS, FOLDER, readable

PAGES = ["", *sorted(path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py"))]


@pytest.mark.parametrize("page", PAGES)
def test_page_shows_how_it_works(app, page):
    app.go(page).click("manual_open")
    document = DOCUMENTS[page or "app"]
    assert app.test.selectbox(key="manual_page").value == document
    text = readable((FOLDER / document).read_text(encoding="utf-8")).strip()
    assert text in [part.value for part in app.test.markdown]
