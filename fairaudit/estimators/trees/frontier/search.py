"""The exact search for trees of labels: with sums over all conjunctions or, where these are too many, root by root."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.disclosure.fields import Remark
from fairaudit.estimators.trees.dual import joined
from fairaudit.estimators.trees.frontier.conjunctions import (
    MOST_BYTES_OF_PAIRS,
    ConjunctionSums,
    PairTables,
    PairValue,
    Sums,
    SumsBelow,
    distinct_splits,
    fits,
)
from fairaudit.estimators.trees.frontier.enumeration import (
    LEAST_CLOSED,
    LEAST_RISE,
    MOST_POINTS_TRIED,
    Deepening,
    DualPoint,
    iter_ascend,
)
from fairaudit.estimators.trees.problem import NO_SPLIT, FoundTree, TreeProblem, TreeShape
from fairaudit.estimators.trees.relaxation import (
    OBJECTIVE_TOLERANCE,
    DualMaster,
    Multipliers,
    RelaxedState,
    SearchState,
    Terms,
    relabeled,
)
from fairaudit.events import Searching
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.work import Budget

# The search for trees of depth 2 to 4 over more splits than all conjunctions can be summed for.
#
# 1. The best trees of depth 2 over all splits show which splits promise most. Trees over these give good multipliers
#    and a good tree.
# 2. For these multipliers the bounds of all roots are raised, the least one first (`RootBounds`), until no root is left
#    that a better tree may have, or the least bound is exact. Then the next multipliers, for the roots that are left.
#    At depth 2 all bounds are exact at once (`PairRoots`).
# 3. What is left is closed by all trees over the few splits that a better tree may have.

# What trees of depth 3 and 4 cost at least, by the split at their root, for given costs of cells.
#
# V(S) is what the best subtree of two splits in a row costs below a set of rows S: with w_i for a cell that is
# predicted 1 and nothing else, as in `BestSubtrees`. It is found exactly for one set after the other (`PairTables`).
# Rows that come in or go out change it by little, so that each set that was looked at says something of all sets near
# it::
#
#     V(S') >= V(S) + sum over S' without S of min(w_i, 0) - sum over S without S' of max(w_i, 0)
#
# The next set to value is the one that determines the least bound, so most never are. These bounds are of leaves of
# any size; where leaves have a least size, values of the sets that were looked at keep to it.

Floats = NDArray[np.float64]

ELEMENTS_PER_SPLIT_PAIR: Final = 0.6
"""Elements of operations that a pair of splits takes where a set is looked at."""
ELEMENTS_PER_PRICE: Final = 0.15
"""The same for each part that is summed."""


@dataclass(frozen=True, eq=False)
class RootPrices:
    """What the summed parts count."""

    # costs, taken, added, rows: (n_parts,) What the sum of each part counts in w, in its negative and its positive
    # values, and in the number of rows.
    costs: Floats
    taken: Floats
    added: Floats
    rows: Floats

    @classmethod
    def of_kinds(cls, costs: Floats) -> RootPrices:
        """Return the prices where each part is the rows of one kind."""
        return cls(costs, np.maximum(-costs, 0.0), np.maximum(costs, 0.0), np.ones(len(costs)))

    @classmethod
    def of_signs(cls) -> RootPrices:
        """Return the prices where the parts are what cells take, what they add, and their rows."""
        return cls(np.array([-1.0, 1.0, 0.0]), *np.eye(3))


class RootBounds(ABC):
    """Bounds for one set of costs.

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

    def __init__(self, problem: TreeProblem, sums: SumsBelow, prices: RootPrices, budget: Budget) -> None:
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

    def _subtree_values(self, sums: Sums) -> tuple[float, float]:
        """Return what the best subtree below a set costs, with leaves of any size and with leaves of the least size."""
        n_pairs = self.n_splits**2
        self.budget.spend(elements=(ELEMENTS_PER_SPLIT_PAIR + len(sums) * ELEMENTS_PER_PRICE) * n_pairs, calls=2)
        free = self._value(priced(self.prices.costs, sums))
        if self.least <= 1:
            return free, free
        self.budget.spend(elements=2 * ELEMENTS_PER_SPLIT_PAIR * n_pairs)
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
            free, value = self._subtree_values(self.sums.below(root, held))
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
                single[2 * split + (not held)] = self._subtree_values(self.sums.below(split, held))[0]
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
        """Value the four sets of the root and the split below it that determine its bound."""
        open_sides = []
        for side in (2 * root, 2 * root + 1):
            split = int(np.argmin(self._joined[side]))
            if self._joined[side, split] + self.price < self.leaves[side] and not self._done[root, split]:
                open_sides.append((float(self.sizes[side, side]), split))
        if not open_sides:
            return False
        self._value_pair(root, max(open_sides)[1])
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

    def _value_pair(self, one: int, other: int) -> None:
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
            free, value = self._subtree_values(sums)
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


