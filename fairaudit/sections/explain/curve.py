"""The range of a gap under a column that is missing, by how strongly it goes with group and outcome."""

from __future__ import annotations

from typing import Any

import altair as alt

from fairaudit.audit.follow_up_results import ExplanationFinding
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.present import theme
from fairaudit.present.charts import parts
from fairaudit.present.numbers import signed_text
from fairaudit.sections.explain.reading import quantity_of

CURVE_TITLE = Message("explain-curve-title")
CURVE_NOTE = Message("explain-curve-note")


def curve_chart(finding: ExplanationFinding) -> Any:
    """Draw the range of the gap under a missing column of two values, by its strength."""
    curve, is_share = finding.result.sensitivity.curve, finding.decision.kind.has_good_outcome
    scale = 100 if is_share else 1
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
    if not is_share:
        title = "Share of group and amount that the missing column explains"
    x = alt.X("x:Q", title=title, scale=alt.Scale(type="log" if is_share else "linear", nice=False))
    unit = "Gap, points" if is_share else "Difference"
    area = parts.Layer(parts.values(records))
    layers = [
        area.mark_area(color=theme.BAND).encode(x=x, y=alt.Y("outer_low:Q", title=unit), y2=alt.Y2("outer_high:Q")),
        area.mark_area(color=theme.REFERENCE, opacity=0.35).encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        parts.Layer(parts.values([{"y": 0}])).mark_rule(color=theme.TEXT, strokeDash=[4, 3]).encode(y=alt.Y("y:Q")),
    ]
    return parts.finish(alt.layer(*layers), 240, curve_chart_text(finding))


def curve_chart_text(finding: ExplanationFinding) -> str:
    """Return the curve in words."""
    last, quantity = finding.result.sensitivity.curve.iloc[-1], quantity_of(finding)
    scale, digits = (100, 1) if quantity.kind == "share" else (1, quantity.digits)
    low, high = (Phrase(signed_text(scale * float(last[end]), digits=digits)) for end in ("low", "high"))
    return say(Message("explain-curve-text", {"low": low, "high": high}, "note", ("result",)))
