"""The best values of the leaves of a tree whose splits are fixed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import OptimizeResult, linprog

from fairaudit.errors import SolverError, require
from fairaudit.estimators.trees.measures import merged_forms
from fairaudit.estimators.trees.problem import TreeProblem, TreeShape, reachable_leaves
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_row, minimise, new_model, solve
from fairaudit.work import Budget

# The best numbers in the leaves of a fixed tree, by cutting planes in as many dimensions as there are leaves.
#
# With v_l the value of leaf l, loss_l its sum of w |y - v_l|, and F and G added up over the cells of each leaf::
#
#     minimise    sum of t_l + price * sum of m_q + limit_price * z
#     subject to  t_l >= tangents of loss_l
#                 m_q >= g . v     for sums g of rows of F with signs
#                 m_q <= max_measure,   G v <= bounds,   G v <= z
#                 lowest target <= v_l <= highest target
#
# Tangents are added where the optimum of the linear program lies below the truth. There are finitely many, and few are
# needed: a handful of small programs instead of one with a row for each cell and form.

Floats = NDArray[np.float64]

TANGENT_TOLERANCE: Final = 1e-10
"""A tangent is added where the program is below the truth by more."""
INFEASIBLE: Final = 2
"""Status of an infeasible program in SciPy."""
MOST_PROGRAMS: Final = 300
"""Programs for one tree; more than were ever seen to be needed."""
N_TANGENTS: Final = 9
"""Tangents of each leaf's loss at the start."""


@dataclass(frozen=True, eq=False)
class LeafLoss:
    """The loss of a leaf as a function of its value: the sum of w |y - v|."""

    # (n,) y, ascending.
    targets: Floats
    # (n,) w, above 0.
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
    """The end of a leaf program."""

    # The best values; None where nothing is allowed, or nothing better than what was wanted.
    values: Floats | None
    # What no values can be better than.
    bound: float
    # For each measure, the multipliers of its forms that show the bound.
    pulls: tuple[Floats, ...] = ()
    # Multipliers of the forms of the limit, at least 0.
    pressures: Floats | None = None
    # False where the solver ended before it was known that no values are better.
    is_exact: bool = True


@dataclass(frozen=True, eq=False)
class LeafProgram:
    """The convex program for the values of some leaves, as stated above."""

    losses: tuple[LeafLoss, ...]
    # (n_forms, n_leaves) For each measure, its forms times its scale.
    forms: tuple[Floats, ...]
    # Price of the sum of measures.
    price: float
    # What each measure may be at most.
    max_measure: float | None
    # (n_limits, n_leaves) G.
    limits: Floats
    # (n_limits,) What each form of the limit may be at most.
    bounds: Floats
    # Price of the largest form of the limit.
    limit_price: float
    lowest: float
    highest: float

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
            for v in sorted({loss.quantile(share) for share in np.linspace(0.05, 0.95, N_TANGENTS)}):
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
        if self.program.max_measure is None or self.program.max_measure > TANGENT_TOLERANCE or not self.program.forms:
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
        for _ in range(MOST_PROGRAMS):
            result = self._linprog()
            if result.status == INFEASIBLE:
                return LeafSolution(None, math.inf)
            bound = max(bound, float(result.fun))
            solution = self._solution(None, bound, result)
            if bound >= cutoff - TANGENT_TOLERANCE:
                return solution
            v = np.clip(self._levelled(result.x[self.v]), self.program.lowest, self.program.highest)
            is_refined = self._refine(v, result.x)
            value, allowed = self._value(v)
            if allowed and value < best_value:
                best, best_value = v, value
            is_exact = (is_refined and allowed) or best_value <= bound + TANGENT_TOLERANCE
            if is_refined or is_exact:
                break
        solution = replace(self._solution(best, bound, result), is_exact=is_exact)
        return solution if best_value < cutoff else replace(solution, values=None)

    def _linprog(self) -> OptimizeResult:
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
            if loss.value(v[leaf]) > x[self.t][leaf] + TANGENT_TOLERANCE:
                self._add_tangents(leaf, v[leaf])
        if not len(self.level):
            for measure, value in enumerate(self.program.measure_values(v)):
                if value > x[self.m][measure] + TANGENT_TOLERANCE:
                    self._add_plane(measure, v)
        return len(self.rows) == n_rows

    def _value(self, v: Floats) -> tuple[float, bool]:
        program, measured = self.program, self.program.measure_values(v)
        worst = float((program.limits @ v).max(initial=-math.inf))
        value = sum(loss.value(at) for loss, at in zip(program.losses, v, strict=True))
        value += program.price * measured.sum() + (program.limit_price * worst if program.limit_price else 0.0)
        allowed = program.max_measure is None or measured.max(initial=0.0) <= program.max_measure + SLACK / 2
        return value, allowed and (program.limits @ v - program.bounds).max(initial=0.0) <= SLACK / 2

    def _solution(self, values: Floats | None, bound: float, result: OptimizeResult) -> LeafSolution:
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


