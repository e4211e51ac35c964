"""Every page draws in every state: no data, data without roles, a sample, data that do not fit the choices."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(sorted(path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py")))
SAMPLES = tuple(sorted(path.stem for path in (ROOT / "sample_data").glob("*.toml")))


@pytest.mark.parametrize("page", PAGES)
def test_page_without_data_says_what_is_missing_and_where_to_go(app, page):
    app.go(page)
    assert app.title
    if "Data" not in page:
        assert "no data yet" in app.text


@pytest.mark.parametrize("page", PAGES)
def test_page_opens_with_its_question(app, page):
    app.go(page)
    assert any(len(caption.value) > 60 for caption in app.main.caption), "a page begins with what it answers"


@pytest.mark.parametrize("sample", SAMPLES)
def test_sample_draws_on_every_page(app, sample):
    app.sample(sample)
    for page in PAGES:
        app.go(page)
        assert not app.error, [e.value for e in app.error]


@pytest.mark.parametrize("page", PAGES)
def test_page_with_data_but_no_choices_leads_on(app, csv, page):
    app.upload("t.csv", csv(sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20))
    app.go(page)
    assert not app.error
