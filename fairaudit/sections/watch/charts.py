"""The picture of a watch: the gap so far after each batch, with its range and the tolerance."""

from __future__ import annotations

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.saying import quantity_of

HEIGHT = 270
_SETTLED = 0.1
"""The first tenth of the batches does not decide how high the picture is: ranges are wide there."""
_ROOM = 1.25


def watch_chart(finding: WatchFinding, *, narrow: bool = False) -> ChartType:
    """Draw the gap so far with its range, the tolerance, and where the alarm came."""
    quantity, tolerance = quantity_of(finding), finding.plan.tolerance
    records: list[theme.Datum] = []
    for place, each in enumerate(finding.result.batches, start=1):
        if finite(each.gap) is None:
            continue
        ends = sorted(quantity.signed(end) for end in each.interval)
        records.append(
            {
                "number": place,
                "batch": each.batch,
                "gap": quantity.signed(each.gap),
                "low": ends[0],
                "high": ends[1],
                "exact": cell_text(quantity.signed(each.gap), "points"),
                "range": cell_text(tuple(ends), "points_interval"),
            }
        )
    settled = records[int(_SETTLED * len(records)) :] or records
    most = max([tolerance, 0.01, *(abs(record[end]) for record in settled for end in ("low", "high"))])
    most = min(_ROOM * most, 1.0)
    last = max((record["number"] for record in records), default=1)
    x = alt.X(
        "number:Q",
        scale=alt.Scale(domain=[1, max(last, 2)], nice=False),
        axis=alt.Axis(title=say(Message("watch-chart-axis")), tickCount=5, tickMinStep=1, format="d"),
    )
    scale = alt.Scale(domain=[-most, most], nice=False)
    axis = alt.Axis(title=say(Message("watch-chart-side")), labelExpr=theme.POINTS_LABEL, tickCount=5, grid=False)
    y = alt.Y("low:Q", scale=scale, axis=axis)
    ends_of_band = [{"number": number, "low": -tolerance, "high": tolerance} for number in (1, max(last, 2))]
    limits = theme.Layer(theme.values(ends_of_band))
    base = theme.Layer(theme.values(records))
    hover = theme.tooltip([("batch", "Batch"), ("exact", "Gap so far"), ("range", "Range")])
    gap = alt.Y("gap:Q", scale=scale)
    layers: list[alt.Chart] = [
        limits.mark_area(color=theme.BAND, opacity=1, clip=True).encode(x=x, y=y, y2=alt.Y2("high:Q")),
        base.mark_area(color=theme.PROTECTED, opacity=0.18, clip=True).encode(x=x, y=y, y2=alt.Y2("high:Q")),
        base.mark_line(color=theme.PROTECTED, strokeWidth=2.5, clip=True).encode(x=x, y=gap),
        base.mark_point(size=40, opacity=0, clip=True).encode(x=x, y=gap, tooltip=hover),
    ]
    within = say(Message("watch-chart-within", {"limit": quantity.limit(tolerance)}))
    words = theme.Layer(theme.values([{"number": max(last, 2), "gap": tolerance, "text": within}]))
    layers.append(
        words.mark_text(align="right", baseline="top", dx=-4, dy=3, color=theme.QUIET).encode(
            x=x, y=gap, text=alt.Text("text:N")
        )
    )
    if (alarm := finding.result.alarm) is not None:
        at = next((record for record in records if record["batch"] == alarm.batch), None)
        if at is not None:
            marked = theme.Layer(
                theme.values([at | {"text": say(Message("watch-chart-alarm", {"batch": Phrase(alarm.batch)}))}])
            )
            layers.append(marked.mark_rule(color=theme.TEXT, strokeDash=[4, 3]).encode(x=x))
            side: theme.Align = "right" if at["number"] > last / 2 else "left"
            layers.append(
                marked.mark_text(align=side, dx=-5 if side == "right" else 5, fontWeight=600).encode(
                    x=x, y=alt.YValue(10), text=alt.Text("text:N")
                )
            )
    return theme.finish(alt.layer(*layers), HEIGHT, watch_chart_text(finding))


def watch_chart_title(finding: WatchFinding) -> str:
    """Return what the picture shows."""
    return say(Message("watch-chart-title", _named(finding)))


def watch_chart_text(finding: WatchFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    from fairaudit.sections.watch.saying import say_watch

    return f"{watch_chart_title(finding)}. {say((*say_watch(finding).lead,))}"


def _named(finding: WatchFinding) -> dict[str, Argument]:
    names = finding.names
    return {"protected": names.protected, "others": names.others, "verb": names.verb}
