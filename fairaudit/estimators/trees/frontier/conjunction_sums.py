"""Sums of costs over all conjunctions of splits, for any multipliers.

Where rows are of few kinds, they are counted once for each kind, and every sum is a product with those counts.

Where there are too many conjunctions of the whole depth, shorter ones are summed. Those two splits shorter are enough
where the best subtrees below can be found set by set, for each multipliers, in the work there is (`pair_subtrees`).
Else a relaxation takes the place of the subtrees below: rows that any split divides are predicted one by one. So the
bound stays valid.
"""

from __future__ import annotations

from functools import cached_property, partial
from math import comb, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.estimators.trees.frontier.literal_sets import LiteralSets
from fairaudit.estimators.trees.frontier.pair_subtrees import DEEP, PairSubtrees, work_of_tables
from fairaudit.estimators.trees.frontier.subtrees import BestSubtrees
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
        self._most_work, self._budget = seconds * PRODUCTS_PER_S, budget
        longest = whole
        while longest and not self._is_small(len(columns), longest, MOST_BYTES):
            longest -= 1
        self.is_part = longest < whole
        self.holds = np.ascontiguousarray(rows.holds[:, columns], dtype=np.float64)
        problem, weights = terms.problem, rows.weights.astype(np.float64)
        self._pairs = PairSubtrees(self.holds, weights, problem.min_leaf_size, problem.split_price)
        by_pairs = self.is_part and whole >= DEEP and self._takes_pairs(whole - DEEP)
        longest = whole - DEEP if by_pairs else longest
        self.is_relaxed = self.is_part and not by_pairs
        self.sets = LiteralSets(len(columns), longest)
        budget.spend(elements=10 * sum(self.sets.sizes) * max(len(columns) - longest, 1))
        self._is_by_pairs = by_pairs
        self.counts: Floats | None = None
        if kinds is not None:
            parts = [np.flatnonzero(kinds.of_cells == kind) for kind in range(len(kinds.costs))]
            self.counts = np.array([self.sets.sums(self.holds[part], weights[part]) for part in parts])
            self._spend_sums(len(parts))
        self.too_small = self._too_small()

    def _is_small(self, n_variables: int, longest: int, most_bytes: float) -> bool:
        """Say whether all conjunctions can be summed in the memory and time there are."""
        return (
            self._products(n_variables, longest) <= self._most_work
            and n_bytes(n_variables, longest, self._n_kinds) <= most_bytes
        )

    def _takes_pairs(self, longest: int) -> bool:
        """Say whether subtrees below sets of a length can be found one by one for a few multipliers."""
        work = Budget(self._most_work / PRODUCTS_PER_S)
        work.spend(**work_of_tables(len(self.columns), longest))
        if not work.is_over:
            work.spend(**self._pairs.work(longest))
        return not work.is_over

    def _products(self, n_variables: int, longest: int) -> float:
        return self.terms.problem.rows.n_cells * float(n_variables) ** longest / factorial(longest)

    def _spend_sums(self, n_kinds: int = 1) -> None:
        """Count what all sums took once."""
        sets = self.sets
        products = self._products(sets.n_variables, sets.longest)
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
        below = None
        if self._is_by_pairs:
            costs = terms.cell_costs(multipliers)
            floor = self._pairs.values(self.sets, costs)
            below = partial(self._pairs.subtree, self.sets, costs=costs)
            self._budget.spend(**work_of_tables(self.sets.n_variables, self.sets.longest))
            self._budget.spend(**self._pairs.work(self.sets.longest))
        n_children = sum(size * (self.sets.n_variables - length) for length, size in enumerate(self.sets.sizes[:-1]))
        self._budget.spend(products=self._n_kinds * len(longest), elements=6 * (len(longest) + n_children))
        return BestSubtrees.of(self.sets, longest, self.too_small, terms.problem.split_price, floor, below)

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
        """Cells for which the same splits hold: the pattern of each cell, and a cell of each pattern."""
        packed = np.ascontiguousarray(np.packbits(self.holds.astype(bool), axis=1))
        keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, patterns = np.unique(keys, return_index=True, return_inverse=True)
        return patterns.reshape(-1), first

    def promising(self, trees: BestSubtrees) -> NDArray[np.int64]:
        """Return as many splits as all conjunctions of the whole depth can be summed for.

        Those that are best at the root, and on the sides of these.
        """
        depth, n = self.terms.problem.max_depth, len(self.columns)
        while n > 1 and not self._is_small(n, min(depth, n), MOST_BYTES / 8):
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
