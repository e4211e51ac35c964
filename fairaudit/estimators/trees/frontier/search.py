"""The exact search for trees whose costs add up over leaves: the Lagrangian bound, then all trees within its distance.

1. For given multipliers the best tree is found over all conjunctions at once (`BestSubtrees`).
2. The multipliers with the best bound are found by cutting planes (`deepening`); each tree on the way, with the best
   labels for its leaves, may be the best so far.
3. A tree better than the best so far must have a Lagrangian cost below its objective. All that have are enumerated from
   the leaves up (`deepening`), at first those near the bound, then those farther away, until none is left.

Where all conjunctions are too many, trees of depth 2 to 4 are gone through root by root (`by_roots`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.disclosure.fields import Remark
from fairaudit.estimators.trees.frontier.by_roots import goes_by_roots, iter_by_roots
from fairaudit.estimators.trees.frontier.conjunctions import ConjunctionSums, distinct_splits, fits
from fairaudit.estimators.trees.frontier.enumeration import Deepening, DualPoint, iter_ascend
from fairaudit.estimators.trees.problem import FoundTree, TreeProblem, TreeShape
from fairaudit.estimators.trees.relaxation import Event, RelaxedState, SearchState, relabeled
from fairaudit.events import Command
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.work import Budget

Events = Generator[Event, Command | None, None]

SHARE_SUMS: Final = 0.2
"""The share of the work for sums over conjunctions, at most, about."""
SHARE_ASCENT: Final = 0.6
"""The share of the work for the ascent, at most."""
SHARE_RELAXED: Final = 0.4
"""The same where all conjunctions are too many, so that a part of the splits is searched afterwards."""


def iter_frontier(
    problem: TreeProblem, *, budget: Budget, start: Sequence[TreeShape] = (), seed: int = 0
) -> Generator[Event, Command | None, FoundTree]:
    """Find the best tree of a problem of classification."""
    is_limited = problem.max_features is not None or problem.max_uses_per_feature is not None
    state = RelaxedState(problem, budget) if is_limited else SearchState(problem, budget)
    for shape in (TreeShape.stump(problem.max_depth, 0), TreeShape.stump(problem.max_depth, 1), *start):
        state.offer(shape.tidy())
        state.offer(relabeled(state.terms, shape))
    splits, seconds = distinct_splits(problem.rows.holds), SHARE_SUMS * budget.limit
    yield from state.iter_show("Looking for the bound")
    can_be_summed = fits(state.terms, len(splits), min(problem.max_depth, len(splits)), seconds)
    if not can_be_summed and goes_by_roots(state, len(splits)):
        yield from iter_by_roots(state, splits, seconds)
    else:
        yield from _iter_conjunctions(state, splits, seconds)
    yield from state.iter_show("Done")
    return state.found()


def _iter_conjunctions(state: SearchState, splits: NDArray[np.int64], seconds: float) -> Events:
    """Search with sums over all conjunctions, or as many as there can be."""
    depth = state.problem.max_depth
    sums = ConjunctionSums(state.terms, splits, depth, seconds, state.budget)
    point = yield from iter_ascend(state, sums, share=SHARE_RELAXED if sums.is_relaxed else SHARE_ASCENT)
    if not sums.is_relaxed:
        yield from _iter_deepen(state, sums, point)
    elif state.slack >= 0 and not state.is_over:
        part = ConjunctionSums(state.terms, sums.promising(point.trees), depth, seconds, state.budget)
        state.notes = (Remark(say(Message("tree-note-part", {"n": Count(len(part.columns))})), "setting"),)
        state.begin_part()
        point = yield from iter_ascend(state, part, share=(1 + SHARE_RELAXED) / 2)
        yield from _iter_deepen(state, part, point)
        state.end_part()


def _iter_deepen(state: SearchState, sums: ConjunctionSums, point: DualPoint) -> Events:
    if state.slack >= 0 and not state.is_over and sums.sets.longest:
        yield from Deepening(state, sums, point).iter_run()
