"""Optimal trees by the Lagrangian dual: for numbers, and for measures with more forms than a frontier can hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.improving import iter_improved, usable_splits
from fairaudit.estimators.trees.leaf_costs import LeafCosts, PairCosts, PairTable, SideSums
from fairaudit.estimators.trees.leaf_values import (
    LeafSolution,
    allows_splits,
    best_numbers,
    best_values,
    with_leaf_values,
    within_limits,
)
from fairaudit.estimators.trees.problem import NO_SPLIT, FoundTree, Status, TreeProblem, TreeShape
from fairaudit.estimators.trees.relaxation import Multipliers, SearchState, Terms, ascent_of, dual_point
from fairaudit.events import Searching
from fairaudit.work import Budget

Floats = NDArray[np.float64]

SAME_OBJECTIVE: Final = 1e-9
"""Objectives that differ by less are alike."""


class DualState(SearchState):
    """The best tree, and a bound for the trees with each root split."""

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        super().__init__(problem, budget)
        if problem.task == "regression":
            self.step = 0.0
        self.leaf_costs = LeafCosts(problem, usable_splits(problem))
        self.columns = self.leaf_costs.columns
        self.cells = np.arange(problem.rows.n_cells)
        # Of the trees with each root split; the tree that does not split is valued at the start.
        self.root_bounds = np.full(len(self.columns), -math.inf)
        self.points: list[Multipliers | None] = [None] * len(self.columns)
        self.seen: set[tuple[int, ...]] = set()

    @property
    def target(self) -> float:
        """What a tree has to be below, to be better than the best."""
        return self.objective - max(self.step * (1 - 1e-6), SAME_OBJECTIVE)

    def cell_costs(self, point: Multipliers) -> Floats:
        """Return what a prediction of 1 costs in each cell at a point of the dual."""
        self.budget.spend(calls=2, elements=self.terms.forms.nnz)
        return self.terms.forms.T @ point.of_forms

    def forms_of(self, shape: TreeShape) -> Floats:
        """Return F h of a tree."""
        self.budget.spend(calls=6, elements=self.terms.forms.nnz + 8 * self.problem.rows.n_cells)
        return self.terms.forms @ shape.predict(self.problem.rows.holds)

    def consider(self, shape: TreeShape) -> None:
        """Find the best values of a tree's leaves, once for the same splits, and keep it if it is the best."""
        shape = shape.tidy() if self.problem.split_price else shape
        if shape.splits not in self.seen:
            self.seen.add(shape.splits)
            found = best_values(self.problem, shape, self.budget, cutoff=self.target)
            if found is not None:
                self.offer(found.tidy())

    def raise_bounds(self, bounds: Floats, point: Multipliers) -> None:
        """Take bounds of all root splits in, with the point that showed them."""
        higher = bounds > self.root_bounds
        self.root_bounds[higher] = bounds[higher]
        for place in np.flatnonzero(higher).tolist():
            self.points[place] = point
        self.settle()

    def settle(self) -> None:
        """Bring the bound up to the lowest of the root splits, or to the best objective."""
        self.bound = max(self.bound, min(self.objective, float(self.root_bounds.min(initial=math.inf))))

    @property
    def is_closed(self) -> bool:
        """Whether no root split can have a better tree."""
        return bool((self.root_bounds >= self.target).all())

    def found(self) -> FoundTree:
        """Return the result."""
        if self.is_closed:
            self.bound = self.objective
        if self.shape is not None:
            return super().found()
        status: Status = "infeasible" if self.is_closed else "stopped" if self.stopped else "work_limit"
        return replace(super().found(), status=status)


# The best tree for linear costs of cells, of any depth, with a bound for each root split.

PAIR_DEPTH: Final = 2
"""Trees of this depth come from sums over pairs of splits."""


class WorkSpentError(Exception):
    """The work is done before the best tree is known."""


