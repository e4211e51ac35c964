"""What the stages of the dual search share: the best tree, bounds for each root split, and the events."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.leaf_costs import LeafCosts, PairCosts, PairTable
from fairaudit.estimators.trees.improving import usable_splits
from fairaudit.estimators.trees.leaf_values import best_values
from fairaudit.estimators.trees.problem import FoundTree, Status, TreeProblem, TreeShape
from fairaudit.estimators.trees.relaxation import Event, Multipliers, SearchState, dual_point
from fairaudit.events import Command
from fairaudit.work import Budget

Floats = NDArray[np.float64]

ALIKE: Final = 1e-9
"""Objectives that differ by less are alike."""


class DualState(SearchState):
    """The best tree and a bound for each root split.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    budget : Budget
        The work that may be done.
    """

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        super().__init__(problem, budget)
        if problem.task == "regression":
            self.step = 0.0
        self.leaf_costs = LeafCosts(problem, usable_splits(problem))
        self.columns = self.leaf_costs.columns
        self.cells = np.arange(problem.rows.n_cells)
        # Of the trees with each root split; the tree that does not split is valued at the start.
        self.root_bounds = np.full(len(self.columns), -math.inf)
        self.points: list[Multipliers | None] = [None] * len(self.columns)
        self.seen: set[tuple[int, ...]] = set()

    @property
    def target(self) -> float:
        """What a tree has to be below, to be better than the best."""
        return self.objective - max(self.step * (1 - 1e-6), ALIKE)

    def cell_costs(self, point: Multipliers) -> Floats:
        """Return what a prediction of 1 costs in each cell at a point of the dual."""
        self.budget.spend(calls=2, elements=self.terms.forms.nnz)
        return self.terms.forms.T @ point.of_forms

    def forms_of(self, shape: TreeShape) -> Floats:
        """Return F h of a tree."""
        self.budget.spend(calls=6, elements=self.terms.forms.nnz + 8 * self.problem.rows.n_cells)
        return self.terms.forms @ shape.predict(self.problem.rows.holds)

    def consider(self, shape: TreeShape) -> None:
        """Find the best values of a tree's leaves, once for the same splits, and keep it if it is the best."""
        shape = shape.tidy() if self.problem.split_price else shape
        if shape.splits not in self.seen:
            self.seen.add(shape.splits)
            found = best_values(self.problem, shape, self.budget, cutoff=self.target)
            if found is not None:
                self.offer(found.tidy())

    def raise_bounds(self, bounds: Floats, point: Multipliers) -> None:
        """Take bounds of all root splits in, with the point that showed them."""
        higher = bounds > self.root_bounds
        self.root_bounds[higher] = bounds[higher]
        for place in np.flatnonzero(higher).tolist():
            self.points[place] = point
        self.settle()

    def settle(self) -> None:
        """Bring the bound up to the lowest of the root splits, or to the best objective."""
        self.bound = max(self.bound, min(self.objective, float(self.root_bounds.min(initial=math.inf))))

    @property
    def is_closed(self) -> bool:
        """Whether no root split can have a better tree."""
        return bool((self.root_bounds >= self.target).all())

    def found(self) -> FoundTree:
        """Return the result."""
        if self.is_closed:
            self.bound = self.objective
        if self.shape is not None:
            return super().found()
        status: Status = "infeasible" if self.is_closed else "stopped" if self.stopped else "work_limit"
        return replace(super().found(), status=status)


# The best tree for linear costs of cells, of any depth, with a bound for each root split.

PAIR_DEPTH: Final = 2
"""Trees of this depth come from sums over pairs of splits."""


class OverError(Exception):
    """The work is done before the best tree is known."""


@dataclass(frozen=True, eq=False)
class BestTree:
    """The best tree for linear costs.

    Parameters
    ----------
    shape : TreeShape
        The tree, of the depth asked for.
    cost : float
        Its loss, linear costs and splits.
    roots : ndarray of float, shape (n_splits,)
        What the best tree with each root split costs.
    """

    shape: TreeShape
    cost: float
    roots: Floats


