"""What covering a cell is worth, and the bound on the relaxation of the master problem that follows from it.

=============== =============================================================================================
symbol          meaning
=============== =============================================================================================
n_i             rows that cell i stands for
s_i             sum of w_k over the rules that cover cell i
zeta_i          how far the positive cell i is missed; in the 0-1 form also how far the negative cell i is hit
y_i             the dual of s_i: what it is worth to cover cell i
delta_rg        the dual of rate r in group g, above its level minus below it; sums to 0 over the groups
lambda          the price of a unit of complexity; C, how complex a rule set may be
=============== =============================================================================================

For any y and delta the Lagrangian relaxation falls apart into cells, whose least values have a closed form, and rules,
which add nothing where no reduced cost is negative. So a bound needs no trust in the tolerances of the linear solver.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import Problem

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Duals:
    """What each cell adds to the reduced cost of a rule that covers it, and a bound on the relaxation.

    Parameters
    ----------
    coefficients : ndarray of float, shape (n_cells,)
        Negative where covering helps.
    price : float
        The price of a unit of complexity (lambda); at least 0.
    constant : float
        The dual objective without the price of complexity.
    max_complexity : int
        C.
    """

    coefficients: Floats
    price: float
    constant: float
    max_complexity: int

    @property
    def value(self) -> float:
        """The dual objective: a lower bound on the relaxation over all rules whose reduced costs are not negative."""
        return self.constant - self.max_complexity * self.price

    def raised(self, price: float) -> Self:
        """Return the duals with another price of complexity."""
        return replace(self, price=price)

    def mixed(self, other: Duals, share: float) -> Self:
        """Return the duals on the way to others; the dual objective is concave, so the constant is no overestimate."""
        return replace(
            self,
            coefficients=(1 - share) * self.coefficients + share * other.coefficients,
            price=(1 - share) * self.price + share * other.price,
            constant=(1 - share) * self.constant + share * other.constant,
        )

    def reduced_costs(self, covers: NDArray[np.bool_], costs: NDArray[np.int64]) -> Floats:
        """Return the reduced cost of each rule.

        Shapes: `covers` (n_rules, n_cells), `costs` (n_rules,); returns (n_rules,).
        """
        return weighted_covers(covers, self.coefficients[:, None])[:, 0] + self.price * costs


def weighted_covers(covers: NDArray[np.bool_], weights: Floats) -> Floats:
    """Return the sums of weights over the cells that each rule covers, shape (n_rules, n_weights).

    Rules are taken in blocks, so that no copy of all covers as numbers is needed.
    """
    block = max(1, 4_000_000 // max(1, covers.shape[1]))
    sums = np.empty((len(covers), weights.shape[1]))
    for start in range(0, len(covers), block):
        sums[start : start + block] = covers[start : start + block].astype(np.float64) @ weights
    return sums


def duals_of(problem: Problem, worth: Floats, balances: Floats, price: float) -> Duals:
    """Return the duals that follow from what covering cells is worth and from the duals of the rates.

    Shapes: `worth` (n_cells,), `balances` (n_rates, n_groups).
    """
    rows, n = problem.rows, problem.rows.weights.astype(np.float64)
    per_missed, per_hit, constant = np.ones(rows.n_groups), np.ones(rows.n_groups), 0.0
    for rate, balance in zip(problem.rates, balances, strict=True):
        centred = np.where(rate.defined, balance - balance[rate.defined].sum() / max(1, rate.defined.sum()), 0.0)
        per_missed, per_hit = per_missed + rate.missed * centred, per_hit + rate.hit * centred
        constant += float(rate.constant @ centred) - problem.max_difference * float(np.maximum(centred, 0).sum())
    half = problem.max_complexity / 2
    # zeta_i >= 1 - s_i, zeta_i <= 1 - 2 s_i / C, zeta_i >= 0: corners (s, zeta) = (0, 1), (1, 0), (C / 2, 0)
    positive = rows.labels
    y, missed = worth[positive], (n * per_missed[rows.groups])[positive]
    coefficients = np.empty(rows.n_cells)
    coefficients[positive] = -y
    constant += float(np.minimum(missed, np.minimum(y, half * y)).sum())
    hit = (n * per_hit[rows.groups])[~positive]
    if problem.objective == "hamming":
        coefficients[~positive] = hit
    else:
        # 2 s_i / C <= zeta_i <= min(1, s_i): corners (s, zeta) = (0, 0), (1, 1), (C / 2, 1)
        y = worth[~positive]
        coefficients[~positive] = -y
        constant += float(np.minimum(0.0, hit + np.minimum(y, half * y)).sum())
    return Duals(coefficients, max(0.0, price), constant, problem.max_complexity)
