"""The pictures of worst groups: each group beside everyone else, and the map of people affected against gap."""

from __future__ import annotations

import math

import altair as alt
from altair.typing import ChartType

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.pairs import PairRow, pairs_chart
from fairaudit.present.numbers import count_text, finite
from fairaudit.sections.worst.reading import Compared, chart_order, compared, figures_of, quantity_of
from fairaudit.sections.worst.saying import affected

_TITLES: dict[Compared, str] = {
    "selection": "check-chart-share",
    "flagged": "worst-chart-flagged",
    "missed": "worst-chart-missed",
    "wrong_flags": "worst-chart-wrong-flags",
    "wrong_clearances": "worst-chart-wrong-clearances",
    "accuracy": "worst-chart-accuracy",
    "mean": "check-chart-amount",
}


def worst_chart(finding: SubgroupsFinding, *, narrow: bool = False) -> ChartType:
    """Draw what each group and everyone else have; a group that chance could show is grey."""
    quantity = quantity_of(finding)
    return pairs_chart(
        [_pair(finding, number, quantity) for number in _shown(finding)],
        (say(Message("worst-this-group")), say(Message("group-rest"))),
        description=worst_chart_text(finding),
        quantity=quantity.kind,
        narrow=narrow,
    )


def worst_chart_title(finding: SubgroupsFinding) -> str:
    """Return what the picture shows."""
    names = finding.names
    args: dict[str, Argument] = {
        "verb": names.verb,
        "what": Phrase(finding.meaning),
    }
    return say(Message(_TITLES[compared(finding)], args))


