"""How much of a screen pages take before anything is opened, for a person who has answered what they ask."""

from __future__ import annotations

import pytest
from auditor import FIT_S
from playwright.sync_api import expect

from fairaudit.findings import Count, Message
from fairaudit.messages import say

WIDTH, HEIGHT = 1440, 900
SMALL_WIDTH = 1024
MOST_SCREENS = 2
STEPS = ("Data", "Groups", "Check", "Errors", "Remedies", "Legal forms", "Report")
TALL = "[data-testid=stMainBlockContainer]"
# Charts follow a window that has changed a moment later.
SHORT = "([part, most]) => document.querySelector(part).getBoundingClientRect().height <= most"
LAST_COLUMN_SHOWS = """
([table, scrolled]) => {
    table.scrollIntoView({block: 'center'});
    table.parentElement.scrollTo(scrolled, 0);
    const cells = [[...table.querySelectorAll('th')].at(-1), [...table.querySelectorAll('td')].at(-1)];
    return table.parentElement.scrollLeft === scrolled && cells.every(cell => {
        const box = cell.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
        // Also at its edges nothing else lies over it.
        return [box.left + 2, box.right - 2].every(x => cell.contains(document.elementFromPoint(x, middle)));
    });
}
"""
BUTTON = ".st-key-first_step a"
PHONE_WIDTH = 400
FITS = (
    ("Thresholds", "Train and find thresholds", None),
    ("Equalize", "Make this score", None),
    ("Constraints", "Add this limit", "Train to these limits"),
    ("Rules", "Find rules", None),
    ("Trees", "Find a tree", None),
)


@pytest.fixture
def wide(new_auditor):
    """A person with a window of the usual size."""
    auditor = new_auditor(WIDTH)
    auditor.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    return auditor


def assert_short(auditor):
    """Fail where a page is longer than two screens."""
    tall = auditor.page.locator(TALL).bounding_box()["height"]
    assert tall <= MOST_SCREENS * HEIGHT, f"{auditor.page.url} is {tall:.0f} pixels long"


def assert_short_where_small(auditor):
    """Fail where a page is longer than two screens in a small window."""
    auditor.page.set_viewport_size({"width": SMALL_WIDTH, "height": HEIGHT})
    auditor.page.wait_for_function(SHORT, arg=[TALL, MOST_SCREENS * HEIGHT])
    auditor.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})


def careless():
    """Return a table with days as text, three columns spelled in several ways, repeated rows and odd codes."""
    rows = [
        f"{i},{i % 12 + 1:02d}/{i % 28 + 1:02d}/2024,{('woman', 'man', 'Man')[i % 3]},"
        f"{('North', 'north', 'South')[i % 3]},{'?' if i % 9 == 0 else 'a'},"
        f"{-999 if i % 7 == 0 else 20 + i % 40},{'' if i % 4 == 0 else 'x'},Graz,"
        f"{('yes', 'no', 'Yes', 'no')[i % 4]}"
        for i in range(400)
    ]
    return "\n".join(("number,day,sex,district,code,age,grade,town,granted", *rows, *rows[:30]))


def assert_leads_on(auditor):
    """Fail where the answer and what leads on from it are not on the first screen."""
    for part in (auditor.answer, auditor.page.get_by_role("link", name="Go to the report").last):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= HEIGHT, f"{auditor.page.url}: {part} is below the first screen"


def test_pages_of_an_audit_are_at_most_two_screens_long(wide):
    wide.open_sample("recidivism")
    for step in STEPS:
        wide.go(step)
        assert_short(wide)
        if step in ("Check", "Errors"):
            assert_leads_on(wide)
            assert_short_where_small(wide)


def test_a_table_with_many_findings_is_at_most_two_screens_long(wide, assert_fits):
    wide.go("Data")
    wide.upload_csv("careless", careless())
    wide.choose("Decision column", "granted")
    wide.choose("Good for the person", "yes")
    wide.settle()
    assert_short(wide)
    wide.open_more()
    wide.expect_text(say(Message("data-presses", {"n": Count(5)})))
    assert_short(wide)
    assert_short_where_small(wide)
    wide.unfold("One by one")
    wide.press("Leave repeated rows out")
    expect(wide.main.get_by_role("button", name="Take them in again")).to_be_visible()
    wide.press("Do all of these")
    expect(wide.main.get_by_role("button", name="Undo all of these")).to_be_visible()
    wide.resize(PHONE_WIDTH)
    assert_fits(wide.page)


