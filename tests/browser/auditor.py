"""What a person does in the app, in the words that the app shows them."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.front_page import EXAMPLE
from ui.remedies.registry import remedy_pages

# A fit or a report takes seconds, and much longer where others compute on the same machine.
FIT_S = 1_200
# How often a person presses a link that does not answer.
TRIES = 3
# Where steps lead that are not called as their page is.
ADDRESSES = {
    "fairaudit": "/",
    "Legal forms": "/Legal_forms",
    "Worst groups": "/Worst_groups",
    "What explains it": "/Explain",
    "Change over time": "/Change",
    "Searches and inspections": "/Searches",
}
# What links call the pages of remedies.
CALLED = {page.page: page.title for page in remedy_pages()} | {"Compare": say(Message("remedy-way-compare"))}
# Below this width the sidebar lies over the page.
NARROW = 768
# The browser has drawn what it has received. Where a page stands still, Chromium may call nobody for being idle.
DRAWN = """
() => new Promise(done => requestIdleCallback(() => requestAnimationFrame(() => setTimeout(done)), {timeout: 2000}))
"""
# The browser has drawn the page in the size that its window has now.
LAID_OUT = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
# A list that is opened while its surroundings still grow is closed again.
AT_REST = """
part => new Promise(done => {
    let before = -1;
    const look = () => {
        const now = part.getBoundingClientRect().height;
        if (now === before) done();
        else { before = now; setTimeout(look, 100); }
    };
    look();
})
"""


def computed(frame: bytes) -> bool:
    """Whether a message of the server says that it has computed a page to its end."""
    message = ForwardMsg.FromString(frame)
    return message.WhichOneof("type") == "script_finished" and (
        message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
    )


def shares_in(text: str) -> list[str]:
    """Return the shares that a text names, as a report prints them."""
    return re.findall(r"\d+(?:\.\d+)? ?%", " ".join(text.split()))


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Read a CSV file as a spreadsheet would."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def text_of_pdf(content: bytes, folder: Path) -> str:
    """Return the text of a PDF with single blanks, as a screen reader meets it."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not here (apt-get install poppler-utils)")
    path = folder / "report.pdf"
    path.write_bytes(content)
    printed = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True, text=True).stdout
    return re.sub(r"\s+", " ", printed)


