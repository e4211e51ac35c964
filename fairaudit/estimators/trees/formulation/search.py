"""Look for a tree with SCIP: what is known before, the solve with its events, and the tree that it found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import SolverError
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.trees.formulation.model import ScipTree, TreeKinds
from fairaudit.estimators.trees.formulation.nodes import DecodedTree, LinearCoefficients
from fairaudit.estimators.trees.problem import NO_SPLIT, FoundTree, Method, Status, TreeProblem, TreeShape, leaves_below
from fairaudit.events import STOP, Command, Incumbent, Progress, Searching
from fairaudit.solver import Solved, SolveLimits, iter_solve, new_model
from fairaudit.work import Budget


@dataclass(frozen=True, eq=False)
class FeasibleTree:
    """A tree that meets all constraints on every row."""

    # Over the columns of `holds`.
    shape: TreeShape
    objective: float
    subsets: tuple[tuple[int, ...], ...]
    linear: tuple[LinearCoefficients, ...]
    leaves: NDArray[np.float64] | None
    # (n_cells, n_columns) The columns of the rows, with those of the splits that were added.
    holds: NDArray[np.bool_]


def candidate_of(problem: TreeProblem, tree: DecodedTree) -> FeasibleTree | None:
    """Return a tree with its objective, checked on every row; None where it is not allowed."""
    rows, leaves = problem.rows, None
    points = np.zeros((rows.n_cells, 0)) if rows.points is None else rows.points
    added = [rows.holds[:, list(subset)].any(axis=1) for subset in tree.subsets]
    added += [split.holds(points) for split in tree.linear]
    holds = np.column_stack([rows.holds, *added]) if added else rows.holds
    shape, leaf_of = without_idle_splits(tree.shape, holds)
    columns = problem.columns
    if columns:
        # A weighted sum is a feature of its own.
        columns += tuple(columns[subset[0]] if subset else -1 for subset in tree.subsets)
        columns += tuple(-2 - place for place in range(len(tree.linear)))
    whole = replace(problem, rows=replace(rows, holds=holds), columns=columns)
    if tree.leaves is None:
        shape = shape.tidy()
        allowed, objective = whole.allows(shape), whole.objective(shape)
    else:
        leaves = tree.leaves[leaf_of]
        of_cell = leaves[shape.leaves(holds)]
        h = of_cell[:, 0] + (of_cell[:, 1:] * points).sum(axis=1)
        limits_aside = replace(whole, limit=None, max_measure=None)
        allowed = whole.allows_predictions(h) and limits_aside.allows(shape)
        objective = whole.objective_of(h, shape.n_splits)
    return FeasibleTree(shape, objective, tree.subsets, tree.linear, leaves, holds) if allowed else None


def without_idle_splits(shape: TreeShape, holds: NDArray[np.bool_]) -> tuple[TreeShape, NDArray[np.int64]]:
    """Return the same tree for these rows without splits that send all that come to them one way.

    Shapes: `holds` (n_cells, n_columns); returns `leaf_of` (n_leaves,).

    Examples
    --------
    >>> tree = TreeShape((0, 1, -1), (0.0, 1.0, 0.0, 0.0))
    >>> shape, leaf_of = without_idle_splits(tree, np.array([[1, 0], [1, 1]], dtype=bool))
    >>> shape.splits, leaf_of.tolist()
    ((1, -1, -1), [0, 0, 1, 1])
    """
    n_leaves = len(shape.values)
    splits, leaf_of = [NO_SPLIT] * n_leaves, np.zeros(n_leaves, dtype=np.int64)

    def place(old: int, new: int, come: NDArray[np.bool_]) -> None:
        split = shape.splits[old - 1] if old < n_leaves else NO_SPLIT
        if split == NO_SPLIT:
            first, n_below = leaves_below(new, shape.depth)
            leaf_of[first : first + n_below] = leaves_below(old, shape.depth)[0]
            return
        left = come & holds[:, split]
        right = come & ~left
        if left.any() and right.any():
            splits[new] = split
            place(2 * old, 2 * new, left)
            place(2 * old + 1, 2 * new + 1, right)
        else:
            place(2 * old + (not left.any()), new, come)

    place(1, 1, np.ones(len(holds), dtype=bool))
    return TreeShape(tuple(splits[1:]), tuple(shape.values[leaf] for leaf in leaf_of)), leaf_of


PROVEN_GAP: Final = 1e-7
"""Bound and objective are the same where they are as near as this, as a share: SCIP is no more exact."""

MEASURE_ROUNDING: Final = 1e-14
"""In double precision a measure of 0 may come out as large as this, which matters at a price of 1e9."""

SEARCHING: Final = "Searching for the best tree"


@dataclass(frozen=True, eq=False)
class ScipFound:
    """The end of a search with SCIP."""

    # The end. Splits of ``found.shape`` that are at least ``rows.n_splits`` are, in this order, those of `subsets` and
    # those of `linear`.
    found: FoundTree
    # For each split on a set of levels, the columns of ``rows.holds``; a row goes left where one of them holds.
    subsets: tuple[tuple[int, ...], ...]
    # Splits on weighted sums of ``rows.points``; a row goes left where the sum is at most the threshold.
    linear: tuple[LinearCoefficients, ...]
    # (n_leaves, 1 + n_points) With linear leaves, for each leaf its constant, then the weights of the columns of
    # ``rows.points``; the values of the shape are the constants.
    leaves: NDArray[np.float64] | None
    # (n_cells, n_splits + n_subsets + n_linear) ``rows.holds`` with the columns of the splits that were added.
    holds: NDArray[np.bool_]


def iter_scip(
    problem: TreeProblem,
    *,
    budget: Budget,
    start: Sequence[TreeShape] = (),
    bound: float = 0.0,
    levels: Sequence[Sequence[int]] = (),
    linear_splits: bool = False,
    linear_leaves: bool = False,
    published: bool = False,
    seed: int = 0,
) -> Searching[ScipFound]:
    """Look for a tree with SCIP."""
    parts = tuple(tuple(int(place) for place in part) for part in levels)
    kinds = TreeKinds(parts, linear_splits, linear_leaves, published)
    search = _TreeSearch(problem, kinds, budget, bound)
    command = yield search.progress()
    search.take([DecodedTree(shape) for shape in (*start, *_stumps(problem)) if shape.depth == problem.max_depth])
    if command is not STOP:
        command = yield search.incumbent(best=search.best is not None)
    search.stopped = command is STOP
    while not (search.stopped or search.is_proven) and not budget.is_over:
        with new_model("tree", budget) as model:
            tree = ScipTree(model, problem, kinds)
            if not (yield from _iter_build(search, tree)):
                break
            for values in search.forbidden:
                tree.forbid(values)
            if search.best is not None:
                tree.add_start(search.best.shape, search.best.subsets)
            tree.round_relaxations(search.objective)
            try:
                solved = yield from _iter_solve(search, tree, seed)
            except SolverError:
                if search.best is None:
                    raise
                search.status = "gap"
                break
            if not search.learn(tree, solved):
                break
    if not search.stopped:
        yield search.incumbent(best=False)
    return search.result()


def _iter_build(search: _TreeSearch, tree: ScipTree) -> Searching[bool]:
    """Build a model; False where it was stopped, or the work is done."""
    for _ in tree.iter_build():
        if search.budget.is_over:
            return False
        search.stopped = (yield search.progress()) is STOP
        if search.stopped:
            return False
    return True


def _iter_solve(search: _TreeSearch, tree: ScipTree, seed: int) -> Searching[Solved]:
    """Solve a model; figures are those of the whole search, which ends where what is known before is met."""
    limits = SolveLimits(seed=seed)
    command: Command | None = None
    objective = math.inf
    with closing(iter_solve(tree.model, limits, variables=tree.choices, what=SEARCHING)) as events:
        while True:
            try:
                event = events.send(command)
            except StopIteration as end:
                return end.value
            if isinstance(event, Progress):
                command = yield search.progress()
            else:
                objective = tree.bound_of(event.figures["objective"])
                search.raise_bound(tree.bound_of(event.figures["bound"]))
                command = yield search.incumbent(objective, best=event.best)
            search.stopped = search.stopped or command is STOP
            if isinstance(event, Incumbent) and objective <= search.bound + search.tolerance:
                # What was proven before is met.
                command = STOP


def _stumps(problem: TreeProblem) -> list[TreeShape]:
    """Return trees that do not split: nearly always one of them is allowed."""
    rows = problem.rows
    if problem.task == "classification":
        values = [0.0, 1.0]
    else:
        order = np.argsort(rows.targets, kind="stable")
        middle = int(np.searchsorted(np.cumsum(rows.weights[order]), rows.n_rows / 2))
        values = [float(rows.targets[order[min(middle, rows.n_cells - 1)]])]
    return [TreeShape.stump(problem.max_depth, value) for value in values]


@dataclass(eq=False)
class _TreeSearch:
    """What is known so far."""

    problem: TreeProblem
    kinds: TreeKinds
    budget: Budget
    bound: float
    best: FeasibleTree | None = None
    stopped: bool = False
    status: Status = "work_limit"
    forbidden: list[NDArray[np.float64]] = field(default_factory=list)

    @property
    def objective(self) -> float:
        return math.inf if self.best is None else self.best.objective

    @property
    def is_proven(self) -> bool:
        return self.objective <= self.bound + self.tolerance

    @property
    def tolerance(self) -> float:
        """How near to each other bound and objective are the same."""
        return PROVEN_GAP * max(1.0, abs(self.bound)) + MEASURE_ROUNDING * self.problem.price

    def take(self, trees: Sequence[DecodedTree]) -> bool:
        """Keep the best of some trees; False where none is allowed."""
        any_allowed = False
        for tree in trees:
            candidate = candidate_of(self.problem, tree)
            if candidate is not None:
                any_allowed = True
                if candidate.objective < self.objective - 1e-12:
                    self.best = candidate
        return any_allowed

    def raise_bound(self, bound: float) -> None:
        if math.isfinite(bound):
            self.bound = max(self.bound, bound)

    def learn(self, tree: ScipTree, solved: Solved) -> bool:
        """Take what a solve found; True where it has to be repeated without trees that only SCIP takes for allowed."""
        ended = solved.status in ("optimal", "infeasible")
        if solved.status == "infeasible":
            self.bound = max(self.bound, self.objective)
        else:
            self.raise_bound(tree.bound_of(solved.bound))
        refused = []
        for values in solved.solutions:
            if self.take([tree.form.decode(values)]):
                break
            refused.append(values)
        self.forbidden += refused
        self.status = "work_limit" if solved.status == "work_limit" else "gap"
        return ended and bool(refused) and not self.is_proven

    def progress(self) -> Progress:
        return Progress(SEARCHING, self.budget.steps(TOTAL), TOTAL)

    def incumbent(self, objective: float = math.nan, *, best: bool) -> Incumbent:
        objectives = [value for value in (objective, self.objective) if math.isfinite(value)]
        figures = {
            "objective": min(objectives, default=math.nan),
            "bound": min([self.bound, *objectives]),
            "share": self.budget.share,
        }
        return Incumbent("tree", figures, best=best)

    def result(self) -> ScipFound:
        """Return the end."""
        best = self.best
        method: Method = "published" if self.kinds.published else "scip"
        if best is None:
            status: Status = "infeasible" if self.bound == math.inf else ("stopped" if self.stopped else self.status)
            return ScipFound(
                FoundTree(None, math.inf, self.bound, status, method), (), (), None, self.problem.rows.holds
            )
        status = "optimal" if self.is_proven else "stopped" if self.stopped else self.status
        bound = min(self.bound, best.objective) if status != "optimal" else best.objective
        found = FoundTree(best.shape, best.objective, bound, status, method)
        return ScipFound(found, best.subsets, best.linear, best.leaves, best.holds)
