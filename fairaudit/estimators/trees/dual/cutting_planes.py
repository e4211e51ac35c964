"""The Lagrangian dual by cutting planes: the multipliers with the best bound.

Symbols as in `terms`. The master program is over the trees seen so far, with e_T the loss and splits of tree T and f_T
its forms::

    maximise  z   subject to   z <= e_T + (nu, alpha + omega) f_T - alpha bounds - max_measure sum of lambda,   all T
                               |nu_k| <= price + lambda_m,   sum of omega = limit_price

Each optimum is tried: the best tree for it gives a bound, and joins the trees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

Floats = NDArray[np.float64]

MOST_ITERATIONS = 20_000
"""Of the simplex method; far more than a program takes."""

RADIUS = 100.0
"""Multipliers of limits and of bounds on measures are looked for up to this: loss for a gap of 1 that is closed."""


class DualMaster:
    """The master program.

    Parameters
    ----------
    terms : Terms
        Of the problem.
    """

    def __init__(self, terms: Terms) -> None:
        problem = terms.problem
        self.terms = terms
        self.costs: list[float] = []
        self.forms: list[Floats] = []
        self.is_bounded = problem.max_measure is not None
        n_limits = len(terms.bounds)
        self.n_measured = terms.n_forms - n_limits
        self.n_bounds = len(terms.measures) if self.is_bounded else 0
        self.n_weights = n_limits if problem.limit_price else 0
        # z, nu, lambda, alpha, omega
        self.ends = np.cumsum([1, self.n_measured, self.n_bounds, n_limits, self.n_weights])
        self.n_columns = int(self.ends[-1])

    def add(self, cost: float, forms: Floats) -> None:
        """Add a tree: its loss and splits, and its forms."""
        self.costs.append(cost)
        self.forms.append(forms)

    def multipliers(self, x: Floats) -> Multipliers:
        """Return the multipliers of a solution."""
        measured, bounded, limited = x[1 : self.ends[1]], x[self.ends[1] : self.ends[2]], x[self.ends[2] : self.ends[3]]
        weighted = x[self.ends[3] :] if self.n_weights else 0.0
        constant = -limited @ (self.terms.bounds + SLACK) - bounded.sum() * self._most
        return Multipliers(np.concatenate([measured, limited + weighted]), float(constant))

    @property
    def _most(self) -> float:
        most = self.terms.problem.max_measure
        return 0.0 if most is None else most + SLACK

    @property
    def _price(self) -> float:
        """The price of measures; of a very high one a part is enough for a bound, and good for the solver."""
        return min(self.terms.problem.price, RADIUS)

    def solve(self, budget: Budget) -> tuple[Multipliers, float] | None:
        """Return the best multipliers over the trees so far, and what the dual is worth at most."""
        problem, terms, ends = self.terms.problem, self.terms, self.ends
        objective = np.zeros(self.n_columns)
        objective[0] = -1.0
        forms = np.array(self.forms).reshape(len(self.costs), -1)
        limited = forms[:, self.n_measured :]
        cuts = [
            np.ones((len(forms), 1)),
            -forms[:, : self.n_measured],
            np.full((len(forms), self.n_bounds), self._most),
            terms.bounds + SLACK - limited,
            -limited[:, : self.n_weights],
        ]
        blocks, right = [sparse.csr_array(np.hstack(cuts))], [np.array(self.costs)]
        if self.n_bounds:
            blocks += self._widths()
            right += [np.full(self.n_measured, self._price)] * 2
        bounds = np.zeros((self.n_columns, 2))
        bounds[0] = -np.inf, np.inf
        bounds[1 : ends[1]] = (-np.inf, np.inf) if self.n_bounds else (-self._price, self._price)
        bounds[ends[1] : ends[3], 1] = RADIUS
        bounds[ends[3] :, 1] = problem.limit_price
        equal = None
        if self.n_weights:
            equal = np.zeros((1, self.n_columns))
            equal[0, ends[3] :] = 1.0
        solved = optimize.linprog(
            objective,
            A_ub=sparse.vstack(blocks),
            b_ub=np.concatenate(right),
            A_eq=equal,
            b_eq=None if equal is None else [problem.limit_price],
            bounds=bounds,
            method="highs",
            options={"maxiter": MOST_ITERATIONS, "presolve": False},
        )
        budget.spend(calls=60, elements=solved.nit * (self.n_columns + len(forms)) + forms.size)
        if solved.status != 0:
            return None
        return self.multipliers(self._inside(solved.x)), float(-solved.fun)

    def _widths(self) -> list[sparse.csr_array]:
        """Return the rows ``nu_k - lambda_m <= price`` and ``-nu_k - lambda_m <= price``."""
        ends = self.ends
        owner = np.repeat(np.arange(self.n_bounds), [part.stop - part.start for part in self.terms.measures])
        lower = np.arange(self.n_measured)
        found = []
        for sign in (1.0, -1.0):
            entries = np.concatenate([np.full(self.n_measured, sign), np.full(self.n_measured, -1.0)])
            places = np.concatenate([1 + lower, ends[1] + owner])
            found.append(sparse.csr_array((entries, (np.tile(lower, 2), places)), (self.n_measured, self.n_columns)))
        return found

    def _origin(self) -> Floats:
        x = np.zeros(self.n_columns)
        if self.n_weights:
            x[self.ends[3] :] = self.terms.problem.limit_price / self.n_weights
        return x

    def _inside(self, x: Floats) -> Floats:
        """Return a point of the linear solver, free of its tolerances: the bound must not need them."""
        problem, ends = self.terms.problem, self.ends
        x = x.copy()
        x[ends[1] :] = np.maximum(x[ends[1] :], 0.0)
        for place, part in enumerate(self.terms.measures):
            width = self._price + (x[ends[1] + place] if self.n_bounds else 0.0)
            inside = slice(1 + part.start, 1 + part.stop)
            x[inside] = np.clip(x[inside], -width, width)
        if self.n_weights:
            weights = x[ends[3] :]
            total = weights.sum()
            x[ends[3] :] = (
                weights * (problem.limit_price / total) if total > 0 else problem.limit_price / self.n_weights
            )
        return x

    def start(self) -> Multipliers:
        """Return where to begin: no multipliers but those that add up to the price of the limit."""
        return self.multipliers(self._origin())
