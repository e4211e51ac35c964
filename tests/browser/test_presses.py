"""A press on a link right after something was written: the page changes, and what was written is kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

N_PRESSES = 10
FILTER = "Filter (empty: every row)"
NAME = "They are called"
NEXT = say(Message("groups-next"))


def write(box, text):
    """Write into a field as a hand does, and stay in it."""
    box.click()
    box.press("Control+a")
    box.press_sequentially(text)


def press(page, link, hold_ms):
    """Press and let go where a link is now, without waiting for anything."""
    box = link.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(hold_ms)
    page.mouse.up()


@pytest.mark.parametrize(("field", "way"), [(FILTER, "sidebar"), (NAME, "next")])
def test_presses_right_after_writing_arrive_and_what_was_written_is_kept(auditor, field, way):
    page, box = auditor.page, auditor.main.get_by_label(field, exact=True)
    steps = auditor.sidebar.get_by_role("link", name=re.compile("^3 Check"))
    link = steps if way == "sidebar" else auditor.main.get_by_role("link", name=NEXT)
    auditor.open_sample("loans")
    auditor.go("Groups")
    for n in range(N_PRESSES):
        text = f"income > {30_000 + 500 * n}" if field == FILTER else f"women, group {n}"
        write(box, text)
        link.scroll_into_view_if_needed()
        # A tap of a touchpad lasts no time, a press of a mouse about a tenth of a second.
        press(page, link, hold_ms=100 * (n % 2))
        expect(page).to_have_url(f"{auditor.url}/Check", timeout=20_000)
        auditor.settle()
        auditor.go("Groups")
        expect(box).to_have_value(text)


def test_escape_takes_no_choice_back_without_which_nothing_goes_on(auditor):
    auditor.open_sample("berkeley_1973")
    for page, label, chosen in (("Data", "Decision column", "decision"), ("Groups", "Column", "gender")):
        auditor.go(page)
        box = auditor.main.get_by_role("combobox", name=label, exact=True)
        expect(box).to_have_value(chosen)
        box.focus()
        auditor.page.keyboard.press("Escape")
        auditor.settle()
        expect(box).to_have_value(chosen)
