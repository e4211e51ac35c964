"""Column names and values that would run, format or break a page are shown as the text they are."""

from __future__ import annotations

import csv
import io
import itertools

import pytest
from playwright.sync_api import expect

SCRIPT = "</style><script>alert(1)</script>"
FORMULA = "=cmd()"
STATEMENT = "drop table"
EMOJI = "🦊" * 300
MARKDOWN = "**bold** $x$ :red[a]"
GOOD = "<img src=x onerror=alert(2)> granted"
IMAGE = "![x](http://evil.example/x.png)"


@pytest.fixture
def hostile_table() -> str:
    """Return a CSV file whose decision, prediction, groups and strata all have hostile names."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow([SCRIPT, FORMULA, STATEMENT, EMOJI, MARKDOWN])
    for i, (good, group) in enumerate(itertools.product((True, True, False), ("=1+1", IMAGE))):
        for j in range(40):
            predicted = (i + j) % 3 != 0
            writer.writerow(
                [GOOD if good else "no", group, GOOD if predicted else "no", j % 2, "*s*" if j % 5 else "_t_"]
            )
    return stream.getvalue()


def test_hostile_names_are_text_on_every_page(auditor, hostile_table):
    dialogs = []
    auditor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

    def look(*texts: str) -> None:
        auditor.settle()
        auditor.expect_text(*texts)
        main = auditor.page.get_by_test_id("stApp")
        for made in (
            "script:has-text('alert')",
            "img[src*='evil'], img[src='x']",
            ".katex",
            "mark",
            "strong:text-is('bold')",
        ):
            expect(main.locator(made)).to_have_count(0)
        assert not dialogs

    auditor.go("Data")
    auditor.upload_csv("hostile", hostile_table)
    auditor.choose("Decision column", SCRIPT)
    auditor.choose("Good for the person", GOOD)
    auditor.open_more()
    prediction = auditor.unfold("Prediction or score, if there is one")
    auditor.choose("Prediction column", STATEMENT, within=prediction)
    auditor.choose("Good prediction", GOOD, within=prediction)
    auditor.choose("Protected columns", FORMULA, MARKDOWN)
    look(f"had the result “{GOOD}”")

    auditor.go("Groups")
    auditor.turn("Pick values")
    auditor.choose("Column", FORMULA)
    auditor.choose("Protected group", IMAGE)
    auditor.type("Filter (empty: every row)", f'"{STATEMENT}" IS NOT NULL AND "{MARKDOWN}" <> \'none\'')
    look(f"People whose {FORMULA} is “{IMAGE}”", f"{MARKDOWN} is not none")

    auditor.go("Check")
    look(GOOD, IMAGE)
    auditor.tab("Similar cases")
    auditor.choose("Cases are similar in", MARKDOWN)
    look("*s*", "_t_")
    auditor.tab("How it is computed")
    look(SCRIPT)

    auditor.go("Errors")
    auditor.main.get_by_role("button", name="Change", exact=True).click()
    form = auditor.page.get_by_test_id("stPopoverBody")
    auditor.choose("Compare the groups of", MARKDOWN, within=form)
    auditor.page.keyboard.press("Escape")
    look("*s*")

    auditor.go("Report")
    auditor.make_report()
    look(SCRIPT, MARKDOWN)
    assert auditor.download("Annexes (PDF)").startswith(b"%PDF")
    assert b"\n=cmd" not in auditor.download("Tables (CSV, zip)")
