"""Charts of remedies: rates before and after, the gaps, which remedy gives what for what, and changed labels.

Each is one view, so that it can take the width of a page, and has a text alternative in ``chart_texts``. Rows without a
number are left out of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from fairaudit.findings import Message, Phrase
from fairaudit.measure.results import ErrorComparison, GroupRatio
from fairaudit.messages import say
from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.charts.amounts import amount_axis, amount_domain
from fairaudit.present.charts.beside import beside, joined
from fairaudit.present.numbers import finite, interval_ends
from fairaudit.remedies.shared import chart_texts as remedy_texts
from fairaudit.study.findings import RemedyFinding

BEFORE, AFTER = "without the remedy", "with the remedy"
RATES = ("selection_rate", "tpr", "fpr")
_NUDGE = 4
_FRONTIER_HEIGHT = 320


def before_after_chart(
    finding: RemedyFinding, *, protected_name: str | None = None, others: str = "", part: remedy_texts.Part = "all"
) -> Any:
    """Draw how often each group gets the favourable result, and its error rates, before and after a remedy.

    `others` is what everyone else is called, where they have a name.
    """
    records: list[dict[str, Any]] = []
    keys: list[str] = []
    heads: list[dict[str, str]] = []

    def add(head: str, rows: Sequence[tuple[str, dict[str, Any], dict[str, Any]]]) -> None:
        heads.append({"label": parts.numbered(len(keys), ""), "text": head})
        keys.append(heads[-1]["label"])
        rows = [(remedy_texts.group_called(name, others), one, other) for name, one, other in rows]
        labels = brief.unique_labels([name for name, _, _ in rows])
        for label, (name, before, after) in zip(labels, rows, strict=True):
            keys.append(parts.numbered(len(keys), label))
            for model, values in ((BEFORE, before), (AFTER, after)):
                records.append({"label": keys[-1], "name": brief.whole(name), "model": model} | values)

    before, after = finding.before, finding.after
    sides = ("protected", "reference")
    names = (brief.group_label(protected_name or after.fairness.protected.name), after.fairness.reference.name)
    pairs = [(getattr(before.fairness, side), getattr(after.fairness, side)) for side in sides]
    rows = [(name, _of_group(one), _of_group(other)) for name, (one, other) in zip(names, pairs, strict=True)]
    if part != "rates":
        add("Predicted favourable result", rows)
    end = len(keys)
    for metric in RATES if part != "gap" else ():
        if metric != "selection_rate" or part == "rates" or remedy_texts.draws_other_groups(after):
            add(remedy_texts.RATES[metric], _rates(before.errors, after.errors, metric))
    middle = finite(after.fairness.reference.ratio) if part != "rates" else None
    tolerance = after.fairness.tolerance
    zone = [] if middle is None else [middle - tolerance, middle + tolerance]
    span = parts.domain([v for r in records for v in (r["value"], r["low"], r["high"])] + zone)
    shaded = ["Share (thin lines: intervals;", "shaded: tolerance around others, after)"]
    x = parts.share_scale(span, "Share (thin lines: intervals)" if part == "rates" else shaded)
    height = len(keys) * parts.DENSE_ROW_HEIGHT
    top, bottom = alt.YValue(parts.DENSE_ROW_HEIGHT), alt.Y2Value(end * parts.DENSE_ROW_HEIGHT)
    layers = [parts.band(zone[0], zone[1], span).encode(y=top, y2=bottom)] if zone else []
    layers += paired(records, keys, x)
    named = parts.Layer(parts.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(named.encode(x=alt.XValue(0), y=parts.numbered_axis(keys), text=alt.Text("text:N")))
    description = remedy_texts.before_after_alt(finding, protected_name=protected_name, others=others, part=part)
    return parts.finish(alt.layer(*layers), height, description)


def frontier_chart(
    rows: pd.DataFrame,
    *,
    x_title: str = "Accuracy",
    y_title: str = "Gap",
    digits: int | None = None,
    decided: float | None = None,
    decided_words: str = "",
) -> Any:
    """Draw models by how well they do and how far apart they leave the groups; `decided` is the gap of the decisions.

    It has a line with `decided_words`, as the decisions have no accuracy of their own.
    """
    kinds = ("needs no group", "needs the group to decide")
    records: list[dict[str, Any]] = [
        {
            "value": finite(row.x), "low": finite(row.x_low), "high": finite(row.x_high),
            "y": finite(row.y), "y_low": finite(row.y_low), "y_high": finite(row.y_high),
            "number": row.number, "name": brief.whole(row.name), "best": bool(row.on_frontier),
            "kind": kinds[bool(row.needs_group)],
            **_frontier_texts(row, digits),
        }
        for row in rows.itertuples(index=False)
    ]  # fmt: skip
    known = [r for r in records if r["value"] is not None and r["y"] is not None]
    wide_span = [v for r in known for v in (r["value"], r["low"], r["high"])]
    tall_span = [v for r in known for v in (r["y"], r["y_low"], r["y_high"])] + [0.0, decided]
    titles = brief.shorten(x_title, 60), brief.shorten(y_title, 60)
    if digits is None:
        across, down = parts.domain(wide_span, step=0.02), parts.domain(tall_span, step=0.02)
        x = parts.share_scale(across, say(Message("axis-better-right", {"figure": Phrase(titles[0])})))
        y_axis = alt.Axis(
            title=say(Message("axis-better-below-points", {"figure": Phrase(titles[1])})), labelExpr=parts.POINTS_LABEL
        )
    else:
        across, down = amount_domain(wide_span), amount_domain(tall_span)
        x = amount_axis(across, say(Message("axis-better-left", {"figure": Phrase(titles[0])})), digits)
        y_axis = alt.Axis(
            title=say(Message("axis-better-below", {"figure": Phrase(titles[1])})), format=f",.{digits}~f"
        )
    y = alt.Y("y:Q", scale=alt.Scale(domain=down, nice=False, zero=False), axis=y_axis)
    hover = parts.tooltip([("name", "Model"), ("x_text", x_title), ("y_text", y_title), ("kind", "When deciding")])
    spans = [r for r in known if r["low"] is not None and r["high"] is not None]
    falls = [r for r in known if r["y_low"] is not None and r["y_high"] is not None]
    wide = parts.Layer(parts.values([r | {"value": r["low"], "end": r["high"]} for r in spans]))
    tall = parts.Layer(parts.values([r | {"y": r["y_low"], "end": r["y_high"]} for r in falls]))
    line = [] if decided is None else [{"y": decided, "value": across[0], "text": decided_words}]
    level = parts.Layer(parts.values(line))
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
    for best, filled in ((True, True), (False, False)):
        own = [r for r in known if r["best"] is best]
        # A layer of nothing would be met by a screen reader.
        if not own:
            continue
        points = parts.Layer(parts.values(own))
        drawn = points.mark_point(filled=filled, size=110, opacity=1, strokeWidth=2)
        layers.append(drawn.encode(x=x, y=y, shape=shape, tooltip=hover, color=color))
    numbered = joined([r | {"text": r["number"]} for r in known], across, down, height=_FRONTIER_HEIGHT)
    layers += beside(numbered, x, y, across, down, height=_FRONTIER_HEIGHT)
    description = remedy_texts.frontier_alt(
        rows, x_title=x_title, y_title=y_title, digits=digits, decided=decided, decided_words=decided_words
    )
    return parts.finish(alt.layer(*layers), _FRONTIER_HEIGHT, description)


def _frontier_texts(row: Any, digits: int | None) -> dict[str, str]:
    if digits is not None:
        texts = [cell_text(value, "amount", digits=digits) for value in (row.x, row.y)]
    else:
        texts = [cell_text(row.x, "share"), cell_text(row.y, "points").lstrip("+")]
    return dict(zip(("x_text", "y_text"), texts, strict=True))


def _stairs(best: Sequence[dict[str, Any]], x: alt.X, y: alt.Y) -> alt.Chart:
    ordered = sorted(best, key=lambda r: (r["value"], r["y"]))
    line = parts.Layer(parts.values([r | {"order": i} for i, r in enumerate(ordered)]))
    return line.mark_line(strokeDash=[4, 3], strokeWidth=1.2, color=theme.LINE).encode(
        x=x, y=y, order=alt.Order("order:Q")
    )


def paired(records: Sequence[dict[str, Any]], keys: Sequence[str], x: alt.X) -> list[alt.Chart]:
    """Draw before and after in one row: joined points, and an interval above and one below them."""
    models = [BEFORE, AFTER]
    look = {
        "color": alt.Color("model:N", title=None, scale=alt.Scale(domain=models, range=[theme.QUIET, theme.REFERENCE])),
        "shape": alt.Shape("model:N", title=None, scale=alt.Scale(domain=models, range=["circle", "diamond"])),
    }
    hover = parts.tooltip(
        [("name", "Row"), ("model", "Model"), ("text", "Value"), ("interval", "Interval"), ("n", "Out of")]
    )
    y = parts.numbered_axis(keys)
    known = [r for r in records if r["value"] is not None]
    ends: dict[str, dict[str, float]] = {}
    for r in known:
        ends.setdefault(r["label"], {})[r["model"]] = r["value"]
    moves = [{"label": label, "value": e[BEFORE], "end": e[AFTER]} for label, e in ends.items() if len(e) == 2]
    layers = [
        parts.Layer(parts.values(moves))
        .mark_rule(color=theme.LINE, strokeWidth=1.5)
        .encode(x=x, x2=alt.X2("end:Q"), y=y)
    ]
    for model, nudge, color in ((BEFORE, -_NUDGE, theme.QUIET), (AFTER, _NUDGE, theme.REFERENCE)):
        mine = [r for r in known if r["model"] == model]
        spans = [r | {"value": r["low"], "end": r["high"]} for r in mine if None not in (r["low"], r["high"])]
        lines = parts.Layer(parts.values(spans)).mark_rule(color=color, opacity=0.55, strokeWidth=1.2, yOffset=nudge)
        layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y))
        points = parts.Layer(parts.values(mine)).mark_point(filled=True, size=80, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover, **look))
    return layers


def _of_group(group: GroupRatio) -> dict[str, Any]:
    return _point(group.ratio, *interval_ends(group.interval), group.n)


def _rates(before: ErrorComparison, after: ErrorComparison, metric: str) -> list[tuple[str, dict, dict]]:
    sides = [_rate_rows(errors, metric) for errors in (before, after)]
    empty = _point(None, None, None, None)
    return [
        (group, sides[0].get(group, empty), sides[1].get(group, empty)) for group in remedy_texts.drawn_groups(after)
    ]


def _rate_rows(errors: ErrorComparison, metric: str) -> dict[str, dict[str, Any]]:
    rows = errors.intervals[errors.intervals["metric"] == metric]
    return {str(row.group): _point(row.value, row.low, row.high, row.n) for row in rows.itertuples()}


def _point(value: Any, low: Any, high: Any, n: Any) -> dict[str, Any]:
    return {
        "value": finite(value),
        "low": finite(low),
        "high": finite(high),
        "text": cell_text(np.nan if value is None else value, "share"),
        "interval": cell_text((low, high), "share_interval"),
        "n": cell_text(n, "count"),
    }
