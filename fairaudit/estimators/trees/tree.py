"""A decision tree in the columns of the table: splits, nodes, the way to a node, and the tree as text and tables."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition, tree
from fairaudit.conditions.spreadsheet import SpreadsheetLine, spreadsheet_csv
from fairaudit.conditions.words import name_in_words
from fairaudit.data.formulas import neutralised
from fairaudit.errors import InputError
from fairaudit.estimators.rules.literals import Literal, as_frame
from fairaudit.estimators.trees.problem import Task

if TYPE_CHECKING:
    from fairaudit.estimators.parameters import Features


@dataclass(frozen=True)
class LinearForm:
    """A weighted sum of columns and a constant.

    Examples
    --------
    >>> form = LinearForm(("age", "priors"), (0.5, -2.0), 1.0)
    >>> form.words()
    '1 + 0.5 × age - 2 × priors'
    >>> form.values(pd.DataFrame({"age": [20, None], "priors": [3, 1]})).tolist()
    [5.0, nan]
    """

    columns: tuple[str, ...]
    weights: tuple[float, ...]
    constant: float = 0.0

    def values(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """Return the sum for each row. Shapes: returns (n,)."""
        total = np.full(len(frame), float(self.constant))
        for column, weight in zip(self.columns, self.weights, strict=True):
            total += weight * pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        return total

    def words(self) -> str:
        """Return the sum as people write it."""
        text = f"{self.constant:.4g}" if self.constant or not self.columns else ""
        for column, weight in zip(self.columns, self.weights, strict=True):
            sign = (" - " if weight < 0 else " + ") if text else ("-" if weight < 0 else "")
            text += f"{sign}{abs(weight):.4g} × {name_in_words(column)}"
        return text


@dataclass(frozen=True)
class LinearSplit:
    """A split that holds where a weighted sum of columns is at most a threshold; a missing value goes right.

    Examples
    --------
    >>> LinearSplit(("age", "priors"), (1.0, -2.0), 10.0).words()
    '1 × age - 2 × priors is at most 10'
    """

    columns: tuple[str, ...]
    weights: tuple[float, ...]
    # The largest sum that goes left.
    threshold: float

    @property
    def form(self) -> LinearForm:
        """The weighted sum."""
        return LinearForm(self.columns, self.weights)

    @cached_property
    def node(self) -> tree.Node:
        """The split as a part of a condition."""
        total: tree.Value | None = None
        for column, weight in zip(self.columns, self.weights, strict=True):
            part = tree.Arithmetic("*", tree.Constant(float(weight)), tree.ColumnName(column, "number"))
            total = part if total is None else tree.Arithmetic("+", total, part)
        return tree.Compare("<=", total or tree.Constant(0.0), tree.Constant(float(self.threshold)))

    def holds(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return whether the split holds for each row. Shapes: returns (n,)."""
        return self.form.values(frame) <= self.threshold

    def to_condition_text(self) -> str:
        """Return the split as a condition writes it."""
        return Condition(self.node).text

    def words(self) -> str:
        """Return the split in plain English."""
        return f"{self.form.words()} is at most {self.threshold:.4g}"

    def opposite_words(self) -> str:
        """Return when a row goes right, in plain English."""
        return f"{self.form.words()} is more than {self.threshold:.4g}"


# The way to a node: which splits hold and which do not, as a condition and in words.

Split = Literal | LinearSplit


