"""What the forms of the integer problem have in common: linear expressions, and what a solution says about the tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.solver import add_row


@dataclass(frozen=True, eq=False)
class Expression:
    """A sum of coefficients times variables, plus a constant; no variable twice.

    Parameters
    ----------
    variables : sequence of pyscipopt.Variable
        The variables.
    coefficients : ndarray of float, shape (n_variables,)
        One for each.
    constant : float
        What is added.
    """

    variables: Sequence[Any]
    coefficients: Floats
    constant: float = 0.0

    def add_to(
        self,
        model: Any,
        name: str,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        more: Sequence[tuple[float, Any]] = (),
    ) -> None:
        """Add the row at_least <= expression + sum of more <= at_most; `more` is coefficients and other variables."""
        used = np.flatnonzero(self.coefficients)
        variables = [*(self.variables[place] for place in used.tolist()), *(variable for _, variable in more)]
        coefficients = [*self.coefficients[used].tolist(), *(factor for factor, _ in more)]
        lower = None if at_least is None else at_least - self.constant
        upper = None if at_most is None else at_most - self.constant
        add_row(model, variables, coefficients, at_least=lower, at_most=upper, name=name)


@dataclass(frozen=True)
class LinearCoefficients:
    """A split that holds where a weighted sum of numbers is small.

    Parameters
    ----------
    weights : tuple of float
        One for each column of ``TreeRows.points``; their absolute values add up to at most 1.
    threshold : float
        The split holds where ``points @ weights <= threshold``.
    """

    weights: tuple[float, ...]
    threshold: float

    def holds(self, points: Floats) -> Any:
        """Say for each row whether the split holds."""
        return points @ np.array(self.weights) <= self.threshold


@dataclass(frozen=True, eq=False)
class Decoded:
    """The tree that a solution stands for.

    Parameters
    ----------
    shape : TreeShape
        Splits of at least ``rows.n_splits`` are, in this order, those of `subsets` and those of `linear`.
    subsets : tuple of tuple of int
        For each split on a set of levels, the columns of ``rows.holds`` one of which holds on the left.
    linear : tuple of LinearCoefficients
        Splits on weighted sums.
    leaves : ndarray of float, shape (n_leaves, 1 + n_points), optional
        With linear leaves, for each leaf its constant and the weights of numbers.
    """

    shape: TreeShape
    subsets: tuple[tuple[int, ...], ...] = ()
    linear: tuple[LinearCoefficients, ...] = ()
    leaves: Floats | None = None


class Form(Protocol):
    """Variables and rows that make a tree, and the predictions that it gives; complete when `iter_build` has run.

    Attributes
    ----------
    variables : list of pyscipopt.Variable
        All variables of the form; the first `n_choices` of them say which tree it is.
    n_choices : int
        How many.
    span : float
        What predictions and losses are measured in: the range of the targets, 1 for labels.
    """

    variables: list[Any]
    n_choices: int
    span: float

    def iter_build(self) -> Iterator[None]:
        """Add variables and rows, a few at a time."""

    def predictions(self, weights: Floats) -> Expression:
        """Return a linear form of the predictions of patterns; always of the same variables."""

    def pattern_predictions(self, values: Floats) -> Floats:
        """Return the prediction of each pattern where the variables of `predictions` have these values."""

    def losses(self) -> Expression:
        """Return the loss in rows, with what splits cost."""

    def decode(self, values: Floats) -> Decoded:
        """Return the tree that values of the first `n_choices` variables stand for."""

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""

    def encode(self, shape: TreeShape) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""
