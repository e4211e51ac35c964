"""The front door, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def test_front_page_says_what_it_answers_and_what_it_does_not_claim(page, go):
    go(page)
    expect(page.get_by_role("heading", name="What it answers")).to_be_visible()
    expect(page.get_by_role("heading", name="What it does not claim")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 400])
def test_front_page_is_accessible_and_fits_its_width(open_page, go, assert_accessible, width):
    page = open_page(width=width)
    go(page)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
