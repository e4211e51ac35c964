"""The pictures of what explains a gap: from the whole gap, column by column, to what is left; and a missing column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import altair as alt
from altair.typing import ChartType

from fairaudit.audit.result import ExplanationFinding
from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.quantity import UNITS, Quantity, QuantityKind
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite, signed_text
from fairaudit.sections.explain.reading import quantity_of

_ROW, _NARROW_ROW, _BAR = 46, 62, 26
_WHOLE = "#8a94a0"
_WIDE_ENOUGH = 0.3
"""The share of the axis that a bar takes which holds its own number."""


@dataclass(frozen=True)
class GapBar:
    """A part of a gap: from where to where it goes, as more (or less) of what sentences speak of."""

    name: str
    value: float
    start: float
    color: str
    interval: Sequence[float]


def bars_of(finding: ExplanationFinding) -> list[GapBar]:
    """Return the whole gap, the part of each column, that of people without a counterpart, and what is left."""
    found, quantity = finding.result, quantity_of(finding)
    parts_of_it: list[tuple[str, float, Sequence[float], str]] = [
        (row.control, row.part, (row.part_low, row.part_high), theme.REFERENCE) for row in found.by_control.itertuples()
    ]
    if found.n_alone_protected or found.n_alone_reference:
        alone = found.no_counterpart
        parts_of_it.append((say(Message("explain-chart-alone")), alone.value, alone.interval, theme.LINE))
    left = found.unexplained
    parts_of_it.append((say(Message("explain-chart-left")), left.value, left.interval, theme.PROTECTED))
    bars = [
        GapBar(say(Message("explain-chart-gap")), quantity.signed(found.gap.value), 0.0, _WHOLE, found.gap.interval)
    ]
    at = 0.0
    for name, part, interval, color in parts_of_it:
        bars.append(GapBar(name, quantity.signed(part), at, color, interval))
        at += bars[-1].value
    return bars


def explanation_chart(finding: ExplanationFinding, *, narrow: bool = False) -> ChartType:
    """Draw the gap and, below it, each part from where the one above ends; on a `narrow` screen with names above."""
    bars, quantity = bars_of(finding), quantity_of(finding)
    labels = naming.unique_labels([bar.name for bar in bars], 40)
    height = _NARROW_ROW if narrow else _ROW
    ends = _ends(bars)
    records = [_record(finding, quantity, label, bar, ends) for label, bar in zip(labels, bars, strict=True)]
    x = _axis(ends, quantity)
    axis = alt.Axis(title=None, labels=not narrow, labelFontSize=14, labelFontWeight=600)
    y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=axis)
    hover = theme.tooltip([("name", " "), ("text", "Size"), ("exact", "Exact"), ("interval", "Likely range")])
    rows = theme.Layer(theme.values(records)).mark_bar(size=_BAR, yOffset=8 if narrow else 0)
    layers = [
        theme.upright(0.0, color=theme.REFERENCE),
        *([] if narrow else _links(records, height)),
        rows.encode(x=x, x2=alt.X2("end:Q"), y=y, color=alt.Color("color:N", scale=None), tooltip=hover),
        *_figures(records, y, 8 if narrow else 0),
        *_sides(finding, quantity, height * len(bars), 40 if narrow else 90),
    ]
    if narrow:
        names = theme.Layer(theme.values(records)).mark_text(align="left", dy=-16, fontSize=13, fontWeight=600)
        layers.append(names.encode(x=alt.XValue(0), y=y, text=alt.Text("label:N")))
    return theme.finish(alt.layer(*layers), height * len(bars), explanation_chart_text(finding))


def explanation_chart_title(finding: ExplanationFinding) -> str:
    """Return what the picture shows."""
    quantity = quantity_of(finding)
    size = quantity.size(finding.result.gap.value)
    return say(Message("explain-chart-title", {"quantity": Word(quantity.kind), "size": size}))


def explanation_chart_text(finding: ExplanationFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity = quantity_of(finding)
    rows = [
        say(Message("explain-chart-row", {"place": Phrase(bar.name), "figure": _figure(finding, quantity, bar.value)}))
        for bar in bars_of(finding)
    ]
    return " ".join((f"{explanation_chart_title(finding)}.", *rows))


def _figure(finding: ExplanationFinding, quantity: Quantity, value: float) -> Message:
    args: dict[str, Argument] = {
        "quantity": Word(quantity.kind),
        "size": quantity.size(value),
        "direction": Word("less" if value < 0 else "more"),
        "what": Phrase(""),
    }
    return Message("explain-chart-figure", args)


def _record(
    finding: ExplanationFinding, quantity: Quantity, label: str, bar: GapBar, ends: tuple[float, float]
) -> dict[str, object]:
    end = bar.start + bar.value
    low, high = min(bar.start, end), max(bar.start, end)

    def exact(value: float) -> str:
        return signed_text(quantity.scaled(value), digits=quantity.digits + 1)

    is_inside = high - low > _WIDE_ENOUGH * (ends[1] - ends[0])
    return {
        "label": label,
        "name": naming.whole(bar.name),
        "value": finite(low),
        "end": finite(high),
        "last": finite(end),
        "color": bar.color,
        "ink": "#ffffff" if is_inside else theme.PROTECTED if bar.color == theme.PROTECTED else theme.TEXT,
        "text": say(_figure(finding, quantity, bar.value)),
        "exact": exact(bar.value),
        "interval": " to ".join(map(exact, sorted(map(quantity.signed, bar.interval)))),
        "side": "inside" if is_inside else "right" if ends[1] - high > low - ends[0] else "left",
    }  # fmt: skip


def _ends(bars: list[GapBar]) -> tuple[float, float]:
    values = [0.0, *(end for bar in bars for end in (bar.start, bar.start + bar.value))]
    room = 0.12 * (max(values) - min(values)) or 0.01
    return min(values) - room, max(values) + 1.5 * room


def _axis(ends: tuple[float, float], quantity: Quantity) -> alt.X:
    equal = say(Message("explain-chart-equal"))
    axis = alt.Axis(
        title=None,
        labelExpr=f"abs(datum.value) < 1e-9 ? '{equal}' : {theme.GAP_LABELS[quantity.kind]}",
        tickCount=5,
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
    )  # fmt: skip
    return alt.X("value:Q", scale=alt.Scale(domain=list(ends), nice=False, zero=False), axis=axis)


def _links(records: list[dict[str, object]], height: int) -> list[alt.Chart]:
    """Draw from the end of each bar to the next, and from the whole gap to where what is left ends."""
    middle = height // 2
    spans = [(row, row + 1, records[row]["last"]) for row in range(1, len(records) - 1)]
    spans.append((0, len(records) - 1, records[0]["last"]))
    return [
        theme.Layer(theme.values([{"value": value}]))
        .mark_rule(strokeDash=[2, 3], color="#a5adb6")
        .encode(x=alt.X("value:Q"), y=alt.YValue(first * height + middle), y2=alt.Y2Value(last * height + middle))
        for first, last, value in spans
    ]


def _figures(records: list[dict[str, object]], y: alt.Y, down: int) -> list[alt.Chart]:
    """Write each number into its bar, or beside a short one."""
    places: dict[str, tuple[str, theme.Align, int]] = {
        "inside": ("end", "right", -8), "right": ("end", "left", 8), "left": ("value", "right", -8),
    }  # fmt: skip
    charts = []
    for side, (field, align, dx) in places.items():
        texts = [{**record, "value": record[field]} for record in records if record["side"] == side]
        text = theme.Layer(theme.values(texts)).mark_text(align=align, dx=dx, dy=down, fontSize=13, fontWeight=600)
        color = alt.Color("ink:N", scale=None)
        charts.append(text.encode(x=alt.X("value:Q"), y=y, text=alt.Text("text:N"), color=color))
    return charts


def _sides(finding: ExplanationFinding, quantity: Quantity, height: int, longest: int) -> list[alt.Chart]:
    """Write below the axis which way is which."""
    names = finding.names
    args = {"protected": names.protected, "verb": names.verb, "quantity": Word(quantity.kind)}
    sides: tuple[tuple[str, alt.XValue, theme.Align], ...] = (
        ("explain-chart-less", alt.XValue(0), "left"),
        ("explain-chart-more", alt.XValue("width"), "right"),
    )
    charts = []
    for key, at, align in sides:
        text = naming.shorten(say(Message(key, args)), longest)
        chart = theme.Layer(theme.values([{"text": text}]))
        chart = chart.mark_text(align=align, baseline="top", color=theme.QUIET, fontSize=12)
        charts.append(chart.encode(x=at, y=alt.YValue(height + 26), text=alt.Text("text:N")))
    return charts


# The range of a gap under a column that is missing, by how strongly it goes with group and outcome.

CURVE_TITLE = Message("explain-curve-title")
CURVE_NOTE = Message("explain-curve-note")


@dataclass(frozen=True)
class CurveLook:
    """How the curve is drawn: what the strength of a missing column is, on which scale, and what a gap is.

    `digits` are those of its ends in words; None for those of all sentences.
    """

    strength: str
    scale: Literal["log", "linear"]
    gap: str
    digits: int | None = None


CURVES: Final[Mapping[QuantityKind, CurveLook]] = {
    "share": CurveLook("Odds ratio of the missing column with group and outcome", "log", "Gap, points", 1),
    "amount": CurveLook("Share of group and amount that the missing column explains", "linear", "Difference"),
}


def curve_chart(finding: ExplanationFinding) -> ChartType:
    """Draw the range of the gap under a missing column of two values, by its strength."""
    kind = finding.decision.kind.quantity
    look, scale = CURVES[kind], UNITS[kind].scale
    records: list[theme.Datum] = [
        {
            "x": float(row.strength),
            "low": scale * row.low,
            "high": scale * row.high,
            "outer_low": scale * row.interval_low,
            "outer_high": scale * row.interval_high,
        }
        for row in finding.result.sensitivity.curve.itertuples()
    ]
    x = alt.X("x:Q", title=look.strength, scale=alt.Scale(type=look.scale, nice=False))
    area = theme.Layer(theme.values(records))
    layers = [
        area.mark_area(color=theme.BAND).encode(x=x, y=alt.Y("outer_low:Q", title=look.gap), y2=alt.Y2("outer_high:Q")),
        area.mark_area(color=theme.REFERENCE, opacity=0.35).encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        theme.Layer(theme.values([{"y": 0}])).mark_rule(color=theme.TEXT, strokeDash=[4, 3]).encode(y=alt.Y("y:Q")),
    ]
    return theme.finish(alt.layer(*layers), 240, curve_chart_text(finding))


def curve_chart_text(finding: ExplanationFinding) -> str:
    """Return the curve in words."""
    last, quantity = finding.result.sensitivity.curve.iloc[-1], quantity_of(finding)
    digits = CURVES[quantity.kind].digits or quantity.digits
    low, high = (Phrase(signed_text(quantity.scaled(float(last[end])), digits=digits)) for end in ("low", "high"))
    return say(Message("explain-curve-text", {"low": low, "high": high}, "note", ("result",)))
