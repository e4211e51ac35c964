"""Make a tree better step by step: choose a node's split anew, exchange what is below two nodes, begin elsewhere.

All splits of a node are weighed at once, by linear costs that stand for the prices and limits near the best tree. Those
that look best are valued exactly, with the best values of all leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.conjunctions import distinct_splits
from fairaudit.estimators.trees.leaf_costs import LeafCosts, SideSums
from fairaudit.estimators.trees.leaf_values import allows_splits, best_values, good_values
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeShape, leaves_below, reachable_leaves
from fairaudit.estimators.trees.relaxation import Multipliers, Terms, sign_point
from fairaudit.work import Budget

# A tree grown split by split, each the best for the rows that come to it: where searches begin.


def usable_splits(problem: TreeProblem) -> NDArray[np.int64]:
    """Return the splits that trees need to be made of."""
    holds = problem.rows.holds
    if problem.max_uses_per_feature is None and problem.max_features is None:
        return distinct_splits(holds)
    return np.flatnonzero(holds.any(axis=0) & ~holds.all(axis=0))


def greedy_tree(problem: TreeProblem, budget: Budget | None = None) -> TreeShape:
    """Grow a tree from the root down.

    Notes
    -----
    A node is split where that lowers the loss, by more than the price of a split, and below nodes of a pure loss
    not at all. O(2^K n S).
    """
    budget = Budget() if budget is None else budget
    leaf_costs = LeafCosts(problem, usable_splits(problem))
    budget.spend(calls=100 * 2**problem.max_depth, elements=4 * problem.max_depth * leaf_costs.holds.size)
    shape = grown(leaf_costs, np.arange(problem.rows.n_cells), np.zeros(problem.rows.n_cells), problem.max_depth)
    return best_values(problem, shape, budget) or shape


def grown(leaf_costs: LeafCosts, cells: NDArray[np.int64], costs: NDArray[np.float64], depth: int) -> TreeShape:
    """Grow a tree for some cells. Shapes: `costs` (n_cells,)."""
    problem = leaf_costs.problem
    splits, values = [NO_SPLIT] * (2**depth - 1), np.zeros(2**depth)
    waiting = [(1, cells)]
    while waiting:
        node, here = waiting.pop(0)
        first, n_below = leaves_below(node, depth)
        cost, value = leaf_costs.best_leaf(here, costs)
        values[first : first + n_below] = value
        if node >= 2**depth or not len(leaf_costs.columns) or not len(here):
            continue
        totals = leaf_costs.sides(here, costs).sum(axis=0) + problem.split_price
        for place in np.argsort(totals, kind="stable")[:20].tolist():
            if totals[place] >= cost - 1e-12:
                break
            splits[node - 1] = int(leaf_costs.columns[place])
            if allows_splits(problem, TreeShape(tuple(splits), tuple(values))):
                held = problem.rows.holds[here, splits[node - 1]]
                waiting += [(2 * node, here[held]), (2 * node + 1, here[~held])]
                break
            splits[node - 1] = NO_SPLIT
    return TreeShape(tuple(splits), tuple(values.tolist()))


Floats = NDArray[np.float64]

N_TRIED: Final = 4
"""Splits of a node whose trees are valued exactly, for each set of linear costs."""
PRICE_SHARES: Final = (0.0, 0.5, 1.0)
"""Shares of the full price that linear costs are made with."""
BOUNDED_PRICES: Final = (0.3, 1.0)
"""Prices in the linear costs that stand for a bound on a measure or for a limit."""
MANY_LEAVES: Final = 8
"""With more, labels are chosen step by step; the best ones take too long to find for each tree that is tried."""
N_BEGINNINGS: Final = 4
"""Trees that are climbed from."""


def iter_improved(
    problem: TreeProblem,
    shape: TreeShape,
    budget: Budget,
    *,
    seed: int = 0,
    points: Sequence[Multipliers] = (),
) -> Iterator[TreeShape]:
    """Yield the best tree so far, after each step; it is never worse than the first.

    Notes
    -----
    A step weighs S splits of a node in O(n S) and then finds the best values of a handful of trees.
    """
    climb = _Climb(problem, shape, budget, points)
    random = np.random.default_rng(seed)
    yield climb.best
    for beginning in range(N_BEGINNINGS):
        yield from climb.iter_climb(climb.beginning(beginning, random))
        if budget.is_over:
            return


class _Climb:
    """The best tree so far, and steps from one tree to the next."""

    def __init__(self, problem: TreeProblem, shape: TreeShape, budget: Budget, points: Sequence[Multipliers]):
        self.problem, self.terms, self.budget = problem, Terms(problem), budget
        self.known_costs = [self.terms.forms.T @ point.of_forms for point in points]
        self.leaf_costs = LeafCosts(problem, usable_splits(problem))
        self.cells = np.arange(problem.rows.n_cells)
        self.best, self.objective = shape, math.inf
        self.seen: set[tuple[int, ...]] = set()
        if problem.allows(shape):
            self.objective = problem.objective(shape)
        middle = float(np.median(problem.rows.targets))
        for splits in (shape, TreeShape.stump(problem.max_depth, middle)):
            self._offer(self._valued(splits))

    def _offer(self, shape: TreeShape | None) -> None:
        if shape is not None and (objective := self.problem.objective(shape)) < self.objective - 1e-12:
            tidy = shape.tidy()
            self.best, self.objective = tidy, min(objective, self.problem.objective(tidy))

    def _valued(self, shape: TreeShape, cutoff: float = math.inf) -> TreeShape | None:
        if self.problem.task == "classification" and len(reachable_leaves(shape)) > MANY_LEAVES:
            return good_values(self.problem, shape, self.budget)
        return best_values(self.problem, shape, self.budget, cutoff=cutoff)

    def beginning(self, number: int, random: np.random.Generator) -> TreeShape:
        """Return where to begin: the best tree, greedy ones, and the best with some splits drawn anew."""
        if number == 0:
            return self.best
        if number <= 2:
            costs = self._costs()
            return grown(self.leaf_costs, self.cells, costs[(number - 1) % len(costs)], self.problem.max_depth)
        splits = list(self.best.splits)
        if len(self.leaf_costs.columns):
            for node in random.choice(len(splits), size=max(1, len(splits) // 3), replace=False).tolist():
                splits[node] = int(random.choice(self.leaf_costs.columns))
        return _connected(TreeShape(tuple(splits), self.best.values))

    def _costs(self) -> list[Floats]:
        """Return linear costs of cells: without prices, and with those that hold near the best tree."""
        problem, terms = self.problem, self.terms
        forms = terms.forms @ self.best.predict(problem.rows.holds)
        prices = [share * problem.price for share in PRICE_SHARES]
        if problem.max_measure is not None or len(terms.bounds):
            prices += [problem.price + price for price in BOUNDED_PRICES]
        found = [terms.forms.T @ sign_point(terms, forms, price).of_forms for price in dict.fromkeys(prices)]
        return self.known_costs + [cost if terms.n_forms else np.zeros(len(self.cells)) for cost in found]

    def iter_climb(self, shape: TreeShape) -> Iterator[TreeShape]:
        """Yield the best tree so far, after each node, until no step helps."""
        valued = self._valued(shape)
        current = shape if valued is None else valued
        objective = math.inf if valued is None else self.problem.objective(valued)
        self._offer(valued)
        while True:
            before = objective
            for node in range(1, len(shape.splits) + 1):
                for candidate in self._candidates(current, node):
                    if candidate.splits in self.seen:
                        continue
                    self.seen.add(candidate.splits)
                    tried = self._valued(candidate, objective)
                    if tried is not None and (value := self.problem.objective(tried)) < objective - 1e-12:
                        current, objective = tried, value
                        self._offer(tried)
                    if self.budget.is_over:
                        yield self.best
                        return
                yield self.best
            if objective >= before - 1e-12:
                return

    def _candidates(self, shape: TreeShape, node: int) -> list[TreeShape]:
        """Return trees that differ from one in a node, the most promising first."""
        if node > 1 and shape.splits[node // 2 - 1] == NO_SPLIT:
            return []
        pruned = _connected(_with_split(shape, node, NO_SPLIT))
        found = [pruned] if shape.splits[node - 1] != NO_SPLIT else []
        found += [_exchanged(shape, node)] if 2 * node < len(shape.splits) else []
        if not len(self.leaf_costs.columns):
            return found
        here = self._cells_at(shape, node)
        self.budget.spend(calls=100, elements=8 * len(here))
        below = []
        for is_left, cells in self._leaves_below(shape, node, here):
            self.budget.spend(**self.leaf_costs.work_of_sides(len(cells)))
            below.append((0 if is_left else 1, SideSums(self.leaf_costs, cells, self.leaf_costs.levels)))
        for costs in self._costs():
            totals = np.sum([sums.single(costs)[0][side] for side, sums in below], axis=0)
            order = np.argsort(totals, kind="stable")[:N_TRIED]
            found += [_with_split(shape, node, int(self.leaf_costs.columns[place])) for place in order]
        return found

    def _cells_at(self, shape: TreeShape, node: int) -> NDArray[np.int64]:
        first, n_below = leaves_below(node, shape.depth)
        leaves = shape.leaves(self.problem.rows.holds)
        return np.flatnonzero((leaves >= first) & (leaves < first + n_below))

    def _leaves_below(
        self, shape: TreeShape, node: int, here: NDArray[np.int64]
    ) -> list[tuple[bool, NDArray[np.int64]]]:
        """Return, for each leaf below, its side and which of the node's cells would come to it from there."""
        holds, found = self.problem.rows.holds[here], []
        for is_left, child in ((True, 2 * node), (False, 2 * node + 1)):
            waiting = [(child, np.ones(len(here), dtype=bool))]
            while waiting:
                at, inside = waiting.pop()
                split = shape.splits[at - 1] if at <= len(shape.splits) else NO_SPLIT
                if split == NO_SPLIT:
                    found.append((is_left, here[inside]))
                else:
                    waiting += [(2 * at, inside & holds[:, split]), (2 * at + 1, inside & ~holds[:, split])]
        return found


