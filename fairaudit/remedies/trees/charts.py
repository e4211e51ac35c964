"""Charts of decision trees: the tree itself, how its search closed in, other settings, and similar people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Share
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import Chart, Kind, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import NOT_SHOWN, finite
from fairaudit.remedies.charts import chart_block
from fairaudit.remedies.trees.words import (
    OUTCOMES,
    SHADES,
    Details,
    NodeRow,
    OutcomeNodes,
    clickable_tree_alt,
    drawn_levels,
    drawn_nodes,
    folded,
    leaf_words,
    rows_at,
    similar,
)
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts

_KINDS = {
    "asked": "tree-setting-asked",
    "free": "tree-setting-free",
    "limit": "tree-kind-limit",
    "weight": "tree-kind-weight",
    "depth": "tree-kind-depth",
}
_HEIGHT, _LOW = 240, 200
_ROOM = 1.08
_PERCENT = f"{theme.POINTS_LABEL} + ' %'"


@dataclass(frozen=True)
class Unit:
    """What figures of trees of other settings are in.

    Parameters
    ----------
    digits : int, optional
        Decimals of amounts; None where they are shares.
    by_ratio : bool
        Whether a gap is the smallest ratio.
    """

    digits: int | None = None
    by_ratio: bool = False

    def quality(self, value: float) -> Message:
        """Return how well a tree does."""
        if self.digits is None:
            return Message("tree-quality-share", {"quality": Share(float(value), 1)})
        return Message("tree-quality-amount", {"quality": Amount(float(value), self.digits)})

    def distance(self, value: float, by: str) -> Message:
        """Return how far apart the groups are."""
        key, figure = "tree-distance-amount", Amount(float(value), self.digits or 0)
        if by == "index":
            key, figure = "tree-distance-index", Amount(float(value), 4 if self.digits is None else self.digits + 1)
        elif self.digits is None and self.by_ratio:
            return Message("tree-distance-ratio", {"distance": Share(float(value), 1)})
        elif self.digits is None:
            return Message("tree-distance-points", {"distance": Points(abs(float(value)), 1)})
        return Message(key, {"distance": figure})


IN_SHARES: Final = Unit()
"""Of decisions with a favourable result."""


def bounds_alt(bounds: pd.DataFrame, *, digits: int = 4) -> str:
    """Return how a search closed in, in words."""
    last = bounds.iloc[-1]
    ends = {name: Amount(float(last[name]), digits) for name in ("objective", "bound")}
    return say((Message("tree-bounds-title"), Message("tree-bounds-alt", ends)))


@dataclass(frozen=True)
class DepthLines:
    """What depth gives: two lines over the depth that is allowed.

    Parameters
    ----------
    title : Message
        What is drawn.
    depths : tuple of int
        The depths.
    lines : tuple of (str, tuple of float)
        The name and the values of each line; NaN where there is none.
    kind : str
        Of the values: "share", "number" or "amount".
    digits : int
        Decimals of numbers and amounts.
    """

    title: Message
    depths: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    kind: Kind
    digits: int

    def text(self, value: float) -> str:
        """Return a value in words."""
        return cell_text(value, self.kind, digits=self.digits)


def depth_lines(settings: pd.DataFrame, *, digits: int | None = None) -> DepthLines:
    """Return what depth gives: errors on training and tuning rows or, with a price, the objective and its bound."""
    shown = drawn_depths(settings)
    depths = tuple(int(depth) for depth in shown["max_depth"])

    def line(key: str, values: pd.Series) -> tuple[str, tuple[float, ...]]:
        return _word(key), tuple(float(value) for value in values.astype(float))

    objective = shown["objective"].astype(float)
    if (shown["weight"].astype(float) > 0).any() and np.isfinite(objective).all():
        reached = (line("tree-line-best", objective), line("tree-line-bound", shown["bound"]))
        return DepthLines(Message("tree-depths-priced"), depths, reached, "number", 4 if digits is None else digits)
    if digits is None:
        wrong = (
            line("tree-line-training", 1 - shown["trained_accuracy"]),
            line("tree-line-tuning", 1 - shown["accuracy"]),
        )
        return DepthLines(Message("tree-depths-errors"), depths, wrong, "share", 1)
    off = (line("tree-line-training", shown["trained_mae"]), line("tree-line-tuning", shown["mae"]))
    return DepthLines(Message("tree-depths-off"), depths, off, "amount", digits)


def settings_alt(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> str:
    """Return how well trees of other settings do against differences, in words."""
    rows = drawn_settings(settings, by)
    quality = quality_of(settings)
    said = [
        option(row.words, unit.quality(getattr(row, quality)), unit.distance(getattr(row, by), by), chosen=row.chosen)
        for row in rows.itertuples()
    ]
    return " ".join([f"{_word('tree-settings-title')}.", *(f"{text}." for text in said)])


def option(words: str, quality: Message, distance: Message, *, chosen: bool = False) -> str:
    """Return a setting and what it gives on the tuning rows."""
    args: dict[str, Argument] = {"setting": Phrase(words), "quality": quality, "distance": distance}
    return say(Message("tree-option-this" if chosen else "tree-option", args))


def depths_alt(settings: pd.DataFrame, *, digits: int | None = None) -> str:
    """Return what depth gives, in words."""
    found = depth_lines(settings, digits=digits)
    (first, own), (second, rest) = found.lines
    names: dict[str, Argument] = {"own_name": Phrase(first), "rest_name": Phrase(second)}
    said = [f"{say(found.title)}."]
    for depth, *values in zip(found.depths, own, rest, strict=True):
        figures = dict(zip(("own", "rest"), (Phrase(found.text(value)) for value in values), strict=True))
        said.append(say(Message("tree-depths-alt", {"n": Count(depth), **names, **figures})))
    return " ".join(said)


def similar_alt(details: Details, *, digits: int | None = None) -> str:
    """Return how differently similar people are treated, before and after, in words."""
    said = similar(details)
    return _word("tree-similar-none") if said is None else say(said)


def quality_of(settings: pd.DataFrame) -> str:
    """Return the column that says how well trees of other settings do on the tuning rows."""
    return "accuracy" if "accuracy" in settings else "mae"


def drawn_settings(settings: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the trees whose quality and distance between groups are known."""
    known = settings[[quality_of(settings), by]].astype(float)
    return settings[np.isfinite(known).all(axis=1).to_numpy()]


