"""Leaves that predict numbers: constants or weighted sums, and the absolute error.

======== ============================================================================================================
symbol   meaning
======== ============================================================================================================
r[p,k]   whether pattern p comes to leaf k
u[k]     the constant of leaf k; w[k], its weights of the numbers x
v[p,k]   the prediction for p if it comes to leaf k, else 0
e+, e-   by how much the prediction is above and below a target
======== ============================================================================================================

Targets and predictions are measured in the range of the targets, from 0 for the smallest to 1 for the largest, so that
M is 1 for constants, and what the largest slope allows for sums. What is predicted for a row is within that range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from fairaudit.estimators.trees.formulation.linear import LARGEST_SLOPE
from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.solver import add_row

CHUNK: Final = 200
"""Patterns whose rows are added before others may do something."""


class Leaves:
    """The rows of leaves that predict numbers; they are complete when `iter_build` has run.

    Parameters
    ----------
    model : pyscipopt.Model
        The model.
    rows : TreeRows
        The rows.
    patterns : Patterns
        Their patterns.
    linear : bool
        Whether leaves predict weighted sums of points.
    """

    def __init__(self, model: Any, rows: TreeRows, patterns: Patterns, *, linear: bool):
        self.model, self.rows, self.patterns = model, rows, patterns
        self.low, self.span = target_range(rows)
        self.points = patterns.points if linear else patterns.points[:, :0]

    def iter_build(self, reach: Sequence[Sequence[Any]]) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        model, n_patterns, n_points = self.model, self.patterns.n_patterns, self.points.shape[1]
        slack = LARGEST_SLOPE * n_points
        self.constants = [model.addVar(f"u_{k}", lb=-slack, ub=1.0 + slack) for k in range(len(reach))]
        self.weights = [
            [model.addVar(f"w_{k}_{j}", lb=-LARGEST_SLOPE, ub=LARGEST_SLOPE) for j in range(n_points)]
            for k in range(len(reach))
        ]
        self.predicted = [model.addVar(f"h_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
        self.parts = [[model.addVar(f"v_{k}_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
                      for k in range(len(reach))]  # fmt: skip
        for p, (point, predicted) in enumerate(zip(self.points, self.predicted, strict=True)):
            if p % CHUNK == 0:
                yield
            for k, comes in enumerate(reach):
                self._add_part(k, p, comes[p], point, slack)
            # h[p] = sum_k v[p,k],  all p
            parts = [part[p] for part in self.parts]
            add_row(model, [predicted, *parts], [1.0, *-np.ones(len(parts))], at_least=0.0, at_most=0.0, name=f"h_{p}")
        yield from self._iter_add_errors()

    def _add_part(self, k: int, p: int, comes: Any, point: Floats, slack: float) -> None:
        part = self.parts[k][p]
        sums, factors = [self.constants[k], *self.weights[k]], [1.0, *point]
        most = 1.0 + slack + LARGEST_SLOPE * float(np.abs(point).sum())
        # v[p,k] <= r[p,k],  all p and k
        add_row(self.model, [part, comes], [1.0, -1.0], at_most=0.0, name=f"v_{k}_{p}")
        # u[k] + w[k] x[p] - M (1 - r[p,k]) <= v[p,k]
        add_row(self.model, [*sums, comes, part], [*factors, most, -1.0], at_most=most, name=f"v_below_{k}_{p}")
        # v[p,k] <= u[k] + w[k] x[p] + (M - 1) (1 - r[p,k])
        add_row(self.model, [*sums, comes, part], [*factors, 1.0 - most, -1.0], at_least=1.0 - most,
                name=f"v_above_{k}_{p}")  # fmt: skip

    def _iter_add_errors(self) -> Iterator[None]:
        """Add the error of each pattern and target, once for all groups."""
        rows = self.rows
        scaled = (rows.targets - self.low) / self.span
        keys, inverse = np.unique(np.column_stack([self.patterns.of_cell, scaled]), axis=0, return_inverse=True)
        self.places, self.targets = keys[:, 0].astype(np.int64), keys[:, 1]
        sizes = np.bincount(inverse.reshape(-1), weights=rows.weights)
        self.above = [self.model.addVar(f"ep_{i}", lb=0.0, ub=1.0) for i in range(len(keys))]
        self.below = [self.model.addVar(f"em_{i}", lb=0.0, ub=1.0) for i in range(len(keys))]
        self.costs = np.concatenate([sizes, sizes])
        for i, (place, target) in enumerate(zip(self.places.tolist(), self.targets.tolist(), strict=True)):
            if i % CHUNK == 0:
                yield
            # h[p] - e+ + e- = y,  all p and y
            variables = [self.predicted[place], self.above[i], self.below[i]]
            add_row(self.model, variables, [1.0, -1.0, 1.0], at_least=target, at_most=target, name=f"error_{i}")

    @property
    def settings(self) -> list[Any]:
        """The variables that say what leaves predict."""
        return [*self.constants, *(weight for part in self.weights for weight in part)]

    @property
    def dependent(self) -> list[Any]:
        """The variables that follow from the others."""
        return [*self.predicted, *(part for parts in self.parts for part in parts), *self.above, *self.below]

    def decode(self, values: Floats) -> Floats:
        """Return constant and weights of each leaf, in units of the target, from values of `settings`."""
        n_leaves = len(self.constants)
        constants = self.low + self.span * values[:n_leaves]
        weights = self.span * values[n_leaves:].reshape(n_leaves, -1)
        return np.column_stack([constants, weights])

    def encode(self, leaf_of: Floats, constants: Floats) -> tuple[Floats, Floats]:
        """Return values of `settings` and `dependent`, for the leaf of each pattern and constant leaves."""
        scaled = np.clip((constants - self.low) / self.span, 0.0, 1.0)
        predicted = scaled[leaf_of]
        parts = np.where(leaf_of[None, :] == np.arange(len(scaled))[:, None], predicted, 0.0)
        errors = predicted[self.places] - self.targets
        settings = np.concatenate([scaled, np.zeros(sum(map(len, self.weights)))])
        return settings, np.concatenate([predicted, parts.ravel(), np.maximum(errors, 0.0), np.maximum(-errors, 0.0)])


def target_range(rows: TreeRows) -> tuple[float, float]:
    """Return the smallest target, and how far the largest is above it; 1 where they are the same."""
    low, high = float(rows.targets.min()), float(rows.targets.max())
    return low, (high - low) or 1.0
