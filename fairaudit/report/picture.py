"""A chart as a picture to take away: SVG, and PNG with the report's typeface."""

from __future__ import annotations

from typing import Any, Final

import typst

from fairaudit.report.drawing import drawn
from fairaudit.report.drawing_apart import svg_of

PIXELS_PER_INCH: Final = 144.0
_PAGE = b"""#set page(width: auto, height: auto, margin: 8pt, fill: white)
#image(bytes(sys.inputs.picture), format: "svg", width: float(sys.inputs.width) * 1pt)
"""


def to_svg(chart: Any) -> bytes:
    """Return a chart as SVG, whose texts can be searched and copied."""
    return svg_of(chart.to_dict(validate=False)).encode()


def to_png(chart: Any) -> bytes:
    """Return a chart as PNG on white."""
    picture, width = drawn(chart)
    inputs = {"picture": picture, "width": f"{width:.2f}"}
    return typst.compile(_PAGE, format="png", ppi=PIXELS_PER_INCH, sys_inputs=inputs)
