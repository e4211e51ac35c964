"""What the forms of the integer problem have in common: linear expressions, and what a solution says about the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, TreeShape
from fairaudit.measure.bands import sums_by_code
from fairaudit.solver import add_row

if TYPE_CHECKING:
    from scipy import sparse


# Patterns: what the rows of the integer problem are about, far fewer than cells.
#
# Cells for which the same splits hold take the same path through every tree, whatever their group and target, so that
# one set of variables serves them all. A linear form of the predictions of cells is one of the predictions of patterns.

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SplitPatterns:
    """Distinct rows of splits.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_patterns, n_splits)
        Whether each split holds.
    points : ndarray of float, shape (n_patterns, n_points)
        Numbers for linear splits and leaves; no columns where there are none.
    of_cell : ndarray of int, shape (n_cells,)
        The pattern of each cell.
    sizes : ndarray of float, shape (n_patterns,)
        Rows of each pattern.
    """

    holds: NDArray[np.bool_]
    points: Floats
    of_cell: NDArray[np.int64]
    sizes: Floats

    @classmethod
    def of(cls, rows: TreeRows, *, with_points: bool = False) -> Self:
        """Find the patterns of rows."""
        points = np.zeros((rows.n_cells, 0))
        if with_points and rows.points is not None:
            points = np.ascontiguousarray(rows.points, dtype=np.float64) + 0.0
        bits = np.packbits(rows.holds, axis=1)
        keys = np.hstack([np.zeros((rows.n_cells, 1), dtype=np.uint8), bits, points.view(np.uint8)])
        whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1]))).ravel()
        _, first, of_cell = np.unique(whole, return_index=True, return_inverse=True)
        of_cell = of_cell.reshape(-1).astype(np.int64)
        sizes = sums_by_code(of_cell, rows.weights, len(first))
        return cls(rows.holds[first], points[first], of_cell, sizes)

    @property
    def n_patterns(self) -> int:
        """Patterns."""
        return len(self.sizes)

    def summed(self, weights: Floats) -> Floats:
        """Return a form of the predictions of cells as one of patterns, shape (n_patterns,)."""
        return sums_by_code(self.of_cell, weights, self.n_patterns)

    def forms(self, forms: sparse.csr_array) -> sparse.csr_array:
        """Return forms of the predictions of cells as forms of patterns, shape (n_forms, n_patterns)."""
        from scipy import sparse

        ones = np.ones(len(self.of_cell))
        places = (np.arange(len(self.of_cell)), self.of_cell)
        return sparse.csr_array(forms @ sparse.csr_array((ones, places), shape=(len(ones), self.n_patterns)))


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
class DecodedTree:
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

    def decode(self, values: Floats) -> DecodedTree:
        """Return the tree that values of the first `n_choices` variables stand for."""

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""

    def encode(self, shape: TreeShape) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""


# Splits on weighted sums of numbers, and leaves that predict one.
#
# ======== ============================================================================================================
# symbol   meaning
# ======== ============================================================================================================
# x[p]     the numbers of pattern p, from 0 to 1
# w+, w-   positive and negative parts of the weights at a node; q, the threshold
# l        whether the node splits on the sum at all; g[p], whether pattern p then goes left
# r[p]     whether pattern p comes to the node: what does not may be on either side
# ======== ============================================================================================================
#
# Weights add up to at most 1 in absolute value, so that sums and thresholds are from -1 to 1, and the big M is at most
# 2 + EPSILON, where the paper names none. Sums on the two sides are `EPSILON` apart, a hundred times what SCIP may be
# wrong by.

EPSILON: Final = 1e-4
"""How far apart sums on the two sides are, at least."""

LARGEST_SLOPE: Final = 2.0
"""Of a leaf, in ranges of the target for a range of a number."""


class LinearChoice:
    """The rows of a weighted sum at a node.

    Parameters
    ----------
    model : pyscipopt.Model
        The model.
    node : int
        The node's number.
    patterns : SplitPatterns
        With points.
    chosen : pyscipopt.Variable
        l, whether the node splits on the sum.
    reach : sequence of pyscipopt.Variable, optional
        r; none at the root.
    """

    def __init__(self, model: Any, node: int, patterns: SplitPatterns, chosen: Any, reach: Sequence[Any]):
        self.points = patterns.points
        n_points = self.points.shape[1]
        plus = [model.addVar(f"wp_{node}_{k}", lb=0.0, ub=1.0) for k in range(n_points)]
        minus = [model.addVar(f"wm_{node}_{k}", lb=0.0, ub=1.0) for k in range(n_points)]
        # What no sum is beyond: 1 for numbers from 0 to 1.
        size = max(1.0, float(np.abs(self.points).max(initial=0.0)))
        threshold = model.addVar(f"q_{node}", lb=-size, ub=size)
        self.variables = [*plus, *minus, threshold]
        self.left = [model.addVar(f"g_{node}_{p}", vtype="B") for p in range(patterns.n_patterns)]
        # sum_k (w+[k] + w-[k]) = l, at each node
        add_row(model, [*plus, *minus, chosen], [*np.ones(2 * n_points), -1.0], at_least=0.0, at_most=0.0,
                name=f"weights_{node}")  # fmt: skip
        # -size l <= q <= size l, at each node
        add_row(model, [threshold, chosen], [1.0, -size], at_most=0.0, name=f"threshold_above_{node}")
        add_row(model, [threshold, chosen], [1.0, size], at_least=0.0, name=f"threshold_below_{node}")
        near, far = 2.0 * size, 2.0 * size + EPSILON
        for p, (point, left) in enumerate(zip(self.points, self.left, strict=True)):
            # g[p] <= l,  all p
            add_row(model, [left, chosen], [1.0, -1.0], at_most=0.0, name=f"left_{node}_{p}")
            come = reach[p : p + 1]
            # w x[p] - q <= M (l - g[p]) + M (1 - r[p])
            add_row(model, [*self.variables, left, chosen, *come],
                    [*point, *-point, -1.0, near, -near, *[near] * len(come)],
                    at_most=near * len(come), name=f"small_{node}_{p}")  # fmt: skip
            # w x[p] - q >= EPSILON l - (M + EPSILON) (g[p] + 1 - r[p])
            add_row(model, [*self.variables, left, chosen, *come],
                    [*point, *-point, -1.0, far, -EPSILON, *[-far] * len(come)],
                    at_least=-far * len(come), name=f"large_{node}_{p}")  # fmt: skip

    def decode(self, values: Floats, come: NDArray[np.bool_]) -> tuple[tuple[float, ...], float]:
        """Return weights, and a threshold between the sums of the patterns that come, on the two sides."""
        n_points = self.points.shape[1]
        weights = values[:n_points] - values[n_points : 2 * n_points]
        # Smaller ones are SCIP's rounding, and change no sum by EPSILON.
        weights = np.where(np.abs(weights) > EPSILON * 1e-2, weights, 0.0)
        sums, threshold = self.points[come] @ weights, float(values[2 * n_points]) + EPSILON / 2
        below, above = sums[sums <= threshold], sums[sums > threshold]
        if len(below) and len(above):
            threshold = (float(below.max()) + float(above.min())) / 2
        # Positive and negative parts may both be there.
        size = float(np.abs(weights).sum()) or 1.0
        return tuple(float(weight) / size for weight in weights), threshold / size


# Rows for how often a feature may be asked for, and how many features in all.


def limited_columns(problem: TreeProblem) -> tuple[int, ...]:
    """Return for each split its feature; none where it does not matter how many are used."""
    limited = problem.max_uses_per_feature is not None or problem.max_features is not None
    return problem.columns if limited else ()


def add_feature_limits(
    model: Any, problem: TreeProblem, asking: Mapping[int, Mapping[int, Sequence[Any]]]
) -> dict[int, Any]:
    """Add the rows."""
    features: dict[int, Any] = {}
    for feature, by_node in asking.items():
        if problem.max_uses_per_feature is not None:
            # sum over nodes of those that ask for f <= most
            everywhere = [variable for variables in by_node.values() for variable in variables]
            most = float(problem.max_uses_per_feature)
            add_row(model, everywhere, np.ones(len(everywhere)), at_most=most, name=f"uses_{feature}")
        if problem.max_features is not None:
            used = features[feature] = model.addVar(f"v_{feature}", lb=0.0, ub=1.0)
            # sum of those at node t that ask for f <= v[f],  all t
            for node, variables in by_node.items():
                factors = [*np.ones(len(variables)), -1.0]
                add_row(model, [*variables, used], factors, at_most=0.0, name=f"asks_{feature}_{node}")
    if features:
        # sum_f v[f] <= most
        most = float(sure(problem.max_features))
        add_row(model, [*features.values()], np.ones(len(features)), at_most=most, name="features")
    return features
