"""Sums of costs over all conjunctions of splits, for any multipliers.

Where rows are of few kinds, they are counted once for each kind, and every sum is a product with those counts.

Where there are too many conjunctions of the whole depth, shorter ones are summed, and a relaxation takes the place of
the subtrees below: rows that any split divides are predicted one by one. So the bound stays valid.
"""

from __future__ import annotations

from functools import cached_property
from math import comb, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.estimators.trees.frontier.literal_sets import LiteralSets
from fairaudit.estimators.trees.frontier.subtrees import BestSubtrees
from fairaudit.estimators.trees.frontier.sums_below import patterns_of
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape
from fairaudit.measure.bins import sums_by_code
from fairaudit.work import PRODUCTS_PER_S, Budget

Floats = NDArray[np.float64]

MOST_BYTES: Final = 1.6e9
"""What all conjunctions may take in memory, about."""


class ConjunctionSums:
    """The table of splits of a problem, and sums over it.

    Parameters
    ----------
    terms : Terms
        What is summed.
    columns : ndarray of int
        The splits to use: none constant, no two alike; see `distinct_splits`.
    depth : int
        Splits in a conjunction, at most.
    seconds : float
        Of work, for all sums once, at most.
    budget : Budget
        Where work counts.
    """

    def __init__(self, terms: Terms, columns: NDArray[np.int64], depth: int, seconds: float, budget: Budget) -> None:
        rows, kinds = terms.problem.rows, terms.kinds
        self.terms, self.columns = terms, columns
        whole = min(depth, len(columns))
        self._n_kinds = 1 if kinds is None else len(kinds.costs)
        self._seconds, self._budget = seconds, budget
        longest = whole
        while longest and not fits(terms, len(columns), longest, seconds):
            longest -= 1
        self.is_relaxed = longest < whole
        self.holds = np.ascontiguousarray(rows.holds[:, columns], dtype=np.float64)
        weights = rows.weights.astype(np.float64)
        self.sets = LiteralSets(len(columns), longest)
        sizes = self.sets.sizes
        n_children = sum(size * (len(columns) - length) for length, size in enumerate(sizes[:-1]))
        budget.spend(elements=20 * (n_children + sizes[-1]))
        self.counts: Floats | None = None
        if kinds is not None:
            parts = [np.flatnonzero(kinds.of_cells == kind) for kind in range(len(kinds.costs))]
            self.counts = np.array([self.sets.sums(self.holds[part], weights[part]) for part in parts])
            self._spend_sums(len(parts))
        self.too_small = self._too_small()

    def _spend_sums(self, n_kinds: int = 1) -> None:
        """Count what all sums took once."""
        sets = self.sets
        products = n_products(self.terms, sets.n_variables, sets.longest)
        self._budget.spend(products=products, elements=4 * n_kinds * sets.sizes[-1], calls=sets.n_variables)

    def _too_small(self) -> list[NDArray[np.bool_]] | None:
        least, weights = self.terms.problem.min_leaf_size, self.terms.problem.rows.weights
        if least <= 1:
            return None
        longest = self.counts.sum(axis=0) if self.counts is not None else self._sums(weights.astype(np.float64))
        small = [sizes < least for sizes in self.sets.shorter_sums(longest)]
        small[0][:] = False  # A tree that does not split may be as small as the table.
        return small

    def _sums(self, weights: Floats) -> Floats:
        self._spend_sums()
        return self.sets.sums(self.holds, weights)

    def best(self, multipliers: Multipliers) -> BestSubtrees:
        """Return the best subtrees for the costs that multipliers make."""
        terms, kinds = self.terms, self.terms.kinds
        if kinds is not None and self.counts is not None:
            longest = kinds.priced(multipliers) @ self.counts
        else:
            longest = self._sums(terms.cell_costs(multipliers))
        floor = None
        if self.is_relaxed:
            patterns, first = self._patterns
            costs = sums_by_code(patterns, terms.cell_costs(multipliers))
            floor = self.sets.sums(self.holds[first], np.minimum(costs, 0.0))
            self._spend_sums()
        n_children = sum(size * (self.sets.n_variables - length) for length, size in enumerate(self.sets.sizes[:-1]))
        self._budget.spend(products=self._n_kinds * len(longest), elements=6 * (len(longest) + n_children))
        return BestSubtrees.of(self.sets, longest, self.too_small, terms.problem.split_price, floor)

    def predictions(self, shape: TreeShape, multipliers: Multipliers) -> Floats:
        """Return the predictions that the best tree for multipliers is worth its cost by, shape (n_cells,).

        Those of the tree, but where the relaxation begins.
        """
        holds = self.terms.problem.rows.holds
        h = shape.predict(holds)
        if self.is_relaxed:
            leaves, splits = shape.leaves(holds) + len(shape.values), np.array((NO_SPLIT, *shape.splits))
            n_splits = sum((splits[leaves >> up] != NO_SPLIT).astype(int) for up in range(1, shape.depth + 1))
            patterns, _ = self._patterns
            costs = np.bincount(patterns, weights=self.terms.cell_costs(multipliers))[patterns]
            h = np.where(n_splits == self.sets.longest, costs < 0, h)
        return h

    @cached_property
    def _patterns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return patterns_of(self.holds.astype(bool))

    def promising(self, trees: BestSubtrees) -> NDArray[np.int64]:
        """Return as many splits as all conjunctions of the whole depth can be summed for.

        Those that are best at the root, and on the sides of these.
        """
        depth, n = self.terms.problem.max_depth, len(self.columns)
        while n > 1 and not fits(self.terms, n, min(depth, n), self._seconds, MOST_BYTES / 8):
            n -= 1
        order = [0] if self.sets.longest else []
        chosen = dict.fromkeys(self._ranked(trees, 0, 0)[: max(n // 2, 1)] if order else range(n))
        for variable in list(chosen) if self.sets.longest > 1 else ():
            for side in self.sets.children[0]:
                chosen.update(dict.fromkeys(self._ranked(trees, 1, int(side[0, variable]))[:2]))
        chosen.update(dict.fromkeys(self._ranked(trees, 0, 0) if order else ()))
        return self.columns[sorted(list(chosen)[:n])]

    def _ranked(self, trees: BestSubtrees, length: int, number: int) -> list[int]:
        """Return the variables outside a set, those that are best to split it first."""
        held, missed = (children[number] for children in self.sets.children[length])
        values = trees.values[length + 1][held] + trees.values[length + 1][missed]
        return self.sets.added[length][number >> length][np.argsort(values, kind="stable")].tolist()


def fits(terms: Terms, n_variables: int, longest: int, seconds: float, most_bytes: float | None = None) -> bool:
    """Say whether all conjunctions of so many splits can be summed in the memory and work there are."""
    n_kinds = 1 if terms.kinds is None else len(terms.kinds.costs)
    most_bytes = MOST_BYTES if most_bytes is None else most_bytes
    return (
        n_products(terms, n_variables, longest) <= seconds * PRODUCTS_PER_S
        and n_bytes(n_variables, longest, n_kinds) <= most_bytes
    )


def n_products(terms: Terms, n_variables: int, longest: int) -> float:
    """Return how many multiplications the sums over all conjunctions take."""
    return terms.problem.rows.n_cells * float(n_variables) ** longest / factorial(longest)


def n_bytes(n_variables: int, longest: int, n_kinds: int) -> float:
    """Return about how much memory all conjunctions of so many variables take.

    Examples
    --------
    >>> f"{n_bytes(80, 3, 4):.1e}"
    '8.2e+07'
    """
    sets = comb(n_variables, longest) * 2.0**longest
    if not longest:
        return sets
    children = comb(n_variables, longest - 1) * 2.0 ** (longest - 1) * (n_variables - longest + 1)
    return 8 * sets * (n_kinds + 6) + 30 * children


def distinct_splits(holds: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first of each group of splits that are alike, or each the opposite of the other; no constant ones.

    Examples
    --------
    >>> distinct_splits(np.array([[1, 0, 1, 1], [0, 1, 1, 0]], dtype=bool)).tolist()
    [0]
    """
    if not holds.size:
        return np.zeros(0, dtype=np.int64)
    varies = np.flatnonzero(holds.any(axis=0) & ~holds.all(axis=0))
    signed = holds[:, varies] ^ holds[0, varies]
    _, first = np.unique(np.packbits(signed, axis=0), axis=1, return_index=True)
    return varies[np.sort(first)]
