"""The picture of a check: both groups among all cases and, below these, within each stratum, with what may be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.results import Comparison
from fairaudit.measure.verdicts import Verdict, verdict_of
from fairaudit.messages import say
from fairaudit.present import brief, theme
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts import parts
from fairaudit.present.natural_order import in_natural_order
from fairaudit.present.numbers import finite
from fairaudit.present.words import BY_VERDICT, evidence_of_many
from fairaudit.sections.check.reading import Quantity, figures_of, quantity_of, stratum_names

_ROW, _NARROW_ROW = 34, 50
_BESIDE = 12
_MARKS = {"own": "\N{BLACK CIRCLE}", "other": "\N{BLACK SQUARE}"}
_CLEAR = alt.condition("datum.clear", alt.ColorValue("#7a3208"), alt.ColorValue(theme.QUIET))
_READINGS = {word: verdict for verdict, word in BY_VERDICT.items()}
Row = tuple[str, Comparison | MeanComparison, Verdict]


def check_chart(finding: CheckFinding | AmountFinding, *, narrow: bool = False) -> Any:
    """Draw what both groups have, all cases on top, and the gap in each stratum below.

    On a `narrow` screen, what a row is and what may be read there stand above it.
    """
    quantity, rows = quantity_of(finding), _rows(finding)
    names = [_name(finding.names.protected), _name(finding.names.others)]
    labels = brief.row_labels([name for name, *_ in rows])
    records = [_record(label, row, quantity) for label, row in zip(labels, rows, strict=True)]
    x = _axis(_ends(records, quantity), quantity)
    y = _above(labels) if narrow else parts.row_axis(labels)
    height = _NARROW_ROW if narrow else _ROW
    layers = [
        *_lines(records, x, y),
        *_points(records, x, y, "own", "circle", theme.PROTECTED, names[0]),
        *_points(records, x, y, "other", "square", theme.REFERENCE, names[1]),
        *_heads(records, names, -14 if narrow else -2),
        *([_titles(records, y)] if narrow else [_readings(records, y)]),
    ]
    if len(rows) > 1:
        layers.append(_below_first(height))
    return parts.finish(alt.layer(*layers), height * len(rows), check_chart_text(finding))


def check_chart_title(finding: CheckFinding | AmountFinding) -> str:
    """Return what the picture shows."""
    args: dict[str, Argument] = {"verb": finding.names.verb, "what": Phrase(finding.meaning)}
    columns = () if finding.strata is None else finding.strata.columns
    kind = quantity_of(finding).kind
    if not columns:
        return say(Message(f"check-chart-{kind}", args))
    return say(Message(f"check-chart-{kind}-by", {**args, "columns": Phrase(", ".join(columns))}))


def check_chart_text(finding: CheckFinding | AmountFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity = quantity_of(finding)
    names = {"protected": finding.names.protected, "others": finding.names.others}
    said = [check_chart_title(finding) + "."]
    for name, result, verdict in _rows(finding):
        if verdict in ("not_shown", "nothing_to_compare"):
            continue
        own, other = map(quantity.figure, figures_of(result))
        reading = Message(_reading(verdict))
        said.append(
            say(
                Message(
                    "check-chart-row", {**names, "place": Phrase(name), "own": own, "other": other, "reading": reading}
                )
            )
        )
    return " ".join(said)


def _rows(finding: CheckFinding | AmountFinding) -> list[Row]:
    rows: list[Row] = [(say(Message("check-chart-all")), finding.result, verdict_of(finding.result))]
    if finding.strata is None:
        return rows
    strata = in_natural_order(finding.strata.strata)
    read = zip(strata, evidence_of_many(strata), strict=True)
    known = [(row, word) for row, word in read if row.difference is not None]
    largest = sorted(known, key=lambda pair: -_size(pair[0].comparison))[: brief.MOST_GROUPS]
    names = stratum_names([row for row, _ in known])
    return rows + [
        (name, row.comparison, _READINGS[word])
        for name, (row, word) in zip(names, known, strict=True)
        if (row, word) in largest
    ]


def _size(result: Comparison | MeanComparison) -> int:
    return (result.protected.n or 0) + (result.reference.n or 0)


def _is_small(result: Comparison | MeanComparison) -> bool:
    return any(side.n is not None and side.n < ENOUGH for side in (result.protected, result.reference))


def _record(label: str, row: Row, quantity: Quantity) -> dict[str, Any]:
    name, result, verdict = row
    own, other = (finite(value) for value in figures_of(result))
    if quantity.is_turned:
        own, other = (None if value is None else 1 - value for value in (own, other))
    kind: Kind = "share" if quantity.kind == "share" else "number"
    # Numbers stand on the outer sides of both points.
    few = verdict == "too_few_to_tell" and _is_small(result)
    is_left = own is None or other is None or own <= other
    return {
        "label": label,
        "name": brief.whole(name),
        "own": own,
        "other": other,
        "own_text": _figure(own, quantity),
        "other_text": _figure(other, quantity),
        "own_side": "left" if is_left else "right",
        "other_side": "right" if is_left else "left",
        "own_exact": cell_text(own, kind),
        "other_exact": cell_text(other, kind),
        "own_n": cell_text(result.protected.n, "count"),
        "other_n": cell_text(result.reference.n, "count"),
        "reading": say(Message("reading-few" if few else _reading(verdict))),
        "clear": verdict == "clear_gap",
        "few": few,
    }


def _figure(value: float | None, quantity: Quantity) -> str:
    if value is None:
        return ""
    shown = quantity.figure(1 - value if quantity.is_turned else value)
    return say(Message("check-chart-figure", {"figure": shown}))


def _ends(records: Sequence[dict[str, Any]], quantity: Quantity) -> list[float]:
    values = [record[name] for record in records for name in ("own", "other") if record[name] is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.12 * (high - low) or 0.1 * max(abs(high), 1e-6)
    if quantity.kind == "share":
        return [max(-0.02, low - max(room, 0.05)), min(1.02, high + max(room, 0.05))]
    return [low - room, high + room]


def _axis(ends: Sequence[float], quantity: Quantity) -> alt.X:
    scale = alt.Scale(domain=list(ends), nice=False, zero=False)
    label = "format(datum.value * 100, '.2~f') + '%'" if quantity.kind == "share" else "format(datum.value, ',.6~g')"
    # The ends of the axis leave room for numbers, and no share is above 100 %.
    shown = f"datum.value < -1e-9 || datum.value > 1 + 1e-9 ? '' : {label}" if quantity.kind == "share" else label
    axis = alt.Axis(
        title=None, labelExpr=shown, tickCount=5, grid=True, gridColor="#e8ebee", tickColor="transparent", domain=False
    )
    return alt.X("value:Q", scale=scale, axis=axis)


def _lines(records: Sequence[dict[str, Any]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    spans = [
        {"label": r["label"], "value": r["own"], "end": r["other"]}
        for r in records
        if None not in (r["own"], r["other"])
    ]
    chart = parts.Layer(parts.values(spans)).mark_rule(strokeWidth=3.5, color="#9aa5b1")
    return [chart.encode(x=x, x2=alt.X2("end:Q"), y=y)]


def _points(
    records: Sequence[dict[str, Any]], x: alt.X, y: alt.Y, which: str, shape: str, color: str, name: str
) -> list[alt.Chart]:
    shared = ("label", "name", "reading", "few")
    known = [
        {
            **{field: r[field] for field in shared},
            "group": brief.whole(name),
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
    hover = parts.tooltip(
        [("name", " "), ("group", "Group"), ("exact", "Exact"), ("n", "Cases"), ("reading", "Reading")]
    )
    fill = alt.condition("datum.few", alt.ColorValue("#8a939c"), alt.ColorValue(color))
    point = parts.Layer(parts.values(known)).mark_point(filled=True, size=130, opacity=1, shape=shape)
    charts = [point.encode(x=x, y=y, color=fill, tooltip=hover)]
    sides: tuple[tuple[str, parts.Align, int], ...] = (("left", "right", -11), ("right", "left", 11))
    for side, align, dx in sides:
        text = parts.Layer(parts.values([r for r in numbers if r["side"] == side]))
        charts.append(
            text.mark_text(align=align, dx=dx, fontSize=13, fontWeight=600).encode(
                x=x, y=y, text=alt.Text("text:N"), color=fill
            )
        )
    return charts


def _heads(records: Sequence[dict[str, Any]], names: Sequence[str], up: int) -> list[alt.Chart]:
    """Name both groups above their points in the first row, outward, so that names of near points stand apart."""
    first = records[0]
    if None in (first["own"], first["other"]):
        return []
    heads = []
    is_long = max(map(len, names)) > _BESIDE
    for place, (which, name, color) in enumerate(
        (("own", names[0], theme.PROTECTED), ("other", names[1], theme.REFERENCE))
    ):
        align: parts.Align = "right" if first[f"{which}_side"] == "left" else "left"
        # Names too long to stand beside each other stand below each other at the left, with their marks.
        text = brief.shorten(name, 40)
        record = {"value": first[which], "text": f"{_MARKS[which]} {text}" if is_long else text}
        chart = parts.Layer(parts.values([record])).mark_text(
            align="left" if is_long else align,
            dx=0 if is_long else 6 if align == "right" else -6,
            baseline="bottom",
            color=color,
            fontSize=13,
            fontWeight=600,
        )
        x = alt.XValue(0) if is_long else alt.X("value:Q")
        heads.append(chart.encode(x=x, y=alt.YValue(up - 17 * (1 - place) * is_long), text=alt.Text("text:N")))
    return heads


def _readings(records: Sequence[dict[str, Any]], y: alt.Y) -> alt.Chart:
    """Write to the right of each row what may be read there."""
    texts = [{"label": r["label"], "text": r["reading"], "clear": r["clear"]} for r in records]
    chart = parts.Layer(parts.values(texts)).mark_text(align="left", dx=14, baseline="middle", fontSize=13)
    return chart.encode(y=y, x=alt.XValue("width"), text=alt.Text("text:N"), color=_CLEAR)


def _titles(records: Sequence[dict[str, Any]], y: alt.Y) -> alt.Chart:
    """Write above each row what it is, and what may be read there."""
    texts = [{"label": r["label"], "text": f"{r['label']}: {r['reading']}", "clear": r["clear"]} for r in records]
    chart = parts.Layer(parts.values(texts)).mark_text(align="left", dy=-20, baseline="middle", fontSize=12)
    return chart.encode(y=y, x=alt.XValue(0), text=alt.Text("text:N"), color=_CLEAR)


def _above(labels: Sequence[str]) -> alt.Y:
    return alt.Y("label:N", scale=alt.Scale(domain=list(labels)), axis=alt.Axis(title=None, labels=False))


def _below_first(height: int) -> alt.Chart:
    """Draw the line between all cases and the strata."""
    chart = parts.Layer(parts.values([{}])).mark_rule(color="#d5dbe1")
    return chart.encode(y=alt.YValue(height), x=alt.XValue(0), x2=alt.X2Value("width"))


def _reading(verdict: Verdict) -> str:
    return f"reading-{verdict.replace('_', '-')}"


def _name(group: Argument) -> str:
    return say(Message("group-alone", {"group": group}))
