"""Points of the Lagrangian dual, and ways upwards: by cutting planes for few forms, in steps for thousands.

Symbols as in `terms`. At a point the best tree for the linear costs has forms f = F h, which is the direction in which
the bound rises. With few forms, a master program over the trees met so far gives the next point. With many, steps are
as long as Polyak's, for the distance between the bound and the best objective known.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from fairaudit.errors import sure
from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

# The Lagrangian dual by cutting planes: the multipliers with the best bound.
#
# Symbols as in `terms`. The master program is over the trees seen so far, with e_T the loss and splits of tree T and
# f_T its forms::
#
#     maximise  z   subject to   z <= e_T + (nu, alpha + omega) f_T - alpha bounds - max_measure sum of lambda,   all T
#                                |nu_k| <= price + lambda_m,   sum of omega = limit_price
#
# Each optimum is tried: the best tree for it gives a bound, and joins the trees.

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


FEW_FORMS: Final = 60
"""Up to so many, the master program is small."""
NEAR: Final = 0.01
"""An ascent is tired where so little of the distance to the best objective can still be closed."""
SHORTER: Final = 0.6
"""Steps are shortened by this where the bound has not risen for a while."""
PATIENCE: Final = 6
"""Steps without a better bound before they are shortened."""
MEMORY: Final = 0.3
"""How much of the last direction is kept."""


def dual_point(terms: Terms, of_forms: Floats) -> Multipliers:
    """Return the point of the dual that is next to some multipliers.

    Shapes: `of_forms` (n_forms,).
    """
    problem, x, constant = terms.problem, of_forms.copy(), 0.0
    for part in terms.measures:
        if problem.max_measure is None:
            x[part] = np.clip(x[part], -problem.price, problem.price)
        else:
            # lambda = max(0, max |nu| - price) costs lambda * max_measure.
            constant -= max(np.abs(x[part]).max(initial=0.0) - problem.price, 0.0) * problem.max_measure
    limited = np.maximum(x[terms.limit], 0.0)
    if len(limited):
        missing = problem.limit_price - limited.sum()
        limited = limited + max(missing, 0.0) / len(limited)
        # Of each multiplier as much as can be is omega, which costs nothing; where bounds are highest first.
        left = problem.limit_price
        for place in np.argsort(-terms.bounds, kind="stable"):
            omega = min(left, limited[place])
            left -= omega
            constant -= (limited[place] - omega) * terms.bounds[place]
        x[terms.limit] = limited
    return Multipliers(x, float(constant))


def sign_point(terms: Terms, forms: Floats, price: float) -> Multipliers:
    """Return the point that values forms as a price on the absolute values does near a tree.

    Shapes: `forms` (n_forms,).
    """
    x = np.zeros(terms.n_forms)
    for part in terms.measures:
        x[part] = price * np.sign(forms[part])
    excess = forms[terms.limit] - terms.bounds
    if len(excess):
        worst = int(forms[terms.limit].argmax())
        x[terms.limit] = np.where(excess > 0, price, 0.0)
        x[terms.limit.start + worst] += terms.problem.limit_price
    return dual_point(terms, x)


def ascent_of(terms: Terms, budget: Budget, start: Multipliers | None = None) -> Ascent | MasterAscent:
    """Return the way upwards that suits the number of forms."""
    return MasterAscent(terms, budget, start) if terms.n_forms <= FEW_FORMS else Ascent(terms, start)


class MasterAscent:
    """Climb the dual by cutting planes.

    Parameters
    ----------
    terms : Terms
        Of the problem.
    budget : Budget
        Where work counts.
    start : Multipliers, optional
        Where to begin; without, where nothing has a price.
    """

    def __init__(self, terms: Terms, budget: Budget, start: Multipliers | None = None):
        self.terms, self.budget, self.master = terms, budget, DualMaster(terms)
        self.point = dual_point(terms, np.zeros(terms.n_forms)) if start is None else start
        self.best, self.best_point, self.upper = -math.inf, self.point, math.inf
        self.is_tired = False
        problem = terms.problem
        # Trees that do not split keep the first programs from running away.
        for value in (problem.rows.targets.min(), problem.rows.targets.max()):
            h = np.full(problem.rows.n_cells, value)
            self.master.add(problem.loss(h), terms.forms @ h)

    def step(self, value: float, forms: Floats, target: float) -> None:
        """Go on from the point; see `Ascent.step`."""
        point, rose = self.point, value > self.best
        if rose:
            self.best, self.best_point = value, point
        self.master.add(value - point.constant - float(point.of_forms @ forms), forms)
        solved = self.master.solve(self.budget)
        if solved is None:
            self.is_tired = True
            return
        aim, self.upper = solved
        aim = dual_point(self.terms, aim.of_forms)
        # Half the way as long as that rises: optima of early programs are far off.
        self.point = dual_point(self.terms, (aim.of_forms + self.best_point.of_forms) / 2) if rose else aim
        left = max(target - self.best, 0.0) if math.isfinite(target) else 0.0
        self.is_tired = self.upper - self.best <= max(NEAR * left, 1e-9)


class Ascent:
    """Climb the dual in steps.

    Parameters
    ----------
    terms : Terms
        Of the problem.
    start : Multipliers, optional
        Where to begin; without, where nothing has a price.
    """

    def __init__(self, terms: Terms, start: Multipliers | None = None):
        self.terms = terms
        self.point = dual_point(terms, np.zeros(terms.n_forms)) if start is None else start
        # A step goes this share of the distance to the best objective known.
        self.best, self.best_point, self.length = -math.inf, self.point, 1.0
        self._direction: Floats | None = None
        self._since = 0

    @property
    def is_tired(self) -> bool:
        """Whether steps have become so short that little more is to be had."""
        return self.length < 0.02

    def step(self, value: float, forms: Floats, target: float) -> None:
        """Go on from the point.

        Shapes: `forms` (n_forms,).
        """
        self._since += 1
        if value > self.best + 1e-12:
            self._since = 0 if value > self.best + 1e-4 * max(target - self.best, 0.0) else self._since
            self.best, self.best_point = value, self.point
        if self._since >= PATIENCE:
            self.length, self._since = self.length * SHORTER, 0
            self.point, self._direction = self.best_point, None
        direction = forms.copy()
        direction[self.terms.limit] -= self.terms.bounds
        if self._direction is not None:
            direction += MEMORY * (self._direction - direction)
        self._direction = direction
        size = float(direction @ direction)
        if size <= 1e-24:
            self.length = 0.0
            return
        distance = max(target - value, 1e-6) if math.isfinite(target) else 0.1
        moved = self.point.of_forms + self.length * distance / size * direction
        most = self.terms.problem.max_measure
        for part in self.terms.measures if most else []:
            # The multiplier of the bound grows where the forms at its edge gain more than it costs.
            edge = np.abs(self.point.of_forms[part]).max(initial=0.0)
            tight = np.abs(self.point.of_forms[part]) >= edge - 1e-12
            gain = float((np.sign(self.point.of_forms[part]) * direction[part])[tight].sum()) - sure(most)
            edge = max(edge + self.length * distance / size * gain, self.terms.problem.price)
            moved[part] = np.clip(moved[part], -edge, edge)
        self.point = dual_point(self.terms, moved)
