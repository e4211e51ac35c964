"""What is asked of a tree: the loss, the price or bound of discrimination, and the rates that must be alike in groups.

With h_i the prediction for cell i, n_i its rows and n all rows::

    minimise    loss + price * sum of measures + split_price * splits + limit_price * max over k of (G h)_k
    subject to  each measure <= max_measure,   (G h)_k <= bounds_k for each k

    loss        sum of n_i |y_i - h_i| / n: the share of wrong rows, or the mean absolute error
    measure     scale * sum over k of |(F h)_k|: DIDI or DTDI

The prediction is 0 or 1, or a number. Every measure and limit is made of linear forms of the predictions, so that for
any multipliers the problem falls apart into rows, and adds up over leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.floors import Floors
from fairaudit.estimators.similar_cases import Averages
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.limits import FOUR_FIFTHS, SLACK

if TYPE_CHECKING:
    from scipy import sparse


# The shape of a tree over numbered splits: what a search returns, before it is put into words.
#
# Nodes are numbered as in a heap: the root is 1, the children of node t are 2 t (left: the split holds) and 2 t + 1. A
# tree of depth K has the nodes 1 ... 2^K - 1 that may split and the leaves 2^K ... 2^(K+1) - 1. From a node that does
# not split all rows go left.

NO_SPLIT: Final = -1
"""In the place of a split, where a node does not split."""


@dataclass(frozen=True)
class TreeShape:
    """Splits and values of a tree.

    Examples
    --------
    >>> shape = TreeShape((1, NO_SPLIT, 0), (1.0, 1.0, 0.0, 1.0))
    >>> shape.depth, shape.n_splits
    (2, 2)
    >>> shape.predict(np.array([[0, 1], [1, 0], [0, 0]], dtype=bool)).tolist()
    [1.0, 0.0, 1.0]
    """

    # For each node that may split, in the order of numbers, the column of ``TreeRows.holds``, or `NO_SPLIT`; 2^K - 1 of
    # them. Nodes below one that does not split do not split.
    splits: tuple[int, ...]
    # What each leaf predicts; 2^K of them. Below a node that does not split all are the same.
    values: tuple[float, ...]

    @classmethod
    def stump(cls, depth: int, value: float) -> Self:
        """Return the tree that never splits."""
        return cls((NO_SPLIT,) * (2**depth - 1), (float(value),) * 2**depth)

    @property
    def depth(self) -> int:
        """The depth K that the shape has room for."""
        return len(self.values).bit_length() - 1

    @property
    def n_splits(self) -> int:
        """Nodes that split."""
        return sum(split != NO_SPLIT for split in self.splits)

    def leaves(self, holds: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the leaf that each row comes to, from 0. Shapes: `holds` (n, n_splits); returns (n,)."""
        rows = np.arange(len(holds))
        node, splits = np.ones(len(holds), dtype=np.int64), np.array((NO_SPLIT, *self.splits))
        for _ in range(self.depth):
            split = splits[node]
            left = (split == NO_SPLIT) | holds[rows, np.maximum(split, 0)] if holds.shape[1] else split == NO_SPLIT
            node = 2 * node + ~left
        return node - 2**self.depth

    def predict(self, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the prediction for each row; see `leaves`."""
        return np.array(self.values)[self.leaves(holds)]

    def with_values(self, values: NDArray[np.float64]) -> Self:
        """Return the same splits with other values."""
        return type(self)(self.splits, tuple(float(value) for value in values))

    def deepened(self, depth: int) -> Self:
        """Return the same tree with room for more levels.

        Examples
        --------
        >>> TreeShape((3,), (0.0, 1.0)).deepened(2)
        TreeShape(splits=(3, -1, -1), values=(0.0, 0.0, 1.0, 1.0))
        """
        n_more = 2**depth - 1 - len(self.splits)
        values = tuple(value for value in self.values for _ in range(2 ** (depth - self.depth)))
        return type(self)((*self.splits, *(NO_SPLIT,) * n_more), values)

    def tidy(self) -> Self:
        """Return the same predictions with no split that makes no difference."""
        splits, values = [NO_SPLIT, *self.splits], list(self.values)
        for node in range(len(self.splits), 0, -1):
            first, n_below = leaves_below(node, self.depth)
            part = slice(first, first + n_below)
            children = splits[2 * node : 2 * node + 2] if 2 * node <= len(self.splits) else []
            is_leaf = all(split == NO_SPLIT for split in children)
            if splits[node] == NO_SPLIT or (is_leaf and len(set(values[part])) == 1):
                splits[node], values[part] = NO_SPLIT, [values[first]] * n_below
        return type(self)(tuple(splits[1:]), tuple(values))


def leaves_below(node: int, depth: int) -> tuple[int, int]:
    """Return the first leaf below a node, from 0, and how many there are.

    Examples
    --------
    >>> leaves_below(1, 2), leaves_below(3, 2)
    ((0, 4), (2, 2))
    """
    level = node.bit_length() - 1
    n_below = 2 ** (depth - level)
    return n_below * (node - 2**level), n_below


# The rows that trees are found on: equal ones are merged into one cell with a weight.
#
# Two rows for which the same splits hold, with the same group and target, are alike to every tree, so they count as one
# cell that weighs two.


@dataclass(frozen=True, eq=False)
class TreeRows:
    """Merged rows."""

    # (n_cells, n_splits) Whether each split holds: then a row goes left.
    holds: NDArray[np.bool_]
    # (n_cells,) The index of the group; `n_groups` for rows in none, which are learned from only.
    groups: NDArray[np.int64]
    # (n_cells,) The label, 0 or 1, or the number to predict.
    targets: NDArray[np.float64]
    # (n_cells,) How many rows each cell stands for; sums of their weights, 1 a row on average, where rows have some.
    weights: NDArray[np.int64] | NDArray[np.float64]
    # What the groups are called.
    group_names: tuple[str, ...]
    # (n_rows,) The cell of each row that was merged.
    cells: NDArray[np.int64]
    # (n_cells, n_points) Numbers for linear splits and leaves; rows are only merged where these are equal, too.
    points: NDArray[np.float64] | None = None

    @classmethod
    def merge(
        cls,
        holds: NDArray[np.bool_],
        groups: NDArray[np.int64],
        targets: NDArray[np.float64],
        group_names: Sequence[str],
        points: NDArray[np.float64] | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> Self:
        """Merge rows that no tree can distinguish.

        Shapes: `holds` (n_rows, n_splits), `groups` (n_rows,), `targets` (n_rows,), `points` (n_rows, n_points),
        `weights` (n_rows,).

        Notes
        -----
        Rows are packed into bytes and sorted: O(n log n) with n_splits / 8 bytes a row.

        Examples
        --------
        >>> rows = TreeRows.merge(np.array([[1], [1], [0]], dtype=bool), np.zeros(3, dtype=np.int64),
        ...                       np.array([1.0, 1.0, 0.0]), ["all"])
        >>> rows.weights.tolist(), rows.targets.tolist()
        ([1, 2], [0.0, 1.0])
        """
        numbers = [np.asarray(targets, dtype=np.float64)[:, None], np.asarray(groups, dtype=np.float64)[:, None]]
        numbers += [] if points is None else [np.asarray(points, dtype=np.float64)]
        # Adding 0 makes one zero of both, so that equal numbers have equal bytes.
        numbers_bytes = np.ascontiguousarray(np.hstack(numbers) + 0.0).view(np.uint8)
        whole = np.ascontiguousarray(np.hstack([np.packbits(holds.astype(bool), axis=1), numbers_bytes]))
        keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
        _, first, cells, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        return cls(
            holds=np.ascontiguousarray(holds[first], dtype=bool),
            groups=np.asarray(groups[first], dtype=np.int64),
            targets=np.asarray(targets[first], dtype=np.float64),
            weights=counts.astype(np.int64) if weights is None else sums_by_code(cells.reshape(-1), weights),
            group_names=tuple(group_names),
            cells=cells.reshape(-1).astype(np.int64),
            points=None if points is None else np.asarray(points[first], dtype=np.float64),
        )

    @property
    def n_cells(self) -> int:
        """Cells."""
        return len(self.weights)

    @cached_property
    def n_rows(self) -> int:
        """Rows that the cells stand for."""
        return round(self.weights.sum().item())

    @property
    def are_counted(self) -> bool:
        """Whether cells stand for whole numbers of rows."""
        return self.weights.dtype.kind == "i"

    @property
    def n_splits(self) -> int:
        """Splits that trees can be made of."""
        return self.holds.shape[1]

    @property
    def n_groups(self) -> int:
        """Groups."""
        return len(self.group_names)


Task = Literal["classification", "regression"]


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of discrimination: a sum of absolute values of linear forms of the predictions."""

    name: str
    # (n_forms, n_cells) F; the rows that a cell stands for are added up in it.
    forms: sparse.csr_array
    scale: float

    def value(self, h: NDArray[np.float64]) -> float:
        """Return the measure of predictions, shape (n_cells,)."""
        return float(self.scale * np.abs(self.forms @ h).sum())


@dataclass(frozen=True, eq=False)
class Limit:
    """What must hold between groups: linear forms of the predictions that are bounded from above."""

    # "demographic_parity", "four_fifths", "equal_opportunity" or "equalized_odds", or "floors" where there are only
    # floors.
    name: str
    # (n_forms, n_cells) G, such as the rate of one group minus that of another, for both orders of each pair.
    forms: sparse.csr_array
    # (n_forms,) What each form may be at most.
    bounds: NDArray[np.float64]

    def worst(self, h: NDArray[np.float64]) -> float:
        """Return the largest form; minus infinity where there is none."""
        return float((self.forms @ h).max(initial=-np.inf))

    def excess(self, h: NDArray[np.float64]) -> float:
        """Return by how much the worst form is above its bound; at most 0 where the limit is met."""
        return float((self.forms @ h - self.bounds).max(initial=-np.inf))


@dataclass(frozen=True, eq=False)
class TreeProblem:
    """The problem of a tree; the module docstring states it."""

    rows: TreeRows
    # Whether leaves predict 0 or 1, or any number.
    task: Task = "classification"
    max_depth: int = 2
    # What is priced or bounded.
    measures: tuple[Measure, ...] = ()
    # Price of the sum of measures.
    price: float = 0.0
    # What each measure may be at most.
    max_measure: float | None = None
    # What must hold between groups.
    limit: Limit | None = None
    # Fewest rows of a leaf; a tree that does not split may have fewer.
    min_leaf_size: float = 1
    # split_price, limit_price: Prices of a split, and of the largest form of the limit.
    split_price: float = 0.0
    limit_price: float = 0.0
    # For each split, the feature that it asks for; needed for the next two.
    columns: tuple[int, ...] = ()
    # max_uses_per_feature, max_features: In how many nodes a feature may be asked for, and how many features in all.
    max_uses_per_feature: int | None = None
    max_features: int | None = None

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The share of all rows that each cell stands for."""
        return self.rows.weights / self.rows.n_rows

    def loss(self, h: NDArray[np.float64]) -> float:
        """Return the share of wrong rows, or the mean absolute error."""
        return float(self.rows.weights @ np.abs(self.rows.targets - h)) / self.rows.n_rows

    def objective(self, shape: TreeShape) -> float:
        """Return what is minimised."""
        return self.objective_of(shape.predict(self.rows.holds), shape.n_splits)

    def objective_of(self, h: NDArray[np.float64], n_splits: int) -> float:
        """Return what is minimised, of predictions and the number of splits that they take."""
        total = self.loss(h) + self.split_price * n_splits
        if self.price:
            total += self.price * sum(measure.value(h) for measure in self.measures)
        if self.limit_price and self.limit is not None:
            total += self.limit_price * self.limit.worst(h)
        return total

    def allows(self, shape: TreeShape) -> bool:
        """Say whether a tree meets all constraints."""
        met = self.allows_predictions(shape.predict(self.rows.holds))
        return met and self._leaves_are_large(shape) and self._features_are_few(shape)

    def allows_predictions(self, h: NDArray[np.float64]) -> bool:
        """Say whether predictions meet the limits, whatever the tree."""
        if self.limit is not None and self.limit.excess(h) > SLACK:
            return False
        return self.max_measure is None or self._worst_measure(h) <= self.max_measure + SLACK

    def _worst_measure(self, h: NDArray[np.float64]) -> float:
        return max((measure.value(h) for measure in self.measures), default=0.0)

    def _leaves_are_large(self, shape: TreeShape) -> bool:
        if not shape.n_splits or self.min_leaf_size <= 1:
            return True
        sizes = np.bincount(shape.leaves(self.rows.holds), weights=self.rows.weights, minlength=len(shape.values))
        return bool((sizes[reachable_leaves(shape)] >= self.min_leaf_size).all())

    def _features_are_few(self, shape: TreeShape) -> bool:
        used = [self.columns[split] for split in shape.splits if split != NO_SPLIT] if self.columns else []
        most = max((used.count(column) for column in set(used)), default=0)
        return (self.max_uses_per_feature is None or most <= self.max_uses_per_feature) and (
            self.max_features is None or len(set(used)) <= self.max_features
        )


def reachable_leaves(shape: TreeShape) -> NDArray[np.int64]:
    """Return the leaves that rows can come to: one below each node that does not split.

    Examples
    --------
    >>> reachable_leaves(TreeShape((0, -1, 1), (0.0, 0.0, 1.0, 0.0))).tolist()
    [0, 2, 3]
    """
    leaves = np.arange(len(shape.values))
    for level in range(shape.depth):
        splits = np.array(shape.splits[2**level - 1 : 2 ** (level + 1) - 1])
        n_below = 2 ** (shape.depth - level)
        leaves = leaves[(splits[leaves // n_below] != NO_SPLIT) | (leaves % n_below == 0)]
    return leaves


def didi_measure(rows: TreeRows, task: Task) -> Measure:
    """Return DIDI: how far the mean prediction of each group is from that of all rows that are in one.

    In classification both labels count, so that it is twice the sum over groups.
    """
    forms = [_mean(rows, rows.groups == group) - _mean(rows, rows.groups < rows.n_groups)
             for group in range(rows.n_groups)]  # fmt: skip
    return Measure("didi", _sparse(forms, rows.n_cells), 2.0 if task == "classification" else 1.0)


@dataclass(frozen=True, eq=False)
class StrataCounts:
    """How many rows of each stratum of similar cases the cells hold: one entry for each cell and stratum there."""

    # (n,) The cell, the stratum and the rows.
    cells: NDArray[np.int64]
    strata: NDArray[np.int64]
    counts: NDArray[np.float64]

    @classmethod
    def of(
        cls, cells: NDArray[np.int64], strata: NDArray[np.int64], weights: NDArray[np.float64] | None = None
    ) -> Self:
        """Count the rows that were merged. Shapes: `cells`, `strata`, `weights` (n_rows,)."""
        n_strata = int(strata.max(initial=-1)) + 1
        found, places = np.unique(cells * n_strata + strata, return_inverse=True)
        counts = np.bincount(places.reshape(-1), weights, len(found)).astype(np.float64)
        return cls(found // n_strata, found % n_strata, counts)

    def means(self, rows: TreeRows, part: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
        """Return the average of the mean predictions of each group over strata, in some cells, as forms."""
        groups = rows.groups[self.cells]
        averages = Averages.of(groups, self.strata, rows.n_groups, part[self.cells], self.counts)
        people, below = averages.factors
        forms = []
        for group in range(rows.n_groups):
            own = (groups == group) & part[self.cells]
            strata = self.strata[own]
            shares = self.counts[own] * people[strata] / below[group, strata]
            forms.append(sums_by_code(self.cells[own], shares, rows.n_cells))
        return forms


def parity_limit(rows: TreeRows, name: str, max_difference: float | None, similar: StrataCounts | None = None) -> Limit:
    """Return what must hold between each two groups, on average over similar cases where these are given."""
    parts = {
        "demographic_parity": [np.ones(rows.n_cells, dtype=bool)],
        "four_fifths": [np.ones(rows.n_cells, dtype=bool)],
        "equal_opportunity": [rows.targets == 1],
        "equalized_odds": [rows.targets == 1, rows.targets == 0],
    }[name]
    share, bound = (FOUR_FIFTHS, 0.0) if name == "four_fifths" else (1.0, float(max_difference or 0.0))
    forms = []
    for part in parts:
        if similar is None:
            means = [_mean(rows, part & (rows.groups == group)) for group in range(rows.n_groups)]
        else:
            means = similar.means(rows, part)
        defined = [mean for mean in means if mean.any()]
        forms += [share * one - other for one in defined for other in defined if one is not other]
    return Limit(name, _sparse(forms, rows.n_cells), np.full(len(forms), bound))


def floored(limit: Limit | None, rows: TreeRows, floors: Floors) -> Limit:
    """Return a limit, or none, together with floors under sums of the predictions for the rows that were merged."""
    merged = floors.merged(rows.cells, rows.n_cells)
    asked = np.isfinite(merged.least)
    # a h >= b  is  -a h <= -b
    forms, bounds = -merged.weights[asked], -merged.least[asked]
    if limit is not None:
        forms, bounds = np.vstack([limit.forms.toarray(), forms]), np.concatenate([limit.bounds, bounds])
    return Limit("floors" if limit is None else limit.name, _sparse(forms, rows.n_cells), bounds)


def _mean(rows: TreeRows, inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mean prediction over some cells as a form; zeros where there are none."""
    weights = np.where(inside, rows.weights, 0)
    return weights / (weights.sum() or 1)


def _sparse(forms: Sequence[NDArray[np.float64]] | NDArray[np.float64], n_cells: int) -> sparse.csr_array:
    from scipy import sparse

    return sparse.csr_array(np.array(forms).reshape(-1, n_cells))


# How a search for a tree ended.

Status = Literal["optimal", "work_limit", "stopped", "gap", "infeasible"]
"""Proven; all work done that was allowed; stopped by the caller; ended with a distance left; proven impossible."""

Method = Literal["search", "scip", "published"]
"""By our own searches, by SCIP in a form of ours, or by SCIP in the form that was first published."""


@dataclass(frozen=True, eq=False)
class FoundTree:
    """The end of a search."""

    # The best tree that is allowed; None where none was found.
    shape: TreeShape | None
    # Of that tree; infinite without one.
    objective: float
    # What no allowed tree of this depth over these splits can be better than.
    bound: float
    status: Status
    method: Method
    # What should be known, as sentences.
    notes: tuple[str, ...] = ()

    @property
    def optimality_gap(self) -> float:
        """How far objective and bound are apart, as a share of the objective."""
        if self.shape is None:
            return 1.0
        return max(self.objective - self.bound, 0.0) / max(abs(self.objective), 1e-12)
