"""Where the app and its samples lie: beside this package in a clone, in ``fairaudit_app`` where it was installed."""

from __future__ import annotations

from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[1]
_INSTALLED = _BESIDE / "fairaudit_app"

APP_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _BESIDE
"""The folder of ``app.py``, ``pages/``, ``ui/`` and what the server is set to."""

SAMPLE_FOLDER = APP_FOLDER / "sample_data"
"""The samples and their ready audits."""
