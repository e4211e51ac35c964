"""The form of a rule: from the sample to the page that is published and the chapter in the PDF."""

from __future__ import annotations

import pytest
from auditor import rows_of, text_of_pdf
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_bias_audit_of_a_hiring_tool_is_filled_published_and_in_the_report(
    auditor, assert_accessible, look, tmp_path
):
    auditor.open_sample("hiring_tool")
    auditor.go("Legal forms")
    expect(auditor.main.locator(".fairaudit-chip")).to_contain_text("below 0.80")
    shown = auditor.expect_answer()
    assert_accessible(auditor.page)
    auditor.open_form()
    auditor.more()
    look(auditor)

    files = auditor.main.locator(".st-key-form_more").get_by_test_id("stDownloadButton")
    files = files.filter(has_text="Download as CSV")
    rows = rows_of(auditor.download("Download as CSV", within=files.first))
    assert [(row["group_1"], row["n"]) for row in rows] == [("Female", "1614"), ("Male", "2034")]

    auditor.main.get_by_role("button", name="Download the form", exact=True).click()
    page = auditor.download("Page (HTML)", within=auditor.page.get_by_test_id("stPopoverBody")).decode()
    alone = auditor.page.context.new_page()
    try:
        alone.set_content(page)
        expect(alone.get_by_role("table")).to_have_count(3)
        expect(alone.get_by_role("term").first).to_have_text("Date of the bias audit")
        assert_accessible(alone)
    finally:
        alone.close()

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for claim in (shown, "6 RCNY § 5-301", "not legal advice", "EEOC Uniform Guidelines"):
        assert claim in text, claim


def test_a_form_of_the_report_keeps_its_values_and_changes_on_the_page(auditor):
    auditor.open_sample("hiring_tool")
    auditor.go("Legal forms")
    auditor.open_form()
    box = auditor.main.get_by_test_id("stMultiSelect").filter(has_text="Race/ethnicity: counted as unknown")
    # The table is read with that answered, so the form has nothing to ask: they count as empty cells do.
    expect(box).to_be_visible()
    expect(box).not_to_contain_text("Unknown")
    auditor.choose("Race/ethnicity", "sex")
    expect(auditor.main.get_by_text("needs different columns")).to_be_visible()
    auditor.choose("Race/ethnicity", "race_ethnicity")
    expect(auditor.said).to_be_visible()
    auditor.open_form()
    auditor.more()
    expect(auditor.main.locator(".st-key-form_more")).to_contain_text("352")
    expect(box).not_to_contain_text("Unknown")
    ticked = auditor.main.get_by_role("checkbox", name="Put this in the report")
    expect(ticked).to_be_checked()
    day = auditor.main.get_by_role("group", name="Date of the bias audit")
    day.get_by_role("spinbutton", name="year").click()
    auditor.page.keyboard.type("20310101")
    auditor.type("Source of the data", "all of 2030")
    auditor.go("Report")
    auditor.go("Legal forms")
    auditor.open_form()
    expect(day).to_have_text("2031-01-01")
    expect(auditor.main.get_by_label("Source of the data")).to_have_value("all of 2030")
    expect(ticked).to_be_checked()


def test_sentences_at_the_end_of_a_table_do_not_make_its_rows_tall_in_a_narrow_window(auditor, assert_fits):
    auditor.open_sample("hiring_tool")
    auditor.go("Legal forms")
    auditor.open_form()
    auditor.choose("Form", "EEOC Uniform Guidelines: adverse impact")
    auditor.resize(400)
    rows = auditor.main.get_by_test_id("stTable").locator("tbody tr")
    heights = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert len(heights) > 10 and max(heights) < 90, heights
    assert_fits(auditor.page)
