"""The best subtrees of up to two splits in a row below given sets of literals, one set at a time.

Below a set of literals with the rows R, the sums of costs over R and any two literals are one product of matrices. They
give the costs of all four leaves of each pair of splits, and so the best subtree exactly, in the memory of one product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.literal_sets import LiteralSets
from fairaudit.estimators.trees.shape import NO_SPLIT

Floats = NDArray[np.float64]

DEEP: Final = 2
"""Splits in a row that are found."""
PER_PAIR: Final = 1
"""Elements that a pair of literals takes, beside its part of the product; all stay in a processor's cache."""
CALLS: Final = 1
"""Small steps that a set takes."""


@dataclass(frozen=True)
class PairSubtree:
    """A subtree of at most two splits in a row.

    Parameters
    ----------
    value : float
        What it costs.
    splits : tuple of int
        The variables at its root, where that one holds, and where it does not; or `NO_SPLIT`.
    labels : tuple of float
        The four leaves below, those of rows for which a variable holds before the others.
    """

    value: float
    splits: tuple[int, int, int]
    labels: tuple[float, float, float, float]


class PairSubtrees:
    """Best subtrees over a table of splits.

    Parameters
    ----------
    holds : ndarray of float, shape (n_cells, L)
        Whether each split holds for each cell.
    weights : ndarray of float, shape (n_cells,)
        Rows of each cell.
    least : int
        Rows of a leaf, at least.
    split_price : float
        What a split costs.
    """

    def __init__(self, holds: Floats, weights: Floats, least: int, split_price: float) -> None:
        self._holds, self._weights = holds, weights
        self._least, self._price = least, split_price

    def values(self, sets: LiteralSets, costs: Floats) -> Floats:
        """Return what the best subtree below each longest set costs.

        Shapes: `costs` (n_cells,); returns (sets.sizes[-1],).
        """
        found = np.zeros(sets.sizes[-1])
        for number, rows in self._rows(sets):
            if len(rows):
                found[number] = self._tables(rows, costs).value
        return found

    def subtree(self, sets: LiteralSets, number: int, costs: Floats) -> PairSubtree:
        """Return the best subtree below one of the longest sets."""
        inside = np.ones(len(self._holds), dtype=bool)
        for variable, held in sets.literals(sets.longest, number):
            inside &= self._holds[:, variable] == held
        return self._tables(np.flatnonzero(inside), costs).subtree()

    def _rows(self, sets: LiteralSets) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Iterate over the longest sets: the number of each and its cells."""
        held = self._holds.astype(np.int64)
        for place, variables in enumerate(sets.variables[sets.longest]):
            signs = held[:, variables] @ (1 << np.arange(sets.longest))
            for sign in range(1 << sets.longest):
                yield (place << sets.longest) + sign, np.flatnonzero(signs == sign)

    def _tables(self, rows: NDArray[np.int64], costs: Floats) -> PairTables:
        sizes = self._weights[rows] if self._least > 1 else None
        return PairTables(self._holds[rows], costs[rows], sizes, self._least, self._price)


class PairTables:
    """What subtrees of the rows of one set cost.

    Shapes: `holds` (n, L), `costs` (n,), `sizes` (n,).
    """

    def __init__(self, holds: Floats, costs: Floats, sizes: Floats | None, least: int, price: float) -> None:
        self._price = price
        self._leaves = _quarters(holds, costs)
        whole = costs.sum()
        held = self._leaves[0].diagonal()
        # by the root's variable: what its sides cost as leaves that are predicted 1
        self._whole, self._sides = whole, (held, whole - held)
        best = [np.minimum(leaf, 0.0) for leaf in self._leaves]
        ends = [np.minimum(side, 0.0) for side in self._sides]
        if sizes is not None:
            counts = _quarters(holds, sizes)
            for leaf, count in zip(best, counts, strict=True):
                leaf[count < least] = np.inf
            n_held = counts[0].diagonal()
            for end, count in zip(ends, (n_held, sizes.sum() - n_held), strict=True):
                end[count < least] = np.inf
        self._ends = ends
        self._pairs = (best[0] + best[1], best[2] + best[3])
        below = [np.minimum(end, pair.min(axis=1) + price) for end, pair in zip(ends, self._pairs, strict=True)]
        self._split = below[0] + below[1]
        self.value = float(min(whole, 0.0, self._split.min(initial=np.inf) + price))

    def subtree(self) -> PairSubtree:
        """Return the best subtree, with as few splits as ties allow."""
        alone = float(min(self._whole, 0.0))
        if not self.value < alone:
            label = float(self._whole < 0)
            return PairSubtree(alone, (NO_SPLIT,) * 3, (label,) * 4)
        root = int(np.argmin(self._split))
        splits, labels = [root, NO_SPLIT, NO_SPLIT], [0.0] * 4
        for side, (end, pair) in enumerate(zip(self._ends, self._pairs, strict=True)):
            second = int(np.argmin(pair[root]))
            if pair[root, second] + self._price < end[root]:
                splits[1 + side] = second
                leaves = [self._leaves[2 * side + place][root, second] for place in (0, 1)]
            else:
                leaves = [self._sides[side][root]] * 2
            labels[2 * side : 2 * side + 2] = [float(leaf < 0) for leaf in leaves]
        return PairSubtree(self.value, (splits[0], splits[1], splits[2]), tuple(labels))


def _quarters(holds: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the sums of weights by two variables: both hold, only the first, only the second, neither.

    Shapes: `holds` (n, L), `weights` (n,); returns (L, L) each.
    """
    both = (holds * weights[:, None]).T @ holds
    one = both.diagonal()
    first, second = one[:, None] - both, one[None, :] - both
    return both, first, second, weights.sum() - one[:, None] - second


def work_of_values(n_variables: int, longest: int, n_cells: int) -> dict[str, float]:
    """Return the work of :meth:`PairSubtrees.values` on sets of a length, as a budget counts it.

    Examples
    --------
    >>> work_of_values(10, 1, 50)
    {'products': 50000.0, 'elements': 2000.0, 'calls': 20.0}
    """
    n_sets, n_pairs = comb(n_variables, longest), float(n_variables) ** 2
    return {
        "products": n_cells * n_sets * n_pairs,
        "elements": PER_PAIR * (n_sets << longest) * n_pairs,
        "calls": float(CALLS * (n_sets << longest)),
    }
