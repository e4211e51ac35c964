"""Charts of searches and inspections: hit rates, thresholds, the fit of the model, light and darkness."""

from __future__ import annotations

from typing import Any

import altair as alt

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.errors import sure
from fairaudit.present import brief, theme
from fairaudit.present import inspection_words as words
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite, interval_ends

MOST_PLACES = 400
"""Places that are drawn; the table holds all."""


def hit_rates_chart(finding: InspectionFinding) -> Any:
    """Draw how often something was found in each group, with intervals, the lowest first."""
    test = finding.outcome
    rates = sorted(test.hit_rates, key=lambda rate: -rate.n_acted)[: brief.MOST_GROUPS]
    rates = sorted(rates, key=lambda rate: _or_last(rate.hits.ratio))
    labels = brief.unique_labels([rate.name for rate in rates])
    records: list[dict[str, Any]] = []
    for label, rate in zip(labels, rates, strict=True):
        low, high = interval_ends(rate.hits.interval)
        records.append(
            {
                "label": label,
                "name": brief.whole(rate.name),
                "value": finite(rate.hits.ratio),
                "low": low,
                "high": high,
                "share": cell_text(rate.hits.ratio, "share"),
                "interval": cell_text(rate.hits.interval, "share_interval"),
                "n": cell_text(rate.hits.n, "count"),
                "looked": cell_text(rate.acted_rate, "share"),
                "text": f"{cell_text(rate.hits.ratio, 'share')}  ({cell_text(rate.hits.n, 'count')})",
            }
        )
    middle = next(finite(rate.hits.ratio) for rate in test.hit_rates if rate.is_reference)
    band = [] if middle is None else [middle - test.tolerance, middle + test.tolerance]
    ends = parts.domain([v for r in records for v in (r["value"], r["low"], r["high"])] + band)
    x = parts.share_scale(ends, ["Hit rate: share in which something was found", "(right: share, looked at)"])
    shown = [("name", "Group"), ("share", "Hit rate"), ("interval", "Interval"), ("n", "Looked at")]
    if not any(rate.n_cases is None for rate in test.hit_rates):
        shown.append(("looked", "Looked at, of all cases"))
    layers = [parts.band(band[0], band[1], ends)] if band else []
    layers.append(parts.upright(middle, dash=(3, 3), color="#9aa5b1"))
    if band:
        near = f"within {parts.reach(test.tolerance)} of {brief.shorten(test.reference, 24)}"
        layers.append(parts.line_label(middle, near, ends))
    layers += [*parts.interval_rows(records, labels, x, shown), parts.right_labels(records, labels)]
    return parts.finish(alt.layer(*layers), parts.height_of(labels) + 10, hit_rates_alt(finding))


def hit_rates_alt(finding: InspectionFinding) -> str:
    """Say in words what :func:`hit_rates_chart` shows."""
    rates = brief.some(sorted(finding.outcome.hit_rates, key=lambda rate: _or_last(rate.hits.ratio)))
    each = [
        f"{brief.short(rate.name)}: {cell_text(rate.hits.ratio, 'share')} of {cell_text(rate.hits.n, 'count')} looked "
        f"at (interval {cell_text(rate.hits.interval, 'share_interval')})."
        for rate in rates
    ]
    return " ".join(["Points with intervals for the hit rate of each group.", *each])


def hit_rates_note(finding: InspectionFinding) -> str:
    """Return what points, lines and band are."""
    test = finding.outcome
    drawn = brief.drawn_note(len(test.hit_rates), brief.MOST_GROUPS)
    return (
        f"Points: share of those looked at in which something was found. Lines: {brief.percent(test.confidence)} "
        f"interval (Wilson). Shaded: within {parts.reach(test.tolerance)} of {brief.short(test.reference)}.{drawn}"
    )


def thresholds_chart(finding: InspectionFinding) -> Any:
    """Draw the threshold of each group over all places with its interval, and a small point for each place."""
    found = sure(finding.thresholds)
    groups = found.aggregate.sort_values("n_stops", ascending=False).head(brief.MOST_GROUPS)
    groups = groups.sort_values("threshold")
    labels = brief.unique_labels(groups["group"])
    label_of = dict(zip(groups["group"], labels, strict=True))
    records: list[dict[str, Any]] = [
        {
            "label": label,
            "name": brief.whole(row.group),
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
            "name": brief.whole(row.group),
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
    each = [
        f"{brief.short(row.group)}: {cell_text(row.threshold, 'share')} "
        f"(interval {cell_text((row.low, row.high), 'share_interval')})."
        for row in rows
    ]
    places = f"Small points stand for {cell_text(sure(finding.thresholds).n_locations, 'count')} places."
    return " ".join(["The inferred threshold of each group over all places, with intervals.", *each, places])


def thresholds_note(finding: InspectionFinding) -> str:
    """Return what points and lines are."""
    found = sure(finding.thresholds)
    drawn = brief.drawn_note(len(found.thresholds), MOST_PLACES, "groups in places")
    return (
        "Large points: all places, weighted by the stops of all groups there. Lines: "
        f"{brief.percent(found.confidence)} interval. Small points: one for each place, larger with more stops.{drawn}"
    )


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
            "name": brief.whole(row["group"]),
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
    return f"Rates by the model against those observed, by group and place. {words.check_sentences(finding)[0]}"


def veil_chart(finding: InspectionFinding) -> Any:
    """Draw the share of one group among stops by the half hour, in light and in darkness."""
    gap = words.veil_gap(finding)
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
    y = alt.Y("y:Q", scale=alt.Scale(domain=ends, nice=False),
              axis=alt.Axis(title=f"Share of {brief.shorten(gap.name, 30)} among stops",
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
    return f"Shares among stops by the half hour, in light and in darkness. {words.veil_headline(finding)}"


def _or_last(value: float | None) -> float:
    known = finite(value)
    return float("inf") if known is None else known
