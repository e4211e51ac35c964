"""The parts of the formulations: patterns of splits, expressions, linear choices, and the decision at a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, TreeShape
from fairaudit.measure.bands import sums_by_code
from fairaudit.solver import add_row

if TYPE_CHECKING:
    from scipy import sparse

    from fairaudit.solver.models import Variable, WorkedModel


# Patterns: what the rows of the integer problem are about, far fewer than cells.
#
# Cells for which the same splits hold take the same path through every tree, whatever their group and target, so that
# one set of variables serves them all. A linear form of the predictions of cells is one of the predictions of patterns.

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SplitPatterns:
    """Distinct rows of splits."""

    # (n_patterns, n_splits) Whether each split holds.
    holds: NDArray[np.bool_]
    # (n_patterns, n_points) Numbers for linear splits and leaves; no columns where there are none.
    points: Floats
    # (n_cells,) The pattern of each cell.
    of_cell: NDArray[np.int64]
    # (n_patterns,) Rows of each pattern.
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

    def fewest(self, size: float) -> float:
        """Return the least weight of a leaf of `size` rows; one row may weigh less than 1."""
        return float(size) if size > 1 else min(1.0, float(self.sizes.min(initial=1.0)))

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
    """A sum of coefficients times variables, plus a constant; no variable twice."""

    variables: Sequence[Variable]
    # (n_variables,) One for each.
    coefficients: Floats
    constant: float = 0.0

    def add_to(
        self,
        model: WorkedModel,
        name: str,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        more: Sequence[tuple[float, Variable]] = (),
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
    """A split that holds where a weighted sum of numbers is small."""

    # One for each column of ``TreeRows.points``; their absolute values add up to at most 1.
    weights: tuple[float, ...]
    # The split holds where ``points @ weights <= threshold``.
    threshold: float

    def holds(self, points: Floats) -> NDArray[np.bool_]:
        """Say for each row whether the split holds."""
        return points @ np.array(self.weights) <= self.threshold


@dataclass(frozen=True, eq=False)
class DecodedTree:
    """The tree that a solution stands for."""

    # Splits of at least ``rows.n_splits`` are, in this order, those of `subsets` and those of `linear`.
    shape: TreeShape
    # For each split on a set of levels, the columns of ``rows.holds`` one of which holds on the left.
    subsets: tuple[tuple[int, ...], ...] = ()
    linear: tuple[LinearCoefficients, ...] = ()
    # (n_leaves, 1 + n_points) With linear leaves, for each leaf its constant and the weights of numbers.
    leaves: Floats | None = None


class Form(Protocol):
    """Variables and rows that make a tree, and the predictions that it gives; complete when `iter_build` has run.

    Attributes
    ----------
    variables : list of pyscipopt.Variable
        All variables of the form; the first `n_choices` of them say which tree it is.
    n_choices : int
        How many variables these are.
    span : float
        What predictions and losses are measured in: the range of the targets, 1 for labels.
    """

    variables: list[Variable]
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

    def encode(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it.

        Splits of at least ``n_splits`` are those of `subsets`, in this order; not all forms can take them over.
        """


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
    """The choice of a weighted sum at a node, as variables and rows."""

    # chosen: l, whether the node splits on the sum.
    # reach: r; none at the root.
    def __init__(
        self, model: WorkedModel, node: int, patterns: SplitPatterns, chosen: Variable, reach: Sequence[Variable]
    ):
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


def limited_columns(problem: TreeProblem) -> tuple[int, ...]:
    """Return for each split its feature; none where it does not matter how many are used."""
    limited = problem.max_uses_per_feature is not None or problem.max_features is not None
    return problem.columns if limited else ()


def add_feature_limits(
    model: WorkedModel, problem: TreeProblem, by_feature: Mapping[int, Mapping[int, Sequence[Variable]]]
) -> dict[int, Variable]:
    """Add rows for how often a feature may be used, and how many may be; return the variables of used features."""
    features: dict[int, Variable] = {}
    for feature, by_node in by_feature.items():
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
        most = float(require(problem.max_features))
        add_row(model, [*features.values()], np.ones(len(features)), at_most=most, name="features")
    return features


