"""The pictures of a comparison of remedies: each gap on the band of the limit with its cost; all models as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Message, Phrase, Share
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.gaps import amount_axis, amount_domain
from fairaudit.present.charts.models import DrawnModel, models_chart, models_chart_row
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import size_text
from fairaudit.sections.compare.reading import (
    MET,
    ModelRow,
    Remedies,
    read_comparison,
    right_figure,
    row_reading,
)
from fairaudit.sections.compare.saying import shared_args
from fairaudit.sections.remedy.reading import Beside, beside_models, unit_of

PRICES: Final[dict[Beside, tuple[str, str]]] = {
    "decision": ("compare-column-given", "compare-column-matches"),
    "outcome": ("compare-column-predicted", "compare-column-accuracy"),
    "amount": ("compare-column-given", "compare-column-error"),
}
"""What is written of the price of each row: whom it is good for, and how well it agrees."""


def compare_chart(finding: Remedies, numbers: Sequence[int] = (), *, narrow: bool = False) -> ChartType:
    """Draw the gap that each model leaves, past decisions first, on the band of the limit.

    On a `narrow` screen, what a row is, whether it meets the limit and what it costs stand above it.
    """
    quantity, reading = unit_of(finding.facts), read_comparison(finding, numbers)
    return models_chart(
        [_drawn(row, quantity) for row in reading.rows],
        reading.limit,
        quantity,
        shared_args(finding, quantity),
        PRICES[beside_models(finding.facts)],
        compare_chart_text(finding, numbers),
        narrow=narrow,
    )


def compare_chart_title(finding: Remedies) -> str:
    """Return what the picture shows."""
    quantity = unit_of(finding.facts)
    args = shared_args(finding, quantity) | {"level": Share(finding.facts.decisions.confidence)}
    if quantity.kind == "amount":
        args |= {"what": Phrase(finding.facts.meaning)}
    return say(Message(f"compare-chart-{quantity.kind}", args))


def compare_chart_text(finding: Remedies, numbers: Sequence[int] = ()) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity, reading = unit_of(finding.facts), read_comparison(finding, numbers)
    args = shared_args(finding, quantity)
    said = [f"{compare_chart_title(finding)}."]
    said += [models_chart_row(_drawn(row, quantity), reading.limit, quantity, args) for row in reading.rows]
    return " ".join(said)


def _drawn(row: ModelRow, quantity: Quantity) -> DrawnModel:
    return DrawnModel(
        name=row.name,
        gap=row.gap,
        interval=row.interval,
        reading=row_reading(row),
        met=row.limit in MET,
        hollow=row.role != "remedy",
        by_group=row.needs_group,
        given=None if row.given is None else quantity.figure(row.given),
        right=None if row.right is None else right_figure(quantity, row.right),
    )


# How well each model does against how far apart it leaves the groups, as points.

_FRONTIER_HEIGHT = 320
_LABEL = 32
"""Letters of the name of a model that stand beside its point."""


@dataclass(frozen=True)
class FrontierAxes:
    """What points are drawn by, and a line at the gap of past decisions, which have no accuracy of their own."""

    x_title: str
    y_title: str
    digits: int | None = None  # of amounts; None for shares
    past: float | None = None
    past_words: str = ""


def frontier_chart(rows: pd.DataFrame, axes: FrontierAxes) -> ChartType:
    """Draw models by how well they do and how far apart they leave the groups."""
    digits = axes.digits
    kinds = ("needs no group", "needs the group to decide")
    records: list[theme.Datum] = [
        {
            "value": finite(row.x), "low": finite(row.x_low), "high": finite(row.x_high),
            "y": finite(row.y), "y_low": finite(row.y_low), "y_high": finite(row.y_high),
            "number": row.number, "name": naming.whole(row.name), "best": bool(row.on_frontier),
            "kind": kinds[bool(row.needs_group)],
            **dict(zip(("x_text", "y_text"), _frontier_texts(row, digits), strict=True)),
        }
        for row in rows.itertuples(index=False)
    ]  # fmt: skip
    known = [r for r in records if r["value"] is not None and r["y"] is not None]
    wide_span = [v for r in known for v in (r["value"], r["low"], r["high"])]
    tall_span = [v for r in known for v in (r["y"], r["y_low"], r["y_high"])] + [0.0, axes.past]
    titles = naming.shorten(axes.x_title, 60), naming.shorten(axes.y_title, 60)
    if digits is None:
        across, down = theme.domain(wide_span, step=0.02), theme.domain(tall_span, step=0.02)
        x = theme.share_scale(across, say(Message("axis-better-right", {"figure": Phrase(titles[0])})))
        y_axis = alt.Axis(
            title=say(Message("axis-better-below-points", {"figure": Phrase(titles[1])})), labelExpr=theme.POINTS_LABEL
        )
    else:
        across, down = amount_domain(wide_span), amount_domain(tall_span)
        x = amount_axis(across, say(Message("axis-better-left", {"figure": Phrase(titles[0])})), digits)
        y_axis = alt.Axis(
            title=say(Message("axis-better-below", {"figure": Phrase(titles[1])})), format=f",.{digits}~f"
        )
    y = alt.Y("y:Q", scale=alt.Scale(domain=down, nice=False, zero=False), axis=y_axis)
    hover = theme.tooltip(
        [("name", "Model"), ("x_text", axes.x_title), ("y_text", axes.y_title), ("kind", "When deciding")]
    )
    spans = [r for r in known if r["low"] is not None and r["high"] is not None]
    falls = [r for r in known if r["y_low"] is not None and r["y_high"] is not None]
    wide = theme.Layer(theme.values([r | {"value": r["low"], "end": r["high"]} for r in spans]))
    tall = theme.Layer(theme.values([r | {"y": r["y_low"], "end": r["y_high"]} for r in falls]))
    line = [] if axes.past is None else [{"y": axes.past, "value": across[0], "text": axes.past_words}]
    level = theme.Layer(theme.values(line))
    layers = [
        level.mark_rule(color=theme.LINE).encode(y=y),
        level.mark_text(align="left", baseline="bottom", dx=4, dy=-2, color=theme.QUIET, fontSize=11).encode(
            x=x, y=y, text=alt.Text("text:N")
        ),
        wide.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, x2=alt.X2("end:Q"), y=y),
        tall.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, y=y, y2=alt.Y2("end:Q")),
        _stairs([r for r in known if r["best"]], x, y),
    ]
    shapes = alt.Scale(domain=list(kinds), range=["circle", "square"])
    colors = alt.Scale(domain=list(kinds), range=[theme.REFERENCE, theme.PROTECTED])
    # No model of amounts needs the group, so there is nothing to distinguish.
    title, legend = (None, alt.Undefined) if digits is None else (alt.Undefined, None)
    shape = alt.Shape("kind:N", scale=shapes, title=title, legend=legend)
    color = alt.Color("kind:N", scale=colors, title=title, legend=legend)
    for best in (True, False):
        own = [r for r in known if r["best"] is best]
        # A layer of nothing would be met by a screen reader.
        if not own:
            continue
        points = theme.Layer(theme.values(own))
        drawn = points.mark_point(filled=best, size=110, opacity=1, strokeWidth=2)
        layers.append(drawn.encode(x=x, y=y, shape=shape, tooltip=hover, color=color))
    labels = [r | {"text": r["number"] or naming.shorten(r["name"], _LABEL)} for r in known]
    if all(r["number"] for r in known):
        labels = theme.joined(labels, across, down, height=_FRONTIER_HEIGHT)
    layers += theme.beside(labels, x, y, across, down, height=_FRONTIER_HEIGHT)
    return theme.finish(alt.layer(*layers), _FRONTIER_HEIGHT, frontier_chart_text(rows, axes))


def _frontier_texts(row: Any, digits: int | None) -> tuple[str, str]:
    if digits is not None:
        return cell_text(row.x, "amount", digits=digits), cell_text(row.y, "amount", digits=digits)
    return cell_text(row.x, "share"), size_text(row.y)


def _stairs(best: Sequence[dict[str, object]], x: alt.X, y: alt.Y) -> alt.Chart:
    ordered = sorted(best, key=lambda r: (r["value"], r["y"]))
    line = theme.Layer(theme.values([r | {"order": i} for i, r in enumerate(ordered)]))
    return line.mark_line(strokeDash=[4, 3], strokeWidth=1.2, color=theme.LINE).encode(
        x=x, y=y, order=alt.Order("order:Q")
    )


def frontier_chart_text(rows: pd.DataFrame, axes: FrontierAxes) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    x, y = (Phrase(naming.shorten(title, 60)) for title in (axes.x_title, axes.y_title))
    said = [f"{say(Message('remedies-chart-models', {'x': x, 'y': y}))}."]
    if axes.past is not None:
        line = {"what": Phrase(axes.past_words), "size": Phrase(size_text(axes.past))}
        said.append(say(Message("remedies-chart-decided", line)))
    for row in rows.itertuples(index=False):
        figures = ", ".join(_frontier_texts(row, axes.digits)) + (" points" if axes.digits is None else "")
        texts = {"number": Phrase(str(row.number)), "name": Phrase(naming.short(row.name))}
        model = Message("remedies-chart-numbered", texts) if row.number else texts["name"]
        key = "remedies-chart-model-best" if row.on_frontier else "remedies-chart-model"
        said.append(say(Message(key, {"model": model, "figures": Phrase(figures)})))
    return " ".join(said)
