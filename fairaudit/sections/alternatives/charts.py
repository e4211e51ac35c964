"""The pictures of alternatives: each gap on the band of the limit, and how all that was tried spreads."""

from __future__ import annotations

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Count, Message, Share, Word
from fairaudit.messages import say
from fairaudit.present.charts import theme
from fairaudit.present.charts.models import DrawnModel, Prices, models_chart, models_chart_row
from fairaudit.sections.alternatives.finding import Alternative, AlternativesFinding, ModelInUse
from fairaudit.sections.alternatives.reading import RowReading, quantity_of, read_alternatives
from fairaudit.sections.alternatives.saying import (
    READINGS,
    given_share,
    in_use_name,
    name_of,
    said_quality,
    shared_args,
)

_SPREAD_HEIGHT = 280


def _prices(finding: AlternativesFinding) -> Prices:
    """Return the heads of what a model costs."""
    is_outcome, measure = finding.facts.decision_is_outcome, finding.plan.measure
    given = "compare-column-predicted" if is_outcome else "compare-column-given"
    if measure == "accuracy":
        return given, "compare-column-accuracy" if is_outcome else "compare-column-matches"
    return given, f"alternatives-column-{measure}"


def alternatives_chart(finding: AlternativesFinding, *, narrow: bool = False) -> ChartType:
    """Draw the gap of the one that is spoken of, of the model in use, and of the others that were judged."""
    return models_chart(
        _rows(finding),
        finding.facts.decisions.tolerance,
        quantity_of(finding),
        shared_args(finding),
        _prices(finding),
        alternatives_chart_text(finding),
        narrow=narrow,
    )


def alternatives_chart_title(finding: AlternativesFinding) -> str:
    """Return what the picture shows."""
    level = {"level": Share(finding.facts.decisions.confidence)}
    key = "alternatives-chart-similar" if finding.plan.among_similar else "compare-chart-share"
    return say(Message(key, shared_args(finding) | level))


def alternatives_chart_text(finding: AlternativesFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    asked = (finding.facts.decisions.tolerance, quantity_of(finding), shared_args(finding))
    return " ".join(
        [f"{alternatives_chart_title(finding)}.", *(models_chart_row(row, *asked) for row in _rows(finding))]
    )


def _rows(finding: AlternativesFinding) -> list[DrawnModel]:
    reading = read_alternatives(finding)
    judged = [
        _drawn(finding, each, name_of(finding, each.origin, each.cut), read, is_best=each is reading.best)
        for each, read in reading.rows
    ]
    # The one that is spoken of stands first, beside what it is compared with.
    place = 0 if reading.best is None else 1
    return [*judged[:place], _drawn(finding, finding.in_use, in_use_name(finding)), *judged[place:]]


def _drawn(
    finding: AlternativesFinding,
    model: Alternative | ModelInUse,
    name: Message,
    reading: RowReading | None = None,
    *,
    is_best: bool = False,
) -> DrawnModel:
    return DrawnModel(
        name=Message("alternatives-row", {"name": name}),
        gap=model.gap,
        interval=model.gap_interval,
        reading=None if reading is None else Message(READINGS[reading]),
        met=reading == "smaller",
        hollow=reading is None,
        by_group=isinstance(model, Alternative) and model.origin.by_group,
        given=quantity_of(finding).figure(given_share(model.fairness)),
        right=Share(said_quality(finding, model.quality)),
        mark=Message("alternatives-row-best") if is_best else None,
    )


def spread_chart(finding: AlternativesFinding) -> ChartType:
    """Draw all that was tried on the tuning cases: how often it is right, and how large its gap is."""
    words = {good: say(Message(key)) for good, key in ((True, "alternatives-as-good"), (False, "alternatives-worse"))}
    records: list[theme.Datum] = [
        {"value": said_quality(finding, row.quality), "gap": abs(row.gap), "kind": words[bool(row.as_good)]}
        for row in finding.spread.itertuples(index=False)
    ]
    name, in_use = say(Message("group-alone", {"group": in_use_name(finding)})), finding.in_use
    used: list[theme.Datum] = [
        {"value": said_quality(finding, in_use.tuned_quality), "gap": abs(in_use.tuned_gap), "text": name}
    ]
    best = read_alternatives(finding).best
    if best is not None:
        spoken: theme.Datum = {"value": said_quality(finding, best.tuned_quality), "gap": abs(best.tuned_gap)}
        name = say(Message("group-alone", {"group": Message("alternatives-row-best")}))
        used.append(spoken | {"text": name, "filled": True})
    known = [*records, *used]
    across = theme.domain([r["value"] for r in known], step=0.02)
    down = theme.domain([*(r["gap"] for r in known), 0.0], step=0.02)
    x = theme.share_scale(across, say(Message("alternatives-axis", {"measure": Word(finding.plan.measure)})))
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
    mark = own.mark_point(filled=True, size=120, opacity=1, stroke=theme.TEXT, strokeWidth=2.5)
    inside = alt.condition("datum.filled === true", alt.ColorValue(theme.REFERENCE), alt.ColorValue("#ffffff"))
    layers = [points, mark.encode(x=x, y=y, fill=inside)]
    # The name of the larger gap stands above, that of the smaller one below: with a light edge around the letters.
    for place, record in enumerate(sorted(used, key=lambda each: -float(each["gap"]))):
        named, down_by = theme.Layer(theme.values([record])), 18 if place else -14
        edge = named.mark_text(dy=down_by, fontSize=13, fontWeight=600, stroke="#ffffff", strokeWidth=5)
        label = named.mark_text(dy=down_by, fontSize=13, fontWeight=600, color=theme.TEXT)
        layers += [each.encode(x=x, y=y, text=alt.Text("text:N")) for each in (edge, label)]
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
