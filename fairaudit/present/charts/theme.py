"""What the charts share: one look, labels that fit, axes in percent, points with intervals, shaded bands.

Data reach Vega only as values of fixed field names, so that no text from a table can be read as a field path,
a format or an expression. Channels are objects, `alt.X("value:Q")`: for a bare text, Altair looks through all of its
classes anew. Charts are made of :class:`Layer`, which Altair does not copy with all records.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, Literal, TypeVar

import altair as alt
from altair.typing import ChartType

from fairaudit.measure.quantity import QuantityKind
from fairaudit.measure.results import GroupComparison, GroupMean, GroupRatio, GroupRow
from fairaudit.messages.catalogue import ENGLISH, marks, spoken
from fairaudit.present import naming
from fairaudit.present.numbers import finite, tolerance_text
from fairaudit.present.verdicts import READINGS

Datum = dict[str, Any]
"""A row of the data of a chart, by the names of its fields."""
Drawing = TypeVar("Drawing", bound=ChartType)

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


@cache
def _config(language: str) -> alt.Config:
    """Return the look, with numbers as a language writes them."""
    if language == ENGLISH:
        return CONFIG
    group, decimal = marks(language)
    numbers = alt.NumberLocale(decimal=decimal, thousands=group, grouping=[3], currency=["", ""])
    look = CONFIG.copy()
    look.locale = alt.Locale(number=numbers)
    return look


def configure(chart: Drawing, *, description: str = "", **size: int) -> Drawing:
    """Give a chart the look of fairaudit and a description for people who cannot see it."""
    # `chart.properties` would copy all layers, and check each part by itself: all is checked when it is drawn.
    chart.padding = {"left": 8, "right": 8, "top": 6, "bottom": 4}
    chart.config = _config(spoken())
    for name, pixels in size.items():
        chart[name] = pixels
    if description:
        chart.description = description
    return chart


def printed(chart: ChartType) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart for paper: the same chart with the report's typeface."""
    specification = chart.to_dict(validate=False)
    specification["config"] = {**specification.get("config", {}), "font": PRINT_FONT}
    return specification


ROW_HEIGHT = 26
DENSE_ROW_HEIGHT = 20
LONG_ROW_HEIGHT = 29
"""A row whose label may stand on two lines."""

PLAIN = alt.ColorValue(TEXT)
"""The colour of points that no reading distinguishes: colours and shapes mean readings only."""

_IS_LONG = f"length(datum.label) > {naming.LABEL_LENGTH}"
_BLANK = f"lastindexof(slice(datum.label, 0, {naming.LABEL_LENGTH + 1}), ' ')"
# The second line begins after the last blank that the first has room for, unless it would then be longer than that.
_BREAK = f"(length(datum.label) - {_BLANK} > {naming.LABEL_LENGTH + 8} ? {naming.LABEL_LENGTH} : {_BLANK})"
_TWO_LINES = f"[slice(datum.label, 0, {_BREAK}), slice(datum.label, {_BREAK})]"

POINTS_LABEL = "format(abs(datum.value) * 100, '.2~f')"
_FEW, _LONG = 4, 20
_NEAR = 0.25
Align = Literal["left", "center", "right"]
_LABELS = {
    "share": f"{POINTS_LABEL} + ' %'",
    "points": POINTS_LABEL,
    "signed": f"(datum.value > 0 ? '+' : datum.value < 0 ? '\u2212' : '') + {POINTS_LABEL}",
}


def size(*groups: GroupRatio | GroupMean) -> int:
    """Return how many rows groups have together; a count that is hidden adds nothing."""
    return sum(group.n or 0 for group in groups)


def worst_first(comparison: GroupComparison, *, more_is_better: bool = True) -> GroupComparison:
    """Return a comparison with its groups in the order in which they are drawn; those without a gap come last."""
    sign = 1 if more_is_better else -1

    def place(row: GroupRow) -> float:
        known = finite(row.comparison.difference)
        return math.inf if known is None else sign * known

    return replace(comparison, rows=tuple(sorted(comparison.rows, key=place)))


def by_reading(records: Sequence[dict[str, object]]) -> dict[str, object]:
    """Return the channels that mark each row by what the data support there, and a legend of the marks that occur."""
    readings, found = list(READINGS), {record["reading"] for record in records}
    # On the screen of a phone not more of them fit beside each other.
    legend = alt.Legend(columns=2, values=[reading for reading in readings if reading in found])
    shapes = alt.Scale(domain=readings, range=["square", "circle", "diamond", "triangle-up"])
    colors = alt.Scale(domain=readings, range=[REFERENCE, PROTECTED, QUIET, QUIET])
    return {
        "shape": alt.Shape("reading:N", title=None, legend=legend, scale=shapes),
        "color": alt.Color("reading:N", title=None, legend=legend, scale=colors),
    }