@dataclass(frozen=True, eq=False)
class BestTree:
    """The best tree for linear costs."""

    # The tree, of the depth asked for.
    shape: TreeShape
    # Its loss, linear costs and splits.
    cost: float
    # (n_splits,) What the best tree with each root split costs.
    roots: Floats


class LinearTrees:
    """Finds best trees for linear costs."""

    def __init__(self, state: DualState):
        self.state = state
        self.table: PairTable | None = None

    def iter_best(self, costs: Floats, depth: int) -> Searching[BestTree]:
        """Find the best tree over all cells.

        Shapes: `costs` (n_cells,).

        Notes
        -----
        One product of matrices up to depth 2; below, one for each conjunction of the splits above.
        """
        subtrees = []
        for place in range(len(self.state.columns)) if depth > PAIR_DEPTH else []:
            subtrees.append(self._below(self.state.cells, place, costs, depth))
            yield from self.state.iter_show("Looking for the bound")
        return self._best(self.state.cells, costs, depth, is_root=True, subtrees=subtrees)

    def _best(
        self,
        cells: NDArray[np.int64],
        costs: Floats,
        depth: int,
        *,
        is_root: bool = False,
        subtrees: Sequence[tuple[BestTree, BestTree]] = (),
    ) -> BestTree:
        state, price = self.state, self.state.problem.split_price
        if depth > 1 and state.is_over:
            raise WorkSpentError
        alone, value = state.leaf_costs.best_leaf(cells, costs)
        state.budget.spend(calls=10, elements=6 * len(cells))
        least = state.problem.min_leaf_size if state.problem.min_leaf_size > 1 and not is_root else 0
        if state.problem.rows.weights[cells].sum() < least:
            alone = np.inf
        lone = TreeShape.stump(depth, value)
        if not len(state.columns):
            return BestTree(lone, alone, np.zeros(0))
        if depth == 1:
            state.budget.spend(calls=10, elements=3 * len(cells) * len(state.columns))
            roots = state.leaf_costs.sides(cells, costs).sum(axis=0) + price
        elif depth == PAIR_DEPTH:
            pairs = self._pairs(cells, costs, is_root=is_root)
            roots = pairs.roots
        else:
            subtrees = subtrees or [self._below(cells, place, costs, depth) for place in range(len(state.columns))]
            roots = np.array([left.cost + right.cost for left, right in subtrees]) + price
        best = int(roots.argmin())
        if alone <= roots[best] + 1e-12:
            return BestTree(lone, alone, roots)
        if depth == 1:
            children = [self._leaf(part, costs) for part in self._parts(cells, best)]
        elif depth == PAIR_DEPTH:
            children = [self._best(part, costs, 1).shape for part in self._parts(cells, best)]
        else:
            children = [below.shape for below in subtrees[best]]
        return BestTree(joined(int(state.columns[best]), *children), float(roots[best]), roots)

    def _pairs(self, cells: NDArray[np.int64], costs: Floats, *, is_root: bool) -> PairCosts:
        budget, leaf_costs = self.state.budget, self.state.leaf_costs
        budget.spend(calls=30, **leaf_costs.work_of_costs(len(cells)))
        if is_root and self.table is not None:
            return self.table.costs(costs)
        budget.spend(calls=30, **leaf_costs.work_of_table(len(cells)))
        table = PairTable(leaf_costs, cells)
        self.table = table if is_root else self.table
        return table.costs(costs)

    def _parts(self, cells: NDArray[np.int64], place: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        holds = self.state.problem.rows.holds[cells, self.state.columns[place]]
        return cells[holds], cells[~holds]

    def _below(self, cells: NDArray[np.int64], place: int, costs: Floats, depth: int) -> tuple[BestTree, BestTree]:
        left, right = (self._best(part, costs, depth - 1) for part in self._parts(cells, place))
        return left, right

    def _leaf(self, cells: NDArray[np.int64], costs: Floats) -> TreeShape:
        return TreeShape((), (self.state.leaf_costs.best_leaf(cells, costs)[1],))


def joined(split: int, left: TreeShape, right: TreeShape) -> TreeShape:
    """Return the tree with a root split and two trees of the same depth below it.

    Examples
    --------
    >>> joined(7, TreeShape((1,), (0.0, 1.0)), TreeShape((2,), (2.0, 3.0))).splits
    (7, 1, 2)
    """
    splits = [split]
    for level in range(left.depth):
        part = slice(2**level - 1, 2 ** (level + 1) - 1)
        splits += [*left.splits[part], *right.splits[part]]
    return TreeShape(tuple(splits), left.values + right.values)


def perfect_bound(state: DualState) -> float:
    """Return what no tree of any depth is below: each set of cells that splits do not divide has its own leaf."""
    point = dual_point(state.terms, np.zeros(state.terms.n_forms))
    costs = state.cell_costs(point)
    _, alike = np.unique(np.packbits(state.problem.rows.holds, axis=1), axis=0, return_inverse=True)
    alike = alike.reshape(-1)
    if not costs.any():
        return least_loss(state.problem, alike) + point.constant
    order = np.argsort(alike, kind="stable")
    ends = np.flatnonzero(np.diff(alike[order])) + 1
    total = sum(state.leaf_costs.best_leaf(cells, costs)[0] for cells in np.split(order, ends))
    return total + point.constant - state.leaf_costs.error


def least_loss(problem: TreeProblem, alike: NDArray[np.int64]) -> float:
    """Return the loss where each set of cells is predicted its median. Shapes: `alike` (n_cells,)."""
    targets, counts = problem.rows.targets, problem.rows.weights
    order = np.lexsort((targets, alike))
    sets, upto = alike[order], np.cumsum(counts[order])
    # Rows up to the end of each set, 0 before the first: counted in whole numbers, so that no tie is missed.
    ends = np.concatenate([[0], upto[np.flatnonzero(np.diff(sets, append=-1))]])
    above = np.flatnonzero(2 * (upto - ends[sets]) >= np.diff(ends)[sets])
    _, first = np.unique(sets[above], return_index=True)
    medians = targets[order][above[first]]
    return problem.loss(medians[alike])


# With a price for each form of a measure or limit, what is best for a leaf depends on its own rows only, and best trees
# come from sums over conjunctions. The best prices give the bound. Up to depth 2 the distance to the best tree is
# closed by valuing every tree whose cost at such prices is below it; deeper trees keep a bound and a distance.

# Trees of depth 2 below one root split, closed: every pair of sides that can be better than the best tree is valued.
#
# With the root split fixed, a tree is a pair of sides, and its cost at a point of the dual is the sum of theirs. Pairs
# whose sum is not below the best objective are left out. Labels: forms of both sides are added up and valued at once.
# Numbers: the best pair's leaf program is solved, and the multipliers that come with it are a new point for all pairs.

MOST_ROOT_STEPS: Final = 40
"""Steps of the ascent for one root split."""
FEW_LABELED: Final = 10_000_000
"""With fewer forms of pairs in all, it takes less time to value them than to raise the bound."""
FEW_PROGRAMS: Final = 2
"""The same for leaf programs, which take longer than forms."""
NEAR_STEPS: Final = 8
"""Projections towards multipliers that suit a tree."""
FORMS_A_BLOCK: Final = 1_000_000
"""Numbers in the forms of the pairs that are valued at once."""


@dataclass(frozen=True, eq=False)
class RootSide:
    """The cells on one side of a root split."""

    state: DualState
    cells: NDArray[np.int64]

    @cached_property
    def sums(self) -> SideSums:
        """What does not depend on prices."""
        return SideSums(self.state.leaf_costs, self.cells, self.state.leaf_costs.levels)

    def costs(self, costs: Floats) -> Floats:
        """Return the cost of the side for each split below, and for none at last, shape (n_splits + 1,)."""
        problem = self.state.problem
        single, whole = self.sums.single(costs)
        self.state.budget.spend(calls=10, elements=self.sums.holds.size / 2 + 12 * single.size)
        if problem.min_leaf_size > 1 and self.sums.n < problem.min_leaf_size:
            whole = np.inf
        return np.append(single.sum(axis=0) + problem.split_price, whole)

    def values(self, place: int, costs: Floats) -> tuple[int, tuple[float, float]]:
        """Return the split of a place, and the best values of its leaves for linear costs."""
        leaf_costs = self.state.leaf_costs
        if place == len(self.state.columns):
            value = leaf_costs.best_leaf(self.cells, costs)[1]
            return NO_SPLIT, (value, value)
        split = int(self.state.columns[place])
        holds = self.state.problem.rows.holds[self.cells, split]
        held, missed = (leaf_costs.best_leaf(self.cells[inside], costs)[1] for inside in (holds, ~holds))
        return split, (held, missed)


@dataclass(frozen=True, eq=False)
class LabeledSides:
    """Labeled sides: a split, or none, with the labels of its leaves."""

    side: RootSide
    # (n,) The place of the split; behind the last one, none.
    places: NDArray[np.int64]
    # (n, 2) Where it holds, and where not.
    labels: Floats
    # (n,) Share of all rows that are wrong; infinite where a leaf is too small.
    losses: Floats
    # (n,) With what linear costs and splits add.
    costs: Floats

    @classmethod
    def of(cls, side: RootSide, costs: Floats) -> LabeledSides:
        """Return all options of a side, with linear costs of cells."""
        state, sums, here = side.state, side.sums, costs[side.cells]
        n_splits, price = sums.holds.shape[1], state.problem.split_price
        zero, one = (np.append(held, whole) for held, whole in zip(sums.fixed_held, sums.fixed_whole, strict=True))
        extra = np.append(here @ sums.holds, here.sum())
        sizes = np.append(sums.n_held, sums.n)
        least = state.problem.min_leaf_size if state.problem.min_leaf_size > 1 else 0
        small = (np.minimum(sizes, sums.n - sizes) < least)[:-1]
        every = np.arange(n_splits)
        places = np.concatenate([every, every, [n_splits, n_splits]])
        labels = np.repeat([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]], [n_splits, n_splits, 1, 1], axis=0)
        split = one[:-1] + zero[-1] - zero[:-1], zero[:-1] + one[-1] - one[:-1]
        losses = np.concatenate([*split, zero[-1:], one[-1:]])
        losses[np.concatenate([small, small, [sums.n < least] * 2])] = np.inf
        linear = np.concatenate([extra[:-1], extra[-1] - extra[:-1], [0.0], extra[-1:]])
        return cls(side, places, labels, losses, losses + linear + price * (places < n_splits))

    def below(self, most: float) -> LabeledSides:
        """Return the options that cost less."""
        kept = self.costs < most
        return LabeledSides(self.side, self.places[kept], self.labels[kept], self.losses[kept], self.costs[kept])

    @cached_property
    def forms(self) -> Floats:
        """F h of each, shape (n, n_forms)."""
        state, sums = self.side.state, self.side.sums
        used, of_options = np.unique(self.places, return_inverse=True)
        inside = np.column_stack([sums.holds, np.ones(len(sums.cells))])[:, used]
        forms = state.terms.forms[:, sums.cells]
        held = (forms @ inside).T[of_options.reshape(-1)]
        whole = np.asarray(forms.sum(axis=1)).reshape(-1)
        return (
            self.labels[:, :1] * held
            + self.labels[:, 1:] * (whole - held) * (self.places < sums.holds.shape[1])[:, None]
        )

    def split(self, option: int) -> int:
        """Return the split of an option."""
        columns, place = self.side.state.columns, int(self.places[option])
        return int(columns[place]) if place < len(columns) else NO_SPLIT


