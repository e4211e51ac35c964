"""Charts of constraints, and their part of a report: what became of the gaps, and what else the search found."""

from __future__ import annotations

from typing import Protocol

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType

from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints import TOP, FairnessSpec
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite, number_text
from fairaudit.remedies.charts import pair_labels
from fairaudit.remedies.constrain.details import drawn_fits, frontier_fits, own_fits
from fairaudit.remedies.constrain.words import (
    allowed_text,
    gap_number,
    gap_text,
    group_text,
    in_shares,
    limit_name,
)
from fairaudit.remedies.tables import HELD

BEFORE, WITHIN, OUTSIDE = "without the remedy", "within limit", "outside"
MET, MISSED, CHOSEN = "limits kept", "not kept", "chosen"
BEST, OTHER = "best for its gap", "other"
COLORS = (theme.QUIET, theme.REFERENCE, theme.PROTECTED)
MOST_PAIRS = 12
"""Pairs of groups that are drawn at most."""
_HEAD = 60
_HEIGHT = 260
_UPPER, _LOWER, _BETWEEN = 100, 140, 26
_ROOM = 1.06
_MANY = 1e9
"""An end of an axis that no gap reaches."""


class PairRow(Protocol):
    """A row of ``ConstrainDetails.pairs``."""

    spec: str
    metric: str
    first: str
    second: str
    max_difference: float
    held_out_before: float | None
    held_out: float | None
    low: float | None
    high: float | None
    reading: str


class FitRow(Protocol):
    """A row of ``ConstrainDetails.path``."""

    fit: int
    multiplier: float
    accuracy: float
    ratio: float


def constraint_gaps_alt(pairs: pd.DataFrame) -> str:
    """Say in words what :func:`constraint_gaps_chart` shows."""
    said = [f"{say(Message('constrain-chart-gaps'))}."]
    for row in naming.some(list(drawn_pairs(pairs).itertuples())):
        limit = row.max_difference
        texts = {
            "what": naming.capital(row.metric_words),
            "first": naming.short(group_text(row.first)),
            "second": naming.short(group_text(row.second)),
            "before": gap_text(row.held_out_before, row.metric, beside=limit),
            "after": gap_text(row.held_out, row.metric, beside=limit),
            "limit": allowed_text(limit, row.metric),
        }
        args = {name: Phrase(text) for name, text in texts.items()}
        said.append(say(Message("constrain-chart-gaps-row", args)))
    return " ".join([*said, constraint_gaps_note(pairs)]).strip()


def constraint_path_alt(path: pd.DataFrame, *, single: bool) -> str:
    """Say in words what :func:`constraint_path_chart` shows."""
    return _fits_alt("constrain-chart-path", own_fits(path), own_fits(path).iloc[:0])


def constraint_frontier_alt(path: pd.DataFrame, **_: object) -> str:
    """Say in words what :func:`constraint_frontier_chart` shows."""
    return _fits_alt("constrain-chart-frontier", drawn_fits(path), frontier_fits(path))


def constraint_gaps_note(pairs: pd.DataFrame) -> str:
    """Return how many pairs :func:`constraint_gaps_chart` leaves out; empty where it draws all."""
    left_out = len(pairs) - len(drawn_pairs(pairs))
    return say(Message("constrain-chart-undrawn", {"n": Count(left_out)})) if left_out else ""