MAX_LISTED: Final = 10
"""Most leaves whose labels are enumerated; for more, SCIP finds them."""
MOST_SEARCH_S: Final = 30.0
"""Seconds of work for SCIP, at most."""
LABELINGS_AT_ONCE: Final = 128
"""Labelings whose measures are computed at once."""
SNAP: Final = 1e-10
"""Values that are nearer to a target, as a share of the range of targets, are put on it."""
VIOLATION_PRICE: Final = 10.0
"""Price of being above a bound by 1, while labels are changed one by one."""


def best_values(
    problem: TreeProblem, shape: TreeShape, budget: Budget | None = None, *, cutoff: float = math.inf
) -> TreeShape | None:
    """Return a tree with the same splits and the best values in its leaves.

    Examples
    --------
    >>> from fairaudit.estimators.trees.problem import TreeRows
    >>> rows = TreeRows.merge(np.array([[1], [1], [0]], dtype=bool), np.zeros(3, dtype=np.int64),
    ...                       np.array([1.0, 1.0, 0.0]), ["all"])
    >>> best_values(TreeProblem(rows, max_depth=1), TreeShape((0,), (0.0, 0.0))).values
    (1.0, 0.0)
    """
    budget = Budget() if budget is None else budget
    if not allows_splits(problem, shape):
        return None
    if problem.task == "regression":
        values = best_numbers(problem, shape, budget, cutoff=cutoff).values
    else:
        values = _best_labels(problem, shape, budget)
    if values is None:
        return None
    found = with_leaf_values(shape, values)
    if problem.task == "regression":
        found = within_limits(problem, found)
    return found if problem.objective(found) < cutoff and problem.allows(found) else None


def good_values(problem: TreeProblem, shape: TreeShape, budget: Budget | None = None) -> TreeShape | None:
    """Return a tree with the same splits and labels that changing a single one does not make better: fast."""
    budget = Budget() if budget is None else budget
    if not allows_splits(problem, shape):
        return None
    inside, reachable = _inside(problem, shape), reachable_leaves(shape)
    deltas, forms, limits = _leaf_sums(problem, inside)
    best: Floats | None = None
    best_cost = math.inf
    for labels in (np.array(shape.values)[reachable], (deltas < 0).astype(np.float64), np.zeros(len(deltas))):
        labels, cost = np.round(labels), math.inf
        while True:
            # The labels as they are, and with each one changed.
            around = np.abs(labels - np.vstack([np.zeros(len(labels)), np.eye(len(labels))]))
            costs = _labeling_costs(problem, around, deltas, forms, limits, budget, violation_price=VIOLATION_PRICE)
            place = int(costs.argmin())
            if costs[place] >= cost - 1e-12:
                break
            labels, cost = around[place], costs[place]
        if cost < best_cost:
            best, best_cost = labels, cost
    found = with_leaf_values(shape, require(best))
    return found if problem.allows(found) else None


