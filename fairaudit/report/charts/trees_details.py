"""Charts of decision trees: how the search closed in, trees of other settings, what depth gives, and similar people.

All take the frames of :class:`~fairaudit.study.details_trees.TreesDetails`::

    tree_bounds_chart(bounds: DataFrame)
    tree_settings_chart(settings: DataFrame, *, by: str = "gap", by_ratio: bool = False, allowed: float | None = None)
    tree_depths_chart(settings: DataFrame)
    similar_people_chart(similar: DataFrame)
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from fairaudit.report import theme
from fairaudit.report.blocks import cell_text
from fairaudit.report.charts import parts, trees_texts

BEST, PROVEN = "best so far", "proven bound"
_KINDS = {
    "asked": "as asked",
    "free": "without constraint",
    "limit": "another limit",
    "weight": "another price",
    "depth": "another depth",
}
_HEIGHT, _LOW = 240, 200
_ROOM = 1.08
_OBJECTIVE_DIGITS = 4


def tree_bounds_chart(bounds: pd.DataFrame) -> Any:
    """Draw how the best tree and the proven bound came together over time.

    Parameters
    ----------
    bounds : DataFrame
        As ``TreesDetails.bounds``.

    Returns
    -------
    altair chart
        Two lines in steps, told apart by colour, dashes and shapes.
    """
    records = [
        {"x": float(row.seconds), "value": value, "series": series,
         "text": cell_text(value, "number", digits=_OBJECTIVE_DIGITS)}
        for row in bounds.itertuples()
        for series, value in ((BEST, parts.finite(row.objective)), (PROVEN, parts.finite(row.bound)))
        if value is not None
    ]  # fmt: skip
    numbers = [r["value"] for r in records] or [0.0, 1.0]
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title="Seconds", tickCount=6),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title="What is made small", tickCount=5, format=".3~f", domain=True),
        scale=alt.Scale(domain=_around(numbers), nice=False, zero=False),
    )
    hover = parts.tooltip([("series", "Figure"), ("x", "Seconds"), ("text", "Value")])
    # What is known holds until the next change: steps, not slopes.
    layers = _lines(records, [BEST, PROVEN], x, y, hover, interpolate="step-after")
    return parts.finish(alt.layer(*layers), _LOW, trees_texts.tree_bounds_alt(bounds))


def tree_settings_chart(
    settings: pd.DataFrame, *, by: str = "gap", by_ratio: bool = False, allowed: float | None = None
) -> Any:
    """Draw accuracy against the largest difference, the smallest ratio or the index, of trees of other settings.

    Parameters
    ----------
    settings : DataFrame
        As ``TreesDetails.settings``.
    by : {"gap", "index"}
        What accuracy is drawn against.
    by_ratio : bool
        Whether `gap` is the smallest ratio.
    allowed : float, optional
        What is allowed, drawn as a line.

    Returns
    -------
    altair chart
        On the tuning rows; kinds of points tell what is otherwise than asked, and the chosen one stands out.
    """
    shown = trees_texts.drawn_settings(settings, by)
    records = [
        {
            "value": float(getattr(row, by)),
            "y": float(row.accuracy),
            "series": _KINDS[row.setting],
            "words": row.words,
            "accuracy": cell_text(row.accuracy, "share"),
            "chosen": bool(row.chosen),
        }
        for row in shown.itertuples()
    ]
    numbers = [r["value"] for r in records] + ([allowed] if allowed is not None else [])
    if by == "index":
        axis = alt.Axis(title="Index of discrimination, tuning rows (better to the left)", format=".3~f", tickCount=6)
        scale = alt.Scale(domain=[0, _ROOM * max([*numbers, 0.001])], nice=False)
        x = alt.X("value:Q", axis=axis, scale=scale)
    elif by_ratio:
        span = parts.domain(numbers, high=1.0)
        x = parts.share_scale(span, "Smallest share over the largest, tuning rows (better to the right)")
    else:
        span = [0, round(_ROOM * max([*numbers, 0.01]), 4)]
        x = parts.share_scale(span, "Largest difference in points, tuning rows (better to the left)", unit="points")
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=_around([r["y"] for r in records]), nice=False, zero=False),
        axis=alt.Axis(
            title="Accuracy, tuning rows (better above)", labelExpr=f"{parts.POINTS_LABEL} + ' %'", tickCount=5
        ),
    )
    names = [words for words in _KINDS.values() if any(r["series"] == words for r in records)]
    color = alt.Color("series:N", title=None, legend=alt.Legend(columns=3), scale=parts.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=alt.Legend(columns=3), scale=parts.cycle(names, theme.SHAPES))
    hover = parts.tooltip([("words", "Setting"), ("accuracy", "Accuracy"), ("series", "Kind")])
    layers: list[Any] = []
    if allowed is not None:
        layers.append(parts.upright(allowed, color=theme.TEXT))
        written = alt.Chart(parts.values([{"value": allowed, "text": "allowed"}])).mark_text(
            baseline="bottom", dy=-4, color=theme.QUIET
        )
        layers.append(written.encode(x=x, y=alt.value(0), text=alt.Text("text:N")))
    points = alt.Chart(parts.values(records)).mark_point(filled=True, size=70, opacity=1)
    layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    chosen = [r for r in records if r["chosen"]]
    if chosen:
        ring = alt.Chart(parts.values(chosen)).mark_point(filled=False, size=330, strokeWidth=2, color=theme.TEXT)
        layers.append(ring.encode(x=x, y=y))
        told = alt.Chart(parts.values(chosen)).mark_text(align="left", dx=13, dy=-9, fontWeight="bold", text="chosen")
        layers.append(told.encode(x=x, y=y))
    description = trees_texts.tree_settings_alt(settings, by=by, by_ratio=by_ratio, allowed=allowed)
    return parts.finish(alt.layer(*layers), _HEIGHT, description)


def tree_depths_chart(settings: pd.DataFrame) -> Any:
    """Draw the share of wrong predictions by the depth that is allowed.

    Parameters
    ----------
    settings : DataFrame
        As ``TreesDetails.settings``.

    Returns
    -------
    altair chart
        A line for the training rows and one for the tuning rows.
    """
    shown = trees_texts.drawn_depths(settings)
    names = ["training rows", "tuning rows"]
    records = [
        {"x": int(row.max_depth), "value": 1 - value, "series": series, "text": cell_text(1 - value, "share")}
        for row in shown.itertuples()
        for series, value in zip(names, (row.trained_accuracy, row.accuracy), strict=True)
        if parts.finite(value) is not None
    ]
    x = alt.X(
        "x:O",
        axis=alt.Axis(title="Depth that is allowed", labelAngle=0),
        scale=alt.Scale(domain=sorted({r["x"] for r in records})),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title="Wrong predictions", labelExpr=f"{parts.POINTS_LABEL} + ' %'", tickCount=5, domain=True),
        scale=alt.Scale(domain=_around([r["value"] for r in records]), nice=False, zero=False),
    )
    hover = parts.tooltip([("series", "Rows"), ("x", "Depth"), ("text", "Wrong")])
    layers = _lines(records, names, x, y, hover)
    return parts.finish(alt.layer(*layers), _LOW, trees_texts.tree_depths_alt(settings))


def similar_people_chart(similar: pd.DataFrame) -> Any:
    """Draw how differently people are treated from those like them, before and after.

    Parameters
    ----------
    similar : DataFrame
        As ``TreesDetails.similar``.

    Returns
    -------
    altair chart
        A row for each difference, in points, with a bar before and one after.
    """
    names = ["before", "after"]
    bins = similar[["low", "high"]].drop_duplicates().sort_values(["low", "high"], ascending=False)
    labels = [_bin(row.low, row.high) for row in bins.itertuples()]
    records = [
        {"label": _bin(row.low, row.high), "series": row.model, "value": float(row.share),
         "n": cell_text(row.n, "count"), "text": cell_text(row.share, "share")}
        for row in similar.itertuples()
    ]  # fmt: skip
    top = max([r["value"] for r in records] + [0.05])
    x = parts.share_scale(
        [0, min(1.0, round(_ROOM * top, 3))], "Share of held-out rows with similar people in several groups"
    )
    y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=alt.Axis(title="Difference, points"))
    offset = alt.YOffset("series:N", scale=alt.Scale(domain=names))
    color = alt.Color(
        "series:N",
        title=None,
        legend=alt.Legend(columns=2),
        scale=alt.Scale(domain=names, range=[theme.GAP, theme.REFERENCE]),
    )
    hover = parts.tooltip([("label", "Difference, points"), ("series", "Model"), ("text", "Share"), ("n", "Rows")])
    bars = alt.Chart(parts.values(records)).mark_bar(stroke=theme.TEXT, strokeWidth=0.6)
    drawn = bars.encode(x=x, y=y, yOffset=offset, color=color, tooltip=hover)
    return parts.finish(drawn, max(1, len(labels)) * parts.ROW_HEIGHT, trees_texts.similar_people_alt(similar))


def _lines(
    records: list[dict[str, Any]], names: list[str], x: alt.X, y: alt.Y, hover: list[alt.Tooltip], **line: Any
) -> list[Any]:
    """Return a line with points for each series, told apart by colour, dashes and shapes."""
    legend = alt.Legend(columns=2, symbolSize=120)
    color = alt.Color("series:N", title=None, legend=legend, scale=parts.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=legend, scale=parts.cycle(names, ["circle", "square"]))
    layers = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        base = alt.Chart(parts.values([r for r in records if r["series"] == series]))
        layers.append(base.mark_line(strokeWidth=1.6, strokeDash=list(dash), **line).encode(x=x, y=y, color=color))
        points = base.mark_point(filled=True, size=40, opacity=1)
        layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    return layers


def _bin(low: float, high: float) -> str:
    if low == high == 0:
        return "none"
    ends = [cell_text(end, "points", digits=0) for end in (low, high)]
    return f"{ends[0]} to {ends[1]}"


def _around(numbers: list[float]) -> list[float]:
    """Return the ends of an axis around all numbers, with a little room."""
    if not numbers:
        return [0.0, 1.0]
    room = 0.06 * (max(numbers) - min(numbers)) + 0.002
    return [round(max(0.0, min(numbers) - room), 5), round(max(numbers) + room, 5)]
