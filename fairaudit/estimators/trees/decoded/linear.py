"""Weighted sums of columns, for splits and leaves that weigh several numbers at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition, tree
from fairaudit.conditions.words import name_in_words


@dataclass(frozen=True)
class LinearForm:
    """A weighted sum of columns and a constant.

    Parameters
    ----------
    columns : tuple of str
        Columns of numbers.
    weights : tuple of float
        One for each.
    constant : float
        What is added.

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
        """Return the sum for each row.

        Shapes: returns (n,).
        """
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

    Parameters
    ----------
    columns : tuple of str
        Columns of numbers.
    weights : tuple of float
        One for each.
    threshold : float
        The largest sum that goes left.

    Examples
    --------
    >>> LinearSplit(("age", "priors"), (1.0, -2.0), 10.0).words()
    '1 × age - 2 × priors is at most 10'
    """

    columns: tuple[str, ...]
    weights: tuple[float, ...]
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
            part = tree.Arithmetic("*", tree.Literal(float(weight)), tree.ColumnName(column, "number"))
            total = part if total is None else tree.Arithmetic("+", total, part)
        return tree.Compare("<=", total or tree.Literal(0.0), tree.Literal(float(self.threshold)))

    def holds(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return whether the split holds for each row.

        Shapes: returns (n,).
        """
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