def best_numbers(problem: TreeProblem, shape: TreeShape, budget: Budget, *, cutoff: float) -> LeafSolution:
    """Return the best numbers in the leaves that rows can come to, with the multipliers that show it."""
    rows, inside = problem.rows, _inside(problem, shape)
    targets, weights = rows.targets, problem.weights
    budget.spend(calls=20, elements=30 * rows.n_cells)
    leaf_of = inside.indices
    n_leaves = inside.shape[1]
    losses = tuple(LeafLoss.of(targets[leaf_of == leaf], weights[leaf_of == leaf]) for leaf in range(n_leaves))
    constant = problem.split_price * shape.n_splits
    if not _is_coupled(problem):
        medians = np.array([loss.quantile(0.5) for loss in losses])
        value = constant + sum(loss.value(v) for loss, v in zip(losses, medians, strict=True))
        return LeafSolution(medians if value < cutoff else None, value)
    _, forms, limits = _leaf_sums(problem, inside)
    # The solver's tolerances are absolute, so targets are brought to the range of 1: all else grows with them.
    unit = float(np.abs(targets).max()) or 1.0
    program = LeafProgram(
        losses=tuple(LeafLoss(loss.targets / unit, loss.weights) for loss in losses),
        forms=tuple(forms),
        price=problem.price,
        max_measure=None if problem.max_measure is None else problem.max_measure / unit,
        limits=np.zeros((0, n_leaves)) if limits is None else limits,
        bounds=np.zeros(0) if limits is None else require(problem.limit).bounds / unit,
        limit_price=problem.limit_price,
        lowest=float(targets.min()) / unit,
        highest=float(targets.max()) / unit,
    )
    solution = _Planes(program, budget).solve((cutoff - constant) / unit)
    values = None if solution.values is None else _on_targets(solution.values * unit, targets)
    return replace(solution, values=values, bound=unit * solution.bound + constant)


def within_limits(problem: TreeProblem, shape: TreeShape) -> TreeShape:
    """Return a tree with numbers pulled together a little, where the last digits of a solver break a limit."""
    values = np.array(shape.values)
    middle = LeafLoss.of(problem.rows.targets, problem.weights).quantile(0.5)
    for share in (0.0, 1e-9, 1e-7, 1e-5):
        pulled = shape.with_values(values + share * (middle - values)) if share else shape
        if problem.allows(pulled):
            return pulled
    return shape


def allows_splits(problem: TreeProblem, shape: TreeShape) -> bool:
    """Say whether the splits of a tree meet their constraints, whatever its values."""
    return replace(problem, limit=None, max_measure=None).allows(shape)


def with_leaf_values(shape: TreeShape, values: Floats) -> TreeShape:
    """Return a tree with a value for each leaf that rows can come to, shape (n_reachable,)."""
    reached_from = np.searchsorted(reachable_leaves(shape), np.arange(len(shape.values)), side="right") - 1
    return shape.with_values(values[reached_from])


def _is_coupled(problem: TreeProblem) -> bool:
    """Say whether what is best in one leaf depends on the others."""
    measured = bool(problem.measures) and (problem.price > 0 or problem.max_measure is not None)
    return measured or problem.limit is not None


def _inside(problem: TreeProblem, shape: TreeShape) -> sparse.csr_array:
    """Return 1 where a cell comes to a leaf, shape (n_cells, n_reachable)."""
    reachable, n = reachable_leaves(shape), problem.rows.n_cells
    leaves = np.searchsorted(reachable, shape.leaves(problem.rows.holds))
    return sparse.csr_array((np.ones(n), leaves, np.arange(n + 1)), shape=(n, len(reachable)))


def _on_targets(values: Floats, targets: Floats) -> Floats:
    """Return values on targets where they are off by the last digits only: equal ones shall be equal."""
    known = np.unique(targets)
    nearest = known[np.abs(known[:, None] - values).argmin(axis=0)]
    return np.where(np.abs(nearest - values) <= SNAP * max(known[-1] - known[0], 0.0), nearest, values)


def _best_labels(problem: TreeProblem, shape: TreeShape, budget: Budget) -> Floats | None:
    deltas, forms, limits = _leaf_sums(problem, _inside(problem, shape))
    n_leaves = len(deltas)
    budget.spend(calls=20, elements=10 * problem.rows.n_cells)
    if n_leaves > MAX_LISTED:
        return _labels_by_scip(problem, deltas, forms, limits, budget)
    labelings = (np.arange(2**n_leaves)[:, None] >> np.arange(n_leaves) & 1).astype(np.float64)
    costs = _labeling_costs(problem, labelings, deltas, forms, limits, budget, violation_price=math.inf)
    best = int(costs.argmin())
    return labelings[best] if costs[best] < math.inf else None


