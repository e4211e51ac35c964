"""Optimal trees by the Lagrangian dual: for numbers, and for measures with more forms than a frontier can hold.

With a price for each form of a measure or limit, what is best for a leaf depends on its own rows only, and best trees
come from sums over conjunctions. The best prices give the bound. Up to depth 2 the distance to the best tree is closed
by valuing every tree whose cost at such prices is below it; deeper trees keep a bound and a distance.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

import numpy as np

from fairaudit.estimators.trees.dual.closing import close_stump, iter_close_root
from fairaudit.estimators.trees.dual.multipliers import ascent_of
from fairaudit.estimators.trees.dual.state import DualState
from fairaudit.estimators.trees.dual.terms import Multipliers
from fairaudit.estimators.trees.dual.trees import LinearTrees, OverError, perfect_bound
from fairaudit.estimators.trees.frontier.state import Event
from fairaudit.estimators.trees.improving import iter_improved
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.search_outcome import Found
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.events import Command
from fairaudit.work import Budget

Events = Generator[Event, Command | None, Found]

CLOSED_DEPTH: Final = 2
"""Up to this depth all trees below a root split can be compared."""
SHARE_FIRST: Final = 0.15
"""The share of the work for making a first tree better, at most."""
MOST_FIRST: Final = 30.0
"""And so many seconds of work."""
MOST_ROUNDS: Final = 150
"""Steps of the ascent for all root splits together; each root split has its own afterwards."""
MOST_DEEP_ROUNDS: Final = 400
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
        yield from _iter_improve(state, seed, min(SHARE_FIRST * budget.limit, MOST_FIRST))
        point = yield from _iter_ascend(state, LinearTrees(state))
        if state.terms.n_forms and not state.is_closed and not state.is_over:
            yield from _iter_improve(state, seed + 1, min(SHARE_FIRST * budget.limit, MOST_FIRST), (point,))
    if problem.max_depth <= CLOSED_DEPTH:
        yield from _iter_close(state)
    elif not state.is_closed:
        yield from _iter_improve(state, seed + 2, budget.left)
    state.settle()
    return state.found()


def _iter_improve(
    state: DualState, seed: int, work: float, points: Sequence[Multipliers] = ()
) -> Generator[Event, Command | None, None]:
    begin = state.shape or TreeShape.stump(state.problem.max_depth, 0.0)
    for shape in iter_improved(state.problem, begin, state.budget.part(work), seed=seed, points=points):
        state.offer(shape)
        yield from state.iter_show("Making a tree better")
        if state.is_over:
            return


def _iter_ascend(state: DualState, trees: LinearTrees) -> Generator[Event, Command | None, Multipliers]:
    """Raise the bounds of all root splits together, and return the best point."""
    problem, ascent = state.problem, ascent_of(state.terms, state.budget)
    most = MOST_ROUNDS if problem.max_depth <= CLOSED_DEPTH else MOST_DEEP_ROUNDS
    for _ in range(most if state.terms.n_forms else 1):
        point = ascent.point
        try:
            best = yield from trees.iter_best(state.cell_costs(point), problem.max_depth)
        except OverError:
            break
        constant = point.constant - state.leaf_costs.pair_error
        state.raise_bounds(best.roots + constant, point)
        state.consider(best.shape)
        ascent.step(best.cost + constant, state.forms_of(best.shape), state.objective)
        yield from state.iter_show("Looking for the bound")
        if state.is_over or state.is_closed or ascent.is_tired:
            break
    return ascent.best_point


def _iter_close(state: DualState) -> Generator[Event, Command | None, None]:
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
