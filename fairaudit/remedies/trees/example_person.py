"""An example person: what a tree asks for, with usual answers, and the way that such a person takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from fairaudit.columns import DAY_KINDS
from fairaudit.estimators.rules.binarizer import read_column
from fairaudit.estimators.trees.tree import Tree
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import learned_rows

MOST_CHOICES: Final = 200
"""Values that can be chosen, the most frequent first."""


@dataclass(frozen=True)
class AskedColumn:
    """A column that a tree asks for, and what it holds on the rows that the tree was learned from.

    Parameters
    ----------
    name : str
        The column.
    kind : {"number", "date", "choice"}
        What it holds.
    usual : object
        The median of numbers and dates, otherwise the most frequent value; None where nothing is known.
    low, high : object
        The ends of numbers and dates; None for choices.
    is_whole : bool
        Whether all numbers are whole.
    choices : tuple
        The values that can be chosen.
    """

    name: str
    kind: str
    usual: Any
    low: Any = None
    high: Any = None
    is_whole: bool = False
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Way:
    """The way of a person through a tree.

    Parameters
    ----------
    nodes : tuple of int
        The nodes, from the root to the leaf.
    steps : tuple of str
        What is found at each question, in words.
    prediction : str
        What is predicted, in words.
    value : float
        The same as a number: 1 for the outcome and 0 for none, or the amount.
    """

    nodes: tuple[int, ...]
    steps: tuple[str, ...]
    prediction: str
    value: float


def asked_columns(study: DividedRows, tree: Tree) -> tuple[AskedColumn, ...]:
    """Return what a tree asks for."""
    frame = study.X[list(tree.columns)].iloc[learned_rows(study)]
    return tuple(_asked(frame, name) for name in tree.columns)


def _asked(frame: pd.DataFrame, name: str) -> AskedColumn:
    _, kind = read_column(frame, name)
    known = frame[name].dropna()
    if kind == "number":
        values = known.astype(float)
        whole = bool((values == np.floor(values)).all())
        middle = float(values.median())
        return AskedColumn(
            name, "number", float(round(middle)) if whole else middle, float(values.min()), float(values.max()), whole
        )
    if kind in DAY_KINDS:
        days = pd.to_datetime(known)
        ends = (days.min().date(), days.max().date())
        return AskedColumn(name, "date", days.quantile(0.5, interpolation="nearest").date(), *ends)
    choices = tuple(known.value_counts().index[:MOST_CHOICES].tolist())
    return AskedColumn(name, "choice", choices[0] if choices else None, choices=choices)


def way_of(rows: pd.DataFrame, tree: Tree, person: Mapping[str, Any]) -> Way:
    """Return the way of a made-up person through a tree.

    Examples
    --------
    >>> from fairaudit.estimators.rules.literals import Literal
    >>> from fairaudit.estimators.trees.tree import Node
    >>> leaves = Node(2, None, 1, (1,), (1,)), Node(3, None, 0, (1,), (0,))
    >>> tree = Tree((Node(1, Literal("age", "at_most", 25), 0, (2,), (1,)), *leaves), outcomes=("stays", "leaves"))
    >>> way_of(pd.DataFrame({"age": [20.0, 30.0]}), tree, {"age": 40}).steps
    ('age is more than 25',)
    """
    # As one of the rows, so that each column keeps its type.
    columns = {name: _like(rows[name], person[name]) for name in tree.columns}
    frame = pd.DataFrame(columns if columns else {"": [0]})
    leaf = int(tree.apply(frame)[0])
    way = tuple(leaf >> up for up in range(leaf.bit_length() - 1, -1, -1))
    steps = []
    for step in tree.steps(leaf):
        unknown = [name for name in step.columns if person[name] is None]
        steps.append(
            f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not known" if unknown else step.words()
        )
    value = float(tree.predict(frame)[0])
    return Way(way, tuple(steps), tree.prediction_text(tree.node(leaf)), value)


def _like(column: pd.Series, value: Any) -> pd.Series:
    kind = column.dtype
    if pd.api.types.is_datetime64_any_dtype(kind):
        return pd.Series([pd.NaT if value is None else pd.Timestamp(value)]).astype(kind)
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind):
        return pd.Series([np.nan if value is None else float(value)])
    return pd.Series([value], dtype=object)
