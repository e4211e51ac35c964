"""Charts of relabelled rows, and of how far labels were changed."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType

from fairaudit.disclosure.fields import Kind
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite

POINTS = {
    (False, 1): "favourable",
    (False, 0): "not favourable",
    (True, 1): "changed to favourable",
    (True, 0): "changed to not favourable",
}
"""What a row's decision is called, by whether it was changed and by the decision that is drawn."""

MOST_POINTS = 2000
"""Rows that are drawn at most."""


def flipped_points_chart(frame: pd.DataFrame, *, x_title: str = "x", y_title: str = "y") -> ChartType:
    """Draw rows by two numbers with their label; changed labels stand out. For pages, not for reports."""
    shown = sampled_points(frame)
    records = [
        {"x": finite(row.x), "y": finite(row.y), "kind": POINTS[bool(row.flipped), int(row.label)]}
        for row in shown.itertuples()
    ]
    records = [r for r in records if r["x"] is not None and r["y"] is not None]
    order = [POINTS[key] for key in ((False, 1), (False, 0), (True, 1), (True, 0))]
    legend = alt.Legend(symbolOpacity=1, symbolStrokeWidth=1.5)
    color = alt.Color(
        "kind:N", title=None, legend=legend,
        scale=alt.Scale(domain=order, range=[theme.REFERENCE, theme.PROTECTED, "#00785a", "#7b3fa0"]),
    )  # fmt: skip
    shapes = alt.Scale(domain=order, range=["circle", "triangle-up", "diamond", "square"])
    shape = alt.Shape("kind:N", title=None, legend=legend, scale=shapes)
    x = alt.X("x:Q", title=naming.shorten(x_title, 60), scale=alt.Scale(zero=False))
    y = alt.Y("y:Q", title=naming.shorten(y_title, 60), scale=alt.Scale(zero=False))
    layers = []
    for kinds, size, opacity, filled in ((order[:2], 26, 0.45, False), (order[2:], 70, 0.95, True)):
        base = theme.Layer(theme.values([r for r in records if r["kind"] in kinds]))
        points = base.mark_point(size=size, opacity=opacity, filled=filled)
        layers.append(points.encode(x=x, y=y, color=color, shape=shape))
    description = flipped_points_alt(frame, x_title=x_title, y_title=y_title)
    return theme.finish(alt.layer(*layers), 360, description)


def flipped_points_alt(frame: pd.DataFrame, *, x_title: str = "x", y_title: str = "y") -> str:
    """Say in words what :func:`flipped_points_chart` shows."""
    axes = {"x": Phrase(naming.shorten(x_title, 60)), "y": Phrase(naming.shorten(y_title, 60))}
    return say(Message("retrain-chart", {**axes, "n": Count(int(frame["flipped"].sum()))}))


def sampled_points(frame: pd.DataFrame) -> pd.DataFrame:
    """Return at most `MOST_POINTS` rows, evenly taken: changed rows first, for they are few and what is asked about."""
    flipped = frame["flipped"].to_numpy(dtype=bool)
    kept = np.empty(0, dtype=int)
    for rows in (np.flatnonzero(flipped), np.flatnonzero(~flipped)):
        room = min(len(rows), MOST_POINTS - len(kept))
        if room:
            kept = np.concatenate([kept, rows[np.linspace(0, len(rows) - 1, room).astype(int)]])
    return frame.iloc[np.sort(kept)]


def extents_chart(path: pd.DataFrame, *, target: float | None = None) -> ChartType:
    """Draw the gap of the final model on the tuning rows by how far labels were changed, beside the gap aimed at."""
    aim = target or 0.0
    keys = [theme.numbered(i, cell_text(row.extent, "share", digits=0)) for i, row in enumerate(path.itertuples())]
    records = [
        {
            "label": key, "value": finite(row.gap), "chosen": bool(row.chosen),
            "text": cell_text(row.gap, "points"), "right": cell_text(row.accuracy, "share"),
        }
        for key, row in zip(keys, path.itertuples(), strict=True)
    ]  # fmt: skip
    span = theme.domain([*theme.numbers_in(records, "value"), -aim, aim, 0.0], low=-1.0, step=0.02)
    x = theme.share_scale(span, "Gap of the new model in points, protected minus everyone else", unit="signed")
    y = theme.numbered_axis(keys)
    hover = theme.tooltip([("label", "How far"), ("text", "Gap"), ("right", "Accuracy")])
    layers: list[ChartType] = [theme.band(-aim, aim, span).encode(x=x), theme.upright(0.0, dash=(2, 3)).encode(x=x)]
    for chosen in (False, True):
        drawn = theme.Layer(theme.values([r for r in records if r["chosen"] is chosen]))
        if not any(r["chosen"] is chosen for r in records):
            continue
        marks = drawn.mark_point(filled=chosen, size=80, opacity=1, color=theme.REFERENCE)
        layers.append(marks.encode(x=x, y=y, tooltip=hover))
        texts = drawn.mark_text(align="left", dx=9, fontWeight="bold" if chosen else "normal")
        layers.append(texts.encode(x=x, y=y, text=alt.Text("text:N")))
    chart = alt.layer(*layers)
    return theme.finish(chart, max(1, len(keys)) * theme.ROW_HEIGHT, extents_alt(path))


def extents_alt(path: pd.DataFrame, *, target: float | None = None) -> str:
    """Say in words what :func:`extents_chart` shows."""
    said = [f"{say(Message('retrain-chart-extents'))}."]
    for row in path.itertuples():
        figures: dict[str, Kind] = {"extent": "share", "gap": "points", "accuracy": "share"}
        args = {name: Phrase(cell_text(getattr(row, name), kind)) for name, kind in figures.items()}
        said.append(say(Message("retrain-chart-extent", args)))
    return " ".join(said)
