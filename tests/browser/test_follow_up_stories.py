"""What follows a verdict: where it is worst, and whether it changed."""

from __future__ import annotations

import re

import pytest
from auditor import FIT_S, text_of_pdf
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

pytestmark = pytest.mark.browser


def test_the_worst_subgroups_are_searched_mapped_and_asked_about(auditor, assert_accessible, look, tmp_path):
    auditor.open_sample("recidivism_worst")
    auditor.go("Where is it worst?")
    auditor.press("Search")
    verdict = auditor.main.get_by_role("heading", name=re.compile("stands? out beyond chance"))
    expect(verdict).to_be_visible(timeout=FIT_S * 1000)
    auditor.settle()
    said = verdict.inner_text()
    assert_accessible(auditor.page)
    auditor.tab("How far this can be trusted")
    look(auditor)
    auditor.tab("Go on with one")
    first = auditor.main.locator(".st-key-worst_subgroup_0")
    sentence = first.get_by_role("paragraph").first.inner_text()
    group = sentence.split(":")[0].removeprefix("1. ")

    auditor.press("Make this the protected group of a new question", within=first)
    expect(auditor.page.get_by_role("heading", name="Are like cases treated alike?")).to_be_visible()
    columns = [name.lower() for name in re.findall(r"(\w+) is ", group)]
    expect(auditor.sidebar).to_contain_text(
        re.compile(".*".join(["Compared", *columns, "against the rest"]), re.DOTALL)
    )

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("PDF"), tmp_path)
    for claim in ("Where is it worst?", said, sentence.removeprefix("1. ")):
        assert " ".join(claim.split()) in text, claim


def test_two_halves_of_a_year_are_compared_and_cut_anew(auditor, assert_accessible, look):
    auditor.open_sample("stop_and_frisk_halves")
    auditor.go("Did it change?")
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
