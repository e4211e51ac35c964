"""The front page and every step as they look before there is any data."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
STEPS = ["", *sorted(path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("*.py"))]


def test_pages_are_accessible_and_fit_wide_and_narrow(page, go, assert_accessible, assert_fits):
    for step in STEPS:
        page.set_viewport_size({"width": 1280, "height": 1000})
        go(page, step)
        assert_accessible(page)
        page.set_viewport_size({"width": 400, "height": 900})
        assert_fits(page)
        assert_accessible(page)


def test_front_page_says_what_it_answers_and_what_it_does_not_claim(page, go):
    go(page)
    expect(page.get_by_role("heading", name="What it answers")).to_be_visible()
    expect(page.get_by_role("heading", name="What it does not claim")).to_be_visible()
