"""The picture of lists: the share of the protected group among the first 1, 2, ..., beside what a lot would give."""

from __future__ import annotations

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Count, Message, Share
from fairaudit.messages import say
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.saying import shared_args

HEIGHT = 250
_WIDTH_OF_NAMES = 1.35
_MOST_SAID = 5
"""Beginnings of lists that the words of the picture name."""


def rankings_chart(finding: RankingsFinding, *, narrow: bool = False) -> ChartType:
    """Draw the share at each beginning, with the band where it would nearly always be by lot."""
    found, first = finding.result, finding.plan.first
    records: list[theme.Datum] = [
        {
            "value": int(row.first),
            "share": row.share,
            "lot": row.chance,
            "low": row.low,
            "high": row.high,
            "share_text": cell_text(row.share, "share"),
            "lot_text": cell_text(row.chance, "share"),
            "first_text": cell_text(row.first, "count"),
        }
        for row in found.prefixes.itertuples()
    ]
    ends = theme.domain([r[name] for r in records for name in ("share", "low", "high")])
    last = records[-1]["value"]
    # Behind the last place there is room for the names of both lines.
    ends_at = 1 + _WIDTH_OF_NAMES * max(last - 1, 1)
    step = next(m * 10**power for power in range(9) for m in (1, 2, 5) if last <= m * 10 ** (power + 1))
    ticks = sorted({1, *range(step, last + 1, step)})
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[1, ends_at], nice=False, zero=False),
        axis=alt.Axis(title=say(Message("rankings-chart-axis")), values=ticks, format="d"),
    )
    label = theme.FIGURE_LABELS["share"]
    y = alt.Y(
        "share:Q",
        scale=alt.Scale(domain=ends, nice=False, zero=False),
        axis=alt.Axis(title=None, labelExpr=label, tickCount=5),
    )
    base = theme.Layer(theme.values(records))
    hover = theme.tooltip([("first_text", "Among the first"), ("share_text", "Share"), ("lot_text", "By lot")])
    layers = [
        base.mark_area(color=theme.BAND).encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_line(color=theme.LINE, strokeDash=[5, 4]).encode(x=x, y=alt.Y("lot:Q")),
        base.mark_line(color=theme.PROTECTED, strokeWidth=2).encode(x=x, y=y),
        base.mark_point(color=theme.PROTECTED, filled=True, size=40, opacity=1).encode(x=x, y=y, tooltip=hover),
        *_names(finding, records, x, y, ends),
    ]
    chosen = [r for r in records if r["value"] == first]
    if chosen:
        text = say(Message("rankings-chart-first", {"first": Count(first)}))
        mark = theme.Layer(theme.values([{"value": first, "text": text}]))
        layers.append(mark.mark_rule(color=theme.QUIET, strokeDash=[2, 3]).encode(x=x))
        named = mark.mark_text(baseline="top", align="left", dx=4, dy=2, color=theme.QUIET)
        layers.append(named.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N")))
    return theme.finish(alt.layer(*layers), HEIGHT, rankings_chart_text(finding))


def _names(
    finding: RankingsFinding, records: list[theme.Datum], x: alt.X, y: alt.Y, ends: list[float]
) -> list[alt.Chart]:
    """Name both lines at their ends, as far apart as the names are high."""
    last = records[-1]
    room = 16 * (ends[1] - ends[0]) / HEIGHT
    own, lot = last["share"], last["lot"]
    if abs(own - lot) < room:
        middle, up = (own + lot) / 2, 1 if own >= lot else -1
        own, lot = middle + up * room / 2, middle - up * room / 2
    names = (
        (own, say(Message("rankings-chart-protected", shared_args(finding))), theme.PROTECTED),
        (lot, say(Message("rankings-chart-lot")), theme.QUIET),
    )
    return [
        theme.Layer(theme.values([{"value": last["value"], "share": place, "text": text}]))
        .mark_text(align="left", dx=8, color=color, fontWeight=600, limit=170)
        .encode(x=x, y=y, text=alt.Text("text:N"))
        for place, text, color in names
    ]


def rankings_chart_title(finding: RankingsFinding) -> str:
    """Return what the picture shows."""
    return say(Message("rankings-chart", shared_args(finding)))


def rankings_chart_text(finding: RankingsFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    said, frame = [f"{rankings_chart_title(finding)}."], finding.result.prefixes
    step = max(1, len(frame) // _MOST_SAID)
    for row in frame.iloc[::step].itertuples():
        args = shared_args(finding) | {
            "first": Count(int(row.first)),
            "share": Share(row.share),
            "lot": Share(row.chance),
        }
        said.append(say(Message("rankings-chart-row", args)))
    return " ".join(said)
