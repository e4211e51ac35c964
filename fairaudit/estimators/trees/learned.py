"""Splits and leaves that a search made up, in the columns of the table.

Searches weigh numbers that were scaled from 0 to 1, and name sets of levels by the splits that ask for one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.inputs import RowsAsProblem, ScaledColumns
from fairaudit.estimators.trees.problem import NO_SPLIT, Task, TreeShape, leaves_below
from fairaudit.estimators.trees.searching import TreeSearchEnd
from fairaudit.estimators.trees.tree import LinearForm, LinearSplit, Node, Split, Tree

SMALLEST = 1e-7
"""Weights of scaled numbers that are smaller are left out."""


def subset_split(splits: Sequence[Literal], columns: Sequence[int]) -> Literal:
    """Return the split that holds where one of some splits does, which ask for one level each.

    Examples
    --------
    >>> subset_split([Literal("job", "equals", "cook"), Literal("job", "equals", "clerk")], (0, 1)).words()
    'job is cook or clerk'
    """
    levels = tuple(value for column in columns for value in splits[column].values)
    return Literal(splits[columns[0]].column, "among", levels)


def linear_split(points: ScaledColumns, weights: Sequence[float], threshold: float) -> LinearSplit:
    """Return a split on scaled numbers in the units of the table."""
    form = linear_form(points, weights, 0.0)
    scaled = points.values @ np.asarray(weights, dtype=np.float64)
    sums = _sums(points, form) - form.constant
    left, right = sums[scaled <= threshold], sums[scaled > threshold]
    at = threshold - form.constant
    if len(left) and len(right) and left.max() < right.min():
        at = float(left.max() + right.min()) / 2
    return LinearSplit(form.columns, form.weights, float(at))


def linear_form(points: ScaledColumns, weights: Sequence[float], constant: float) -> LinearForm:
    """Return a weighted sum of scaled numbers in the units of the table."""
    scaled = np.asarray(weights, dtype=np.float64)
    kept = np.flatnonzero(np.abs(scaled) > SMALLEST)
    own = scaled[kept] / points.spread[kept]
    total = constant - float(own @ points.lowest[kept])
    return LinearForm(tuple(points.columns[place] for place in kept), tuple(own.tolist()), total)


def _sums(points: ScaledColumns, form: LinearForm) -> NDArray[np.float64]:
    """Return a weighted sum for the rows that were learned from."""
    places = [points.columns.index(column) for column in form.columns]
    numbers = points.values[:, places] * points.spread[places] + points.lowest[places]
    return numbers @ np.array(form.weights) + form.constant


# Leave out splits below whose two sides the same is predicted.


def simplified(shape: TreeShape, holds: NDArray[np.bool_]) -> TreeShape:
    """Return a tree that predicts the same for all rows, with no more splits.

    Shapes: `holds` (n, n_splits).

    Examples
    --------
    >>> holds = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=bool)
    >>> simplified(TreeShape((0, 1, 1), (1.0, 0.0, 1.0, 0.0)), holds)
    TreeShape(splits=(1, -1, -1), values=(1.0, 1.0, 0.0, 0.0))
    """
    shape = shape.tidy()
    node = 1
    while node <= len(shape.splits):
        if shape.splits[node - 1] != NO_SPLIT:
            first, n_below = leaves_below(node, shape.depth)
            leaves = shape.leaves(holds)
            rows = holds[(leaves >= first) & (leaves < first + n_below)]
            predicted = shape.predict(rows)
            for child in (2 * node, 2 * node + 1):
                raised = _raised(shape, node, child)
                if (raised.predict(rows) == predicted).all():
                    # What came up may be left out as well.
                    shape, node = raised, node - 1
                    break
        node += 1
    return shape


def _raised(shape: TreeShape, node: int, child: int) -> TreeShape:
    """Return a tree with the subtree of a child in the place of its parent."""
    splits, values = [NO_SPLIT, *shape.splits], list(shape.values)
    waiting = [(node, child)]
    while waiting:
        to, source = waiting.pop()
        here = splits[source] if source < len(splits) else NO_SPLIT
        if here != NO_SPLIT:
            splits[to] = here
            waiting += [(2 * to, 2 * source), (2 * to + 1, 2 * source + 1)]
            continue
        value = shape.values[leaves_below(source, shape.depth)[0]]
        first, n_below = leaves_below(to, shape.depth)
        values[first : first + n_below] = [value] * n_below
        below = [to]
        while below:
            number = below.pop()
            if number < len(splits):
                splits[number] = NO_SPLIT
                below += [2 * number, 2 * number + 1]
    return TreeShape(tuple(splits[1:]), tuple(values))


# From the numbers of a search to a tree as people read it, with the counts of the rows it was learned from.

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


def found_tree(reading: RowsAsProblem, searched: TreeSearchEnd, outcomes: Sequence[str]) -> Tree:
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
