"""A tree from a solution as a candidate: its objective, and whether it keeps the limits, checked on every row."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.parts import Decoded, LinearCoefficients
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below


@dataclass(frozen=True, eq=False)
class Candidate:
    """A tree that is allowed.

    Parameters
    ----------
    shape : TreeShape
        Over the columns of `holds`.
    objective : float
        Of the tree.
    subsets, linear, leaves
        See ``formulation_parts.Decoded``.
    holds : ndarray of bool, shape (n_cells, n_columns)
        The columns of the rows, with those of the splits that were added.
    """

    shape: TreeShape
    objective: float
    subsets: tuple[tuple[int, ...], ...]
    linear: tuple[LinearCoefficients, ...]
    leaves: NDArray[np.float64] | None
    holds: NDArray[np.bool_]


def candidate_of(problem: TreeProblem, tree: Decoded) -> Candidate | None:
    """Return a tree with its objective; None where it is not allowed."""
    rows, leaves = problem.rows, None
    points = np.zeros((rows.n_cells, 0)) if rows.points is None else rows.points
    added = [rows.holds[:, list(subset)].any(axis=1) for subset in tree.subsets]
    added += [split.holds(points) for split in tree.linear]
    holds = np.column_stack([rows.holds, *added]) if added else rows.holds
    shape, leaf_of = without_idle_splits(tree.shape, holds)
    columns = problem.columns
    if columns:
        # A weighted sum is a feature of its own.
        columns += tuple(columns[subset[0]] if subset else -1 for subset in tree.subsets)
        columns += tuple(-2 - place for place in range(len(tree.linear)))
    whole = replace(problem, rows=replace(rows, holds=holds), columns=columns)
    if tree.leaves is None:
        shape = shape.tidy()
        allowed, objective = whole.allows(shape), whole.objective(shape)
    else:
        leaves = tree.leaves[leaf_of]
        of_cell = leaves[shape.leaves(holds)]
        h = of_cell[:, 0] + (of_cell[:, 1:] * points).sum(axis=1)
        limits_aside = replace(whole, limit=None, max_measure=None)
        allowed = whole.allows_predictions(h) and limits_aside.allows(shape)
        objective = whole.objective_of(h, shape.n_splits)
    return Candidate(shape, objective, tree.subsets, tree.linear, leaves, holds) if allowed else None


def without_idle_splits(shape: TreeShape, holds: NDArray[np.bool_]) -> tuple[TreeShape, NDArray[np.int64]]:
    """Return the same tree for these rows without splits that send all that come to them one way.

    Shapes: `holds` (n_cells, n_columns); returns `leaf_of` (n_leaves,).

    Examples
    --------
    >>> tree = TreeShape((0, 1, -1), (0.0, 1.0, 0.0, 0.0))
    >>> shape, leaf_of = without_idle_splits(tree, np.array([[1, 0], [1, 1]], dtype=bool))
    >>> shape.splits, leaf_of.tolist()
    ((1, -1, -1), [0, 0, 1, 1])
    """
    n_leaves = len(shape.values)
    splits, leaf_of = [NO_SPLIT] * n_leaves, np.zeros(n_leaves, dtype=np.int64)

    def place(old: int, new: int, come: NDArray[np.bool_]) -> None:
        split = shape.splits[old - 1] if old < n_leaves else NO_SPLIT
        if split == NO_SPLIT:
            first, n_below = leaves_below(new, shape.depth)
            leaf_of[first : first + n_below] = leaves_below(old, shape.depth)[0]
            return
        left = come & holds[:, split]
        right = come & ~left
        if left.any() and right.any():
            splits[new] = split
            place(2 * old, 2 * new, left)
            place(2 * old + 1, 2 * new + 1, right)
        else:
            place(2 * old + (not left.any()), new, come)

    place(1, 1, np.ones(len(holds), dtype=bool))
    return TreeShape(tuple(splits[1:]), tuple(shape.values[leaf] for leaf in leaf_of)), leaf_of
