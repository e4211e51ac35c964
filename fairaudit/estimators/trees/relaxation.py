"""The Lagrangian relaxation of a problem, points of its dual, and the state of a search by either exact method.

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from fairaudit.errors import require
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.trees.leaf_values import with_leaf_values
from fairaudit.estimators.trees.problem import FoundTree, Status, TreeProblem, TreeShape, reachable_leaves
from fairaudit.events import STOP, Incumbent, Progress, Searching
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

Floats = NDArray[np.float64]

MOST_FORMS_COMPARED = 200
"""With more forms, cells are not compared to find kinds."""
FEW_KINDS = 64
"""More kinds of rows than that are not worth counting one by one."""
GRID_BITS = 50
"""So many bits below its largest sum, costs are rounded: sums of them are exact then, in any order."""


@dataclass(frozen=True, eq=False)
class CellKinds:
    """Rows that count alike in the loss and in all forms are of one kind."""

    # (n_cells,) The kind of each cell.
    of_cells: NDArray[np.int64]
    # (n_kinds,) c of a row.
    costs: Floats
    # (n_forms, n_kinds) F of a row.
    forms: Floats
    # (n_kinds,) How many rows there are.
    sizes: Floats

    def priced(self, multipliers: Multipliers) -> Floats:
        """Return what predicting 1 rather than 0 for a row costs, shape (n_kinds,)."""
        return on_grid(self.costs + multipliers.of_forms @ self.forms, self.sizes)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """A point of the dual."""

    # (n_forms,) What each form counts.
    of_forms: Floats
    # What does not depend on predictions, without the loss of predicting 0.
    constant: float

    def mixed(self, other: Multipliers, share: float) -> Multipliers:
        """Return a point between this one and, at 1, the other."""
        return Multipliers(
            (1 - share) * self.of_forms + share * other.of_forms, (1 - share) * self.constant + share * other.constant
        )


class Terms:
    """The forms of a problem, and the loss of its labels."""

    def __init__(self, problem: TreeProblem) -> None:
        rows, limit = problem.rows, problem.limit
        self.problem = problem
        one_row = float(on_grid(np.array([1 / rows.n_rows]), rows.n_rows)[0])
        shares = one_row * rows.weights if rows.are_counted else on_grid(problem.weights, 1.0)
        self.costs = shares * (1 - 2 * rows.targets)
        self.base = one_row * float(rows.weights @ rows.targets) if rows.are_counted else float(shares @ rows.targets)
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
        return 0.0 if priced or not problem.rows.are_counted else 1 / problem.rows.n_rows

    @cached_property
    def kinds(self) -> CellKinds | None:
        """The kinds of rows, where they are few."""
        rows = self.problem.rows
        if self.n_forms > MOST_FORMS_COMPARED or not rows.are_counted:
            return None
        codes = rows.groups * 2 + rows.targets.astype(np.int64)
        per_row = self.forms.multiply(1 / rows.weights).toarray()
        found = _alike(codes, per_row)
        if found is None and rows.points is not None:
            # Rows of similar cases alone may count alike.
            _, codes = np.unique(np.column_stack([codes, rows.points]), axis=0, return_inverse=True)
            found = _alike(codes.reshape(-1), per_row)
        if found is None:
            return None
        first, of_cells = found
        forms = per_row[:, first]
        costs = self.costs[first] / rows.weights[first]
        _, kept, merged = np.unique(np.vstack([costs, forms]), axis=1, return_index=True, return_inverse=True)
        of_cells = merged.reshape(-1)[of_cells.reshape(-1)]
        sizes = sums_by_code(of_cells, rows.weights)
        return CellKinds(of_cells, costs[kept], on_grid(forms[:, kept], sizes), sizes)

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


def _alike(codes: NDArray[np.int64], per_row: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the first cell of each code and which each cell is, if codes are few and their cells have the same forms.

    Shapes: `codes` (n_cells,), `per_row` (n_forms, n_cells).
    """
    _, first, of_cells = np.unique(codes, return_index=True, return_inverse=True)
    if len(first) > FEW_KINDS:
        return None
    forms = per_row[:, first]
    off = np.abs(per_row - forms[:, of_cells]).max(initial=0.0)
    return None if off > 1e-12 * np.abs(forms).max(initial=0.0) else (first, of_cells)


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


