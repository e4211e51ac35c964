"""Charts of the parts of a gap, and of what could overturn it."""

from __future__ import annotations

from typing import Any

import altair as alt

from fairaudit.audit.follow_up_results import ExplanationFinding
from fairaudit.present import theme
from fairaudit.present.charts import parts
from fairaudit.present.explain_words import Figures
from fairaudit.present.numbers import number_text


def curve_chart(finding: ExplanationFinding) -> Any:
    """Draw the range of the gap under a missing column of two values, by its strength."""
    write, curve = Figures(finding), finding.result.sensitivity.curve
    scale = 100 if write.is_share else 1
    records: list[dict[str, Any]] = [
        {
            "x": float(row.strength),
            "low": scale * row.low,
            "high": scale * row.high,
            "outer_low": scale * row.interval_low,
            "outer_high": scale * row.interval_high,
        }
        for row in curve.itertuples()
    ]
    title = "Odds ratio of the missing column with group and outcome"
    if not write.is_share:
        title = "Share of group and amount that the missing column explains"
    x = alt.X("x:Q", title=title, scale=alt.Scale(type="log" if write.is_share else "linear", nice=False))
    unit = "Gap, points" if write.is_share else "Difference"
    area = parts.Layer(parts.values(records))
    layers = [
        area.mark_area(color=theme.BAND).encode(x=x, y=alt.Y("outer_low:Q", title=unit), y2=alt.Y2("outer_high:Q")),
        area.mark_area(color=theme.REFERENCE, opacity=0.35).encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        parts.Layer(parts.values([{"y": 0}])).mark_rule(color=theme.TEXT, strokeDash=[4, 3]).encode(y=alt.Y("y:Q")),
    ]
    return parts.finish(alt.layer(*layers), 240, curve_alt(finding))


def curve_alt(finding: ExplanationFinding) -> str:
    """Return the curve in words."""
    curve = finding.result.sensitivity.curve
    write, last = Figures(finding), curve.iloc[-1]
    ends = f"{write.plain(last['low'], signed=True)} to {write.plain(last['high'], signed=True)}"
    return (
        f"The gap with these columns held equal is {write.text(finding.result.adjusted_gap.value)}; under a missing "
        f"column with a strength of {number_text(last['strength'])} it could lie anywhere from {ends}."
    )


def _scale(values: list[float | None], title: str, *, is_share: bool) -> alt.X:
    if is_share:
        return parts.share_scale(parts.domain(values, low=-1.0), title, unit="signed")
    return alt.X("value:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title=title, tickCount=7))
