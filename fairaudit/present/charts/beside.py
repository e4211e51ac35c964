"""Short labels beside points, placed so that they cover neither each other nor a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from fairaudit.present import theme
from fairaudit.present.charts import parts

NARROW = 260
"""The width in pixels that labels are placed for: what has room here has room on a wider page."""
_LETTER, _LINE, _POINT = 6.6, 14.0, 12.0
_SAME = 4.0
_ROOMS = ((9, -9), (9, 9), (-9, -9), (-9, 9), (12, 0), (-12, 0), (0, -15), (0, 15), (22, -18), (-22, -18), (22, 18))
"""Where a label may begin, right or left of the point and above or below it, the best first."""


def beside(
    records: Sequence[dict[str, Any]],
    x: alt.X,
    y: alt.Y,
    across: Sequence[float],
    down: Sequence[float],
    *,
    height: float,
) -> list[alt.Chart]:
    """Write the field ``text`` of each record beside its point."""
    layers = []
    for (dx, dy), kept in placed(records, across, down, height=height).items():
        align: parts.Align = "left" if dx > 0 else "right" if dx < 0 else "center"
        base = parts.Layer(parts.values(kept))
        for has_rim in (True, False):
            written = base.mark_text(
                align=align,
                baseline="middle",
                dx=dx,
                dy=dy,
                color=theme.TEXT,
                stroke="white" if has_rim else alt.Undefined,
                strokeWidth=3 if has_rim else alt.Undefined,
                strokeJoin="round" if has_rim else alt.Undefined,
            )
            layers.append(written.encode(x=x, y=y, text=alt.Text("text:N")))
    return layers


def joined(
    records: Sequence[dict[str, Any]], across: Sequence[float], down: Sequence[float], *, height: float
) -> list[dict[str, Any]]:
    """Give points that cover each other one label with all their texts, beside the first; the others have none.

    Examples
    --------
    >>> points = [{"value": 0.5, "y": y, "text": text} for y, text in ((0.5, "6"), (0.1, "7"), (0.501, "9"))]
    >>> [r["text"] for r in joined(points, (0, 1), (0, 1), height=300)]
    ['6, 9', '7', '']
    """
    labelled: list[dict[str, Any]] = []
    firsts: list[tuple[float, float, int]] = []
    for record, (cx, cy) in zip(records, _centres(records, across, down, height=height), strict=True):
        first = next((i for x, y, i in firsts if max(abs(cx - x), abs(cy - y)) <= _SAME), None)
        if first is None:
            firsts.append((cx, cy, len(labelled)))
            labelled.append(record)
        else:
            labelled[first] = labelled[first] | {"text": f"{labelled[first]['text']}, {record['text']}"}
            labelled.append(record | {"text": ""})
    return labelled


def placed(
    records: Sequence[dict[str, Any]], across: Sequence[float], down: Sequence[float], *, height: float
) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Choose for each label the first place where it covers no other label and no point.

    Examples
    --------
    >>> points = [{"value": 0.5, "y": 0.5, "text": "1"}, {"value": 0.5, "y": 0.5, "text": "2"}]
    >>> {place: [r["text"] for r in kept] for place, kept in placed(points, (0, 1), (0, 1), height=300).items()}
    {(9, -9): ['1'], (9, 9): ['2']}
    """
    centres = _centres(records, across, down, height=height)
    taken = [(cx - _POINT / 2, cy - _POINT / 2, cx + _POINT / 2, cy + _POINT / 2) for cx, cy in centres]
    chosen: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for record, (cx, cy) in zip(records, centres, strict=True):
        if not record["text"]:
            continue
        boxes = {room: _box(cx, cy, room, len(record["text"])) for room in _ROOMS}
        inside = {room: box for room, box in boxes.items() if box[0] >= 0 and box[2] <= NARROW}
        cost = {room: sum(_shared(box, other) for other in taken) for room, box in (inside or boxes).items()}
        room = min(cost, key=lambda room: (cost[room], _ROOMS.index(room)))
        taken.append(boxes[room])
        chosen.setdefault(room, []).append(record)
    return chosen


def _centres(
    records: Sequence[dict[str, Any]], across: Sequence[float], down: Sequence[float], *, height: float
) -> list[tuple[float, float]]:
    """Return where points stand, in pixels."""
    return [(_share(r["value"], across) * NARROW, height - _share(r["y"], down) * height) for r in records]


def _share(value: float, span: Sequence[float]) -> float:
    return (value - span[0]) / ((span[1] - span[0]) or 1.0)


def _box(cx: float, cy: float, room: tuple[int, int], letters: int) -> tuple[float, float, float, float]:
    dx, dy = room
    wide = letters * _LETTER
    left = cx + dx - (0 if dx > 0 else wide if dx < 0 else wide / 2)
    return left, cy + dy - _LINE / 2, left + wide, cy + dy + _LINE / 2


def _shared(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Return the area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0