# What a node of the flow form can choose, and which patterns it then turns on.
#
# ========= ===========================================================================================================
# symbol    meaning
# ========= ===========================================================================================================
# s[t,j]    whether node t splits on column j: on are the patterns for which it holds
# s'[t,j]   the same, where on are those for which it does not hold
# f[t,c]    whether node t asks for a set of levels of the categorical feature c; f'[t,c], off where the level is in it
# b[t,c,k]  whether level k is in that set
# l[t]      whether node t splits on a weighted sum, see `LinearChoice`
# all[t]    whether all patterns are on, without a split; none[t], whether all are off
# o[p,t]    whether pattern p is on at node t: linear in the others
# ========= ===========================================================================================================
#
# At a node whose children split again, "on" means that a row goes left. At the last level of a classification it means
# that a row is predicted 1, so that a node with both its leaves is one choice, and no label is a variable.

# Leaves that predict numbers: constants or weighted sums, and the absolute error.
#
# ======== ============================================================================================================
# symbol   meaning
# ======== ============================================================================================================
# r[p,k]   whether pattern p comes to leaf k
# u[k]     the constant of leaf k; w[k], its weights of the numbers x
# v[p,k]   the prediction for p if it comes to leaf k, else 0
# e+, e-   by how much the prediction is above and below a target
# ======== ============================================================================================================
#
# Targets and predictions are measured in the range of the targets, from 0 for the smallest to 1 for the largest, so
# that M is 1 for constants, and what the largest slope allows for sums. What is predicted for a row is within that
# range.

PATTERNS_A_STEP: Final = 200
"""Patterns whose rows are added before control goes back to the caller."""


