"""What pages are made of is imported while nobody waits for it, so that the first person does not wait either."""

from __future__ import annotations

import importlib
import threading

AHEAD = (
    "ui.front_page",
    "ui.data.roles",
    "ui.check.tabs",
    "ui.check.verdict",
    # For the exact tests of small groups.
    "scipy.stats",
    "ui.check.errors",
    "ui.report.making",
    "ui.remedies.learning_panel",
    "ui.presets.views",
)
"""Modules in the order in which a person comes to the pages that use them; each brings what it is made of."""


def import_ahead() -> threading.Thread:
    """Import the modules of :data:`AHEAD` in a thread of its own, which ends with the server."""
    thread = threading.Thread(target=_import_all, name="imports", daemon=True)
    thread.start()
    return thread


def _import_all() -> None:
    for name in AHEAD:
        importlib.import_module(name)
