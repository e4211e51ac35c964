"""The front page and every step as they look before there is any data."""

from __future__ import annotations

from places import ROOT
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

STEPS = sorted(path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("*.py"))


def test_front_page_asks_for_a_table_and_all_pages_are_accessible_and_fit_wide_and_narrow(auditor, look):
    for heading in (say(Message("front-question")), "Bring a table"):
        expect(auditor.main.get_by_role("heading", name=heading)).to_be_visible()
    # All but the first step is locked: the front page and Data are the only links.
    expect(auditor.sidebar.get_by_role("link")).to_have_count(2)
    look(auditor)
    for step in STEPS:
        auditor.come(step)
        look(auditor)
