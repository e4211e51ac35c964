"""What the stages of the dual search share: the best tree, bounds for each root split, and the events."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.cart import usable_splits
from fairaudit.estimators.trees.dual.leaf_costs import LeafCosts
from fairaudit.estimators.trees.dual.terms import Multipliers
from fairaudit.estimators.trees.frontier.state import SearchState
from fairaudit.estimators.trees.leaves.values import best_values
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.search_outcome import Found, Status
from fairaudit.estimators.trees.shape import TreeShape
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

    def found(self) -> Found:
        """Return the result."""
        if self.is_closed:
            self.bound = self.objective
        if self.shape is not None:
            return super().found()
        status: Status = "infeasible" if self.is_closed else "stopped" if self.stopped else "work_limit"
        return replace(super().found(), status=status)