def domain(values: Iterable[float | None], *, low: float = 0.0, high: float = 1.0, step: float = 0.05) -> list[float]:
    """Return the ends of an axis that holds all values, on multiples of `step`, with a little room.

    Examples
    --------
    >>> domain([0.31, 0.44])
    [0.3, 0.45]
    """
    known = [v for v in values if v is not None and math.isfinite(v)]
    if not known:
        return [low, high]
    room = 0.04 * (max(known) - min(known)) + 0.004
    bottom = math.floor((min(known) - room) / step) * step
    top = math.ceil((max(known) + room) / step) * step
    return [round(max(low, bottom), 4), round(min(high, top), 4)]


def share_scale(
    span: Sequence[float], title: str | list[str], *, unit: Literal["share", "signed", "points"] = "share"
) -> alt.X:
    """Return an x channel on field ``value``, labelled in percent or in (signed) points."""
    expression = _LABELS[unit]
    return alt.X(
        "value:Q",
        scale=alt.Scale(domain=list(span), nice=False, zero=False),
        axis=alt.Axis(title=title, labelExpr=expression, tickCount=7, labelSeparation=6),
    )


# Labels of an axis. Its ends leave room for numbers, and no share is above 100 %.
FIGURE_LABELS: Final[Mapping[QuantityKind, str]] = {
    "share": "datum.value < -1e-9 || datum.value > 1 + 1e-9 ? '' : format(datum.value * 100, '.2~f') + '%'",
    "amount": "format(datum.value, ',.6~g')",
}
GAP_LABELS: Final[Mapping[QuantityKind, str]] = {
    "share": "format(abs(datum.value) * 100, '.2~f')",
    "amount": "format(abs(datum.value), ',.6~g')",
}


def row_axis(labels: Sequence[str], **look: Any) -> alt.Y:
    """Return a y channel on field ``label`` with one row a label, in the order given, a long one on two lines."""
    long: dict[str, Any] = look
    if _has_long(labels):
        up = {"condition": {"test": _IS_LONG, "value": -7}, "value": 0}
        long |= {"labelExpr": f"{_IS_LONG} ? {_TWO_LINES} : datum.label", "labelOffset": up, "labelLineHeight": 14}
    return alt.Y("label:N", scale=alt.Scale(domain=list(labels)), axis=alt.Axis(title=None, **long))


def _has_long(labels: Sequence[str]) -> bool:
    return any(len(label) > naming.LABEL_LENGTH for label in labels)


def numbered(position: int, label: str) -> str:
    """Return a label that is unique in a chart; :func:`numbered_axis` shows it without its number."""
    return f"{position:02d} {label}"


def numbered_axis(keys: Sequence[str]) -> alt.Y:
    """Return a y channel on field ``label`` with one row a key, from :func:`numbered`, in the order given."""
    axis = alt.Axis(title=None, labelExpr="slice(datum.label, 3)")
    return alt.Y("label:N", scale=alt.Scale(domain=list(keys)), axis=axis)


class Layer(alt.Chart):
    """One layer of a chart.

    Altair copies each layer several times over, with all records and channels. Nobody changes these, so that a copy
    need not have its own.
    """

    def __deepcopy__(self, memo: object) -> Layer:
        return self.copy(deep=False)


def values(records: Sequence[Datum]) -> alt.Data:
    """Wrap records as inline data."""
    return alt.InlineData(values=list(records))


def band(low: float, high: float, span: Sequence[float]) -> alt.Chart:
    """Shade from `low` to `high`, cut to the axis."""
    start, stop = max(low, span[0]), min(high, span[1])
    records = [{"value": start, "end": stop}] if start < stop else []
    return Layer(values(records)).mark_rect(color=BAND).encode(x=alt.X("value:Q"), x2=alt.X2("end:Q"))


def upright(value: float | None, *, dash: Sequence[int] = (1, 0), color: str = LINE) -> alt.Chart:
    """Draw a line across all rows at `value`."""
    records = [] if value is None else [{"value": value}]
    return (
        Layer(values(records)).mark_rule(color=color, strokeDash=list(dash), strokeWidth=1.2).encode(x=alt.X("value:Q"))
    )