# Points of the Lagrangian dual, and how to ascend: by cutting planes for few forms, in steps for thousands.
#
# At a point the best tree for the linear costs has forms f = F h, which is the direction in which the bound rises. With
# few forms, a master program over the trees met so far gives the next point. With many, steps are as long as Polyak's,
# for the distance between the bound and the best objective known.

# The Lagrangian dual by cutting planes: the multipliers with the best bound.
#
# Symbols as in the module docstring. The master program is over the trees seen so far, with e_T the loss and splits of
# tree T and f_T its forms::
#
#     maximise  z   subject to   z <= e_T + (nu, alpha + omega) f_T - alpha bounds - max_measure sum of lambda,   all T
#                                |nu_k| <= price + lambda_m,   sum of omega = limit_price
#
# Each optimum is tried: the best tree for it gives a bound, and joins the trees.


MOST_ITERATIONS = 20_000
"""Iterations of the simplex method, at most; far more than a program takes."""

LARGEST_MULTIPLIER = 100.0
"""The most that multipliers of limits and of bounds on measures may be: the loss that closing a gap of 1 is worth."""


class DualMaster:
    """The master program."""

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
        return min(self.terms.problem.price, LARGEST_MULTIPLIER)

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
        bounds[ends[1] : ends[3], 1] = LARGEST_MULTIPLIER
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
        x = np.zeros(self.n_columns)
        if self.n_weights:
            x[self.ends[3] :] = self.terms.problem.limit_price / self.n_weights
        return self.multipliers(x)


MOST_FORMS_OF_MASTER: Final = 60
"""Largest size of a small master program."""
LEAST_STEP_GAIN: Final = 0.01
"""An ascent has stalled where so little of the distance to the best objective can still be closed."""
STEP_SHRINKAGE: Final = 0.6
"""Steps are shortened by this where the bound has not risen for a while."""
STEPS_WITHOUT_GAIN: Final = 6
"""Steps without a better bound before they are shortened."""
DIRECTION_MEMORY: Final = 0.3
"""The share of the last direction that is kept in the next."""


def dual_point(terms: Terms, of_forms: Floats) -> Multipliers:
    """Return the point of the dual that is next to some multipliers. Shapes: `of_forms` (n_forms,)."""
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
    """Return the kind of ascent that suits the number of forms."""
    return MasterAscent(terms, budget, start) if terms.n_forms <= MOST_FORMS_OF_MASTER else Ascent(terms, start)


class MasterAscent:
    """Climb the dual by cutting planes."""

    # start: Where to begin; without, where nothing has a price.
    def __init__(self, terms: Terms, budget: Budget, start: Multipliers | None = None):
        self.terms, self.budget, self.master = terms, budget, DualMaster(terms)
        self.point = dual_point(terms, np.zeros(terms.n_forms)) if start is None else start
        self.best, self.best_point, self.upper = -math.inf, self.point, math.inf
        self.has_stalled = False
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
            self.has_stalled = True
            return
        aim, self.upper = solved
        aim = dual_point(self.terms, aim.of_forms)
        # Half the distance as long as that rises: optima of early programs are far off.
        self.point = dual_point(self.terms, (aim.of_forms + self.best_point.of_forms) / 2) if rose else aim
        left = max(target - self.best, 0.0) if math.isfinite(target) else 0.0
        self.has_stalled = self.upper - self.best <= max(LEAST_STEP_GAIN * left, 1e-9)


