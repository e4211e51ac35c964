"""Rows of two points: what a group and the others have, with their numbers, and what may be read there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import altair as alt
from altair.typing import ChartType

from fairaudit.measure.quantity import QuantityKind
from fairaudit.present import naming
from fairaudit.present.charts import theme

if TYPE_CHECKING:
    from altair.typing import ChartType

_ROW, _NARROW_ROW = 34, 50
_ROW_WIDTH, _BAR = 300, 40
_BESIDE = 12
_BESIDE_NARROW, _NAME_LINE = 30, 18
"""Letters of two names that fit side by side on a narrow screen, and the height of a line in pixels."""
_TITLE, _TITLE_LINE = 48, 15
"""How many letters of what a row is stand on a line above it on a narrow screen, and how high that is in pixels."""
_DIGIT, _POINT = 8.0, 16
"""How wide a figure of a number is in pixels, and a point with the blank beside it."""
_PLOT, _NARROW_PLOT, _LEAST_PLOT = 360, 280, 150
"""How wide the plot is, in pixels, beside short names and readings of its rows, below them, and beside long ones."""
_SMALL_LETTER, _LETTER, _BETWEEN = 6.2, 7.0, 40
"""How wide a letter of a name and of a reading is, and all blanks between these and the plot, in pixels."""
_MARKS = {"own": "\N{BLACK CIRCLE}", "other": "\N{BLACK SQUARE}"}
_SMALL = "#8a939c"
_CLEAR = alt.condition("datum.clear", alt.ColorValue("#7a3208"), alt.ColorValue(theme.QUIET))


@dataclass(frozen=True)
class PairRow:
    """A row of the picture: a group beside the others.

    Parameters
    ----------
    name : str
        What the row is.
    own, other : float or None
        Where both points stand.
    own_text, other_text : str
        The numbers beside them.
    own_exact, other_exact, own_n, other_n : str
        What is shown of a point that is pointed at: its figure, and how many cases it is of.
    reading : str
        What may be read there.
    clear : bool
        Whether that is a clear gap.
    few : bool
        Whether there are too few cases to tell, so that both points are grey.
    """

    name: str
    own: float | None
    other: float | None
    own_text: str
    other_text: str
    own_exact: str
    other_exact: str
    own_n: str
    other_n: str
    reading: str
    clear: bool
    few: bool


def pairs_chart(
    pairs: Sequence[PairRow],
    groups: tuple[str, str],
    *,
    description: str,
    quantity: QuantityKind,
    narrow: bool = False,
    all_first: bool = False,
) -> ChartType:
    """Draw rows of two points; the first row names both `groups`.

    On a `narrow` screen, what a row is and what may be read there stand above it. Where the first row is of `all`
    cases, a line divides it from those below.
    """
    labels = naming.row_labels([pair.name for pair in pairs])
    records = [_record(label, pair) for label, pair in zip(labels, pairs, strict=True)]
    x = _axis(_ends(records, quantity, _NARROW_PLOT if narrow else _plot(records)), quantity)
    y = _above(labels) if narrow else theme.row_axis(labels)
    titles = [wrap(f"{r['label']}: {r['reading']}", _TITLE) for r in records] if narrow else []
    more = max([1, *map(len, titles)]) - 1
    height = _NARROW_ROW + 2 * _TITLE_LINE * more if narrow else _ROW
    layers = [
        *_lines(records, x, y),
        *_points(records, x, y, "own", "circle", theme.PROTECTED, groups[0]),
        *_points(records, x, y, "other", "square", theme.REFERENCE, groups[1]),
        *_heads(records, groups, -14 if narrow else -2),
        *(_titles(records, titles, y) if narrow else [_readings(records, y)]),
    ]
    if all_first and len(pairs) > 1:
        layers.append(theme.divider(height))
    return theme.finish(alt.layer(*layers), height * len(pairs), description)


def pair_row(
    pair: PairRow, groups: tuple[str, str], *, description: str, quantity: QuantityKind, among: Sequence[PairRow] = ()
) -> ChartType:
    """Draw one pair by itself, without an axis, on the scale of those `among` which it stands."""
    [record, *others] = [_record("", each) for each in (pair, *among)]
    ends = _ends([record, *others], quantity, _ROW_WIDTH)
    x = alt.X("value:Q", scale=alt.Scale(domain=ends, nice=False, zero=False), axis=None)
    y = _above([""])
    layers = [
        *_lines([record], x, y),
        *_points([record], x, y, "own", "circle", theme.PROTECTED, groups[0]),
        *_points([record], x, y, "other", "square", theme.REFERENCE, groups[1]),
        *_heads([record], groups, 2),
    ]
    return theme.finish(alt.layer(*layers), _NARROW_ROW, description, width=_ROW_WIDTH)


def sizes_bar(
    counts: tuple[int, int], names: tuple[str, str], apart: Sequence[tuple[int, str]] = (), *, narrow: bool = False
) -> ChartType:
    """Draw how many are in either group, as the parts of one bar with a name above each.

    What stands `apart`, with its number and what it is called, follows in grey, with its names below. On a `narrow`
    screen names that have no room beside each other stand in lines of their own.
    """
    first, both = counts[0], sum(counts)
    total = both + sum(n for n, _ in apart)
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, total], nice=False))
    is_stacked = narrow and sum(map(len, names)) > _BESIDE_NARROW
    down = _NAME_LINE if is_stacked else 0
    sides: tuple[tuple[int, int, str, str, theme.Align], ...] = (
        (0, first, f"{_MARKS['own']} {names[0]}", theme.PROTECTED, "left"),
        (first, both, f"{_MARKS['other']} {names[1]}", theme.REFERENCE, "left" if is_stacked else "right"),
    )
    layers: list[alt.Chart] = []
    for place, (start, end, name, color, align) in enumerate(sides):
        chart = theme.Layer(theme.values([{"start": start, "end": end, "text": naming.shorten(name, 40)}]))
        layers.append(chart.mark_bar(color=color, height=18, y=30 + down).encode(x=x, x2=alt.X2("end:Q")))
        above = 10 + place * down
        text = chart.mark_text(align=align, color=color, fontSize=13, fontWeight=600, y=above, baseline="middle")
        layers.append(text.encode(x=alt.XValue(0 if align == "left" else "width"), text=alt.Text("text:N")))
    if apart:
        below = ", ".join(name for _, name in apart)
        chart = theme.Layer(theme.values([{"start": both, "end": total, "text": below}]))
        layers.append(chart.mark_bar(color="#dde2e8", height=18, y=30 + down).encode(x=x, x2=alt.X2("end:Q")))
        text = chart.mark_text(align="right", color=theme.QUIET, fontSize=13, y=52 + down, baseline="middle")
        layers.append(text.encode(x=alt.XValue("width"), text=alt.Text("text:N")))
    height = _BAR + down + 16 * bool(apart)
    return theme.finish(alt.layer(*layers), height, ", ".join((*names, *(name for _, name in apart))))


def _record(label: str, pair: PairRow) -> dict[str, object]:
    # Numbers stand on the outer sides of both points.
    is_left = pair.own is None or pair.other is None or pair.own <= pair.other
    sides = {"own_side": "left" if is_left else "right", "other_side": "right" if is_left else "left"}
    return {**asdict(pair), **sides, "label": label, "name": naming.whole(pair.name)}


def _shares_room(low: float, high: float) -> tuple[float, float]:
    room = max(0.12 * (high - low), 0.05)
    return max(0.0, low - room), min(1.0, high + room)


def _amounts_room(low: float, high: float) -> tuple[float, float]:
    room = 0.12 * (high - low) or 0.1 * max(abs(high), 1e-6)
    return low - room, high + room


_ROOM: Final[Mapping[QuantityKind, Callable[[float, float], tuple[float, float]]]] = {
    "share": _shares_room,
    "amount": _amounts_room,
}
"""The ends of a scale that leaves a little room around the lowest and the highest figure."""


def _ends(records: Sequence[theme.Datum], quantity: QuantityKind, plot: float) -> list[float]:
    """Return the ends of the scale; within them the number beside each point has room, in a plot of so many pixels."""
    points = [(r[name], r[f"{name}_side"], r[f"{name}_text"]) for r in records for name in ("own", "other")
              if r[name] is not None]  # fmt: skip
    values = [value for value, _, _ in points] or [0.0, 1.0]
    low, high = min(values), max(values)
    least, most = _ROOM[quantity](low, high)
    # Room on one side moves points on the other: a few rounds settle both.
    for _ in range(20):
        pixel = (most - least) / plot
        needed = [(side, value, pixel * (_POINT + _DIGIT * len(text))) for value, side, text in points]
        least = min([least, *(value - wide for side, value, wide in needed if side == "left")])
        most = max([most, *(value + wide for side, value, wide in needed if side == "right")])
    return [least, most]


def _plot(records: Sequence[theme.Datum]) -> float:
    """Return what is left of a printed picture between the names and the readings of its rows."""
    name = max(min(len(r["label"]), naming.LABEL_LENGTH) for r in records)
    reading = max(len(r["reading"]) for r in records)
    left = theme.WIDTH - _BETWEEN - _SMALL_LETTER * name - _LETTER * reading
    return min(_PLOT, max(_LEAST_PLOT, left))


def _axis(ends: Sequence[float], quantity: QuantityKind) -> alt.X:
    scale = alt.Scale(domain=list(ends), nice=False, zero=False)
    axis = alt.Axis(
        title=None,
        labelExpr=theme.FIGURE_LABELS[quantity],
        tickCount=5,
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
    )
    return alt.X("value:Q", scale=scale, axis=axis)


def _lines(records: Sequence[dict[str, object]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    spans = [
        {"label": r["label"], "value": r["own"], "end": r["other"]}
        for r in records
        if None not in (r["own"], r["other"])
    ]
    chart = theme.Layer(theme.values(spans)).mark_rule(strokeWidth=3.5, color="#9aa5b1")
    return [chart.encode(x=x, x2=alt.X2("end:Q"), y=y)]


def _points(
    records: Sequence[dict[str, object]], x: alt.X, y: alt.Y, which: str, shape: str, color: str, name: str
) -> list[alt.Chart]:
    shared = ("label", "name", "reading", "few")
    known = [
        {
            **{field: r[field] for field in shared},
            "group": naming.whole(name),
            "value": r[which],
            "exact": r[f"{which}_exact"],
            "n": r[f"{which}_n"],
        }
        for r in records
        if r[which] is not None
    ]
    numbers = [
        {
            "label": r["label"],
            "value": r[which],
            "text": r[f"{which}_text"],
            "few": r["few"],
            "side": r[f"{which}_side"],
        }
        for r in records
        if r[which] is not None
    ]
    hover = theme.tooltip(
        [("name", " "), ("group", "Group"), ("exact", "Exact"), ("n", "Cases"), ("reading", "Reading")]
    )
    fill = alt.condition("datum.few", alt.ColorValue(_SMALL), alt.ColorValue(color))
    point = theme.Layer(theme.values(known)).mark_point(filled=True, size=130, opacity=1, shape=shape)
    charts = [point.encode(x=x, y=y, color=fill, tooltip=hover)]
    sides: tuple[tuple[str, theme.Align, int], ...] = (("left", "right", -11), ("right", "left", 11))
    for side, align, dx in sides:
        text = theme.Layer(theme.values([r for r in numbers if r["side"] == side]))
        charts.append(
            text.mark_text(align=align, dx=dx, fontSize=13, fontWeight=600).encode(
                x=x, y=y, text=alt.Text("text:N"), color=fill
            )
        )
    return charts


def _heads(records: Sequence[dict[str, object]], names: Sequence[str], up: int) -> list[alt.Chart]:
    """Name both groups above their points in the first row, outward, so that names of near points stand apart."""
    first = records[0]
    if None in (first["own"], first["other"]):
        return []
    heads = []
    is_long = max(map(len, names)) > _BESIDE
    for place, (which, name, color) in enumerate(
        (("own", names[0], theme.PROTECTED), ("other", names[1], theme.REFERENCE))
    ):
        align: theme.Align = "right" if first[f"{which}_side"] == "left" else "left"
        # Names too long to stand beside each other stand below each other at the left, with their marks.
        text = naming.shorten(name, 40)
        record = {"value": first[which], "text": f"{_MARKS[which]} {text}" if is_long else text}
        chart = theme.Layer(theme.values([record])).mark_text(
            align="left" if is_long else align,
            dx=0 if is_long else -2 if align == "right" else 2,
            baseline="bottom",
            color=color,
            fontSize=13,
            fontWeight=600,
        )
        x = alt.XValue(0) if is_long else alt.X("value:Q")
        heads.append(chart.encode(x=x, y=alt.YValue(up - 17 * (1 - place) * is_long), text=alt.Text("text:N")))
    return heads


def _readings(records: Sequence[dict[str, object]], y: alt.Y) -> alt.Chart:
    """Write to the right of each row what may be read there."""
    texts = [{"label": r["label"], "text": r["reading"], "clear": r["clear"]} for r in records]
    chart = theme.Layer(theme.values(texts)).mark_text(align="left", dx=14, baseline="middle", fontSize=13)
    return chart.encode(y=y, x=alt.XValue("width"), text=alt.Text("text:N"), color=_CLEAR)


def _titles(records: Sequence[dict[str, object]], titles: Sequence[Sequence[str]], y: alt.Y) -> list[alt.Chart]:
    """Write above each row what it is, and what may be read there."""
    charts = []
    for n in sorted({len(lines) for lines in titles}):
        texts = [
            {"label": r["label"], "text": "\n".join(lines), "clear": r["clear"]}
            for r, lines in zip(records, titles, strict=True)
            if len(lines) == n
        ]
        # The first of several lines stands where the only one would, and the others below it.
        chart = theme.Layer(theme.values(texts)).mark_text(
            align="left",
            dy=-20 - _TITLE_LINE * (n - 1),
            baseline="middle",
            fontSize=12,
            lineBreak="\n",
            lineHeight=_TITLE_LINE,
        )
        charts.append(chart.encode(y=y, x=alt.XValue(0), text=alt.Text("text:N"), color=_CLEAR))
    return charts


def _above(labels: Sequence[str]) -> alt.Y:
    return alt.Y("label:N", scale=alt.Scale(domain=list(labels)), axis=alt.Axis(title=None, labels=False))
