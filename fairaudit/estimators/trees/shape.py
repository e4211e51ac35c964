"""The shape of a tree over numbered splits: what a search returns, before it is put into words.

Nodes are numbered as in a heap: the root is 1, the children of node t are 2 t (left: the split holds) and 2 t + 1. A
tree of depth K has the nodes 1 ... 2^K - 1 that may split and the leaves 2^K ... 2^(K+1) - 1. From a node that does not
split all rows go left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

NO_SPLIT: Final = -1
"""In the place of a split, where a node does not split."""


@dataclass(frozen=True)
class TreeShape:
    """Splits and values of a tree.

    Parameters
    ----------
    splits : tuple of int
        For each node that may split, in the order of numbers, the column of ``TreeRows.holds``, or `NO_SPLIT`;
        2^K - 1 of them. Nodes below one that does not split do not split.
    values : tuple of float
        What each leaf predicts; 2^K of them. Below a node that does not split all are the same.

    Examples
    --------
    >>> shape = TreeShape((1, NO_SPLIT, 0), (1.0, 1.0, 0.0, 1.0))
    >>> shape.depth, shape.n_splits
    (2, 2)
    >>> shape.predict(np.array([[0, 1], [1, 0], [0, 0]], dtype=bool)).tolist()
    [1.0, 0.0, 1.0]
    """

    splits: tuple[int, ...]
    values: tuple[float, ...]

    @classmethod
    def stump(cls, depth: int, value: float) -> Self:
        """Return the tree that never splits."""
        return cls((NO_SPLIT,) * (2**depth - 1), (float(value),) * 2**depth)

    @property
    def depth(self) -> int:
        """The depth K that the shape has room for."""
        return len(self.values).bit_length() - 1

    @property
    def n_splits(self) -> int:
        """Nodes that split."""
        return sum(split != NO_SPLIT for split in self.splits)

    def leaves(self, holds: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the leaf that each row comes to, from 0.

        Shapes: `holds` (n, n_splits); returns (n,).
        """
        rows = np.arange(len(holds))
        node, splits = np.ones(len(holds), dtype=np.int64), np.array((NO_SPLIT, *self.splits))
        for _ in range(self.depth):
            split = splits[node]
            left = (split == NO_SPLIT) | holds[rows, np.maximum(split, 0)] if holds.shape[1] else split == NO_SPLIT
            node = 2 * node + ~left
        return node - 2**self.depth

    def predict(self, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the prediction for each row; see `leaves`."""
        return np.array(self.values)[self.leaves(holds)]

    def with_values(self, values: NDArray[np.float64]) -> Self:
        """Return the same splits with other values."""
        return type(self)(self.splits, tuple(float(value) for value in values))

    def deepened(self, depth: int) -> Self:
        """Return the same tree with room for more levels.

        Examples
        --------
        >>> TreeShape((3,), (0.0, 1.0)).deepened(2)
        TreeShape(splits=(3, -1, -1), values=(0.0, 0.0, 1.0, 1.0))
        """
        n_more = 2**depth - 1 - len(self.splits)
        values = tuple(value for value in self.values for _ in range(2 ** (depth - self.depth)))
        return type(self)((*self.splits, *(NO_SPLIT,) * n_more), values)

    def tidy(self) -> Self:
        """Return the same predictions with no split that makes no difference."""
        splits, values = [NO_SPLIT, *self.splits], list(self.values)
        for node in range(len(self.splits), 0, -1):
            first, n_below = leaves_below(node, self.depth)
            part = slice(first, first + n_below)
            children = splits[2 * node : 2 * node + 2] if 2 * node <= len(self.splits) else []
            is_leaf = all(split == NO_SPLIT for split in children)
            if splits[node] == NO_SPLIT or (is_leaf and len(set(values[part])) == 1):
                splits[node], values[part] = NO_SPLIT, [values[first]] * n_below
        return type(self)(tuple(splits[1:]), tuple(values))


def leaves_below(node: int, depth: int) -> tuple[int, int]:
    """Return the first leaf below a node, from 0, and how many there are.

    Examples
    --------
    >>> leaves_below(1, 2), leaves_below(3, 2)
    ((0, 4), (2, 2))
    """
    level = node.bit_length() - 1
    n_below = 2 ** (depth - level)
    return n_below * (node - 2**level), n_below