def limit_line(value: float, x: alt.X) -> list[alt.Chart]:
    """Draw a line across the plot at what is allowed, named above it."""
    named = Layer(values([{"value": value, "text": "limit"}])).mark_text(baseline="bottom", dy=-4, color=QUIET)
    return [upright(value, color=TEXT), named.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N"))]


def chosen_point(
    records: Sequence[dict[str, object]], x: alt.X, y: alt.Y, *, is_opaque: bool = False
) -> list[alt.Chart]:
    """Draw a ring around the points of records that are ``chosen``, and name it; nothing where there is none."""
    chosen = Layer(values([record for record in records if record["chosen"]]))
    if not any(record["chosen"] for record in records):
        return []
    ring = chosen.mark_point(
        filled=False, size=330, strokeWidth=2, color=TEXT, opacity=1 if is_opaque else alt.Undefined
    )
    return [
        ring.encode(x=x, y=y),
        chosen.mark_text(align="left", dx=13, dy=-9, fontWeight="bold", text="chosen").encode(x=x, y=y),
    ]


def numbers_in(records: Sequence[Mapping[str, object]], *fields: str) -> list[float]:
    """Return the numbers that records hold in some fields; what is missing is left out."""
    return [value for record in records for field in fields if isinstance(value := record[field], int | float)]


def around(numbers: Sequence[float], *, least: float, digits: int, low: float = -math.inf) -> list[float]:
    """Return the ends of an axis from `low` on: all numbers, and at least so much room on either side."""
    if not numbers:
        return [0.0, 1.0]
    room = 0.06 * (max(numbers) - min(numbers)) + least
    return [round(max(low, min(numbers) - room), digits), round(max(numbers) + room, digits)]


def divider(height: int) -> alt.Chart:
    """Draw a thin line across the plot below its first rows; it says nothing to who cannot see it."""
    chart = Layer(values([{}])).mark_rule(color="#d5dbe1", aria=False)
    return chart.encode(y=alt.YValue(height), x=alt.XValue(0), x2=alt.X2Value("width"))


def reach(tolerance: float) -> str:
    """Return how far a shaded band reaches from its middle, such as "±5 points"."""
    return f"±{tolerance_text(tolerance)}"


def line_label(value: float | None, text: str, span: Sequence[float], *, level: int = 0) -> alt.Chart:
    """Write above the plot what the line at `value` is; a second label stands a `level` higher."""
    drawn = [value] if value is not None and span[0] <= value <= span[1] else []
    place = (drawn[0] - span[0]) / (span[1] - span[0]) if drawn and span[1] != span[0] else 0.5
    align: Align = "left" if place < _NEAR else "right" if place > 1 - _NEAR else "center"
    chart = Layer(values([{"value": each, "text": text} for each in drawn]))
    return chart.mark_text(align=align, baseline="bottom", color=QUIET, fontSize=11).encode(
        x=alt.X("value:Q"), y=alt.YValue(-4 - 14 * level), text=alt.Text("text:N")
    )


def interval_rows(
    records: Sequence[dict[str, object]],
    labels: Sequence[str],
    x: alt.X,
    tooltips: Sequence[tuple[str, str]],
    **point: object,
) -> list[alt.Chart]:
    """Draw one line (``low`` to ``high``) and one point (``value``) a row."""
    hover = tooltip(tooltips)
    known = [r for r in records if r["value"] is not None]
    spans = [r for r in known if r["low"] is not None and r["high"] is not None]
    lines = Layer(values([{**r, "value": r["low"], "end": r["high"]} for r in spans]))
    points = Layer(values(known)).mark_point(filled=True, size=110, opacity=1, color=REFERENCE)
    return [
        lines.mark_rule(strokeWidth=2.5, color=LINE).encode(x=x, x2=alt.X2("end:Q"), y=row_axis(labels), tooltip=hover),
        points.encode(x=x, y=row_axis(labels), tooltip=hover, **point),
    ]


def tooltip(pairs: Sequence[tuple[str, str]]) -> list[alt.Tooltip]:
    """Return what is shown on hover: pairs of field and title."""
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in pairs]


def finish(chart: Drawing, height: int, description: str, *, width: int = WIDTH) -> Drawing:
    """Give a layered chart its size, its text alternative and the theme."""
    return configure(chart, description=description, width=width, height=height)


def height_of(labels: Sequence[str]) -> int:
    """Return the height of a chart with one row a label."""
    dense = DENSE_ROW_HEIGHT if len(labels) > 12 else ROW_HEIGHT
    return max(1, len(labels)) * (LONG_ROW_HEIGHT if _has_long(labels) else dense)


def right_labels(records: Sequence[dict[str, object]], labels: Sequence[str]) -> alt.Chart:
    """Write the field ``text`` of each row to the right of the plot."""
    texts = [{"label": r["label"], "text": r["text"]} for r in records]
    chart = Layer(values(texts)).mark_text(align="left", dx=10, baseline="middle")
    return chart.encode(y=row_axis(labels), x=alt.XValue("width"), text=alt.Text("text:N"))