class Ascent:
    """Climb the dual in steps."""

    # start: Where to begin; without, where nothing has a price.
    def __init__(self, terms: Terms, start: Multipliers | None = None):
        self.terms = terms
        self.point = dual_point(terms, np.zeros(terms.n_forms)) if start is None else start
        # A step goes this share of the distance to the best objective known.
        self.best, self.best_point, self.length = -math.inf, self.point, 1.0
        self._direction: Floats | None = None
        self._since = 0

    @property
    def has_stalled(self) -> bool:
        """Whether steps have become so short that little more is to be had."""
        return self.length < 0.02

    def step(self, value: float, forms: Floats, target: float) -> None:
        """Go on from the point. Shapes: `forms` (n_forms,)."""
        self._since += 1
        if value > self.best + 1e-12:
            self._since = 0 if value > self.best + 1e-4 * max(target - self.best, 0.0) else self._since
            self.best, self.best_point = value, self.point
        if self._since >= STEPS_WITHOUT_GAIN:
            self.length, self._since = self.length * STEP_SHRINKAGE, 0
            self.point, self._direction = self.best_point, None
        direction = forms.copy()
        direction[self.terms.limit] -= self.terms.bounds
        if self._direction is not None:
            direction += DIRECTION_MEMORY * (self._direction - direction)
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
            gain = float((np.sign(self.point.of_forms[part]) * direction[part])[tight].sum()) - require(most)
            edge = max(edge + self.length * distance / size * gain, self.terms.problem.price)
            moved[part] = np.clip(moved[part], -edge, edge)
        self.point = dual_point(self.terms, moved)


OBJECTIVE_TOLERANCE: Final = 1e-9
"""Objectives that differ by less are alike."""
PROGRESS_EVERY: Final = 0.4
"""Seconds of work between two events, at least, but for better trees."""


class SearchState:
    """What the stages of an exact search share: the best tree and bound so far, the work, and the events."""

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        self.problem, self.budget, self._whole = problem, budget, budget
        self.terms = Terms(problem)
        self.shape: TreeShape | None = None
        self.objective, self.bound = math.inf, -math.inf
        self.stopped, self.shown_at = False, 0.0
        self.shown_objective = math.inf
        self.step = self.terms.step
        self.bound_of_all: float | None = None
        self.least_loss = 0.0
        self.notes: tuple[str, ...] = ()

    def begin_part(self, share: float = 1.0) -> None:
        """Go on with a part of the trees, with a share of the work: bounds from now on are of these."""
        self.bound_of_all, self.bound = self.bound, -math.inf
        self.budget = self._whole.part(share * self._whole.limit)

    def end_part(self) -> None:
        """Go back to all trees."""
        self.budget = self._whole
        self.bound, self.bound_of_all = -math.inf if self.bound_of_all is None else self.bound_of_all, None

    @property
    def is_over(self) -> bool:
        """Whether the work is done that may be, or the caller wants an end."""
        return self.stopped or self.budget.is_over

    @cached_property
    def highest(self) -> float:
        """What no tree can be worse than: a bound above it shows that none is allowed."""
        problem = self.problem
        forms = abs(self.terms.forms).sum(axis=1)
        measured, limited = len(forms) - len(self.terms.bounds), forms[len(forms) - len(self.terms.bounds) :]
        splits = problem.split_price * (2**problem.max_depth - 1)
        return float(
            1 + splits + problem.price * forms[:measured].sum() + problem.limit_price * limited.max(initial=0.0)
        )

    @property
    def slack(self) -> float:
        """How far above the bound the objective of a better tree can be; negative where there is none."""
        return self.objective - max(self.step * (1 - 1e-3), OBJECTIVE_TOLERANCE) - self.bound

    @property
    def best_objective(self) -> float:
        """The objective that is shown."""
        return self.objective

    def offer(self, shape: TreeShape) -> None:
        """Keep a tree if it is allowed and better than the best."""
        self.budget.spend(calls=4, elements=8 * self.problem.rows.n_cells)
        objective = self.problem.objective(shape)
        if objective < self.objective - 1e-12 and self.problem.allows(shape):
            self.shape, self.objective = shape, objective

    def iter_show(self, what: str) -> Searching[None]:
        """Yield a better tree at once, and progress now and then."""
        if self.best_objective < self.shown_objective:
            self.shown_objective, self.shown_at = self.best_objective, self._whole.spent
            bound = self.bound if self.bound_of_all is None else self.bound_of_all
            figures = {"objective": self.best_objective, "bound": bound, "share": self._whole.share}
            self.stopped |= (yield Incumbent("tree", figures, best=True)) is STOP
        elif self._whole.spent - self.shown_at >= PROGRESS_EVERY:
            self.shown_at = self._whole.spent
            self.stopped |= (yield Progress(what, self._whole.steps(TOTAL), TOTAL)) is STOP

    def found(self) -> FoundTree:
        """Return the result."""
        status: Status = "gap"
        if self.slack < 0:
            status, self.bound = "optimal", self.objective
        elif self.shape is None and self.bound > self.highest:
            status = "infeasible"
        elif self.stopped:
            status = "stopped"
        elif self.is_over:
            status = "work_limit"
        bound, notes = min(self.bound, self.objective), () if status == "optimal" else self.notes
        return FoundTree(self.shape, self.objective, bound, status, "search", notes)