def drawn_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs that a chart has room for: those whose gap is largest beside what is allowed."""
    large = _large(_defined(pairs))
    size = (large["held_out"] / large["max_difference"]).abs().sort_values(ascending=False, kind="stable")
    is_first = ~large.loc[size.index, "spec"].duplicated()
    kept = large.loc[[*size.index[is_first], *size.index[~is_first]][:MOST_PAIRS]]
    kept = kept.loc[size.index[size.index.isin(kept.index)]]
    order = {spec: i for i, spec in enumerate(pairs["spec"].unique())}
    return kept.sort_values("spec", key=lambda specs: specs.map(order), kind="stable")


def constraint_gaps_chart(pairs: pd.DataFrame) -> ChartType:
    """Draw the gap of each pair of groups on the held-out rows, before and after, beside what is allowed."""
    shown = drawn_pairs(pairs)
    points = in_shares(shown["metric"])
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, object]] = []
    zones: list[tuple[int, int, float]] = []
    for spec, rows in shown.groupby("spec", sort=False):
        heads.append(
            {
                "label": theme.numbered(len(keys), ""),
                "text": naming.shorten(limit_name(FairnessSpec.parse(spec)), _HEAD),
            }
        )
        keys.append(heads[-1]["label"])
        start = len(keys)
        seconds = rows["second"].replace(TOP, "100\N{NO-BREAK SPACE}%")
        labels = pair_labels(zip(rows["first"].map(group_text), seconds.map(group_text), strict=True))
        for label, row in zip(labels, rows.itertuples(), strict=True):
            keys.append(theme.numbered(len(keys), label))
            records += _pair(keys[-1], row, 1.0 if points else row.max_difference)
        zones.append((start, len(keys), rows["max_difference"].iloc[0] if points else 1.0))
    allowed = [end for *_, limit in zones for end in (-limit, limit)]
    numbers = [*theme.numbers_in(records, "value", "low", "high"), *allowed, 0.0]
    if points:
        span = theme.domain(numbers, low=-1.0, step=0.02)
        x = theme.share_scale(span, "Gap in points, first minus second", unit="signed")
    else:
        span = theme.domain(numbers, low=-_MANY, high=_MANY, step=0.5)
        title = "Gap as a multiple of the limit"
        x = alt.X("value:Q", scale=alt.Scale(domain=span, nice=False, zero=False), axis=alt.Axis(title=title))
    y = theme.numbered_axis(keys)
    tall = theme.DENSE_ROW_HEIGHT
    layers = [
        theme.band(-limit, limit, span).encode(y=alt.YValue(first * tall), y2=alt.Y2Value(last * tall))
        for first, last, limit in zones
    ]
    layers += [
        theme.upright(0.0, dash=(2, 3)).encode(y=alt.YValue(first * tall), y2=alt.Y2Value(last * tall))
        for first, last, _ in zones
    ]
    after = [r for r in records if r["model"] != BEFORE]
    moves = [{"label": r["label"], "value": r["start"], "end": r["value"]} for r in after if r["start"] is not None]
    layers.append(
        theme.Layer(theme.values(moves)).mark_rule(color=theme.LINE, opacity=0.5).encode(x=x, x2=alt.X2("end:Q"), y=y)
    )
    spans = [r | {"value": r["low"], "end": r["high"]} for r in after if None not in (r["low"], r["high"])]
    lines = theme.Layer(theme.values(spans)).mark_rule(color=theme.LINE, strokeWidth=1.4, yOffset=5)
    layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y))
    named = (("spec", "Constraint"), ("name", "Groups"), ("model", "Model"), ("text", "Gap"), ("interval", "Interval"))
    look = _look((BEFORE, WITHIN, OUTSIDE))
    # A layer without marks would be a picture without a text to screen readers.
    for model in (kind for kind in (BEFORE, WITHIN, OUTSIDE) if any(r["model"] == kind for r in records)):
        found = theme.Layer(theme.values([r for r in records if r["model"] == model]))
        drawn = found.mark_point(filled=True, size=80, opacity=1)
        layers.append(drawn.encode(x=x, y=y, tooltip=theme.tooltip(named), **look))
    titled = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(titled.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return theme.finish(alt.layer(*layers), max(1, len(keys)) * tall, constraint_gaps_alt(pairs))


def constraint_path_chart(path: pd.DataFrame, *, single: bool) -> ChartType:
    """Draw how accuracy and the largest gap went along the search."""
    known = own_fits(path)
    known = known.sort_values("multiplier" if single else "fit", kind="stable")
    records = [
        _figures(row)
        | {
            "x": finite(row.multiplier if single else row.fit),
            "order": i,
            "model": CHOSEN if row.picked else MET if row.met else MISSED,
        }
        for i, row in enumerate(known.itertuples())
    ]
    records = [r for r in records if r["x"] is not None]
    title = "Multiplier" if single else "Models in their order"
    axis = alt.Axis(title=title, format=alt.Undefined if single else "d", tickMinStep=alt.Undefined if single else 1)
    x = alt.X("x:Q", axis=axis, scale=alt.Scale(zero=single, nice=False, padding=8))
    height = _UPPER + _BETWEEN + _LOWER
    ratios = [0.0, round(_ROOM * max([1.0, *theme.numbers_in(records, "ratio")]), 3)]
    panels = (
        (
            "accuracy",
            ["Accuracy", "(not from 0 %)"],
            f"{theme.POINTS_LABEL} + ' %'",
            theme.around(theme.numbers_in(records, "accuracy"), least=0.001, digits=4),
            0,
            _UPPER,
        ),
        ("ratio", ["Largest gap", "(1: limit)"], None, ratios, _UPPER + _BETWEEN, height),
    )
    chosen = theme.Layer(theme.values([{"x": r["x"]} for r in records if r["model"] == CHOSEN]))
    kinds = (MISSED, MET, CHOSEN)
    look = _look(kinds)
    layers: list[alt.Chart | alt.LayerChart | alt.FacetChart] = [
        chosen.mark_rule(color=theme.LINE, strokeDash=[3, 3]).encode(x=x)
    ]
    for field, words, label, span, top, bottom in panels:
        axis = alt.Axis(title=words, tickCount=4, orient="left", domain=True, labelExpr=label or alt.Undefined)
        scale = alt.Scale(domain=span, range=[bottom, top], nice=False, zero=False)
        y = alt.Y(f"{field}:Q", axis=axis, scale=scale)
        base = theme.Layer(theme.values(records))
        drawn = [
            base.mark_line(color=theme.LINE, strokeWidth=1, opacity=0.6).encode(x=x, y=y, order=alt.Order("order:Q"))
        ]
        if field == "ratio":
            limit = theme.Layer(theme.values([{"ratio": 1.0}] if records else []))
            drawn.append(limit.mark_rule(color=theme.TEXT, strokeWidth=1.2).encode(y=y))
        drawn += _fits(records, kinds, x, y, look)
        layers.append(alt.layer(*drawn))
    chart = alt.layer(*layers).resolve_scale(y="independent")
    return theme.finish(chart, height, constraint_path_alt(path, single=single))


def constraint_frontier_chart(path: pd.DataFrame, *, scale: float = 1.0) -> ChartType:
    """Draw accuracy against the largest gap of the fits, to see what a wider or a closer limit would cost."""
    known = drawn_fits(path)
    best = frontier_fits(path)
    marked = [1.0, *([scale] if scale != 1 else [])]
    end = _ROOM * max([*marked, *best["ratio"], *known.loc[known["picked"], "ratio"]])
    records = [
        _figures(row) | {"model": CHOSEN if row.picked else BEST if row.frontier else OTHER}
        for row in known[known["ratio"] <= end].itertuples()
    ]
    line = [_figures(row) | {"order": i} for i, row in enumerate(best.itertuples())]
    axis = alt.Axis(title="Largest gap as a multiple of the limit")
    x = alt.X("ratio:Q", axis=axis, scale=alt.Scale(domain=[0, round(end, 3)], nice=False))
    y = alt.Y(
        "accuracy:Q",
        scale=alt.Scale(
            domain=theme.around(theme.numbers_in(records, "accuracy"), least=0.001, digits=4), nice=False, zero=False
        ),
        axis=alt.Axis(title="Accuracy", labelExpr=f"{theme.POINTS_LABEL} + ' %'", tickCount=5),
    )
    layers: list[alt.Chart | alt.LayerChart] = []
    for limit, dash, word, above in zip(marked, ([1, 0], [5, 3]), ("limit", "chosen limit"), (6, 22), strict=False):
        place = theme.Layer(theme.values([{"ratio": limit, "text": word}]))
        layers.append(place.mark_rule(color=theme.TEXT, strokeWidth=1.2, strokeDash=dash).encode(x=x))
        written = place.mark_text(align="left", baseline="bottom", dx=4, dy=-above, color=theme.QUIET)
        layers.append(written.encode(x=x, y=alt.YValue(_HEIGHT), text=alt.Text("text:N")))
    joined = theme.Layer(theme.values(line)).mark_line(color=theme.LINE, strokeDash=[4, 3], strokeWidth=1.2)
    layers.append(joined.encode(x=x, y=y, order=alt.Order("order:Q")))
    kinds = (OTHER, BEST, CHOSEN)
    layers += _fits(records, kinds, x, y, _look(kinds))
    return theme.finish(alt.layer(*layers), _HEIGHT, constraint_frontier_alt(path))


def _interval(row: PairRow) -> str:
    """Return the interval of a pair's gap after, in the unit of its metric; nothing where there is none."""
    if None in (finite(row.low), finite(row.high)):
        return ""
    return " to ".join(gap_number(end, row.metric, beside=row.max_difference) for end in (row.low, row.high))


