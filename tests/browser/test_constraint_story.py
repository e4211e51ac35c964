"""Constraints as people meet them: said in two ways, trained in sight, compared, and put in the report."""

from __future__ import annotations

import re
import tomllib

from auditor import FIT_S, text_of_pdf
from playwright.sync_api import expect
from test_stories import adult_audit

MET = re.compile(r"All 2 constraints are met on the tuning rows")


def test_adult_is_trained_under_two_constraints_compared_and_reported(auditor, shared_data, tmp_path):
    adult_audit(auditor, shared_data("adult.csv.gz"))
    auditor.go("Constraints")
    auditor.learn()
    auditor.choose("What must be alike", "Share predicted positive")
    auditor.turn("Values of columns")
    auditor.choose("Columns", "sex", within=auditor.main.locator(".st-key-constraints_form"))
    auditor.type("Largest difference, in points", "5")
    auditor.press("Add this constraint")
    auditor.turn("As text")
    box = auditor.main.get_by_label("Constraints, one a line", exact=True)
    expect(box).to_have_value("sp by sex <= 0.05")
    box.fill("sp by sex <= 0.05\nfnr bi sex <= 20%")
    box.press("Control+Enter")
    expect(auditor.main.get_by_role("alert").filter(has_text="Expected 'by'")).to_be_visible()
    box.fill("sp by sex <= 0.05\nfnr by sex <= 20%")
    box.press("Control+Enter")
    expect(box).to_have_value("sp by sex <= 0.05\nfnr by sex <= 0.2")
    auditor.settle()

    auditor.press("Train under these constraints")
    # A quick machine may have ended the search before it is looked at.
    live = auditor.main.get_by_text("Best so far", exact=True)
    ended = auditor.main.get_by_role("heading", name=MET)
    expect(live.or_(ended).first).to_be_visible(timeout=FIT_S * 1000)
    answer = auditor.expect_answer()
    expect(auditor.main.get_by_role("heading", name=MET)).to_be_visible()
    auditor.expect_text("On the held-out rows")

    auditor.go("Compare")
    row = auditor.main.get_by_test_id("stTable").get_by_role("row").filter(has_text="Constrained logistic regression")
    expect(row).to_have_count(1)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("PDF"), tmp_path)
    assert answer in text and "Share of positive predictions by sex" in text
    plan = tomllib.loads(auditor.download("Plan (TOML)").decode())
    assert [remedy["constraints"] for remedy in plan["remedies"]] == [["sp by sex <= 0.05", "fnr by sex <= 0.2"]]
