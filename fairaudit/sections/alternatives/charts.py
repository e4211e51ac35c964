"""The pictures of alternatives: each gap on the band of the limit, and how all that was tried spreads."""

from __future__ import annotations

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Count, Message, Share
from fairaudit.messages import say
from fairaudit.present.charts import theme
from fairaudit.present.charts.models import DrawnModel, Prices, models_chart, models_chart_row
from fairaudit.sections.alternatives.finding import Alternative, AlternativesFinding, ModelInUse
from fairaudit.sections.alternatives.reading import RowReading, quantity_of, read_alternatives
from fairaudit.sections.alternatives.saying import READINGS, given_share, in_use_name, name_of, shared_args

_SPREAD_HEIGHT = 280
_PRICES: dict[bool, Prices] = {
    False: ("compare-column-given", "compare-column-matches"),
    True: ("compare-column-predicted", "compare-column-accuracy"),
}
"""The heads of what a model costs, by whether the decision is what happened."""


def alternatives_chart(finding: AlternativesFinding, *, narrow: bool = False) -> ChartType:
    """Draw the gap of the model in use, and those of the models that were judged, the smallest first."""
    return models_chart(
        _rows(finding),
        finding.facts.decisions.tolerance,
        quantity_of(finding),
        shared_args(finding),
        _PRICES[finding.facts.decision_is_outcome],
        alternatives_chart_text(finding),
        narrow=narrow,
    )


def alternatives_chart_title(finding: AlternativesFinding) -> str:
    """Return what the picture shows."""
    level = {"level": Share(finding.facts.decisions.confidence)}
    return say(Message("compare-chart-share", shared_args(finding) | level))


def alternatives_chart_text(finding: AlternativesFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    asked = (finding.facts.decisions.tolerance, quantity_of(finding), shared_args(finding))
    return " ".join(
        [f"{alternatives_chart_title(finding)}.", *(models_chart_row(row, *asked) for row in _rows(finding))]
    )


def _rows(finding: AlternativesFinding) -> list[DrawnModel]:
    judged = [
        _drawn(finding, each, name_of(finding, each.origin, each.cut), reading)
        for each, reading in read_alternatives(finding).rows
    ]
    return [_drawn(finding, finding.in_use, in_use_name(finding)), *judged]


def _drawn(
    finding: AlternativesFinding, model: Alternative | ModelInUse, name: Message, reading: RowReading | None = None
) -> DrawnModel:
    return DrawnModel(
        name=Message("alternatives-row", {"name": name}),
        gap=model.fairness.difference,
        interval=model.fairness.difference_interval,
        reading=None if reading is None else Message(READINGS[reading]),
        met=reading == "smaller",
        hollow=reading is None,
        by_group=isinstance(model, Alternative) and model.origin.by_group,
        given=quantity_of(finding).figure(given_share(model.fairness)),
        right=Share(model.accuracy),
    )


def spread_chart(finding: AlternativesFinding) -> ChartType:
    """Draw all that was tried on the tuning cases: how often it is right, and how large its gap is."""
    words = {good: say(Message(key)) for good, key in ((True, "alternatives-as-good"), (False, "alternatives-worse"))}
    records: list[theme.Datum] = [
        {"value": row.accuracy, "gap": abs(row.gap), "kind": words[bool(row.as_good)]}
        for row in finding.spread.itertuples(index=False)
    ]
    name, in_use = say(Message("group-alone", {"group": in_use_name(finding)})), finding.in_use
    used: list[theme.Datum] = [{"value": in_use.tuned_accuracy, "gap": abs(in_use.tuned_gap), "text": name}]
    known = [*records, *used]
    across = theme.domain([r["value"] for r in known], step=0.02)
    down = theme.domain([*(r["gap"] for r in known), 0.0], step=0.02)
    x = theme.share_scale(across, say(Message("alternatives-axis-right")))
    axis = alt.Axis(title=say(Message("alternatives-axis-gap")), labelExpr=theme.POINTS_LABEL)
    y = alt.Y("gap:Q", scale=alt.Scale(domain=down, nice=False, zero=False), axis=axis)
    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[words[True], words[False]], range=[theme.REFERENCE, theme.LINE]),
        legend=alt.Legend(title=None, orient="top"),
    )
    points = (
        theme.Layer(theme.values(records)).mark_point(filled=True, size=36, opacity=0.7).encode(x=x, y=y, color=color)
    )
    own = theme.Layer(theme.values(used))
    mark = own.mark_point(filled=True, size=120, opacity=1, fill="#ffffff", stroke=theme.TEXT, strokeWidth=2.5)
    text = alt.Text("text:N")
    # Its name is read above the points: with a light edge around the letters.
    edge = own.mark_text(dy=-14, fontSize=13, fontWeight=600, stroke="#ffffff", strokeWidth=5)
    label = own.mark_text(dy=-14, fontSize=13, fontWeight=600, color=theme.TEXT)
    layers = [points, mark.encode(x=x, y=y), *(each.encode(x=x, y=y, text=text) for each in (edge, label))]
    return theme.finish(alt.layer(*layers), _SPREAD_HEIGHT, spread_chart_text(finding))


def spread_chart_text(finding: AlternativesFinding) -> str:
    """Return it in words."""
    good = finding.spread[finding.spread["as_good"]]
    gaps = good["gap"].abs()
    args = shared_args(finding) | {"n": Count(len(finding.spread)), "good": Count(len(good))}
    said = [say(Message("alternatives-spread", args))]
    if len(good):
        quantity = quantity_of(finding)
        ends = {"low": quantity.size(float(gaps.min())), "high": quantity.size(float(gaps.max()))}
        said.append(say(Message("alternatives-spread-gaps", args | ends)))
    return " ".join(said)
