"""What a leaf costs at best, for all conjunctions of one or two splits at once, when each cell has a linear price.

With w the shares of rows, y the targets and c what a prediction of 1 costs in a cell, over the cells of a leaf::

    labels      min( sum of w y,  sum of w (1 - y) + c )
    numbers     min over v of  sum of w |y - v| + v * sum of c,   v between the lowest and the highest target

The second is least at a quantile of y: at the first level at which ``sum of w [y <= v] - sum of w [y > v] + c >= 0``.
Those sums do not depend on c, so they are made once for all conjunctions and levels, and looked up for each c.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from fairaudit.estimators.trees.problem import TreeProblem

Floats = NDArray[np.float64]

MAX_ENTRIES: Final = 8_000_000
"""Levels times conjunctions; with more, near targets share a level, which bounds are lowered for."""
HELD_OR_MISSED: Final = ((0, 0), (0, 1), (1, 0), (1, 1))
"""For each of two splits, 0 where it holds and 1 where it does not."""


@dataclass(frozen=True, eq=False)
class TargetLevels:
    """Targets on few levels."""

    # (n_levels,) Ascending.
    values: Floats
    # (n_cells,) The level of each cell.
    of_cells: NDArray[np.int64]
    # The mean distance between target and level, which each loss is off by at most.
    error: float

    @classmethod
    def of(cls, problem: TreeProblem, most: int) -> TargetLevels:
        """Return the targets, or each moved to the nearest of `most` values, at least 2."""
        targets = problem.rows.targets
        values, of_cells = np.unique(targets, return_inverse=True)
        if len(values) <= most:
            return cls(values, of_cells.reshape(-1), 0.0)
        places = np.unique(np.linspace(0, len(values) - 1, most).round().astype(np.int64))
        kept = values[places]
        nearest = np.searchsorted((kept[1:] + kept[:-1]) / 2, targets)
        return cls(kept, nearest, float(problem.weights @ np.abs(targets - kept[nearest])))


@dataclass(frozen=True, eq=False)
class PairCosts:
    """What leaves cost; the first place of an axis of length 2 is where the split holds."""

    # (2, n_splits) Leaves of one split.
    single: Floats
    # (2, 2, n_splits, n_splits) Leaves of two; infinite where a leaf would be too small.
    pairs: Floats
    split_price: float

    @cached_property
    def below(self) -> Floats:
        """What a side costs that is split, shape (2, n_splits, n_splits): first axis and place the side."""
        return self.pairs.sum(axis=1) + self.split_price

    @cached_property
    def sides(self) -> Floats:
        """What each side costs at best, shape (2, n_splits)."""
        return np.minimum(self.single, self.below.min(axis=2, initial=np.inf))

    @cached_property
    def roots(self) -> Floats:
        """What the best tree below each root split costs, shape (n_splits,)."""
        return self.sides.sum(axis=0) + self.split_price


class LeafCosts:
    """Costs of leaves for a problem, over some splits."""

    def __init__(self, problem: TreeProblem, columns: NDArray[np.int64]):
        self.problem, self.columns = problem, columns
        self.holds = np.ascontiguousarray(problem.rows.holds[:, columns], dtype=np.float64)
        n_pairs = len(columns) * (len(columns) + 1) // 2
        # Leaves of one split are so much fewer than those of two that they can have their own, finer levels.
        self.levels = TargetLevels.of(problem, max(MAX_ENTRIES // (len(columns) + 1), 2))
        self.pair_levels = TargetLevels.of(problem, max(MAX_ENTRIES // max(n_pairs, 1), 2))

    @property
    def error(self) -> float:
        """By how much the cost of a tree may be too high that is made of leaves of one split."""
        return self.levels.error if self.problem.task == "regression" else 0.0

    @property
    def pair_error(self) -> float:
        """The same for leaves of pairs of splits."""
        return self.pair_levels.error if self.problem.task == "regression" else 0.0

    def work_of_table(self, n_cells: int) -> dict[str, float]:
        """Return the work of a `PairTable`."""
        n_splits, times = len(self.columns), 3 if self.problem.task == "classification" else 1
        n_levels = 0 if self.problem.task == "classification" else len(self.pair_levels.values)
        elements = 3 * n_cells * n_splits + 8 * n_levels * n_splits * (n_splits + 1) / 2
        return {"products": times * n_cells * n_splits**2, "elements": elements}

    def work_of_costs(self, n_cells: int) -> dict[str, float]:
        """Return the work of `PairTable.costs`."""
        n_splits, steps = len(self.columns), 1.0
        if self.problem.task == "regression":
            steps = 4.0 * max(len(self.pair_levels.values), 1).bit_length()
        return {"products": n_cells * n_splits**2, "elements": n_cells * n_splits + 10 * steps * n_splits**2}

    def work_of_sides(self, n_cells: int) -> dict[str, float]:
        """Return the work of `SideSums`."""
        n_levels = 0 if self.problem.task == "classification" else len(self.levels.values)
        return {"elements": float(n_cells + 4 * n_levels) * len(self.columns)}

    def sides(self, cells: NDArray[np.int64], costs: Floats) -> Floats:
        """Return what leaves of one split cost among some cells. Shapes: `costs` (n_cells,); returns (2, n_splits)."""
        return SideSums(self, cells, self.levels).single(costs)[0]

    def best_leaf(self, cells: NDArray[np.int64], costs: Floats) -> tuple[float, float]:
        """Return what some cells cost as one leaf, and the value that they are predicted."""
        rows, weights = self.problem.rows, self.problem.weights[cells]
        if self.problem.task == "classification":
            zero, one = weights @ rows.targets[cells], weights @ (1 - rows.targets[cells]) + costs[cells].sum()
            return (float(one), 1.0) if one < zero else (float(zero), 0.0)
        of_cells, values = self.levels.of_cells[cells], self.levels.values
        sums = np.bincount(of_cells, weights=weights, minlength=len(values)).cumsum()
        extra = costs[cells].sum()
        short = 2 * sums - sums[-1] + extra < -1e-15
        v = values[min(int(short.sum()), len(values) - 1)]
        return float(weights @ np.abs(values[of_cells] - v) + v * extra), float(v)


class SideSums:
    """What does not depend on c, for leaves of one split among some cells."""

    def __init__(self, owner: LeafCosts, cells: NDArray[np.int64], levels: TargetLevels):
        problem, holds = owner.problem, owner.holds[cells]
        self.owner, self.cells, self.holds = owner, cells, holds
        self.least = problem.min_leaf_size
        counts = problem.rows.weights[cells].astype(np.float64)
        self.counts, self.n = counts, counts.sum()
        self.n_held = counts @ holds
        weights, targets = problem.weights[cells], problem.rows.targets[cells]
        self.weights = weights
        if problem.task == "classification":
            self.fixed = np.stack([weights * targets, weights * (1 - targets)])
            self.fixed_held = self.fixed @ holds
            self.fixed_whole = self.fixed.sum(axis=1)
            return
        values = levels.values
        of_cells = levels.of_cells[cells]
        order = np.argsort(of_cells, kind="stable")
        self.order, self.values = order, values
        self.ends = np.searchsorted(of_cells[order], np.arange(len(values) + 1))
        at_levels = csr_array((weights[order], order, self.ends), shape=(len(values), len(cells)))
        everything = np.column_stack([holds, np.ones(len(cells))])
        self.tables = _upto_levels(np.ascontiguousarray((at_levels @ everything).T), values)

    def single(self, costs: Floats) -> tuple[Floats, float]:
        """Return the costs of leaves of one split, shape (2, n_splits), and of all cells as one leaf."""
        here = costs[self.cells]
        held, whole = here @ self.holds, float(here.sum())
        extra = np.stack([held, whole - held])
        if self.owner.problem.task == "classification":
            one, all_one = self.fixed_held, self.fixed_whole
            best = np.minimum(np.stack([one[0], all_one[0] - one[0]]), np.stack([one[1], all_one[1] - one[1]]) + extra)
            alone = min(all_one[0], all_one[1] + whole)
        else:
            tables, splits = self.tables, np.arange(len(held))
            everywhere = np.full_like(splits, len(held))
            inside, outside = [(1.0, tables, splits)], [(1.0, tables, everywhere), (-1.0, tables, splits)]
            best = np.stack([_least_of(side, self.values, c) for side, c in zip((inside, outside), extra, strict=True)])
            alone = float(_least_of([(1.0, tables, np.array([len(held)]))], self.values, np.array([whole]))[0])
        if self.least > 1:
            best[np.stack([self.n_held, self.n - self.n_held]) < self.least] = np.inf
        return best, float(alone)


class PairTable:
    """Sums over all pairs of splits among some cells."""

    def __init__(self, owner: LeafCosts, cells: NDArray[np.int64]):
        self.singles = SideSums(owner, cells, owner.pair_levels)
        self.owner, self.cells, self.holds = owner, cells, self.singles.holds
        self.least = owner.problem.min_leaf_size
        if self.least > 1:
            counts = self.singles.counts
            self.too_small = _quadrants(self._products(counts), self.singles.n_held, self.singles.n) < self.least
        if owner.problem.task == "classification":
            sums = self.singles
            parts = zip(sums.fixed, sums.fixed_held, sums.fixed_whole, strict=True)
            self.fixed = [_quadrants(self._products(part), held, whole) for part, held, whole in parts]
        else:
            self._make_levels()

    def _products(self, weights: Floats) -> Floats:
        return self.holds.T @ (weights[:, None] * self.holds)

    def _make_levels(self) -> None:
        sums, n_splits = self.singles, self.holds.shape[1]
        self.first, self.second = np.triu_indices(n_splits)
        at_levels = np.zeros((len(sums.values), len(self.first)))
        held, weights = self.holds[sums.order], sums.weights[sums.order]
        for level, (start, end) in enumerate(zip(sums.ends[:-1], sums.ends[1:], strict=True)):
            if end > start:
                part = held[start:end]
                at_levels[level] = (part.T @ (weights[start:end, None] * part))[self.first, self.second]
        self.tables = _upto_levels(np.ascontiguousarray(at_levels.T), sums.values)

    def costs(self, costs: Floats) -> PairCosts:
        """Return what leaves cost. Shapes: `costs` (n_cells,)."""
        here = costs[self.cells]
        single, _ = self.singles.single(costs)
        extra = _quadrants(self._products(here), here @ self.holds, float(here.sum()))
        if self.owner.problem.task == "classification":
            pairs = np.minimum(self.fixed[0], self.fixed[1] + extra)
        else:
            pairs = self._number_pairs(extra)
        if self.least > 1:
            pairs[self.too_small] = np.inf
        return PairCosts(single, pairs, self.owner.problem.split_price)

    def _number_pairs(self, extra: Floats) -> Floats:
        first, second, sums = self.first, self.second, self.singles
        pairs = np.empty_like(extra)
        for x, y in HELD_OR_MISSED:
            terms = [(1.0 if x == y else -1.0, self.tables, np.arange(len(first)))]
            alone = sums.tables
            if (x, y) != (0, 0):
                terms += [(1.0 if (x, y) == (0, 1) else -1.0, alone, first)] if x == 0 or y == 1 else []
                terms += [(1.0 if (x, y) == (1, 0) else -1.0, alone, second)] if y == 0 or x == 1 else []
            if (x, y) == (1, 1):
                terms.append((1.0, alone, np.full(len(first), len(sums.tables[0]) - 1)))
            found = _least_of(terms, sums.values, extra[x, y, first, second])
            pairs[x, y, first, second] = found
            pairs[y, x, second, first] = found
        return pairs


def _upto_levels(at_levels: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return what weighs up to each level, and its sum of targets, for sets with weights at levels.

    Shapes: `at_levels` and both that are returned (n_sets, n_levels), `values` (n_levels,).
    """
    sums = at_levels * values
    return at_levels.cumsum(axis=1, out=at_levels), sums.cumsum(axis=1, out=sums)


