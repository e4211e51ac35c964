"""The front page and every step as they look before there is any data."""

from __future__ import annotations

from auditor import ADDRESSES
from places import ROOT
from playwright.sync_api import expect

# A step is called as its file is, where the sidebar has no other name for it.
NAMES = {address.removeprefix("/"): name for name, address in ADDRESSES.items()}
STEPS = sorted(NAMES.get(step, step) for step in (path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("*.py")))


def test_front_page_says_what_is_answered_and_all_pages_are_accessible_and_fit_wide_and_narrow(auditor, look):
    for heading in ("What it answers", "What it does not claim"):
        expect(auditor.main.get_by_role("heading", name=heading)).to_be_visible()
    look(auditor)
    for step in STEPS:
        auditor.go(step)
        look(auditor)
