"""Retraining as a person meets it: it goes on while they look at other pages, and what they keep is in the report."""

from __future__ import annotations

from playwright.sync_api import expect


def test_fit_goes_on_while_the_person_looks_at_another_page(auditor):
    auditor.open_sample("recidivism")
    auditor.go("Retrain")
    auditor.learn()
    auditor.press("Retrain")
    expect(auditor.main.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    auditor.go("Check")
    expect(auditor.sidebar.get_by_text("Retraining", exact=False)).to_be_visible()
    expect(auditor.sidebar.get_by_text("Retraining: finished.")).to_be_visible()
    auditor.go("Retrain")
    auditor.expect_answer()
    auditor.go("Groups")
    auditor.go("Retrain")
    auditor.expect_answer()
