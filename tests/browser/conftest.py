"""The app as a person meets it: a server of its own, Chromium, and axe-core.

Stories take an `auditor` or, for several people, `new_auditor`, and the helpers `look`, `assert_accessible` and
`assert_fits`. Each page watches itself: a traceback, a script error in the browser or a request to another machine
fails the test that caused it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import axe_playwright_python
import pytest
from auditor import Auditor, come_to_rest
from places import ROOT
from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright
from serving import free_port

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # The host name of the examples for an office.
    "--host-resolver-rules=MAP audit.example.org 127.0.0.1",
)
PATIENCE_S = 180
WIDE, NARROW = 1280, 400

# The elements are asked where they stand as soon as they are found: a page may draw itself anew a moment later.
VIOLATIONS = """
async ([parts, colours]) => {
    const rules = {'color-contrast': {enabled: colours}};
    const found = await axe.run(document, {resultTypes: ['violations'], elementRef: true, rules});
    return found.violations.flatMap(rule => rule.nodes.map(node => ({
        id: rule.id, impact: rule.impact, help: rule.help, html: node.html,
        excused: rule.id in parts && node.element?.closest(parts[rule.id]) != null,
    })));
}
"""
# What Streamlit itself gets wrong: rule of axe-core -> (the part that Streamlit draws, what is wrong there).
STREAMLIT_OWN: dict[str, tuple[str, str]] = {
    # Firefox and Chromium let the keyboard into any part that scrolls; axe-core asks for a tabindex all the same.
    "scrollable-region-focusable": ("[data-testid=stTable]", "a wide st.table scrolls in a part without tabindex"),
}


def pytest_collection_modifyitems(items):
    """Mark what drives the app in Chromium; all but smoke stories and the server in front belong to the campaign."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker("browser")
            if item.path.stem not in ("test_smoke", "test_behind_nginx"):
                item.add_marker("campaign")


@dataclass
class AppServer:
    """A running app and what it has printed."""

    url: str
    process: subprocess.Popen
    folder: Path
    lines: list[str] = field(default_factory=list)

    @property
    def log(self) -> str:
        """Everything that was printed so far."""
        return "".join(self.lines)


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., AppServer]]:
    """Return a function that starts a command that serves the app, in a folder and with extra environment variables."""
    servers = []

    def start(command: list[str], port: int, folder: Path, **environment: str) -> AppServer:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "PYTHONUNBUFFERED": "1", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        server = AppServer(f"http://localhost:{port}", process, folder)
        servers.append(server)
        ready = threading.Event()

        def listen():
            for line in process.stdout:
                server.lines.append(line)
                if "URL: http" in line:
                    ready.set()
            ready.set()

        threading.Thread(target=listen, daemon=True).start()
        assert ready.wait(PATIENCE_S) and process.poll() is None, f"The app did not start:\n{server.log}"
        return server

    yield start
    for server in servers:
        server.process.terminate()
        server.process.wait(PATIENCE_S)
        server.process.stdout.close()


@pytest.fixture(scope="session")
def serve(launch, tmp_path_factory) -> Callable[..., AppServer]:
    """Return a function that serves the app with extra environment variables, in an empty working folder."""
    options = ("--server.headless=true", "--server.fileWatcherType=none")

    def start(**environment: str) -> AppServer:
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), f"--server.port={port}", *options]
        return launch(command, port, tmp_path_factory.mktemp("served"), **environment)

    return start


@pytest.fixture(scope="session")
def app_server(serve) -> AppServer:
    """The app without any administrator's setting."""
    return serve()


