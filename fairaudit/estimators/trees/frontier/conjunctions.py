"""Sums of costs below each two splits, and below all conjunctions of splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape, leaves_below
from fairaudit.estimators.trees.relaxation import Multipliers, Terms
from fairaudit.measure.bands import sums_by_code
from fairaudit.work import PRODUCTS_PER_S, Budget

# Sums below literals, for each two splits: one product of matrices gives those below one set of rows.
#
# Sums of sets that differ in few rows differ by the sums of those rows: sums below a cut are those below the cut before
# it and of the rows between. So sums are made from those of the nearest set that is known.

Floats = NDArray[np.float64]
Sums = NDArray[np.floating]
"""Numbers in single or double precision, shape (n_parts, L + 1, L + 1): over rows for which two splits hold; the last
holds for all."""

MOST_BYTES_OF_PAIRS: Final = 1.6e9
"""What sums of pairs may take in memory."""
WIDE_SPEEDUP: Final = 14
"""How much less time a multiplication takes in products of tables with many columns."""
EXACT_IN_SINGLE: Final = 2**24
"""Sums of whole numbers below this are exact in single precision."""


class SumsBelow:
    """Sums over the rows below one or two literals."""

    # holds: (n_cells, L) Whether each split holds for each cell.
    # parts: (n_cells,) What is summed, each by itself: rows of each kind, where these are few.
    def __init__(self, holds: NDArray[np.bool_], parts: list[Floats], budget: Budget) -> None:
        self.n_cells, self.n_splits = holds.shape
        is_counts = all((part == np.rint(part)).all() and np.abs(part).sum() < EXACT_IN_SINGLE for part in parts)
        self._type = np.float32 if is_counts else np.float64
        self._held = np.column_stack([holds, np.ones(self.n_cells, dtype=bool)])
        self._holds: Sums = self._held.astype(self._type)
        self._parts, self._budget = [part.astype(self._type) for part in parts], budget
        self._known: dict[int, Sums] = {}
        self.whole = self.of_rows(np.arange(self.n_cells))

    @cached_property
    def _apart(self) -> Floats:
        """For each two splits in how many cells they differ; then from none and from all. Shape (L, L + 2)."""
        self._budget.spend(products=self.n_cells * self.n_splits**2 / WIDE_SPEEDUP)
        both = self._holds.T @ self._holds
        held = np.diag(both)[:-1]
        apart = held[:, None] + held[None, :] - 2 * both[:-1, :-1]
        return np.column_stack([apart, held, self.n_cells - held]).astype(np.float64)

    def of_rows(self, rows: NDArray[np.int64]) -> Sums:
        """Return sums over some rows."""
        found = np.zeros((len(self._parts), self.n_splits + 1, self.n_splits + 1), dtype=self._type)
        for sums, part in zip(found, self._parts, strict=True):
            here = rows[part[rows] != 0]
            is_one = part[here] == 1
            if is_one.any():
                holds = self._holds[here[is_one]]
                sums += holds.T @ holds
            if not is_one.all():
                more = here[~is_one]
                holds = self._holds[more]
                sums += (holds * part[more, None]).T @ holds
            self._budget.spend(
                products=len(here) * self.n_splits**2 / WIDE_SPEEDUP, elements=0.5 * found[0].size, calls=1
            )
        return found

    def inside(self, *literals: tuple[int, bool]) -> NDArray[np.int64]:
        """Return the cells for which all of some literals hold."""
        inside = np.ones(self.n_cells, dtype=bool)
        for split, held in literals:
            inside &= self._held[:, split] == held
        self._budget.spend(elements=0.2 * len(literals) * self.n_cells)
        return np.flatnonzero(inside)

    def below(self, split: int, held: bool = True) -> Sums:
        """Return the sums over the rows for which a split holds, or does not."""
        sums = self._known.get(split)
        if sums is None:
            sums = self._from_nearest(split)
            if (len(self._known) + 1) * sums.nbytes <= MOST_BYTES_OF_PAIRS:
                self._known[split] = sums
        return sums if held else self.whole - sums

    def one_by_one(self, prices: Floats) -> Floats:
        """Return sums, for each two splits, where rows that any split divides are predicted one by one.

        Shapes: `prices` (n_parts,) of what is predicted 1; returns (L + 1, L + 1).
        """
        patterns, first = self._patterns
        costs = prices @ np.array(self._parts, dtype=np.float64)
        best = np.minimum(sums_by_code(patterns, costs), 0.0)
        holds = self._held[first].astype(np.float64)
        self._budget.spend(products=len(first) * self.n_splits**2 / WIDE_SPEEDUP, elements=4 * self.n_cells)
        return (holds * best[:, None]).T @ holds

    @cached_property
    def _patterns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return patterns_of(self._held)

    def nearest_first(self) -> list[int]:
        """Return all splits, so that each is near to one before it."""
        left, order = list(range(self.n_splits)), []
        near = self._apart[:, self.n_splits :].min(axis=1)
        while left:
            split = min(left, key=near.__getitem__)
            left.remove(split)
            order.append(split)
            near = np.minimum(near, self._apart[:, split])
        return order

    def _from_nearest(self, split: int) -> Sums:
        none, everything = self.n_splits, self.n_splits + 1
        base = min([*self._known, none, everything], key=self._apart[split].__getitem__)
        before = np.full(self.n_cells, base == everything) if base >= none else self._held[:, base]
        holds = self._held[:, split]
        sums = self.of_rows(np.flatnonzero(holds & ~before)) - self.of_rows(np.flatnonzero(before & ~holds))
        if base == none:
            return sums
        return sums + (self.whole if base == everything else self._known[base])


def patterns_of(holds: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells for which the same splits hold: the pattern of each cell, and a cell of each pattern.

    Examples
    --------
    >>> codes, first = patterns_of(np.array([[1, 0], [0, 1], [1, 0]], dtype=bool))
    >>> codes.tolist(), first.tolist()
    ([1, 0, 1], [1, 0])
    """
    packed = np.ascontiguousarray(np.packbits(holds, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, patterns = np.unique(keys, return_index=True, return_inverse=True)
    return patterns.reshape(-1), first


# The best subtrees of up to two splits in a row below a set of rows, from sums over each two splits.


class PairTables:
    """What subtrees below one set of rows cost."""

    # sums: (1 or 2, L + 1, L + 1) Sums over the rows for which two variables hold: of costs and, where `least` asks for
    # it, of rows. The last variable holds for all.
    # least: Rows of a leaf, at least.
    def __init__(self, sums: Floats, least: float, price: float) -> None:
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
    """What the best subtree costs, where leaves may have any size: sums of many sets, one after the other."""

    def __init__(self, n_variables: int, price: float) -> None:
        # The same memory each time: new arrays of this size would take longer than what is done with them.
        self._second, self._one, self._two = np.empty((3, n_variables, n_variables))
        self._price = price

    def __call__(self, sums: Floats) -> float:
        """Return the value. Shapes: `sums` (L + 1, L + 1), as in `PairTables`."""
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


# Sums of costs over all conjunctions of splits, for any multipliers.
#
# Where rows are of few kinds, they are counted once for each kind, and every sum is a product with those counts.
#
# Where there are too many conjunctions of the whole depth, shorter ones are summed, and a relaxation takes the place of
# the subtrees below: rows that any split divides are predicted one by one. So the bound stays valid.

# All conjunctions of literals of a length, numbered so that sums over them are arrays.
#
# A set of m of the L variables has 2^m signs: for each variable whether it holds. Sets are numbered in colexicographic
# order, in which those over the first v variables come first, and the set of place c with the signs b has the number
# 2^m c + b; bit p of b says whether the p-th smallest variable holds.
#
# A tree of depth K needs the sums of cells over all sets of up to K signed literals, and nothing else. The sums over
# positive literals come from matrix products, those with negated ones by inclusion and exclusion.

Places = NDArray[np.int32]


class LiteralSets:
    """All sets of signed literals up to a size.

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
    """Return the sums over all sets of `length` variables that hold together, in colexicographic order."""
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
    """What the best subtree below each set costs."""

    sets: LiteralSets
    # For each length of sets, what predicting 1 for all rows costs.
    ones: list[Floats]
    # For each length of sets, V; infinite where a leaf would be too small.
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
        """Return the best tree, with as few splits as ties allow. Shapes: `columns` (L,)."""
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
"""What sums of all conjunctions may take in memory."""


class ConjunctionSums:
    """Sums of costs over all conjunctions of some splits of a problem."""

    # columns: The splits to use: none constant, no two alike; see `distinct_splits`.
    # depth: Splits in a conjunction, at most.
    # seconds: Of work, for all sums once, at most.
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
        """Return as many splits as all conjunctions of the whole depth can be summed for, the most promising ones.

        These are best at the root, or on a side of a split that is.
        """
        depth, n = self.terms.problem.max_depth, len(self.columns)
        while n > 1 and not fits(self.terms, n, min(depth, n), self._seconds, MOST_BYTES / 8):
            n -= 1
        if not self.sets.longest:
            return self.columns[:n]
        at_root = self._ranked(trees, 0, 0)
        chosen = dict.fromkeys(at_root[: max(n // 2, 1)])
        for variable in list(chosen) if self.sets.longest > 1 else ():
            for side in self.sets.children[0]:
                chosen.update(dict.fromkeys(self._ranked(trees, 1, int(side[0, variable]))[:2]))
        chosen.update(dict.fromkeys(at_root))
        return self.columns[sorted(list(chosen)[:n])]

    def _ranked(self, trees: BestSubtrees, length: int, number: int) -> list[int]:
        """Return the variables outside a set, those that are best to split it first."""
        held, missed = (children[number] for children in self.sets.children[length])
        values = trees.values[length + 1][held] + trees.values[length + 1][missed]
        return self.sets.added[length][number >> length][np.argsort(values, kind="stable")].tolist()


def fits(terms: Terms, n_variables: int, longest: int, seconds: float, most_bytes: float | None = None) -> bool:
    """Say whether the sums of all conjunctions of these splits fit memory and budget."""
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
    """Estimate the memory for the sums of all conjunctions.

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
