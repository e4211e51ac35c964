"""The terms of a problem as linear forms, and its Lagrangian relaxation.

========== ==================================================================================================
symbol     meaning
========== ==================================================================================================
c_i        what predicting 1 rather than 0 for cell i adds to the loss: its share of the rows, minus if its label is 1
F          all forms: those of the measures, then those of the limit; with the measures' scale already in them
nu_k       the multiplier of a form of a measure: between plus and minus (price + lambda)
alpha_k    the multiplier of a form of the limit; at least 0
omega_k    weights of the forms of the limit in the largest of them; at least 0 with the sum limit_price
lambda_m   the multiplier of the bound on a measure; at least 0
========== ==================================================================================================

For any of them the objective of each tree that is allowed is at least ``constant + sum of (c + multipliers F) h``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairaudit.estimators.trees.problem import TreeProblem, TreeShape
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]

FEW_FORMS = 200
"""With more forms, cells are not compared to find kinds."""
FEW_KINDS = 64
"""More kinds of rows than that are not worth counting one by one."""
GRID_BITS = 50
"""So many bits below its largest sum, costs are rounded: sums of them are exact then, in any order."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Rows that count alike in the loss and in all forms are of one kind.

    Parameters
    ----------
    of_cells : ndarray of int, shape (n_cells,)
        The kind of each cell.
    costs : ndarray of float, shape (n_kinds,)
        c of a row.
    forms : ndarray of float, shape (n_forms, n_kinds)
        F of a row.
    sizes : ndarray of float, shape (n_kinds,)
        How many rows there are.
    """

    of_cells: NDArray[np.int64]
    costs: Floats
    forms: Floats
    sizes: Floats

    def priced(self, multipliers: Multipliers) -> Floats:
        """Return what predicting 1 rather than 0 for a row costs, shape (n_kinds,)."""
        return on_grid(self.costs + multipliers.of_forms @ self.forms, self.sizes)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """A point of the dual.

    Parameters
    ----------
    of_forms : ndarray of float, shape (n_forms,)
        What each form counts.
    constant : float
        What does not depend on predictions, without the loss of predicting 0.
    """

    of_forms: Floats
    constant: float

    def mixed(self, other: Multipliers, share: float) -> Multipliers:
        """Return a point between this one and, at 1, the other."""
        return Multipliers(
            (1 - share) * self.of_forms + share * other.of_forms, (1 - share) * self.constant + share * other.constant
        )


class Terms:
    """The loss and the forms of a problem of classification.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    """

    def __init__(self, problem: TreeProblem) -> None:
        rows, limit = problem.rows, problem.limit
        self.problem = problem
        one_row = float(on_grid(np.array([1 / rows.n_rows]), rows.n_rows)[0])
        self.costs = one_row * rows.weights * (1 - 2 * rows.targets)
        self.base = one_row * float(rows.weights @ rows.targets)
        is_asked = bool(problem.price) or problem.max_measure is not None
        measures = problem.measures if is_asked else ()
        parts = [measure.forms * measure.scale for measure in measures]
        if limit is not None:
            parts.append(limit.forms)
        ends = np.cumsum([0, *(part.shape[0] for part in parts)]).tolist()
        self.measures = [slice(ends[place], ends[place + 1]) for place in range(len(measures))]
        self.limit = slice(ends[len(measures)], ends[-1])
        self.forms = sparse.csr_array(sparse.vstack(parts)) if parts else sparse.csr_array((0, rows.n_cells))
        # No form can be more than the sum of what adds to it, each times the largest prediction: so bounds are finite.
        largest = 1.0 if problem.task == "classification" else float(np.abs(rows.targets).max(initial=0.0))
        most = largest * abs(self.forms[self.limit]).sum(axis=1)
        self.bounds = np.zeros(0) if limit is None else np.minimum(limit.bounds, most)

    @property
    def n_forms(self) -> int:
        """Forms in all."""
        return self.forms.shape[0]

    @property
    def step(self) -> float:
        """The least difference between two objectives; 0 where they need not be shares of rows."""
        problem = self.problem
        priced = problem.split_price or (problem.limit_price and problem.limit) or (problem.price and problem.measures)
        return 0.0 if priced else 1 / problem.rows.n_rows

    @cached_property
    def kinds(self) -> Kinds | None:
        """The kinds of rows, where they are few."""
        rows = self.problem.rows
        if self.n_forms > FEW_FORMS:
            return None
        codes = rows.groups * 2 + rows.targets.astype(np.int64)
        _, first, of_cells = np.unique(codes, return_index=True, return_inverse=True)
        per_row = self.forms.multiply(1 / rows.weights).toarray()
        forms = per_row[:, first]
        off = np.abs(per_row - forms[:, of_cells]).max(initial=0.0)
        if len(first) > FEW_KINDS or off > 1e-12 * np.abs(forms).max(initial=0.0):
            return None
        costs = self.costs[first] / rows.weights[first]
        _, kept, merged = np.unique(np.vstack([costs, forms]), axis=1, return_index=True, return_inverse=True)
        of_cells = merged.reshape(-1)[of_cells.reshape(-1)]
        sizes = sums_by_code(of_cells, rows.weights)
        return Kinds(of_cells, costs[kept], on_grid(forms[:, kept], sizes), sizes)

    def cell_costs(self, multipliers: Multipliers) -> Floats:
        """Return what predicting 1 rather than 0 for each cell costs, shape (n_cells,)."""
        return on_grid(self.costs + self.forms.T @ multipliers.of_forms, 1.0)

    def objectives(self, losses: Floats, forms: Floats) -> Floats:
        """Return objectives without the price of splits; infinite for what is not allowed.

        Shapes: `losses` (n,), `forms` (n, n_forms); returns (n,).
        """
        problem, total = self.problem, losses.copy()
        for part in self.measures:
            measure = np.abs(forms[:, part]).sum(axis=1)
            total += problem.price * measure
            if problem.max_measure is not None:
                total[measure > problem.max_measure + SLACK] = np.inf
        limited = forms[:, self.limit]
        if problem.limit is not None and limited.shape[1]:
            total += problem.limit_price * limited.max(axis=1)
            total[(limited > self.bounds + SLACK).any(axis=1)] = np.inf
        return total

    def of_leaves(self, shape: TreeShape) -> tuple[Floats, Floats]:
        """Return what predicting 1 rather than 0 in each leaf adds to the loss, and to the forms.

        Shapes: returns `costs` (n_leaves,), `forms` (n_forms, n_leaves).
        """
        rows, n_leaves = self.problem.rows, len(shape.values)
        leaves = shape.leaves(rows.holds)
        if (kinds := self.kinds) is not None:
            places = leaves * len(kinds.costs) + kinds.of_cells
            counts = np.bincount(places, weights=rows.weights, minlength=n_leaves * len(kinds.costs))
            counts = counts.reshape(n_leaves, -1)
            return counts @ kinds.costs, kinds.forms @ counts.T
        inside = sparse.csr_array((np.ones(rows.n_cells), (np.arange(rows.n_cells), leaves)), (rows.n_cells, n_leaves))
        return self.costs @ inside, (self.forms @ inside).toarray()


def on_grid(costs: Floats, sizes: Floats | float) -> Floats:
    """Return costs of rows, so rounded that sums over them are exact: equal ones are equal on every machine.

    Shapes: `costs` (..., n), `sizes` (n,) or one number: how many rows have each.

    Examples
    --------
    >>> third = float(on_grid(np.array([1 / 3]), 3)[0])
    >>> third + third + third == 3 * third, abs(third - 1 / 3) < 1e-14
    (True, True)
    """
    largest = float((np.abs(costs) * sizes).sum(axis=-1).max(initial=0.0))
    if not largest or not np.isfinite(largest):
        return costs
    step = 2.0 ** (math.ceil(math.log2(largest)) - GRID_BITS)
    return np.rint(costs / step) * step
