"""The smallest gap for accuracy lost, of trees and rule sets: its figures, what is said of it, and its chart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import pandas as pd

from fairaudit.disclosure.fields import column, columns
from fairaudit.findings import Argument, Message, Points, Share, Word
from fairaudit.messages import say

if TYPE_CHECKING:
    from altair.typing import ChartType

    from fairaudit.present.blocks import Chart, TableBlock

CURVE = columns(
    lost=column(
        float,
        "Accuracy lost on the training rows, at most, against the most accurate model of the same kind.",
        "accuracy lost, points",
        "size",
        "At most, training cases.",
        digits=2,
    ),
    gap=column(
        float,
        "The smallest gap that was found.",
        "smallest gap, points",
        "size",
        "Found, training cases.",
        digits=2,
    ),
    bound=column(
        float,
        "What no gap of such a model is below that loses no more.",
        "proven bound, points",
        "size",
        "No gap is below it, training cases.",
        digits=2,
    ),
)
CURVE_MEANING: Final = (
    "Where accuracy may be lost for the smallest gap, one row for each loss: how small the gap can be. Otherwise empty."
)
PROVEN_DIGITS: Final = 1
"""Decimals of points in the sentence on what is proven."""
ModelKind = Literal["tree", "rules"]


class HasCurve(Protocol):
    """What a fit found that made a gap small."""

    @property
    def max_loss(self) -> float | None:
        """How much accuracy may be lost."""

    @property
    def gap_curve(self) -> pd.DataFrame:
        """What is possible, with the columns of `CURVE`."""

    @property
    def best_accuracy(self) -> float:
        """That of the most accurate model on the training rows."""


def new_curve() -> pd.DataFrame:
    """Return a curve without points."""
    return pd.DataFrame(columns=list(CURVE))


def asked_point(details: HasCurve) -> tuple[float, float] | None:
    """Return the gap and its bound for the loss that was asked for; None where there is none, or it is hidden."""
    curve, max_loss = details.gap_curve, details.max_loss
    if max_loss is None or not len(curve):
        return None
    place = (curve["lost"].astype(float) - max_loss).abs().idxmin()
    gap, bound = (float(curve.loc[place, name]) for name in ("gap", "bound"))
    return (gap, bound) if math.isfinite(gap) and math.isfinite(bound) else None


def proven(details: HasCurve, kind: ModelKind, *, of_errors: bool, counts_once: bool = True) -> tuple[Message, ...]:
    """Return what is proven of the smallest gap, as a headline, and of which models; empty where nothing is.

    `of_errors` says whether the gap is one in errors, `counts_once` whether an error counts once and not for each rule
    that is wrong.
    """
    point = asked_point(details)
    if point is None or details.max_loss is None:
        return ()
    scale = 10.0 ** (2 + PROVEN_DIGITS)
    bound = math.floor(round(point[1] * scale, 6)) / scale
    if bound <= 0:
        return ()
    args: dict[str, Argument] = {
        "bound": _points(bound),
        "lost": _points(details.max_loss),
        "best": Share(details.best_accuracy),
        "model": Word(kind),
        "gap": Word("errors" if of_errors else "shares"),
        "counts": Word("once" if counts_once else "each"),
    }
    reveals = ("details",)
    return (Message("curve-headline", args, reveals=reveals), Message("curve-lead", args, reveals=reveals))


def _points(share: float) -> Points:
    """Return points with as many decimals as they need, up to two."""
    points = round(100 * share, 6)
    return Points(share, next((digits for digits in (0, 1) if round(points, digits) == points), 2))


def curve_table(details: HasCurve, number: int) -> TableBlock:
    """Return the curve as a table."""
    from fairaudit.present.field_tables import frame_table

    return frame_table(f"remedy_{number}_curve", say(Message("curve-title")), details.gap_curve, CURVE)


def curve_alt(details: HasCurve) -> str:
    """Return the curve in words."""
    said = [
        Message("curve-alt", {name: Points(float(getattr(row, name)), 2) for name in ("lost", "gap", "bound")})
        for row in details.gap_curve.itertuples()
    ]
    return say((Message("curve-alt-title"), *said))


def curve_chart(details: HasCurve) -> ChartType:
    """Draw the smallest gap that was found over the accuracy lost, and hollow what is proven."""
    import altair as alt

    from fairaudit.present.charts import theme

    names = [say(Message("curve-found")), say(Message("curve-bound"))]
    records = [
        {"lost": float(row.lost), "value": float(value), "series": series,
         "text": say(Message("curve-points", {"size": Points(float(value), 2)})),
         "at": say(Message("curve-points", {"size": Points(float(row.lost), 2)}))}
        for row in details.gap_curve.itertuples()
        for series, value in zip(names, (row.gap, row.bound), strict=True)
    ]  # fmt: skip
    most = max([0.001, *theme.numbers_in(records, "lost")])
    highest = max([0.01, *theme.numbers_in(records, "value")])
    look: dict[str, Any] = {"labelExpr": theme.POINTS_LABEL, "tickCount": 5, "domain": True}
    across: dict[str, Any] = {
        "axis": alt.Axis(title=say(Message("curve-axis-lost")), **look),
        "scale": alt.Scale(domain=[0, most], nice=False, padding=8),
    }
    x = alt.X("lost:Q", **across)
    up = alt.Scale(domain=[0, 1.08 * highest], nice=False)
    y = alt.Y("value:Q", axis=alt.Axis(title=say(Message("curve-axis-gap")), **look), scale=up)
    color = alt.Color(
        "series:N", title=None, legend=alt.Legend(columns=2), scale=theme.cycle(names, (theme.REFERENCE, theme.QUIET))
    )
    hover = theme.tooltip([("series", "Figure"), ("at", "Accuracy lost"), ("text", "Gap")])
    layers: list[alt.Chart | alt.LayerChart] = []
    if details.max_loss is not None:
        layers += theme.limit_line(details.max_loss, alt.X("value:Q", **across))
    for series, dash, is_filled in zip(names, theme.DASHES, (True, False), strict=False):
        base = theme.Layer(theme.values([each for each in records if each["series"] == series]))
        # What is found for a loss can be had for a larger one, and what is proven of a loss holds for a smaller one.
        steps: Literal["step-after", "step-before"] = "step-after" if is_filled else "step-before"
        line = base.mark_line(strokeWidth=1.6, strokeDash=list(dash), interpolate=steps)
        layers.append(line.encode(x=x, y=y, color=color))
        mark = base.mark_point(filled=is_filled, size=46, opacity=1, strokeWidth=1.6)
        layers.append(mark.encode(x=x, y=y, color=color, tooltip=hover))
    return theme.finish(alt.layer(*layers), 240, curve_alt(details))


def curve_block(details: HasCurve, number: int) -> Chart:
    """Return the chart of the curve for a report."""
    from fairaudit.remedies.charts import chart_block

    return chart_block(number, "curve", say(Message("curve-title")), (curve_chart, curve_alt), details)
