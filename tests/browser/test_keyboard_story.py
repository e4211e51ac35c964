"""A person who cannot use a mouse: from the front page to the PDF with Tab, arrows, Enter and Space alone."""

from __future__ import annotations

import re

from auditor import FIT_S, Auditor, text_of_pdf
from playwright.sync_api import Locator, expect
from walk_tables import suspensions

from fairaudit.findings import Message
from fairaudit.messages import say

MOST_TABS = 150
"""A page has fewer stops than that: who has pressed Tab so often has come round."""

HAS_FOCUS = "part => part === document.activeElement || part.contains(document.activeElement)"


class Keyboard:
    """Keys, and where they have come to."""

    def __init__(self, auditor: Auditor) -> None:
        self.auditor, self.page = auditor, auditor.page

    def tab_to(self, part: Locator) -> None:
        """Press Tab until a part has the focus, and see that the browser shows it."""
        expect(part).to_be_attached()
        for _ in range(MOST_TABS):
            if part.count() == 1 and part.evaluate(HAS_FOCUS):
                expect(part).to_be_in_viewport()
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {part}")

    def press(self, key: str) -> None:
        """Press a key that the app answers."""
        with self.auditor.answered():
            self.page.keyboard.press(key)

    def choose(self, label: str, option: str) -> None:
        """Choose in a list by writing."""
        box = self.auditor.main.get_by_role("combobox", name=label, exact=True)
        self.tab_to(box)
        self.page.keyboard.type(option)
        expect(self.page.get_by_role("option", name=option, exact=True)).to_be_visible()
        self.press("Enter")
        self.auditor.close_list(box)

    def stays_on(self, part: Locator, words: str) -> None:
        """See that the focus is on a button, which has these words now."""
        expect(part).to_have_text(words)
        assert part.evaluate(HAS_FOCUS), f"the focus has left {words!r}"

    def follow(self, label: str) -> None:
        """Go on by a link of the page."""
        self.tab_to(self.auditor.main.get_by_role("link", name=label, exact=True))
        self.press("Enter")


def test_a_file_becomes_a_report_by_the_keyboard_alone(auditor, tmp_path):
    table, keyboard, main = suspensions(), Keyboard(auditor), auditor.main
    # The browser takes a while to hand over the dialogs of files; asked only just before, it may let this one pass.
    auditor.page.on("filechooser", lambda _: None)
    upload = main.locator(".st-key-home_own").locator("[data-testid=stFileUploaderDropzone] button")
    keyboard.tab_to(upload)
    with auditor.answered():
        with auditor.page.expect_file_chooser() as chooser:
            auditor.page.keyboard.press("Enter")
        chooser.value.set_files({"name": table.file, "mimeType": "text/csv", "buffer": table.content})
    auditor.expect_table(table.name)
    keyboard.choose("Decision column", table.decision)
    keyboard.choose("Good for the person", table.good)
    keyboard.follow(say(Message("data-next")))
    keyboard.choose("Column", table.group)
    keyboard.choose("Protected group", table.protected)
    keyboard.follow(say(Message("groups-next")))
    expect(auditor.said).to_contain_text("70%")
    keyboard.tab_to(main.get_by_role("button", name=say(Message("check-comparable-leave")), exact=True))
    keyboard.press("Enter")
    keyboard.follow("Go to the report")
    keyboard.tab_to(main.get_by_role("button", name="Make the report", exact=True))
    keyboard.press("Enter")
    pdf = main.get_by_role("button", name="Report (PDF)", exact=True)
    expect(pdf).to_be_visible(timeout=1_000 * FIT_S)
    auditor.settle()
    keyboard.tab_to(pdf)
    with auditor.page.expect_download() as download:
        auditor.page.keyboard.press("Enter")
    text = text_of_pdf(download.value.path().read_bytes(), tmp_path)
    assert re.search(r"70(\.0)? ?%", text) and re.search(r"88(\.0)? ?%", text)


def test_whoever_mends_a_table_by_the_keyboard_stays_on_the_button(auditor):
    keyboard, main = Keyboard(auditor), auditor.main
    auditor.go("Data")
    people = ["Black,New York,yes", "BLACK,New  York,no", *["White,Boston,yes"] * 2] * 9
    rows = [f"{person},{number}" for number, person in enumerate(people)]
    auditor.upload_csv("people", "\n".join(["race,area,ok,number", *rows, *rows[:3]]))
    keyboard.tab_to(main.locator(".st-key-data_more summary").first)
    keyboard.press("Enter")
    for key, done, undone in (
        ("repeated", "Take them in again", "Leave repeated rows out"),
        ("spelling_0", "Read them apart again", "Read spellings as one value"),
        ("all", "Undo all of these", "Do all of these"),
    ):
        button = main.locator(f".st-key-data_{key}").get_by_role("button")
        keyboard.tab_to(button)
        for words, press in ((done, "Enter"), (undone, "Space")):
            keyboard.press(press)
            keyboard.stays_on(button, words)