class Leaves:
    """The leaves that predict numbers, as variables and rows; complete when `iter_build` has run."""

    # linear: Whether leaves predict weighted sums of points.
    def __init__(self, model: WorkedModel, rows: TreeRows, patterns: SplitPatterns, *, linear: bool):
        self.model, self.rows, self.patterns = model, rows, patterns
        self.low, self.span = target_range(rows)
        self.points = patterns.points if linear else patterns.points[:, :0]

    def iter_build(self, reach: Sequence[Sequence[Variable]]) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        model, n_patterns, n_points = self.model, self.patterns.n_patterns, self.points.shape[1]
        slack = LARGEST_SLOPE * n_points
        self.constants = [model.addVar(f"u_{k}", lb=-slack, ub=1.0 + slack) for k in range(len(reach))]
        self.weights = [
            [model.addVar(f"w_{k}_{j}", lb=-LARGEST_SLOPE, ub=LARGEST_SLOPE) for j in range(n_points)]
            for k in range(len(reach))
        ]
        self.predicted = [model.addVar(f"h_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
        self.parts = [[model.addVar(f"v_{k}_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
                      for k in range(len(reach))]  # fmt: skip
        for p, (point, predicted) in enumerate(zip(self.points, self.predicted, strict=True)):
            if p % PATTERNS_A_STEP == 0:
                yield
            for k, comes in enumerate(reach):
                self._add_part(k, p, comes[p], point, slack)
            # h[p] = sum_k v[p,k],  all p
            parts = [part[p] for part in self.parts]
            add_row(model, [predicted, *parts], [1.0, *-np.ones(len(parts))], at_least=0.0, at_most=0.0, name=f"h_{p}")
        yield from self._iter_add_errors()

    def _add_part(self, k: int, p: int, comes: Variable, point: Floats, slack: float) -> None:
        part = self.parts[k][p]
        sums, factors = [self.constants[k], *self.weights[k]], [1.0, *point]
        most = 1.0 + slack + LARGEST_SLOPE * float(np.abs(point).sum())
        # v[p,k] <= r[p,k],  all p and k
        add_row(self.model, [part, comes], [1.0, -1.0], at_most=0.0, name=f"v_{k}_{p}")
        # u[k] + w[k] x[p] - M (1 - r[p,k]) <= v[p,k]
        add_row(self.model, [*sums, comes, part], [*factors, most, -1.0], at_most=most, name=f"v_below_{k}_{p}")
        # v[p,k] <= u[k] + w[k] x[p] + (M - 1) (1 - r[p,k])
        add_row(self.model, [*sums, comes, part], [*factors, 1.0 - most, -1.0], at_least=1.0 - most,
                name=f"v_above_{k}_{p}")  # fmt: skip

    def _iter_add_errors(self) -> Iterator[None]:
        """Add the error of each pattern and target, once for all groups."""
        rows = self.rows
        scaled = (rows.targets - self.low) / self.span
        keys, inverse = np.unique(np.column_stack([self.patterns.of_cell, scaled]), axis=0, return_inverse=True)
        self.places, self.targets = keys[:, 0].astype(np.int64), keys[:, 1]
        sizes = np.bincount(inverse.reshape(-1), weights=rows.weights)
        self.above = [self.model.addVar(f"ep_{i}", lb=0.0, ub=1.0) for i in range(len(keys))]
        self.below = [self.model.addVar(f"em_{i}", lb=0.0, ub=1.0) for i in range(len(keys))]
        self.costs = np.concatenate([sizes, sizes])
        for i, (place, target) in enumerate(zip(self.places.tolist(), self.targets.tolist(), strict=True)):
            if i % PATTERNS_A_STEP == 0:
                yield
            # h[p] - e+ + e- = y,  all p and y
            variables = [self.predicted[place], self.above[i], self.below[i]]
            add_row(self.model, variables, [1.0, -1.0, 1.0], at_least=target, at_most=target, name=f"error_{i}")

    @property
    def parameters(self) -> list[Variable]:
        """The variables that say what leaves predict."""
        return [*self.constants, *(weight for part in self.weights for weight in part)]

    @property
    def dependent(self) -> list[Variable]:
        """The variables that follow from the others."""
        return [*self.predicted, *(part for parts in self.parts for part in parts), *self.above, *self.below]

    def decode(self, values: Floats) -> Floats:
        """Return constant and weights of each leaf, in units of the target, from values of `parameters`."""
        n_leaves = len(self.constants)
        constants = self.low + self.span * values[:n_leaves]
        weights = self.span * values[n_leaves:].reshape(n_leaves, -1)
        return np.column_stack([constants, weights])

    def encode(self, leaf_of: Ints, constants: Floats) -> tuple[Floats, Floats]:
        """Return values of `parameters` and `dependent`, for the leaf of each pattern and constant leaves."""
        scaled = np.clip((constants - self.low) / self.span, 0.0, 1.0)
        predicted = scaled[leaf_of]
        parts = np.where(leaf_of[None, :] == np.arange(len(scaled))[:, None], predicted, 0.0)
        errors = predicted[self.places] - self.targets
        parameters = np.concatenate([scaled, np.zeros(sum(map(len, self.weights)))])
        return parameters, np.concatenate([predicted, parts.ravel(), np.maximum(errors, 0.0), np.maximum(-errors, 0.0)])


def target_range(rows: TreeRows) -> tuple[float, float]:
    """Return the smallest target, and how far the largest is above it; 1 where they are the same."""
    low, high = float(rows.targets.min()), float(rows.targets.max())
    return low, (high - low) or 1.0


Ints = NDArray[np.int64]


@dataclass(frozen=True)
class SplitOptions:
    """The splits that nodes can choose."""

    columns: tuple[int, ...]
    # For each categorical feature its columns; none of them is in `columns`.
    levels: tuple[tuple[int, ...], ...]
    # For each categorical feature, whether each pattern has one of its levels: then a set and its complement part the
    # rows alike, and the level of most rows is taken to be in the set.
    complete: tuple[bool, ...]
    # Whether weighted sums of points can be chosen.
    linear: bool

    @classmethod
    def of(
        cls, patterns: SplitPatterns, levels: Sequence[Sequence[int]], *, linear: bool, features: tuple[int, ...]
    ) -> SplitOptions:
        """Leave out columns that divide no rows, or divide all rows as another column does."""
        taken = {column for part in levels for column in part}
        seen: set[tuple[int, bytes]] = set()
        columns = []
        for column in range(patterns.holds.shape[1]):
            holds = patterns.holds[:, column]
            feature = features[column] if features else 0
            if column in taken or holds.all() or not holds.any() or (feature, holds.tobytes()) in seen:
                continue
            seen |= {(feature, holds.tobytes()), (feature, (~holds).tobytes())}
            columns.append(column)
        parts, complete = [], []
        for part in levels:
            by_size = sorted(part, key=lambda column: -patterns.sizes[patterns.holds[:, column]].sum())
            parts.append(tuple(by_size))
            complete.append(bool(patterns.holds[:, list(part)].any(axis=1).all()))
        return cls(tuple(columns), tuple(parts), tuple(complete), linear)


DecisionKind = Literal["all", "none", "column", "subset", "linear"]


@dataclass(frozen=True)
class NodeDecision:
    """What a node decides."""

    # "all" and "none" are without a split.
    kind: DecisionKind
    # Whether off, not on, are the rows that go left.
    negated: bool = False
    # The column, or those of the levels in the set.
    columns: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    # The most that a weighted sum may be on the left.
    threshold: float = 0.0


@dataclass(eq=False)
class NodeChoice:
    """The variables of one node; made by `add_node`."""

    # In the order all, none, columns, negated columns, then for each categorical feature and orientation whether it is
    # chosen and its levels, and the variables of a weighted sum.
    variables: list[Variable] = field(default_factory=list)
    # What each says where it is 1; None for levels and what belongs to weighted sums.
    meanings: list[NodeDecision | None] = field(default_factory=list)
    # (n_patterns, n_variables) o = matrix @ variables, but for the weighted sum.
    matrix: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    # Rows of the weighted sum.
    linear: LinearChoice | None = None

    def where(self, kind: DecisionKind) -> list[Variable]:
        """Return the variables that choose a kind of split."""
        pairs = zip(self.variables, self.meanings, strict=True)
        return [variable for variable, meaning in pairs if meaning is not None and meaning.kind == kind]

    @property
    def unsplit(self) -> list[Variable]:
        """The variables that choose no split."""
        return [*self.where("all"), *self.where("none")]

    @property
    def splitting(self) -> list[Variable]:
        """The variables that choose a split."""
        return [*self.where("column"), *self.where("subset"), *self.where("linear")]

    def splits_by(self, feature_of: Sequence[int]) -> dict[int, list[Variable]]:
        """Return for each feature the variables that split by it; weighted sums split by none."""
        by_feature: dict[int, list[Variable]] = {}
        for variable, meaning in zip(self.variables, self.meanings, strict=True):
            if meaning is not None and meaning.columns:
                by_feature.setdefault(feature_of[meaning.columns[0]], []).append(variable)
        return by_feature

    def on(self, pattern: int) -> Expression:
        """Return whether a pattern is on."""
        used = np.flatnonzero(self.matrix[pattern])
        variables = [self.variables[place] for place in used.tolist()]
        coefficients = self.matrix[pattern, used]
        if self.linear is None:
            return Expression(variables, coefficients)
        return Expression([*variables, self.linear.left[pattern]], np.append(coefficients, 1.0))

    def decode(self, values: Floats, come: NDArray[np.bool_]) -> NodeDecision:
        """Return what values of the variables choose, for the patterns that come to the node."""
        choosing = [place for place, meaning in enumerate(self.meanings) if meaning is not None]
        place = max(choosing, key=lambda one: values[one])
        meaning = self.meanings[place]
        assert meaning is not None  # noqa: S101 - by the line above
        if meaning.kind == "subset":
            levels = meaning.columns
            inside = values[place + 1 : place + 1 + len(levels)] > 0.5
            return NodeDecision("subset", meaning.negated, tuple(np.array(levels)[inside].tolist()))
        if meaning.kind == "linear" and self.linear is not None:
            weights, threshold = self.linear.decode(values[place + 1 :], come)
            return NodeDecision("linear", False, (), weights, threshold)
        return meaning

    def encode(self, chosen: NodeDecision) -> Floats | None:
        """Return values of the variables that choose this; None where it cannot be chosen."""
        values = np.zeros(len(self.variables))
        for place, meaning in enumerate(self.meanings):
            if meaning is None or meaning.kind != chosen.kind or meaning.negated != chosen.negated:
                continue
            if meaning.kind == "subset":
                if not set(chosen.columns) <= set(meaning.columns):
                    continue
                values[place + 1 : place + 1 + len(meaning.columns)] = np.isin(meaning.columns, chosen.columns)
            elif meaning.columns != chosen.columns or meaning.kind == "linear":
                continue
            values[place] = 1.0
            return values
        return None


def add_node(
    model: WorkedModel,
    node: int,
    patterns: SplitPatterns,
    split_options: SplitOptions,
    *,
    reach: Sequence[Variable],
    predicts: bool,
    may_stop: bool,
) -> NodeChoice:
    """Add the variables of a node, and what makes them one choice."""
    choice = NodeChoice()
    n_patterns, columns = patterns.n_patterns, []

    def add(name: str, meaning: NodeDecision | None, on: Floats, kind: str = "B") -> Variable:
        variable = model.addVar(f"{name}_{node}", vtype=kind, lb=0.0, ub=1.0)
        choice.variables.append(variable)
        choice.meanings.append(meaning)
        columns.append(on)
        return variable

    if may_stop or predicts:
        add("all", NodeDecision("all"), np.ones(n_patterns))
    if predicts:
        add("none", NodeDecision("none"), np.zeros(n_patterns))
    for negated in (False, True) if predicts else (False,):
        for column in split_options.columns:
            holds = patterns.holds[:, column] ^ negated
            add(f"s{negated:d}_{column}", NodeDecision("column", negated, (column,)), holds.astype(float))
    for c, (levels, complete) in enumerate(zip(split_options.levels, split_options.complete, strict=True)):
        for negated in (False, True) if predicts and not complete else (False,):
            held = patterns.holds[:, list(levels)].astype(np.float64)
            chosen = add(
                f"f{negated:d}_{c}", NodeDecision("subset", negated, levels), np.full(n_patterns, float(negated))
            )
            inside = [
                add(f"b{negated:d}_{c}_{k}", None, (1.0 - 2.0 * negated) * held[:, k]) for k in range(len(levels))
            ]
            for k, level in enumerate(inside):
                # b[t,c,k] <= f[t,c];  b[t,c,first] = f[t,c] where a set and its complement part alike
                same = 0.0 if k == 0 and complete and not predicts else None
                add_row(
                    model, [level, chosen], [1.0, -1.0], at_least=same, at_most=0.0, name=f"b{negated:d}_{c}_{k}_{node}"
                )
    if split_options.linear:
        chosen = add("l", NodeDecision("linear"), np.zeros(n_patterns))
        choice.linear = LinearChoice(model, node, patterns, chosen, reach)
        for variable in choice.linear.variables:
            choice.variables.append(variable)
            choice.meanings.append(None)
            columns.append(np.zeros(n_patterns))
    choice.matrix = np.stack(columns, axis=1) if columns else np.zeros((n_patterns, 0))
    # all[t] + none[t] + sum_j (s[t,j] + s'[t,j]) + sum_c (f[t,c] + f'[t,c]) + l[t] = 1
    variables = [*choice.unsplit, *choice.splitting]
    add_row(model, variables, np.ones(len(variables)), at_least=1.0, at_most=1.0, name=f"choice_{node}")
    return choice
