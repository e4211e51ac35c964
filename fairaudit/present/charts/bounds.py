"""Rows of ranges: the smallest and the largest share that a group may have, where some counts are rounded or hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import altair as alt

from fairaudit.findings import Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.charts import theme

if TYPE_CHECKING:
    from altair.typing import ChartType

_ROW, _NARROW_ROW, _ROW_WIDTH = 40, 44, 300
_ROOM_LEFT, _ROOM_RIGHT, _LEAST_SPAN = 0.06, 0.36, 0.1
"""Room beside the lowest and the highest end, as parts of what they span: texts stand to the right."""
_BAR, _POINT = 8, 110


@dataclass(frozen=True)
class BoundRow:
    """A row of the picture: a group and the ends of its share.

    Parameters
    ----------
    name : str
        What the group is called.
    low, high : float
        The smallest and the largest share.
    text : str
        Both in words.
    n : str
        How many people it has.
    is_own : bool
        Whether it is the protected group.
    """

    name: str
    low: float
    high: float
    text: str
    n: str
    is_own: bool


def ends_text(low: float, high: float, digits: int) -> str:
    """Return both ends of a share; one where they are written alike."""
    ends = [say(Message("check-chart-figure", {"figure": Share(end, digits)})) for end in (low, high)]
    if ends[0] == ends[1]:
        return ends[0]
    return say(Message("check-chart-ends", {"low": Phrase(ends[0]), "high": Phrase(ends[1])}))


HEADS = ("Group", "Share", "Cases")
"""What names, ends and numbers of people are called."""


def bounds_chart(
    rows: Sequence[BoundRow], *, description: str, narrow: bool = False, heads: tuple[str, str, str] = HEADS
) -> ChartType:
    """Draw a range for each group; on a `narrow` screen, names stand above them."""
    ends = _ends(rows)
    axis = alt.Axis(
        title=None,
        labelExpr=theme.FIGURE_LABELS["share"],
        tickCount=5,
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
    )
    return _drawn(rows, ends, axis, description, narrow=narrow, heads=heads)


def bounds_row(rows: Sequence[BoundRow], *, description: str, among: Sequence[BoundRow] = ()) -> ChartType:
    """Draw ranges by themselves, without an axis, on the scale of those `among` which they stand."""
    return _drawn(rows, _ends((*rows, *among)), None, description, narrow=True, width=_ROW_WIDTH)


def _ends(rows: Sequence[BoundRow]) -> tuple[float, float]:
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    span = max(high - low, _LEAST_SPAN)
    return max(0.0, low - _ROOM_LEFT * span), high + _ROOM_RIGHT * span


def _drawn(
    rows: Sequence[BoundRow],
    ends: tuple[float, float],
    axis: alt.Axis | None,
    description: str,
    *,
    narrow: bool,
    width: int = theme.WIDTH,
    heads: tuple[str, str, str] = HEADS,
) -> ChartType:
    labels = naming.row_labels([row.name for row in rows])
    x = alt.X("value:Q", scale=alt.Scale(domain=list(ends), nice=False, zero=False), axis=axis)
    y = theme.row_axis(labels)
    if narrow:
        y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=alt.Axis(title=None, labels=False))
    layers: list[alt.Chart] = []
    for is_own, shape, color in ((True, "circle", theme.PROTECTED), (False, "square", theme.REFERENCE)):
        own = [(label, row) for label, row in zip(labels, rows, strict=True) if row.is_own == is_own]
        spans = [{"label": label, "value": row.low, "end": row.high} for label, row in own]
        bar = theme.Layer(theme.values(spans)).mark_rule(strokeWidth=_BAR, color=color, opacity=0.35)
        layers.append(bar.encode(x=x, x2=alt.X2("end:Q"), y=y))
        points = [
            {"label": label, "name": naming.whole(row.name), "value": end, "exact": row.text, "n": row.n}
            for label, row in own
            for end in dict.fromkeys((row.low, row.high))
        ]
        hover = theme.tooltip([*zip(("name", "exact", "n"), heads, strict=True)])
        point = theme.Layer(theme.values(points)).mark_point(
            filled=True, size=_POINT, opacity=1, shape=shape, color=color
        )
        layers.append(point.encode(x=x, y=y, tooltip=hover))
        texts = [{"label": label, "value": row.high, "text": row.text} for label, row in own]
        text = theme.Layer(theme.values(texts)).mark_text(align="left", dx=11, fontSize=13, fontWeight=600, color=color)
        layers.append(text.encode(x=x, y=y, text=alt.Text("text:N")))
        if narrow:
            names = [{"label": label, "text": naming.shorten(row.name, 40)} for label, row in own]
            name = theme.Layer(theme.values(names)).mark_text(
                align="left", dy=-16, fontSize=13, fontWeight=600, color=color
            )
            layers.append(name.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    height = (_NARROW_ROW if narrow else _ROW) * len(rows)
    return theme.finish(alt.layer(*layers), height, description, width=width)
