"""Charts of thresholds by group: groups on their ROC curves, and other weights."""

from __future__ import annotations

import altair as alt
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Message, Phrase
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.theme import beside
from fairaudit.present.errors import Positive, rate_name
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import AFTER, BEFORE, size_text

MODELS = ("before", "after")
SWEEP_HEIGHT = 240
CROSS = "M-1,-1L1,1M-1,1L1,-1"
"""Two strokes, as a shape."""


def threshold_roc_chart(roc: pd.DataFrame, points: pd.DataFrame, positive: Positive = "favorable") -> ChartType:
    """Draw the ROC curve of each group and where its threshold puts it before and after."""
    sizes = (points["n_positive"] + points["n_negative"]).to_numpy(float)
    largest = sorted(range(len(points)), key=lambda i: -sizes[i])[: naming.MOST_SERIES]
    chosen = points.iloc[sorted(largest)]
    labels = naming.unique_labels(map(called, chosen["group"]))
    curves: list[dict[str, object]] = []
    marks: list[dict[str, object]] = []
    for label, row in zip(labels, chosen.itertuples(), strict=True):
        for point in roc[roc["group"] == row.group].itertuples():
            curves.append(
                _at(label, row.group, point.fpr, point.tpr, point.threshold) | {"order": len(curves), "model": ""}
            )
        marks.append(_at(label, row.group, row.fpr_before, row.tpr_before, row.before) | {"model": BEFORE})
        marks.append(_at(label, row.group, row.fpr_after, row.tpr_after, row.after) | {"model": AFTER})
    hover = theme.tooltip(
        [
            ("name", "Group"), ("model", "Model"), ("cut", "Threshold"), ("tpr", rate_name("tpr", positive)),
            ("fpr", rate_name("fpr", positive)),
        ]
    )  # fmt: skip
    place = {
        "x": theme.percent_axis("x", rate_name("fpr", positive), alt.X),
        "y": theme.percent_axis("y", rate_name("tpr", positive), alt.Y),
        "tooltip": hover,
    }
    channels = theme.series_channels(labels, dash=True)
    lines = theme.Layer(theme.values(curves)).mark_line(strokeWidth=1.6, interpolate="linear")
    layers = [theme.diagonal(), lines.encode(order=alt.Order("order:Q"), **place, **channels)]
    legend = alt.Legend(symbolStrokeColor=theme.TEXT, symbolFillColor=theme.TEXT)
    shape = alt.Shape(
        "model:N", title=None, legend=legend, scale=alt.Scale(domain=[BEFORE, AFTER], range=[CROSS, "circle"])
    )
    for model, size, filled in ((BEFORE, 90, False), (AFTER, 120, True)):
        found = [m for m in marks if m["model"] == model and None not in (m["x"], m["y"])]
        dots = theme.Layer(theme.values(found)).mark_point(filled=filled, size=size, strokeWidth=2.4, opacity=1)
        layers.append(dots.encode(shape=shape, color=channels["color"], **place))
    return theme.finish(alt.layer(*layers), 320, threshold_roc_alt(roc, points), width=320)


def threshold_roc_alt(_: pd.DataFrame, points: pd.DataFrame, positive: Positive = "favorable") -> str:
    """Say in words what :func:`threshold_roc_chart` shows."""
    said = [f"{say(Message('thresholds-chart-roc'))}."]
    for row in naming.some(list(points.itertuples())):
        cuts = {side: Phrase(cell_text(getattr(row, side), "number", digits=3)) for side in MODELS}
        said.append(
            say(Message("thresholds-chart-roc-row", {"group": Phrase(naming.short(called(row.group))), **cuts}))
        )
    return " ".join(said)


def roc_note(meaning: str, n_groups: int) -> str:
    """Return what is called positive, and how many groups are drawn where there are many."""
    said = say(Message("thresholds-chart-roc-positive", {"meaning": Phrase(meaning)}))
    return said + naming.drawn_note(n_groups, naming.MOST_SERIES)


def weight_sweep_alt(sweep: pd.DataFrame, **_: object) -> str:
    """Say in words what :func:`weight_sweep_chart` shows."""
    said = [f"{say(Message('thresholds-chart-weights'))}."]
    for row in naming.some(list(sweep.sort_values("fairness_weight", kind="stable").itertuples())):
        weight, accuracy = Phrase(f"{row.fairness_weight:g}"), Phrase(cell_text(row.accuracy, "share"))
        figures = {"weight": weight, "accuracy": accuracy, "gap": Phrase(size_text(row.gap))}
        said.append(say(Message("thresholds-chart-weights-row", figures)))
    return " ".join(said)


def weight_sweep_chart(sweep: pd.DataFrame, *, current: float | None = None) -> ChartType:
    """Draw accuracy against the sum of the gaps, one point a weight of fairness."""
    known: list[dict[str, object]] = []
    for row in sweep.sort_values("fairness_weight", kind="stable").itertuples():
        value, accuracy = finite(row.gap), finite(row.accuracy)
        if value is None or accuracy is None:
            continue
        used = current is not None and bool(abs(row.fairness_weight - current) < 1e-12)
        place, weight = (round(value, 9), round(accuracy, 9)), f"{row.fairness_weight:g}"
        if known and known[-1]["place"] == place:
            known[-1] |= {"last": weight, "used": used or known[-1]["used"]}
        else:
            figures = {"accuracy": cell_text(row.accuracy, "share"), "gap": cell_text(row.gap, "points").lstrip("+")}
            at = {"value": value, "y": accuracy, "place": place, "order": len(known)}
            known.append(at | {"first": weight, "last": weight, "used": used} | figures)
    for record in known:
        first, last = record.pop("first"), record.pop("last")
        used_here = f" (used: {current:g})" if record["used"] else ""
        record["text"] = first if first == last else f"{first} to {last}{used_here}"
        del record["place"]
    gaps = theme.numbers_in(known, "value")
    across = theme.domain([*gaps, 0.0], high=max([1.0, *gaps]))
    down = theme.domain(theme.numbers_in(known, "y"), step=0.02)
    x = theme.share_scale(
        across, ["Sum of the gaps in points", "(beside the points: weight of fairness)"], unit="points"
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=down, nice=False, zero=False),
        axis=alt.Axis(title="Accuracy", labelExpr=f"{theme.POINTS_LABEL} + ' %'"),
    )
    hover = theme.tooltip([("text", "Weight of fairness"), ("accuracy", "Accuracy"), ("gap", "Sum of gaps")])
    base = theme.Layer(theme.values(known))
    layers = [base.mark_line(color=theme.LINE, strokeWidth=1.2).encode(x=x, y=y, order=alt.Order("order:Q"))]
    for used, color, size in ((False, theme.REFERENCE, 60), (True, theme.PROTECTED, 150)):
        points = theme.Layer(theme.values([r for r in known if r["used"] is used]))
        shape = "diamond" if used else "circle"
        points = points.mark_point(filled=True, color=color, size=size, shape=shape, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover))
    layers += beside(known, x, y, across, down, height=SWEEP_HEIGHT)
    return theme.finish(alt.layer(*layers), SWEEP_HEIGHT, weight_sweep_alt(sweep))


def _at(label: str, group: object, fpr: float, tpr: float, threshold: float) -> dict[str, object]:
    return {
        "series": label,
        "name": naming.whole(called(group)),
        "x": finite(fpr),
        "y": finite(tpr),
        "fpr": cell_text(fpr, "share"),
        "tpr": cell_text(tpr, "share"),
        "cut": cell_text(threshold, "number", digits=3),
    }