# What trees of depth 2 cost at least, by the split at their root: here exactly, from sums over each two splits.

PER_PAIR_OF_SUMS: Final = 12.0
"""Elements of operations that a pair of splits takes."""


class PairRoots:
    """Bounds for one set of costs, with the parameters, attributes and methods of `RootBounds`."""

    def __init__(self, problem: TreeProblem, sums: SumsBelow, prices: RootPrices, budget: Budget) -> None:
        used = [prices.costs] if problem.min_leaf_size <= 1 else [prices.costs, prices.rows]
        self._tables = PairTables(
            np.array([priced(each, sums.whole) for each in used]), problem.min_leaf_size, problem.split_price
        )
        self.roots = self._tables.roots
        self.best = float(self.roots.min())
        budget.spend(elements=PER_PAIR_OF_SUMS * (len(sums.whole) + len(used)) * sums.n_splits**2)

    def iter_begin(self) -> Iterator[None]:
        """Yield once: all is known."""
        yield

    def raise_root(self, root: int) -> bool:
        """Return False: the best tree with each root is known."""
        return False

    def tree(self, root: int) -> TreeShape:
        """Return the best tree with a root, over the splits by their places."""
        return self._tables.rooted(root)

    def best_root(self) -> int:
        """Return the root of the best tree."""
        return int(np.argmin(self.roots))

    def with_each(self, root: int) -> Floats:
        """Return what the best tree with a root costs that splits by each variable, shape (L,)."""
        return self._tables.with_root_and_each(root)


Roots = PairRoots | ShallowRoots | DeepRoots

ROOT_BOUNDS_BY_DEPTH: Final[dict[int, type[Roots]]] = {2: PairRoots, 3: ShallowRoots, 4: DeepRoots}
"""The bounds of all root splits, by the depth of the tree."""
MOST_SPLITS_BY_ROOTS: Final = 2_000
"""Most splits at depths 3 and 4: the sums of pairs below one set grow with its square."""
TABLES_AT_ONCE: Final = 4
"""Tables of sums below one set that are held at once."""
PAIR_TABLES: Final = 12
"""Tables over each two splits that trees of depth 2 take, beside those of sums."""
N_SIGNS: Final = 3
"""Parts that are summed where kinds of rows are not few."""
SHARE_FIRST_TREES: Final = 0.25
"""The share of the work for what the search begins with, at most."""
SHARE_CLOSING: Final = 0.8
"""The share of the work until which the last search looks for its bound, at most."""
LOOKING: Final = "Looking for the bound"


def goes_by_roots(state: SearchState, n_splits: int) -> bool:
    """Say whether the search by roots takes a problem of this depth, and its sums fit into memory."""
    depth, kinds = state.problem.max_depth, state.terms.kinds
    if depth not in ROOT_BOUNDS_BY_DEPTH:
        return False
    n_parts, n_pairs = N_SIGNS if kinds is None else len(kinds.costs), float(n_splits + 1) ** 2
    if depth == 2:
        return 8.0 * (PAIR_TABLES + 2 * n_parts) * n_pairs <= MOST_BYTES_OF_PAIRS
    n_bytes = 8.0 * TABLES_AT_ONCE * n_parts * n_pairs if depth == 3 else 16.0 * n_splits**3
    return n_splits <= MOST_SPLITS_BY_ROOTS and n_bytes <= MOST_BYTES_OF_PAIRS


def iter_by_roots(state: SearchState, splits: NDArray[np.int64], seconds: float) -> Searching[None]:
    """Search root by root.

    Shapes: `splits` (L,): none constant, no two alike; `seconds` of work for the sums of one table of conjunctions.
    """
    search = _ByRoots(state, splits, seconds)
    multipliers = yield from search.iter_first()
    bounds = yield from search.iter_raise(multipliers)
    if bounds is not None and state.slack >= 0 and not state.is_over:
        yield from search.iter_close(bounds)


