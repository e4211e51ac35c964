"""The first screen of a result: one answer that is read in five seconds, with little beside it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

SAMPLES = ("berkeley_1973", "loans", "recidivism", "hiring_tool", "municipal_pay", "stop_and_frisk")
ANSWERED = (
    ("recidivism", "Errors"),
    ("recidivism_worst", "Worst groups"),
    ("berkeley_1973_explained", "What explains it"),
    ("municipal_pay_explained", "What explains it"),
    ("stop_and_frisk_halves", "Change over time"),
    ("stop_and_frisk_searches", "Searches and inspections"),
)
FITS = (
    ("recidivism_rules", "Thresholds", ("Train and find thresholds",)),
    ("recidivism_rules", "Equalize", ("Make this score",)),
    ("recidivism_rules", "Constraints", ("Add this limit", "Train to these limits")),
    ("recidivism_rules", "Rules", ("Find rules",)),
    ("recidivism_rules", "Trees", ("Find a tree",)),
    ("municipal_pay_tree", "Trees", ("Find a tree",)),
)
WIDTH, HEIGHT, PHONE = 1440, 900, (400, 850)
MOST_WORDS, MOST_NUMBERS, MOST_CONTROLS = 90, 10, 8

# What stands in the main area above the fold, without charts, tables, what is folded, and what controls are called.
# A field is one control, with all that opens and clears it.
IN_SIGHT = """
height => {
    const main = document.querySelector('[data-testid=stMain]');
    const shown = part => {
        const box = part.getBoundingClientRect(), style = getComputedStyle(part);
        const folded = [...main.querySelectorAll('details:not([open])')].some(
            fold => fold.contains(part) && !fold.querySelector('summary').contains(part));
        return box.width > 2 && box.height > 2 && box.top < height && style.visibility !== 'hidden' && !folded;
    };
    const apart = 'svg, canvas, table, style, script, [data-testid=stIconMaterial], button, a[href], summary, label';
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) {
        const part = walker.currentNode.parentElement;
        if (walker.currentNode.textContent.trim() && !part.closest(apart) && shown(part))
            texts.push(walker.currentNode.textContent);
    }
    const controls = [...main.querySelectorAll('button, a[href], input, textarea, summary, [role=tab]')].filter(shown);
    const outer = controls.filter(part => !controls.some(other => other !== part && other.contains(part)));
    const field = '[data-testid=stSelectbox], [data-testid=stMultiSelect]';
    return [texts.join(' '), new Set(outer.map(part => part.closest(field) ?? part)).size];
}
"""


def assert_little(auditor, assert_fits, *, way_on="Go to the report"):
    """Fail where a result is not said on the first screen, wide and narrow, or where much stands beside it."""
    text, controls = auditor.page.evaluate(IN_SIGHT, HEIGHT)
    words, numbers = re.findall(r"[A-Za-z][A-Za-z'’-]*", text), re.findall(r"\d[\d.,]*", text)
    measured = f"{len(words)} words, {len(numbers)} numbers, {controls} controls: {text}"
    assert len(words) <= MOST_WORDS, measured
    assert len(numbers) <= MOST_NUMBERS and controls <= MOST_CONTROLS, measured
    assert auditor.main.locator(".fairaudit-chip").count() == 1
    chart = auditor.main.get_by_test_id("stVegaLiteChart").first.bounding_box()
    assert chart["y"] < HEIGHT
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
    auditor = new_auditor(WIDTH)
    auditor.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    return auditor


@pytest.mark.parametrize("sample", SAMPLES)
def test_check_says_its_answer_on_the_first_screen_and_little_else(wide, assert_fits, sample):
    wide.open_sample(sample)
    wide.settle()
    assert_little(wide, assert_fits)


@pytest.mark.parametrize(("sample", "page"), ANSWERED)
def test_a_question_of_a_saved_audit_is_answered_on_the_first_screen(wide, assert_fits, sample, page):
    wide.open_sample(sample)
    wide.go(page)
    if page == "Worst groups":
        wide.press("Search")
        wide.expect_answer()
    wide.settle()
    assert_little(wide, assert_fits)


@pytest.mark.parametrize(("sample", "page", "presses"), FITS)
def test_what_a_remedy_does_is_said_on_the_first_screen(wide, assert_fits, sample, page, presses):
    wide.open_sample(sample)
    wide.go(page)
    for press in presses:
        wide.press(press)
    wide.expect_answer()
    assert_little(wide, assert_fits, way_on=say(Message("remedy-way-compare")))
