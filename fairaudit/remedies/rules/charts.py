"""Charts of rule sets: how the search went, and rule sets of other settings.

They take the frames of ``RulesDetails`` and leave out what is not defined.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite
from fairaudit.remedies.rules import chart_texts as rules_texts

PROVEN, IN_PART, BEST = "proven bound", "if rules are taken in part", "best so far"
_SERIES = {"bound": PROVEN, "lp_value": IN_PART, "incumbent": BEST}
_HEIGHT = 260
_UPPER, _LOWER, _BETWEEN = 170, 70, 26
_ROOM = 1.08


def rules_path_chart(path: pd.DataFrame, *, reached: float | None = None) -> Any:
    """Draw how the proven bound and the best rule set came together, round by round."""
    records: list[dict[str, Any]] = []
    for field, series in _SERIES.items():
        found = [(row.round, finite(getattr(row, field))) for row in path.itertuples()]
        records += [
            {"x": int(at), "value": value, "series": series, "text": cell_text(value, "number", digits=1)}
            for at, value in found
            # That no loss is below 0 needs no proof, and would set the scale for all.
            if value is not None and (field != "bound" or value > 0)
        ]
    counts = [{"x": int(row.round), "value": int(row.n_columns)} for row in path.itertuples()]
    level = finite(reached)
    end = [] if level is None else [{"value": level, "text": "reached in the end"}]
    losses = [r["value"] for r in (*records, *end)]
    height = _UPPER + _BETWEEN + _LOWER
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title="Round of the search for rules", format="d", tickMinStep=1),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    top = alt.Y(
        "value:Q",
        axis=alt.Axis(title=["Loss, counted in", "training rows"], tickCount=5, format=",~f", domain=True),
        scale=alt.Scale(domain=_around(losses), range=[_UPPER, 0], nice=False, zero=False),
    )
    low = alt.Y(
        "value:Q",
        axis=alt.Axis(
            title=["Rules", "considered"], tickCount=3, tickMinStep=1, format=",~f", orient="left", domain=True
        ),
        scale=alt.Scale(
            domain=[0, _ROOM * max([1] + [r["value"] for r in counts])], range=[height, _UPPER + _BETWEEN], nice=False
        ),
    )
    names = list(_SERIES.values())
    legend = alt.Legend(columns=3, symbolSize=120)
    color = alt.Color(
        "series:N", title=None, legend=legend, scale=alt.Scale(domain=names, range=list(theme.SERIES[:3]))
    )
    shape = alt.Shape(
        "series:N", title=None, legend=legend, scale=alt.Scale(domain=names, range=["square", "triangle-up", "circle"])
    )
    hover = parts.tooltip([("series", "Figure"), ("x", "Round"), ("text", "Loss")])
    upper: list[Any] = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        shown = [r for r in records if r["series"] == series]
        if not shown:
            continue
        base = parts.Layer(parts.values(shown))
        # A bound is what was proven until the next round: steps, not slopes.
        line = base.mark_line(strokeWidth=1.6, strokeDash=list(dash), interpolate="step-after")
        upper.append(line.encode(x=x, y=top, color=color))
        upper.append(
            base.mark_point(filled=True, size=40, opacity=1).encode(x=x, y=top, color=color, shape=shape, tooltip=hover)
        )
    if end or not upper:
        base = parts.Layer(parts.values(end))
        upper.append(base.mark_rule(color=theme.TEXT, strokeWidth=1.2).encode(y=top))
        written = base.mark_text(align="right", baseline="bottom", dx=-2, dy=-3, color=theme.TEXT)
        upper.append(written.encode(x=alt.XValue("width"), y=top, text=alt.Text("text:N")))
    lower = parts.Layer(parts.values(counts)).mark_line(color=theme.LINE, strokeWidth=1.4, interpolate="step-after")
    chart = alt.layer(alt.layer(*upper), lower.encode(x=x, y=low)).resolve_scale(y="independent")
    return parts.finish(chart, height, rules_texts.rules_path_alt(path, reached=reached))


def rules_frontier_chart(frontier: pd.DataFrame, *, allowed: float | None = None) -> Any:
    """Draw accuracy against the largest gap of rule sets of other settings on the tuning rows, by complexity."""
    known = rules_texts.drawn_settings(frontier)
    by_gap = rules_texts.has_gaps(known)
    complexities = sorted({int(value) for value in known["max_complexity"]})[: brief.MOST_SERIES]
    labels = {value: f"up to {value}" for value in complexities}
    records = [_setting(row, labels, by_gap=by_gap) for row in known.itertuples() if row.max_complexity in labels]
    best = rules_texts.best_settings(known)
    best = best[best["max_complexity"].isin(complexities)]
    limit = allowed if by_gap and allowed is not None and allowed < 1 else None
    numbers = [r["value"] for r in records] + [0.0] + ([limit] if limit is not None else [])
    span = [0, round(_ROOM * max([*numbers, 0.01 if by_gap else 1]), 4)]
    if by_gap:
        x = parts.share_scale(span, "Largest difference in points, tuning rows (better to the left)", unit="points")
    else:
        axis = alt.Axis(title="Complexity (fewer rules and conditions to the left)", tickMinStep=1, format="d")
        x = alt.X("value:Q", axis=axis, scale=alt.Scale(domain=span, nice=False))
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=_around([r["y"] for r in records], 0.001, 4), nice=False, zero=False),
        axis=alt.Axis(
            title="Accuracy, tuning rows (better above)", labelExpr=f"{parts.POINTS_LABEL} + ' %'", tickCount=5
        ),
    )
    layers: list[Any] = []
    if limit is not None:
        layers.append(parts.upright(limit, color=theme.TEXT))
        written = parts.Layer(parts.values([{"value": limit, "text": "allowed"}])).mark_text(
            baseline="bottom", dy=-4, color=theme.QUIET
        )
        layers.append(written.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N")))
    line = [_setting(row, labels, by_gap=by_gap) | {"order": i} for i, row in enumerate(best.itertuples())]
    joined = parts.Layer(parts.values(line)).mark_line(color=theme.LINE, strokeDash=[4, 3], strokeWidth=1.2)
    layers.append(joined.encode(x=x, y=y, order=alt.Order("order:Q")))
    names = list(labels.values())
    legend = alt.Legend(columns=4)
    color = alt.Color("series:N", title="Complexity", legend=legend, scale=parts.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title="Complexity", legend=legend, scale=parts.cycle(names, theme.SHAPES))
    hover = parts.tooltip(
        [
            ("series", "Complexity allowed"), ("limit", "Difference allowed"), ("accuracy", "Accuracy"),
            ("gap", "Largest difference"), ("complexity", "Complexity"),
        ]
    )  # fmt: skip
    chosen = [r for r in records if r["chosen"]]
    ring = parts.Layer(parts.values(chosen)).mark_point(
        filled=False, size=330, strokeWidth=2, color=theme.TEXT, opacity=1
    )
    # Rule sets of other settings are often the same: the kind of the chosen one comes last, on top.
    for name in sorted(names, key=lambda name: any(r["series"] == name for r in chosen)):
        base = parts.Layer(parts.values([r for r in records if r["series"] == name]))
        points = base.mark_point(filled=True, size=70, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover, color=color, shape=shape))
    if chosen:
        layers.append(ring.encode(x=x, y=y))
        name = parts.Layer(parts.values(chosen)).mark_text(align="left", dx=13, dy=-9, fontWeight="bold", text="chosen")
        layers.append(name.encode(x=x, y=y))
    return parts.finish(alt.layer(*layers), _HEIGHT, rules_texts.rules_frontier_alt(frontier, allowed=allowed))


def _setting(row: Any, labels: dict[int, str], *, by_gap: bool) -> dict[str, Any]:
    return {
        "value": float(row.gap if by_gap else row.complexity),
        "y": float(row.accuracy),
        "series": labels[row.max_complexity],
        "chosen": bool(row.chosen),
        "limit": rules_texts.size_text(row.max_difference),
        "accuracy": cell_text(row.accuracy, "share"),
        "gap": rules_texts.size_text(row.gap),
        "complexity": str(row.complexity),
    }


def _around(numbers: list[float], least: float = 0.5, digits: int = 1) -> list[float]:
    """Return the ends of an axis around all numbers, with a little room."""
    if not numbers:
        return [0.0, 1.0]
    room = 0.06 * (max(numbers) - min(numbers)) + least
    return [round(min(numbers) - room, digits), round(max(numbers) + room, digits)]
