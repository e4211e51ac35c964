"""What stands on the first screen of a result, counted: for tests, and for a table of all pages of the samples."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Page

SAMPLES = ("berkeley_1973", "loans", "recidivism", "hiring_tool", "municipal_pay", "stop_and_frisk", "appraisals")
ANSWERED = (
    ("recidivism", "Errors", ()),
    ("recidivism_worst", "Worst groups", ("Search",)),
    ("berkeley_1973_explained", "What explains it", ()),
    ("municipal_pay_explained", "What explains it", ()),
    ("stop_and_frisk_halves", "Change over time", ()),
    ("stop_and_frisk_searches", "Searches and inspections", ()),
    ("shortlists", "Rankings", ()),
    ("stop_and_frisk", "Watch", ()),
)
FITS = (
    ("recidivism_rules", "Thresholds", ("Train and find thresholds",)),
    ("recidivism_rules", "Equalize", ("Make this score",)),
    ("recidivism_rules", "Constraints", ("Add this limit", "Train to these limits")),
    ("recidivism_rules", "Rules", ("Find rules",)),
    ("recidivism_rules", "Trees", ("Find a tree",)),
    ("municipal_pay_tree", "Trees", ("Find a tree",)),
)
WIDTH, HEIGHT = 1440, 900

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


@dataclass(frozen=True)
class FirstScreen:
    """What a person meets above the fold."""

    text: str
    n_words: int
    n_numbers: int
    n_controls: int
    n_chips: int
    chart_top: float | None

    def __str__(self) -> str:
        return f"{self.n_words} words, {self.n_numbers} numbers, {self.n_controls} controls: {self.text}"


def count_first_screen(page: Page) -> FirstScreen:
    """Count what stands above the fold of a page at rest."""
    text, n_controls = page.evaluate(IN_SIGHT, HEIGHT)
    main = page.get_by_test_id("stMain")
    charts = main.get_by_test_id("stVegaLiteChart").filter(visible=True)
    box = charts.first.bounding_box() if charts.count() else None
    return FirstScreen(
        text,
        len(re.findall(r"[A-Za-z][A-Za-z'’-]*", text)),
        len(re.findall(r"\d[\d.,]*", text)),
        n_controls,
        main.locator(".fairaudit-chip").count(),
        None if box is None else box["y"],
    )


def open_result(auditor, sample: str, page: str, presses: tuple[str, ...] = ()) -> None:
    """Open a sample, go to a page, and press what it takes to come to its result."""
    auditor.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    auditor.open_sample(sample)
    if page != "Check":
        auditor.go(page)
    for press in presses:
        auditor.press(press)
    if presses:
        auditor.expect_answer()
    auditor.settle()