@pytest.fixture(scope="session")
def app_url(app_server) -> str:
    """Where the app is served."""
    return app_server.url


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or a visible skip."""
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if path is None:
        pytest.skip("Chromium is not here (apt-get install chromium)")
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGS))
        yield browser
        browser.close()


@contextmanager
def browsing(chromium: Browser, app_server: AppServer) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a browser of its own (nothing shared with others) of a given size."""
    contexts, troubles = [], []
    printed_before = len(app_server.lines)

    def watch(request):
        host = urlsplit(request.url).hostname
        if host not in (None, "localhost", "127.0.0.1"):
            troubles.append(f"a request to {host}")

    def start(width: int = WIDE, height: int = 1000) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", accept_downloads=True, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_S * 1000)
        page = context.new_page()
        page.on("request", watch)
        page.on("pageerror", lambda error: troubles.append(f"a script error: {error}"))
        return page

    yield start
    for context in contexts:
        for page in context.pages:
            troubles += [f"a traceback: {text}" for text in page.get_by_test_id("stException").all_inner_texts()]
        context.close()
    printed = "".join(app_server.lines[printed_before:])
    assert "Traceback" not in printed, printed
    assert not troubles, troubles


@pytest.fixture
def open_page(chromium, app_server) -> Iterator[Callable[..., Page]]:
    """Return a function that opens browsers for one test."""
    with browsing(chromium, app_server) as start:
        yield start


@pytest.fixture(scope="session")
def settle() -> Callable[[Page], None]:
    """Return a function that waits until the app has drawn the page and is at rest."""
    return come_to_rest


@pytest.fixture(scope="session")
def assert_fits() -> Callable[[Page], None]:
    """Return a function that fails where a reader would have to scroll sideways."""

    def check(page: Page) -> None:
        for part in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
            # Charts follow a window that has changed a moment later.
            try:
                page.wait_for_function(f"{part}.scrollWidth <= {part}.clientWidth", timeout=PATIENCE_S * 1000)
            except TimeoutError:
                pytest.fail(f"{page.url} is wider than its window")

    return check


@pytest.fixture(scope="session")
def assert_accessible() -> Callable[..., None]:
    """Return a function that fails on each serious or critical violation in what we draw.

    Looking at the contrast of all text takes as long as everything else together.
    """

    def check(page: Page, *, colours: bool = True) -> None:
        if not page.evaluate("typeof axe === 'object'"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        parts = {rule: part for rule, (part, _) in STREAMLIT_OWN.items()}
        ours = [
            f"{node['id']} ({node['impact']}): {node['help']}\n    {node['html'][:300]}"
            for node in page.evaluate(VIOLATIONS, [parts, colours])
            if node["impact"] in ("serious", "critical") and not node["excused"]
        ]
        assert not ours, f"{len(ours)} accessibility violations on {page.url}:\n" + "\n".join(ours)

    return check


@pytest.fixture(scope="session")
def look(assert_accessible, assert_fits) -> Callable[..., None]:
    """Return a function that unfolds parts of a page and looks at it in the window it is in and in one of other width.

    All that costs time is done once for both: coming to the page, the fits that it shows, and the contrasts, since no
    colour depends on the width.
    """

    def check(auditor: Auditor, *folded: str) -> None:
        for title in folded:
            auditor.unfold(title)
        auditor.settle()
        here = auditor.page.viewport_size["width"]
        for width in (here, WIDE + NARROW - here):
            auditor.resize(width)
            assert_fits(auditor.page)
            assert_accessible(auditor.page, colours=width == here)
        auditor.resize(here)

    return check


@pytest.fixture
def new_auditor(open_page, app_url, settle) -> Callable[..., Auditor]:
    """Return a function that sends one more person to the front page, with a browser of their own."""

    def come(width: int = WIDE) -> Auditor:
        return Auditor(open_page(width), app_url, settle)

    return come


@pytest.fixture
def auditor(new_auditor) -> Auditor:
    """A person on the front page."""
    return new_auditor()


@pytest.fixture(scope="module")
def lasting_auditor(chromium, app_server, settle) -> Iterator[Auditor]:
    """A person who goes on from test to test."""
    with browsing(chromium, app_server) as start:
        yield Auditor(start(), app_server.url, settle)
