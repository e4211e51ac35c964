"""What stands on the first screen of each result page of the samples: words, numbers, controls, chips, the chart.

The window is 1440 x 900; charts, tables, what is folded and what controls are called do not count as words, nor does
the sidebar. `tests/browser/test_first_screen.py` sets the limits. Five minutes: it starts the app and drives Chromium.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright

from benchmarks.common import ROOT

sys.path.insert(0, str(ROOT / "tests" / "browser"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
from auditor import Auditor, come_to_rest
from first_screens import ANSWERED, FITS, HEIGHT, SAMPLES, WIDTH, count_first_screen, open_result
from serving import free_port

PATIENCE_MS = 180_000
PAGES = (*((sample, "Check", ()) for sample in SAMPLES), *ANSWERED, *FITS)


@contextmanager
def served() -> Iterator[str]:
    """Serve the app, and yield where."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), f"--server.port={port}"]
    options = ["--server.headless=true", "--server.fileWatcherType=none"]
    with TemporaryDirectory() as folder:
        app = subprocess.Popen(
            [*command, *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            if not any("URL: http" in line for line in app.stdout or ()):
                raise SystemExit("The app did not start.")
            yield f"http://localhost:{port}"
        finally:
            app.terminate()
            app.wait()


def main() -> None:
    """Print the table."""
    expect.set_options(timeout=PATIENCE_MS)
    found = []
    print("| sample | page | words | numbers | controls | chips | top of the chart |")
    print("|---|---|---|---|---|---|---|")
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for sample, page, presses in PAGES:
            context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            context.set_default_timeout(PATIENCE_MS)
            auditor = Auditor(context.new_page(), url, come_to_rest)
            open_result(auditor, sample, page, presses)
            one = count_first_screen(auditor.page)
            top = "none" if one.chart_top is None else f"{one.chart_top:.0f}"
            counts = f"{one.n_words} | {one.n_numbers} | {one.n_controls} | {one.n_chips}"
            print(f"| {sample} | {page} | {counts} | {top} |", flush=True)
            found.append(one)
            context.close()
        browser.close()
    counted = [[getattr(one, name) for one in found] for name in ("n_words", "n_numbers", "n_controls", "n_chips")]
    medians = " | ".join(f"{statistics.median(each):g}" for each in counted)
    print(f"| median of {len(found)} | | {medians} | |")


if __name__ == "__main__":
    main()
