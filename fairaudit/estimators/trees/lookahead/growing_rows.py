"""The rows that a tree is grown on, how it is grown, and the tree while it grows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.lookahead.coded_table import CodedTable
from fairaudit.estimators.trees.problem import parity_limit
from fairaudit.estimators.trees.rows import TreeRows

MOST_MARGIN: Final = 0.19
"""With the 80 % rule, 1 - 0.8 is the most that can be kept within it."""


@dataclass(frozen=True, eq=False)
class GrowingRows:
    """The rows that a tree is grown on.

    Parameters
    ----------
    table : CodedTable
        The columns that may be used.
    labels : ndarray of float, shape (n_rows,)
        0 or 1.
    groups : ndarray of int, shape (n_rows,)
        The index of the group.
    group_names : tuple of str
        What the groups are called.
    constraint : str
        What must be alike.
    difference : float, optional
        How far rates may be apart.
    """

    table: CodedTable
    labels: NDArray[np.float64]
    groups: NDArray[np.int64]
    group_names: tuple[str, ...]
    constraint: str
    difference: float | None
    strata: TreeRows = field(init=False)
    forms: NDArray[np.float64] = field(init=False)
    bounds: NDArray[np.float64] = field(init=False)

    def __post_init__(self):
        # Forms of the constraint are the same for all rows of a group and label, which are the cells without splits.
        nothing = np.zeros((len(self.labels), 0), dtype=bool)
        strata = TreeRows.merge(nothing, self.groups, self.labels, self.group_names)
        limit = parity_limit(strata, self.constraint, self.difference)
        object.__setattr__(self, "strata", strata)
        object.__setattr__(self, "forms", limit.forms.toarray() / strata.weights)
        object.__setattr__(self, "bounds", limit.bounds)

    @property
    def n_rows(self) -> int:
        """Rows."""
        return len(self.labels)

    def stricter(self, margin: float) -> NDArray[np.float64]:
        """Return the bounds, made stricter as far as a tree that always predicts 1 still meets them."""
        if self.constraint == "four_fifths":
            return self.bounds - min(margin, MOST_MARGIN)
        return np.maximum(self.bounds - margin, 0.0)

    def held(self, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what some rows add to each form."""
        sums = np.bincount(self.strata.cells[rows], weights=predicted[rows], minlength=self.strata.n_cells)
        return self.forms @ sums


@dataclass(frozen=True)
class Growing:
    """How a tree is grown.

    Parameters
    ----------
    max_depth : int
        Of the tree.
    look_ahead : int
        K.
    weight : float
        beta.
    margin : float
        By how much stricter than asked the constraint is held.
    sample_size : int
        Rows of a node that are searched over, at most.
    min_leaf_size : int
        Rows of each leaf, at least.
    seed : int
        Of samples.
    worth : float
        The share of all rows that a split must be worth, at least, to be kept in the end.
    is_greedy : bool
        Whether no node looks ahead, see `greedy`.
    labels_only : bool
        Whether beta and the margin count for the labels of leaves only. Splits then see the constraint as it is asked:
        held much stricter, no subtree of a few levels may keep it but a leaf, and nothing would grow.
    """

    max_depth: int
    look_ahead: int
    weight: float
    margin: float
    sample_size: int
    min_leaf_size: int
    seed: int
    worth: float = 0.0
    is_greedy: bool = False
    labels_only: bool = False

    @property
    def split_weight(self) -> float:
        """beta, as splits see it."""
        return 0.0 if self.labels_only else self.weight

    @property
    def split_margin(self) -> float:
        """The margin, as splits see it."""
        return 0.0 if self.labels_only else self.margin

    @property
    def price_of_split(self) -> float:
        """a, in rows."""
        return 1 / (2 ** (self.look_ahead + 1) - 2)


@dataclass
class Grown:
    """A tree, while it grows and at the end.

    Parameters
    ----------
    splits : dict of int to Literal
        By numbers of nodes.
    values : dict of int to float
        Of leaves.
    leaf : ndarray of int, shape (n_rows,)
        The leaf that each row comes to.
    is_complete : bool
        Whether each node was looked at before the work was done.
    """

    splits: dict[int, Literal]
    values: dict[int, float]
    leaf: NDArray[np.int64]
    is_complete: bool = True

    def graft(self, number: int, splits: dict[int, Literal], values: dict[int, float]) -> None:
        """Put a subtree, whose root is 1, in the place of a node and all below it."""
        for part in (self.splits, self.values):
            for below in [other for other in part if is_below(other, number)]:
                del part[below]
        self.splits |= {moved(node, number): split for node, split in splits.items()}
        self.values |= {moved(node, number): value for node, value in values.items()}


def is_below(node: int, top: int) -> bool:
    """Say whether a node is another one or below it."""
    return node >> max(node.bit_length() - top.bit_length(), 0) == top


def moved(node: int, top: int) -> int:
    """Return the number that a node of a subtree has where its root is `top`."""
    level = node.bit_length() - 1
    return (top << level) + node - (1 << level)


def sampled(rows: GrowingRows, own: NDArray[np.int64], growing: Growing, number: int) -> NDArray[np.int64]:
    """Return some of the rows of a node: of each group and label the same share, but at least one."""
    if len(own) <= growing.sample_size:
        return own
    random = np.random.default_rng([growing.seed, number])
    strata = rows.strata.cells[own]
    drawn = [
        random.choice(np.flatnonzero(strata == s), max(1, round(size * growing.sample_size / len(own))), replace=False)
        for s, size in enumerate(np.bincount(strata))
        if size
    ]
    return own[np.sort(np.concatenate(drawn))]
