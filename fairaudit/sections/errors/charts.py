"""The picture of errors: how often each group is wrongly flagged and wrongly missed, side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Literal

import altair as alt
from altair.typing import ChartType

from fairaudit.audit.result import ErrorsFinding
from fairaudit.findings import Argument, Count, Message, Share, Word
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.sections.errors.reading import ErrorReading, GroupRate, first_group, group_name, read_errors

MOST_DRAWN = 12
"""Groups that are drawn, those of most people first."""
_ROW, _NARROW_ROW = 34, 44
_APART = 1.3
"""Where the second picture begins, the width of the first one being 1."""
_SMALL = "#8a939c"
_LINE, _LINE_HEIGHT = 36, 15
"""Signs that one line above a picture holds, also on paper."""
Weight = Literal["normal", "bold"]


def errors_chart(finding: ErrorsFinding, *, narrow: bool = False) -> ChartType:
    """Draw how often each group is wrongly flagged and wrongly missed, the group that is asked about first.

    On a `narrow` screen, both errors stand below each other and the groups above their points.
    """
    reading = read_errors(finding)
    groups = drawn_groups(finding)
    first = first_group(finding, reading)
    labels = dict(zip(groups, naming.row_labels([_label(finding, group) for group in groups]), strict=True))
    ends = _ends([error.rate_of(group) for error in reading.drawn for group in groups])
    records = [
        _record(error, error.rate_of(group), labels[group], finding, group == first)
        for error in reading.drawn
        for group in groups
    ]
    if narrow:
        return _below_each_other(finding, reading.drawn, records, ends)
    n_few = sum(all(r["few"] for r in records if r["label"] == label) for label in labels.values())
    return _beside_each_other(finding, reading.drawn, records, list(labels.values()), n_few, ends, first is not None)


def errors_chart_title() -> str:
    """Return what the picture shows."""
    return say(Message("errors-chart"))


def errors_chart_note(finding: ErrorsFinding) -> str | None:
    """Say how many of many groups are drawn; nothing where all are."""
    total, drawn = len(read_errors(finding).drawn[0].groups), len(drawn_groups(finding))
    if drawn == total:
        return None
    return say(Message("errors-chart-largest", {"total": Count(total), "n": Count(drawn)}))


def errors_chart_text(finding: ErrorsFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    said = [f"{errors_chart_title()}."]
    reading = read_errors(finding)
    for group in drawn_groups(finding):
        for error in reading.drawn:
            rate = error.rate_of(group)
            args: dict[str, Argument] = {"group": group_name(finding, group), "error": Word(error.kind)}
            if rate.is_few:
                said.append(say(Message("errors-chart-row-few", args)))
            elif rate.share is not None and rate.n is not None:
                figures: dict[str, Argument] = {"share": Share(rate.share), "n": Count(rate.n)}
                said.append(say(Message("errors-chart-row", args | figures)))
    return " ".join(said)


def drawn_groups(finding: ErrorsFinding) -> list[str]:
    """Return the groups that are drawn: the one asked about, those that are compared, then those of too few people."""
    reading = read_errors(finding)
    first = first_group(finding, reading)
    sizes: dict[str, int] = {}
    for error in reading.drawn:
        for rate in error.groups:
            sizes[rate.group] = sizes.get(rate.group, 0) + (rate.n or 0)
    few = {
        group: all(rate.is_few or rate.share is None for rate in (error.rate_of(group) for error in reading.drawn))
        for group in sizes
    }
    shown = [group for group in sizes if any(error.rate_of(group).n is not None for error in reading.drawn)]
    ordered = sorted(shown, key=lambda group: (group != first, few[group], -sizes[group]))
    return ordered[:MOST_DRAWN]


def _label(finding: ErrorsFinding, group: str) -> str:
    """Return what a row is called: people by their name or, where none is given, the value alone."""
    named = dict(finding.names.groups)
    return naming.capital(named[group]) if group in named else naming.whole(group)


def _record(error: ErrorReading, rate: GroupRate, label: str, finding: ErrorsFinding, first: bool) -> dict[str, object]:
    few = rate.is_few or rate.share is None
    text = ""
    if rate.is_few and rate.n is not None:
        text = say(Message("errors-chart-few", {"n": Count(rate.n)}))
    elif rate.share is not None:
        text = say(Message("check-chart-figure", {"figure": Share(rate.share)}))
    return {
        "kind": error.kind,
        "label": label,
        "name": naming.whole(rate.group),
        "share": rate.share,
        "text": text,
        "few": few,
        "first": first,
        "exact": cell_text(rate.share, "share"),
        "range": cell_text((rate.low, rate.high), "share_interval"),
        "n": cell_text(rate.n, "count"),
    }


def _ends(rates: Sequence[GroupRate]) -> tuple[float, float]:
    """Return the ends of the axis of shares, whole tenths or twentieths, with room for numbers."""
    values = [rate.share for rate in rates if rate.share is not None and not rate.is_few] or [0.0, 1.0]
    span = max(values) - min(values)
    step = 0.1 if span > 0.2 else 0.05 if span > 0.08 else 0.02
    low = max(0.0, math.floor((min(values) - 0.05 * step) / step + 1e-9) * step)
    high = min(1.0, math.ceil((max(values) + 0.05 * step) / step - 1e-9) * step)
    return round(low, 4), round(max(high, low + 2 * step), 4)


def _ticks(ends: tuple[float, float]) -> list[float]:
    low, high = ends
    steps = (0.02, 0.05, 0.1, 0.2, 0.25)
    step = next((each for each in steps if (high - low) / each <= 5 + 1e-9), 0.5)
    first = math.ceil(low / step - 1e-9)
    return [round(step * i, 4) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _beside_each_other(
    finding: ErrorsFinding,
    errors: Sequence[ErrorReading],
    records: Sequence[theme.Datum],
    labels: Sequence[str],
    n_few: int,
    ends: tuple[float, float],
    is_first_apart: bool,
) -> ChartType:
    low, high = ends
    start: dict[str, float] = {error.kind: number * _APART for number, error in enumerate(errors)}

    def place(kind: str, share: float) -> float:
        return start[kind] + (share - low) / (high - low)

    placed = [{**r, "value": None if r["share"] is None or r["few"] else place(r["kind"], r["share"])} for r in records]
    back = f"(datum.value > {(1 + _APART) / 2} ? datum.value - {_APART} : datum.value) * {high - low} + {low}"
    axis = alt.Axis(
        title=None,
        values=[place(kind, tick) for kind in start for tick in _ticks(ends)],
        labelExpr=f"format({back}, '.3~p')",
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
        labelOverlap=False,
    )
    end = max(start.values()) + 1.14
    x = alt.X("value:Q", scale=alt.Scale(domain=[-0.02, end], nice=False, zero=False), axis=axis)
    y = _rows(labels, n_few)
    layers = [*_points(placed, x, y), *_few_texts(placed, start, x, y)]
    for error in errors:
        layers += _heads(finding, errors, error, start[error.kind], x)
    if is_first_apart and len(labels) > 1:
        layers.append(theme.divider(_ROW))
    return theme.finish(alt.layer(*layers), _ROW * len(labels), errors_chart_text(finding))


def _rows(labels: Sequence[str], n_few: int) -> alt.Y:
    """Return the axis of rows; the last ones, of too few people, are grey."""
    # Labels of data are marked by their place alone.
    grey = (len(labels) - n_few - 0.5) / max(1, len(labels) - 1)
    color = {"condition": {"test": f"datum.index > {grey}", "value": theme.QUIET}, "value": theme.TEXT}
    return theme.row_axis(labels, **({"labelColor": color} if n_few else {}))


def _points(records: Sequence[dict[str, object]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    known = [r for r in records if r["value"] is not None]
    hover = theme.tooltip([("name", " "), ("exact", "Exact"), ("range", "Likely range"), ("n", "Out of")])
    charts: list[alt.Chart] = []
    for first, shape, color in ((True, "circle", theme.PROTECTED), (False, "square", theme.REFERENCE)):
        base = theme.Layer(theme.values([r for r in known if r["first"] == first]))
        charts.append(
            base.mark_point(filled=True, size=150, opacity=1, shape=shape, color=color).encode(x=x, y=y, tooltip=hover)
        )
        text = base.mark_text(align="left", dx=11, fontSize=13, fontWeight=600, color=color)
        charts.append(text.encode(x=x, y=y, text=alt.Text("text:N")))
    return charts


def _few_texts(records: Sequence[theme.Datum], start: dict[str, float], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    texts = [{"label": r["label"], "value": start[r["kind"]], "text": r["text"]} for r in records if r["few"]]
    chart = theme.Layer(theme.values(texts)).mark_text(align="left", fontSize=13, color=_SMALL)
    return [chart.encode(x=x, y=y, text=alt.Text("text:N"))]


def _heads(
    finding: ErrorsFinding, errors: Sequence[ErrorReading], error: ErrorReading, start: float, x: alt.X
) -> list[alt.Chart]:
    """Write above a picture which error it shows, and among whom; both pictures take as many lines."""
    name, among = _head(finding, error)
    n_lines = max(len(_lines(_head(finding, each)[1])) for each in errors)
    top = -25 - _LINE_HEIGHT * n_lines
    lines: list[tuple[str, int, Weight, str]] = [(name, top, "bold", theme.TEXT)]
    for number, line in enumerate(_lines(among)):
        lines.append((line, top + 18 + _LINE_HEIGHT * number, "normal", theme.QUIET))
    charts = []
    for text, y, weight, color in lines:
        one = theme.Layer(theme.values([{"value": start, "text": text}]))
        mark = one.mark_text(align="left", baseline="top", fontSize=13, fontWeight=weight, color=color)
        charts.append(mark.encode(x=x, y=alt.YValue(y), text=alt.Text("text:N")))
    return charts


def _lines(text: str) -> list[str]:
    return wrap(text, _LINE, max_lines=2, placeholder="…") or [""]


def _head(finding: ErrorsFinding, error: ErrorReading, *, narrow: bool = False) -> tuple[str, str]:
    names = finding.names
    is_flagged = error.kind == "flagged"
    if error.kind in ("flagged", "missed"):
        key = "errors-chart-flagged" if is_flagged else "errors-chart-missed"
        happened = names.not_happened if is_flagged else names.happened
        among = say(Message(key, {"happened": happened, "flagged": names.flagged}))
    else:
        among = say(Message("level-errors-chart-among", {"error": Word(error.kind)}))
    return say(Message("errors-kind", {"error": Word(error.kind)})), naming.shorten(among, 50 if narrow else 2 * _LINE)


def _below_each_other(
    finding: ErrorsFinding,
    errors: Sequence[ErrorReading],
    records: Sequence[theme.Datum],
    ends: tuple[float, float],
) -> ChartType:
    rows: list[theme.Datum] = []
    for error in errors:
        name, among = _head(finding, error, narrow=True)
        rows.append({"row": f"{error.kind} head", "text": name, "second": among})
        for number, r in enumerate(each for each in records if each["kind"] == error.kind):
            rows.append({**r, "row": f"{error.kind} {number}", "value": None if r["few"] else r["share"]})
    low, high = ends
    room = 0.14 * (high - low)
    axis = alt.Axis(
        title=None, values=_ticks(ends), labelExpr="format(datum.value, '.3~p')", grid=True, gridColor="#e8ebee",
        tickColor="transparent", domain=False,
    )  # fmt: skip
    x = alt.X("value:Q", scale=alt.Scale(domain=[low - 0.3 * room, high + room], nice=False, zero=False), axis=axis)
    order = [row["row"] for row in rows]
    y = alt.Y("row:N", scale=alt.Scale(domain=order), axis=alt.Axis(title=None, labels=False))
    own = [row for row in rows if "share" in row]
    heads = [row for row in rows if "second" in row]
    layers = [*_points(own, x, y)]
    titles = [
        {"row": r["row"], "text": f"{r['label']}: {r['text']}" if r["few"] else r["label"], "few": r["few"]}
        for r in own
    ]
    grey = alt.condition("datum.few", alt.ColorValue(theme.QUIET), alt.ColorValue(theme.TEXT))
    title = theme.Layer(theme.values(titles)).mark_text(align="left", dy=-15, fontSize=12)
    layers.append(title.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N"), color=grey))
    styles: tuple[tuple[str, int, Weight, str], ...] = (
        ("text", -9, "bold", theme.TEXT),
        ("second", 8, "normal", theme.QUIET),
    )
    for field, dy, weight, color in styles:
        texts = [{"row": r["row"], "text": r[field]} for r in heads]
        head = theme.Layer(theme.values(texts)).mark_text(
            align="left", dy=dy, fontSize=13 if weight == "bold" else 12, fontWeight=weight, color=color, limit=340
        )
        layers.append(head.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return theme.finish(alt.layer(*layers), _NARROW_ROW * len(rows), errors_chart_text(finding))
