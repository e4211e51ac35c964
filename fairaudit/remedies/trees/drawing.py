"""A decision tree, drawn: boxes side by side where these fit a page, otherwise a node a line, further in the deeper.

Nothing depends on colour: leaves that predict the outcome have a thick frame, the others a dashed one.
"""

from __future__ import annotations

import textwrap
from typing import Any, Final

import altair as alt
import pandas as pd

from fairaudit.present import brief, theme
from fairaudit.present.charts import parts
from fairaudit.present.numbers import count_text, share_text
from fairaudit.remedies.trees import chart_texts as trees_texts

MOST_ACROSS: Final = 8
"""Leaves that fit side by side."""

MOST_LINES: Final = 48
"""Nodes that fit below each other on a page."""

LEAF_WIDTH, SPLIT_WIDTH, LEVEL, GAP = 74, 150, 118, 4
LINE, STEP, LETTER, BOX = 13, 26, 5.4, 5
_WIDE = 600
_FONT = 11


def tree_caption(nodes: pd.DataFrame) -> str:
    """Return how to read the drawing of a tree."""
    if int(nodes["is_leaf"].sum()) <= MOST_ACROSS:
        return f"The tree. Thick frame: the outcome is predicted; dashed: it is not. {trees_texts.COUNTED}"
    return f"The tree. Full dot: the outcome is predicted; bold: the way ends there. {trees_texts.COUNTED}"


def tree_is_drawn(nodes: pd.DataFrame) -> bool:
    """Say whether a tree has few enough nodes for a page."""
    return len(nodes) <= MOST_LINES


def tree_chart(nodes: pd.DataFrame, leaves: pd.DataFrame, counts: pd.DataFrame) -> Any:
    """Draw a tree."""
    alt_text = trees_texts.tree_alt(nodes, leaves, counts)
    return draw_nodes([_record(row, leaves, counts) for row in nodes.itertuples()], alt_text)


def draw_nodes(records: list[dict[str, Any]], alt_text: str) -> Any:
    """Draw the nodes of a tree from what is shown of each."""
    if sum(record["is_leaf"] for record in records) <= MOST_ACROSS:
        return _across(records, alt_text)
    return _below(records, alt_text)


def _record(row: Any, leaves: pd.DataFrame, counts: pd.DataFrame) -> dict[str, Any]:
    """Return what is shown of a node."""
    here = counts[counts["node"] == row.node]
    leaf = leaves[leaves["leaf"] == row.node]
    n = count_text(here["n"].sum()) if len(here) else ""
    by_group = "; ".join(
        f"{brief.short(g.group)}: outcome {share_text(g.rate)} of {count_text(g.n)}" for g in here.itertuples()
    )
    hidden = row.words is None or pd.isna(row.words)
    return {
        "node": int(row.node),
        "parent": int(row.parent),
        "depth": int(row.depth),
        "x": float(row.x),
        "side": str(row.side),
        "is_leaf": bool(row.is_leaf),
        "kind": "hidden" if hidden else "split" if not row.is_leaf else "yes" if row.prediction == 1 else "no",
        "words": trees_texts.HIDDEN if hidden else brief.whole(row.words, 200),
        "path": trees_texts.HIDDEN if hidden else brief.whole(row.path),
        "rows": n,
        "right": f"{share_text(leaf['accuracy'].iloc[0])} right" if len(leaf) and leaf["n"].iloc[0] else "",
        "groups": by_group,
    }


def _across(records: list[dict[str, Any]], alt_text: str) -> Any:
    """Draw boxes side by side, the root on top."""
    n_leaves = sum(record["is_leaf"] for record in records)
    spacing = max(LEAF_WIDTH, min(_WIDE / max(n_leaves, 1), SPLIT_WIDTH))
    width = max(n_leaves * spacing, 2 * SPLIT_WIDTH)
    left = (width - n_leaves * spacing) / 2
    lines, boxes = [], []
    for record in records:
        below = sum(1 for other in records if other["is_leaf"] and _is_below(other["node"], record["node"]))
        room = (spacing if record["is_leaf"] else max(SPLIT_WIDTH, min(spacing * below, SPLIT_WIDTH))) - 2 * GAP
        words, counts = _wrapped(record, room)
        text = [*words, *counts]
        center = left + (record["x"] + 0.5) * spacing
        center = min(max(center, room / 2 + GAP), width - room / 2 - GAP)
        top = record["depth"] * LEVEL + BOX
        height = len(text) * LINE + 2 * BOX
        boxes.append(record | {"at": center, "x1": center - room / 2, "x2": center + room / 2, "y1": top,
                               "y2": top + height})  # fmt: skip
        lines += [
            {
                "x1": center,
                "y1": top + BOX + LINE * (place + 0.5),
                "text": line,
                "bold": place < len(words) and record["is_leaf"],
            }
            for place, line in enumerate(text)
        ]
    height = max(box["y2"] for box in boxes) + BOX
    of_node = {box["node"]: box for box in boxes}
    edges, sides = [], []
    for box in boxes:
        if box["parent"] in of_node:
            above = of_node[box["parent"]]
            edges.append({"x1": above["at"], "y1": above["y2"], "x2": box["at"], "y2": box["y1"]})
            middle = {"x1": (above["at"] + box["at"]) / 2, "y1": (above["y2"] + box["y1"]) / 2}
            sides.append(middle | {"side": box["side"]})
    layers = [*_edges(edges, width, height), *_frames(boxes, width, height), *_texts(lines, width, height)]
    layers += _sides(sides, width, height)
    return parts.finish(alt.layer(*layers), int(height), alt_text, width=int(width))


