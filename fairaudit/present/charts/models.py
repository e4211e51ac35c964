"""The picture of several models: the gap that each leaves on the band of the limit, how it is read, and its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite

_ROW, _NARROW_ROW = 40, 108
_READING, _GIVEN, _RIGHT = 14, 248, 354
"""Where the columns beside the picture stand, in pixels from its right edge."""
_HEAD_LENGTH = 13
_PRICE = ("given", "right")
_WARNED = "#7a3208"
_NOT_GROUP = alt.condition("datum.by_group", alt.ColorValue(_WARNED), alt.ColorValue(theme.REFERENCE))
_SHAPE = alt.condition("datum.by_group", alt.value("diamond"), alt.value("circle"))
_BREAK = " | "
"""Between the lines of a label; printed charts show no other sign as it is."""
_LINES = f"indexof(datum.label, '{_BREAK}') < 0 ? datum.label : split(datum.label, '{_BREAK}')"
Records = Sequence[theme.Datum]
Args = dict[str, Argument]
Prices = tuple[str, str]
"""The messages of the heads of both columns that say what a model costs."""


@dataclass(frozen=True)
class DrawnModel:
    """A row of the picture; texts are empty where there is nothing to say."""

    name: Argument
    gap: float  # the protected group minus the others
    interval: Interval
    reading: Message | None  # how it is read
    met: bool  # whether that is good
    hollow: bool  # whether it is there today, and no proposal
    by_group: bool
    given: Argument | None  # the share of all with the favourable result, or their mean amount
    right: Argument | None  # how often it is right, or how far off it is
    mark: Message | None = None  # what the row is marked as below its name


def models_chart(
    models: Sequence[DrawnModel],
    limit: float,
    quantity: Quantity,
    args: Args,
    prices: Prices,
    description: str,
    *,
    narrow: bool = False,
) -> ChartType:
    """Draw the gap that each model leaves on the band of the limit.

    On a `narrow` screen, what a row is, how it is read and what it costs stand above it.
    """
    names = naming.unique_labels([say(Message("group-alone", {"group": each.name})) for each in models], 44)
    records = [_record(name, row, quantity, limit) for name, row in zip(names, models, strict=True)]
    x, span = _across(records, limit, quantity, args)
    height = _NARROW_ROW if narrow else _ROW
    y = _rows([r["label"] for r in records], narrow=narrow)
    layers = [
        theme.band(-limit, limit, span),
        theme.upright(0.0, color="#b5bcc4"),
        _band_words(limit, span, say(Message("compare-chart-band", args))),
        *_points(records, x, y),
        *((_titles if narrow else _columns)(prices, args, records, y)),
    ]
    return theme.finish(alt.layer(*layers), height * len(records), description)


def models_chart_row(row: DrawnModel, limit: float, quantity: Quantity, args: Args) -> str:
    """Return a row in words."""
    sized: Args = {
        "name": row.name,
        "size": quantity.size_beside(row.gap, limit),
        "direction": quantity.direction(row.gap),
    }
    if row.reading is None:
        return say(Message("compare-chart-row", args | sized))
    read: Args = {"reading": row.reading}
    if row.mark is not None:
        return say(Message("compare-chart-row-marked", args | sized | read | {"mark": row.mark}))
    return say(Message("compare-chart-row-reading", args | sized | read))


def _record(name: str, row: DrawnModel, quantity: Quantity, limit: float) -> theme.Datum:
    ends = [finite(end) for end in row.interval]
    reading = "" if row.reading is None else say(row.reading)
    note = say(Message("compare-row-group")) if row.by_group else ""
    mark = "" if row.mark is None else say(row.mark)
    below = note or mark
    return {
        "label": f"{name}{_BREAK}{below}" if below else name,
        "name": name,
        "note": note,
        "mark": mark,
        "title": f"{name}: {reading}" if reading else name,
        "value": row.gap,
        "low": ends[0],
        "high": ends[1],
        "text": say(Message("check-chart-figure", {"figure": quantity.size_beside(row.gap, limit)})),
        "exact": cell_text(row.gap, quantity.unit.gap),
        "reading": reading,
        "met": row.met,
        "hollow": row.hollow,
        "by_group": row.by_group,
        "given": _figure(row.given),
        "right": _figure(row.right),
    }


def _figure(figure: Argument | None) -> str:
    return "\N{EN DASH}" if figure is None else say(Message("check-chart-figure", {"figure": figure}))


def _across(records: Records, limit: float, quantity: Quantity, args: Args) -> tuple[alt.X, tuple[float, float]]:
    """Return the axis of the gap, which says on its wider side who is worse off, and its ends."""
    known = [v for r in records for v in (r["value"], r["low"], r["high"]) if v is not None]
    low, high = min(-limit, *known), max(limit, *known)
    room = 0.06 * (high - low) or 0.01
    span = low - room, high + room
    size = "format(abs(datum.value) * 100, '.2~f')" if quantity.kind == "share" else "format(abs(datum.value), ',.6~g')"
    equal = say(Message("compare-chart-equal"))
    is_left = -low >= high
    key = "compare-chart-worse" if is_left else "compare-chart-better"
    title = say(Message(key, args | {"direction": quantity.direction(-1.0 if is_left else 1.0)}))
    axis = alt.Axis(
        title=naming.shorten(title, 70),
        titleAnchor="start" if is_left else "end",
        labelExpr=f"abs(datum.value) < 1e-9 ? '{equal}' : {size}",
        tickCount=5,
        tickColor="transparent",
        domain=False,
    )
    return alt.X("value:Q", scale=alt.Scale(domain=list(span), nice=False, zero=False), axis=axis), span


def _rows(labels: Sequence[str], *, narrow: bool) -> alt.Y:
    if narrow:
        axis = alt.Axis(title=None, labels=False)
    else:
        up = {"condition": {"test": f"indexof(datum.label, '{_BREAK}') >= 0", "value": -7}, "value": 0}
        options: theme.Datum = {"labelExpr": _LINES, "labelOffset": up, "labelLineHeight": 15, "labelFontSize": 13}
        axis = alt.Axis(title=None, **options)
    return alt.Y("label:N", scale=alt.Scale(domain=list(labels)), axis=axis)


def _band_words(limit: float, span: tuple[float, float], text: str) -> alt.Chart:
    """Write above the band what it is."""
    at = max(span[0], min(span[1], 0.0))
    chart = theme.Layer(theme.values([{"value": at, "text": text}])).mark_text(
        align="center", baseline="bottom", fontSize=12, fontWeight=600, color=theme.REFERENCE
    )
    return chart.encode(x=alt.X("value:Q"), y=alt.YValue(-6), text=alt.Text("text:N"))


def _points(records: Records, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    spans = [
        {"label": r["label"], "value": r["low"], "end": r["high"], "hollow": r["hollow"]}
        for r in records
        if None not in (r["low"], r["high"])
    ]
    shared = ("label", "name", "value", "text", "exact", "reading", "by_group")
    points = [{field: r[field] for field in shared} | {"hollow": r["hollow"]} for r in records]
    hover = theme.tooltip([("name", " "), ("exact", "Gap, protected minus others"), ("reading", "Limit")])
    faint = alt.condition("datum.hollow", alt.ColorValue("#9aa5b1"), alt.ColorValue("#7f98b0"))
    color = alt.condition("datum.hollow", alt.ColorValue(theme.QUIET), alt.ColorValue(theme.TEXT))
    layers: list[alt.Chart] = [
        theme.Layer(theme.values(spans)).mark_rule(strokeWidth=2.5).encode(x=x, x2=alt.X2("end:Q"), y=y, color=faint)
    ]
    for hollow in (True, False):
        own = theme.Layer(theme.values([r for r in points if r["hollow"] is hollow]))
        if hollow:
            layers.append(
                own.mark_point(filled=True, size=120, opacity=1, fill="#ffffff", strokeWidth=2.5).encode(
                    x=x, y=y, stroke=alt.ColorValue(theme.QUIET), tooltip=hover
                )
            )
        else:
            layers.append(
                own.mark_point(filled=True, size=140, opacity=1).encode(
                    x=x, y=y, color=_NOT_GROUP, shape=_SHAPE, tooltip=hover
                )
            )
    numbers = theme.Layer(theme.values(points)).mark_text(dy=-13, fontSize=13, fontWeight=600)
    return [*layers, numbers.encode(x=x, y=y, text=alt.Text("text:N"), color=color)]


def _columns(prices: Prices, args: Args, records: Records, y: alt.Y) -> list[alt.Chart]:
    """Write to the right of each row how it is read, and what it costs."""
    words = alt.condition("datum.met", alt.ColorValue(theme.REFERENCE), alt.ColorValue(theme.QUIET))
    texts = [{"label": r["label"], "text": r["reading"], "met": r["met"]} for r in records]
    chart = theme.Layer(theme.values(texts)).mark_text(align="left", dx=_READING, baseline="middle", fontSize=13)
    layers = [chart.encode(x=alt.XValue("width"), y=y, text=alt.Text("text:N"), color=words)]
    for key, field, dx in zip(prices, _PRICE, (_GIVEN, _RIGHT), strict=True):
        cells = [{"label": r["label"], "text": r[field]} for r in records]
        column = theme.Layer(theme.values(cells)).mark_text(align="right", dx=dx, baseline="middle", fontSize=13)
        layers.append(column.encode(x=alt.XValue("width"), y=y, text=alt.Text("text:N")))
        lines = wrap(naming.shorten(say(Message(key, args)), 39), _HEAD_LENGTH)
        head = theme.Layer(theme.values([{"text": "\n".join(lines)}])).mark_text(
            align="right", dx=dx, dy=-14 * (len(lines) - 1), baseline="bottom", lineBreak="\n", lineHeight=14,
            fontSize=12, color=theme.QUIET,
        )  # fmt: skip
        layers.append(head.encode(x=alt.XValue("width"), y=alt.YValue(-6), text=alt.Text("text:N")))
    return layers


def _titles(prices: Prices, args: Args, records: Records, y: alt.Y) -> list[alt.Chart]:
    """Write above each row what it is, how it is read, what it costs, and what the law may say."""
    heads = dict(zip(_PRICE, prices, strict=True))
    lines = (
        ("title", -54, theme.TEXT),
        ("given", -40, theme.QUIET),
        ("right", -27, theme.QUIET),
        ("note", 20, _WARNED),
        ("mark", 20, theme.REFERENCE),
    )
    charts: list[alt.Chart] = []
    for field, dy, color in lines:
        texts = [{"label": r["label"], "text": r[field]} for r in records if r[field]]
        if field in heads:
            head: Args = {"what": Message(heads[field], args)}
            for text in texts:
                text["text"] = say(Message("compare-column-figure", head | {"figure": Phrase(text["text"])}))
        chart = theme.Layer(theme.values(texts)).mark_text(align="left", dy=dy, baseline="middle", fontSize=12)
        charts.append(chart.encode(y=y, x=alt.XValue(0), text=alt.Text("text:N"), color=alt.ColorValue(color)))
    return charts
