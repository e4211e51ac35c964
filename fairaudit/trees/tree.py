"""A tree as people and programs read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError
from fairaudit.rules.literals import as_frame
from fairaudit.trees.linear import LinearForm
from fairaudit.trees.paths import Split, Step, path_condition, path_in_words
from fairaudit.trees.problem import Task
from fairaudit.trees.shape import TreeShape, leaves_below

if TYPE_CHECKING:
    from fairaudit.conditions import Condition
    from fairaudit.trees.layout import Layout

GOES_RIGHT: Final = "A missing value and a value never seen in learning go to “otherwise”."


@dataclass(frozen=True)
class Node:
    """One node, with the rows that the tree was learned from.

    Parameters
    ----------
    number : int
        The root is 1; the children of node t are 2 t, where its split holds, and 2 t + 1.
    split : Literal or LinearSplit or None
        None in a leaf.
    value : float
        What is predicted in a leaf: 0 or 1, or a number. In other nodes, what a leaf would predict that serves most
        rows. In a leaf with a `form`, the mean of the targets.
    sizes : tuple of int
        Rows of each group.
    sums : tuple of float
        Rows with label 1 of each group, or the sum of the targets.
    form : LinearForm, optional
        What a leaf predicts in place of `value`.
    """

    number: int
    split: Split | None
    value: float
    sizes: tuple[int, ...]
    sums: tuple[float, ...]
    form: LinearForm | None = None

    @property
    def depth(self) -> int:
        """Steps from the root."""
        return self.number.bit_length() - 1

    @property
    def is_leaf(self) -> bool:
        """Whether rows end here."""
        return self.split is None

    @property
    def n_rows(self) -> int:
        """Rows of all groups."""
        return sum(self.sizes)

    @property
    def rate(self) -> float:
        """The share of label 1 among all rows, or the mean target; NaN without rows."""
        return sum(self.sums) / self.n_rows if self.n_rows else float("nan")

    @property
    def rates(self) -> tuple[float, ...]:
        """The share of label 1, or the mean target, of each group; NaN without rows."""
        return tuple(
            total / size if size else float("nan") for total, size in zip(self.sums, self.sizes, strict=True)
        )


@dataclass(frozen=True)
class Tree:
    """A decision tree: at each node a row goes left where the split holds, and right otherwise.

    Parameters
    ----------
    nodes : tuple of Node
        All nodes, in the order of their numbers.
    group_names : tuple of str
        What the groups are called.
    task : {"classification", "regression"}
        What is predicted.
    outcomes : tuple of str
        In classification, what 0 and 1 stand for.

    Raises
    ------
    InputError
        If a node that splits lacks a child.
    """

    nodes: tuple[Node, ...]
    group_names: tuple[str, ...] = ("all",)
    task: Task = "classification"
    outcomes: tuple[str, ...] = ("0", "1")

    def __post_init__(self):
        for node in self.nodes:
            if not node.is_leaf and not {2 * node.number, 2 * node.number + 1} <= self._by_number.keys():
                raise InputError(f"Node {node.number} of the tree splits and has no two children.")

    @classmethod
    def learned(
        cls,
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
    ) -> Self:
        """Return a tree with the counts of the rows that it was learned from.

        Parameters
        ----------
        splits : mapping of int to Literal or LinearSplit
            By the number of the node.
        values : mapping of int to float
            What each leaf predicts.
        frame : DataFrame, shape (n_rows, n_features)
            The rows.
        targets : ndarray of float, shape (n_rows,)
            Labels 0 and 1, or numbers.
        groups : ndarray of int, shape (n_rows,)
            The index of the group.
        group_names : sequence of str
            What the groups are called.
        task : {"classification", "regression"}
            What is predicted.
        outcomes : sequence of str
            What 0 and 1 stand for.
        forms : mapping of int to LinearForm, optional
            What some leaves predict in place of their value.

        Returns
        -------
        Tree
            The tree.
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
        return cls(ordered, tuple(group_names), task, tuple(outcomes))

    @cached_property
    def _by_number(self) -> dict[int, Node]:
        return {node.number: node for node in self.nodes}

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves, from left to right."""
        leaves = [node for node in self.nodes if node.is_leaf]
        deepest = max(node.depth for node in self.nodes)
        return tuple(sorted(leaves, key=lambda node: node.number << (deepest - node.depth)))

    @property
    def n_leaves(self) -> int:
        """Leaves."""
        return sum(node.is_leaf for node in self.nodes)

    @property
    def depth(self) -> int:
        """The most steps to a leaf."""
        return max(node.depth for node in self.nodes)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are asked for, in the order of first use."""
        names: list[str] = []
        for node in self.nodes:
            if node.split is not None:
                names += Step(node.split, True).columns
            if node.form is not None:
                names += node.form.columns
        return tuple(dict.fromkeys(names))

    def node(self, number: int) -> Node:
        """Return a node by its number.

        Parameters
        ----------
        number : int
            See `Node`.

        Returns
        -------
        Node
            The node.

        Raises
        ------
        InputError
            If there is none.
        """
        if number not in self._by_number:
            raise InputError(f"The tree has no node {number!r}.")
        return self._by_number[number]

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each row comes to.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The rows; the columns of an array are called ``x0, x1, ...``.

        Returns
        -------
        ndarray of int, shape (n,)
            Numbers of nodes.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        ConditionError
            If a column holds values of another kind.
        """
        frame = as_frame(X)
        found = np.ones(len(frame), dtype=np.int64)
        for node in self.nodes:
            rows = np.flatnonzero(found == node.number)
            if node.split is not None and len(rows):
                left = np.asarray(node.split.holds(frame.iloc[rows]), dtype=bool)
                found[rows] = 2 * node.number + ~left
        return found

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the prediction for each row.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The rows.

        Returns
        -------
        ndarray of float, shape (n,)
            0 or 1, or a number; raises as :meth:`apply` does. Where a column of a weighted sum is missing, the mean of
            the leaf.
        """
        frame = as_frame(X)
        leaves = self.apply(frame)
        predicted = np.empty(len(frame))
        for node in self.nodes:
            rows = np.flatnonzero(leaves == node.number)
            predicted[rows] = node.value
            if node.form is not None and len(rows):
                values = node.form.values(frame.iloc[rows])
                predicted[rows] = np.where(np.isnan(values), node.value, values)
        return predicted

    def steps(self, number: int) -> tuple[Step, ...]:
        """Return the steps from the root to a node.

        Parameters
        ----------
        number : int
            The node.

        Returns
        -------
        tuple of Step
            None for the root; raises as :meth:`node` does.
        """
        self.node(number)
        way = [number >> up for up in range(number.bit_length() - 1, -1, -1)]
        return tuple(
            Step(self._by_number[here].split, below == 2 * here) for here, below in zip(way, way[1:], strict=False)
        )

    def path(self, number: int) -> str:
        """Return the way to a node in words, such as "age is at most 25 and job is clerk"."""
        return path_in_words(self.steps(number))

    def condition(self, number: int) -> Condition:
        """Return the condition that selects the rows of a node."""
        return path_condition(self.steps(number))

    def prediction_text(self, node: Node) -> str:
        """Return what a node predicts, in words."""
        if node.form is not None:
            return node.form.words()
        return self.outcomes[int(node.value)] if self.task == "classification" else f"{node.value:.6g}"

    def to_text(self) -> str:
        """Return the tree as indented rules; see :func:`~fairaudit.trees.tree_texts.tree_text`."""
        from fairaudit.trees.tree_texts import tree_text

        return tree_text(self)

    def to_table(self) -> pd.DataFrame:
        """Return a table with a line for each leaf; see :func:`~fairaudit.trees.tree_texts.leaf_table`."""
        from fairaudit.trees.tree_texts import leaf_table

        return leaf_table(self)

    def to_csv(self) -> str:
        """Return the table of leaves as CSV; see :func:`~fairaudit.trees.tree_texts.leaf_csv`."""
        from fairaudit.trees.tree_texts import leaf_csv

        return leaf_csv(self)

    def layout(self) -> Layout:
        """Return where to draw each node; see :func:`~fairaudit.trees.layout.tree_layout`."""
        from fairaudit.trees.layout import tree_layout

        return tree_layout(self)

    def __str__(self) -> str:
        return self.to_text()


def numbered_parts(shape: TreeShape, splits: Sequence[Split]) -> tuple[dict[int, Split], dict[int, float]]:
    """Return the splits and the values of leaves of a shape, by the numbers of nodes.

    Parameters
    ----------
    shape : TreeShape
        As a search found it.
    splits : sequence of Literal or LinearSplit
        What its columns stand for.

    Returns
    -------
    splits, values : dict
        Nodes from which all rows go left are not there.

    Examples
    --------
    >>> from fairaudit.rules.literals import Literal
    >>> numbered_parts(TreeShape((0, -1, -1), (1.0, 1.0, 0.0, 0.0)), [Literal("a", "at_most", 1)])[1]
    {2: 1.0, 3: 0.0}
    """
    found: dict[int, Split] = {}
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
