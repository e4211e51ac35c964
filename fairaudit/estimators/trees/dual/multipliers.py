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

from fairaudit.errors import sure
from fairaudit.estimators.trees.dual.cutting_planes import DualMaster
from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.work import Budget

Floats = NDArray[np.float64]

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
