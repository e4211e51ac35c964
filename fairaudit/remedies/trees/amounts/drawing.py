"""A tree of amounts, drawn: as :mod:`~fairaudit.remedies.trees.drawing`, with mean amounts in the leaves."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.numbers import count_text, number_text
from fairaudit.remedies.trees import chart_texts as trees_texts
from fairaudit.remedies.trees.drawing import draw_nodes


def amount_tree_chart(nodes: pd.DataFrame, leaves: pd.DataFrame, counts: pd.DataFrame, *, digits: int = 0) -> Any:
    """Draw a tree of amounts."""
    records = [_record(row, leaves, counts, digits) for row in nodes.itertuples()]
    return draw_nodes(records, amount_tree_alt(nodes, leaves, counts, digits=digits))


def amount_tree_alt(nodes: pd.DataFrame, leaves: pd.DataFrame, counts: pd.DataFrame, *, digits: int = 0) -> str:
    """Return a tree of amounts in words, and what held-out rows in its leaves have."""
    text = trees_texts.tree_alt(nodes, leaves, counts)
    if not len(leaves) or len(leaves) > trees_texts.MOST_LEAVES_LISTED:
        return text
    means = ", ".join(number_text(value, digits=digits) for value in leaves["actual"])
    return f"{text} Mean amounts of the held-out rows in the leaves, in the same order: {means}."


def _record(row: Any, leaves: pd.DataFrame, counts: pd.DataFrame, digits: int) -> dict[str, Any]:
    """Return what is shown of a node."""
    here = counts[counts["node"] == row.node]
    leaf = leaves[leaves["leaf"] == row.node] if len(leaves) else leaves
    by_group = "; ".join(
        f"{brief.short(g.group)}: mean {number_text(g.actual, digits=digits)} of {count_text(g.n)} rows"
        for g in here.itertuples()
    )
    hidden = row.words is None or pd.isna(row.words)
    has_rows = len(leaf) > 0 and leaf["n"].iloc[0] > 0
    return {
        "node": int(row.node),
        "parent": int(row.parent),
        "depth": int(row.depth),
        "x": float(row.x),
        "side": str(row.side),
        "is_leaf": bool(row.is_leaf),
        "kind": "hidden" if hidden else "yes" if row.is_leaf else "split",
        "words": trees_texts.HIDDEN if hidden else brief.whole(row.words, 200),
        "path": trees_texts.HIDDEN if hidden else brief.whole(row.path),
        "rows": count_text(here["n"].sum()) if len(here) else "",
        "right": f"mean {number_text(leaf['actual'].iloc[0], digits=digits)}" if has_rows else "",
        "groups": by_group,
    }