def _leaf_sums(problem: TreeProblem, inside: sparse.csr_array) -> tuple[Floats, list[Floats], Floats | None]:
    """Return what predicting 1 rather than 0 in each leaf adds to the loss, to the measures' forms and the limit's."""
    is_asked = problem.price > 0 or problem.max_measure is not None
    forms = [measure.scale * (measure.forms @ inside).toarray() for measure in problem.measures] if is_asked else []
    limits = None if problem.limit is None else (problem.limit.forms @ inside).toarray()
    return inside.T @ (problem.weights * (1 - 2 * problem.rows.targets)), forms, limits


def _labeling_costs(
    problem: TreeProblem,
    labelings: Floats,
    deltas: Floats,
    forms: list[Floats],
    limits: Floats | None,
    budget: Budget,
    *,
    violation_price: float,
) -> Floats:
    """Return the objective of labels, up to a constant, with a price on what is above a bound."""

    def excess(above: Floats) -> Floats:
        return np.where(above > SLACK, violation_price * np.maximum(above, SLACK), 0.0)

    n_forms = sum(len(form) for form in forms) + (0 if limits is None else len(limits))
    budget.spend(calls=10, elements=labelings.size + 4 * len(labelings) * n_forms)
    costs = labelings @ deltas
    if limits is not None:
        found = labelings @ limits.T
        costs += excess((found - require(problem.limit).bounds).max(axis=1, initial=-1.0))
        if problem.limit_price:
            costs += problem.limit_price * found.max(axis=1, initial=-math.inf)
    for form in forms:
        for first in range(0, len(labelings), LABELINGS_AT_ONCE):
            part = slice(first, first + LABELINGS_AT_ONCE)
            measured = np.abs(labelings[part] @ form.T).sum(axis=1)
            costs[part] += problem.price * measured
            if problem.max_measure is not None:
                costs[part] += excess(measured - problem.max_measure)
    return costs


def _labels_by_scip(
    problem: TreeProblem, deltas: Floats, forms: list[Floats], limits: Floats | None, budget: Budget
) -> Floats | None:
    with new_model("leaf values", budget.part(MOST_SEARCH_S)) as model:
        labels = [model.addVar(vtype="B", name=f"v_{leaf}") for leaf in range(len(deltas))]
        variables, costs = list(labels), deltas.tolist()
        for measure, form in enumerate(forms):
            merged = merged_forms(sparse.csr_array(form), np.ones(len(form))).toarray()
            sizes = [model.addVar(lb=0.0, name=f"t_{measure}_{k}") for k in range(len(merged))]
            for size, row in zip(sizes, merged, strict=True):
                used = np.flatnonzero(row).tolist()
                for sign in (1.0, -1.0):
                    # t_k >= +-(F v)_k
                    add_row(model, [size, *(labels[leaf] for leaf in used)], [1.0, *(-sign * row[used])],
                            at_least=0.0, name="size")  # fmt: skip
            if sizes and problem.max_measure is not None:
                add_row(model, sizes, [1.0] * len(sizes), at_most=problem.max_measure + SLACK, name="measure")
            variables, costs = variables + sizes, costs + [problem.price] * len(sizes)
        if limits is not None:
            worst = model.addVar(lb=None if problem.limit_price else 0.0, name="worst")
            for row, bound in zip(limits, require(problem.limit).bounds, strict=True):
                add_row(model, labels, row, at_most=bound + SLACK, name="limit")
                if problem.limit_price:
                    add_row(model, [worst, *labels], [1.0, *-row], at_least=0.0, name="worst")
            variables, costs = [*variables, worst], [*costs, problem.limit_price]
        minimise(model, variables, costs)
        solved = solve(model, variables=labels)
    return np.round(solved.best) if len(solved.solutions) else None