def test_what_a_search_found_is_on_the_first_screen(wide):
    wide.open_sample("recidivism_worst")
    wide.go("Worst groups")
    assert_short(wide)
    wide.press("Search")
    expect(wide.main.locator(".fairaudit-chip")).to_be_visible(timeout=FIT_S * 1000)
    wide.settle()
    assert_short(wide)
    assert_leads_on(wide)


def test_what_a_remedy_did_is_at_most_two_screens_long_with_its_chart_on_the_first(wide):
    wide.open_sample("recidivism_rules")
    wide.go("Retrain")
    wide.choose_quick_models()
    wide.press("Retrain")
    wide.expect_answer()
    chart = wide.main.get_by_test_id("stVegaLiteChart").first.bounding_box()
    # Below the figures stand the title of the axis and the legend.
    assert chart["y"] + 0.75 * chart["height"] <= HEIGHT
    ways = wide.main.locator(".st-key-remedies_ways").bounding_box()
    assert ways["y"] + ways["height"] <= HEIGHT
    assert_short_where_small(wide)
    for tab in ("All groups", "Which decisions change", "All pairs of models"):
        wide.tab(tab)
        assert_short(wide)
    wide.go("Compare")
    assert_short(wide)
    box = wide.main.locator(BUTTON).bounding_box() if wide.main.locator(BUTTON).count() else None
    assert box is None or box["y"] + box["height"] <= HEIGHT
    assert_short_where_small(wide)


@pytest.mark.parametrize(("step", "first", "button"), FITS)
def test_forms_of_remedies_and_what_they_found_are_at_most_two_screens_long(wide, assert_fits, step, first, button):
    wide.open_sample("recidivism_rules")
    wide.go(step)
    wide.press(first)
    if button:
        wide.press(button)
    wide.expect_answer()
    assert_short(wide)
    assert_short_where_small(wide)
    wide.resize(PHONE_WIDTH)
    assert_fits(wide.page)


@pytest.mark.parametrize("sample", ["hiring_tool", "municipal_pay_forms", "recidivism"])
def test_forms_of_rules_are_answered_on_the_first_screen(wide, sample):
    wide.open_sample(sample)
    wide.go("Legal forms")
    assert_short(wide)
    if sample == "recidivism":
        # Which law asks about decisions, nothing in a table says: the person does.
        wide.choose("Form", "EEOC Uniform Guidelines: adverse impact")
        expect(wide.answer).to_be_visible()
        wide.settle()
        assert_short(wide)
    assert_leads_on(wide)


@pytest.mark.parametrize(
    ("sample", "step"),
    [
        ("berkeley_1973_explained", "What explains it"),
        ("stop_and_frisk_halves", "Change over time"),
        ("stop_and_frisk_searches", "Searches and inspections"),
        ("municipal_pay_explained", "What explains it"),
    ],
)
def test_questions_beside_the_check_are_answered_on_the_first_screen(wide, sample, step):
    wide.open_sample(sample)
    wide.go(step)
    assert_short(wide)
    assert_leads_on(wide)


def test_the_reading_of_each_group_stays_in_sight_in_a_narrow_window(auditor, assert_fits):
    auditor.open_sample("recidivism")
    auditor.resize(PHONE_WIDTH)
    for tab in ("All groups", "Similar cases"):
        auditor.tab(tab)
        table = auditor.main.get_by_role("table").filter(has_text="reading", visible=True).first
        # The rest of the table scrolls, and its last column stands still. What is drawn above it later moves it away.
        for scrolled in (0, 120):
            auditor.page.wait_for_function(LAST_COLUMN_SHOWS, arg=[table.element_handle(), scrolled])
        assert_fits(auditor.page)
