"""Where the texts of a drawn chart stand, and which of them run into each other or out of the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from itertools import combinations

_MOVED = re.compile(r"translate\(\s*([-0-9.e]+)[ ,]+([-0-9.e]+)\s*\)")
_WIDE, _BOLD = 0.50, 0.54
"""How wide a character is on average, in sizes of its type."""


@dataclass(frozen=True)
class Box:
    """A text and the ends of the place that it takes, in pixels."""

    text: str
    left: float
    right: float
    top: float
    bottom: float

    def runs_into(self, other: Box) -> bool:
        """Say whether two texts stand on each other."""
        beside = self.right <= other.left or other.right <= self.left
        return not beside and self.bottom > other.top and other.bottom > self.top


def boxes_of(svg: str) -> list[Box]:
    """Return the boxes of all texts of a picture that are not turned."""
    found: list[Box] = []
    _look(ElementTree.fromstring(svg), 0.0, 0.0, found)
    return found


def overlaps(svg: str) -> list[tuple[str, str]]:
    """Return the pairs of texts that run into each other."""
    return [(one.text, other.text) for one, other in combinations(boxes_of(svg), 2) if one.runs_into(other)]


def cut(svg: str, width: int) -> list[str]:
    """Return the texts that run out of a place of this width at a side."""
    return [box.text for box in boxes_of(svg) if box.left < -1 or box.right > width + 1]


def _look(element: ElementTree.Element, x: float, y: float, found: list[Box]) -> None:
    moved = _MOVED.search(element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if "rotate" in element.get("transform", ""):
        return
    text = "".join(element.itertext()).strip()
    if element.tag.endswith("}text") and text and element.get("opacity") != "0":
        lines = [part.text or "" for part in element if part.tag.endswith("}tspan")] or [text]
        size = float(re.sub("[^0-9.]", "", element.get("font-size", "11")))
        wide = max(map(len, lines)) * size * (_BOLD if element.get("font-weight") in ("600", "700", "bold") else _WIDE)
        left = x - {"end": wide, "middle": wide / 2}.get(element.get("text-anchor", ""), 0.0)
        # A text stands on its line; small letters are lower than the size of its type.
        found.append(Box(text, left, left + wide, y - 0.7 * size, y + (1.2 * len(lines) - 1.1) * size))
        return
    for inner in element:
        _look(inner, x, y, found)