def _least_of(terms: list, values: Floats, extra: Floats) -> Floats:
    """Return the least cost of sets that are sums of others: a factor, tables, and their sets each."""

    def upto(level: NDArray[np.int64]) -> Floats:
        return sum(factor * weights[sets, level] for factor, (weights, _), sets in terms)

    def loss(level: NDArray[np.int64]) -> Floats:
        v = values[level]
        return sum(
            factor
            * (v * (2 * weights[sets, level] - weights[sets, -1]) - (2 * targets[sets, level] - targets[sets, -1]))
            for factor, (weights, targets), sets in terms
        )

    last = len(values) - 1
    low, high = np.zeros(len(extra), dtype=np.int64), np.full(len(extra), last)
    total = upto(high)
    for _ in range(int(last).bit_length()):
        middle = (low + high) // 2
        short = 2 * upto(middle) - total + extra < -1e-15
        low, high = np.where(short, np.minimum(middle + 1, high), low), np.where(short, high, middle)
    return loss(low) + values[low] * extra


def _quadrants(pairs: Floats, held: Floats, whole: float) -> Floats:
    """Return sums where both splits hold, one or the other, or none, shape (2, 2, n_splits, n_splits)."""
    first, second = held[:, None], held[None, :]
    return np.stack([np.stack([pairs, first - pairs]), np.stack([second - pairs, whole - first - second + pairs])])
