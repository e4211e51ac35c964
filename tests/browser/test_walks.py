"""Walks of people who see the app for the first time, with tables that are no samples: few clicks to the answer.

A click is what a person does: press a link or a button, open a list, choose in it. What the app takes meanwhile is
recorded with the test, not judged: the machine may do other things, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from auditor import Auditor, shares_in, text_of_pdf
from playwright.sync_api import Locator, expect
from walk_tables import WALKS, WalkTable

from fairaudit.findings import Message
from fairaudit.messages import say

MOST_CLICKS = 12
"""From the front page to the right verdict."""


class Walker:
    """A person who counts."""

    def __init__(self, auditor: Auditor) -> None:
        self.auditor, self.n_clicks, self.waited_s = auditor, 0, 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count what the app takes to answer."""
        began = time.monotonic()
        with self.auditor.answered():
            yield
        self.waited_s += time.monotonic() - began

    def click(self, target: Locator) -> None:
        """Press what the app answers."""
        self.n_clicks += 1
        with self.waiting():
            target.click()

    def choose(self, label: str, option: str) -> None:
        """Open a list and choose in it; nothing where it is chosen already."""
        box = self.auditor.main.get_by_role("combobox", name=label, exact=True)
        if box.input_value() == option:
            return
        self.n_clicks += 1
        box.click()
        self.click(self.auditor.page.get_by_role("option", name=option, exact=True))
        self.auditor.close_list(box)

    def follow(self, label: str) -> None:
        """Press the link that leads on."""
        self.click(self.auditor.main.get_by_role("link", name=label, exact=True))

    def bring(self, table: WalkTable) -> None:
        """Drop a file on the front page."""
        self.n_clicks += 1
        kinds = {"csv": "text/csv", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        file = {
            "name": table.file, "mimeType": kinds[table.file.rpartition(".")[2]], "buffer": table.content
        }  # fmt: skip
        began = time.monotonic()
        self.auditor.main.locator(".st-key-home_own input[type=file]").set_input_files(file)
        self.auditor.expect_table(table.name)
        self.waited_s += time.monotonic() - began


@pytest.mark.parametrize("name", WALKS)
def test_a_first_walk_comes_to_the_right_verdict_and_a_report_in_few_clicks(auditor, record_property, tmp_path, name):
    table, walker, main = WALKS[name](), Walker(auditor), auditor.main
    walker.bring(table)
    walker.choose("Decision column", table.decision)
    walker.choose("Good for the person", table.good)
    walker.follow(say(Message("data-next")))
    walker.choose("Column", table.group)
    walker.choose("Protected group", table.protected)
    walker.follow(say(Message("groups-next")))
    expect(main.locator(".fairaudit-chip")).to_have_text(say(Message(table.verdict)))
    auditor.more()
    for n in (table.n_protected, table.n_rest):
        auditor.expect_text(f"{n:,}")
    record_property("clicks to the verdict", walker.n_clicks)
    record_property("seconds that the app took", round(walker.waited_s, 1))
    assert walker.n_clicks <= MOST_CLICKS, f"{walker.n_clicks} clicks to the verdict"

    shares = shares_in(auditor.said.inner_text())
    leave = main.get_by_role("button", name=say(Message("check-comparable-leave")), exact=True)
    if leave.count():
        walker.click(leave)
    walker.follow("Go to the report")
    walker.click(main.get_by_role("button", name="Make the report", exact=True))
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    assert len(shares) == 2 and all(share in text for share in shares)
