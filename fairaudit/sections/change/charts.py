"""The picture of a change: both groups over the periods, with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Final

import altair as alt
from altair.typing import ChartType

from fairaudit.audit.result import ChangeFinding
from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.quantity import Quantity, QuantityKind
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite
from fairaudit.sections.change.reading import Answer, answers_of, period_starts, quantity_of
from fairaudit.sections.check.reading import subtract

HEIGHT, _NARROW_HEIGHT = 250, 270
_MOST_NUMBERED, _MOST_NUMBERED_NARROW = 9, 5
_MOST_APART, _MOST_APART_NARROW = 4, 2
_NAME_LENGTH, _LINE, _SMALL_FONT = 15, 17, 12
_PLOT, _NARROW_PLOT, _LETTER = 380, 280, 7.0
"""How wide the plot is at least, and a letter above it, in pixels."""
_SMALL = "#8a939c"


def change_chart(finding: ChangeFinding, *, narrow: bool = False) -> ChartType:
    """Draw what both groups have in each period, and how far apart they are.

    On a `narrow` screen, the names of groups stand above.
    """
    quantity = quantity_of(finding)
    records = _records(finding, quantity)
    names = [_name(finding.names.protected), _name(finding.names.others)]
    most = _MOST_NUMBERED_NARROW if narrow else _MOST_NUMBERED
    x = _across([r["period"] for r in records], narrow=narrow)
    height = _NARROW_HEIGHT if narrow else HEIGHT
    apart = _apart(records, narrow=narrow) if len(records) <= (_MOST_APART_NARROW if narrow else _MOST_APART) else []
    y, ends = _up(records, quantity, above=_LINE * max([0, *(text.count("\n") for text in apart)]) / height)
    layers: list[alt.Chart] = []
    for which, shape, color, name in _sides(names):
        layers += _series(records, x, y, which, shape, color, name, numbered=len(records) <= most)
    if apart:
        layers.append(_apart_layer(records, apart, x))
    layers += _names_above(names) if narrow else _names_beside(records, names, x, y, height / (ends[1] - ends[0]))
    return theme.finish(alt.layer(*layers), height, change_chart_text(finding))


def change_chart_title(finding: ChangeFinding) -> str:
    """Return what the picture shows."""
    args: dict[str, Argument] = {"verb": finding.names.verb, "what": Phrase(finding.meaning)}
    return say(Message(f"change-chart-{finding.decision.kind.quantity}", args))


def change_chart_text(finding: ChangeFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity = quantity_of(finding)
    names: dict[str, Argument] = {"protected": finding.names.protected, "others": finding.names.others}
    said = [change_chart_title(finding) + "."]
    for period, answer in zip(period_starts(finding), answers_of(finding), strict=True):
        own, other = map(quantity.figure, answer.values)
        label = Phrase(say(Message("change-period-label", {"period": period})))
        said.append(say(Message("change-chart-row", {**names, "label": label, "own": own, "other": other})))
    return " ".join(said)


def _records(finding: ChangeFinding, quantity: Quantity) -> list[theme.Datum]:
    starts = [say(Message("change-period-label", {"period": period})) for period in period_starts(finding)]
    labels = naming.unique_labels(starts)
    return [
        _record(label, name, answer, quantity)
        for label, name, answer in zip(labels, finding.compared.names, answers_of(finding), strict=True)
    ]


def _record(label: str, name: str, answer: Answer, quantity: Quantity) -> dict[str, object]:
    kind = quantity.unit.figure
    shown = [quantity.figure(value) for value in answer.values]
    values = [finite(figure.value) for figure in shown]
    size: Argument = quantity.size(answer.difference)
    about = Word("exact" if subtract(quantity, answer) else "about")
    apart: dict[str, Argument] = {"quantity": Word(quantity.kind), "size": size, "about": about, "first": Word("no")}
    record: dict[str, object] = {
        "period": label,
        "name": naming.whole(name),
        "apart": say(Message("change-chart-apart", apart)),
    }
    is_higher = (values[0] or 0) >= (values[1] or 0)
    for which, value, figure, side in zip(
        ("own", "other"), values, shown, (answer.protected, answer.reference), strict=True
    ):
        record |= {
            which: value,
            f"{which}_text": say(Message("check-chart-figure", {"figure": figure})),
            f"{which}_exact": cell_text(value, kind),
            f"{which}_n": cell_text(side.n, "count"),
            f"{which}_few": side.n is not None and side.n < ENOUGH,
            f"{which}_above": is_higher == (which == "own"),
        }
    return record


def _sides(names: Sequence[str]) -> tuple[tuple[str, str, str, str], ...]:
    return (
        ("own", "circle", theme.PROTECTED, names[0]),
        ("other", "square", theme.REFERENCE, names[1]),
    )


def _across(periods: Sequence[str], *, narrow: bool) -> alt.X:
    tight = narrow and len(periods) > 2
    axis = alt.Axis(
        title=None,
        grid=False,
        labelAngle=0,
        labelOverlap=True,
        labelFontSize=_SMALL_FONT,
        labelLimit=180,
        domain=False,
        tickColor="transparent",
        # On a narrow screen, words stand below each other.
        labelExpr="split(datum.label, ' ')" if tight else "datum.label",
    )
    return alt.X("period:N", sort=None, scale=alt.Scale(type="point", padding=0.5, domain=list(periods)), axis=axis)


_LEAST_ROOM: Final[Mapping[QuantityKind, Callable[[float], float]]] = {
    "share": lambda largest: 0.04,
    "amount": lambda largest: 0.05 * max(largest, 1e-6),
}
"""Room above and below the figures, at least, by the largest of them."""


def _up(records: Sequence[theme.Datum], quantity: Quantity, *, above: float = 0.0) -> tuple[alt.Y, tuple[float, float]]:
    """Return the axis of the figures, and its ends: these leave room for numbers, and the share `above` for lines."""
    values = [r[which] for r in records for which in ("own", "other") if r[which] is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = max(0.35 * (high - low), _LEAST_ROOM[quantity.kind](max(abs(low), abs(high))))
    ends = low - room, high + room + above / (1 - above) * (high - low + 2 * room)
    axis = alt.Axis(
        title=None,
        labelExpr=theme.FIGURE_LABELS[quantity.kind],
        tickCount=4,
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
    )
    return alt.Y("value:Q", scale=alt.Scale(domain=list(ends), nice=False, zero=False), axis=axis), ends


def _series(
    records: Sequence[theme.Datum],
    x: alt.X,
    y: alt.Y,
    which: str,
    shape: str,
    color: str,
    name: str,
    *,
    numbered: bool,
) -> list[alt.Chart]:
    known = [
        {"period": r["period"], "name": r["name"], "value": r[which], "text": r[f"{which}_text"],
         "exact": r[f"{which}_exact"], "n": r[f"{which}_n"], "few": r[f"{which}_few"], "above": r[f"{which}_above"],
         "group": naming.whole(name)}
        for r in records
        if r[which] is not None
    ]  # fmt: skip
    fill = alt.condition("datum.few", alt.ColorValue(_SMALL), alt.ColorValue(color))
    hover = theme.tooltip([("name", " "), ("group", "Group"), ("exact", "Exact"), ("n", "Cases")])
    base = theme.Layer(theme.values(known))
    charts = [
        base.mark_line(color=color, strokeWidth=2.5).encode(x=x, y=y),
        base.mark_point(filled=True, size=130, opacity=1, shape=shape).encode(x=x, y=y, color=fill, tooltip=hover),
    ]
    ends = known if numbered else [known[0], known[-1]] if known else []
    for above, dy in ((True, -16), (False, 17)):
        text = theme.Layer(theme.values([r for r in ends if r["above"] == above]))
        charts.append(
            text.mark_text(dy=dy, fontSize=13, fontWeight=600).encode(x=x, y=y, text=alt.Text("text:N"), color=fill)
        )
    return charts


def _apart(records: Sequence[theme.Datum], *, narrow: bool) -> list[str]:
    """Return how far apart both groups are in each period, in lines that have room beside each other."""
    most = int((_NARROW_PLOT if narrow else _PLOT) / len(records) / _LETTER) - 1
    return ["\n".join(wrap(r["apart"], most)) for r in records]


def _apart_layer(records: Sequence[theme.Datum], apart: Sequence[str], x: alt.X) -> alt.Chart:
    """Write above each period how far apart both groups are."""
    texts = [{"period": r["period"], "text": text} for r, text in zip(records, apart, strict=True)]
    chart = theme.Layer(theme.values(texts)).mark_text(
        dy=2, baseline="top", fontSize=13, fontWeight=600, lineBreak="\n"
    )
    return chart.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N"), color=alt.ColorValue(theme.TEXT))


def _names_beside(
    records: Sequence[theme.Datum], names: Sequence[str], x: alt.X, y: alt.Y, pixels: float
) -> list[alt.Chart]:
    """Name both groups to the right of their last points; names of near points are moved apart."""
    last = records[-1]
    if None in (last["own"], last["other"]):
        return []
    lines = {which: wrap(naming.shorten(name), _NAME_LENGTH) for which, _, _, name in _sides(names)}
    needed = _LINE * sum(map(len, lines.values())) / 2
    push = max(0.0, needed - pixels * abs(last["own"] - last["other"])) / 2
    charts = []
    for which, _, color, _ in _sides(names):
        dy = (-push if last[f"{which}_above"] else push) - _LINE * (len(lines[which]) - 1) / 2
        text = [{"value": last[which], "text": "\n".join(lines[which])}]
        chart = theme.Layer(theme.values(text)).mark_text(
            align="left", baseline="middle", dx=16, dy=dy, fontSize=13, fontWeight=600, lineBreak="\n", color=color
        )
        charts.append(chart.encode(x=alt.XValue("width"), y=y, text=alt.Text("text:N")))
    return charts


def _names_above(names: Sequence[str]) -> list[alt.Chart]:
    """Name both groups above the picture, each with its mark."""
    charts = []
    for (_, shape, color, name), up in zip(_sides(names), (-38, -18), strict=True):
        one = theme.Layer(theme.values([{"text": naming.shorten(name)}]))
        mark = one.mark_point(filled=True, size=90, opacity=1, shape=shape, color=color, aria=False)
        text = one.mark_text(align="left", baseline="middle", dx=12, fontSize=13, fontWeight=600, color=color)
        charts.append(mark.encode(x=alt.XValue(6), y=alt.YValue(up)))
        charts.append(text.encode(x=alt.XValue(6), y=alt.YValue(up), text=alt.Text("text:N")))
    return charts


def _name(group: Argument) -> str:
    return say(Message("group-alone", {"group": group}))
