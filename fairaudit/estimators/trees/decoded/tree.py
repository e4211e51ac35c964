"""A tree as people and programs read it."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.formulas import neutralised
from fairaudit.errors import InputError
from fairaudit.estimators.rules.literals import as_frame
from fairaudit.estimators.trees.decoded.layout import Place, tree_layout
from fairaudit.estimators.trees.decoded.nodes import Node
from fairaudit.estimators.trees.decoded.paths import Step, path_condition, path_in_words
from fairaudit.estimators.trees.problem import Task

if TYPE_CHECKING:
    from fairaudit.conditions import Condition

GOES_RIGHT: Final = "A missing value and a value never seen in learning go to “otherwise”."


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
        """Return a node by its number."""
        if number not in self._by_number:
            raise InputError(f"The tree has no node {number!r}.")
        return self._by_number[number]

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each row comes to.

        Shapes: `X` (n, n_features); returns (n,).
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

        Shapes: `X` (n, n_features); returns (n,).
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

    def rates(self, X: Any) -> NDArray[np.float64]:
        """Return the share of label 1 in the leaf of each row.

        Shapes: `X` (n, n_features); returns (n,).
        """
        leaves = self.apply(X)
        rates = {leaf.number: leaf.rate if leaf.n_rows else leaf.value for leaf in self.leaves}
        return np.array([rates[number] for number in leaves.tolist()], dtype=np.float64)

    def steps(self, number: int) -> tuple[Step, ...]:
        """Return the steps from the root to a node."""
        self.node(number)
        way = [number >> up for up in range(number.bit_length() - 1, -1, -1)]
        splits = ((self._by_number[here].split, below == 2 * here) for here, below in pairwise(way))
        return tuple(Step(split, is_left) for split, is_left in splits if split is not None)

    def path(self, number: int) -> str:
        """Return the way to a node in words."""
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
        """Return the tree as indented rules."""
        lines: list[str] = []
        waiting: list[tuple[int, int, str]] = [(1, 0, "")]
        while waiting:
            number, indent, before = waiting.pop()
            node = self.node(number)
            start = "  " * indent + before
            if node.split is None:
                lines.append(f"{start}predict {self.prediction_text(node)} ({self._rows_text(node)})")
                continue
            if before:
                lines.append(start.rstrip())
                indent += 1
            lines.append(f"{'  ' * indent}if {node.split.words()}")
            waiting.append((2 * number + 1, indent, "otherwise "))
            waiting.append((2 * number, indent, "then "))
        if self.n_leaves > 1:
            lines.append(GOES_RIGHT)
        return "\n".join(lines)

    def _rows_text(self, node: Node) -> str:
        rows = f"{node.n_rows:,} row{'' if node.n_rows == 1 else 's'}"
        if not node.n_rows:
            return rows
        if self.task == "regression":
            return f"{rows}, mean {node.rate:.4g}"
        return f"{rows}, {node.rate:.0%} {self.outcomes[1]}"

    def to_rules(self) -> tuple[str, ...]:
        """Return a condition for each leaf, which selects its rows."""
        return tuple(self.condition(leaf.number).text for leaf in self.leaves)

    def to_table(self) -> pd.DataFrame:
        """Return a table with a line for each leaf."""
        lines = []
        for leaf in self.leaves:
            line = [leaf.number, self.path(leaf.number), self.prediction_text(leaf), leaf.n_rows, leaf.rate]
            for size, rate in zip(leaf.sizes, leaf.rates, strict=True):
                line += [size, rate]
            lines.append(line)
        names = ["leaf", "path", "prediction", "rows", "rate"]
        if len(self.group_names) > 1:
            names += [f"{what} of {name}" for name in self.group_names for what in ("rows", "rate")]
        return pd.DataFrame([line[: len(names)] for line in lines], columns=names)

    def to_csv(self) -> str:
        """Return the table of leaves as CSV."""
        table = self.to_table()
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow([neutralised(str(name)) for name in (*table.columns, "condition")])
        for line, condition in zip(table.itertuples(index=False), self.to_rules(), strict=True):
            writer.writerow([_cell(value) for value in (*line, condition)])
        return stream.getvalue()

    def places(self) -> tuple[Place, ...]:
        """Return where to draw each node, in the order of numbers."""
        words = {
            node.number: self.prediction_text(node) if node.split is None else node.split.words() for node in self.nodes
        }
        return tree_layout(self.nodes, self.leaves, words)

    def __str__(self) -> str:
        return self.to_text()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return neutralised(value)
    return "" if isinstance(value, float) and math.isnan(value) else value
