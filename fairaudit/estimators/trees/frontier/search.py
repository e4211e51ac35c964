"""The exact search for trees whose costs add up over leaves: the Lagrangian bound, then all trees within its distance.

1. For given multipliers the best tree is found over all conjunctions at once (`subtrees`).
2. The multipliers with the best bound are found by cutting planes (`ascent`); each tree on the way, with the best
   labels for its leaves, may be the best so far.
3. A tree better than the best so far must have a Lagrangian cost below its objective. All that have are enumerated from
   the leaves up (`deepening`), at first those near the bound, then those farther away, until none is left.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from fairaudit.estimators.trees.frontier.ascent import DualPoint, iter_ascend
from fairaudit.estimators.trees.frontier.conjunction_sums import ConjunctionSums, distinct_splits
from fairaudit.estimators.trees.frontier.deepening import Deepening
from fairaudit.estimators.trees.frontier.relabeling import relabeled
from fairaudit.estimators.trees.frontier.state import Event, RelaxedState, SearchState
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.search_outcome import Found
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.events import Command
from fairaudit.work import Budget

SHARE_SUMS: Final = 0.2
"""The share of the work for sums over conjunctions, at most, about."""
SHARE_ASCENT: Final = 0.6
"""The share of the work for the ascent, at most."""
SHARE_RELAXED: Final = 0.4
"""The same where all conjunctions are too many, so that a part of the splits is searched afterwards."""

PART: Final = (
    "All combinations of {n:,} splits are too many at this depth: trees were looked for over the {k:,} most promising "
    "ones; the bound holds for all."
)


def iter_frontier(
    problem: TreeProblem, *, budget: Budget, start: Sequence[TreeShape] = (), seed: int = 0
) -> Generator[Event, Command | None, Found]:
    """Find the best tree of a problem of classification."""
    is_limited = problem.max_features is not None or problem.max_uses_per_feature is not None
    state = RelaxedState(problem, budget) if is_limited else SearchState(problem, budget)
    for shape in (TreeShape.stump(problem.max_depth, 0), TreeShape.stump(problem.max_depth, 1), *start):
        state.offer(shape.tidy())
        state.offer(relabeled(state.terms, shape))
    splits, seconds = distinct_splits(problem.rows.holds), SHARE_SUMS * budget.limit
    sums = ConjunctionSums(state.terms, splits, problem.max_depth, seconds, budget)
    yield from state.iter_show("Looking for the bound")
    point = yield from iter_ascend(state, sums, share=SHARE_RELAXED if sums.is_part else SHARE_ASCENT)
    if not sums.is_part:
        yield from _iter_deepen(state, sums, point)
    elif state.slack >= 0 and not state.is_over:
        part = ConjunctionSums(state.terms, sums.promising(point.trees), problem.max_depth, seconds, budget)
        state.notes = (PART.format(n=len(sums.columns), k=len(part.columns)),)
        state.begin_part()
        point = yield from iter_ascend(state, part, share=(1 + SHARE_RELAXED) / 2)
        yield from _iter_deepen(state, part, point)
        state.end_part()
    yield from state.iter_show("Done")
    return state.found()


def _iter_deepen(state: SearchState, sums: ConjunctionSums, point: DualPoint) -> Generator[Event, Command | None, None]:
    if state.slack >= 0 and not state.is_over and sums.sets.longest:
        yield from Deepening(state, sums, point).iter_run()