def worst_chart_text(finding: SubgroupsFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity = quantity_of(finding)
    said = [worst_chart_title(finding) + "."]
    for number in _shown(finding):
        each = finding.result.subgroups[number]
        own, other = map(quantity.figure, figures_of(each))
        key = "worst-stands-out" if each.stands_out else "reading-too-few-to-tell"
        row: dict[str, Argument] = {
            "place": finding.groups[number].said,
            "own": own,
            "other": other,
            "reading": Message(key),
        }
        said.append(say(Message("worst-chart-row", row)))
    return " ".join(said)


def _shown(finding: SubgroupsFinding) -> tuple[int, ...]:
    known = [n for n in chart_order(finding) if finite(finding.result.subgroups[n].gap) is not None]
    return tuple(known[: naming.MOST_GROUPS])


def _pair(finding: SubgroupsFinding, number: int, quantity: Quantity) -> PairRow:
    figures, stands_out = finding.result.subgroups[number].judged, finding.result.subgroups[number].stands_out
    own, other = figures.rate, figures.rest
    if quantity.is_turned:
        own, other = 1 - own, 1 - other
    kind = quantity.unit.figure
    texts = [say(Message("check-chart-figure", {"figure": quantity.figure(value)})) for value in figures_of(figures)]
    label = say(Message("name-label", {"label": finding.groups[number].label}))
    return PairRow(
        name=label,
        own=own,
        other=other,
        own_text=texts[0],
        other_text=texts[1],
        own_exact=cell_text(own, kind),
        other_exact=cell_text(other, kind),
        own_n=cell_text(figures.n, "count"),
        other_n=cell_text(figures.rest_n, "count"),
        reading=say(Message("name-label", {"label": Message(READINGS[not stands_out])})),
        clear=False,
        few=not stands_out,
    )


# The map of worst groups: people affected against gap, with what chance would show; and its words.

HEIGHT = 300
READINGS = ("worst-stands-out", "reading-too-few-to-tell")
"""Of a group that stands out, and of another."""


def worst_map(found: SubgroupsFinding) -> ChartType:
    """Draw each group twice: hollow where it was searched, filled where it was judged."""
    result = found.result
    scale = 1 if result.measure == "mean" else 100
    kind: Kind = "amount" if result.measure == "mean" else "share"
    quantity = quantity_of(found)
    out, chance = (say(Message(key)) for key in READINGS)
    records: list[theme.Datum] = []
    for number, place in enumerate(chart_order(found), start=1):
        each = result.subgroups[place]
        for half, figures in (("searched", each.trained), ("judged", each.held_out)):
            if figures is None or finite(figures.gap) is None:
                continue
            records.append(
                {
                    "number": str(number),
                    "words": naming.whole(say(Message("name-label", {"label": found.groups[place].label}))),
                    "half": half,
                    "affected": abs(figures.impact) * scale,
                    "gap": quantity.signed(figures.gap) * scale,
                    "n": figures.n,
                    "size": count_text(figures.n),
                    "rate": cell_text(quantity.said(figures.rate), kind),
                    "rest": cell_text(quantity.said(figures.rest), kind),
                    "out": out if each.stands_out else chance,
                }
            )
    unit = "" if result.measure == "mean" else " of 100 people"
    widest = 1.15 * max((record["affected"] for record in records), default=1.0)
    highest = 1.25 * max((abs(record["gap"]) for record in records), default=1.0)
    axis = alt.Axis(title=f"Affected{unit}", tickCount=8)
    x = alt.X("affected:Q", axis=axis, scale=alt.Scale(domain=[0, widest], nice=False))
    y = alt.Y(
        "gap:Q",
        title=say(Message("worst-map-axis" if result.measure == "mean" else "worst-map-axis-points")),
        scale=alt.Scale(domain=[-highest, highest], nice=False),
    )
    layers = [*_band(found, widest, highest, scale, x), theme.Layer(theme.values([{"gap": 0}])).mark_rule().encode(y=y)]
    tips = theme.tooltip(
        [("words", "Group"), ("size", "Cases"), ("rate", "This group"), ("rest", "Everyone else"), ("out", "Reading")]
    )
    size = alt.Size("n:Q", scale=alt.Scale(rangeMin=40, rangeMax=500), legend=None)
    color = alt.Color(
        "out:N",
        scale=alt.Scale(domain=[out, chance], range=[theme.PROTECTED, theme.REFERENCE]),
        legend=alt.Legend(title=None, orient="top"),
    )
    ways = theme.Layer(theme.values(records)).mark_line(strokeWidth=1, strokeDash=[2, 2], color=theme.LINE)
    layers.append(ways.encode(x=x, y=y, detail=alt.Detail("number:N")))
    for half, filled in (("searched", False), ("judged", True)):
        drawn = [record for record in records if record["half"] == half]
        points = theme.Layer(theme.values(drawn)).mark_point(filled=filled, opacity=0.9 if filled else 0.6)
        layers.append(points.encode(x=x, y=y, size=size, color=color, tooltip=tips))
    last = [record for record in records if record["half"] == ("judged" if result.n_judged else "searched")]
    layers.append(theme.Layer(theme.values(last)).mark_text(dx=14, dy=-8).encode(x=x, y=y, text=alt.Text("number:N")))
    return theme.finish(alt.layer(*layers), HEIGHT, worst_map_text(found))


def worst_map_text(found: SubgroupsFinding) -> str:
    """Say in words what :func:`worst_map` shows."""
    quantity = quantity_of(found)
    said = [say(Message("worst-map-title"))]
    for place in chart_order(found)[: naming.MOST_GROUPS]:
        each = found.result.subgroups[place]
        if finite(each.gap) is None:
            continue
        row: dict[str, Argument] = {
            "place": found.groups[place].label,
            "quantity": Word(quantity.kind),
            "size": quantity.size(each.gap),
            "above": Word("above" if quantity.signed(each.gap) > 0 else "below"),
            "people": Message("worst-people", {"n": Count(each.n)}),
            "reading": Message(READINGS[not each.stands_out]),
        }
        said.append(say(Message("worst-map-row", row)))
    return " ".join(said)


def worst_map_note(found: SubgroupsFinding) -> str:
    """Say how to read :func:`worst_map`."""
    return say((affected(found), Message("worst-map-note"), Message("worst-map-band")))


def _band(found: SubgroupsFinding, widest: float, highest: float, scale: int, x: alt.X) -> list[alt.Chart]:
    """Shade where chance reaches: gap x affected = z² s² / N, for the z that one shuffle in twenty exceeds."""
    result = found.result
    z = finite(result.ranked("evidence").chance_high)
    if z is None:
        return []
    reach = (z * result.deviation * scale) ** 2 / result.n_searched
    steps = [widest * step / 60 for step in range(1, 61)]
    records = [
        {"affected": at, "gap": min(reach / at, highest), "low": -min(reach / at, highest)}
        for at in (0.0001 * widest, *steps)
        if math.isfinite(reach)
    ]
    area = theme.Layer(theme.values(records)).mark_area(opacity=0.18, color=theme.LINE)
    return [area.encode(x=x, y=alt.Y("gap:Q"), y2=alt.Y2("low:Q"))]
