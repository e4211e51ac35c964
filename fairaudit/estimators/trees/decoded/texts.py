"""A tree as text, rules and tables."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

import pandas as pd

from fairaudit.data.formulas import neutralised
from fairaudit.estimators.trees.decoded.tree import GOES_RIGHT

if TYPE_CHECKING:
    from fairaudit.estimators.trees.decoded.nodes import Node
    from fairaudit.estimators.trees.decoded.tree import Tree


def tree_text(tree: Tree) -> str:
    """Return a tree as indented rules."""
    lines: list[str] = []
    waiting: list[tuple[int, int, str]] = [(1, 0, "")]
    while waiting:
        number, indent, before = waiting.pop()
        node = tree.node(number)
        start = "  " * indent + before
        if node.split is None:
            lines.append(f"{start}predict {tree.prediction_text(node)} ({_told(tree, node)})")
            continue
        if before:
            lines.append(start.rstrip())
            indent += 1
        lines.append(f"{'  ' * indent}if {node.split.words()}")
        waiting.append((2 * number + 1, indent, "otherwise "))
        waiting.append((2 * number, indent, "then "))
    if tree.n_leaves > 1:
        lines.append(GOES_RIGHT)
    return "\n".join(lines)


def tree_rules(tree: Tree) -> tuple[str, ...]:
    """Return a condition for each leaf, which selects its rows."""
    return tuple(tree.condition(leaf.number).text for leaf in tree.leaves)


def leaf_table(tree: Tree) -> pd.DataFrame:
    """Return a table with a line for each leaf."""
    lines = []
    for leaf in tree.leaves:
        line = [leaf.number, tree.path(leaf.number), tree.prediction_text(leaf), leaf.n_rows, leaf.rate]
        for size, rate in zip(leaf.sizes, leaf.rates, strict=True):
            line += [size, rate]
        lines.append(line)
    names = ["leaf", "path", "prediction", "rows", "rate"]
    if len(tree.group_names) > 1:
        names += [f"{what} of {name}" for name in tree.group_names for what in ("rows", "rate")]
    return pd.DataFrame([line[: len(names)] for line in lines], columns=names)


def leaf_csv(tree: Tree) -> str:
    """Return the table of leaves as CSV."""
    table = leaf_table(tree)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutralised(str(name)) for name in (*table.columns, "condition")])
    for line, condition in zip(table.itertuples(index=False), tree_rules(tree), strict=True):
        writer.writerow([_cell(value) for value in (*line, condition)])
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return neutralised(value)
    return "" if isinstance(value, float) and math.isnan(value) else value


def _told(tree: Tree, node: Node) -> str:
    rows = f"{node.n_rows:,} row{'' if node.n_rows == 1 else 's'}"
    if not node.n_rows:
        return rows
    if tree.task == "regression":
        return f"{rows}, mean {node.rate:.4g}"
    return f"{rows}, {node.rate:.0%} {tree.outcomes[1]}"