def _fits_alt(title: str, known: pd.DataFrame, listed: pd.DataFrame) -> str:
    """Return what a chart shows, some of its fits, and which one is the model."""
    said = [f"{say(Message(title))}."]
    rows = [("constrain-chart-fit", row) for row in naming.some(list(listed.itertuples()))]
    rows += [("constrain-chart-chosen", row) for row in known[known["picked"]].itertuples()]
    for key, row in rows:
        figures: dict[str, Argument] = {
            "accuracy": Phrase(cell_text(row.accuracy, "share")),
            "times": Phrase(number_text(row.ratio)),
        }
        said.append(say(Message(key, figures)))
    return " ".join(said)


def _defined(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[np.isfinite(pairs["held_out"].to_numpy(dtype=float))]


def _large(pairs: pd.DataFrame) -> pd.DataFrame:
    large = pairs[pairs[["n_first", "n_second"]].min(axis=1) >= ENOUGH]
    return large if len(large) else pairs


def _pair(key: str, row: PairRow, unit: float) -> list[dict[str, object]]:
    """Return the gap of a pair before and after, in its own unit or in multiples of another."""
    before, value, low, high = (
        None if number is None else number / unit
        for number in map(finite, (row.held_out_before, row.held_out, row.low, row.high))
    )
    shared: dict[str, object] = {
        "label": key,
        "name": f"{naming.whole(group_text(row.first))} − {naming.whole(group_text(row.second))}",
        "spec": naming.whole(row.spec),
        "start": before,
    }
    after: dict[str, object] = shared | {
        "model": WITHIN if row.reading in HELD else OUTSIDE,
        "value": value, "low": low, "high": high,
        "text": gap_text(row.held_out, row.metric, beside=row.max_difference),
        "interval": _interval(row),
    }  # fmt: skip
    if before is None:
        return [after]
    text = gap_text(row.held_out_before, row.metric, beside=row.max_difference)
    return [shared | {"model": BEFORE, "value": before, "low": None, "high": None, "text": text, "interval": ""}, after]


def _look(kinds: tuple[str, str, str]) -> dict[str, object]:
    """Return the channels that distinguish three kinds of points, on field ``model``."""
    legend = alt.Legend(columns=2)
    colors = alt.Scale(domain=list(kinds), range=list(COLORS))
    shapes = alt.Scale(domain=list(kinds), range=["circle", "square", "diamond"])
    return {
        "color": alt.Color("model:N", title=None, legend=legend, scale=colors),
        "shape": alt.Shape("model:N", title=None, legend=legend, scale=shapes),
    }


def _fits(
    records: list[dict[str, object]], kinds: tuple[str, str, str], x: alt.X, y: alt.Y, look: dict[str, object]
) -> list[alt.Chart]:
    """Draw fits by their kind: the first small, the last, which is the chosen one, large."""
    hover = theme.tooltip(
        [
            ("fit", "Fit"), ("model", "Kind"), ("multiplier", "Multiplier"), ("accuracy_text", "Accuracy"),
            ("ratio_text", "Largest gap"),
        ]
    )  # fmt: skip
    layers = []
    for kind, size in zip(kinds, (36, 60, 170), strict=True):
        shown = [r for r in records if r["model"] == kind]
        if not shown:
            # A layer without marks would be a picture without a text to screen readers.
            continue
        found = theme.Layer(theme.values(shown))
        drawn = found.mark_point(filled=True, size=size, opacity=1)
        layers.append(drawn.encode(x=x, y=y, tooltip=hover, **look))
    return layers


def _figures(row: FitRow) -> dict[str, object]:
    return {
        "fit": str(row.fit),
        "multiplier": f"{row.multiplier:.3g}",
        "accuracy": float(row.accuracy),
        "ratio": float(row.ratio),
        "accuracy_text": cell_text(row.accuracy, "share"),
        "ratio_text": number_text(row.ratio),
    }