class _ByRoots:
    """The steps of the search."""

    def __init__(self, state: SearchState, splits: NDArray[np.int64], seconds: float) -> None:
        self.state, self.splits, self.seconds = state, splits, seconds
        self.master = DualMaster(state.terms)
        self.sums: SumsBelow | None = None
        self.known = np.full(len(splits), -np.inf)
        """What trees with each root cost at least, whatever the multipliers."""
        self._constant = 0.0

    def iter_first(self) -> Searching[Multipliers]:
        """Find good multipliers, and a tree to begin with."""
        state, depth = self.state, self.state.problem.max_depth
        state.begin_part(SHARE_FIRST_TREES)
        sums = ConjunctionSums(state.terms, self.splits, 2, self.seconds, state.budget)
        point = yield from iter_ascend(state, sums, master=self.master)
        if state.terms.n_forms and not state.is_over:
            part = ConjunctionSums(state.terms, sums.promising(point.trees), depth, self.seconds, state.budget)
            point = yield from iter_ascend(state, part, master=self.master)
        state.end_part()
        return point.multipliers

    def iter_raise(self, multipliers: Multipliers) -> Searching[Roots | None]:
        """Raise the bounds of all roots; return those for the last multipliers, or None where the work is done."""
        state, terms = self.state, self.state.terms
        for _ in range(MOST_POINTS_TRIED):
            bounds = self._bounds(multipliers)
            for _ in bounds.iter_begin():
                yield from state.iter_show(LOOKING)
                if state.is_over:
                    return None
            if not np.isfinite(bounds.roots).any():
                # Every split makes a leaf that is too small.
                state.bound = state.objective
                return None
            self._constant = terms.base + multipliers.constant
            root = yield from self._iter_raise(bounds)
            if state.slack < 0 or state.is_over:
                return None
            tree = self._on_columns(bounds.tree(root))
            h = tree.predict(state.problem.rows.holds)
            state.offer(relabeled(terms, tree))
            self.master.add(
                float(terms.base + terms.costs @ h + state.problem.split_price * tree.n_splits), terms.forms @ h
            )
            solved = self.master.solve(state.budget) if terms.n_forms else None
            if solved is None or solved[1] - state.bound <= max(LEAST_CLOSED * state.slack, LEAST_RISE):
                return bounds
            multipliers = solved[0]
        return bounds

    def _iter_raise(self, bounds: Roots) -> Searching[int]:
        """Raise the least bound until it cannot be raised; return its root."""
        state, best = self.state, np.inf
        while True:
            now = np.maximum(self.known, bounds.roots + self._constant)
            root = int(np.argmin(now))
            state.bound = max(state.bound, min(float(now[root]), state.objective))
            if bounds.best < best - OBJECTIVE_TOLERANCE:
                best = bounds.best
                state.offer(relabeled(state.terms, self._on_columns(bounds.tree(bounds.best_root()))))
            yield from state.iter_show(LOOKING)
            if state.slack < 0 or state.is_over or not bounds.raise_root(root):
                self.known = now
                return root

    def iter_close(self, bounds: Roots) -> Searching[None]:
        """Search all trees over the splits of the cheapest trees; a tree with another one is no cheaper than these."""
        state, depth = self.state, self.state.problem.max_depth
        if isinstance(bounds, DeepRoots):
            return
        least = np.full(len(self.splits), np.inf)
        for root in np.flatnonzero(self.known <= state.bound + state.slack).tolist():
            least = np.minimum(least, np.maximum(bounds.with_each(root) + self._constant, self.known[root]))
            yield from state.iter_show(LOOKING)
            if state.is_over:
                return
        order = np.argsort(least, kind="stable")
        n = int((least <= state.bound + state.slack).sum())
        while n and not fits(state.terms, n, min(depth, n), self.seconds):
            n -= 1
        if not n:
            return
        state.begin_part()
        part = ConjunctionSums(state.terms, self.splits[np.sort(order[:n])], depth, self.seconds, state.budget)
        point = yield from iter_ascend(state, part, share=SHARE_CLOSING)
        if state.slack >= 0 and not state.is_over:
            yield from Deepening(state, part, point).iter_run()
        of_part = state.bound
        state.end_part()
        others = float(least[order[n]]) if n < len(order) else np.inf
        # Roots that were left out have no tree that is better than the best was.
        state.bound = max(state.bound, min(of_part, others, state.objective))

    def _bounds(self, multipliers: Multipliers) -> Roots:
        """Return the first bounds for multipliers; sums over rows of few kinds are made once."""
        terms, rows, kinds = self.state.terms, self.state.problem.rows, self.state.terms.kinds
        weights = rows.weights.astype(np.float64)
        if kinds is not None:
            parts = [weights * (kinds.of_cells == kind) for kind in range(len(kinds.costs))]
            prices = RootPrices.of_kinds(kinds.priced(multipliers))
        else:
            costs = terms.cell_costs(multipliers)
            parts, prices = [np.maximum(-costs, 0.0), np.maximum(costs, 0.0), weights], RootPrices.of_signs()
        if self.sums is None or kinds is None:
            self.sums = SumsBelow(rows.holds[:, self.splits], parts, self.state.budget)
        return ROOT_BOUNDS_BY_DEPTH[self.state.problem.max_depth](
            self.state.problem, self.sums, prices, self.state.budget
        )

    def _on_columns(self, shape: TreeShape) -> TreeShape:
        """Return a tree over the splits by their places as one over those of the problem."""
        return TreeShape(
            tuple(NO_SPLIT if split == NO_SPLIT else int(self.splits[split]) for split in shape.splits), shape.values
        )


