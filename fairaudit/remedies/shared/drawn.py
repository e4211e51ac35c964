"""A chart of one remedy, as a part of a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairaudit.present.blocks import Chart

Drawing = tuple[Callable[..., Any], Callable[..., str]]
"""A chart and its text alternative, which take the same arguments."""


def drawn(number: int, key: str, title: str, drawing: Drawing, *arguments: Any, **options: Any) -> Chart:
    """Return a chart of the remedy with this number; `key` is also the end of the key of its table."""
    chart, alt = (make(*arguments, **options) for make in drawing)
    return Chart(f"remedy_{number}_{key}_chart", title, alt, chart, f"remedy_{number}_{key}")
