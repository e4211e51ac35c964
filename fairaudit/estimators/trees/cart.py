"""A tree grown split by split, each the best for the rows that come to it: where searches begin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.leaf_costs import LeafCosts
from fairaudit.estimators.trees.frontier.conjunction_sums import distinct_splits
from fairaudit.estimators.trees.leaves.values import allows_splits, best_values
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below
from fairaudit.work import Budget


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
    """Grow a tree for some cells.

    Shapes: `costs` (n_cells,).
    """
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
        single, _ = leaf_costs.sides(here, costs)
        totals = single.sum(axis=0) + problem.split_price
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
