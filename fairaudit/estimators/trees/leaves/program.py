"""The best numbers in the leaves of a fixed tree, by cutting planes in as many dimensions as there are leaves.

With v_l the value of leaf l, loss_l its sum of w |y - v_l|, and F and G added up over the cells of each leaf::

    minimise    sum of t_l + price * sum of m_q + limit_price * z
    subject to  t_l >= tangents of loss_l,   m_q >= g . v for sums g of rows of F with signs,   G v <= bounds, G v <= z
                m_q <= max_measure,  lowest target <= v_l <= highest target

Tangents are added where the optimum of the linear program lies below the truth. There are finitely many, and few are
needed: a handful of small programs instead of one with a row for each cell and form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from fairaudit.errors import SolverError
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

Floats = NDArray[np.float64]

EXACT: Final = 1e-10
"""A tangent is added where the program is below the truth by more."""
INFEASIBLE: Final = 2
"""SciPy's status."""
MAX_ROUNDS: Final = 300
"""Programs for one tree; more than were ever seen to be needed."""
N_STARTS: Final = 9
"""Tangents of each leaf's loss at the start."""


@dataclass(frozen=True, eq=False)
class LeafLoss:
    """The loss of a leaf as a function of its value: the sum of w |y - v|.

    Parameters
    ----------
    targets : ndarray of float, shape (n,)
        y, ascending.
    weights : ndarray of float, shape (n,)
        w, above 0.
    """

    targets: Floats
    weights: Floats

    @classmethod
    def of(cls, targets: Floats, weights: Floats) -> LeafLoss:
        """Return the loss of targets in any order."""
        order = np.argsort(targets, kind="stable")
        return cls(targets[order], weights[order])

    def value(self, v: float) -> float:
        """Return the loss of a value."""
        return float(self.weights @ np.abs(self.targets - v))

    def slopes(self, v: float) -> tuple[float, float]:
        """Return the slopes on the left and on the right of a value."""
        total = self.weights.sum()
        below = self.weights[self.targets < v].sum()
        upto = self.weights[self.targets <= v].sum()
        return float(2 * below - total), float(2 * upto - total)

    def quantile(self, share: float) -> float:
        """Return the least target that such a share of the weight is at or below; 0 where there is none."""
        if not len(self.targets):
            return 0.0
        sums = self.weights.cumsum()
        place = np.searchsorted(sums, share * sums[-1] - 1e-12 * sums[-1])
        return float(self.targets[min(int(place), len(self.targets) - 1)])


@dataclass(frozen=True, eq=False)
class LeafSolution:
    """The end of a leaf program.

    Parameters
    ----------
    values : ndarray of float or None
        The best values; None where nothing is allowed, or nothing better than what was wanted.
    bound : float
        What no values can be better than.
    pulls : tuple of ndarray
        For each measure, the multipliers of its forms that show the bound.
    pressures : ndarray of float
        Multipliers of the forms of the limit, at least 0.
    is_exact : bool
        False where the solver ended before it was known that no values are better.
    """

    values: Floats | None
    bound: float
    pulls: tuple[Floats, ...] = ()
    pressures: Floats | None = None
    is_exact: bool = True


@dataclass(frozen=True, eq=False)
class LeafProgram:
    """What is asked of the values of some leaves; see the module.

    Parameters
    ----------
    losses : tuple of LeafLoss
        One for each leaf.
    forms : tuple of ndarray of float, shape (n_forms, n_leaves)
        For each measure, its forms times its scale.
    price : float
        Of the sum of measures.
    max_measure : float, optional
        What each may be at most.
    limits : ndarray of float, shape (n_limits, n_leaves)
        G.
    bounds : ndarray of float, shape (n_limits,)
        What each form of the limit may be at most.
    limit_price : float
        Of the largest form of the limit.
    lowest, highest : float
        Between which values lie.
    """

    losses: tuple[LeafLoss, ...]
    forms: tuple[Floats, ...]
    price: float
    max_measure: float | None
    limits: Floats
    bounds: Floats
    limit_price: float
    lowest: float
    highest: float

    def solve(self, budget: Budget | None = None, *, cutoff: float = math.inf) -> LeafSolution:
        """Find the best values."""
        budget = Budget() if budget is None else budget
        return _Planes(self, budget).solve(cutoff)

    def measure_values(self, v: Floats) -> Floats:
        """Return each measure of some values."""
        return np.array([np.abs(forms @ v).sum() for forms in self.forms])


