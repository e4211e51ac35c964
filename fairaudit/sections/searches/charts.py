"""The pictures of searches: grounds or finds of each group, and the model of grounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
from altair.typing import ChartType

from fairaudit.audit.result import InspectionFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import require
from fairaudit.findings import Argument, Message, Share
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite
from fairaudit.sections.searches.reading import called as group_called
from fairaudit.sections.searches.reading import levels, rate_of, read_searches, row_name, veil_gap
from fairaudit.sections.searches.saying import say_model, say_veil_shares

_ROW, _NARROW_ROW = 38, 52
_LOOKED, _FOUND, _READ = 62, 122, 140
"""How far right of the picture its columns of text stand."""
_SMALL = "#8a939c"
_CLEAR = alt.condition("datum.clear", alt.ColorValue("#7a3208"), alt.ColorValue(theme.QUIET))


@dataclass(frozen=True)
class Level:
    """A row of the picture: the threshold or hit rate of a group, and what stands beside it."""

    name: str
    value: float
    low: float | None
    high: float | None
    looked: str
    found: str
    reading: str
    clear: bool
    few: bool
    is_reference: bool
    n: str


def searches_chart(finding: InspectionFinding, *, narrow: bool = False) -> ChartType:
    """Draw the threshold or hit rate of each group with its range, the lowest first.

    On a `narrow` screen, who a row is about and what may be read there stand above it.
    """
    rows = _levels(finding)
    labels = naming.row_labels([row.name for row in rows])
    records = [_record(label, row) for label, row in zip(labels, rows, strict=True)]
    x, y = _axis(records, finding), _above(labels) if narrow else theme.row_axis(labels)
    layers: list[alt.Chart] = []
    for is_reference, shape, color in ((False, "circle", theme.PROTECTED), (True, "square", theme.REFERENCE)):
        mine = [record for record in records if record["is_reference"] == is_reference]
        layers += _points(mine, x, y, shape, color)
    layers += [_titles(records, y)] if narrow else _columns(records, y, finding)
    height = _NARROW_ROW if narrow else _ROW
    return theme.finish(alt.layer(*layers), height * len(rows), searches_chart_text(finding))


def searches_chart_title(finding: InspectionFinding) -> str:
    """Return what the picture shows."""
    is_grounds = read_searches(finding).basis == "thresholds"
    args: dict[str, Argument] = {"verb": finding.verb, "level": Share(finding.outcome.confidence)}
    return say(Message("searches-chart-thresholds" if is_grounds else "searches-chart-finds", args))


def searches_chart_text(finding: InspectionFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    reading = read_searches(finding)
    level = levels(finding, reading.basis)
    said = [searches_chart_title(finding) + "."]
    for group in _shown(finding):
        value, low, high = level[group]
        if finite(value) is None:
            continue
        row: dict[str, Argument] = {
            "group": row_name(finding, group),
            "level": Share(value),
            "low": Share(low),
            "high": Share(high),
            "found": Share(rate_of(finding, group).hits.ratio),
            "reading": Message(_reading(finding, group)),
        }
        said.append(say(Message("searches-chart-row", row)))
    return " ".join(said)


def _shown(finding: InspectionFinding) -> list[str]:
    """Return the groups that are drawn: of many those of most looks, the lowest level first."""
    level = levels(finding, read_searches(finding).basis)
    known = [rate for rate in finding.outcome.hit_rates if finite(level.get(rate.name, (None,))[0]) is not None]
    most = sorted(known, key=lambda rate: -(rate.n_acted or 0))[: naming.MOST_GROUPS]
    return sorted((rate.name for rate in most), key=lambda name: level[name][0])


def _levels(finding: InspectionFinding) -> list[Level]:
    reading = read_searches(finding)
    level = levels(finding, reading.basis)
    verdicts = {row.group: row.verdict for row in reading.rows}
    made = []
    for group in _shown(finding):
        value, low, high = level[group]
        rate = rate_of(finding, group)
        made.append(
            Level(
                name=say(Message("name-label", {"label": row_name(finding, group)})),
                value=value,
                low=finite(low),
                high=finite(high),
                looked=_share(rate.acted_rate if rate.n_cases is not None else None),
                found=_share(rate.hits.ratio) if reading.basis == "thresholds" else "",
                reading="" if group == finding.outcome.reference else say(Message(_reading(finding, group))),
                clear=verdicts.get(group) == "clear_gap",
                few=(rate.hits.n or 0) < ENOUGH,
                is_reference=group == finding.outcome.reference,
                n=cell_text(rate.n_acted, "count"),
            )
        )
    return made


def _reading(finding: InspectionFinding, group: str) -> str:
    if group == finding.outcome.reference:
        return "searches-chart-reference"
    verdict = next((row.verdict for row in read_searches(finding).rows if row.group == group), "nothing_to_compare")
    return f"reading-{verdict.replace('_', '-')}"


def _share(value: float | None) -> str:
    known = finite(value)
    return "" if known is None else say(Message("check-chart-figure", {"figure": Share(known)}))


def _record(label: str, row: Level) -> dict[str, object]:
    return {
        "label": label,
        "name": naming.whole(row.name),
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "text": _share(row.value),
        "exact": cell_text(row.value, "share"),
        "range": cell_text((row.low, row.high), "share_interval"),
        "looked": row.looked,
        "found": row.found,
        "reading": row.reading,
        "clear": row.clear,
        "few": row.few,
        "is_reference": row.is_reference,
        "n": row.n,
    }


def _axis(records: Sequence[theme.Datum], finding: InspectionFinding) -> alt.X:
    values = [record[name] for record in records for name in ("value", "low", "high") if record[name] is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = max(0.04, 0.08 * (high - low))
    is_grounds = read_searches(finding).basis == "thresholds"
    axis = alt.Axis(
        title=say(Message("searches-chart-weaker")) if is_grounds else None,
        titleAnchor="start",
        titleFontWeight="normal",
        labelExpr="datum.value < -1e-9 || datum.value > 1 + 1e-9 ? '' : format(datum.value * 100, '.2~f') + '%'",
        tickCount=5,
        grid=True,
        gridColor="#e8ebee",
        tickColor="transparent",
        domain=False,
    )
    ends = [max(-0.02, low - room), min(1.02, high + room)]
    return alt.X("value:Q", scale=alt.Scale(domain=ends, nice=False, zero=False), axis=axis)


def _points(records: Sequence[dict[str, object]], x: alt.X, y: alt.Y, shape: str, color: str) -> list[alt.Chart]:
    fill = alt.condition("datum.few", alt.ColorValue(_SMALL), alt.ColorValue(color))
    spans = [{"label": r["label"], "value": r["low"], "end": r["high"], "few": r["few"]} for r in records
             if None not in (r["low"], r["high"])]  # fmt: skip
    lines = theme.Layer(theme.values(spans)).mark_rule(strokeWidth=3, opacity=0.45)
    hover = theme.tooltip(
        [("name", "Group"), ("exact", "Exact"), ("range", "Range"), ("n", "Cases"), ("reading", "Reading")]
    )
    base = theme.Layer(theme.values(list(records)))
    return [
        lines.encode(x=x, x2=alt.X2("end:Q"), y=y, color=fill),
        base.mark_point(filled=True, size=130, opacity=1, shape=shape).encode(x=x, y=y, color=fill, tooltip=hover),
        base.mark_text(dy=-14, fontSize=13, fontWeight=600).encode(x=x, y=y, text=alt.Text("text:N"), color=fill),
    ]


def _columns(records: Sequence[dict[str, object]], y: alt.Y, finding: InspectionFinding) -> list[alt.Chart]:
    """Write to the right of each row what share was looked at, what was found, and what may be read there."""
    against = say(
        Message("searches-chart-against", {"reference": row_name(finding, require(finding.outcome.reference))})
    )
    columns: tuple[tuple[str, theme.Align, int, str], ...] = (
        ("looked", "right", _LOOKED, say(Message("searches-chart-looked"))),
        ("found", "right", _FOUND, say(Message("searches-chart-found"))),
        ("reading", "left", _READ, naming.shorten(against, 34)),
    )
    base, right, charts = theme.Layer(theme.values(list(records))), alt.XValue("width"), []
    for name, align, dx, head in columns:
        if not any(record[name] for record in records):
            continue
        text = base.mark_text(align=align, dx=dx, baseline="middle", fontSize=13)
        color = _CLEAR if name == "reading" else alt.ColorValue(theme.TEXT)
        charts.append(text.encode(y=y, x=right, text=alt.Text(f"{name}:N"), color=color))
        title = theme.Layer(theme.values([{"text": head}])).mark_text(
            align=align, dx=dx, baseline="bottom", fontSize=12, color=theme.QUIET
        )
        charts.append(title.encode(y=alt.YValue(-6), x=right, text=alt.Text("text:N")))
    return charts


def _titles(records: Sequence[theme.Datum], y: alt.Y) -> alt.Chart:
    """Write above each row who it is about, and what may be read there."""
    texts = [
        {"label": r["label"], "text": ": ".join(filter(None, (r["label"], r["reading"]))), "clear": r["clear"]}
        for r in records
    ]
    chart = theme.Layer(theme.values(texts)).mark_text(align="left", dy=-27, baseline="middle", fontSize=12)
    return chart.encode(y=y, x=alt.XValue(0), text=alt.Text("text:N"), color=_CLEAR)


def _above(labels: Sequence[str]) -> alt.Y:
    return alt.Y("label:N", scale=alt.Scale(domain=list(labels)), axis=alt.Axis(title=None, labels=False))


# Charts of the model of grounds: thresholds by place, and how it fits; light and darkness.

MOST_PLACES = 400
"""Places that are drawn; the table holds all."""


def thresholds_chart(finding: InspectionFinding) -> ChartType:
    """Draw the threshold of each group over all places with its interval, and a small point for each place."""
    found = require(finding.thresholds)
    groups = found.aggregate.sort_values("n_stops", ascending=False).head(naming.MOST_GROUPS)
    groups = groups.sort_values("threshold")
    labels = naming.unique_labels(map(called, groups["group"]))
    label_of = dict(zip(groups["group"], labels, strict=True))
    records: list[theme.Datum] = [
        {
            "label": label,
            "name": naming.whole(called(row.group)),
            "value": finite(row.threshold),
            "low": finite(row.low),
            "high": finite(row.high),
            "share": cell_text(row.threshold, "share"),
            "interval": cell_text((row.low, row.high), "share_interval"),
            "n": cell_text(row.n_stops, "count"),
            "text": cell_text(row.threshold, "share"),
        }
        for label, row in zip(labels, groups.itertuples(), strict=True)
    ]
    places = found.thresholds[found.thresholds["group"].isin(list(label_of))]
    places = places.sort_values("n_stops", ascending=False, kind="stable").head(MOST_PLACES)
    dots: list[theme.Datum] = [
        {
            "label": label_of[row.group],
            "value": finite(row.threshold),
            "size": float(row.n_stops),
            "name": naming.whole(called(row.group)),
            "place": naming.whole(row.location),
            "share": cell_text(row.threshold, "share"),
            "interval": cell_text((row.low, row.high), "share_interval"),
            "n": cell_text(row.n_stops, "count"),
        }
        for row in places.itertuples()
    ]
    ends = theme.domain([v for r in (*records, *dots) for v in (r["value"], r.get("low"), r.get("high"))])
    x = theme.share_scale(ends, ["How likely a find must be before a group is looked at", "(right: all places)"])
    hover = [("name", "Group"), ("share", "Threshold"), ("interval", "Interval"), ("n", "Stops")]
    size = alt.Size("size:Q", legend=None, scale=alt.Scale(range=[12, 160]))
    small = theme.Layer(theme.values(dots)).mark_point(filled=True, opacity=0.35, color=theme.PROTECTED)
    layers = [
        small.encode(x=x, y=theme.row_axis(labels), size=size, tooltip=theme.tooltip([("place", "Place"), *hover])),
        *theme.interval_rows(records, labels, x, hover),
        theme.right_labels(records, labels),
    ]
    return theme.finish(alt.layer(*layers), theme.height_of(labels) + 10, thresholds_alt(finding))


def thresholds_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`thresholds_chart` shows."""
    rows = naming.some(list(require(finding.thresholds).aggregate.sort_values("threshold").itertuples()))
    said = []
    for row in rows:
        args: dict[str, Argument] = {
            "group": row_name(finding, row.group),
            "level": Share(row.threshold),
            "low": Share(row.low),
            "high": Share(row.high),
        }
        said.append(Message("searches-places-row", args))
    return " ".join([f"{say(Message('searches-chart-places'))}.", *map(say, said)])


