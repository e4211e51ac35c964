"""A chart as SVG for the report: the size of the page, and only characters that can be printed."""

from __future__ import annotations

import re
from typing import Any

from fairaudit.present import theme
from fairaudit.present.brief import shorten
from fairaudit.report.drawing_apart import svg_of
from fairaudit.report.fonts import COVERAGE, ESCAPE, Coverage, visible

WIDEST = 640.0
NARROWEST = 260
POINTS_PER_PIXEL = 0.75

_ESCAPED_LABEL = 44
_SIZE = re.compile(r'<svg[^>]*?\bwidth="([0-9.]+)"')


def drawn(chart: Any, coverage: Coverage = COVERAGE) -> tuple[str, float]:
    """Draw a chart as SVG."""
    specification = printable(theme.printed(chart), coverage)
    svg = svg_of(specification)
    excess = _width(svg) - WIDEST
    if excess > 0 and isinstance(specification.get("width"), (int, float)):
        svg = svg_of({**specification, "width": max(NARROWEST, int(specification["width"] - excess))})
    return svg, _width(svg) * POINTS_PER_PIXEL


def printable(specification: dict[str, Any], coverage: Coverage = COVERAGE) -> dict[str, Any]:
    """Return a Vega-Lite specification in which every text can be printed.

    Equal texts stay equal and different ones different, so that scales still find their values.
    """
    known: dict[str, str] = {}
    taken: set[str] = set()

    def text(value: str) -> str:
        if value.isascii() and value.isprintable():
            return value
        if value not in known:
            shown = visible(value, coverage, drawn=True)
            if len(shown) > _ESCAPED_LABEL and ESCAPE.search(shown):
                shown = shorten(shown, _ESCAPED_LABEL)
            while shown in taken:
                shown += "*"
            taken.add(shown)
            known[value] = shown
        return known[value]

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return text(value)
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        return [walk(item) for item in value] if isinstance(value, list) else value

    return walk({key: value for key, value in specification.items() if key != "description"})


def _width(svg: str) -> float:
    found = _SIZE.search(svg)
    return float(found.group(1)) if found else WIDEST
