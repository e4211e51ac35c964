"""The best subtrees of up to two splits in a row below a set of rows, from sums over each two splits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape

Floats = NDArray[np.float64]


class PairTables:
    """What subtrees of the rows of one set cost.

    Parameters
    ----------
    sums : ndarray of float, shape (1 or 2, L + 1, L + 1)
        Sums over the rows for which two variables hold: of costs and, where `least` asks for it, of rows. The last
        variable holds for all.
    least : int
        Rows of a leaf, at least.
    price : float
        What a split costs.
    """

    def __init__(self, sums: Floats, least: int, price: float) -> None:
        self._price = price
        self._leaves = _quarters(sums[0])
        whole, held = float(sums[0, -1, -1]), sums[0, :-1, -1]
        # by the root's variable: what its sides cost as leaves that are predicted 1
        self._whole, self._sides = whole, (held, whole - held)
        best = [np.minimum(leaf, 0.0) for leaf in self._leaves]
        ends = [np.minimum(side, 0.0) for side in self._sides]
        if least > 1:
            for leaf, count in zip(best, _quarters(sums[1]), strict=True):
                leaf[count < least] = np.inf
            n_held = sums[1, :-1, -1]
            for end, count in zip(ends, (n_held, sums[1, -1, -1] - n_held), strict=True):
                end[count < least] = np.inf
        self._ends = ends
        self._pairs = (best[0] + best[1], best[2] + best[3])
        below = [np.minimum(end, pair.min(axis=1) + price) for end, pair in zip(ends, self._pairs, strict=True)]
        self._below, self._split = below, below[0] + below[1]
        self.value = float(min(whole, 0.0, self._split.min(initial=np.inf) + price))

    def subtree(self) -> TreeShape:
        """Return the best subtree, with as few splits as ties allow."""
        alone = float(min(self._whole, 0.0))
        if not self.value < alone:
            return TreeShape.stump(2, float(self._whole < 0))
        return self.rooted(int(np.argmin(self._split)))

    def rooted(self, root: int) -> TreeShape:
        """Return the best subtree with a root."""
        splits, labels = [root, NO_SPLIT, NO_SPLIT], [0.0] * 4
        for side, (end, pair) in enumerate(zip(self._ends, self._pairs, strict=True)):
            second = int(np.argmin(pair[root]))
            if pair[root, second] + self._price < end[root]:
                splits[1 + side] = second
                leaves = [self._leaves[2 * side + place][root, second] for place in (0, 1)]
            else:
                leaves = [self._sides[side][root]] * 2
            labels[2 * side : 2 * side + 2] = [float(leaf < 0) for leaf in leaves]
        return TreeShape(tuple(splits), tuple(labels))

    @property
    def roots(self) -> Floats:
        """What the best subtree costs that splits by each variable at its root, shape (L,)."""
        return self._split + self._price

    def with_root_and_each(self, root: int) -> Floats:
        """Return what the best subtree with a root costs that splits by each variable, shape (L,)."""
        one, two = (other[root] + pair[root] for other, pair in zip(self._below[::-1], self._pairs, strict=True))
        found = np.minimum(one, two) + 2 * self._price
        found[root] = self.roots[root]
        return found

    def with_each(self) -> Floats:
        """Return what the best subtree costs that splits by each variable, shape (L,)."""
        values = self._split + self._price
        found = values.copy()
        for below, pair in zip(self._below, self._pairs, strict=True):
            other = np.subtract(values, below, out=np.full_like(below, np.inf), where=np.isfinite(below))
            found = np.minimum(found, (other[:, None] + pair).min(axis=0, initial=np.inf) + self._price)
        return found


class PairValue:
    """What the best subtree costs, where leaves may have any size: sums of many sets, one after the other.

    Parameters
    ----------
    n_variables : int
        L.
    price : float
        What a split costs.
    """

    def __init__(self, n_variables: int, price: float) -> None:
        # The same memory each time: new arrays of this size would take longer than what is done with them.
        self._second, self._one, self._two = np.empty((3, n_variables, n_variables))
        self._price = price

    def __call__(self, sums: Floats) -> float:
        """Return the value.

        Shapes: `sums` (L + 1, L + 1), as in `PairTables`.
        """
        both, held, whole = sums[:-1, :-1], sums[:-1, -1], float(sums[-1, -1])
        np.subtract(held[None, :], both, out=self._second)
        split = self._below(both, held) + self._below(self._second, whole - held)
        return float(min(whole, 0.0, split.min(initial=np.inf) + self._price))

    def _below(self, held: Floats, whole: Floats) -> Floats:
        """Return what a side of each variable costs, from the leaves where a second one holds, and the whole side."""
        np.subtract(whole[:, None], held, out=self._two)
        np.minimum(self._two, 0.0, out=self._two)
        np.minimum(held, 0.0, out=self._one)
        self._one += self._two
        return np.minimum(np.minimum(whole, 0.0), self._one.min(axis=1, initial=np.inf) + self._price)


def _quarters(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return sums by two variables: both hold, only the first, only the second, neither.

    Shapes: `sums` (L + 1, L + 1); returns (L, L) each.
    """
    both, one = sums[:-1, :-1], sums[:-1, -1]
    first, second = one[:, None] - both, one[None, :] - both
    return both, first, second, sums[-1, -1] - one[:, None] - second
