"""What charts of several kinds of remedies share, and that of gaps between groups where these had to be alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType
from numpy.typing import NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.findings import REST, Argument, Count, Message, Points
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import Chart, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite
from fairaudit.remedies.tables import HELD
from fairaudit.study.findings import StudyFacts

Drawing = tuple[Callable[..., ChartType], Callable[..., str]]
"""A chart and its text alternative, which take the same arguments."""
BEFORE, AFTER = "without the remedy", "with the remedy"


def chart_block(number: int, key: str, title: str, drawing: Drawing, *arguments: object, **options: object) -> Chart:
    """Return a chart of the remedy with this number; `key` is also the end of the key of its table."""
    draw, tell = drawing
    chart, text = draw(*arguments, **options), tell(*arguments, **options)
    return Chart(f"remedy_{number}_{key}_chart", title, text, chart, f"remedy_{number}_{key}")


def with_others(frame: pd.DataFrame, facts: StudyFacts) -> pd.DataFrame:
    """Return rows by group where everyone else has their own name."""
    others = say(Message("group-alone", {"group": facts.names.others}))
    return frame.assign(group=[others if name == REST else name for name in frame["group"]])


def size_text(gap: float | None) -> str:
    """Return the size of a gap in points."""
    return cell_text(gap, "points").lstrip("+")


# What had to be alike, of rule sets and trees: gaps between groups, in marks and in words.

MOST_GAPS = 12
"""Gaps between two groups that are drawn at most."""
FEW_GAPS = 4
"""So few gaps are all drawn, also those of rates that are shares of few rows."""
TRAINED, TUNED, WITHIN, OUTSIDE = "training cases", "tuning cases", "test cases, within", "test cases, beyond"
_KINDS = (TRAINED, TUNED, WITHIN, OUTSIDE)
_COLORS = dict(zip(_KINDS, (theme.QUIET, theme.QUIET, theme.REFERENCE, theme.PROTECTED), strict=True))
_SHAPES = dict(zip(_KINDS, ("triangle-up", "square", "circle", "diamond"), strict=True))
_SPREAD = 6
"""Pixels that the marks of one gap are apart, so that none covers another."""


def differences_chart(gaps: pd.DataFrame, *, allowed: float | Mapping[str, float]) -> ChartType:
    """Draw the gap of each rate and pair of groups on training, tuning and held-out rows, beside what is allowed.

    Of each rate another difference may be allowed.
    """
    limits = allowed if isinstance(allowed, Mapping) else dict.fromkeys(gaps["rate"].unique(), allowed)
    shown = drawn_gaps(gaps)
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, Any]] = []
    zones: list[tuple[int, int, float]] = []
    for words, rows in shown.groupby("rate_words", sort=False):
        heads.append({"label": theme.numbered(len(keys), ""), "text": naming.shorten(naming.capital(words), 60)})
        keys.append(heads[-1]["label"])
        start = len(keys)
        labels = pair_labels(zip(rows["first"], rows["second"], strict=True))
        for label, row in zip(labels, rows.itertuples(), strict=True):
            keys.append(theme.numbered(len(keys), label))
            records += _gap(keys[-1], row)
        zones.append((start, len(keys), limits[str(rows["rate"].iloc[0])]))
    numbers = [v for r in records for v in (r["value"], r["low"], r["high"])] + [0.0]
    numbers += [sign * limit for limit in limits.values() for sign in (-1, 1)]
    span = theme.domain(numbers, low=-1.0, step=0.02)
    title = "Difference in points, first minus second"
    x = theme.share_scale(span, title, unit="signed")
    y = theme.numbered_axis(keys)
    tall = theme.ROW_HEIGHT
    layers: list[ChartType] = []
    for first, last, limit in zones:
        top, bottom = alt.YValue(first * tall), alt.Y2Value(last * tall)
        layers.append(theme.band(-limit, limit, span).encode(y=top, y2=bottom))
        layers.append(theme.upright(0.0, dash=(2, 3)).encode(y=top, y2=bottom))
    spans = [r | {"value": r["low"], "end": r["high"]} for r in records if None not in (r["low"], r["high"])]
    lines = theme.Layer(theme.values(spans)).mark_rule(color=theme.LINE, strokeWidth=1.6, yOffset=_SPREAD)
    layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y))
    hover = theme.tooltip(
        (("rate", "Rate"), ("name", "Groups"), ("kind", "Cases"), ("text", "Difference"), ("interval", "Range"))
    )
    offsets = {TRAINED: -_SPREAD, TUNED: -_SPREAD, WITHIN: _SPREAD, OUTSIDE: _SPREAD}
    used = [kind for kind in _KINDS if any(r["kind"] == kind for r in records)]
    look = _look([kind for kind in _KINDS if kind in (*used, WITHIN, OUTSIDE)])
    # A layer without marks would be a picture without a text to screen readers.
    for kind in used:
        found = theme.Layer(theme.values([r for r in records if r["kind"] == kind]))
        drawn = found.mark_point(filled=kind != TRAINED, size=80, opacity=1, strokeWidth=1.6, yOffset=offsets[kind])
        layers.append(drawn.encode(x=x, y=y, tooltip=hover, **look))
    titled = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(titled.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return theme.finish(alt.layer(*layers), max(1, len(keys)) * tall, differences_alt(gaps))


def differences_alt(gaps: pd.DataFrame, *, allowed: float | None = None) -> str:
    """Say in words what :func:`differences_chart` shows."""
    sizes = gaps.loc[_defined(gaps), "held_out"].astype(float).abs()
    if sizes.empty:
        return say(Message("limits-chart-none"))
    counted: dict[str, Argument] = {"n": Count(len(gaps)), "size": Points(float(sizes.max()), 1)}
    return " ".join((say(Message("limits-chart-text", counted)), differences_note(gaps))).strip()


def differences_note(gaps: pd.DataFrame) -> str:
    """Return how many gaps :func:`differences_chart` leaves out; nothing if none."""
    left = len(gaps) - len(drawn_gaps(gaps))
    return say(Message("limits-chart-left-out", {"n": Count(left)})) if left else ""


def drawn_gaps(gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the gaps that a chart has room for: the largest on the test cases, of rates that are no shares of few."""
    defined = gaps[_defined(gaps)]
    enough = defined[defined[["n_first", "n_second"]].min(axis=1) >= ENOUGH]
    large = enough if len(enough) and len(defined) > FEW_GAPS else defined
    size = large["held_out"].astype(float).abs().to_numpy()
    return large.iloc[sorted(np.argsort(-size, kind="stable")[:MOST_GAPS])]