def thresholds_note(finding: InspectionFinding) -> str:
    """Return what points and lines are."""
    found = require(finding.thresholds)
    drawn = naming.drawn_note(len(found.thresholds), MOST_PLACES, "places")
    return say(Message("searches-chart-places-note", {"level": Share(found.confidence)})) + drawn


def fit_chart(finding: InspectionFinding) -> ChartType:
    """Draw the rates that the model expects against those observed, one point a group and place."""
    found = require(finding.thresholds).thresholds
    found = found.sort_values("n_stops", ascending=False, kind="stable").head(MOST_PLACES)
    series = {"looked at": ("search_rate", "fitted_search_rate"), "found": ("hit_rate", "fitted_hit_rate")}
    records: list[theme.Datum] = [
        {
            "series": name,
            "x": finite(row[observed]),
            "y": finite(row[fitted]),
            "size": float(row["n_stops"]),
            "name": naming.whole(called(row["group"])),
            "place": naming.whole(row["location"]),
            "observed": cell_text(row[observed], "share"),
            "fitted": cell_text(row[fitted], "share"),
        }
        for name, (observed, fitted) in series.items()
        for row in found.to_dict("records")
    ]
    records = [record for record in records if record["x"] is not None and record["y"] is not None]
    hover = theme.tooltip(
        [
            ("name", "Group"),
            ("place", "Place"),
            ("series", "Rate"),
            ("observed", "Observed"),
            ("fitted", "By the model"),
        ]
    )
    dots = theme.Layer(theme.values(records)).mark_point(filled=True, opacity=0.6)
    dots = dots.encode(
        x=theme.percent_axis("x", "Observed rate", alt.X),
        y=theme.percent_axis("y", "Rate by the model", alt.Y),
        size=alt.Size("size:Q", legend=None, scale=alt.Scale(range=[15, 160])),
        shape=alt.Shape("series:N", title=None, scale=theme.cycle(list(series), theme.SHAPES)),
        color=theme.series_channels(list(series), dash=False)["color"],
        tooltip=hover,
    )
    return theme.finish(alt.layer(theme.diagonal(), dots), 300, fit_alt(finding), width=320)


