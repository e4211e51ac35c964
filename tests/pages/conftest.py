"""Pages without a browser: Streamlit's AppTest runs them and tells what they drew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(sorted(path.name for path in (ROOT / "pages").glob("*.py")))


class App:
    """The app in one session: go to a page, and everything that AppTest offers on it."""

    def __init__(self) -> None:
        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        self.assert_sound()

    def __getattr__(self, name: str):
        return getattr(self.test, name)

    @property
    def state(self):
        """The audit of the session."""
        return self.test.session_state["fairaudit_state"]

    def go(self, page: str) -> App:
        """Open the page whose file name holds `page`, or the front page for an empty name."""
        file = next((f"pages/{name}" for name in PAGES if page and page in name), "app.py")
        self.test.switch_page(file)
        return self.run()

    def run(self) -> App:
        """Draw the page again and check that it did not fail."""
        self.test.run()
        self.assert_sound()
        return self

    def sample(self, key: str) -> App:
        """Open a sample from the front page."""
        self.go("")
        self.test.button(key=f"home_sample_{key}").click()
        return self.run()

    def upload(self, name: str, content: bytes) -> App:
        """Bring a file on the page Data."""
        self.go("Data")
        self.test.file_uploader(key="data_upload").set_value((name, content, "application/octet-stream"))
        return self.run()

    def assert_sound(self) -> None:
        """Fail if the page raised something that it should have caught."""
        assert not self.test.exception, [e.message for e in self.test.exception]

    @property
    def text(self) -> str:
        """All text that is drawn, Markdown escapes removed."""
        kinds = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error", "success")
        drawn = [element.value for kind in kinds for element in getattr(self.test, kind)]
        drawn += [f"{metric.label} {metric.value}" for metric in self.test.metric]
        return "\n".join(map(str, drawn)).replace("\\", "")


@pytest.fixture
def app() -> App:
    """The app, freshly opened."""
    return App()


@pytest.fixture
def csv() -> Callable[..., bytes]:
    """Return a function that writes columns as CSV."""

    def write(**columns: list) -> bytes:
        rows = zip(*columns.values(), strict=True)
        lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
        return "\n".join(lines).encode()

    return write