def come_to_rest(page: Page) -> None:
    """Wait until the app has drawn the page and is at rest."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert not page.get_by_test_id("stException").count(), f"{page.url} shows an error; the log of the app says why"


class Auditor:
    """One person with a browser of their own."""

    def __init__(self, page: Page, url: str, settle: Callable[[Page], None]) -> None:
        self.page = page
        self.url = url
        self._settle = settle
        page.on("websocket", self._listen)
        self.come("")

    @property
    def main(self) -> Locator:
        """The page without the sidebar."""
        return self.page.get_by_test_id("stMain")

    @property
    def sidebar(self) -> Locator:
        """The steps, and the facts of the audit."""
        return self.page.get_by_test_id("stSidebar")

    def come(self, step: str) -> None:
        """Load a step by its address, which starts a new session."""
        self.page.goto(f"{self.url}/{step}")
        self._settle(self.page)

    def settle(self) -> None:
        """Wait until the app is at rest."""
        self._settle(self.page)

    def resize(self, width: int) -> None:
        """Make the window so wide, with the sidebar as a new window of that width has it."""
        self.page.set_viewport_size({"width": width, "height": self.page.viewport_size["height"]})
        self.page.evaluate(LAID_OUT)
        collapsed = self.sidebar.get_attribute("data-collapsed") == "true"
        # The app may do so itself meanwhile, and the button is gone then; what counts is asked below.
        with suppress(TimeoutError):
            if width < NARROW and not collapsed:
                self.page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click(timeout=5_000)
            elif width >= NARROW and collapsed:
                self.page.get_by_test_id("stExpandSidebarButton").click(timeout=5_000)
        expect(self.sidebar).to_have_attribute("data-collapsed", str(width < NARROW).lower())

    def _listen(self, socket: WebSocket) -> None:
        self._socket = socket

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait until the app has computed what is asked inside, and the browser has drawn it."""
        with self._socket.expect_event("framereceived", computed, timeout=FIT_S * 1000):
            yield
        self.page.evaluate(DRAWN)
        self._settle(self.page)

    def go(self, step: str) -> None:
        """Go to a step through the sidebar."""
        narrow = self.page.viewport_size["width"] < NARROW
        if narrow and self.sidebar.get_attribute("data-collapsed") == "true":
            self.page.get_by_test_id("stExpandSidebarButton").click()
            expect(self.sidebar).to_have_attribute("data-collapsed", "false")
        link = self._link(step)
        # Playwright's own way waits for the link to stand still, and fails where the sidebar is drawn anew meanwhile.
        link.evaluate("link => link.scrollIntoView({block: 'center'})")
        expect(link).to_be_in_viewport(ratio=1)
        address = ADDRESSES.get(step, f"/{step}")
        # Where a fit ends in this moment, the sidebar is drawn anew under the person's hands, who then tries again.
        for _ in range(TRIES):
            with self.answered():
                link.press("Enter")
            if self.page.url.endswith(address):
                break
        # There it lies over the page, and folds by itself.
        if narrow:
            expect(self.sidebar).to_have_attribute("data-collapsed", "true")

    def _link(self, step: str) -> Locator:
        """Return the link of the sidebar to a step or, for a remedy that is not tried yet, that of the chooser."""
        name = re.compile(rf"^(\d )?{re.escape(CALLED.get(step, step))}( check( icon)?)?$")
        link = self.sidebar.get_by_role("link", name=name)
        if link.count():
            return link
        self.open_deeper()
        if link.count():
            return link
        with self.answered():
            self.sidebar.get_by_role("link", name="Remedies", exact=True).press("Enter")
        return self.main.get_by_role("link", name=name)

    def open_deeper(self) -> None:
        """Unfold what goes deeper in the sidebar, where it is folded."""
        fold = self.sidebar.locator(".st-key-deeper details")
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
            expect(fold).to_have_attribute("open", "")

    def forget(self) -> None:
        """Forget the audit, as the sidebar offers where it says where the data are."""
        self.sidebar.get_by_role("button", name=say(Message("side-kept"))).click()
        self.press(say(Message("side-forget")), within=self.page.get_by_test_id("stPopoverBody"))

    def follow(self, link: Locator) -> None:
        """Follow a link of the page to where it leads."""
        with self.answered():
            link.click()

    def open_sample(self, key: str) -> None:
        """Open a sample from the front page, which leads to its check."""
        if key != EXAMPLE:
            self.unfold(say(Message("front-others")))
        with self.answered():
            self.page.locator(f".st-key-home_sample_{key}").get_by_role("button").click()
        expect(self.page).to_have_url(re.compile("/Check$"))
        self.settle()

    def upload(self, file: Path | dict[str, Any], *, name: str) -> None:
        """Bring a file on the page Data and wait for the table of this name."""
        another = self.main.get_by_role("button", name=say(Message("data-another")))
        place = self.main
        if another.count():
            another.click()
            place = self.page.get_by_test_id("stPopoverBody")
        with self.answered():
            place.locator("input[type=file]").set_input_files(file)
        self.expect_table(name)

    def open_more(self) -> None:
        """Unfold what more the page Data asks and tells."""
        fold = self.main.locator(".st-key-data_more details").first
        if fold.get_attribute("open") is None:
            with self.answered():
                fold.locator("summary").first.click()
            expect(fold).to_have_attribute("open", "")

    def open_form(self) -> None:
        """Unfold what a legal form asks, where that stands below its answer."""
        fold = self.main.locator(".st-key-form_change details").first
        if fold.count() and fold.get_attribute("open") is None:
            fold.locator("summary").first.click()
            self.settle()

    def expect_table(self, name: str) -> None:
        """Wait until the page Data shows the table of this name."""
        expect(self.main.locator(".st-key-result_about")).to_contain_text(name)
        self.settle()

    def upload_csv(self, name: str, text: str) -> None:
        """Bring a CSV file that is made up on the spot."""
        content = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": text.encode()}
        self.upload(content, name=name)

    def open_plan(self, plan: bytes) -> None:
        """Open a saved audit on the front page."""
        content = {"name": "audit.toml", "mimeType": "application/toml", "buffer": plan}
        self.unfold(say(Message("front-saved")))
        with self.answered():
            self.main.locator(".st-key-home_plan input[type=file]").set_input_files(content)
        expect(self.main.get_by_text("The audit is open.")).to_be_visible()

    def choose(self, label: str, *options: str, within: Locator | None = None) -> None:
        """Choose one or more options of a list, by their labels."""
        for option in options:
            box = (within or self.main).get_by_role("combobox", name=label, exact=True)
            if box.input_value() == option:
                continue
            box.click()
            # Of a long list, only the options in view are drawn: writing leaves what fits.
            box.fill(option)
            box.press("ArrowDown")
            with self.answered():
                self.page.get_by_role("option", name=option, exact=True).click()
            self.close_list(box)

    def close_list(self, box: Locator) -> None:
        """Close the list of a field where a choice has left it open, as one of several values does.

        What the field says counts: a list that is closed may still be seen for a moment, and Escape would then clear
        the choice. While it is open, nothing else on the page is there for a screen reader.
        """
        # What is chosen may fold the form that the field stands in.
        if box.count() and box.get_attribute("aria-expanded") == "true":
            self.page.keyboard.press("Escape")
            expect(box).to_have_attribute("aria-expanded", "false")

    def clear(self, label: str) -> None:
        """Take the last of the values that are chosen in a list back."""
        self.main.get_by_role("combobox", name=label, exact=True).focus()
        with self.answered():
            self.page.keyboard.press("Backspace")

    def type(self, label: str, text: str) -> None:
        """Write a text into a field and press Enter."""
        box = self.main.get_by_label(label, exact=True)
        box.fill(text)
        with self.answered():
            box.press("Enter")

    def press(self, label: str, *, within: Locator | None = None) -> None:
        """Press a button and wait for what it does."""
        with self.answered():
            (within or self.main).get_by_role("button", name=label, exact=True).click()

    def turn(self, label: str) -> None:
        """Choose one of several buttons, such as the way to bring data."""
        button = self.main.get_by_role("radio", name=label, exact=True)
        if not button.is_checked():
            with self.answered():
                button.press("Space")

    def tick(self, label: str, *, within: Locator | None = None) -> None:
        """Turn a box or a switch on or off."""
        box = (within or self.main).get_by_role("checkbox", name=label, exact=True)
        with self.answered():
            box.or_((within or self.main).get_by_role("switch", name=label, exact=True)).last.press("Space")

    def unfold(self, title: str) -> Locator:
        """Open a folded part of the page and return it."""
        part = (
            self.main.get_by_test_id("stExpander")
            .filter(has=self.page.get_by_text(title, exact=True), visible=True)
            .last
        )
        if part.locator("details").first.get_attribute("open") is None:
            part.get_by_text(title, exact=True).first.click()
            part.evaluate(AT_REST)
        return part

    def compared(self) -> Locator:
        """Open the table of all models on the page Compare and return it."""
        self.more()
        return self.main.locator(".st-key-compare_more").get_by_test_id("stTable").first

    @property
    def said(self) -> Locator:
        """Verdict, headline and lead of a result."""
        return self.main.locator(".st-key-result_said")

    def more(self) -> None:
        """Open what a result shows on demand."""
        more = self.main.locator("[class*='_more'][class*='st-key-'] details").first
        if more.count() and more.get_attribute("open") is None:
            more.locator("summary").first.click()
            self.settle()

    def tab(self, title: str) -> None:
        """Turn to a tab, also one under More, and wait where the page is drawn anew for that."""
        self.more()
        self.main.get_by_role("tab", name=title, exact=True).click()
        self.settle()

    def download(self, label: str, *, within: Locator | None = None) -> bytes:
        """Press a download button and return the file."""
        with self.page.expect_download() as download:
            (within or self.main).get_by_role("button", name=label, exact=True).click()
        return download.value.path().read_bytes()

    def save_audit(self) -> bytes:
        """Save the audit from the sidebar."""
        return self.download("Save this audit", within=self.sidebar)

    def make_report(self) -> None:
        """Make the report and wait until it can be taken away."""
        self.press("Make the report")
        # Remedies are first made on the other divisions of the rows.
        expect(self.main.get_by_role("button", name="Report (PDF)", exact=True)).to_be_visible(timeout=1_000 * FIT_S)
        self.settle()
        # Files to compute with stand under More.
        if not self.main.get_by_role("button", name="JSON", exact=True).is_visible():
            self.main.locator(".st-key-report_more_all summary").click()
            self.settle()

    def learn(self, *features: str) -> None:
        """Say what models learn from: what is suggested, and these columns."""
        self.choose_features(*features)
        self.expect_text("is tested on")

    def choose_features(self, *features: str) -> None:
        """Choose what models learn from, which may open questions about what is chosen."""
        self.choose("Columns to learn from", *features)
        chosen = self.main.get_by_test_id("stMultiSelect").filter(has_text="Columns to learn from")
        for feature in features:
            expect(chosen).to_contain_text(feature)
        self.settle()
        self.press("Use these columns")

    def choose_quick_models(self) -> None:
        """Choose for retraining the models that take least time."""
        self.choose("First model", "logistic regression")
        self.choose("Second model", "logistic regression")

    @property
    def answer(self) -> Locator:
        """The sentence on a remedy page that says what the remedy did; it comes when the fit has ended."""
        return self.main.locator(".st-key-result_said").get_by_role("heading")

    def expect_answer(self) -> str:
        """Wait for the sentence that says what a remedy did, and return it with single blanks."""
        expect(self.answer).to_be_visible(timeout=FIT_S * 1000)
        self.settle()
        return " ".join(self.answer.inner_text().split())

    def answer_in_full(self) -> str:
        """Wait for what a remedy did, and return its headline and its lead, with single blanks."""
        headline = self.expect_answer()
        lead = self.main.locator(".st-key-result_said").get_by_role("paragraph").last
        return f"{headline}. {' '.join(lead.inner_text().split())}"

    @property
    def fitting(self) -> Locator:
        """The line of the sidebar that shows how far a fit has come, on whatever page."""
        return self.sidebar.get_by_text(re.compile(r"… \d+%"))

    def expect_text(self, *texts: str) -> None:
        """Fail unless each text appears on the page."""
        for text in texts:
            expect(self.main.get_by_text(text).filter(visible=True).first).to_be_visible()
