"""The first screen of a result: one answer that is read in five seconds, with little beside it."""

from __future__ import annotations

import pytest
from first_screens import ANSWERED, FITS, HEIGHT, SAMPLES, WIDTH, count_first_screen, open_result
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

PHONE = (400, 850)
MOST_WORDS, MOST_NUMBERS, MOST_CONTROLS = 90, 10, 8


def assert_little(auditor, assert_fits, *, way_on="Go to the report"):
    """Fail where a result is not said on the first screen, wide and narrow, or where much stands beside it."""
    found = count_first_screen(auditor.page)
    assert found.n_words <= MOST_WORDS, found
    assert found.n_numbers <= MOST_NUMBERS and found.n_controls <= MOST_CONTROLS, found
    assert found.n_chips == 1
    assert found.chart_top is not None and found.chart_top < HEIGHT
    way = auditor.page.get_by_role("link", name=way_on).last.bounding_box()
    assert way["y"] + way["height"] <= HEIGHT

    auditor.page.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
    auditor.resize(PHONE[0])
    auditor.settle()
    expect(auditor.said).to_be_visible()
    said = auditor.said.bounding_box()
    assert said["y"] + said["height"] <= PHONE[1]
    assert_fits(auditor.page)
    ways = auditor.page.get_by_test_id("stBottom").locator("a, button")
    ends = [box["x"] + box["width"] for each in ways.all() if (box := each.bounding_box())]
    assert max(ends) <= PHONE[0], "what leads on is cut at the edge of a narrow screen"


@pytest.fixture
def wide(new_auditor):
    """A person with a window of the usual size."""
    return new_auditor(WIDTH)


@pytest.mark.parametrize("sample", SAMPLES)
def test_check_says_its_answer_on_the_first_screen_and_little_else(wide, assert_fits, sample):
    open_result(wide, sample, "Check")
    assert_little(wide, assert_fits)


@pytest.mark.parametrize(("sample", "page", "presses"), ANSWERED)
def test_a_question_of_a_saved_audit_is_answered_on_the_first_screen(wide, assert_fits, sample, page, presses):
    open_result(wide, sample, page, presses)
    assert_little(wide, assert_fits)


@pytest.mark.parametrize(("sample", "page", "presses"), FITS)
def test_what_a_remedy_does_is_said_on_the_first_screen(wide, assert_fits, sample, page, presses):
    open_result(wide, sample, page, presses)
    assert_little(wide, assert_fits, way_on=say(Message("remedy-way-compare")))