def cycle(labels: Sequence[str], marks: Sequence[str | Sequence[float]]) -> alt.Scale:
    """Return a scale that gives each label a mark, from the first on again after the last."""
    return alt.Scale(domain=list(labels), range=[marks[i % len(marks)] for i in range(len(labels))])


def series_channels(labels: Sequence[str], *, dash: bool) -> dict[str, object]:
    """Return the channels that distinguish series on field ``series``: colour and, where asked for, dashes."""
    # Long labels side by side would be cut on a narrow page.
    long = len(labels) <= _FEW and max(map(len, labels), default=0) > _LONG
    legend = alt.Legend(
        symbolType="stroke" if dash else alt.Undefined,
        symbolSize=500 if dash else alt.Undefined,
        columns=1 if long else alt.Undefined,
    )
    channels: dict[str, object] = {
        "color": alt.Color("series:N", title=None, scale=cycle(labels, SERIES), legend=legend)
    }
    if dash:
        dashes = [list(d) for d in DASHES]
        channels["strokeDash"] = alt.StrokeDash("series:N", title=None, scale=cycle(labels, dashes), legend=legend)
    return channels


Channel = TypeVar("Channel", alt.X, alt.Y)


def percent_axis(field: str, title: str, channel: type[Channel]) -> Channel:
    """Return an x or y channel from 0 to 100 %."""
    axis = alt.Axis(
        title=title,
        labelExpr="format(datum.value * 100, '.2~f') + ' %'",
        values=[0, 0.2, 0.4, 0.6, 0.8, 1],
        labelOverlap=False,
    )
    return channel(f"{field}:Q", axis=axis, scale=alt.Scale(domain=[0, 1], nice=False))


def diagonal(*, falling: bool = False) -> alt.Chart:
    """Draw the line of chance of a ROC curve or of a score that means what it says, on fields ``x`` and ``y``."""
    ends = [{"x": 0, "y": int(falling)}, {"x": 1, "y": int(not falling)}]
    line = Layer(values(ends)).mark_line(color="#9aa5b1", strokeDash=[2, 3])
    return line.encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))


# Short labels beside points, placed so that they cover neither each other nor a point.

NARROW = 260
"""The width in pixels that labels are placed for: what has room here has room on a wider page."""
_LETTER, _LINE, _POINT = 6.6, 14.0, 12.0
_SAME = 4.0
_ROOMS = ((9, -9), (9, 9), (-9, -9), (-9, 9), (12, 0), (-12, 0), (0, -15), (0, 15), (22, -18), (-22, -18), (22, 18))
"""Where a label may begin, right or left of the point and above or below it, the best first."""


def beside(
    records: Sequence[Datum],
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
        align: Align = "left" if dx > 0 else "right" if dx < 0 else "center"
        base = Layer(values(kept))
        for has_rim in (True, False):
            written = base.mark_text(
                align=align,
                baseline="middle",
                dx=dx,
                dy=dy,
                color=TEXT,
                stroke="white" if has_rim else alt.Undefined,
                strokeWidth=3 if has_rim else alt.Undefined,
                strokeJoin="round" if has_rim else alt.Undefined,
            )
            layers.append(written.encode(x=x, y=y, text=alt.Text("text:N")))
    return layers


def joined(
    records: Sequence[dict[str, object]], across: Sequence[float], down: Sequence[float], *, height: float
) -> list[dict[str, object]]:
    """Give points that cover each other one label with all their texts, beside the first; the others have none.

    Examples
    --------
    >>> points = [{"value": 0.5, "y": y, "text": text} for y, text in ((0.5, "6"), (0.1, "7"), (0.501, "9"))]
    >>> [r["text"] for r in joined(points, (0, 1), (0, 1), height=300)]
    ['6, 9', '7', '']
    """
    labelled: list[dict[str, object]] = []
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
    records: Sequence[Datum], across: Sequence[float], down: Sequence[float], *, height: float
) -> dict[tuple[int, int], list[Datum]]:
    """Choose for each label the first place where it covers no other label and no point.

    Examples
    --------
    >>> points = [{"value": 0.5, "y": 0.5, "text": "1"}, {"value": 0.5, "y": 0.5, "text": "2"}]
    >>> {place: [r["text"] for r in kept] for place, kept in placed(points, (0, 1), (0, 1), height=300).items()}
    {(9, -9): ['1'], (9, 9): ['2']}
    """
    centres = _centres(records, across, down, height=height)
    taken = [(cx - _POINT / 2, cy - _POINT / 2, cx + _POINT / 2, cy + _POINT / 2) for cx, cy in centres]
    chosen: dict[tuple[int, int], list[Datum]] = {}
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
    records: Sequence[Datum], across: Sequence[float], down: Sequence[float], *, height: float
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