class LinearTrees:
    """Finds best trees for linear costs.

    Parameters
    ----------
    state : DualState
        The problem and the work.
    """

    def __init__(self, state: DualState):
        self.state = state
        self.table: PairTable | None = None

    def iter_best(self, costs: Floats, depth: int) -> Generator[Event, Command | None, BestTree]:
        """Find the best tree over all cells.

        Shapes: `costs` (n_cells,).

        Notes
        -----
        One product of matrices up to depth 2; below, one for each conjunction of the splits above.
        """
        subtrees = []
        for place in range(len(self.state.columns)) if depth > PAIR_DEPTH else []:
            subtrees.append(self._below(self.state.cells, place, costs, depth))
            yield from self.state.iter_show("Looking for the bound")
        return self._best(self.state.cells, costs, depth, is_root=True, subtrees=subtrees)

    def _best(
        self,
        cells: NDArray[np.int64],
        costs: Floats,
        depth: int,
        *,
        is_root: bool = False,
        subtrees: Sequence[tuple[BestTree, BestTree]] = (),
    ) -> BestTree:
        state, price = self.state, self.state.problem.split_price
        if depth > 1 and state.is_over:
            raise OverError
        alone, value = state.leaf_costs.best_leaf(cells, costs)
        state.budget.spend(calls=10, elements=6 * len(cells))
        least = state.problem.min_leaf_size if state.problem.min_leaf_size > 1 and not is_root else 0
        if state.problem.rows.weights[cells].sum() < least:
            alone = np.inf
        lone = TreeShape.stump(depth, value)
        if not len(state.columns):
            return BestTree(lone, alone, np.zeros(0))
        if depth == 1:
            state.budget.spend(calls=10, elements=3 * len(cells) * len(state.columns))
            single, _ = state.leaf_costs.sides(cells, costs)
            roots = single.sum(axis=0) + price
        elif depth == PAIR_DEPTH:
            pairs = self._pairs(cells, costs, is_root=is_root)
            roots = pairs.roots
        else:
            subtrees = subtrees or [self._below(cells, place, costs, depth) for place in range(len(state.columns))]
            roots = np.array([left.cost + right.cost for left, right in subtrees]) + price
        best = int(roots.argmin())
        if alone <= roots[best] + 1e-12:
            return BestTree(lone, alone, roots)
        if depth == 1:
            children = [self._leaf(part, costs) for part in self._parts(cells, best)]
        elif depth == PAIR_DEPTH:
            children = [self._best(part, costs, 1).shape for part in self._parts(cells, best)]
        else:
            children = [below.shape for below in subtrees[best]]
        return BestTree(joined(int(state.columns[best]), *children), float(roots[best]), roots)

    def _pairs(self, cells: NDArray[np.int64], costs: Floats, *, is_root: bool) -> PairCosts:
        budget, leaf_costs = self.state.budget, self.state.leaf_costs
        budget.spend(calls=30, **leaf_costs.work_of_costs(len(cells)))
        if is_root and self.table is not None:
            return self.table.costs(costs)
        budget.spend(calls=30, **leaf_costs.work_of_table(len(cells)))
        table = leaf_costs.table(cells)
        self.table = table if is_root else self.table
        return table.costs(costs)

    def _parts(self, cells: NDArray[np.int64], place: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        holds = self.state.problem.rows.holds[cells, self.state.columns[place]]
        return cells[holds], cells[~holds]

    def _below(self, cells: NDArray[np.int64], place: int, costs: Floats, depth: int) -> tuple[BestTree, BestTree]:
        left, right = (self._best(part, costs, depth - 1) for part in self._parts(cells, place))
        return left, right

    def _leaf(self, cells: NDArray[np.int64], costs: Floats) -> TreeShape:
        return TreeShape((), (self.state.leaf_costs.best_leaf(cells, costs)[1],))


def joined(split: int, left: TreeShape, right: TreeShape) -> TreeShape:
    """Return the tree with a root split and two trees of the same depth below it.

    Examples
    --------
    >>> joined(7, TreeShape((1,), (0.0, 1.0)), TreeShape((2,), (2.0, 3.0))).splits
    (7, 1, 2)
    """
    splits = [split]
    for level in range(left.depth):
        part = slice(2**level - 1, 2 ** (level + 1) - 1)
        splits += [*left.splits[part], *right.splits[part]]
    return TreeShape(tuple(splits), left.values + right.values)


def perfect_bound(state: DualState) -> float:
    """Return what no tree of any depth is below: each set of cells that splits do not divide has its own leaf."""
    point = dual_point(state.terms, np.zeros(state.terms.n_forms))
    costs = state.cell_costs(point)
    _, alike = np.unique(np.packbits(state.problem.rows.holds, axis=1), axis=0, return_inverse=True)
    alike = alike.reshape(-1)
    if not costs.any():
        return least_loss(state.problem, alike) + point.constant
    order = np.argsort(alike, kind="stable")
    ends = np.flatnonzero(np.diff(alike[order])) + 1
    total = sum(state.leaf_costs.best_leaf(cells, costs)[0] for cells in np.split(order, ends))
    return total + point.constant - state.leaf_costs.error


def least_loss(problem: TreeProblem, alike: NDArray[np.int64]) -> float:
    """Return the loss where each set of cells is predicted its median.

    Shapes: `alike` (n_cells,).
    """
    targets, counts = problem.rows.targets, problem.rows.weights
    order = np.lexsort((targets, alike))
    sets, upto = alike[order], np.cumsum(counts[order])
    # Rows up to the end of each set, 0 before the first: counted in whole numbers, so that no tie is missed.
    ends = np.concatenate([[0], upto[np.flatnonzero(np.diff(sets, append=-1))]])
    above = np.flatnonzero(2 * (upto - ends[sets]) >= np.diff(ends)[sets])
    _, first = np.unique(sets[above], return_index=True)
    medians = targets[order][above[first]]
    return problem.loss(medians[alike])
