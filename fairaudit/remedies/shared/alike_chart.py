"""The chart of differences in what had to be alike, of rule sets and trees."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite
from fairaudit.remedies.shared.alike_chart_texts import differences_alt, drawn_gaps, interval_words
from fairaudit.remedies.shared.chart_texts import pair_labels

TRAINED, TUNED, WITHIN, OUTSIDE = "training rows", "tuning rows", "held out, within", "held out, outside"
_KINDS = (TRAINED, TUNED, WITHIN, OUTSIDE)
_COLORS = dict(zip(_KINDS, (theme.QUIET, theme.QUIET, theme.REFERENCE, theme.PROTECTED), strict=True))
_SHAPES = dict(zip(_KINDS, ("triangle-up", "square", "circle", "diamond"), strict=True))
_SPREAD = 6
"""Pixels that the marks of one gap are apart, so that none covers another."""


def differences_chart(gaps: pd.DataFrame, *, allowed: float) -> Any:
    """Draw the gap of each rate and pair of groups on training, tuning and held-out rows, beside what is allowed."""
    shown = drawn_gaps(gaps)
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, Any]] = []
    zones: list[tuple[int, int]] = []
    for words, rows in shown.groupby("rate_words", sort=False):
        heads.append({"label": parts.numbered(len(keys), ""), "text": brief.shorten(brief.capital(words), 60)})
        keys.append(heads[-1]["label"])
        start = len(keys)
        labels = pair_labels(zip(rows["first"], rows["second"], strict=True))
        for label, row in zip(labels, rows.itertuples(), strict=True):
            keys.append(parts.numbered(len(keys), label))
            records += _gap(keys[-1], row)
        zones.append((start, len(keys)))
    numbers = [v for r in records for v in (r["value"], r["low"], r["high"])] + [-allowed, allowed, 0.0]
    span = parts.domain(numbers, low=-1.0, step=0.02)
    title = ["Difference in points, first minus second", "(lines: intervals, held out)"]
    x = parts.share_scale(span, title, unit="signed")
    y = parts.numbered_axis(keys)
    tall = parts.ROW_HEIGHT
    layers: list[Any] = []
    for first, last in zones:
        top, bottom = alt.YValue(first * tall), alt.Y2Value(last * tall)
        layers.append(parts.band(-allowed, allowed, span).encode(y=top, y2=bottom))
        layers.append(parts.upright(0.0, dash=(2, 3)).encode(y=top, y2=bottom))
    spans = [r | {"value": r["low"], "end": r["high"]} for r in records if None not in (r["low"], r["high"])]
    lines = parts.Layer(parts.values(spans)).mark_rule(color=theme.LINE, strokeWidth=1.6, yOffset=_SPREAD)
    layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y))
    hover = parts.tooltip(
        (("rate", "Rate"), ("name", "Groups"), ("kind", "Rows"), ("text", "Difference"), ("interval", "Interval"))
    )
    offsets = {TRAINED: -_SPREAD, TUNED: -_SPREAD, WITHIN: _SPREAD, OUTSIDE: _SPREAD}
    used = [kind for kind in _KINDS if any(r["kind"] == kind for r in records)]
    look = _look([kind for kind in _KINDS if kind in (*used, WITHIN, OUTSIDE)])
    # A layer without marks would be a picture without a text to screen readers.
    for kind in used:
        found = parts.Layer(parts.values([r for r in records if r["kind"] == kind]))
        drawn = found.mark_point(filled=kind != TRAINED, size=80, opacity=1, strokeWidth=1.6, yOffset=offsets[kind])
        layers.append(drawn.encode(x=x, y=y, tooltip=hover, **look))
    titled = parts.Layer(parts.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(titled.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return parts.finish(alt.layer(*layers), max(1, len(keys)) * tall, differences_alt(gaps, allowed=allowed))


def _gap(key: str, row: Any) -> list[dict[str, Any]]:
    """Return the gap of a pair on each part of the rows; what is not known is left out."""
    low, high = map(finite, (row.low, row.high))
    held = WITHIN if row.reading.startswith("within") else OUTSIDE
    records = []
    for kind, gap, ends in ((TRAINED, row.trained, None), (TUNED, row.tuned, None), (held, row.held_out, (low, high))):
        value = finite(gap)
        if value is None:
            continue
        records.append(
            {
                "label": key, "kind": kind, "value": value,
                "low": ends[0] if ends else None, "high": ends[1] if ends else None,
                "rate": brief.capital(row.rate_words),
                "name": f"{brief.whole(row.first)} − {brief.whole(row.second)}",
                "text": cell_text(gap, "points"),
                "interval": interval_words(row).strip(" ()").removeprefix("interval ") if ends else "",
            }
        )  # fmt: skip
    return records


def _look(kinds: list[str]) -> dict[str, Any]:
    """Return the channels that distinguish kinds of points, on field ``kind``."""
    # On a narrow page, two of these side by side would be cut.
    legend = alt.Legend(columns=1)
    colors, shapes = (alt.Scale(domain=kinds, range=[marks[kind] for kind in kinds]) for marks in (_COLORS, _SHAPES))
    return {
        "color": alt.Color("kind:N", title=None, legend=legend, scale=colors),
        "shape": alt.Shape("kind:N", title=None, legend=legend, scale=shapes),
    }