def _below(records: list[dict[str, Any]], alt_text: str) -> Any:
    """Draw a node a line, children below and further in than their parent."""
    of_node = {record["node"]: record for record in records}
    order: list[int] = []
    waiting = [1]
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += [child for child in (2 * number + 1, 2 * number) if child in of_node]
    tall = 17
    place = {number: index for index, number in enumerate(order)}
    width, height = float(_WIDE), tall * len(order) + BOX
    lines, edges, boxes = [], [], []
    for number in order:
        record = of_node[number]
        x, y = 8.0 + STEP * record["depth"], tall * (place[number] + 0.5)
        side = {"yes": "yes: ", "no": "otherwise: "}.get(record["side"], "")
        n_rows = f"{record['rows']} rows" if record["rows"] else ""
        counts = ", ".join(text for text in (n_rows, record["right"]) if text)
        counts = f" ({counts})" if counts else ""
        room = int((width - x) / LETTER) - len(side) - len(counts) - 3
        words = brief.shorten(record["words"], max(room, 12))
        lines.append({"x1": x + 6, "y1": y, "text": f"{side}{words}{counts}", "bold": record["is_leaf"]})
        boxes.append(record | {"x1": x - 4, "x2": x + 3, "y1": y - 4, "y2": y + 4})
        if record["parent"] in of_node:
            up = 8.0 + STEP * (record["depth"] - 1)
            above = tall * (place[record["parent"]] + 0.5)
            edges += [{"x1": up, "y1": above + 4, "x2": up, "y2": y}, {"x1": up, "y1": y, "x2": x - 4, "y2": y}]
    layers = [*_edges(edges, width, height), *_frames(boxes, width, height, dashed=False)]
    layers += _texts(lines, width, height, align="left")
    return parts.finish(alt.layer(*layers), int(height), alt_text, width=int(width))


def _wrapped(record: dict[str, Any], room: float) -> tuple[list[str], list[str]]:
    """Return the lines of a box: its words, and who comes there."""
    wide = max(int(room / LETTER), 8)
    words = textwrap.wrap(record["words"], wide, break_long_words=True)[: 5 if record["is_leaf"] else 4]
    counts = [f"{record['rows']} rows" if record["rows"] else "", record["right"]]
    return words, [text for text in counts if text]


def _is_below(node: int, above: int) -> bool:
    while node > above:
        node //= 2
    return node == above


def _scales(width: float, height: float) -> dict[str, Any]:
    """Return the channels of places in pixels from the upper left corner."""
    x = alt.X("x1:Q", axis=None, scale=alt.Scale(domain=[0, width], nice=False, zero=False))
    y = alt.Y("y1:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False, zero=False))
    return {"x": x, "y": y}


def _edges(edges: list[dict[str, Any]], width: float, height: float) -> list[Any]:
    if not edges:
        return []
    drawn = parts.Layer(parts.values(edges)).mark_rule(color=theme.LINE, strokeWidth=1.2)
    return [drawn.encode(**_scales(width, height), x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))]


def _frames(boxes: list[dict[str, Any]], width: float, height: float, *, dashed: bool = True) -> list[Any]:
    hover = parts.tooltip(
        [("words", "Node"), ("path", "Who comes here"), ("rows", "Held-out rows"), ("right", "Prediction"),
         ("groups", "By group")]
    )  # fmt: skip
    looks = {
        "split": {"fill": theme.BAND, "stroke": theme.LINE, "strokeWidth": 1},
        "yes": {"fill": theme.ALIKE, "stroke": theme.TEXT, "strokeWidth": 2.4},
        "no": {"fill": "#ffffff", "stroke": theme.TEXT, "strokeWidth": 1, "strokeDash": [4, 3]},
        "hidden": {"fill": "#ffffff", "stroke": theme.LINE, "strokeWidth": 0.8, "strokeDash": [1, 2]},
    }
    layers = []
    for kind, look in looks.items():
        some = [box for box in boxes if box["kind"] == kind]
        if some:
            if not dashed:
                look = look | {"strokeDash": [1, 0], "fill": theme.TEXT if kind == "yes" else look["fill"]}
            drawn = parts.Layer(parts.values(some)).mark_rect(cornerRadius=3, fillOpacity=1, **look)
            layers.append(drawn.encode(**_scales(width, height), x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"), tooltip=hover))
    return layers


def _texts(lines: list[dict[str, Any]], width: float, height: float, *, align: str = "center") -> list[Any]:
    layers = []
    for bold in (False, True):
        some = [line for line in lines if line["bold"] == bold]
        if some:
            weight = "bold" if bold else "normal"
            drawn = parts.Layer(parts.values(some)).mark_text(
                align=align, baseline="middle", fontSize=_FONT, fontWeight=weight, color=theme.TEXT
            )
            layers.append(drawn.encode(**_scales(width, height), text=alt.Text("text:N")))
    return layers


def _sides(sides: list[dict[str, Any]], width: float, height: float) -> list[Any]:
    """Write beside each line, away from the other line of its node, whether the split holds."""
    layers = []
    for side, text, align, shift in (("yes", "yes", "right", -7), ("no", "otherwise", "left", 7)):
        some = [record for record in sides if record["side"] == side]
        if some:
            drawn = parts.Layer(parts.values(some)).mark_text(
                fontSize=_FONT - 1, fontStyle="italic", color=theme.QUIET, align=align, dx=shift, text=text
            )
            layers.append(drawn.encode(**_scales(width, height)))
    return layers
