"""Without a mouse, at twice the size, with forced colours, without motion: the way from the front page to a report."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from auditor import Auditor
from playwright.sync_api import Page, TimeoutError, expect

from fairaudit.findings import Message
from fairaudit.messages import say

# So many times a person presses Tab to come to what they look for; no page has as many controls before it.
MOST_TABS = 120
REST_MS = 20_000
FOCUSED = """
() => {
    const here = document.activeElement, looks = [];
    // Who draws the focus may be the element, or one of the few that it stands in.
    for (let part = here, i = 0; part && i < 4; part = part.parentElement, i++) {
        const style = getComputedStyle(part);
        looks.push(style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0, style.boxShadow !== 'none');
    }
    const name = here.getAttribute('aria-label') || here.innerText || '';
    return {name: name.trim(), tag: here.tagName, shown: looks.some(Boolean)};
}
"""
# What is without motion has jumped to its end by the next frame; what moves goes on.
AT_REST = "() => document.getAnimations().every(one => one.playState !== 'running')"


@pytest.fixture
def come_with(chromium, app_url, settle):
    """Return a function that sends a person with special settings of the browser to the front page."""
    contexts = []

    def come(width: int = 1280, **settings) -> Auditor:
        context = chromium.new_context(viewport={"width": width, "height": 900}, **settings)
        context.set_default_timeout(180_000)
        contexts.append(context)
        return Auditor(context.new_page(), app_url, settle)

    yield come
    for context in contexts:
        context.close()


def tab_to(page: Page, wanted: Callable[[str], bool]) -> None:
    """Press Tab until what is looked for has the focus; each stop on the way is seen."""
    passed = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUSED)
        assert here["tag"] == "BODY" or here["shown"], f"the focus on {here} cannot be seen"
        passed.append(here["name"])
        if wanted(here["name"]):
            return
    pytest.fail(f"Tab comes by {passed}")


def test_keyboard_alone_leads_to_a_report(come_with):
    auditor = come_with(reduced_motion="reduce")
    page = auditor.page
    tab_to(page, lambda name: name == say(Message("front-open")))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("fairaudit")
    auditor.settle()
    tab_to(page, lambda name: name.endswith("Go to the report"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{auditor.url}/Report")
    auditor.settle()
    tab_to(page, lambda name: name.endswith("Make the report"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Report (PDF)")).to_be_visible()
    auditor.settle()
    tab_to(page, lambda name: "PDF" in name)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".pdf")


def test_twice_the_size_needs_no_scrolling_sideways_and_nothing_moves(come_with, assert_fits, assert_accessible):
    # A window of 1280 pixels shows 640 of a page at 200 %, and 320 at 400 %.
    auditor = come_with(640, device_scale_factor=2, reduced_motion="reduce")
    assert_fits(auditor.page)
    auditor.open_sample("berkeley_1973")
    for step in ("Check", "Data", "Groups", "Errors", "Remedies", "Report"):
        auditor.go(step)
        auditor.settle()
        assert_fits(auditor.page)
        assert_accessible(auditor.page, colours=False)
        try:
            auditor.page.wait_for_function(AT_REST, timeout=REST_MS)
        except TimeoutError:
            pytest.fail(f"something moves on {step}")
    auditor.go("Check")
    auditor.resize(320)
    assert_fits(auditor.page)


def test_forced_colours_leave_edges_where_colours_were(come_with):
    auditor = come_with(forced_colors="active", reduced_motion="reduce")
    auditor.open_sample("berkeley_1973")
    border = "part => parseFloat(getComputedStyle(part).borderTopWidth)"
    for part in (auditor.main.locator(".fairaudit-chip").first, auditor.main.locator(".st-key-first_step a").first):
        expect(part).to_be_visible()
        assert part.evaluate(border) > 0
    button = auditor.sidebar.get_by_role("link").first
    assert button.evaluate("part => getComputedStyle(part).forcedColorAdjust") == "auto"
