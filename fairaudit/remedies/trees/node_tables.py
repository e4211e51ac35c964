"""A tree as tables: its nodes in words, who comes to each, and what its leaves are right about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.trees.tree import Step, Tree
from fairaudit.measure.intervals import ratio, wilson
from fairaudit.measure.plain import names_of
from fairaudit.remedies.trees.details import COUNTS, LEAVES, NODES


def node_table(tree: Tree, protected: Collection[str], close: Collection[str]) -> pd.DataFrame:
    """Return each node in words and as a condition, and where to draw it."""
    places = {place.number: place for place in tree.places()}
    rows = []
    for node in tree.nodes:
        number, place = node.number, places[node.number]
        columns = () if node.split is None else Step(node.split, True).columns
        rows.append(
            (
                number,
                number // 2,
                "" if number == 1 else "no" if number % 2 else "yes",
                node.depth,
                place.x,
                place.y,
                node.is_leaf,
                place.words,
                node.value if node.is_leaf else np.nan,
                tree.path(number),
                tree.condition(number).text,
                not set(protected).isdisjoint(columns),
                ", ".join(column for column in columns if column in close),
            )
        )
    return pd.DataFrame(rows, columns=names_of(NODES))


def inside(leaves: NDArray[np.int64], node: int) -> NDArray[np.bool_]:
    """Return which rows come to a node on the way to their leaf.

    Shapes: `leaves` (n,); returns (n,).

    Examples
    --------
    >>> inside(np.array([2, 6, 7]), 3).tolist()
    [False, True, True]
    """
    below = leaves.copy()
    while (deeper := below > node).any():
        below[deeper] //= 2
    return below == node


def count_table(
    tree: Tree,
    names: Sequence[str],
    *,
    learned: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]],
    held_out: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]],
    confidence: float,
) -> pd.DataFrame:
    """Count the rows of each group that come to each node."""
    found = []
    for node in tree.nodes:
        reached = [inside(leaves, node.number) for leaves, _, _ in (learned, held_out)]
        for name in names:
            counts: list[int] = []
            for here, (_, y, groups) in zip(reached, (learned, held_out), strict=True):
                own = here & (groups == name)
                counts += [int(own.sum()), int(y[own].sum())]
            found.append((node.number, name, *counts))
    columns = ["node", "group", "n_learned", "n_learned_positive", "n", "n_positive"]
    table = pd.DataFrame(found, columns=columns)
    low, high = wilson(table["n_positive"], table["n"], confidence)
    table = table.assign(
        learned_rate=ratio(table["n_learned_positive"], table["n_learned"]),
        rate=ratio(table["n_positive"], table["n"]),
        rate_low=low,
        rate_high=high,
    )
    return table[names_of(COUNTS)]


def leaf_table(nodes: pd.DataFrame, counts: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Return what each leaf is right about, over all groups."""
    leaves = nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable")
    sums = counts.groupby("node")[["n_learned", "n", "n_positive"]].sum().loc[leaves["node"]]
    n, positive = sums["n"].to_numpy(), sums["n_positive"].to_numpy()
    right = np.where(leaves["prediction"].to_numpy() == 1, positive, n - positive)
    low, high = wilson(right, n, confidence)
    table = pd.DataFrame(
        {
            "leaf": leaves["node"].to_numpy(),
            "path": leaves["path"].to_numpy(),
            "prediction": leaves["words"].to_numpy(),
            "n_learned": sums["n_learned"].to_numpy(),
            "n": n,
            "n_right": right,
            "accuracy": ratio(right, n),
            "accuracy_low": low,
            "accuracy_high": high,
        }
    )
    return table[names_of(LEAVES)]