class _Planes:
    """The linear program and its tangents, over v, t, m and z."""

    def __init__(self, program: LeafProgram, budget: Budget):
        self.program, self.budget = program, budget
        n, n_measures = len(program.losses), len(program.forms)
        self.v, self.t = slice(0, n), slice(n, 2 * n)
        self.m, self.z = slice(2 * n, 2 * n + n_measures), 2 * n + n_measures
        self.n_variables = self.z + 1
        self.costs = np.zeros(self.n_variables)
        self.costs[self.t], self.costs[self.m], self.costs[self.z] = 1.0, program.price, program.limit_price
        largest = program.max_measure
        self.boxes: list[tuple[float | None, float | None]] = (
            [(program.lowest, program.highest)] * n + [(0.0, None)] * n + [(0.0, largest)] * n_measures
        )
        self.boxes += [(None if program.limit_price else 0.0, None if program.limit_price else 0.0)]
        self.rows: list[Floats] = []
        self.sides: list[float] = []
        self.signs: dict[int, tuple[int, Floats]] = {}
        self.level = self._level()
        for leaf, loss in enumerate(program.losses):
            for v in sorted({loss.quantile(share) for share in np.linspace(0.05, 0.95, N_STARTS)}):
                self._add_tangents(leaf, v)
        self.first_limit = len(self.rows)
        for form, bound in zip(program.limits, program.bounds, strict=True):
            self._add(self._over_values(form), bound)
        self.n_limits = len(self.rows) - self.first_limit
        for form in program.limits if program.limit_price else []:
            row = self._over_values(form)
            row[self.z] = -1.0
            self._add(row, 0.0)

    def _level(self) -> Floats:
        """Return rows E with E v = 0 where measures must be 0: tangents alone would come near only slowly."""
        n = len(self.program.losses)
        if self.program.max_measure is None or self.program.max_measure > EXACT or not self.program.forms:
            return np.zeros((0, n))
        forms = np.vstack(self.program.forms)
        _, singular, right = np.linalg.svd(forms.T @ forms)
        return right[: int((singular > 1e-18 + 1e-14 * singular.max(initial=0.0)).sum())]

    def _over_values(self, form: Floats) -> Floats:
        row = np.zeros(self.n_variables)
        row[self.v] = form
        return row

    def _add(self, row: Floats, side: float) -> None:
        self.rows.append(row)
        self.sides.append(float(side))

    def _add_tangents(self, leaf: int, v: float) -> None:
        loss = self.program.losses[leaf]
        value = loss.value(v)
        for slope in dict.fromkeys(loss.slopes(v)):
            row = np.zeros(self.n_variables)
            row[self.v.start + leaf], row[self.t.start + leaf] = slope, -1.0
            self._add(row, slope * v - value)

    def _add_plane(self, measure: int, v: Floats) -> None:
        forms = self.program.forms[measure]
        signs = np.sign(forms @ v)
        row = self._over_values(signs @ forms)
        row[self.m.start + measure] = -1.0
        self.signs[len(self.rows)] = (measure, signs)
        self._add(row, 0.0)

    def solve(self, cutoff: float) -> LeafSolution:
        bound, best, best_value, is_exact = -math.inf, None, math.inf, False
        for _ in range(MAX_ROUNDS):
            result = self._linprog()
            if result.status == INFEASIBLE:
                return LeafSolution(None, math.inf)
            bound = max(bound, float(result.fun))
            solution = self._solution(None, bound, result)
            if bound >= cutoff - EXACT:
                return solution
            v = np.clip(self._levelled(result.x[self.v]), self.program.lowest, self.program.highest)
            is_refined = self._refine(v, result.x)
            value, allowed = self._value(v)
            if allowed and value < best_value:
                best, best_value = v, value
            is_exact = (is_refined and allowed) or best_value <= bound + EXACT
            if is_refined or is_exact:
                break
        solution = replace(self._solution(best, bound, result), is_exact=is_exact)
        return solution if best_value < cutoff else replace(solution, values=None)

    def _linprog(self) -> Any:
        equal: dict[str, Floats] = {}
        if len(self.level):
            padded = np.pad(self.level, ((0, 0), (0, self.n_variables - self.level.shape[1])))
            equal = {"A_eq": padded, "b_eq": np.zeros(len(self.level))}
        precise = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10, "presolve": False}
        for options in (precise, {}):
            result = linprog(
                self.costs,
                A_ub=np.array(self.rows),
                b_ub=np.array(self.sides),
                bounds=self.boxes,
                method="highs-ds",
                options=options,
                **equal,
            )
            self.budget.spend(calls=60, elements=(10 + result.nit) * len(self.rows) * self.n_variables)
            if result.status in (0, INFEASIBLE):
                return result
        raise SolverError(f"The program for the values of leaves was not solved: {result.message}")

    def _levelled(self, v: Floats) -> Floats:
        return v - self.level.T @ (self.level @ v)

    def _refine(self, v: Floats, x: Floats) -> bool:
        """Add tangents where the program is below the truth; say whether it is nowhere."""
        n_rows = len(self.rows)
        for leaf, loss in enumerate(self.program.losses):
            if loss.value(v[leaf]) > x[self.t][leaf] + EXACT:
                self._add_tangents(leaf, v[leaf])
        if not len(self.level):
            for measure, value in enumerate(self.program.measure_values(v)):
                if value > x[self.m][measure] + EXACT:
                    self._add_plane(measure, v)
        return len(self.rows) == n_rows

    def _value(self, v: Floats) -> tuple[float, bool]:
        program, measured = self.program, self.program.measure_values(v)
        worst = float((program.limits @ v).max(initial=-math.inf))
        value = sum(loss.value(at) for loss, at in zip(program.losses, v, strict=True))
        value += program.price * measured.sum() + (program.limit_price * worst if program.limit_price else 0.0)
        allowed = program.max_measure is None or measured.max(initial=0.0) <= program.max_measure + SLACK / 2
        return value, allowed and (program.limits @ v - program.bounds).max(initial=0.0) <= SLACK / 2

    def _solution(self, values: Floats | None, bound: float, result: Any) -> LeafSolution:
        prices = -result.ineqlin.marginals
        pulls = [np.zeros(len(forms)) for forms in self.program.forms]
        for row, (measure, signs) in self.signs.items():
            if row < len(prices):
                pulls[measure] += prices[row] * signs
        if len(self.level):
            # The level's multipliers, as multipliers of the forms whose combinations the level is made of.
            forms = np.vstack(self.program.forms)
            whole = np.linalg.lstsq(forms.T, self.level.T @ -result.eqlin.marginals, rcond=None)[0]
            pulls = np.split(whole, np.cumsum([len(part) for part in self.program.forms])[:-1])
        first, n_limits = self.first_limit, self.n_limits
        pressures = prices[first : first + n_limits].copy()
        if self.program.limit_price:
            pressures += prices[first + n_limits : first + 2 * n_limits]
        return LeafSolution(values, bound, tuple(pulls), np.maximum(pressures, 0.0))
