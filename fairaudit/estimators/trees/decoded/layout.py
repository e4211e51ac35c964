"""Where to draw the nodes of a tree: plain numbers, for whatever draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairaudit.estimators.trees.decoded.nodes import Node


@dataclass(frozen=True)
class Place:
    """Where a node is drawn.

    Parameters
    ----------
    number : int
        The node.
    x : float
        From 0 to the number of leaves - 1: leaves lie one apart, and other nodes midway above their children.
    y : float
        Steps from the root, downwards.
    words : str
        The split, or the prediction.
    is_leaf : bool
        Whether it is a leaf.
    """

    number: int
    x: float
    y: float
    words: str
    is_leaf: bool


def tree_layout(nodes: Sequence[Node], leaves: Sequence[Node], words: Mapping[int, str]) -> tuple[Place, ...]:
    """Return where to draw each node and what to write there, in the order of numbers; leaves go from left to right."""
    x = {leaf.number: float(place) for place, leaf in enumerate(leaves)}
    for node in reversed(nodes):
        if not node.is_leaf:
            x[node.number] = (x[2 * node.number] + x[2 * node.number + 1]) / 2
    return tuple(
        Place(node.number, x[node.number], float(node.depth), words[node.number], node.is_leaf) for node in nodes
    )