def drawn_depths(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the trees that differ from the asked one in nothing but depth, by depth."""
    return settings[settings["setting"].isin(["depth", "asked"])].sort_values("max_depth", kind="stable")


def tree_bounds_chart(bounds: pd.DataFrame, *, digits: int = 4) -> ChartType:
    """Draw how the best tree and the proven bound came together as the search went on."""
    names = [_word("tree-line-best"), _word("tree-line-bound")]
    records: list[dict[str, object]] = [
        {"x": float(row.share), "value": value, "series": series,
         "text": cell_text(value, "number", digits=digits)}
        for row in bounds.itertuples()
        for series, value in zip(names, (finite(row.objective), finite(row.bound)), strict=True)
        if value is not None
    ]  # fmt: skip
    numbers = theme.numbers_in(records, "value") or [0.0, 1.0]
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title=_word("tree-axis-work"), tickCount=6, format="~%"),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title=_word("tree-axis-objective"), tickCount=5, format=".3~f", domain=True),
        scale=alt.Scale(domain=_around(numbers), nice=False, zero=False),
    )
    hover = theme.tooltip([("series", "Figure"), ("x", "Work"), ("text", "Value")])
    # What is known holds until the next change: steps, not slopes.
    layers = _lines(records, names, x, y, hover, in_steps=True)
    return theme.finish(alt.layer(*layers), _LOW, bounds_alt(bounds, digits=digits))


def tree_settings_chart(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> ChartType:
    """Draw how well trees of other settings do against the largest difference, the smallest ratio or the index."""
    shown = drawn_settings(settings, by)
    quality = quality_of(settings)
    records = [
        {
            "value": float(getattr(row, by)),
            "y": float(getattr(row, quality)),
            "series": _word(_KINDS[row.setting]),
            "words": row.words,
            "quality": say(unit.quality(getattr(row, quality))),
            "chosen": bool(row.chosen),
        }
        for row in shown.itertuples()
    ]
    x = _distances([*theme.numbers_in(records, "value"), *([allowed] if allowed is not None else [])], by, unit)
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=_around(theme.numbers_in(records, "y")), nice=False, zero=False),
        axis=alt.Axis(
            title=_word("tree-axis-right" if unit.digits is None else "tree-axis-off"),
            tickCount=5,
            labelExpr=_PERCENT if unit.digits is None else alt.Undefined,
            format=alt.Undefined if unit.digits is None else f",.{unit.digits}~f",
        ),
    )
    names = [name for name in map(_word, _KINDS.values()) if any(r["series"] == name for r in records)]
    color = alt.Color("series:N", title=None, legend=alt.Legend(columns=3), scale=theme.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=alt.Legend(columns=3), scale=theme.cycle(names, theme.SHAPES))
    hover = theme.tooltip([("words", "Setting"), ("quality", "How well")])
    layers: list[alt.Chart | alt.LayerChart] = []
    if allowed is not None:
        layers += theme.limit_line(allowed, x)
    points = theme.Layer(theme.values(records)).mark_point(filled=True, size=70, opacity=1)
    layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    layers += theme.chosen_point(records, x, y)
    description = settings_alt(settings, by=by, allowed=allowed, unit=unit)
    return theme.finish(alt.layer(*layers), _HEIGHT, description)


def _distances(numbers: list[float], by: str, unit: Unit) -> alt.X:
    """Return the axis of differences, ratios or indices."""
    if by == "gap" and unit.digits is None and unit.by_ratio:
        return theme.share_scale(theme.domain(numbers, high=1.0), _word("tree-axis-ratio"))
    if by == "gap" and unit.digits is None:
        span = [0, round(_ROOM * max([*numbers, 0.01]), 4)]
        return theme.share_scale(span, _word("tree-axis-points"), unit="points")
    title = _word("tree-axis-index" if by == "index" else "tree-axis-amount")
    axis = alt.Axis(title=title, format=",.3~f", tickCount=6)
    return alt.X("value:Q", axis=axis, scale=alt.Scale(domain=[0, _ROOM * max([*numbers, 1e-9])], nice=False))


def tree_depths_chart(settings: pd.DataFrame, *, digits: int | None = None) -> ChartType:
    """Draw what depth gives: errors or, where an index has a price, what was made small and what is proven about it."""
    found = depth_lines(settings, digits=digits)
    names = [name for name, _ in found.lines]
    records: list[dict[str, object]] = [
        {"x": depth, "value": value, "series": name, "text": found.text(value)}
        for name, values in found.lines
        for depth, value in zip(found.depths, values, strict=True)
        if finite(value) is not None
    ]
    x = alt.X(
        "x:O",
        axis=alt.Axis(title=_word("tree-axis-depth"), labelAngle=0),
        scale=alt.Scale(domain=sorted(set(theme.numbers_in(records, "x")))),
    )
    is_share = found.kind == "share"
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(
            title=None,
            tickCount=5,
            domain=True,
            labelExpr=_PERCENT if is_share else alt.Undefined,
            format=alt.Undefined if is_share else ",.3~f",
        ),
        scale=alt.Scale(domain=_around(theme.numbers_in(records, "value")), nice=False, zero=False),
    )
    hover = theme.tooltip([("series", "Figure"), ("x", "Depth"), ("text", "Value")])
    layers = _lines(records, names, x, y, hover)
    return theme.finish(alt.layer(*layers), _LOW, depths_alt(settings, digits=digits))


def similar_people_chart(details: Details, *, digits: int | None = None) -> ChartType:
    """Draw how differently people are treated from those like them, before and after."""
    people, names = details.similar, [_word("remedy-row-without"), _word("tree-row-with")]
    called = dict(zip(("before", "after"), names, strict=True))
    unit = "Difference, points" if digits is None else "Difference"
    bins = people[["low", "high"]].drop_duplicates().sort_values(["low", "high"], ascending=False)
    labels = [_bin(row.low, row.high, digits) for row in bins.itertuples()]
    records: list[dict[str, object]] = [
        {"label": _bin(row.low, row.high, digits), "series": called[row.model], "value": float(row.share),
         "n": cell_text(row.n, "count"), "text": cell_text(row.share, "share")}
        for row in people.itertuples()
    ]  # fmt: skip
    top = max([*theme.numbers_in(records, "value"), 0.05])
    x = theme.share_scale([0, min(1.0, round(_ROOM * top, 3))], _word("tree-axis-similar"))
    y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=alt.Axis(title=unit))
    offset = alt.YOffset("series:N", scale=alt.Scale(domain=names))
    color = alt.Color(
        "series:N",
        title=None,
        legend=alt.Legend(columns=2),
        scale=alt.Scale(domain=names, range=[theme.GAP, theme.REFERENCE]),
    )
    hover = theme.tooltip([("label", unit), ("series", "Model"), ("text", "Share"), ("n", "Rows")])
    bars = theme.Layer(theme.values(records)).mark_bar(stroke=theme.TEXT, strokeWidth=0.6)
    drawn = bars.encode(x=x, y=y, yOffset=offset, color=color, tooltip=hover)
    return theme.finish(drawn, max(1, len(labels)) * theme.ROW_HEIGHT, similar_alt(details, digits=digits))


def _lines(
    records: list[dict[str, object]],
    names: list[str],
    x: alt.X,
    y: alt.Y,
    hover: list[alt.Tooltip],
    *,
    in_steps: bool = False,
) -> list[alt.Chart]:
    """Return a line with points for each series, which differ in colour, dashes and shapes."""
    legend = alt.Legend(columns=2, symbolSize=120)
    color = alt.Color("series:N", title=None, legend=legend, scale=theme.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=legend, scale=theme.cycle(names, ["circle", "square"]))
    layers = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        base = theme.Layer(theme.values([r for r in records if r["series"] == series]))
        line = base.mark_line(
            strokeWidth=1.6, strokeDash=list(dash), interpolate="step-after" if in_steps else alt.Undefined
        )
        layers.append(line.encode(x=x, y=y, color=color))
        points = base.mark_point(filled=True, size=40, opacity=1)
        layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    return layers


def _bin(low: float, high: float, digits: int | None) -> str:
    if low == high == 0:
        return _word("tree-bin-none")
    if digits is not None and low == -high:
        return say(Message("tree-bin-within", {"high": Amount(float(high), digits)}))
    kind: Kind = "points" if digits is None else "difference"
    ends = {name: Phrase(cell_text(end, kind, digits=digits or 0)) for name, end in (("low", low), ("high", high))}
    return say(Message("tree-bin", ends))


def _around(numbers: list[float]) -> list[float]:
    return theme.around(numbers, least=0.002, digits=5, low=0.0)


def _word(key: str) -> str:
    return say(Message(key))


def allowed_of(details: Details, by: str) -> float | None:
    """Return what is allowed of the largest difference, the smallest ratio or the index; None where nothing is."""
    if by == "index":
        return details.max_discrimination
    if details.by_ratio:
        return FOUR_FIFTHS
    return None if details.constraint is None or details.max_loss is not None else details.max_difference


# The tree itself, drawn from left to right, as one clicks on it and as a report has room for it. Each leaf has a line
# of its own, so that no two boxes meet.

NODE: Final = "node"
"""The selection of the node that was clicked, and its field."""

WIDTH: Final = 680
_BETWEEN, _LINE, _PAD = 5, 14, 9
_LEFT, _GAP = 3, 30
_WIDEST, _NARROWEST, _ROOMY, _LEAF = 214, 108, 150, 134
_LETTER = 5.4
_SPLIT_LINES, _LEAF_LINES = 4, 2
_THIN, _THICK = 1.2, 9.0
_MOST_GROUPS = 6
_YES, _NO, _ASK, _MORE = "yes", "no", "question", "more"
_SHADES = dict(zip(SHADES, ("#f3f8fc", "#dbe9f5", "#bfd8ec", "#a2c6e2"), strict=True))
_FILLS = {_ASK: "#ffffff", _MORE: "#ffffff", _YES: theme.ALIKE, _NO: theme.GAP, **_SHADES}
_EDGES = {_ASK: theme.LINE, _MORE: theme.LINE, _YES: theme.REFERENCE, _NO: theme.PROTECTED}
_EDGES |= dict.fromkeys(SHADES, theme.REFERENCE)
_ROUND = {_ASK: 3, _MORE: 3, _YES: 14, _NO: 0} | dict.fromkeys(SHADES, 14)


@dataclass(frozen=True)
class _Box:
    """One node as it is drawn, in pixels."""

    node: int
    kind: str
    left: float
    right: float
    middle: float
    height: float
    lines: tuple[str, ...]
    share: float
    on_path: bool
    tip: dict[str, str]


def clickable_tree_chart(
    nodes: pd.DataFrame,
    counts: pd.DataFrame,
    *,
    root: int = 1,
    levels: int = 5,
    chosen: int | None = None,
    clickable: bool = False,
    wording: OutcomeNodes = OUTCOMES,
) -> ChartType:
    """Draw a tree from left to right: a question in each box, "yes" above and "no" below."""
    shown = drawn_nodes(nodes, root=root, levels=levels)
    boxes = _boxes(shown, counts, root, _way(chosen), wording, wording.look(nodes))
    height = int(max(box.middle + box.height / 2 for box in boxes.values()) + _BETWEEN)
    width = int(max(box.right for box in boxes.values()) + 6)
    x, y = _channel(alt.X, "x", width), _channel(alt.Y, "y", height)
    records = [_record(box) for box in boxes.values()]
    layers = [*_edges(boxes, x, y)]
    base = theme.Layer(theme.values(records))
    for kind, corner in _ROUND.items():
        own = [record for record in records if record["kind"] == kind]
        if own:
            layers.append(
                theme.Layer(theme.values(own))
                .mark_rect(cornerRadius=corner, opacity=1, fill=_FILLS[kind], stroke=_EDGES[kind])
                .encode(
                    x=x, x2=alt.X2("x2:Q"), y=y, y2=alt.Y2("y2:Q"), strokeWidth=alt.StrokeWidth("line:Q", scale=None)
                )
            )
    # A line each: Vega would take a break within a text, and printing escapes it.
    lines = [line for box in boxes.values() for line in _box_lines(box)]
    text = theme.Layer(theme.values(lines)).mark_text(baseline="middle", fontSize=11, color=theme.TEXT)
    layers.append(text.encode(x=x, y=y, text=alt.Text("text:N")))
    layers.append(_cover(base, x, y, clickable=clickable))
    description = clickable_tree_alt(nodes, counts, root=root, levels=levels, wording=wording)
    return theme.finish(alt.layer(*layers), height, description, width=width)


def _way(chosen: int | None) -> frozenset[int]:
    """Return a node and those above it."""
    found, node = set(), chosen or 0
    while node:
        found.add(node)
        node //= 2
    return frozenset(found)


def _boxes(
    shown: pd.DataFrame,
    counts: pd.DataFrame,
    root: int,
    way: frozenset[int],
    wording: OutcomeNodes,
    looks: dict[int, str],
) -> dict[int, _Box]:
    """Return where each node is drawn: ends one line apart, and questions midway between what follows."""
    ends = shown["is_leaf"] | shown["is_cut"]
    top = int(shown["depth"].min())
    deepest = int(shown["depth"].max()) - top
    # With few questions one after the other there is room for leaves that say on one line what they predict.
    leaf = min(_WIDEST, max(_LEAF, WIDTH - _LEFT - deepest * _ROOMY))
    column = min(_WIDEST, max(_NARROWEST, (WIDTH - _LEFT - leaf) / max(1, deepest)))
    places = _middles(shown, root)
    sums = wording.sums(counts)
    counted = sums["n_learned"].to_dict()
    texts = {
        row.node: _text(row, rows_at(sums, row.node, wording), leaf if end else column - _GAP, wording)
        for row, end in zip(shown.itertuples(), ends, strict=True)
    }
    pitch = max(_height(texts[node]) for node in shown.loc[ends, "node"]) + _BETWEEN
    boxes = {}
    for row, end in zip(shown.itertuples(), ends, strict=True):
        left = (row.depth - top) * column + _LEFT
        wide = leaf if end else column - _GAP
        kind = _MORE if row.is_cut else looks.get(row.node, _MORE) if row.is_leaf else _ASK
        lines = texts[row.node]
        boxes[row.node] = _Box(
            row.node, kind, left, left + wide, (places[row.node] + 0.5) * pitch, _height(lines), lines,
            _share(counted.get(row.node, math.nan), counted.get(root, math.nan)), row.node in way,
            _tip(row, counts, rows_at(sums, row.node, wording), wording),
        )  # fmt: skip
    return boxes


def _height(lines: tuple[str, ...]) -> int:
    return _LINE * len(lines) + _PAD


def _middles(shown: pd.DataFrame, root: int) -> dict[int, float]:
    ends = set(shown.loc[shown["is_leaf"] | shown["is_cut"], "node"])
    places: dict[int, float] = {}
    waiting = [root]
    while waiting:
        node = waiting[-1]
        if node in ends:
            places[node] = float(sum(1 for other in places if other in ends))
            waiting.pop()
        elif 2 * node in places and 2 * node + 1 in places:
            places[node] = (places[2 * node] + places[2 * node + 1]) / 2
            waiting.pop()
        else:
            waiting.append(2 * node if 2 * node not in places else 2 * node + 1)
    return places


def _share(n: float, whole: float) -> float:
    """Return the share of the rows that come to a node; 0 where it is not known."""
    return n / whole if whole and math.isfinite(n / whole) else 0.0


def _text(row: NodeRow, rows: str, wide: float, wording: OutcomeNodes) -> tuple[str, ...]:
    """Return the lines that stand in a box."""
    letters = int((wide - 6) / _LETTER)
    counts = f"({row.node}) {rows if row.is_leaf else ''}".rstrip()
    if row.is_cut:
        return counts, say(Message("tree-alt-more"))
    if row.is_leaf or pd.isna(row.words):
        return *folded(leaf_words(row, wording), letters, _LEAF_LINES), counts
    return *folded(f"{row.words}?", letters, _SPLIT_LINES), counts


def _box_lines(box: _Box) -> list[dict[str, object]]:
    """Return the lines of a box with their places."""
    top = box.middle - box.height / 2 + _PAD / 2 + _LINE / 2
    center = (box.left + box.right) / 2
    return [{"x": center, "y": top + place * _LINE, "text": line} for place, line in enumerate(box.lines)]


def _tip(row: NodeRow, counts: pd.DataFrame, rows: str, wording: OutcomeNodes) -> dict[str, str]:
    """Return what is shown on hover."""
    own = counts[counts["node"] == row.node]
    groups = [wording.group(each) for each in own.head(_MOST_GROUPS).itertuples() if each.n_learned]
    return {
        "way": NOT_SHOWN if pd.isna(row.path) else naming.whole(row.path),
        "does": say(_does(row, wording)),
        "rows": rows or NOT_SHOWN,
        "groups": "; ".join(groups) or "none",
    }


def _does(row: NodeRow, wording: OutcomeNodes) -> Message:
    if row.is_leaf:
        return Message("tree-predicts", {"leaf": Phrase(naming.whole(leaf_words(row, wording)))})
    question = NOT_SHOWN if pd.isna(row.words) else naming.whole(row.words)
    return Message("tree-asks", {"question": Phrase(question)})


def _record(box: _Box) -> dict[str, object]:
    half = box.height / 2
    return {
        "node": box.node, "kind": box.kind, "x": box.left, "x2": box.right, "y": box.middle - half,
        "y2": box.middle + half, "line": 3.0 if box.on_path else 1.2, **box.tip,
    }  # fmt: skip


def _edges(boxes: dict[int, _Box], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Return the lines between boxes, with "yes" and "no" on them."""
    corners, words = [], []
    for box in boxes.values():
        above = boxes.get(box.node // 2)
        if above is None:
            continue
        bend = above.right + 8
        look = {
            "edge": box.node,
            "wide": _THIN + (_THICK - _THIN) * box.share,
            "color": theme.TEXT if box.on_path else "#c3cbd3",
        }
        way = [(above.right, above.middle), (bend, above.middle), (bend, box.middle), (box.left, box.middle)]
        corners += [{"x": at, "y": down, "order": i, **look} for i, (at, down) in enumerate(way)]
        is_yes = box.node % 2 == 0
        words.append({"x": bend + 3, "y": box.middle + (-8 if is_yes else 9), "text": _YES if is_yes else _NO})
    lines = theme.Layer(theme.values(corners)).mark_line(strokeJoin="round", strokeCap="butt")
    labels = theme.Layer(theme.values(words)).mark_text(
        align="left", baseline="middle", fontSize=11, fontStyle="italic", color=theme.TEXT
    )
    return [
        lines.encode(
            x=x, y=y, detail=alt.Detail("edge:N"), order=alt.Order("order:Q"),
            strokeWidth=alt.StrokeWidth("wide:Q", scale=None), color=alt.Color("color:N", scale=None),
        ),
        labels.encode(x=x, y=y, text=alt.Text("text:N")),
    ] if corners else []  # fmt: skip


def _cover(base: alt.Chart, x: alt.X, y: alt.Y, *, clickable: bool) -> alt.Chart:
    """Return clear boxes above all, which are hovered over and clicked."""
    tips = theme.tooltip((("way", "Who"), ("does", "This node"), ("rows", "Training cases"), ("groups", "By group")))
    cover = base.mark_rect(fill="transparent", strokeWidth=3, cornerRadius=3)
    if not clickable:
        return cover.encode(x=x, x2=alt.X2("x2:Q"), y=y, y2=alt.Y2("y2:Q"), tooltip=tips)
    under = alt.selection_point(name="under", fields=[NODE], on="pointerover", clear="pointerout", empty=False)
    clicked = alt.selection_point(name=NODE, fields=[NODE], on="click", toggle=False, clear=False, empty=False)
    stroke = alt.condition(under, alt.value(theme.TEXT), alt.value("transparent"))
    cover = base.mark_rect(fill="transparent", strokeWidth=3, cornerRadius=3, cursor="pointer")
    return cover.encode(x=x, x2=alt.X2("x2:Q"), y=y, y2=alt.Y2("y2:Q"), tooltip=tips, stroke=stroke).add_params(
        under, clicked
    )


def _channel(channel: type[theme.Channel], field: str, size: float) -> theme.Channel:
    turned = True if channel is alt.Y else alt.Undefined
    scale = alt.Scale(domain=[0, size], nice=False, zero=False, reverse=turned)
    return channel(f"{field}:Q", scale=scale, axis=None)


def tree_title(details: Details, facts: StudyFacts | AmountStudyFacts) -> Message:
    """Return what the drawing shows, and what its shares are of, as far as a page of paper has room for the tree."""
    if len(details.nodes) < 2:
        return Message("tree-title-nothing")
    levels = drawn_levels(details.nodes)
    if levels < details.depth:
        return Message("tree-title-part", {"n": Count(levels)})
    if isinstance(facts, StudyFacts) and details.counts["n_learned"].notna().any():
        return Message("tree-title-share", {"outcome": Phrase(facts.positive_meaning)})
    return Message("tree-title")


def drawn_tree(
    details: Details, facts: StudyFacts | AmountStudyFacts, number: int, wording: OutcomeNodes = OUTCOMES
) -> Chart:
    """Return the tree of the remedy with this number."""
    levels, title = drawn_levels(details.nodes), tree_title(details, facts)
    drawing = clickable_tree_chart, clickable_tree_alt
    return chart_block(
        number, "tree", say(title), drawing, details.nodes, details.counts, levels=levels, wording=wording
    )