def close_stump(state: DualState, root: int) -> None:
    """Close a root split below which there are leaves only."""
    shape = TreeShape((int(state.columns[root]),), (0.0, 0.0))
    if state.problem.task == "classification" or not allows_splits(state.problem, shape):
        state.consider(shape)
        state.root_bounds[root] = np.inf
    else:
        state.root_bounds[root] = max(state.root_bounds[root], _bound_of_valued(state, shape)[0])


def _bound_of_valued(state: DualState, shape: TreeShape) -> tuple[float, LeafSolution]:
    """Find the best numbers in the leaves of a tree; return a bound of better ones, infinite where there are none."""
    solution = best_numbers(state.problem, shape, state.budget, cutoff=state.target)
    if solution.values is not None:
        state.offer(within_limits(state.problem, with_leaf_values(shape, solution.values)).tidy())
    return np.inf if solution.is_exact else solution.bound, solution


def iter_close_root(state: DualState, root: int) -> Searching[None]:
    """Raise the bound of a root split until it is closed, or the work is done."""
    holds = state.problem.rows.holds[:, state.columns[root]]
    least = state.problem.min_leaf_size if state.problem.min_leaf_size > 1 else 0
    sides = tuple(RootSide(state, np.flatnonzero(inside)) for inside in (holds, ~holds))
    if any(state.problem.rows.weights[side.cells].sum() < least for side in sides):
        state.root_bounds[root] = np.inf
        return
    point = yield from _iter_ascend_pairs(state, root, sides)
    if state.root_bounds[root] < state.target and not state.is_over:
        close = _iter_close_labels if state.problem.task == "classification" else _iter_close_numbers
        yield from close(state, root, sides, point)


