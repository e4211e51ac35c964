"""Check a grown tree as a whole, and give its leaves the best labels with which it keeps the constraint."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.decoded.learned import numbered_parts
from fairaudit.estimators.trees.decoded.simplifying import simplified
from fairaudit.estimators.trees.leaves.values import best_values, good_values
from fairaudit.estimators.trees.lookahead.growing import Growing, GrowingRows, Grown
from fairaudit.estimators.trees.problem import TreeProblem, parity_limit
from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

SCIP_TOLERANCE = 2e-6

MOST_S = 10.0
"""Seconds of work for the integer program over leaves, at most."""


@dataclass(frozen=True, eq=False)
class Repaired:
    """A whole tree.

    Parameters
    ----------
    splits : dict of int to Literal
        By numbers of nodes.
    values : dict of int to float
        Of leaves.
    objective : float
        Share of wrong rows, and the price of splits and of unequal rates.
    keeps : bool
        Whether the constraint holds on all rows.
    """

    splits: dict[int, Literal]
    values: dict[int, float]
    objective: float
    keeps: bool


def labels_of(
    rows: GrowingRows, growing: Growing, grown: Grown, budget: Budget | None = None
) -> tuple[dict[int, float], float]:
    """Return the best labels of the leaves of a tree.

    ::

        minimise    share of wrong rows + a * splits - beta * F      over the labels of leaves
        subject to  the constraint, on all rows
    """
    budget = Budget() if budget is None else budget
    numbers = sorted(grown.splits)
    depth = max((number.bit_length() for number in numbers), default=1)
    problem, shape = _leaf_problem(rows, growing, grown, numbers, depth), _shape(grown, numbers, depth)
    # SCIP takes limits for met that are broken by its tolerance, and then there would be no answer.
    limit = problem.limit
    inner = problem if limit is None else replace(problem, limit=replace(limit, bounds=limit.bounds - SCIP_TOLERANCE))
    budget.spend(calls=100, elements=20 * rows.n_rows)
    trees = [best_values(inner, shape, budget), good_values(problem, shape, budget), shape]
    trees += [TreeShape.stump(depth, value) for value in (0.0, 1.0)]
    allowed = [tree for tree in trees if tree is not None and problem.allows(tree)]
    found = min(allowed, key=problem.objective, default=shape)
    values = {leaf: found.values[leaves_below(leaf, depth)[0]] for leaf in grown.values}
    return values, problem.objective(found)


def repaired(rows: GrowingRows, growing: Growing, grown: Grown, budget: Budget | None = None) -> Repaired:
    """Return a tree with the best labels in its leaves, and without the splits that then make no difference."""
    budget = Budget() if budget is None else budget
    values, objective = labels_of(rows, growing, grown, budget)
    numbers = sorted(grown.splits)
    splits = [grown.splits[number] for number in numbers]
    everyone = np.arange(rows.n_rows)
    columns = [rows.table.holds(split, everyone) for split in splits]
    holds = np.column_stack(columns) if columns else np.zeros((rows.n_rows, 0), dtype=bool)
    depth = max((number.bit_length() for number in numbers), default=1)
    shape = simplified(_shape(replace(grown, values=values), numbers, depth), np.unique(holds, axis=0))
    parts, kept = numbered_parts(shape, splits)
    predicted = np.array([values[leaf] for leaf in grown.leaf.tolist()])
    keeps = bool((rows.held(predicted, everyone) <= rows.bounds + SLACK).all())
    return Repaired(parts, kept, objective, keeps)


def _leaf_problem(rows: GrowingRows, growing: Growing, grown: Grown, numbers: list[int], depth: int) -> TreeProblem:
    """Return the problem over cells that are the rows of a group and label in a leaf."""
    n_strata = rows.strata.n_cells
    found, counts = np.unique(grown.leaf * n_strata + rows.strata.cells, return_counts=True)
    leaves, strata = found // n_strata, found % n_strata
    holds = np.zeros((len(found), len(numbers)), dtype=bool)
    for place, number in enumerate(numbers):
        # The left child of a node, or below it.
        levels = np.array([int(leaf).bit_length() for leaf in leaves.tolist()]) - number.bit_length() - 1
        holds[:, place] = (levels >= 0) & (leaves >> np.maximum(levels, 0) == 2 * number)
    cells = TreeRows(
        holds, rows.strata.groups[strata], rows.strata.targets[strata], counts, rows.group_names, np.zeros(0, int)
    )
    limit = None
    if len(rows.bounds):
        limit = replace(parity_limit(cells, rows.constraint, rows.difference), bounds=rows.stricter(growing.margin))
    return TreeProblem(
        rows=cells,
        max_depth=depth,
        limit=limit,
        limit_price=growing.weight if limit is not None else 0.0,
        split_price=growing.price_of_split / rows.n_rows,
    )


def _shape(grown: Grown, numbers: list[int], depth: int) -> TreeShape:
    """Return a grown tree as a shape, its splits numbered in the order of nodes."""
    splits = [NO_SPLIT] * (2**depth - 1)
    for place, number in enumerate(numbers):
        splits[number - 1] = place
    values = [0.0] * 2**depth
    for number, value in grown.values.items():
        level = number.bit_length() - 1
        n_below = 2 ** (depth - level)
        first = n_below * (number - 2**level)
        values[first : first + n_below] = [value] * n_below
    return TreeShape(tuple(splits), tuple(values))
