"""Charts of errors and scores by group: rates, ROC, calibration, distribution."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Message, Phrase
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.errors import (
    SMALL_BIN,
    calibration_alt,
    distribution_alt,
    higher_is,
    label_words,
    needed_digits,
    rate_name,
    rates_alt,
    roc_alt,
    written_calibration,
    written_distribution,
    written_roc,
)
from fairaudit.present.numbers import finite

TALL = 260
"""Two charts with as tall a field fit on a page of the report, below their captions."""
WIDE = 4
"""Scores that lie as far apart, such as deciles, are labelled in whole steps."""


def rates_chart(errors: ErrorComparison, metric: str) -> ChartType:
    """Draw one rate of each group with its interval, from the lowest to the highest."""
    frame = errors.intervals[errors.intervals["metric"] == metric]
    frame = frame.iloc[np.sort(np.argsort(-frame["n"].to_numpy(float), kind="stable")[: naming.MOST_GROUPS])]
    frame = frame.sort_values("value", kind="stable")
    labels = naming.row_labels(frame["group"])
    records: list[theme.Datum] = [
        {
            "label": label,
            "name": naming.whole(row.group),
            "value": finite(row.value),
            "low": finite(row.low),
            "high": finite(row.high),
            "share": cell_text(row.value, "share"),
            "interval": cell_text((row.low, row.high), "share_interval"),
            "n": cell_text(row.n, "count"),
            "text": f"{cell_text(row.value, 'share')}  ({cell_text(row.n, 'count')})",
        }
        for label, row in zip(labels, frame.itertuples(), strict=True)
    ]
    ends = theme.domain([v for r in records for v in (r["value"], r["low"], r["high"])])
    x = theme.share_scale(ends, say(Message("axis-rate", {"rate": Phrase(rate_name(metric, errors.positive))})))
    shown = [("name", "Group"), ("share", "Share"), ("interval", "Interval"), ("n", "Out of")]
    layers = [*theme.interval_rows(records, labels, x, shown), theme.right_labels(records, labels)]
    return theme.finish(alt.layer(*layers), theme.height_of(labels), rates_alt(errors, metric))


def roc_chart(scores: ScoreComparison) -> ChartType:
    """Draw the ROC curve of each group, with its area in the legend."""
    area = scores.auc.set_index("group")["auc"]
    groups = _largest_groups(scores)
    names = [f"{naming.shorten(g, 26)} (AUC {cell_text(area.get(g), 'number', digits=3)})" for g in groups]
    labels = naming.unique_labels(names, 60)
    curves_of = written_roc(scores)
    records: list[theme.Datum] = []
    for group, label in zip(groups, labels, strict=True):
        for row in curves_of[curves_of["group"] == group].itertuples():
            records.append(
                {
                    "series": label,
                    "name": naming.whole(group),
                    "x": finite(row.fpr),
                    "y": finite(row.tpr),
                    "order": len(records),
                    "fpr": cell_text(row.fpr, "share"),
                    "tpr": cell_text(row.tpr, "share"),
                    "cut": cell_text(row.threshold, "number", digits=3),
                }
            )
    hover = theme.tooltip(
        [
            ("name", "Group"),
            ("cut", f"Positive {'up to' if scores.turned else 'from'}"),
            ("tpr", "True positive rate"),
            ("fpr", "False positive rate"),
        ]
    )
    curves = theme.Layer(theme.values(records)).mark_line(strokeWidth=2, interpolate="linear")
    curves = curves.encode(
        x=theme.percent_axis("x", "False positive rate", alt.X), y=theme.percent_axis("y", "True positive rate", alt.Y),
        order=alt.Order("order:Q"), tooltip=hover, **theme.series_channels(labels, dash=True),
    )  # fmt: skip
    return theme.finish(alt.layer(theme.diagonal(), curves), TALL, roc_alt(scores), width=TALL)


def calibration_chart(scores: ScoreComparison) -> ChartType:
    """Draw the observed share against the mean score of each bin, with intervals, for each group."""
    frame = written_calibration(scores).dropna(subset=["score_mean", "observed"])
    groups = _largest_groups(scores)
    labels = naming.unique_labels(groups)
    digits = needed_digits(frame["score_mean"])
    records = [
        {
            "series": label,
            "name": naming.whole(group),
            "row": row.n,
            "x": finite(row.score_mean),
            "y": finite(row.observed),
            "low": finite(row.low),
            "high": finite(row.high),
            "score": cell_text(row.score_mean, "number", digits=digits),
            "share": cell_text(row.observed, "share"),
            "interval": cell_text((row.low, row.high), "share_interval"),
            "n": cell_text(row.n, "count"),
        }
        for group, label in zip(groups, labels, strict=True)
        for row in frame[frame["group"] == group].itertuples()
    ]
    hover = theme.tooltip(
        [("name", "Group"), ("score", "Mean score"), ("share", "Observed"), ("interval", "Interval"), ("n", "Rows")]
    )
    title = f"Mean score ({higher_is(scores)})"
    if scores.is_probability:
        x = theme.percent_axis("x", title, alt.X)
    else:
        x = _score_axis(title, [r["x"] for r in records], nice=True)
    y = theme.percent_axis("y", "Observed share that is positive", alt.Y)
    series = theme.series_channels(labels, dash=False)
    color = {"color": series["color"]}
    shape = alt.Shape("series:N", title=None, scale=theme.cycle(labels, theme.SHAPES))
    joined = theme.Layer(theme.values([r | {"y": r["y"] if r["row"] >= SMALL_BIN else None} for r in records]))
    lines = joined.mark_line(strokeWidth=1.5).encode(x=x, y=y, **series)
    marks = [lines]
    for few, opacity in ((False, 1.0), (True, 0.25)):
        base = theme.Layer(theme.values([r for r in records if (r["row"] < SMALL_BIN) == few]))
        spans = base.mark_rule(strokeWidth=1.5, opacity=0.6 * opacity)
        dots = base.mark_point(filled=True, size=30 if few else 70, opacity=opacity)
        marks.append(spans.encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), **color))
        marks.append(dots.encode(x=x, y=y, tooltip=hover, shape=shape, **color))
    layers = ([theme.diagonal(falling=scores.turned)] if scores.is_probability else []) + marks
    return theme.finish(alt.layer(*layers), TALL, calibration_alt(scores), width=400)


def distribution_chart(scores: ScoreComparison) -> ChartType:
    """Draw how the score is spread in each group, truly positive against truly negative rows."""
    frame = written_distribution(scores)
    groups = _largest_groups(scores)
    digits = needed_digits(frame["bin_low"], 2)
    peak = float(frame["share"].max()) if len(frame) else 0.0
    peak = peak if peak > 0 else 1.0
    records, names = [], []
    for position, group in enumerate(groups):
        floor = float(len(groups) - 1 - position)
        names.append({"y": floor + 0.9, "text": naming.shorten(group, 60)})
        for label, rows in frame[frame["group"] == group].groupby("label", sort=False):
            records += _steps(rows, floor, 0.62 / peak, label_words(label), group, digits)
    words = sorted({r["outcome"] for r in records}, reverse=True)
    colors = alt.Scale(domain=words, range=[theme.PROTECTED, theme.REFERENCE, theme.QUIET][: max(1, len(words))])
    dashes = alt.Scale(domain=words, range=[[1, 0], [5, 3], [2, 2]][: max(1, len(words))])
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, max(1, len(groups))], nice=False))
    title = "Score" if scores.score.lower() == "score" else f"Score {naming.shorten(scores.score, 40)}"
    x = _score_axis(f"{title} ({higher_is(scores)})", [r["x"] for r in records], nice=False)
    hover = theme.tooltip(
        [("name", "Group"), ("outcome", "True outcome"), ("range", "Score"), ("share", "Share"), ("n", "Rows")]
    )
    legend = alt.Legend(symbolType="stroke", symbolSize=500)
    base = theme.Layer(theme.values(records)).encode(
        x=x, y=y, detail=alt.Detail("row:N"), color=alt.Color("outcome:N", title=None, scale=colors, legend=legend)
    )
    areas = base.mark_area(fillOpacity=0.18).encode(y2=alt.Y2("floor:Q"), tooltip=hover)
    lines = base.mark_line(strokeWidth=1.8).encode(
        strokeDash=alt.StrokeDash("outcome:N", title=None, scale=dashes, legend=legend)
    )
    named = theme.Layer(theme.values(names)).mark_text(align="left", baseline="top", fontWeight="bold", dx=4)
    named = named.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N"))
    return theme.finish(alt.layer(areas, lines, named), max(1, len(groups)) * 84, distribution_alt(scores))


def _score_axis(title: str, values: Sequence[float | None], *, nice: bool) -> alt.X:
    """Return an x channel of scores on field ``x``, with steps of less than one only where scores lie close."""
    known = [value for value in values if value is not None]
    wide = bool(known) and max(known) - min(known) >= WIDE
    step = 1 if wide else alt.Undefined
    return alt.X("x:Q", title=title, scale=alt.Scale(zero=False, nice=nice), axis=alt.Axis(tickMinStep=step))


def _steps(rows: pd.DataFrame, floor: float, scale: float, outcome: str, group: str, digits: int) -> list[theme.Datum]:
    records = []
    for row in rows.sort_values("bin_low", kind="stable").itertuples():
        for edge in (row.bin_low, row.bin_high):
            records.append(
                {
                    "x": finite(edge),
                    "y": floor + scale * (finite(row.share) or 0.0),
                    "floor": floor,
                    "row": floor,
                    "name": naming.whole(group),
                    "outcome": outcome,
                    "range": cell_text((row.bin_low, row.bin_high), "number_interval", digits=digits),
                    "share": cell_text(row.share, "share"),
                    "n": cell_text(row.n, "count"),
                }
            )
    return records


def _largest_groups(scores: ScoreComparison) -> list[str]:
    sizes = dict(zip(scores.auc["group"], scores.auc["n"], strict=True))
    kept = sorted(scores.groups, key=lambda g: -float(sizes.get(g, 0)))[: naming.MOST_SERIES]
    return [g for g in scores.groups if g in kept]
