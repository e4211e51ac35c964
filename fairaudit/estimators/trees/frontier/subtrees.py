"""The best subtrees for given costs of cells, over all sets of literals at once.

Where a cell costs w_i if it is predicted 1 and nothing else, a tree costs the sum over its leaves of what they cost,
so that subtrees can be chosen one by one, from the longest sets of literals up::

    V(S) = min( 0, w(S), split_price + min over l of V(S, l) + V(S, not l) )
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.literal_sets import LiteralSets
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BestSubtrees:
    """What the best subtree below each set costs.

    Parameters
    ----------
    sets : LiteralSets
        The sets.
    ones : list of ndarray of float
        For each length of sets, what predicting 1 for all rows costs.
    values : list of ndarray of float
        For each length of sets, V; infinite where a leaf would be too small.
    split_price : float
        What a split costs.
    """

    sets: LiteralSets
    ones: list[Floats]
    values: list[Floats]
    split_price: float

    @classmethod
    def of(
        cls,
        sets: LiteralSets,
        longest: Floats,
        too_small: Sequence[NDArray[np.bool_]] | None,
        split_price: float,
        floor: Floats | None = None,
    ) -> BestSubtrees:
        """Find them."""
        ones = sets.shorter_sums(longest)
        values: list[Floats] = []
        for length in range(sets.longest, -1, -1):
            best = np.minimum(ones[length], 0.0)
            if floor is not None and length == sets.longest:
                best = np.minimum(best, floor)
            if too_small is not None:
                best[too_small[length]] = np.inf
            if values:
                held, missed = sets.children[length]
                split = (values[-1][held] + values[-1][missed]).min(axis=1) + split_price
                best = np.minimum(best, split)
            values.append(best)
        return cls(sets, ones, values[::-1], split_price)

    @property
    def value(self) -> float:
        """What the best tree costs."""
        return float(self.values[0][0])

    def shape(self, columns: NDArray[np.int64], depth: int) -> TreeShape:
        """Return the best tree, with as few splits as ties allow.

        Shapes: `columns` (L,).
        """
        splits, values = [NO_SPLIT] * (2**depth - 1), np.zeros(2**depth)
        stack = [(1, 0, 0)]
        while stack:
            node, length, number = stack.pop()
            leaf = min(float(self.ones[length][number]), 0.0)
            if length == self.sets.longest or not self.values[length][number] < leaf:
                first, n_below = leaves_below(node, depth)
                values[first : first + n_below] = float(leaf < 0)
                continue
            held, missed = (children[number] for children in self.sets.children[length])
            place = int(np.argmin(self.values[length + 1][held] + self.values[length + 1][missed]))
            variable = self.sets.added[length][number >> length, place]
            splits[node - 1] = int(columns[variable])
            stack += [(2 * node, length + 1, int(held[place])), (2 * node + 1, length + 1, int(missed[place]))]
        return TreeShape(tuple(splits), tuple(values.tolist()))
