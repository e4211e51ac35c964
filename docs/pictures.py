"""Draw the pictures of the manual anew, from the app as it is: ``make pictures``.

A person of the browser tests opens the samples in Chromium and looks at each page.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / part) for part in ("browser", "support"))]

from auditor import Auditor  # noqa: E402
from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402
from serving import served  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome-stable"))), None)
PATIENCE_MS = 180_000
WIDTH, HEIGHT = 1280, 800
COLOURS = 255


def front(auditor: Auditor) -> None:
    """Show the front page as it opens."""


def data(auditor: Auditor) -> None:
    """Show how the table was read."""
    auditor.open_sample("berkeley_1973")
    auditor.go("Data")


def groups(auditor: Auditor) -> None:
    """Show who is compared."""
    auditor.go("Groups")


def check(auditor: Auditor) -> None:
    """Show the answer."""
    auditor.go("Check")


def strata(auditor: Auditor) -> None:
    """Show the answer within departments."""
    auditor.more()
    auditor.tab("Similar cases")
    auditor.settle()
    auditor.page.get_by_role("tab", name="Similar cases").evaluate("part => part.scrollIntoView()")


def explain(auditor: Auditor) -> None:
    """Show what explains the gap."""
    auditor.come("")
    auditor.open_sample("berkeley_1973_explained")
    auditor.go("What explains it")


def report(auditor: Auditor) -> None:
    """Show the report that was made."""
    auditor.come("")
    auditor.open_sample("berkeley_1973")
    auditor.go("Report")
    auditor.make_report()
    auditor.page.get_by_role("button", name="Make the report").evaluate("part => part.scrollIntoView()")


def remedies(auditor: Auditor) -> None:
    """Show the choice among remedies."""
    auditor.come("")
    auditor.open_sample("loans")
    auditor.go("Remedies")


def remedy(auditor: Auditor) -> None:
    """Show what a remedy would change."""
    auditor.go("Equalize")
    auditor.press("Make this score")
    auditor.expect_answer()


PICTURES: dict[str, Callable[[Auditor], None]] = {
    "pictures/front.png": front,
    "pictures/data.png": data,
    "pictures/groups.png": groups,
    "app.png": check,
    "pictures/strata.png": strata,
    "pictures/explain.png": explain,
    "pictures/report.png": report,
    "pictures/remedies.png": remedies,
    "pictures/remedy.png": remedy,
}
"""From the file of each picture of the app, below this folder, to what is done before it is taken; in this order."""

REPORT_PAGE = "pictures/report-page.png"
"""The first page of the report, from its PDF."""


def settle(page: Page) -> None:
    """Wait until the app has drawn the page and is at rest."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def write(name: str, picture: bytes | Path) -> None:
    """Write a picture with few colours, also the rare ones, which takes a third of the room."""
    image = Image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture).convert("RGB")
    path = ROOT / "docs" / name
    image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{name} {path.stat().st_size // 1000} kB\n")


def main() -> None:
    """Draw all of them."""
    (ROOT / "docs" / "pictures").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", reduced_motion="reduce", accept_downloads=True
        )
        context.set_default_timeout(PATIENCE_MS)
        auditor = Auditor(context.new_page(), server.url, settle)
        for name, look in PICTURES.items():
            look(auditor)
            auditor.settle()
            auditor.page.wait_for_timeout(1_000)
            write(name, auditor.page.screenshot())
            if look is report:
                pdf, page = Path(folder, "report.pdf"), Path(folder, "page")
                pdf.write_bytes(auditor.download("PDF"))
                subprocess.run(["pdftoppm", "-png", "-r", "80", "-singlefile", "-f", "1", pdf, page], check=True)
                write(REPORT_PAGE, page.with_suffix(".png"))
        browser.close()


if __name__ == "__main__":
    main()
