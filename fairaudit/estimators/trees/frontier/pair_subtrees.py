"""The best subtrees of up to two splits in a row below given sets of literals, one set at a time.

Below a set of literals with the rows R, the sums of costs over R and any two literals are one product of matrices. They
give the costs of all four leaves of each pair of splits, and so the best subtree exactly, in the memory of one product.

Products of sets that differ in few rows differ by the product of those rows: sums below a cut of a number are those
below the cut before it and of the rows between. So sets are gone through along a tree of least differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import depth_first_order, minimum_spanning_tree

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
        self._ways: dict[int, Way] = {}

    def values(self, sets: LiteralSets, costs: Floats) -> Floats:
        """Return what the best subtree below each longest set costs.

        Shapes: `costs` (n_cells,); returns (sets.sizes[-1],).
        """
        found = np.zeros(sets.sizes[-1])
        if not sets.longest:
            found[0] = self._tables(self._sums(np.arange(len(costs)), costs)).value
            return found
        held = self._holds.astype(bool)
        for number in range(sets.sizes[-2]):
            variables = sets.variables[-2][number >> (sets.longest - 1)]
            signs = number >> np.arange(sets.longest - 1) & 1
            inside = (held[:, variables] == signs).all(axis=1)
            added = sets.added[-1][number >> (sets.longest - 1)]
            numbers = {variable: place for place, variable in enumerate(added.tolist())}
            with_it, without = (children[number] for children in sets.children[-1])
            whole = self._sums(np.flatnonzero(inside), costs)
            for variable, sums in self._along(int(variables[-1]) + 1 if len(variables) else 0, inside, costs, whole):
                place = numbers[variable]
                found[with_it[place]] = self._tables(sums).value
                found[without[place]] = self._tables(whole - sums).value
        return found

    def subtree(self, sets: LiteralSets, number: int, costs: Floats) -> PairSubtree:
        """Return the best subtree below one of the longest sets."""
        inside = np.ones(len(self._holds), dtype=bool)
        for variable, held in sets.literals(sets.longest, number):
            inside &= self._holds[:, variable] == held
        return self._tables(self._sums(np.flatnonzero(inside), costs)).subtree()

    def work(self, longest: int) -> dict[str, float]:
        """Return the work of :meth:`values` on sets of a length up to two, as a budget counts it."""
        n_cells, n_variables = self._holds.shape
        n_rows = n_cells * max(n_variables, 1) ** max(longest - 1, 0)
        if longest:
            # Both signs of a variable before them divide the rows.
            firsts = range(n_variables) if longest > 1 else [-1]
            n_rows += sum(self._way(first + 1).n_cells for first in firsts)
        return {"products": float(n_rows) * n_variables**2}

    def _way(self, first: int) -> Way:
        if first not in self._ways:
            self._ways[first] = Way.of(self._holds[:, first:])
        return self._ways[first]

    def _along(
        self, first: int, inside: NDArray[np.bool_], costs: Floats, whole: Floats
    ) -> Iterator[tuple[int, Floats]]:
        """Iterate over the variables from `first` on: each, and the sums over the rows inside for which it holds."""
        way, kept = self._way(first), {NONE: np.zeros_like(whole), ALL: whole}
        n_left = dict(way.n_children)
        for variable, parent in way.steps:
            holds = self._holds[:, first + variable] == 1
            before = self._holds[:, first + parent] == 1 if parent >= 0 else np.full(len(holds), parent == ALL)
            more, less = np.flatnonzero(inside & holds & ~before), np.flatnonzero(inside & before & ~holds)
            signs = np.repeat([1.0, -1.0], [len(more), len(less)])
            sums = kept[parent] + self._sums(np.concatenate([more, less]), costs, signs)
            n_left[parent] -= 1
            if not n_left[parent]:
                del kept[parent]
            if n_left.get(variable):
                kept[variable] = sums
            yield first + variable, sums

    def _sums(self, rows: NDArray[np.int64], costs: Floats, signs: Floats | None = None) -> Floats:
        """Return sums over rows of costs, and of rows where leaves have a least size: of any two variables.

        Shapes: `signs` (len(rows),); returns (1 or 2, L + 1, L + 1), where the last variable holds for all.
        """
        holds = np.column_stack([self._holds[rows], np.ones(len(rows))])
        summed = [costs[rows]] if self._least <= 1 else [costs[rows], self._weights[rows]]
        return np.array([(holds * (each if signs is None else each * signs)[:, None]).T @ holds for each in summed])

    def _tables(self, sums: Floats) -> PairTables:
        return PairTables(sums, self._least, self._price)


NONE, ALL = -1, -2
"""Parents on a way: the set of no rows, and that of all."""


@dataclass(frozen=True)
class Way:
    """An order of variables in which the rows of each differ little from those of one before.

    Parameters
    ----------
    steps : tuple of (int, int)
        Each variable, and the one before that it begins from, or `NONE` or `ALL`.
    n_children : mapping of int to int
        How many begin from each.
    n_cells : int
        Cells in which they differ, of all steps together.
    """

    steps: tuple[tuple[int, int], ...]
    n_children: dict[int, int]
    n_cells: int

    @classmethod
    def of(cls, holds: Floats) -> Way:
        """Find the way with the fewest differences.

        Shapes: `holds` (n, L).

        Examples
        --------
        >>> holds = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=float)
        >>> way = Way.of(holds)
        >>> sorted(way.steps), way.n_cells
        ([(0, -1), (1, 0), (2, -1)], 3)
        """
        n_cells, n_variables = holds.shape
        n_held = holds.sum(axis=0)
        apart = np.full((n_variables + 2, n_variables + 2), 0.0)
        apart[:-2, :-2] = n_held[:, None] + n_held[None, :] - 2 * holds.T @ holds
        apart[NONE, :-2], apart[ALL, :-2] = n_held, n_cells - n_held
        # Sets of no rows and of all are known. The half keeps edges between equal sets, of no cells, as edges.
        apart[NONE, ALL] = -0.25
        tree = minimum_spanning_tree(np.triu(np.maximum(apart, apart.T) + 0.5, 1) if n_variables else apart)
        order, parents = depth_first_order(tree, n_variables + 1, directed=False)
        names = {n_variables: ALL, n_variables + 1: NONE}
        steps = tuple(
            (int(node), names.get(int(parents[node]), int(parents[node]))) for node in order if node < n_variables
        )
        n_differ = sum(int(apart[parent, node]) for node, parent in steps)
        return cls(steps, dict(Counter(parent for _, parent in steps)), n_differ)


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
        return PairSubtree(self.value, (splits[0], splits[1], splits[2]), (labels[0], labels[1], labels[2], labels[3]))


def _quarters(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return sums by two variables: both hold, only the first, only the second, neither.

    Shapes: `sums` (L + 1, L + 1); returns (L, L) each.
    """
    both, one = sums[:-1, :-1], sums[:-1, -1]
    first, second = one[:, None] - both, one[None, :] - both
    return both, first, second, sums[-1, -1] - one[:, None] - second


def work_of_tables(n_variables: int, longest: int) -> dict[str, float]:
    """Return the work of the tables of all sets of a length, as a budget counts it, without that of the sums.

    Examples
    --------
    >>> work_of_tables(10, 1)
    {'elements': 2000.0, 'calls': 20.0}
    """
    n_sets = comb(n_variables, longest) << longest
    return {"elements": float(PER_PAIR * n_sets * n_variables**2), "calls": float(CALLS * n_sets)}
