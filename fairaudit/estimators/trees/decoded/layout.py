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


@dataclass(frozen=True)
class Edge:
    """A line from a node to its child.

    Parameters
    ----------
    parent, child : int
        Numbers of nodes.
    holds : bool
        Whether it is for rows for which the split holds.
    """

    parent: int
    child: int
    holds: bool


@dataclass(frozen=True)
class Layout:
    """A tree to be drawn.

    Parameters
    ----------
    places : tuple of Place
        In the order of numbers.
    edges : tuple of Edge
        In the order of children.
    """

    places: tuple[Place, ...]
    edges: tuple[Edge, ...]


def tree_layout(nodes: Sequence[Node], leaves: Sequence[Node], words: Mapping[int, str]) -> Layout:
    """Return where to draw each node and what to write there: nodes by number, leaves from left to right."""
    x = {leaf.number: float(place) for place, leaf in enumerate(leaves)}
    for node in reversed(nodes):
        if not node.is_leaf:
            x[node.number] = (x[2 * node.number] + x[2 * node.number + 1]) / 2
    places = tuple(
        Place(node.number, x[node.number], float(node.depth), words[node.number], node.is_leaf) for node in nodes
    )
    edges = tuple(Edge(node.number // 2, node.number, node.number % 2 == 0) for node in nodes if node.number > 1)
    return Layout(places, edges)
