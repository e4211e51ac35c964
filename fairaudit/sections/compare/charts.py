"""The pictures of a comparison of remedies: each gap on the band of the limit with its cost; all models as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final

import altair as alt
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Argument, Message, Phrase, Share
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.gaps import amount_axis, amount_domain
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import size_text
from fairaudit.sections.compare.reading import (
    MET,
    ModelRow,
    Remedies,
    read_comparison,
    right_figure,
    row_reading,
)
from fairaudit.sections.compare.saying import shared_args
from fairaudit.sections.remedy.reading import Beside, beside_models, unit_of

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


def compare_chart(finding: Remedies, numbers: Sequence[int] = (), *, narrow: bool = False) -> ChartType:
    """Draw the gap that each model leaves, past decisions first, on the band of the limit.

    On a `narrow` screen, what a row is, whether it meets the limit and what it costs stand above it.
    """
    quantity, reading = unit_of(finding.facts), read_comparison(finding, numbers)
    args = shared_args(finding, quantity)
    names = naming.unique_labels([say(Message("group-alone", {"group": row.name})) for row in reading.rows], 44)
    records = [_record(name, row, quantity, reading.limit) for name, row in zip(names, reading.rows, strict=True)]
    x, span = _across(records, reading.limit, quantity, args)
    height = _NARROW_ROW if narrow else _ROW
    y = _rows([r["label"] for r in records], narrow=narrow)
    layers = [
        theme.band(-reading.limit, reading.limit, span),
        theme.upright(0.0, color="#b5bcc4"),
        _band_words(reading.limit, span, say(Message("compare-chart-band", args))),
        *_points(records, x, y),
        *((_titles if narrow else _columns)(finding, args, records, y)),
    ]
    return theme.finish(alt.layer(*layers), height * len(records), compare_chart_text(finding, numbers))


def compare_chart_title(finding: Remedies) -> str:
    """Return what the picture shows."""
    quantity = unit_of(finding.facts)
    args = shared_args(finding, quantity) | {"level": Share(finding.facts.decisions.confidence)}
    if quantity.kind == "amount":
        args |= {"what": Phrase(finding.facts.meaning)}
    return say(Message(f"compare-chart-{quantity.kind}", args))


def compare_chart_text(finding: Remedies, numbers: Sequence[int] = ()) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity, reading = unit_of(finding.facts), read_comparison(finding, numbers)
    args = shared_args(finding, quantity)
    said = [f"{compare_chart_title(finding)}."]
    for row in reading.rows:
        sized: dict[str, Argument] = {
            "name": row.name,
            "size": quantity.size_beside(row.gap, reading.limit),
            "direction": quantity.direction(row.gap),
        }
        word = row_reading(row)
        if word is None:
            said.append(say(Message("compare-chart-row", args | sized)))
        else:
            said.append(say(Message("compare-chart-row-reading", args | sized | {"reading": word})))
    return " ".join(said)


def _record(name: str, row: ModelRow, quantity: Quantity, limit: float) -> theme.Datum:
    ends = [finite(end) for end in row.interval]
    word = row_reading(row)
    reading = "" if word is None else say(word)
    note = say(Message("compare-row-group")) if row.needs_group else ""
    return {
        "label": f"{name}{_BREAK}{note}" if note else name,
        "name": name,
        "note": note,
        "title": f"{name}: {reading}" if reading else name,
        "value": row.gap,
        "low": ends[0],
        "high": ends[1],
        "text": say(Message("check-chart-figure", {"figure": quantity.size_beside(row.gap, limit)})),
        "exact": cell_text(row.gap, quantity.unit.gap),
        "reading": reading,
        "met": row.limit in MET,
        "hollow": row.role != "remedy",
        "by_group": row.needs_group,
        "given": _figure(None if row.given is None else quantity.figure(row.given)),
        "right": _figure(None if row.right is None else right_figure(quantity, row.right)),
    }


def _figure(figure: Argument | None) -> str:
    return "\N{EN DASH}" if figure is None else say(Message("check-chart-figure", {"figure": figure}))


def _across(
    records: Records, limit: float, quantity: Quantity, args: dict[str, Argument]
) -> tuple[alt.X, tuple[float, float]]:
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


def _columns(finding: Remedies, args: dict[str, Argument], records: Records, y: alt.Y) -> list[alt.Chart]:
    """Write to the right of each row whether it meets the limit, and what it costs."""
    words = alt.condition("datum.met", alt.ColorValue(theme.REFERENCE), alt.ColorValue(theme.QUIET))
    texts = [{"label": r["label"], "text": r["reading"], "met": r["met"]} for r in records]
    chart = theme.Layer(theme.values(texts)).mark_text(align="left", dx=_READING, baseline="middle", fontSize=13)
    layers = [chart.encode(x=alt.XValue("width"), y=y, text=alt.Text("text:N"), color=words)]
    for key, field, dx in zip(_PRICES[beside_models(finding.facts)], _PRICE, (_GIVEN, _RIGHT), strict=True):
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


_PRICES: Final[dict[Beside, tuple[str, str]]] = {
    "decision": ("compare-column-given", "compare-column-matches"),
    "outcome": ("compare-column-predicted", "compare-column-accuracy"),
    "amount": ("compare-column-given", "compare-column-error"),
}
"""What is written of the price of each row: whom it is good for, and how well it agrees."""


def _titles(finding: Remedies, args: dict[str, Argument], records: Records, y: alt.Y) -> list[alt.Chart]:
    """Write above each row what it is, whether it meets the limit, what it costs, and what the law may say."""
    heads = dict(zip(_PRICE, _PRICES[beside_models(finding.facts)], strict=True))
    lines = (
        ("title", -54, theme.TEXT),
        ("given", -40, theme.QUIET),
        ("right", -27, theme.QUIET),
        ("note", 20, _WARNED),
    )
    charts: list[alt.Chart] = []
    for field, dy, color in lines:
        texts = [{"label": r["label"], "text": r[field]} for r in records if r[field]]
        if field in heads:
            head: dict[str, Argument] = {"what": Message(heads[field], args)}
            for text in texts:
                text["text"] = say(Message("compare-column-figure", head | {"figure": Phrase(text["text"])}))
        chart = theme.Layer(theme.values(texts)).mark_text(align="left", dy=dy, baseline="middle", fontSize=12)
        charts.append(chart.encode(y=y, x=alt.XValue(0), text=alt.Text("text:N"), color=alt.ColorValue(color)))
    return charts


# How well each model does against how far apart it leaves the groups, as points.

_FRONTIER_HEIGHT = 320
_LABEL = 32
"""Letters of the name of a model that stand beside its point."""


@dataclass(frozen=True)
class FrontierAxes:
    """What points are drawn by, and a line at the gap of past decisions, which have no accuracy of their own."""

    x_title: str
    y_title: str
    digits: int | None = None  # of amounts; None for shares
    past: float | None = None
    past_words: str = ""


def frontier_chart(rows: pd.DataFrame, axes: FrontierAxes) -> ChartType:
    """Draw models by how well they do and how far apart they leave the groups."""
    digits = axes.digits
    kinds = ("needs no group", "needs the group to decide")
    records: list[theme.Datum] = [
        {
            "value": finite(row.x), "low": finite(row.x_low), "high": finite(row.x_high),
            "y": finite(row.y), "y_low": finite(row.y_low), "y_high": finite(row.y_high),
            "number": row.number, "name": naming.whole(row.name), "best": bool(row.on_frontier),
            "kind": kinds[bool(row.needs_group)],
            **dict(zip(("x_text", "y_text"), _frontier_texts(row, digits), strict=True)),
        }
        for row in rows.itertuples(index=False)
    ]  # fmt: skip
    known = [r for r in records if r["value"] is not None and r["y"] is not None]
    wide_span = [v for r in known for v in (r["value"], r["low"], r["high"])]
    tall_span = [v for r in known for v in (r["y"], r["y_low"], r["y_high"])] + [0.0, axes.past]
    titles = naming.shorten(axes.x_title, 60), naming.shorten(axes.y_title, 60)
    if digits is None:
        across, down = theme.domain(wide_span, step=0.02), theme.domain(tall_span, step=0.02)
        x = theme.share_scale(across, say(Message("axis-better-right", {"figure": Phrase(titles[0])})))
        y_axis = alt.Axis(
            title=say(Message("axis-better-below-points", {"figure": Phrase(titles[1])})), labelExpr=theme.POINTS_LABEL
        )
    else:
        across, down = amount_domain(wide_span), amount_domain(tall_span)
        x = amount_axis(across, say(Message("axis-better-left", {"figure": Phrase(titles[0])})), digits)
        y_axis = alt.Axis(
            title=say(Message("axis-better-below", {"figure": Phrase(titles[1])})), format=f",.{digits}~f"
        )
    y = alt.Y("y:Q", scale=alt.Scale(domain=down, nice=False, zero=False), axis=y_axis)
    hover = theme.tooltip(
        [("name", "Model"), ("x_text", axes.x_title), ("y_text", axes.y_title), ("kind", "When deciding")]
    )
    spans = [r for r in known if r["low"] is not None and r["high"] is not None]
    falls = [r for r in known if r["y_low"] is not None and r["y_high"] is not None]
    wide = theme.Layer(theme.values([r | {"value": r["low"], "end": r["high"]} for r in spans]))
    tall = theme.Layer(theme.values([r | {"y": r["y_low"], "end": r["y_high"]} for r in falls]))
    line = [] if axes.past is None else [{"y": axes.past, "value": across[0], "text": axes.past_words}]
    level = theme.Layer(theme.values(line))
    layers = [
        level.mark_rule(color=theme.LINE).encode(y=y),
        level.mark_text(align="left", baseline="bottom", dx=4, dy=-2, color=theme.QUIET, fontSize=11).encode(
            x=x, y=y, text=alt.Text("text:N")
        ),
        wide.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, x2=alt.X2("end:Q"), y=y),
        tall.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, y=y, y2=alt.Y2("end:Q")),
        _stairs([r for r in known if r["best"]], x, y),
    ]
    shapes = alt.Scale(domain=list(kinds), range=["circle", "square"])
    colors = alt.Scale(domain=list(kinds), range=[theme.REFERENCE, theme.PROTECTED])
    # No model of amounts needs the group, so there is nothing to distinguish.
    title, legend = (None, alt.Undefined) if digits is None else (alt.Undefined, None)
    shape = alt.Shape("kind:N", scale=shapes, title=title, legend=legend)
    color = alt.Color("kind:N", scale=colors, title=title, legend=legend)
    for best in (True, False):
        own = [r for r in known if r["best"] is best]
        # A layer of nothing would be met by a screen reader.
        if not own:
            continue
        points = theme.Layer(theme.values(own))
        drawn = points.mark_point(filled=best, size=110, opacity=1, strokeWidth=2)
        layers.append(drawn.encode(x=x, y=y, shape=shape, tooltip=hover, color=color))
    labels = [r | {"text": r["number"] or naming.shorten(r["name"], _LABEL)} for r in known]
    if all(r["number"] for r in known):
        labels = theme.joined(labels, across, down, height=_FRONTIER_HEIGHT)
    layers += theme.beside(labels, x, y, across, down, height=_FRONTIER_HEIGHT)
    return theme.finish(alt.layer(*layers), _FRONTIER_HEIGHT, frontier_chart_text(rows, axes))


def _frontier_texts(row: Any, digits: int | None) -> tuple[str, str]:
    if digits is not None:
        return cell_text(row.x, "amount", digits=digits), cell_text(row.y, "amount", digits=digits)
    return cell_text(row.x, "share"), size_text(row.y)


def _stairs(best: Sequence[dict[str, object]], x: alt.X, y: alt.Y) -> alt.Chart:
    ordered = sorted(best, key=lambda r: (r["value"], r["y"]))
    line = theme.Layer(theme.values([r | {"order": i} for i, r in enumerate(ordered)]))
    return line.mark_line(strokeDash=[4, 3], strokeWidth=1.2, color=theme.LINE).encode(
        x=x, y=y, order=alt.Order("order:Q")
    )


def frontier_chart_text(rows: pd.DataFrame, axes: FrontierAxes) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    x, y = (Phrase(naming.shorten(title, 60)) for title in (axes.x_title, axes.y_title))
    said = [f"{say(Message('remedies-chart-models', {'x': x, 'y': y}))}."]
    if axes.past is not None:
        line = {"what": Phrase(axes.past_words), "size": Phrase(size_text(axes.past))}
        said.append(say(Message("remedies-chart-decided", line)))
    for row in rows.itertuples(index=False):
        figures = ", ".join(_frontier_texts(row, axes.digits)) + (" points" if axes.digits is None else "")
        texts = {"number": Phrase(str(row.number)), "name": Phrase(naming.short(row.name))}
        model = Message("remedies-chart-numbered", texts) if row.number else texts["name"]
        key = "remedies-chart-model-best" if row.on_frontier else "remedies-chart-model"
        said.append(say(Message(key, {"model": model, "figures": Phrase(figures)})))
    return " ".join(said)