# The exact search for trees whose costs add up over leaves: the Lagrangian bound, then all trees within its distance.
#
# 1. For given multipliers the best tree is found over all conjunctions at once (`BestSubtrees`).
# 2. The multipliers with the best bound are found by cutting planes (`iter_ascend`); each tree on the way, with the
#    best labels for its leaves, may be the best so far.
# 3. A tree better than the best so far must have a Lagrangian cost below its objective. All that have are
#    enumerated from the leaves up (`Deepening`), at first those near the bound, then those farther away, until none is
#    left.
#
# Where all conjunctions are too many, trees of depth 2 to 4 are gone through root by root (`iter_by_roots`).

SHARE_SUMS: Final = 0.2
"""The share of the work for sums over conjunctions, at most, about."""
SHARE_ASCENT: Final = 0.6
"""The share of the work for the ascent, at most."""
SHARE_RELAXED: Final = 0.4
"""The same where all conjunctions are too many, so that a part of the splits is searched afterwards."""


def can_be_summed(terms: Terms, n_splits: int, seconds: float) -> bool:
    """Say whether sums over all conjunctions fit into memory and some seconds of work."""
    return fits(terms, n_splits, min(terms.problem.max_depth, n_splits), seconds)


def iter_frontier(
    problem: TreeProblem, *, budget: Budget, start: Sequence[TreeShape] = (), seed: int = 0
) -> Searching[FoundTree]:
    """Find the best tree of a problem of classification."""
    is_limited = problem.max_features is not None or problem.max_uses_per_feature is not None
    state = RelaxedState(problem, budget) if is_limited else SearchState(problem, budget)
    for shape in (TreeShape.stump(problem.max_depth, 0), TreeShape.stump(problem.max_depth, 1), *start):
        state.offer(shape.tidy())
        state.offer(relabeled(state.terms, shape))
    splits, seconds = distinct_splits(problem.rows.holds), SHARE_SUMS * budget.limit
    yield from state.iter_show(LOOKING)
    if not can_be_summed(state.terms, len(splits), seconds) and goes_by_roots(state, len(splits)):
        yield from iter_by_roots(state, splits, seconds)
    else:
        yield from _iter_conjunctions(state, splits, seconds)
    yield from state.iter_show("Done")
    return state.found()


def _iter_conjunctions(state: SearchState, splits: NDArray[np.int64], seconds: float) -> Searching[None]:
    """Search with sums over all conjunctions, or as many as there can be."""
    depth = state.problem.max_depth
    sums = ConjunctionSums(state.terms, splits, depth, seconds, state.budget)
    point = yield from iter_ascend(state, sums, share=SHARE_RELAXED if sums.is_relaxed else SHARE_ASCENT)
    if not sums.is_relaxed:
        yield from _iter_deepen(state, sums, point)
    elif state.slack >= 0 and not state.is_over:
        part = ConjunctionSums(state.terms, sums.promising(point.trees), depth, seconds, state.budget)
        state.notes = (Remark(say(Message("tree-note-part", {"n": Count(len(part.columns))})), "setting"),)
        state.begin_part()
        point = yield from iter_ascend(state, part, share=(1 + SHARE_RELAXED) / 2)
        yield from _iter_deepen(state, part, point)
        state.end_part()


def _iter_deepen(state: SearchState, sums: ConjunctionSums, point: DualPoint) -> Searching[None]:
    if state.slack >= 0 and not state.is_over and sums.sets.longest:
        yield from Deepening(state, sums, point).iter_run()