def _with_split(shape: TreeShape, node: int, split: int) -> TreeShape:
    splits = list(shape.splits)
    splits[node - 1] = split
    return TreeShape(tuple(splits), shape.values)


def _connected(shape: TreeShape) -> TreeShape:
    """Return the tree without splits below nodes that do not split."""
    splits, values = list(shape.splits), list(shape.values)
    for node in range(2, len(splits) + 1):
        if splits[node // 2 - 1] == NO_SPLIT:
            splits[node - 1] = NO_SPLIT
    for node in range(1, len(splits) + 1):
        if splits[node - 1] == NO_SPLIT:
            first, n_below = leaves_below(node, shape.depth)
            values[first : first + n_below] = [values[first]] * n_below
    return TreeShape(tuple(splits), tuple(values))


def _exchanged(shape: TreeShape, node: int) -> TreeShape:
    """Return the tree with what is below the two children of a node exchanged."""
    splits, pairs = list(shape.splits), [(2 * node, 2 * node + 1)]
    while pairs[0][0] <= len(splits):
        for left, right in pairs:
            splits[left - 1], splits[right - 1] = splits[right - 1], splits[left - 1]
        pairs = [(2 * left + side, 2 * right + side) for left, right in pairs for side in (0, 1)]
    return TreeShape(tuple(splits), shape.values)
