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
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.floors import Floors
from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.measure.limits import FOUR_FIFTHS, SLACK

if TYPE_CHECKING:
    from scipy import sparse

Task = Literal["classification", "regression"]


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of discrimination: a sum of absolute values of linear forms of the predictions.

    Parameters
    ----------
    name : {"didi", "dtdi"}
        Which one.
    forms : csr_array, shape (n_forms, n_cells)
        F; the rows that a cell stands for are added up in it.
    scale : float
        Of the sum.
    """

    name: str
    forms: sparse.csr_array
    scale: float

    def value(self, h: NDArray[np.float64]) -> float:
        """Return the measure of predictions, shape (n_cells,)."""
        return float(self.scale * np.abs(self.forms @ h).sum())


@dataclass(frozen=True, eq=False)
class Limit:
    """What must hold between groups: linear forms of the predictions that are bounded from above.

    Parameters
    ----------
    name : str
        "demographic_parity", "four_fifths", "equal_opportunity" or "equalized_odds", or "floors" where there are only
        floors.
    forms : csr_array, shape (n_forms, n_cells)
        G, such as the rate of one group minus that of another, for both orders of each pair.
    bounds : ndarray of float, shape (n_forms,)
        What each form may be at most.
    """

    name: str
    forms: sparse.csr_array
    bounds: NDArray[np.float64]

    def worst(self, h: NDArray[np.float64]) -> float:
        """Return the largest form; minus infinity where there is none."""
        return float((self.forms @ h).max(initial=-np.inf))

    def excess(self, h: NDArray[np.float64]) -> float:
        """Return by how much the worst form is above its bound; at most 0 where the limit is met."""
        return float((self.forms @ h - self.bounds).max(initial=-np.inf))


@dataclass(frozen=True, eq=False)
class TreeProblem:
    """What is asked of a tree; see the module.

    Parameters
    ----------
    rows : TreeRows
        The merged rows.
    task : {"classification", "regression"}
        Whether leaves predict 0 or 1, or any number.
    max_depth : int
        K, at least 1.
    measures : tuple of Measure
        What is priced or bounded.
    price : float
        Of the sum of measures.
    max_measure : float, optional
        What each measure may be at most.
    limit : Limit, optional
        What must hold between groups.
    min_leaf_size : int
        Rows of each leaf, at least, but for a tree that does not split.
    split_price, limit_price : float
        Of a split, and of the largest form of the limit.
    columns : tuple of int
        For each split, the feature that it asks for; needed for the next two.
    max_uses_per_feature, max_features : int, optional
        In how many nodes a feature may be asked for, and how many features in all.
    """

    rows: TreeRows
    task: Task = "classification"
    max_depth: int = 2
    measures: tuple[Measure, ...] = ()
    price: float = 0.0
    max_measure: float | None = None
    limit: Limit | None = None
    min_leaf_size: int = 1
    split_price: float = 0.0
    limit_price: float = 0.0
    columns: tuple[int, ...] = ()
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
        """Say whether a tree meets all that is asked."""
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
        used = [self.columns[split] for split in shape.splits if split >= 0] if self.columns else []
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
        leaves = leaves[(splits[leaves // n_below] >= 0) | (leaves % n_below == 0)]
    return leaves


def didi_measure(rows: TreeRows, task: Task) -> Measure:
    """Return DIDI: how far the mean prediction of each group is from that of all rows.

    In classification both labels count, so that it is twice the sum over groups.
    """
    forms = [_mean(rows, rows.groups == group) - _mean(rows, np.ones(rows.n_cells, dtype=bool))
             for group in range(rows.n_groups)]  # fmt: skip
    return Measure("didi", _sparse(forms, rows.n_cells), 2.0 if task == "classification" else 1.0)


def parity_limit(rows: TreeRows, name: str, max_difference: float | None) -> Limit:
    """Return what must hold between each two groups."""
    parts = {
        "demographic_parity": [np.ones(rows.n_cells, dtype=bool)],
        "four_fifths": [np.ones(rows.n_cells, dtype=bool)],
        "equal_opportunity": [rows.targets == 1],
        "equalized_odds": [rows.targets == 1, rows.targets == 0],
    }[name]
    share, bound = (FOUR_FIFTHS, 0.0) if name == "four_fifths" else (1.0, float(max_difference or 0.0))
    forms = []
    for part in parts:
        means = [_mean(rows, part & (rows.groups == group)) for group in range(rows.n_groups)]
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
    return weights / max(weights.sum(), 1)


def _sparse(forms: Sequence[NDArray[np.float64]] | NDArray[np.float64], n_cells: int) -> Any:
    from scipy import sparse

    return sparse.csr_array(np.array(forms).reshape(-1, n_cells))
