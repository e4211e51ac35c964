"""From the numbers of a search to a tree as people read it, with the counts of the rows it was learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.decoded.forms import linear_form, linear_split, subset_split
from fairaudit.estimators.trees.decoded.linear import LinearForm
from fairaudit.estimators.trees.decoded.nodes import Node
from fairaudit.estimators.trees.decoded.paths import Split
from fairaudit.estimators.trees.decoded.simplifying import simplified
from fairaudit.estimators.trees.decoded.tree import Tree
from fairaudit.estimators.trees.problem import Task
from fairaudit.estimators.trees.reading import Reading
from fairaudit.estimators.trees.searching import Searched
from fairaudit.estimators.trees.shape import TreeShape, leaves_below

AnySplit = TypeVar("AnySplit", bound=Split)


def learned_tree(
    splits: Mapping[int, Split],
    values: Mapping[int, float],
    frame: pd.DataFrame,
    targets: NDArray[np.float64],
    groups: NDArray[np.int64],
    *,
    group_names: Sequence[str],
    task: Task = "classification",
    outcomes: Sequence[str] = ("0", "1"),
    forms: Mapping[int, LinearForm] | None = None,
) -> Tree:
    """Return a tree with the counts of the rows that it was learned from.

    Shapes: `frame` (n_rows, n_features), `targets` (n_rows,), `groups` (n_rows,).
    """
    nodes, waiting = [], [(1, np.arange(len(frame)))]
    while waiting:
        number, rows = waiting.pop()
        sizes = np.bincount(groups[rows], minlength=len(group_names))
        sums = np.bincount(groups[rows], weights=targets[rows], minlength=len(group_names))
        split, form = splits.get(number), (forms or {}).get(number)
        value = values.get(number)
        if value is None:
            value = (float(np.median(targets[rows])) if len(rows) else 0.0) if task == "regression" else float(
                2 * sums.sum() > sizes.sum())  # fmt: skip
        if form is not None:
            value = float(targets[rows].mean()) if len(rows) else form.constant
        nodes.append(Node(number, split, float(value), tuple(sizes.tolist()), tuple(sums.tolist()), form))
        if split is not None:
            left = np.asarray(split.holds(frame.iloc[rows]), dtype=bool)
            waiting += [(2 * number, rows[left]), (2 * number + 1, rows[~left])]
    ordered = tuple(sorted(nodes, key=lambda node: node.number))
    return Tree(ordered, tuple(group_names), task, tuple(outcomes))


def numbered_parts(shape: TreeShape, splits: Sequence[AnySplit]) -> tuple[dict[int, AnySplit], dict[int, float]]:
    """Return the splits and the values of leaves of a shape, by the numbers of nodes.

    Examples
    --------
    >>> from fairaudit.estimators.rules.literals import Literal
    >>> numbered_parts(TreeShape((0, -1, -1), (1.0, 1.0, 0.0, 0.0)), [Literal("a", "at_most", 1)])[1]
    {2: 1.0, 3: 0.0}
    """
    found: dict[int, AnySplit] = {}
    values: dict[int, float] = {}
    waiting = [1]
    while waiting:
        number = waiting.pop(0)
        split = shape.splits[number - 1] if number <= len(shape.splits) else -1
        if split >= 0:
            found[number] = splits[split]
            waiting += [2 * number, 2 * number + 1]
        else:
            values[number] = shape.values[leaves_below(number, shape.depth)[0]]
    return found, values


def found_tree(reading: Reading, searched: Searched, outcomes: Sequence[str]) -> Tree:
    """Return the tree that a search found, with the counts of its rows."""
    splits: list[Split] = list(reading.candidates.splits)
    splits += [subset_split(reading.candidates.splits, columns) for columns in searched.subsets]
    splits += [linear_split(sure(reading.points), split.weights, split.threshold) for split in searched.linear]
    shape = sure(searched.found.shape)
    if searched.leaves is None:
        shape = simplified(shape, searched.holds(reading.problem.rows))
    parts, values = numbered_parts(shape, splits)
    forms = None
    if searched.leaves is not None:
        forms = {
            number: linear_form(sure(reading.points), leaf[1:], leaf[0])
            for number in values
            for leaf in [searched.leaves[leaves_below(number, shape.depth)[0]]]
        }
    return learned_tree(
        parts,
        values,
        reading.frame,
        reading.targets,
        reading.grouping.codes,
        group_names=reading.problem.rows.group_names,
        task=reading.problem.task,
        outcomes=outcomes,
        forms=forms,
    )
