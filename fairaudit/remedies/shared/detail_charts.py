"""Charts of what a remedy did: thresholds on ROC curves, scores brought together, and other weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from fairaudit.present import theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.charts.beside import beside
from fairaudit.present.charts.score_texts import label_words, needed_digits
from fairaudit.remedies.shared import chart_texts as remedy_texts

MODELS = ("before", "after")
CROSS = "M-1,-1L1,1M-1,1L1,-1"
"""Two strokes, as a shape."""
_SWEEP_HEIGHT = 240
_UPPER, _LOWER, _BETWEEN = 110, 150, 26
"""Heights of the two parts of a chart, and of the room between them."""


def threshold_roc_chart(roc: pd.DataFrame, points: pd.DataFrame) -> Any:
    """Draw the ROC curve of each group and where its threshold puts it before and after."""
    sizes = (points["n_positive"] + points["n_negative"]).to_numpy(float)
    largest = sorted(range(len(points)), key=lambda i: -sizes[i])[: parts.MOST_SERIES]
    chosen = points.iloc[sorted(largest)]
    labels = parts.unique_labels(chosen["group"])
    curves, marks = [], []
    for label, row in zip(labels, chosen.itertuples(), strict=True):
        for point in roc[roc["group"] == row.group].itertuples():
            curves.append(
                _at(label, row.group, point.fpr, point.tpr, point.threshold) | {"order": len(curves), "model": ""}
            )
        marks.append(_at(label, row.group, row.fpr_before, row.tpr_before, row.before) | {"model": MODELS[0]})
        marks.append(_at(label, row.group, row.fpr_after, row.tpr_after, row.after) | {"model": MODELS[1]})
    hover = parts.tooltip(
        [
            ("name", "Group"), ("model", "Model"), ("cut", "Threshold"), ("tpr", "True positive rate"),
            ("fpr", "False positive rate"),
        ]
    )  # fmt: skip
    place = {
        "x": parts.percent_axis("x", "False positive rate", alt.X),
        "y": parts.percent_axis("y", "True positive rate", alt.Y),
        "tooltip": hover,
    }
    channels = parts.series_channels(labels, dash=True)
    lines = parts.Layer(parts.values(curves)).mark_line(strokeWidth=1.6, interpolate="linear")
    layers = [parts.diagonal(), lines.encode(order=alt.Order("order:Q"), **place, **channels)]
    legend = alt.Legend(symbolStrokeColor=theme.TEXT, symbolFillColor=theme.TEXT)
    shape = alt.Shape(
        "model:N", title=None, legend=legend, scale=alt.Scale(domain=list(MODELS), range=[CROSS, "circle"])
    )
    for model, size, filled in ((MODELS[0], 90, False), (MODELS[1], 120, True)):
        found = [m for m in marks if m["model"] == model and None not in (m["x"], m["y"])]
        dots = parts.Layer(parts.values(found)).mark_point(filled=filled, size=size, strokeWidth=2.4, opacity=1)
        layers.append(dots.encode(shape=shape, color=channels["color"], **place))
    return parts.finish(alt.layer(*layers), 320, remedy_texts.threshold_roc_alt(roc, points), width=320)


def weight_sweep_chart(sweep: pd.DataFrame, *, current: float | None = None) -> Any:
    """Draw accuracy against the sum of the gaps, one point a weight of fairness."""
    known: list[dict[str, Any]] = []
    for row in sweep.sort_values("fairness_weight", kind="stable").itertuples():
        value, y = parts.finite(row.gap), parts.finite(row.accuracy)
        if value is None or y is None:
            continue
        used = current is not None and bool(abs(row.fairness_weight - current) < 1e-12)
        place, weight = (round(value, 9), round(y, 9)), f"{row.fairness_weight:g}"
        if known and known[-1]["place"] == place:
            known[-1] |= {"last": weight, "used": used or known[-1]["used"]}
        else:
            figures = {"accuracy": cell_text(row.accuracy, "share"), "gap": cell_text(row.gap, "points").lstrip("+")}
            at = {"value": value, "y": y, "place": place, "order": len(known)}
            known.append(at | {"first": weight, "last": weight, "used": used} | figures)
    for record in known:
        first, last = record.pop("first"), record.pop("last")
        record["text"] = first if first == last else f"{first} to {last}"
        record["text"] += f" (used: {current:g})" if record["used"] and first != last else ""
        del record["place"]
    most = max([1.0] + [r["value"] for r in known])
    across = parts.domain([r["value"] for r in known] + [0.0], high=most)
    down = parts.domain([r["y"] for r in known], step=0.02)
    x = parts.share_scale(
        across, ["Sum of the gaps in points", "(beside the points: weight of fairness)"], unit="points"
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=down, nice=False, zero=False),
        axis=alt.Axis(title="Accuracy", labelExpr=f"{parts.POINTS_LABEL} + ' %'"),
    )
    hover = parts.tooltip([("text", "Weight of fairness"), ("accuracy", "Accuracy"), ("gap", "Sum of gaps")])
    base = parts.Layer(parts.values(known))
    layers = [base.mark_line(color=theme.LINE, strokeWidth=1.2).encode(x=x, y=y, order=alt.Order("order:Q"))]
    for used, color, size in ((False, theme.REFERENCE, 60), (True, theme.PROTECTED, 150)):
        points = parts.Layer(parts.values([r for r in known if r["used"] is used]))
        shape = "diamond" if used else "circle"
        points = points.mark_point(filled=True, color=color, size=size, shape=shape, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover))
    layers += beside(known, x, y, across, down, height=_SWEEP_HEIGHT)
    return parts.finish(alt.layer(*layers), _SWEEP_HEIGHT, remedy_texts.weight_sweep_alt(sweep, current=current))


def equalized_distribution_chart(distribution: pd.DataFrame) -> Any:
    """Draw how the score is spread in each group, before and after, for either true outcome."""
    description = remedy_texts.equalized_distribution_alt(distribution)
    distribution = remedy_texts.of_known_group(distribution)
    groups = _largest(distribution)
    labels = parts.unique_labels(groups)
    frame = distribution[distribution["group"].isin(groups)]
    bands = [
        (model, label)
        for label in sorted(frame["label"].unique(), reverse=True)
        for model in MODELS
        if ((frame["model"] == model) & (frame["label"] == label)).any()
    ]
    digits = needed_digits(frame["bin_low"], 2) if len(frame) else 2
    records, heads = [], []
    for position, (model, label) in enumerate(bands):
        floor = float(len(bands) - 1 - position)
        heads.append({"y": floor + 0.94, "text": parts.capital(f"{label_words(label)}, {model}")})
        here = frame[(frame["model"] == model) & (frame["label"] == label)]
        peak = float(here["share"].max())
        peak = peak if peak > 0 else 1.0
        for name, group in zip(labels, groups, strict=True):
            rows = here[here["group"] == group].sort_values("bin_low", kind="stable")
            for row in rows.itertuples():
                records += [
                    {
                        "x": parts.finite(edge), "y": floor + 0.68 * (parts.finite(row.share) or 0.0) / peak,
                        "row": f"{position} {name}", "series": name, "name": parts.whole(group), "order": len(records),
                        "range": cell_text((row.bin_low, row.bin_high), "number_interval", digits=digits),
                        "share": cell_text(row.share, "share"), "n": cell_text(row.n, "count"),
                    }
                    for edge in (row.bin_low, row.bin_high)
                ]  # fmt: skip
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, max(1, len(bands))], nice=False))
    x = alt.X("x:Q", title="Score", scale=alt.Scale(zero=False, nice=False))
    hover = parts.tooltip([("name", "Group"), ("range", "Score"), ("share", "Share"), ("n", "Rows")])
    lines = parts.Layer(parts.values(records)).mark_line(strokeWidth=1.7)
    lines = lines.encode(
        x=x,
        y=y,
        detail=alt.Detail("row:N"),
        order=alt.Order("order:Q"),
        tooltip=hover,
        **parts.series_channels(labels, dash=True),
    )
    floors = parts.Layer(parts.values([{"y": float(i)} for i in range(len(bands))])).mark_rule(color="#d5dae0")
    named = parts.Layer(parts.values(heads)).mark_text(align="left", baseline="top", fontWeight="bold", dx=4)
    layers = [floors.encode(y=y), lines, named.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N"))]
    return parts.finish(alt.layer(*layers), max(1, len(bands)) * 84, description)


def equalized_sweep_chart(sweep: pd.DataFrame, *, current: float | None = None) -> Any:
    """Draw accuracy and the gaps in true and false positive rates over the weight of accuracy."""
    names = {"accuracy": "Accuracy", "tpr_gap": "Gap in true positive rates", "fpr_gap": "Gap in false positive rates"}
    labels = list(names.values())
    records = [
        {
            "x": parts.finite(row.accuracy_weight), "y": parts.finite(getattr(row, field)), "series": name,
            "weight": f"{row.accuracy_weight:g}", "text": _figure(field, getattr(row, field)),
        }
        for field, name in names.items()
        for row in sweep.sort_values("accuracy_weight", kind="stable").itertuples()
    ]  # fmt: skip
    records = [r for r in records if r["x"] is not None and r["y"] is not None]
    x = alt.X("x:Q", title="Weight of accuracy", scale=alt.Scale(domain=[0, 1], nice=False))
    hover = parts.tooltip([("series", "Figure"), ("weight", "Weight of accuracy"), ("text", "Value")])
    channels = parts.series_channels(labels, dash=True)
    above, below = ([r for r in records if (r["series"] == labels[0]) is upper] for upper in (True, False))
    height = _UPPER + _BETWEEN + _LOWER
    panels = (
        (above, parts.domain([r["y"] for r in above], step=0.02), ["Accuracy", "(not from 0 %)"], "share", 0, _UPPER),
        (
            below,
            parts.domain([r["y"] for r in below] + [0.0], step=0.02),
            "Gap in points",
            "points",
            _UPPER + _BETWEEN,
            height,
        ),
    )
    marks = [] if current is None else [{"x": current}]
    layers = [parts.Layer(parts.values(marks)).mark_rule(color=theme.LINE, strokeDash=[3, 3]).encode(x=x)]
    for found, span, title, unit, top, bottom in panels:
        label = parts.POINTS_LABEL + (" + ' %'" if unit == "share" else "")
        axis = alt.Axis(title=title, labelExpr=label, tickCount=4, orient="left", domain=True)
        y = alt.Y("y:Q", axis=axis, scale=alt.Scale(domain=span, range=[bottom, top], nice=False, zero=False))
        base = parts.Layer(parts.values(found))
        points = base.mark_point(filled=True, size=45, opacity=1)
        layers += [
            alt.layer(
                base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **channels),
                points.encode(x=x, y=y, color=channels["color"], tooltip=hover),
            )
        ]
    chart = alt.layer(*layers).resolve_scale(y="independent")
    return parts.finish(chart, height, remedy_texts.equalized_sweep_alt(sweep, current=current))


def _figure(field: str, value: float) -> str:
    return cell_text(value, "share") if field == "accuracy" else f"{cell_text(value, 'size')} points"


def _at(label: str, group: object, fpr: float, tpr: float, threshold: float) -> dict[str, Any]:
    return {
        "series": label,
        "name": parts.whole(group),
        "x": parts.finite(fpr),
        "y": parts.finite(tpr),
        "fpr": cell_text(fpr, "share"),
        "tpr": cell_text(tpr, "share"),
        "cut": cell_text(threshold, "number", digits=3),
    }


def _largest(distribution: pd.DataFrame) -> Sequence[object]:
    sizes = distribution.groupby("group", sort=False)["n"].sum()
    kept = sizes.sort_values(ascending=False, kind="stable").index[: parts.MOST_SERIES]
    return [group for group in sizes.index if group in set(kept)]
