"""Sums of costs over all conjunctions of splits, for any multipliers.

Where rows are of few kinds, they are counted once for each kind, and every sum is a product with those counts.

Where there are too many conjunctions of the whole depth, shorter ones are summed, and a relaxation takes the place of
the subtrees below: rows that any split divides are predicted one by one. So the bound stays valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.estimators.trees.frontier.pair_sums import patterns_of
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape, leaves_below
from fairaudit.measure.bands import sums_by_code
from fairaudit.work import PRODUCTS_PER_S, Budget

# All conjunctions of literals of a length, numbered so that sums over them are arrays.
#
# A set of m of the L variables has 2^m signs: for each variable whether it holds. Sets are numbered in colexicographic
# order, in which those over the first v variables come first, and the set of place c with the signs b has the number
# 2^m c + b; bit p of b says whether the p-th smallest variable holds.
#
# A tree of depth K needs the sums of cells over all sets of up to K signed literals, and nothing else. The sums over
# positive literals come from matrix products, those with negated ones by inclusion and exclusion.

Floats = NDArray[np.float64]
Places = NDArray[np.int32]


class LiteralSets:
    """The sets of up to so many signed literals.

    Parameters
    ----------
    n_variables : int
        L.
    longest : int
        K, at most L.

    Examples
    --------
    >>> sets = LiteralSets(3, 2)
    >>> sets.variables[2].tolist()
    [[0, 1], [0, 2], [1, 2]]
    >>> sets.sizes
    (1, 6, 12)
    """

    def __init__(self, n_variables: int, longest: int) -> None:
        self.n_variables, self.longest = n_variables, longest
        self.variables: list[Places] = [np.zeros((1, 0), dtype=np.int32)]
        for length in range(1, longest + 1):
            shorter = self.variables[-1]
            parts = [
                np.column_stack([shorter[: comb(last, length - 1)], np.full(comb(last, length - 1), last)])
                for last in range(n_variables)
            ]
            self.variables.append(np.concatenate(parts).astype(np.int32))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many signed sets there are of each length."""
        return tuple(len(variables) << length for length, variables in enumerate(self.variables))

    @cached_property
    def _binomials(self) -> NDArray[np.int64]:
        return np.array([[comb(v, k) for k in range(self.longest + 2)] for v in range(self.n_variables + 1)])

    @cached_property
    def added(self) -> tuple[Places, ...]:
        """For each unsigned set shorter than the longest, the variables outside it: shape (n_sets, L - length)."""
        return tuple(_outside(variables, self.n_variables) for variables in self.variables[:-1])

    @cached_property
    def children(self) -> tuple[tuple[Places, Places], ...]:
        """For each signed set and each variable of `added`, the numbers of the sets with it held, and not held."""
        return tuple(self._children(length) for length in range(self.longest))

    def _children(self, length: int) -> tuple[Places, Places]:
        variables, added = self.variables[length], self.added[length]
        place = (variables[:, None, :] < added[:, :, None]).sum(axis=2, dtype=np.int32)
        # The place of the longer set: the variables above the new one move up by one.
        order = np.arange(length, dtype=np.int32)
        moved = order[None, None, :] + (order[None, None, :] >= place[:, :, None])
        ranks = self._binomials[variables[:, None, :], moved + 1].sum(axis=2) + self._binomials[added, place + 1]
        ranks, signs = ranks.astype(np.int32), np.arange(1 << length, dtype=np.int32)
        below = signs[None, :, None] & ((1 << place) - 1)[:, None, :]
        above = (signs[None, :, None] >> place[:, None, :]) << (place + 1)[:, None, :]
        missed = (ranks << (length + 1))[:, None, :] + below + above
        held = missed + (1 << place)[:, None, :]
        shape = (len(variables) << length, added.shape[1])
        return held.reshape(shape), missed.reshape(shape)

    @cached_property
    def _subsets(self) -> Places:
        """For each longest set and each choice of its variables, the place of those among all unsigned sets."""
        longest, variables = self.longest, self.variables[-1]
        first = np.cumsum([0, *(len(part) for part in self.variables)])
        places = np.zeros((len(variables), 1 << longest), dtype=np.int32)
        for chosen in range(1 << longest):
            inside = [place for place in range(longest) if chosen >> place & 1]
            ranks = [self._binomials[variables[:, place], k + 1] for k, place in enumerate(inside)]
            places[:, chosen] = first[len(inside)] + sum(ranks, start=np.zeros(len(variables), dtype=np.int64))
        return places

    def sums(self, holds: Floats, weights: Floats) -> Floats:
        """Return the sum of weights over the rows of each longest signed set.

        Shapes: `holds` (n, L), `weights` (n,); returns (sizes[-1],).

        Notes
        -----
        One matrix product for each set of K - 2 variables: O(n L^K / K!) multiplications.
        """
        positive = np.concatenate([_positive(holds, weights, length) for length in range(self.longest + 1)])
        sums = positive[self._subsets]
        for place in range(self.longest):
            pairs = sums.reshape(len(sums), -1, 2, 1 << place)
            pairs[:, :, 0] -= pairs[:, :, 1]
        return sums.ravel()

    def shorter_sums(self, sums: Floats) -> list[Floats]:
        """Return the sums over the sets of each length, from those over the longest; the last axis is added up."""
        found = [sums]
        for held, missed in reversed(self.children):
            found.append(found[-1][..., held[:, 0]] + found[-1][..., missed[:, 0]])
        return found[::-1]


def _outside(variables: Places, n_variables: int) -> Places:
    """Return, for each set, the variables that it does not have, in order."""
    inside = np.zeros((len(variables), n_variables), dtype=bool)
    np.put_along_axis(inside, variables.astype(np.int64), values=True, axis=1)
    return np.nonzero(~inside)[1].reshape(len(variables), -1).astype(np.int32)


def _positive(holds: Floats, weights: Floats, length: int) -> Floats:
    """Return the sums over all sets of so many variables that all hold, in colexicographic order."""
    n_variables = holds.shape[1]
    if length == 0:
        return np.array([weights.sum()])
    if length == 1:
        return weights @ holds
    if length == 2:
        products = (holds * weights[:, None]).T @ holds
        return products[np.tril_indices(n_variables, -1)]
    parts = [np.zeros(0)]
    for last in range(length - 1, n_variables):
        rows = np.flatnonzero(holds[:, last])
        parts.append(_positive(holds[rows, :last], weights[rows], length - 1))
    return np.concatenate(parts)


# The best subtrees for given costs of cells, over all sets of literals at once.
#
# Where a cell costs w_i if it is predicted 1 and nothing else, a tree costs the sum over its leaves of what they cost,
# so that subtrees can be chosen one by one, from the longest sets of literals up::
#
#     V(S) = min( 0, w(S), split_price + min over l of V(S, l) + V(S, not l) )


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
