"""Retraining as a person meets it: it goes on while they look at other pages, and what they keep is in the report."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

ANSWER = re.compile(r"held-out rows the gap went from")


def take_settings(auditor) -> None:
    """Say what models learn from, as suggested."""
    auditor.go("Retrain")
    auditor.press("Learn from these")
    auditor.expect_text("held out for the judgement")


def test_fit_goes_on_while_the_person_looks_at_another_page(auditor):
    auditor.open_sample("recidivism")
    take_settings(auditor)
    auditor.press("Retrain")
    expect(auditor.main.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    auditor.go("Check")
    expect(auditor.sidebar.get_by_text("Retraining", exact=False)).to_be_visible()
    expect(auditor.sidebar.get_by_text("Retraining: finished.")).to_be_visible()
    auditor.go("Retrain")
    expect(auditor.main.get_by_role("heading", name=ANSWER)).to_be_visible()
    auditor.go("Groups")
    auditor.go("Retrain")
    expect(auditor.main.get_by_role("heading", name=ANSWER)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 400])
def test_page_is_accessible_and_fits(new_auditor, assert_accessible, assert_fits, width):
    auditor = new_auditor(width)

    def look() -> None:
        auditor.settle()
        assert_fits(auditor.page)
        assert_accessible(auditor.page)

    auditor.open_sample("recidivism")
    auditor.go("Retrain")
    look()
    take_settings(auditor)
    auditor.press("Retrain")
    assert_accessible(auditor.page)
    expect(auditor.main.get_by_role("heading", name=ANSWER)).to_be_visible()
    auditor.unfold("The same as tables")
    auditor.unfold("What to keep in mind")
    look()