def _iter_ascend_pairs(state: DualState, root: int, sides: tuple[RootSide, ...]) -> Searching[Multipliers]:
    ascent = ascent_of(state.terms, state.budget, state.points[root])
    problem, column = state.problem, int(state.columns[root])
    few = FEW_LABELED // max(state.terms.n_forms, 1) if problem.task == "classification" else FEW_PROGRAMS
    steps = MOST_ROOT_STEPS if state.terms.n_forms else 1
    for _ in range(steps):
        point = ascent.point
        costs = state.cell_costs(point)
        of_sides = [side.costs(costs) for side in sides]
        value = sum(part.min() for part in of_sides) + problem.split_price + point.constant - state.leaf_costs.error
        state.root_bounds[root] = max(state.root_bounds[root], value)
        left = state.target - point.constant - problem.split_price + state.leaf_costs.error
        if value >= state.target or ascent.has_stalled or state.is_over or _n_below(of_sides, left) <= few:
            ascent.best_point = point if value >= ascent.best else ascent.best_point
            break
        chosen = [side.values(int(part.argmin()), costs) for side, part in zip(sides, of_sides, strict=True)]
        shape = TreeShape((column, chosen[0][0], chosen[1][0]), chosen[0][1] + chosen[1][1])
        ascent.step(value, state.forms_of(shape), state.objective)
        yield from state.iter_show("Comparing trees")
    return ascent.best_point