class RelaxedState(SearchState):
    """The state of a search that disregards limits on features; of the trees it finds the best within them is kept."""

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        super().__init__(replace(problem, max_uses_per_feature=None, max_features=None), budget)
        self.limited_problem, self.kept_objective = problem, math.inf
        self.kept: TreeShape | None = None

    @property
    def best_objective(self) -> float:
        """The objective of the tree that is kept."""
        return self.kept_objective

    def offer(self, shape: TreeShape) -> None:
        """Keep a tree for the search, and one within the limits."""
        super().offer(shape)
        objective = self.limited_problem.objective(shape)
        if objective < self.kept_objective - 1e-12 and self.limited_problem.allows(shape):
            self.kept, self.kept_objective = shape, objective

    def found(self) -> FoundTree:
        """Return the result: proven where the best of all trees is within the limits."""
        free = super().found()
        is_open = free.status == "optimal" and self.kept_objective > free.bound + OBJECTIVE_TOLERANCE
        bound = min(free.bound, self.kept_objective)
        return replace(free, shape=self.kept, objective=self.kept_objective, bound=bound,
                       status="gap" if is_open else free.status)  # fmt: skip


# The best leaf labels of a tree whose splits are given, to have good trees early.


ALL_LABELINGS: Final = 10
"""Most leaves whose labelings are enumerated."""
FEW_LEAVES: Final = 40
"""With more leaves only one at a time is changed."""
MOST_FORMS_RELABELED: Final = 64
"""With more forms, too, only one leaf at a time is changed."""


def relabeled(terms: Terms, shape: TreeShape) -> TreeShape:
    """Return a tree with the same splits and good labels, without splits that make no difference."""
    costs, forms = terms.of_leaves(shape)
    leaves = reachable_leaves(shape)
    costs, forms, labels = costs[leaves], forms[:, leaves].T, np.array(shape.values)[leaves]
    if len(leaves) <= ALL_LABELINGS and terms.n_forms <= MOST_FORMS_RELABELED:
        every = (np.arange(1 << len(leaves))[:, None] >> np.arange(len(leaves)) & 1).astype(np.float64)
        labels = every[np.argmin(terms.objectives(terms.base + every @ costs, every @ forms))]
    else:
        labels = _changed(terms, costs, forms, labels)
    return with_leaf_values(shape, labels).tidy()


def _changed(terms: Terms, costs: Floats, forms: Floats, labels: Floats) -> Floats:
    """Change one or two leaves while that helps."""
    one = np.eye(len(costs))
    changes = one
    if terms.n_forms <= MOST_FORMS_RELABELED and len(costs) <= FEW_LEAVES:
        first, second = np.triu_indices(len(costs), 1)
        changes = np.vstack([one, one[first] + one[second]])
    value = np.inf
    for start in (labels, np.zeros(len(labels))):
        now, reached = start, np.inf
        while True:
            every = np.abs(now - changes)
            found = terms.objectives(terms.base + every @ costs, every @ forms)
            place = int(np.argmin(found))
            if not found[place] < reached - 1e-12:
                break
            now, reached = every[place], float(found[place])
        if reached < value:
            labels, value = now, reached
    return labels
