"""What follows a verdict: which groups fare worst, and whether it changed."""

from __future__ import annotations

import re

import pytest
from auditor import FIT_S, text_of_pdf
from playwright.sync_api import expect

from fairaudit.findings import Count, Message
from fairaudit.messages import say

pytestmark = pytest.mark.browser


def test_worst_groups_are_searched_and_asked_about(auditor, assert_accessible, look, tmp_path):
    auditor.open_sample("recidivism_worst")
    auditor.go("Worst groups")
    auditor.press("Search")
    chip = auditor.main.locator(".fairaudit-chip")
    expect(chip).to_have_text(say(Message("verdict-groups-stand-out", {"n": Count(3)})), timeout=FIT_S * 1000)
    auditor.settle()
    said = auditor.main.get_by_role("heading", level=1).inner_text()
    assert_accessible(auditor.page)
    auditor.unfold(say(Message("worst-more")))
    look(auditor)

    auditor.press(auditor.main.locator(".st-key-worst_ask_worst button").inner_text())
    expect(auditor.page).to_have_url(re.compile("/Check$"))

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    assert " ".join(said.split()) in text


def test_two_halves_of_a_year_are_compared_and_cut_anew(auditor, assert_accessible, look):
    auditor.open_sample("stop_and_frisk_halves")
    auditor.go("Change over time")
    expect(auditor.main.get_by_role("heading", level=1)).to_contain_text("the gap between")
    auditor.expect_text(say(Message("verdict-gap-may-not-have-changed")))
    assert_accessible(auditor.page)
    look(auditor)
    auditor.unfold(say(Message("change-more")))
    auditor.expect_text(say(Message("change-recorded-alike")))
    auditor.type("Cut at", "2012-04-01, 2012-07-01, 2012-10-01")
    auditor.expect_text("over 4 periods")
    auditor.type("Cut at", "2030-01-01")
    auditor.expect_text("No row of column")
