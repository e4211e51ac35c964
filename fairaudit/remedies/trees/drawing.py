"""A decision tree, drawn from left to right, as one clicks on it and as a report has room for it.

Each leaf has a line of its own, so that no two boxes meet.

"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import pandas as pd

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import Chart
from fairaudit.present.charts import theme
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.remedies.charts import remedy_chart
from fairaudit.remedies.trees.labels import (
    OUTCOMES,
    SHADES,
    OutcomeNodes,
    clickable_tree_alt,
    drawn_levels,
    drawn_nodes,
    folded,
    leaf_words,
    rows_at,
)
from fairaudit.remedies.trees.words import Details
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts

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
) -> Any:
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
    lines = [line for box in boxes.values() for line in _lines(box)]
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


def _text(row: Any, rows: str, wide: float, wording: OutcomeNodes) -> tuple[str, ...]:
    """Return the lines that stand in a box."""
    letters = int((wide - 6) / _LETTER)
    counts = f"({row.node}) {rows if row.is_leaf else ''}".rstrip()
    if row.is_cut:
        return counts, say(Message("tree-alt-more"))
    if row.is_leaf or pd.isna(row.words):
        return *folded(leaf_words(row, wording), letters, _LEAF_LINES), counts
    return *folded(f"{row.words}?", letters, _SPLIT_LINES), counts


def _lines(box: _Box) -> list[dict[str, Any]]:
    """Return the lines of a box with their places."""
    top = box.middle - box.height / 2 + _PAD / 2 + _LINE / 2
    center = (box.left + box.right) / 2
    return [{"x": center, "y": top + place * _LINE, "text": line} for place, line in enumerate(box.lines)]


def _tip(row: Any, counts: pd.DataFrame, rows: str, wording: OutcomeNodes) -> dict[str, str]:
    """Return what is shown on hover."""
    own = counts[counts["node"] == row.node]
    groups = [wording.group(each) for each in own.head(_MOST_GROUPS).itertuples() if each.n_learned]
    return {
        "way": NOT_SHOWN if pd.isna(row.path) else naming.whole(row.path),
        "does": say(_does(row, wording)),
        "rows": rows or NOT_SHOWN,
        "groups": "; ".join(groups) or "none",
    }


def _does(row: Any, wording: OutcomeNodes) -> Message:
    if row.is_leaf:
        return Message("tree-predicts", {"leaf": Phrase(naming.whole(leaf_words(row, wording)))})
    question = NOT_SHOWN if pd.isna(row.words) else naming.whole(row.words)
    return Message("tree-asks", {"question": Phrase(question)})


def _record(box: _Box) -> dict[str, Any]:
    half = box.height / 2
    return {
        "node": box.node, "kind": box.kind, "x": box.left, "x2": box.right, "y": box.middle - half,
        "y2": box.middle + half, "line": 3.0 if box.on_path else 1.2, **box.tip,
    }  # fmt: skip


def _edges(boxes: dict[int, _Box], x: Any, y: Any) -> list[Any]:
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


def _cover(base: alt.Chart, x: Any, y: Any, *, clickable: bool) -> alt.Chart:
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


def _channel(channel: type, field: str, size: float) -> Any:
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
    return remedy_chart(
        number, "tree", say(title), drawing, details.nodes, details.counts, levels=levels, wording=wording
    )