def fit_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`fit_chart` shows."""
    return say((Message("searches-chart-fit-text"), say_model(finding)[0]))


def veil_chart(finding: InspectionFinding) -> ChartType:
    """Draw the share of one group among stops by the half hour, in light and in darkness."""
    gap = veil_gap(finding)
    frame = require(finding.veil).by_time
    frame = frame[frame["group"] == gap.name]
    series = {"in light": ("share_light", "n_light"), "in darkness": ("share_dark", "n_dark")}
    records: list[theme.Datum] = [
        {
            "series": name,
            "x": float(row["hour"]),
            "y": finite(row[share]),
            "size": float(row[n]),
            "clock": f"{int(row['hour']) % 24:02d}:{round(60 * (row['hour'] % 1)):02d}",
            "share": cell_text(row[share], "share"),
            "n": cell_text(row[n], "count"),
        }
        for name, (share, n) in series.items()
        for row in frame.to_dict("records")
    ]
    records = [record for record in records if record["y"] is not None]
    ends = theme.domain([record["y"] for record in records])
    hour = "(floor(datum.value) % 24) + ':' + (datum.value % 1 ? '30' : '00')"
    x = alt.X("x:Q", scale=alt.Scale(zero=False, nice=False, padding=12),
              axis=alt.Axis(title="Half hour that begins at", labelExpr=hour, tickMinStep=0.5))  # fmt: skip
    said = say(Message("searches-veil-axis", {"group": group_called(finding, gap.name)}))
    y = alt.Y("y:Q", scale=alt.Scale(domain=ends, nice=False),
              axis=alt.Axis(title=said,
                            labelExpr="format(datum.value * 100, '.2~f') + ' %'"))  # fmt: skip
    hover = theme.tooltip([("series", "Stops"), ("clock", "From"), ("share", "Share"), ("n", "Of the group")])
    channels = theme.series_channels(list(series), dash=True)
    base = theme.Layer(theme.values(records))
    lines = base.mark_line(strokeWidth=2).encode(x=x, y=y, **channels)
    dots = base.mark_point(filled=True, opacity=1).encode(
        x=x, y=y, color=channels["color"], tooltip=hover,
        size=alt.Size("size:Q", legend=None, scale=alt.Scale(range=[20, 160])),
    )  # fmt: skip
    return theme.finish(alt.layer(lines, dots), 260, veil_alt(finding))


def veil_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`veil_chart` shows."""
    return say((Message("searches-chart-light-text"), say_veil_shares(finding)))