@dataclass(frozen=True)
class TreeStep:
    """One step down."""

    # The split of the node that is left.
    split: Split
    is_left: bool

    def words(self) -> str:
        """Return the step in plain English."""
        if self.is_left:
            return self.split.words()
        return self.split.opposite_words() if isinstance(self.split, LinearSplit) else self.split.negated().words()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are asked for."""
        return self.split.columns if isinstance(self.split, LinearSplit) else (self.split.column,)


def path_in_words(steps: Sequence[TreeStep]) -> str:
    """Return the way to a node in plain English.

    Examples
    --------
    >>> path_in_words([TreeStep(Literal("age", "at_most", 40), True), TreeStep(Literal("age", "at_most", 25), False)])
    'age is at most 40 and age is more than 25'
    """
    kept = [step for place, step in enumerate(steps) if not any(_implies(later, step) for later in steps[place + 1 :])]
    return " and ".join(step.words() for step in kept) or "all rows"


def path_condition(steps: Sequence[TreeStep]) -> Condition:
    """Return the way to a node as a condition that selects the same rows."""
    if not steps:
        return Condition.parse("TRUE", ())
    known = {column for step in steps for column in step.columns if _needs_value(step)}
    return Condition(tree.join(tree.And, [_node(step, known) for step in steps]))


def _needs_value(step: TreeStep) -> bool:
    """Say whether rows that take the step have a value in its columns."""
    is_missing = isinstance(step.split, Literal) and step.split.kind == "missing"
    return step.is_left != is_missing


def _node(step: TreeStep, known: set[str]) -> tree.Node:
    if step.is_left:
        return step.split.node
    opposite = tree.negate(step.split.node)
    lacking = [column for column in step.columns if column not in known]
    if not lacking or (isinstance(step.split, Literal) and step.split.kind == "missing"):
        return opposite
    return tree.join(tree.Or, [opposite, *(tree.IsNull(tree.ColumnName(column, None)) for column in lacking)])


def _implies(later: TreeStep, step: TreeStep) -> bool:
    """Say whether a later step in the same direction asks for all that a step asks for, by cuts of one column."""
    one, two = later.split, step.split
    if not (isinstance(one, Literal) and isinstance(two, Literal)) or one.column != two.column:
        return False
    return one.kind == two.kind == "at_most" and later.is_left == step.is_left


@dataclass(frozen=True)
class Node:
    """One node, with the rows that the tree was learned from."""

    # The root is 1; the children of node t are 2 t, where its split holds, and 2 t + 1.
    number: int
    split: Split | None
    # What is predicted in a leaf: 0 or 1, or a number. In other nodes, what a leaf would predict that serves most rows.
    # In a leaf with a `form`, the mean of the targets.
    value: float
    sizes: tuple[int, ...]
    # Rows with label 1 of each group, or the sum of the targets.
    sums: tuple[float, ...]
    # What a leaf predicts in place of `value`.
    form: LinearForm | None = None
    # The weights of the rows of each group, which `sums` are sums of; empty where each row counts once.
    weights: tuple[float, ...] = ()

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
        return sum(self.sums) / sum(self.weights or self.sizes) if self.n_rows else float("nan")

    @property
    def rates(self) -> tuple[float, ...]:
        """The share of label 1, or the mean target, of each group; NaN without rows."""
        counted = self.weights or self.sizes
        return tuple(total / size if size else float("nan") for total, size in zip(self.sums, counted, strict=True))


@dataclass(frozen=True)
class NodePosition:
    """Where a node is drawn."""

    number: int
    # From 0 to the number of leaves - 1: leaves lie one apart, and other nodes midway above their children.
    x: float
    # Steps from the root, downwards.
    y: float
    # The split, or the prediction.
    words: str
    # Whether it is a leaf.
    is_leaf: bool


GOES_RIGHT: Final = "A missing value and a value never seen in learning go to “otherwise”."


@dataclass(frozen=True)
class Tree:
    """A decision tree: at each node a row goes left where the split holds, and right otherwise.

    Raises
    ------
    InputError
        If a node that splits lacks a child.
    """

    # All nodes, in the order of their numbers.
    nodes: tuple[Node, ...]
    # What the groups are called.
    group_names: tuple[str, ...] = ("all",)
    task: Task = "classification"
    # In classification, what 0 and 1 stand for.
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
                names += TreeStep(node.split, True).columns
            if node.form is not None:
                names += node.form.columns
        return tuple(dict.fromkeys(names))

    def node(self, number: int) -> Node:
        """Return a node by its number."""
        if number not in self._by_number:
            raise InputError(f"The tree has no node {number!r}.")
        return self._by_number[number]

    def apply(self, X: Features) -> NDArray[np.int64]:
        """Return the leaf that each row comes to. Shapes: `X` (n, n_features); returns (n,)."""
        frame = as_frame(X)
        found = np.ones(len(frame), dtype=np.int64)
        for node in self.nodes:
            rows = np.flatnonzero(found == node.number)
            if node.split is not None and len(rows):
                left = np.asarray(node.split.holds(frame.iloc[rows]), dtype=bool)
                found[rows] = 2 * node.number + ~left
        return found

    def predict(self, X: Features) -> NDArray[np.float64]:
        """Return the prediction for each row. Shapes: `X` (n, n_features); returns (n,)."""
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

    def rates(self, X: Features) -> NDArray[np.float64]:
        """Return the share of label 1 in the leaf of each row. Shapes: `X` (n, n_features); returns (n,)."""
        leaves = self.apply(X)
        rates = {leaf.number: leaf.rate if leaf.n_rows else leaf.value for leaf in self.leaves}
        return np.array([rates[number] for number in leaves.tolist()], dtype=np.float64)

    def steps(self, number: int) -> tuple[TreeStep, ...]:
        """Return the steps from the root to a node."""
        self.node(number)
        way = [number >> up for up in range(number.bit_length() - 1, -1, -1)]
        splits = ((self._by_number[here].split, below == 2 * here) for here, below in pairwise(way))
        return tuple(TreeStep(split, is_left) for split, is_left in splits if split is not None)

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

    def to_spreadsheet(self) -> str:
        """Return a row for each leaf as CSV, which an office can run in a spreadsheet.

        Bounds stand in columns of their own. The formula of a leaf, written after ``=`` beside a person, is TRUE where
        the person comes there; its head says which columns stand in A, B and so on. It is empty where a spreadsheet has
        no such comparison. Leaves that weigh columns predict by the sum that stands there in words.
        """
        return spreadsheet_csv(
            "leaf",
            [
                SpreadsheetLine(leaf.number, self.path(leaf.number), condition, self._predicted(leaf))
                for leaf, condition in zip(self.leaves, self.to_rules(), strict=True)
            ],
        )

    def _predicted(self, leaf: Node) -> object:
        is_number = self.task == "regression" and leaf.form is None
        return leaf.value if is_number else self.prediction_text(leaf)

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as values that JSON holds: its nodes by number, each with its split or its prediction.

        Examples
        --------
        >>> leaf = Node(1, None, 1.0, (3,), (2.0,))
        >>> Tree((leaf,)).to_dict()["nodes"]
        [{'node': 1, 'rows': [3], 'predicts': '1'}]
        """
        nodes: list[dict[str, Any]] = []
        for node in self.nodes:
            line: dict[str, Any] = {"node": node.number, "rows": list(node.sizes)}
            if node.split is None:
                line["predicts"] = self._predicted(node)
            else:
                line |= {"where": node.split.to_condition_text(), "then": 2 * node.number, "else": 2 * node.number + 1}
            nodes.append(line)
        return {"task": self.task, "groups": list(self.group_names), "outcomes": list(self.outcomes), "nodes": nodes}

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_graph(self) -> str:
        """Return the tree as a graph in the language of Graphviz.

        Examples
        --------
        >>> print(Tree((Node(1, None, 1.0, (3,), (2.0,)),)).to_graph())
        digraph tree {
          node [shape=box];
          n1 [label="predict 1"];
        }
        """
        lines = ["digraph tree {", "  node [shape=box];"]
        for node in self.nodes:
            words = f"predict {self.prediction_text(node)}" if node.split is None else node.split.words()
            lines.append(f"  n{node.number} [label={json.dumps(words, ensure_ascii=False)}];")
            if node.split is not None:
                lines.append(f'  n{node.number} -> n{2 * node.number} [label="yes"];')
                lines.append(f'  n{node.number} -> n{2 * node.number + 1} [label="otherwise"];')
        return "\n".join([*lines, "}"])

    def places(self) -> tuple[NodePosition, ...]:
        """Return where to draw each node, in the order of numbers."""
        x = {leaf.number: float(place) for place, leaf in enumerate(self.leaves)}
        for node in reversed(self.nodes):
            if not node.is_leaf:
                x[node.number] = (x[2 * node.number] + x[2 * node.number + 1]) / 2
        positions = []
        for node in self.nodes:
            words = self.prediction_text(node) if node.split is None else node.split.words()
            positions.append(NodePosition(node.number, x[node.number], float(node.depth), words, node.is_leaf))
        return tuple(positions)

    def __str__(self) -> str:
        return self.to_text()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return neutralised(value)
    return "" if isinstance(value, float) and math.isnan(value) else value
