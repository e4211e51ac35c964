"""Sums below literals, for each two splits: one product of matrices gives those below one set of rows.

Sums of sets that differ in few rows differ by the sums of those rows: sums below a cut of a number are those below the
cut before it and of the rows between. So sums are made from those of the nearest set that is known.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape
from fairaudit.measure.bands import sums_by_code
from fairaudit.work import Budget

Floats = NDArray[np.float64]
Sums = NDArray[Any]
"""Numbers in single or double precision, shape (n_parts, L + 1, L + 1): over rows for which two splits hold; the last
holds for all."""

MOST_BYTES: Final = 1.6e9
"""What all sums may take in memory."""
WIDE: Final = 14
"""Products of tables with many columns take so much less time than others, for each number."""
SINGLE: Final = 2**24
"""Up to this, sums of whole numbers are exact in single precision."""


class SumsBelow:
    """Sums over the rows below one or two literals.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_cells, L)
        Whether each split holds for each cell.
    parts : list of ndarray of float, shape (n_cells,)
        What is summed, each by itself: rows of each kind, where these are few.
    budget : Budget
        Where work counts.
    """

    def __init__(self, holds: NDArray[np.bool_], parts: list[Floats], budget: Budget) -> None:
        self.n_cells, self.n_splits = holds.shape
        is_counts = all((part == np.rint(part)).all() and np.abs(part).sum() < SINGLE for part in parts)
        self._type = np.float32 if is_counts else np.float64
        self._held = np.column_stack([holds, np.ones(self.n_cells, dtype=bool)])
        self._holds: Sums = self._held.astype(self._type)
        self._parts, self._budget = [part.astype(self._type) for part in parts], budget
        self._known: dict[int, Sums] = {}
        self.whole = self.of_rows(np.arange(self.n_cells))

    @cached_property
    def _apart(self) -> Floats:
        """For each two splits in how many cells they differ; then from none and from all. Shape (L, L + 2)."""
        self._budget.spend(products=self.n_cells * self.n_splits**2 / WIDE)
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
            self._budget.spend(products=len(here) * self.n_splits**2 / WIDE, elements=0.5 * found[0].size, calls=1)
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
            if (len(self._known) + 1) * sums.nbytes <= MOST_BYTES:
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
        self._budget.spend(products=len(first) * self.n_splits**2 / WIDE, elements=4 * self.n_cells)
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
