"""Charts of the model of grounds: thresholds by place, and how it fits; light and darkness."""

from __future__ import annotations

from typing import Any

import altair as alt

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.errors import sure
from fairaudit.findings import Argument, Message, Share
from fairaudit.messages import called, say
from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite
from fairaudit.sections.searches.reading import called as group_called
from fairaudit.sections.searches.reading import row_name, veil_gap
from fairaudit.sections.searches.saying import say_model, say_veil

MOST_PLACES = 400
"""Places that are drawn; the table holds all."""


def thresholds_chart(finding: InspectionFinding) -> Any:
    """Draw the threshold of each group over all places with its interval, and a small point for each place."""
    found = sure(finding.thresholds)
    groups = found.aggregate.sort_values("n_stops", ascending=False).head(brief.MOST_GROUPS)
    groups = groups.sort_values("threshold")
    labels = brief.unique_labels(map(called, groups["group"]))
    label_of = dict(zip(groups["group"], labels, strict=True))
    records: list[dict[str, Any]] = [
        {
            "label": label,
            "name": brief.whole(called(row.group)),
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
    dots: list[dict[str, Any]] = [
        {
            "label": label_of[row.group],
            "value": finite(row.threshold),
            "size": float(row.n_stops),
            "name": brief.whole(called(row.group)),
            "place": brief.whole(row.location),
            "share": cell_text(row.threshold, "share"),
            "interval": cell_text((row.low, row.high), "share_interval"),
            "n": cell_text(row.n_stops, "count"),
        }
        for row in places.itertuples()
    ]
    ends = parts.domain([v for r in (*records, *dots) for v in (r["value"], r.get("low"), r.get("high"))])
    x = parts.share_scale(ends, ["How likely a find must be before a group is looked at", "(right: all places)"])
    hover = [("name", "Group"), ("share", "Threshold"), ("interval", "Interval"), ("n", "Stops")]
    size = alt.Size("size:Q", legend=None, scale=alt.Scale(range=[12, 160]))
    small = parts.Layer(parts.values(dots)).mark_point(filled=True, opacity=0.35, color=theme.PROTECTED)
    layers = [
        small.encode(x=x, y=parts.row_axis(labels), size=size, tooltip=parts.tooltip([("place", "Place"), *hover])),
        *parts.interval_rows(records, labels, x, hover),
        parts.right_labels(records, labels),
    ]
    return parts.finish(alt.layer(*layers), parts.height_of(labels) + 10, thresholds_alt(finding))


def thresholds_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`thresholds_chart` shows."""
    rows = brief.some(list(sure(finding.thresholds).aggregate.sort_values("threshold").itertuples()))
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
    found = sure(finding.thresholds)
    drawn = brief.drawn_note(len(found.thresholds), MOST_PLACES, "places")
    return say(Message("searches-chart-places-note", {"level": Share(found.confidence)})) + drawn


def fit_chart(finding: InspectionFinding) -> Any:
    """Draw the rates that the model expects against those observed, one point a group and place."""
    found = sure(finding.thresholds).thresholds
    found = found.sort_values("n_stops", ascending=False, kind="stable").head(MOST_PLACES)
    series = {"looked at": ("search_rate", "fitted_search_rate"), "found": ("hit_rate", "fitted_hit_rate")}
    records: list[dict[str, Any]] = [
        {
            "series": name,
            "x": finite(row[observed]),
            "y": finite(row[fitted]),
            "size": float(row["n_stops"]),
            "name": brief.whole(called(row["group"])),
            "place": brief.whole(row["location"]),
            "observed": cell_text(row[observed], "share"),
            "fitted": cell_text(row[fitted], "share"),
        }
        for name, (observed, fitted) in series.items()
        for row in found.to_dict("records")
    ]
    records = [record for record in records if record["x"] is not None and record["y"] is not None]
    hover = parts.tooltip(
        [
            ("name", "Group"),
            ("place", "Place"),
            ("series", "Rate"),
            ("observed", "Observed"),
            ("fitted", "By the model"),
        ]
    )
    dots = parts.Layer(parts.values(records)).mark_point(filled=True, opacity=0.6)
    dots = dots.encode(
        x=parts.percent_axis("x", "Observed rate", alt.X),
        y=parts.percent_axis("y", "Rate by the model", alt.Y),
        size=alt.Size("size:Q", legend=None, scale=alt.Scale(range=[15, 160])),
        shape=alt.Shape("series:N", title=None, scale=parts.cycle(list(series), theme.SHAPES)),
        color=parts.series_channels(list(series), dash=False)["color"],
        tooltip=hover,
    )
    return parts.finish(alt.layer(parts.diagonal(), dots), 300, fit_alt(finding), width=320)


def fit_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`fit_chart` shows."""
    return say((Message("searches-chart-fit-text"), say_model(finding)[0]))


def veil_chart(finding: InspectionFinding) -> Any:
    """Draw the share of one group among stops by the half hour, in light and in darkness."""
    gap = veil_gap(finding)
    frame = sure(finding.veil).by_time
    frame = frame[frame["group"] == gap.name]
    series = {"in light": ("share_light", "n_light"), "in darkness": ("share_dark", "n_dark")}
    records: list[dict[str, Any]] = [
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
    ends = parts.domain([record["y"] for record in records])
    hour = "(floor(datum.value) % 24) + ':' + (datum.value % 1 ? '30' : '00')"
    x = alt.X("x:Q", scale=alt.Scale(zero=False, nice=False, padding=12),
              axis=alt.Axis(title="Half hour that begins at", labelExpr=hour, tickMinStep=0.5))  # fmt: skip
    said = say(Message("searches-veil-axis", {"group": group_called(finding, gap.name)}))
    y = alt.Y("y:Q", scale=alt.Scale(domain=ends, nice=False),
              axis=alt.Axis(title=said,
                            labelExpr="format(datum.value * 100, '.2~f') + ' %'"))  # fmt: skip
    hover = parts.tooltip([("series", "Stops"), ("clock", "From"), ("share", "Share"), ("n", "Of the group")])
    channels = parts.series_channels(list(series), dash=True)
    base = parts.Layer(parts.values(records))
    lines = base.mark_line(strokeWidth=2).encode(x=x, y=y, **channels)
    dots = base.mark_point(filled=True, opacity=1).encode(
        x=x, y=y, color=channels["color"], tooltip=hover,
        size=alt.Size("size:Q", legend=None, scale=alt.Scale(range=[20, 160])),
    )  # fmt: skip
    return parts.finish(alt.layer(lines, dots), 260, veil_alt(finding))


def veil_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`veil_chart` shows."""
    return say((Message("searches-chart-light-text"), say_veil(finding)[1]))