def _defined(gaps: pd.DataFrame) -> NDArray[np.bool_]:
    return np.isfinite(gaps["held_out"].to_numpy(dtype=float))


def _gap(key: str, row: Any) -> list[dict[str, Any]]:
    """Return the gap of a pair on each part of the rows; what is not known is left out."""
    low, high = map(finite, (row.low, row.high))
    held = WITHIN if row.reading in HELD else OUTSIDE
    records = []
    for kind, gap, ends in ((TRAINED, row.trained, None), (TUNED, row.tuned, None), (held, row.held_out, (low, high))):
        value = finite(gap)
        if value is None:
            continue
        records.append(
            {
                "label": key, "kind": kind, "value": value,
                "low": ends[0] if ends else None, "high": ends[1] if ends else None,
                "rate": naming.capital(row.rate_words),
                "name": f"{naming.whole(called(row.first))} − {naming.whole(called(row.second))}",
                "text": cell_text(gap, "points"),
                "interval": cell_text(ends, "points_interval") if ends else "",
            }
        )  # fmt: skip
    return records


def _look(kinds: list[str]) -> dict[str, object]:
    """Return the channels that distinguish kinds of points, on field ``kind``."""
    # On a narrow page, two of these side by side would be cut.
    legend = alt.Legend(columns=1)
    colors, shapes = (alt.Scale(domain=kinds, range=[marks[kind] for kind in kinds]) for marks in (_COLORS, _SHAPES))
    return {
        "color": alt.Color("kind:N", title=None, legend=legend, scale=colors),
        "shape": alt.Shape("kind:N", title=None, legend=legend, scale=shapes),
    }


_PAIR = 48


def pair_labels(pairs: Iterable[tuple[object, object]]) -> list[str]:
    """Return pairs of groups for an axis, each different.

    Examples
    --------
    >>> pair_labels([("a", "b"), ("a", "c")])
    ['a − b', 'a − c']
    """
    return naming.unique_labels((_pair_label(called(first), called(second)) for first, second in pairs), _PAIR)


def _pair_label(first: str, second: str) -> str:
    text = f"{naming.shorten(first)} − {naming.shorten(second)}"
    if naming.shorten(text, _PAIR) == text:
        return text
    return f"{naming.shorten(first, _PAIR // 2 - 1)} − {naming.shorten(second, _PAIR // 2 - 1)}"
