"""The JSON Schema of the export."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of :func:`~fairaudit.report.to_json`."""
    return json.loads(resources.files("fairaudit.report").joinpath("schema.json").read_text(encoding="utf-8"))
