"""All trees near the bound, joined at the root, within a slack that grows until no better tree can be left."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.ascent import DualPoint
from fairaudit.estimators.trees.frontier.conjunction_sums import ConjunctionSums
from fairaudit.estimators.trees.frontier.enumeration import ONE, ZERO, Enumeration, Pairs, Points, TooManyPointsError
from fairaudit.estimators.trees.frontier.point_values import CountedValues, SummedValues
from fairaudit.estimators.trees.frontier.root_join import narrow_bands, root_pairs
from fairaudit.estimators.trees.frontier.state import PROVEN, Event, SearchState
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below
from fairaudit.events import Command
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]

WORDS: Final = "Looking at all trees near the bound"
PER_PAIR: Final = 40
"""Elements of operations that a pair of points takes."""
BATCH: Final = 4_000_000
"""Forms of trees that are looked at together."""
MOST_POINTS: Final = 12_000_000
"""Points held at once: some gigabytes."""
FIRST_SHARE: Final = 1 / 8
"""The first slack, as a share of the distance of objective and bound."""
GROWTH: Final = 1.5
"""Each slack is so many times the one before."""
ENOUGH: Final = 1.01
"""A slack that is so near the distance of objective and bound is made the whole of it."""


class Deepening:
    """The enumeration within growing slacks.

    Parameters
    ----------
    state : SearchState
        Takes the bound and the trees.
    sums : ConjunctionSums
        Of the splits.
    point : DualPoint
        The multipliers that trees must be near the bound of.
    """

    def __init__(self, state: SearchState, sums: ConjunctionSums, point: DualPoint) -> None:
        self.state, self.sums, self.point = state, sums, point
        self.values = SummedValues(sums) if sums.counts is None else CountedValues(sums)

    def iter_run(self) -> Generator[Event, Command | None, None]:
        """Enumerate until the best tree is proven, the work is done, or the points are too many."""
        state, least = self.state, self.point.bound
        known = math.isfinite(state.objective)
        slack = max(FIRST_SHARE * state.slack if known else 0.0, 1 / state.problem.rows.n_rows)
        while state.slack >= 0 and not state.is_over:
            # `state.slack` from the bound of the first point: trees beyond it are no better than the best so far.
            all_left = state.slack + state.bound - least
            slack = all_left if slack * ENOUGH >= all_left else slack
            try:
                complete = yield from self._iter_within(slack)
            except TooManyPointsError:
                break
            if not complete:
                break
            # Every tree whose Lagrangian cost is within the slack is known now.
            if slack == all_left or least + slack > state.highest:
                state.bound = state.objective
                break
            state.bound = max(state.bound, min(least + slack, state.objective))
            slack *= GROWTH

    def _iter_within(self, slack: float) -> Generator[Event, Command | None, bool]:
        """Look at all trees within a slack of the best bound; return whether the work was enough for it."""
        state = self.state
        enumeration = Enumeration(
            self.point.trees, self.values.words, self.values.costs, self.sums.too_small, slack, MOST_POINTS
        )
        work = enumeration.iter_points()
        while True:
            looked_at = enumeration.n_looked_at
            try:
                next(work)
            except StopIteration as end:
                points: list[Points] = end.value
                break
            finally:
                state.budget.spend(elements=PER_PAIR * (enumeration.n_looked_at - looked_at), calls=20)
            yield from state.iter_show(WORDS)
            if state.is_over:
                return False
        below = points[1]
        values = self.values.forms(points)
        state.budget.spend(elements=3 * values.size)
        bands = narrow_bands(state.terms, values, state.objective - state.least_loss)
        for pairs in root_pairs(enumeration, below, bands, slack):
            state.budget.spend(elements=PER_PAIR * len(pairs.excess), calls=20)
            yield from self._iter_join(pairs, points, values)
            if state.is_over:
                return False
        return True

    def _iter_join(self, pairs: Pairs, points: list[Points], values: Floats) -> Generator[Event, Command | None, None]:
        """Offer the best tree of those that pairs below the root make."""
        state, below = self.state, points[1]
        near = np.flatnonzero(pairs.excess <= state.slack + state.bound - self.point.bound)
        for place, bound in enumerate(state.terms.bounds, start=state.terms.limit.start):
            column = values[:, place]
            forms = column[pairs.held[near]] + column[pairs.missed[near]]
            near = near[forms <= bound + SLACK]
        near = near[np.argsort(pairs.excess[near], kind="stable")]
        step = max(BATCH // max(values.shape[1], 1), 1)
        for start in range(0, len(near), step):
            part = near[start : start + step]
            state.budget.spend(elements=6 * len(part) * max(values.shape[1], 1))
            held, missed = pairs.held[part], pairs.missed[part]
            prices = below.costs[held] + below.costs[missed] + state.problem.split_price
            objectives = state.terms.objectives(state.terms.base + prices, values[held] + values[missed])
            best = int(np.argmin(objectives))
            if objectives[best] < state.objective - PROVEN / 2:
                choice = int(pairs.choices[part][best])
                state.offer(self._shape(points, choice, int(held[best]), int(missed[best])).tidy())
            yield from state.iter_show(WORDS)
            if state.is_over or pairs.excess[part[-1]] > state.slack + state.bound - self.point.bound:
                break

    def _shape(self, points: list[Points], choice: int, held: int, missed: int) -> TreeShape:
        """Return the tree with a choice at the root and two points below."""
        sets, depth = self.sums.sets, self.state.problem.max_depth
        splits, values = [NO_SPLIT] * (2**depth - 1), np.zeros(2**depth)
        splits[0] = int(self.sums.columns[sets.added[0][0, choice]])
        stack = [(2, 1, held), (3, 1, missed)]
        while stack:
            node, length, place = stack.pop()
            level = points[length]
            taken = int(level.choices[place])
            if taken in (ZERO, ONE):
                first, n_below = leaves_below(node, depth)
                values[first : first + n_below] = float(taken == ONE)
                continue
            number = int(level.owners[place])
            splits[node - 1] = int(self.sums.columns[sets.added[length][number >> length, taken]])
            stack.append((2 * node, length + 1, int(level.held[place])))
            stack.append((2 * node + 1, length + 1, int(level.missed[place])))
        return TreeShape(tuple(splits), tuple(values.tolist()))
