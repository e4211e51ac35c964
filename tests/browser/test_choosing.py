"""Saying who is compared without writing a condition, and choices that outlast a page which hides them for a while."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from fairaudit.findings import Count, Group, Message, Phrase
from fairaudit.messages import say

N_ASKED = 4
"""Questions of the sample about loans, and one more."""
FILTER = "Filter (empty: every row)"


def asked(place: int, title: str) -> str:
    """What the list of questions calls one of them."""
    return say(Message("asked-question", {"n": Count(place), "total": Count(N_ASKED), "asked": Phrase(title)}))


def test_filter_is_built_undone_and_cleared_mistakes_are_explained_and_values_are_picked(auditor, assert_accessible):
    groups = auditor
    groups.open_sample("loans")
    groups.go("Groups")
    text = groups.main.get_by_label(FILTER, exact=True)
    builder = groups.unfold("Build the filter step by step")
    expect(text).to_have_value("")

    groups.choose("Column", "income", within=builder)
    groups.choose("is", "is more than", within=builder)
    groups.main.get_by_label("Value", exact=True).fill("30000")
    groups.press("Add to the filter")
    expect(text).to_have_value("income > 30000")
    expect(groups.main.get_by_text("Would add")).to_have_count(0)

    groups.choose("Column", "employment", within=builder)
    groups.choose("Values", "employed", within=builder)
    groups.expect_text("Would add: employment is employed")
    groups.press("Add to the filter")
    expect(text).to_have_value("income > 30000 AND employment = 'employed'")
    groups.expect_text("income is more than 30000 and employment is employed")

    groups.press("Undo")
    expect(text).to_have_value("income > 30000")
    groups.press("Clear the filter")
    expect(text).to_have_value("")
    groups.expect_text("All 6,000 cases.")
    groups.press("Undo")
    expect(text).to_have_value("income > 30000")

    groups.type(FILTER, "incme > 30000")
    expect(groups.main.get_by_role("alert").first).to_contain_text("incme")
    expect(groups.main.get_by_role("alert").first).to_contain_text("income")
    groups.expect_text("Still in use: income > 30000.")
    groups.type(FILTER, "income > 30000; DROP TABLE loans")
    groups.expect_text("Still in use: income > 30000.")
    groups.turn("Write a condition")
    groups.type("Protected: rows where", "sex = 'nobody'")
    groups.expect_text(say(Message("groups-empty", {"group": Group("people whose sex is nobody")})))
    assert_accessible(groups.page)
    groups.type(FILTER, "")

    groups.turn("Pick values")
    groups.choose("Column", "region")
    groups.choose("Protected group", "North", "South")
    groups.expect_text("region is North or South")
    groups.go("Check")
    expect(groups.said).to_contain_text("North")
    groups.go("Groups")
    chosen = groups.main.get_by_test_id("stMultiSelect").filter(has_text="Protected group")
    expect(chosen).to_contain_text("North")

    # Written, and then a press on the sidebar at once.
    text.fill("income > 40000")
    groups.go("Report")
    groups.go("Groups")
    expect(text).to_have_value("income > 40000")


def test_what_a_page_hides_for_a_while_comes_back_as_it_was_and_stays_in_the_report(auditor):
    auditor.open_sample("recidivism")
    auditor.go("Errors")
    expect(auditor.said).to_contain_text("wrongly flagged")
    auditor.main.get_by_role("button", name="Change", exact=True).click()
    form = auditor.page.get_by_test_id("stPopoverBody")
    form.get_by_role("combobox", name="Compare the groups of", exact=True).focus()
    with auditor.answered():
        auditor.page.keyboard.press("Backspace")
    auditor.expect_text(say(Message("errors-choose-columns")))
    expect(auditor.said).to_have_count(0)
    auditor.choose("Compare the groups of", "race", within=form)
    expect(auditor.said).to_contain_text("wrongly flagged")
    auditor.go("Report")
    auditor.more()
    expect(auditor.main.get_by_role("checkbox", name=re.compile("^Errors"))).to_be_checked()


def test_a_question_that_cannot_be_answered_changes_nothing_of_the_others(auditor):
    auditor.open_sample("loans")
    in_report = auditor.main.get_by_role("checkbox", name="Put this in the report")
    auditor.more()
    expect(in_report).to_be_checked()
    auditor.press("Ask another question")
    auditor.type(FILTER, "sex = 'man'")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "sex = 'woman'")
    auditor.go("Check")
    expect(in_report).to_have_count(0)
    auditor.choose("Question", asked(1, "All applications"))
    auditor.more()
    expect(in_report).to_be_checked()
    auditor.choose("Question", asked(4, "sex is woman"))
    expect(in_report).to_have_count(0)
    auditor.choose("Question", asked(1, "All applications"))
    auditor.more()
    expect(in_report).to_be_checked()
