"""What trees of depth 3 and 4 cost at least, by the split at their root, for given costs of cells.

V(S) is what the best subtree of two splits in a row costs below a set of rows S: with w_i for a cell that is predicted
1 and nothing else, as in `subtrees`. It is found exactly for one set after the other (`pair_subtrees`). Rows that come
in or go out change it by little, so that each set that was looked at says something of all sets near it::

    V(S') >= V(S) + sum over S' without S of min(w_i, 0) - sum over S without S' of max(w_i, 0)

Always that set is looked at next that the least bound hangs on. So most sets never are. These bounds are of leaves of
any size; where leaves have a least size, values of the sets that were looked at keep to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.trees import joined
from fairaudit.estimators.trees.frontier.pair_subtrees import PairTables, PairValue
from fairaudit.estimators.trees.frontier.sums_below import Sums, SumsBelow
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape
from fairaudit.work import Budget

Floats = NDArray[np.float64]

PER_PAIR: Final = 0.6
"""Elements of operations that a pair of splits takes where a set is looked at."""
PER_PRICE: Final = 0.15
"""The same for each part that is summed."""


@dataclass(frozen=True, eq=False)
class Prices:
    """What the parts that are summed come to.

    Parameters
    ----------
    costs, taken, added, rows : ndarray of float, shape (n_parts,)
        What the sum of each part counts in w, in its negative and its positive values, and in the number of rows.
    """

    costs: Floats
    taken: Floats
    added: Floats
    rows: Floats

    @classmethod
    def of_kinds(cls, costs: Floats) -> Prices:
        """Return the prices where each part is the rows of one kind."""
        return cls(costs, np.maximum(-costs, 0.0), np.maximum(costs, 0.0), np.ones(len(costs)))

    @classmethod
    def of_signs(cls) -> Prices:
        """Return the prices where the parts are what cells take, what they add, and their rows."""
        return cls(np.array([-1.0, 1.0, 0.0]), *np.eye(3))


class RootBounds(ABC):
    """Bounds for one set of costs.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    sums : SumsBelow
        Over the splits.
    prices : Prices
        What these come to.
    budget : Budget
        Where work counts.

    Attributes
    ----------
    roots : ndarray of float, shape (L,)
        What the best tree with each split at its root costs at least.
    best : float
        What the best tree costs that was found.

    Notes
    -----
    The literal of split v has the number 2 v where it holds, 2 v + 1 where it does not.
    """

    roots: Floats

    def __init__(self, problem: TreeProblem, sums: SumsBelow, prices: Prices, budget: Budget) -> None:
        self.price, self.least, self.budget = problem.split_price, problem.min_leaf_size, budget
        self.n_splits, self.sums, self.prices = sums.n_splits, sums, prices
        self.whole = priced(prices.costs, sums.whole)
        # what rows of two literals take off a subtree, add to it, and how many they are
        self.taken, self.added, self.sizes = (
            _of_literals(priced(each, sums.whole)) for each in (prices.taken, prices.added, prices.rows)
        )
        self.floor = _of_literals(sums.one_by_one(prices.costs))
        ones = _of_literals(self.whole).diagonal()
        self.is_small = self.sizes.diagonal() < (self.least if self.least > 1 else 0)
        self.leaves = np.where(self.is_small, np.inf, np.minimum(ones, 0.0))
        self.best = np.inf
        self._value = PairValue(self.n_splits, self.price)

    @abstractmethod
    def iter_begin(self) -> Iterator[None]:
        """Find the first bounds, in small steps."""

    @abstractmethod
    def raise_root(self, root: int) -> bool:
        """Look at one more set for a root; return False where its best tree is known."""

    @abstractmethod
    def tree(self, root: int) -> TreeShape:
        """Return the best tree with a root that was found, over the splits by their places."""

    @abstractmethod
    def best_root(self) -> int:
        """Return the root of the best tree that was found."""

    def _below(self, literal: int) -> Sums:
        return self.sums.below(literal >> 1, not literal & 1)

    def _looked_at(self, sums: Sums) -> tuple[float, float]:
        """Return what the best subtree below a set costs, with leaves of any size and with those that are allowed."""
        n_pairs = self.n_splits**2
        self.budget.spend(elements=(PER_PAIR + len(sums) * PER_PRICE) * n_pairs, calls=2)
        free = self._value(priced(self.prices.costs, sums))
        if self.least <= 1:
            return free, free
        self.budget.spend(elements=2 * PER_PAIR * n_pairs)
        return free, self._tables(sums).value

    def _tables(self, sums: Sums) -> PairTables:
        used = [self.prices.costs] if self.least <= 1 else [self.prices.costs, self.prices.rows]
        return PairTables(np.array([priced(each, sums) for each in used]), self.least, self.price)


class ShallowRoots(RootBounds):
    """Bounds for trees of depth 3."""

    def iter_begin(self) -> Iterator[None]:
        """Begin with what no subtree is below."""
        self._values = np.where(self.is_small, np.inf, self.floor.diagonal())
        self._done = np.zeros(self.n_splits, dtype=bool)
        self._join()
        yield

    def raise_root(self, root: int) -> bool:
        """Look at both sides of a root."""
        if self._done[root]:
            return False
        for held in (True, False):
            here = 2 * root + (not held)
            free, value = self._looked_at(self.sums.below(root, held))
            came, went = self.taken.diagonal() - self.taken[here], self.added[here, here] - self.added[here]
            self._values = np.maximum(self._values, free - came - went)
            self._values[here] = np.inf if self.is_small[here] else value
        self._done[root] = True
        self._join()
        self.best = min(self.best, float(self.roots[root]))
        return True

    def tree(self, root: int) -> TreeShape:
        """Return the best tree with a root."""
        return joined(root, *(self._tables(self.sums.below(root, held)).subtree() for held in (True, False)))

    def best_root(self) -> int:
        """Return the root of the best tree that was found."""
        return int(np.argmin(np.where(self._done, self.roots, np.inf)))

    def with_each(self, root: int) -> Floats:
        """Return what the best tree with a root costs that splits by each variable, shape (L,)."""
        self.raise_root(root)
        sides = [self._tables(self.sums.below(root, held)) for held in (True, False)]
        self.budget.spend(elements=20.0 * self.n_splits**2, calls=4)
        found = np.minimum(*(self._values[2 * root + 1 - side] + sides[side].with_each() for side in (0, 1)))
        found += self.price
        found[root] = self.roots[root]
        return found

    def _join(self) -> None:
        self.roots = self._values[::2] + self._values[1::2] + self.price


class DeepRoots(RootBounds):
    """Bounds for trees of depth 4."""

    def iter_begin(self) -> Iterator[None]:
        """Look at the sets of one literal, which say something of those of two."""
        single = np.zeros(2 * self.n_splits)
        for split in self.sums.nearest_first():
            for held in (True, False):
                single[2 * split + (not held)] = self._looked_at(self.sums.below(split, held))[0]
            yield
        went = self.added.diagonal()[None, :] - self.added
        self._values = np.maximum(self.floor, single[None, :] - went)
        self._values = np.maximum(self._values, self._values.T)
        if self.least > 1:
            self._values[self.sizes < self.least] = np.inf
        self._done = np.eye(self.n_splits, dtype=bool)
        self._joined = np.zeros((2 * self.n_splits, self.n_splits))
        self._reached, self._chosen = self.leaves.copy(), np.full(2 * self.n_splits, NO_SPLIT)
        self._join(range(self.n_splits))

    def raise_root(self, root: int) -> bool:
        """Look at the four sets of the root and the split below it that its bound hangs on."""
        open_sides = []
        for side in (2 * root, 2 * root + 1):
            split = int(np.argmin(self._joined[side]))
            if self._joined[side, split] + self.price < self.leaves[side] and not self._done[root, split]:
                open_sides.append((float(self.sizes[side, side]), split))
        if not open_sides:
            return False
        self._look_at(root, max(open_sides)[1])
        return True

    def tree(self, root: int) -> TreeShape:
        """Return the best tree with a root that was found."""
        return joined(root, *(self._subtree(root, held) for held in (True, False)))

    def best_root(self) -> int:
        """Return the root of the best tree that was found."""
        return int(np.argmin(self._reached[::2] + self._reached[1::2]))

    def _subtree(self, root: int, held: bool) -> TreeShape:
        here = 2 * root + (not held)
        split = int(self._chosen[here])
        if split == NO_SPLIT:
            return TreeShape.stump(3, float(self.leaves[here] < 0))
        sides = []
        for second in (True, False):
            sums = self.sums.of_rows(self.sums.inside((root, held), (split, second)))
            sides.append(self._tables(sums).subtree())
        return joined(split, *sides)

    def _look_at(self, one: int, other: int) -> None:
        """Find the values of the four sets of two splits, and what they say of the sets near them."""
        literals = [(2 * one + a, 2 * other + b) for a in (0, 1) for b in (0, 1)]
        # Sums over the rows of the smallest set, and from these the others.
        small = min(literals, key=self.sizes.__getitem__)
        pairs = self.sums.of_rows(self.sums.inside(*((number >> 1, not number & 1) for number in small)))
        for first, second in literals:
            sums: Sums = pairs
            if first != small[0] and second != small[1]:
                sums = self.sums.whole - self._below(small[0]) - self._below(small[1]) + pairs
            elif first != small[0]:
                sums = self._below(small[1]) - pairs
            elif second != small[1]:
                sums = self._below(small[0]) - pairs
            within = np.array([_sides(each @ sums[:, -1]) for each in (self.prices.taken, self.prices.added)])
            free, value = self._looked_at(sums)
            size = within[1, second]
            for here in (first, second):
                came, went = self.taken[here] - within[0], size - within[1]
                self._values[here] = self._values[:, here] = np.maximum(self._values[here], free - came - went)
            is_small = self.sizes[first, second] < self.least and self.least > 1
            self._values[first, second] = self._values[second, first] = np.inf if is_small else value
        self._done[one, other] = self._done[other, one] = True
        self._join((one, other))
        for split, below in ((one, other), (other, one)):
            for side in (2 * split, 2 * split + 1):
                if self._joined[side, below] + self.price < self._reached[side]:
                    self._reached[side], self._chosen[side] = self._joined[side, below] + self.price, below
        self.best = float((self._reached[::2] + self._reached[1::2]).min()) + self.price

    def _join(self, splits: range | tuple[int, ...]) -> None:
        """Bring what two sides come to up to date for some splits, at either place; then what roots come to."""
        below = self._values
        for split in splits:
            sides = slice(2 * split, 2 * split + 2)
            self._joined[sides] = below[sides, ::2] + below[sides, 1::2]
            self._joined[:, split] = below[:, 2 * split] + below[:, 2 * split + 1]
            self._joined[sides, split] = np.inf
        self.budget.spend(elements=self.n_splits**2, calls=10)
        three = np.minimum(self.leaves, self._joined.min(axis=1) + self.price)
        self.roots = three[::2] + three[1::2] + self.price


def priced(prices: Floats, sums: Sums) -> Floats:
    """Return what sums of parts come to, shape (L + 1, L + 1)."""
    return (prices @ sums.reshape(len(sums), -1)).reshape(sums.shape[1:])


def _sides(sums: Floats) -> Floats:
    """Return sums for each literal from those for each split, the last of which holds for all; shape (2 L,).

    Examples
    --------
    >>> _sides(np.array([3.0, 5.0])).tolist()
    [3.0, 2.0]
    """
    return np.stack([sums[:-1], sums[-1] - sums[:-1]], axis=1).ravel()


def _of_literals(sums: Floats) -> Floats:
    """Return sums for each two literals from those for each two splits; the last of these holds for all.

    Shapes: `sums` (L + 1, L + 1); returns (2 L, 2 L).

    Examples
    --------
    >>> _of_literals(np.array([[3.0, 3.0], [3.0, 5.0]])).tolist()
    [[3.0, 0.0], [0.0, 2.0]]
    """
    both, held, whole = sums[:-1, :-1], sums[:-1, -1], sums[-1, -1]
    found = np.empty((2 * len(both), 2 * len(both)))
    found[::2, ::2], found[::2, 1::2] = both, held[:, None] - both
    found[1::2, ::2], found[1::2, 1::2] = held[None, :] - both, whole - held[:, None] - held[None, :] + both
    return found
