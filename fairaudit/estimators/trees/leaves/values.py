"""The best values of the leaves of a tree whose splits are fixed, under all that is asked."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairaudit.errors import sure
from fairaudit.estimators.trees.dtdi import merged_forms
from fairaudit.estimators.trees.leaves.program import LeafLoss, LeafProgram, LeafSolution
from fairaudit.estimators.trees.problem import TreeProblem, reachable_leaves
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_row, minimise, new_model, solve
from fairaudit.work import Budget

Floats = NDArray[np.float64]

MAX_LISTED: Final = 10
"""The labels of so many leaves are all tried; above, SCIP looks for them."""
MOST_S: Final = 30.0
"""Seconds of work for that, at most."""
BLOCK: Final = 128
"""Labelings whose measures are computed at once."""
SNAP: Final = 1e-10
"""Values that are nearer to a target, as a share of the range of targets, are put on it."""
BROKEN: Final = 10.0
"""What it costs to be above a bound by 1, while labels are changed one by one."""


def best_values(
    problem: TreeProblem, shape: TreeShape, budget: Budget | None = None, *, cutoff: float = math.inf
) -> TreeShape | None:
    """Return a tree with the same splits and the best values in its leaves.

    Examples
    --------
    >>> from fairaudit.estimators.trees.rows import TreeRows
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
            costs = _labeling_costs(problem, around, deltas, forms, limits, budget, broken=BROKEN)
            place = int(costs.argmin())
            if costs[place] >= cost - 1e-12:
                break
            labels, cost = around[place], costs[place]
        if cost < best_cost:
            best, best_cost = labels, cost
    found = with_leaf_values(shape, sure(best))
    return found if problem.allows(found) else None


def best_numbers(
    problem: TreeProblem, shape: TreeShape, budget: Budget | None = None, *, cutoff: float = math.inf
) -> LeafSolution:
    """Return the best numbers in the leaves that rows can come to, with the multipliers that show it."""
    budget = Budget() if budget is None else budget
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
        bounds=np.zeros(0) if limits is None else sure(problem.limit).bounds / unit,
        limit_price=problem.limit_price,
        lowest=float(targets.min()) / unit,
        highest=float(targets.max()) / unit,
    )
    solution = program.solve(budget, cutoff=(cutoff - constant) / unit)
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
    """Say whether the splits of a tree meet what is asked of them, whatever its values."""
    return replace(problem, limit=None, max_measure=None).allows(shape)


def with_leaf_values(shape: TreeShape, values: Floats) -> TreeShape:
    """Return a tree with a value for each leaf that rows can come to, shape (n_reachable,)."""
    reached_from = np.searchsorted(reachable_leaves(shape), np.arange(len(shape.values)), side="right") - 1
    return shape.with_values(values[reached_from])


def _is_coupled(problem: TreeProblem) -> bool:
    """Say whether what is best in one leaf depends on the others."""
    measured = bool(problem.measures) and (problem.price > 0 or problem.max_measure is not None)
    return measured or problem.limit is not None


def _inside(problem: TreeProblem, shape: TreeShape) -> Any:
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
    costs = _labeling_costs(problem, labelings, deltas, forms, limits, budget, broken=math.inf)
    best = int(costs.argmin())
    return labelings[best] if costs[best] < math.inf else None


def _leaf_sums(problem: TreeProblem, inside: Any) -> tuple[Floats, list[Floats], Floats | None]:
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
    broken: float,
) -> Floats:
    """Return the objective of labels, up to a constant, with what is above a bound at a price."""

    def excess(above: Floats) -> Floats:
        return np.where(above > SLACK, broken * np.maximum(above, SLACK), 0.0)

    n_forms = sum(len(form) for form in forms) + (0 if limits is None else len(limits))
    budget.spend(calls=10, elements=labelings.size + 4 * len(labelings) * n_forms)
    costs = labelings @ deltas
    if limits is not None:
        found = labelings @ limits.T
        costs += excess((found - sure(problem.limit).bounds).max(axis=1, initial=-1.0))
        if problem.limit_price:
            costs += problem.limit_price * found.max(axis=1, initial=-math.inf)
    for form in forms:
        for first in range(0, len(labelings), BLOCK):
            part = slice(first, first + BLOCK)
            measured = np.abs(labelings[part] @ form.T).sum(axis=1)
            costs[part] += problem.price * measured
            if problem.max_measure is not None:
                costs[part] += excess(measured - problem.max_measure)
    return costs


def _labels_by_scip(
    problem: TreeProblem, deltas: Floats, forms: list[Floats], limits: Floats | None, budget: Budget
) -> Floats | None:
    with new_model("leaf values", budget.part(MOST_S)) as model:
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
            for row, bound in zip(limits, sure(problem.limit).bounds, strict=True):
                add_row(model, labels, row, at_most=bound + SLACK, name="limit")
                if problem.limit_price:
                    add_row(model, [worst, *labels], [1.0, *-row], at_least=0.0, name="worst")
            variables, costs = [*variables, worst], [*costs, problem.limit_price]
        minimise(model, variables, costs)
        solved = solve(model, variables=labels)
    return np.round(solved.best) if len(solved.solutions) else None
