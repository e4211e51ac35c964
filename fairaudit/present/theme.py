"""One look for every chart, on the page and in the report.

The colours are distinct for people with any of the common kinds of colour blindness (Okabe and Ito, darkened to
a contrast of at least 3 to 1 on white); every chart also uses shapes, dashes or direct labels beside colour.
The theme is applied to a chart as its configuration: nothing global is changed.
"""

from __future__ import annotations

from typing import Any

import altair as alt

PROTECTED = "#b3541e"
REFERENCE = "#1f4e79"
LINE = "#55636f"
BAND = "#ecf0f4"
TEXT = "#1c1f26"
QUIET = "#5a6472"
ALIKE = "#b7d0e6"
UNCLEAR = "#e9e4d6"
GAP = "#f0c3a2"

SERIES = ("#1f4e79", "#b3541e", "#00785a", "#a0527f", "#8a6d00", "#2a7ea6", "#5a6472", "#7b3fa0")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 3), (4, 1), (1, 3), (10, 2, 2, 2, 2, 2))

WIDTH = 520
SCREEN_FONT = "Source Sans, Source Sans 3, Source Sans Pro, sans-serif"
PRINT_FONT = "Libertinus Serif"


CONFIG = alt.Config(
    font=SCREEN_FONT,
    background="transparent",
    view=alt.ViewConfig(stroke=None),
    axis=alt.AxisConfig(
        labelColor=QUIET,
        titleColor=QUIET,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        titlePadding=8,
        grid=False,
        domainColor="#b5bcc4",
        tickColor="#b5bcc4",
        labelLimit=0,
        titleLimit=0,
    ),
    axisY=alt.AxisConfig(domain=False, ticks=False, labelPadding=8, labelColor=TEXT),
    legend=alt.LegendConfig(
        labelColor=TEXT,
        titleColor=QUIET,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        labelLimit=0,
        symbolSize=90,
        symbolStrokeWidth=2,
        orient="bottom",
        columns=2,
    ),
    text=alt.MarkConfig(color=TEXT, fontSize=12),
)


def configure(chart: Any, *, description: str = "", **size: int) -> Any:
    """Give a chart the look of fairaudit and a description for people who cannot see it."""
    # `chart.properties` would copy all layers, and check each part by itself: all is checked when it is drawn.
    chart.padding = {"left": 8, "right": 8, "top": 6, "bottom": 4}
    chart.config = CONFIG
    for name, pixels in size.items():
        chart[name] = pixels
    if description:
        chart.description = description
    return chart


def printed(chart: Any) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart for paper: the same chart with the report's typeface."""
    specification = chart.to_dict(validate=False)
    specification["config"] = {**specification.get("config", {}), "font": PRINT_FONT}
    return specification
