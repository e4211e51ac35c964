"""Charts of decision trees: how the search closed in, trees of other settings, what depth gives, and similar people.

They take the frames of ``TreesDetails`` or, with the decimals of amounts, of ``AmountTreeDetails``.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from fairaudit.present import theme
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite
from fairaudit.remedies.trees import chart_texts as trees_texts
from fairaudit.remedies.trees.chart_texts import IN_SHARES, Unit

BEST, PROVEN = "best so far", "proven bound"
_KINDS = {
    "asked": "as asked",
    "free": "without limit",
    "limit": "another limit",
    "weight": "another price",
    "depth": "another depth",
}
_HEIGHT, _LOW = 240, 200
_ROOM = 1.08
_PERCENT = f"{parts.POINTS_LABEL} + ' %'"


def tree_bounds_chart(bounds: pd.DataFrame, *, digits: int = 4) -> Any:
    """Draw how the best tree and the proven bound came together as the search went on."""
    records: list[dict[str, Any]] = [
        {"x": float(row.share), "value": value, "series": series,
         "text": cell_text(value, "number", digits=digits)}
        for row in bounds.itertuples()
        for series, value in ((BEST, finite(row.objective)), (PROVEN, finite(row.bound)))
        if value is not None
    ]  # fmt: skip
    numbers = [r["value"] for r in records] or [0.0, 1.0]
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title="Share of the work that was allowed", tickCount=6, format="~%"),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title="What is made small", tickCount=5, format=".3~f", domain=True),
        scale=alt.Scale(domain=_around(numbers), nice=False, zero=False),
    )
    hover = parts.tooltip([("series", "Figure"), ("x", "Share of the work"), ("text", "Value")])
    # What is known holds until the next change: steps, not slopes.
    layers = _lines(records, [BEST, PROVEN], x, y, hover, interpolate="step-after")
    return parts.finish(alt.layer(*layers), _LOW, trees_texts.tree_bounds_alt(bounds, digits=digits))


def tree_settings_chart(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> Any:
    """Draw how well trees of other settings do against the largest difference, the smallest ratio or the index."""
    shown = trees_texts.drawn_settings(settings, by)
    quality = trees_texts.quality_of(settings)
    records = [
        {
            "value": float(getattr(row, by)),
            "y": float(getattr(row, quality)),
            "series": _KINDS[row.setting],
            "words": row.words,
            "quality": unit.quality(getattr(row, quality)),
            "chosen": bool(row.chosen),
        }
        for row in shown.itertuples()
    ]
    x = _distances([r["value"] for r in records] + ([allowed] if allowed is not None else []), by, unit)
    better, title = ("above", "Accuracy") if unit.digits is None else ("below", "Mean absolute error")
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=_around([r["y"] for r in records]), nice=False, zero=False),
        axis=alt.Axis(
            title=f"{title}, tuning rows (better {better})",
            tickCount=5,
            labelExpr=_PERCENT if unit.digits is None else alt.Undefined,
            format=alt.Undefined if unit.digits is None else f",.{unit.digits}~f",
        ),
    )
    names = [words for words in _KINDS.values() if any(r["series"] == words for r in records)]
    color = alt.Color("series:N", title=None, legend=alt.Legend(columns=3), scale=parts.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=alt.Legend(columns=3), scale=parts.cycle(names, theme.SHAPES))
    hover = parts.tooltip([("words", "Setting"), ("quality", "How well"), ("series", "Kind")])
    layers: list[Any] = []
    if allowed is not None:
        layers.append(parts.upright(allowed, color=theme.TEXT))
        written = parts.Layer(parts.values([{"value": allowed, "text": "allowed"}])).mark_text(
            baseline="bottom", dy=-4, color=theme.QUIET
        )
        layers.append(written.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N")))
    points = parts.Layer(parts.values(records)).mark_point(filled=True, size=70, opacity=1)
    layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    chosen = [r for r in records if r["chosen"]]
    if chosen:
        ring = parts.Layer(parts.values(chosen)).mark_point(filled=False, size=330, strokeWidth=2, color=theme.TEXT)
        layers.append(ring.encode(x=x, y=y))
        name = parts.Layer(parts.values(chosen)).mark_text(align="left", dx=13, dy=-9, fontWeight="bold", text="chosen")
        layers.append(name.encode(x=x, y=y))
    description = trees_texts.tree_settings_alt(settings, by=by, allowed=allowed, unit=unit)
    return parts.finish(alt.layer(*layers), _HEIGHT, description)


def _distances(numbers: list[float], by: str, unit: Unit) -> alt.X:
    """Return the axis of differences, ratios or indices."""
    if by == "gap" and unit.digits is None and unit.by_ratio:
        title = "Smallest share over the largest, tuning rows (better to the right)"
        return parts.share_scale(parts.domain(numbers, high=1.0), title)
    if by == "gap" and unit.digits is None:
        span = [0, round(_ROOM * max([*numbers, 0.01]), 4)]
        title = "Largest difference in points, tuning rows (better to the left)"
        return parts.share_scale(span, title, unit="points")
    title = "Index of discrimination" if by == "index" else "Largest difference of mean predictions"
    axis = alt.Axis(title=f"{title}, tuning rows (better to the left)", format=",.3~f", tickCount=6)
    return alt.X("value:Q", axis=axis, scale=alt.Scale(domain=[0, _ROOM * max([*numbers, 1e-9])], nice=False))


def tree_depths_chart(settings: pd.DataFrame, *, digits: int | None = None) -> Any:
    """Draw what depth gives: errors or, where an index has a price, what was made small and what is proven about it."""
    found = trees_texts.depth_lines(settings, digits=digits)
    names = [name for name, _ in found.lines]
    records: list[dict[str, Any]] = [
        {"x": depth, "value": value, "series": name, "text": found.text(value)}
        for name, values in found.lines
        for depth, value in zip(found.depths, values, strict=True)
        if finite(value) is not None
    ]
    x = alt.X(
        "x:O",
        axis=alt.Axis(title="Depth that is allowed", labelAngle=0),
        scale=alt.Scale(domain=sorted({r["x"] for r in records})),
    )
    is_share = found.kind == "share"
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(
            title=found.title,
            tickCount=5,
            domain=True,
            labelExpr=_PERCENT if is_share else alt.Undefined,
            format=alt.Undefined if is_share else ",.3~f",
        ),
        scale=alt.Scale(domain=_around([r["value"] for r in records]), nice=False, zero=False),
    )
    hover = parts.tooltip([("series", "Figure"), ("x", "Depth"), ("text", "Value")])
    layers = _lines(records, names, x, y, hover)
    return parts.finish(alt.layer(*layers), _LOW, trees_texts.tree_depths_alt(settings, digits=digits))


def similar_people_chart(similar: pd.DataFrame, *, digits: int | None = None) -> Any:
    """Draw how differently people are treated from those like them, before and after."""
    names = ["before", "after"]
    unit = "Difference, points" if digits is None else "Difference"
    bins = similar[["low", "high"]].drop_duplicates().sort_values(["low", "high"], ascending=False)
    labels = [_bin(row.low, row.high, digits) for row in bins.itertuples()]
    records = [
        {"label": _bin(row.low, row.high, digits), "series": row.model, "value": float(row.share),
         "n": cell_text(row.n, "count"), "text": cell_text(row.share, "share")}
        for row in similar.itertuples()
    ]  # fmt: skip
    top = max([r["value"] for r in records] + [0.05])
    x = parts.share_scale(
        [0, min(1.0, round(_ROOM * top, 3))], "Share of held-out rows with similar people in several groups"
    )
    y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=alt.Axis(title=unit))
    offset = alt.YOffset("series:N", scale=alt.Scale(domain=names))
    color = alt.Color(
        "series:N",
        title=None,
        legend=alt.Legend(columns=2),
        scale=alt.Scale(domain=names, range=[theme.GAP, theme.REFERENCE]),
    )
    hover = parts.tooltip([("label", unit), ("series", "Model"), ("text", "Share"), ("n", "Rows")])
    bars = parts.Layer(parts.values(records)).mark_bar(stroke=theme.TEXT, strokeWidth=0.6)
    drawn = bars.encode(x=x, y=y, yOffset=offset, color=color, tooltip=hover)
    return parts.finish(
        drawn, max(1, len(labels)) * parts.ROW_HEIGHT, trees_texts.similar_people_alt(similar, digits=digits)
    )


def _lines(
    records: list[dict[str, Any]], names: list[str], x: alt.X, y: alt.Y, hover: list[alt.Tooltip], **line: Any
) -> list[Any]:
    """Return a line with points for each series, which differ in colour, dashes and shapes."""
    legend = alt.Legend(columns=2, symbolSize=120)
    color = alt.Color("series:N", title=None, legend=legend, scale=parts.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=legend, scale=parts.cycle(names, ["circle", "square"]))
    layers = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        base = parts.Layer(parts.values([r for r in records if r["series"] == series]))
        layers.append(base.mark_line(strokeWidth=1.6, strokeDash=list(dash), **line).encode(x=x, y=y, color=color))
        points = base.mark_point(filled=True, size=40, opacity=1)
        layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    return layers


def _bin(low: float, high: float, digits: int | None) -> str:
    if low == high == 0:
        return "none"
    if digits is not None and low == -high:
        return f"at most {cell_text(high, 'amount', digits=digits)}"
    kind: Kind = "points" if digits is None else "difference"
    ends = [cell_text(end, kind, digits=digits or 0) for end in (low, high)]
    return f"{ends[0]} to {ends[1]}"


def _around(numbers: list[float]) -> list[float]:
    """Return the ends of an axis around all numbers, with a little room."""
    if not numbers:
        return [0.0, 1.0]
    room = 0.06 * (max(numbers) - min(numbers)) + 0.002
    return [round(max(0.0, min(numbers) - room), 5), round(max(numbers) + room, 5)]