def _n_below(of_sides: list[Floats], most: float) -> int:
    """Return how many pairs of sides cost less together."""
    first, second = np.sort(of_sides[0]), np.sort(of_sides[1])
    return int(np.searchsorted(second, most - first).sum())


def _iter_close_labels(state: DualState, root: int, sides: tuple[RootSide, ...], point: Multipliers) -> Searching[None]:
    problem, terms = state.problem, state.terms
    constant = point.constant + problem.split_price
    left, right = (LabeledSides.of(side, state.cell_costs(point)) for side in sides)
    most = state.target - constant
    left, right = left.below(most - right.costs.min()), right.below(most - left.costs.min())
    state.budget.spend(calls=40, elements=3 * len(left.costs) * len(right.costs))
    sums = left.costs[:, None] + right.costs + constant
    first, second = np.nonzero(sums < state.target)
    bounds = sums[first, second]
    order = np.argsort(bounds, kind="stable")
    first, second, bounds = first[order], second[order], bounds[order]
    n_block = max(FORMS_A_BLOCK // max(terms.n_forms, 1), 1)
    for start in range(0, len(first), n_block):
        state.root_bounds[root] = max(state.root_bounds[root], bounds[start])
        if bounds[start] >= state.target:
            break
        if state.is_over:
            return
        i, j = first[start : start + n_block], second[start : start + n_block]
        state.budget.spend(calls=20, elements=8 * len(i) * max(terms.n_forms, 1))
        objectives = terms.objectives(left.losses[i] + right.losses[j], left.forms[i] + right.forms[j])
        n_columns = len(state.columns)
        objectives += problem.split_price * (1 + (left.places[i] < n_columns) + (right.places[j] < n_columns))
        for place in np.argsort(objectives, kind="stable"):
            if objectives[place] >= state.target:
                break
            splits = (int(state.columns[root]), left.split(i[place]), right.split(j[place]))
            labels = (*left.labels[i[place]], *right.labels[j[place]])
            shape = TreeShape(splits, tuple(float(label) for label in labels))
            if problem.allows(shape):
                state.offer(shape.tidy())
                break
        yield from state.iter_show("Comparing trees")
    state.root_bounds[root] = np.inf


def _iter_close_numbers(
    state: DualState, root: int, sides: tuple[RootSide, ...], point: Multipliers
) -> Searching[None]:
    problem, terms = state.problem, state.terms
    splits = np.append(state.columns, NO_SPLIT)
    bounds, best_point = np.full((len(splits), len(splits)), -np.inf), point
    limits_features = problem.max_uses_per_feature is not None or problem.max_features is not None
    # The least bound of the trees whose programs ended before their values were known to be the best.
    inexact = np.inf
    while True:
        costs = [side.costs(state.cell_costs(point)) for side in sides]
        constant = point.constant + problem.split_price - state.leaf_costs.error
        np.maximum(bounds, costs[0][:, None] + costs[1] + constant, out=bounds)
        state.budget.spend(calls=10, elements=3 * bounds.size)
        while True:
            place = np.unravel_index(int(bounds.argmin()), bounds.shape)
            state.root_bounds[root] = max(state.root_bounds[root], min(bounds[place], inexact, state.target))
            if bounds[place] >= state.target:
                if inexact >= state.target:
                    state.root_bounds[root] = np.inf
                return
            shape = TreeShape((int(state.columns[root]), int(splits[place[0]]), int(splits[place[1]])), (0.0,) * 4)
            if not limits_features or allows_splits(problem, shape):
                break
            bounds[place] = np.inf
        if state.is_over:
            return
        bound, solution = _bound_of_valued(state, shape)
        bounds[place], inexact = np.inf, min(inexact, bound)
        if solution.pulls or solution.pressures is not None:
            pressures = np.zeros(0) if solution.pressures is None else solution.pressures
            shown = np.concatenate([*solution.pulls, pressures])
            point = _near_point(terms, best_point, shown, terms.of_leaves(shape)[1])
        yield from state.iter_show("Comparing trees")


def _near_point(terms: Terms, best: Multipliers, shown: Floats, of_leaves: Floats) -> Multipliers:
    """Return multipliers near the best point that bound one tree as those that its leaf program showed.

    Only ``multipliers F`` summed over each leaf counts for the tree, so that many multipliers do; those of the program
    are at corners, and bound other trees badly.
    """
    wanted, x = shown @ of_leaves, best.of_forms
    for _ in range(NEAR_STEPS):
        missing = wanted - x @ of_leaves
        x = dual_point(terms, x + of_leaves @ np.linalg.lstsq(of_leaves.T @ of_leaves, missing, rcond=None)[0]).of_forms
    return dual_point(terms, x)


Events = Searching[FoundTree]

CLOSED_DEPTH: Final = 2
"""Up to this depth all trees below a root split can be compared."""
SHARE_OF_IMPROVING: Final = 0.15
"""The share of the work for making a first tree better, at most."""
MOST_IMPROVING_S: Final = 30.0
"""The same in seconds of work."""
MOST_JOINT_STEPS: Final = 150
"""Steps of the ascent for all root splits together; each root split has its own afterwards."""
MOST_JOINT_STEPS_DEEP: Final = 400
"""The same where root splits are not closed one by one."""


def iter_dual(problem: TreeProblem, *, budget: Budget, start: Sequence[TreeShape] = (), seed: int = 0) -> Events:
    """Look for the best tree.

    Notes
    -----
    A bound for all root splits takes one product of matrices up to depth 2, O(n S^2), and at depth K as many as there
    are conjunctions of K - 2 literals.
    """
    state = DualState(problem, budget)
    state.bound = perfect_bound(state)
    middle = float(np.median(problem.rows.targets))
    for shape in (TreeShape.stump(problem.max_depth, middle), *start):
        state.offer(shape)
        state.consider(shape)
    yield from state.iter_show("Looking for a tree")
    if len(state.columns):
        yield from _iter_improve(state, seed, min(SHARE_OF_IMPROVING * budget.limit, MOST_IMPROVING_S))
        point = yield from _iter_ascend(state, LinearTrees(state))
        if state.terms.n_forms and not state.is_closed and not state.is_over:
            yield from _iter_improve(
                state, seed + 1, min(SHARE_OF_IMPROVING * budget.limit, MOST_IMPROVING_S), (point,)
            )
    if problem.max_depth <= CLOSED_DEPTH:
        yield from _iter_close(state)
    elif not state.is_closed:
        yield from _iter_improve(state, seed + 2, budget.left)
    state.settle()
    return state.found()


def _iter_improve(state: DualState, seed: int, work: float, points: Sequence[Multipliers] = ()) -> Searching[None]:
    begin = state.shape or TreeShape.stump(state.problem.max_depth, 0.0)
    for shape in iter_improved(state.problem, begin, state.budget.part(work), seed=seed, points=points):
        state.offer(shape)
        yield from state.iter_show("Making a tree better")
        if state.is_over:
            return


def _iter_ascend(state: DualState, trees: LinearTrees) -> Searching[Multipliers]:
    """Raise the bounds of all root splits together, and return the best point."""
    problem, ascent = state.problem, ascent_of(state.terms, state.budget)
    most = MOST_JOINT_STEPS if problem.max_depth <= CLOSED_DEPTH else MOST_JOINT_STEPS_DEEP
    for _ in range(most if state.terms.n_forms else 1):
        point = ascent.point
        try:
            best = yield from trees.iter_best(state.cell_costs(point), problem.max_depth)
        except WorkSpentError:
            break
        constant = point.constant - state.leaf_costs.pair_error
        state.raise_bounds(best.roots + constant, point)
        state.consider(best.shape)
        ascent.step(best.cost + constant, state.forms_of(best.shape), state.objective)
        yield from state.iter_show("Looking for the bound")
        if state.is_over or state.is_closed or ascent.has_stalled:
            break
    return ascent.best_point


def _iter_close(state: DualState) -> Searching[None]:
    """Close root splits, the one with the lowest bound first."""
    waiting = set(range(len(state.columns)))
    while waiting and not state.is_closed and not state.is_over:
        # Each comes once: one that stays open had trees whose leaves could not be valued exactly.
        root = min(waiting, key=lambda place: (state.root_bounds[place], place))
        waiting.remove(root)
        if state.problem.max_depth == 1:
            close_stump(state, root)
        else:
            yield from iter_close_root(state, root)
        state.settle()
        yield from state.iter_show("Comparing trees")
