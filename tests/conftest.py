"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from places import SHARED_DATA

# Read when NumPy and scikit-learn are first imported. Tests run side by side, and small data are slower in threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Everyone tries the same examples; `pytest --hypothesis-profile=explore` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("repeatable")

TESTS = Path(__file__).parent
TOGETHER = {"audit", "browser", "cli", "docs", "engines", "golden", "pages", "remedies", "study", "ui"}
"""Folders of tests in which many parts work together: `make thorough` runs them, but for what is marked as usual."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand tests out as `handing_out` says; xdist would begin with the longest files, and with the stories last."""
    from handing_out import ByFile

    if config.getoption("dist") == "loadgroup":
        config.option.loadscopereorder = False
        return ByFile(config, log)
    return None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread where none of their tests is asked for: to import them all takes half a minute."""
    if collection_path.name == "campaign" and "not campaign" in config.option.markexpr:
        return True
    if "not thorough" not in config.option.markexpr or not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text(encoding="utf-8")
    is_thorough = (
        TOGETHER.intersection(collection_path.relative_to(TESTS).parts)
        or "\npytestmark = pytest.mark.thorough\n" in text
    )
    return True if is_thorough and "mark.usual" not in text else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of folders; elsewhere a test or a parameter is marked where it stands."""
    for item in items:
        folders = item.path.parent.relative_to(TESTS).parts
        if "campaign" in folders:
            item.add_marker("campaign")
        elif TOGETHER.intersection(folders) and not item.get_closest_marker("usual"):
            item.add_marker("thorough")


@pytest.fixture(scope="session")
def shared_data():
    """Return a function that finds a real data file, or skips the test where the folder is missing."""

    def find(name: str) -> Path:
        path = SHARED_DATA / name
        if not path.exists():
            pytest.skip(f"real data file {name} is not here")
        return path

    return find


@pytest.fixture(autouse=True, scope="session")
def charts_checked_as_a_whole() -> None:
    """Let Altair compare each chart with Vega-Lite's schema as a whole, as the app does, and not each part again."""
    from altair.utils import schemapi

    schemapi.disable_debug_mode()
