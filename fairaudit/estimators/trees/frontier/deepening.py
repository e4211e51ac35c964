"""All trees near the bound, joined at the root, within a slack that grows until no better tree can be left."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.dual.multipliers import DualMaster
from fairaudit.estimators.trees.dual.terms import Multipliers, Terms
from fairaudit.estimators.trees.frontier.conjunction_sums import BestSubtrees, ConjunctionSums
from fairaudit.estimators.trees.frontier.enumeration import (
    ONE,
    ROUNDING,
    ZERO,
    CountedValues,
    Enumeration,
    ExcessPoints,
    Pairs,
    Places,
    SummedValues,
    TooManyPointsError,
    chunks,
    places_within,
)
from fairaudit.estimators.trees.frontier.state import PROVEN, Event, SearchState, relabeled
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape, leaves_below
from fairaudit.events import Command
from fairaudit.measure.limits import SLACK

# The way to the best multipliers: each point tried gives a bound, a tree, and good trees with its splits.

MOST_ROUNDS: Final = 400
"""Points tried, at most."""
NEAR: Final = 0.02
"""The ascent ends where so little of the distance between bound and objective can still be closed by it."""
CLOSE: Final = 1e-6
"""It ends, too, where the bound can rise by no more: what the tolerances of limits and of the linear solver come to."""


@dataclass(frozen=True, eq=False)
class DualPoint:
    """Multipliers, with the best subtrees for them.

    Parameters
    ----------
    multipliers : Multipliers
        The point.
    trees : BestSubtrees
        For the costs that they make.
    bound : float
        What no allowed tree can be better than.
    """

    multipliers: Multipliers
    trees: BestSubtrees
    bound: float


def iter_ascend(
    state: SearchState, sums: ConjunctionSums, *, share: float = 1.0, master: DualMaster | None = None
) -> Generator[Event, Command | None, DualPoint]:
    """Ascend the dual; trees that are found join those of a master program."""
    terms = state.terms
    master = DualMaster(terms) if master is None else master
    all_ones = float(terms.costs.sum())
    master.add(terms.base, np.zeros(terms.n_forms))
    master.add(terms.base + all_ones, terms.forms.sum(axis=1))
    aim, upper = master.start(), np.inf
    tried = aim
    best: DualPoint | None = None
    for _ in range(MOST_ROUNDS):
        point = _tried(state, sums, master, tried)
        if best is None:
            state.least_loss = point.bound
        rose = best is None or point.bound > best.bound
        if best is None or rose:
            best = point
            state.bound = max(state.bound, point.bound)
        yield from state.iter_show("Looking for the bound")
        left = upper - best.bound
        if state.slack < 0 or state.budget.spent > share * state.budget.limit or state.is_over:
            break
        if not terms.n_forms or left <= max(NEAR * state.slack, CLOSE) or best.bound > state.highest:
            break
        solved = master.solve(state.budget)
        if solved is None:
            break
        aim, upper = solved
        # Half the way to the optimum of the master as long as that rises; the optimum itself where it does not.
        tried = best.multipliers.mixed(aim, 0.5) if rose and len(terms.bounds) + master.n_measured > 2 else aim
    return sure(best)


def _tried(state: SearchState, sums: ConjunctionSums, master: DualMaster, multipliers: Multipliers) -> DualPoint:
    """Find the best tree for multipliers, and hand it on."""
    terms, problem = state.terms, state.problem
    trees = sums.best(multipliers)
    shape = trees.shape(sums.columns, problem.max_depth)
    h = sums.predictions(shape, multipliers)
    state.budget.spend(calls=30, elements=4 * problem.rows.n_cells)
    master.add(float(terms.base + terms.costs @ h + problem.split_price * shape.n_splits), terms.forms @ h)
    state.offer(relabeled(terms, shape))
    return DualPoint(multipliers, trees, terms.base + multipliers.constant + trees.value)


# Pairs of points on the two sides of the root, that may together make a tree that is allowed and better.
#
# The form of a tree is the sum of those of both sides. Where a form must be in a range, the points of one side are
# sorted into cells as wide as the range, so that what fits to a point of the other side is in two cells that are next
# to each other; and within a cell by excess, so that what is cheap enough comes first. Two forms make four cells.

Floats = NDArray[np.float64]

MOST_BANDS: Final = 2
"""Forms by which points are sorted into cells."""
MOST_CELLS: Final = 1000
"""Cells in the direction of one form."""
PARALLEL: Final = 0.9
"""Forms with such a cosine, or one above, say the same."""
WIDE: Final = 0.5
"""A range of such a share of what the points span, or a larger one, is of no use."""


@dataclass(frozen=True, eq=False)
class Band:
    """A form that must be in a range.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        The form of each point.
    low, high : float
        The range of the sum of two.
    """

    values: Floats
    low: float
    high: float

    @property
    def width(self) -> float:
        """The width of a cell: a little more than that of the range."""
        spread = float(self.values.max() - self.values.min())
        return max((self.high - self.low) * 1.001, spread / MOST_CELLS) + 4 * ROUNDING

    def cells(self, places: Places) -> Places:
        """Return the cells of points."""
        return np.floor((self.values[places] - self.values.min()) / self.width).astype(np.int64)

    def first_cells(self, places: Places) -> Places:
        """Return the first of the two cells whose points may fit to points of the other side."""
        lowest = self.low - ROUNDING - self.values[places]
        return np.floor((lowest - self.values.min()) / self.width).astype(np.int64)


def narrow_bands(terms: Terms, values: Floats, left: float) -> list[Band]:
    """Return the forms with the narrowest ranges for what the points come to.

    Shapes: `values` (n, n_forms).
    """
    if not len(values) or terms.kinds is None:
        return []
    kinds = terms.kinds
    problem, limit = terms.problem, terms.limit
    most = np.inf if problem.max_measure is None else problem.max_measure
    if problem.price and not problem.limit_price:
        most = min(most, left / problem.price)
    low, high = np.full(terms.n_forms, -np.inf), np.full(terms.n_forms, np.inf)
    low[: limit.start], high[: limit.start] = -most - SLACK, most + SLACK
    high[limit] = terms.bounds + SLACK
    for place, form in enumerate(kinds.forms[limit]):
        # A form that is the opposite of another is bounded from below, too.
        opposite = np.abs(kinds.forms[limit] + form).max(axis=1) < 1e-12 * np.abs(form).max()
        low[limit.start + place] = -terms.bounds[opposite].min(initial=np.inf) - SLACK
    spread = values.max(axis=0) - values.min(axis=0)
    share = np.where(spread > 0, (high - low) / np.maximum(spread, 1e-12), np.inf)
    chosen: list[int] = []
    for place in np.argsort(share, kind="stable").tolist():
        alike = [abs(_cosine(kinds.forms[place], kinds.forms[other])) for other in chosen]
        if share[place] < WIDE and max(alike, default=0.0) < PARALLEL and len(chosen) < MOST_BANDS:
            chosen.append(place)
    return [Band(values[:, place], float(low[place]), float(high[place])) for place in chosen]


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-300))


def root_pairs(
    enumeration: Enumeration, below: ExcessPoints, bands: Sequence[Band], slack: float
) -> Generator[Pairs, None, None]:
    """Iterate over the pairs below the root, in chunks."""
    owners, choices, extra = enumeration.splits(0)
    held, missed = (children[owners, choices] for children in enumeration.sets.children[0])
    for place in np.argsort(extra, kind="stable").tolist():
        room = slack - extra[place] + ROUNDING
        one, other = (np.arange(*below.first[[side[place], side[place] + 1]]) for side in (held, missed))
        one, other = one[below.excess[one] <= room], other[below.excess[other] <= room]
        if not len(one) or not len(other):
            continue
        for left, right in _fitting(below, one, other, bands, room):
            excess = below.excess[left] + below.excess[right]
            near = excess <= room
            left, right = left[near], right[near]
            same = np.zeros(len(left), dtype=np.int64)
            yield Pairs(same, np.full(len(left), choices[place]), left, right, excess[near] + extra[place])


def _fitting(
    below: ExcessPoints, one: Places, other: Places, bands: Sequence[Band], room: float
) -> Generator[tuple[Places, Places], None, None]:
    """Iterate over the pairs that are in cells that may fit, and cheap enough."""
    cells, firsts, counts = np.zeros(len(other), dtype=np.int64), [], []
    for band in bands:
        of_band = band.cells(other)
        counts.append(int(of_band.max()) + 1)
        firsts.append(band.first_cells(one))
        cells = cells * counts[-1] + of_band
    order = np.lexsort((below.excess[other], cells))
    other, cells = other[order], cells[order]
    # A stretch of 1 for each cell, in which an excess of `span` would be at the end.
    span = 2 * room + 4 * ROUNDING
    line = cells + below.excess[other] / span
    left = np.clip((room - below.excess[one]) / span, 0.0, 0.999)
    for steps in itertools.product((0, 1), repeat=len(bands)):
        cell, inside = np.zeros(len(one), dtype=np.int64), np.ones(len(one), dtype=bool)
        for step, first, count in zip(steps, firsts, counts, strict=True):
            inside &= (first + step >= 0) & (first + step < count)
            cell = cell * count + first + step
        begun = np.searchsorted(line, cell[inside], side="left")
        lengths = np.searchsorted(line, cell[inside] + left[inside] + ROUNDING, side="right") - begun
        here = one[inside]
        for start, end in chunks(lengths):
            part = lengths[start:end]
            yield np.repeat(here[start:end], part), other[np.repeat(begun[start:end], part) + places_within(part)]


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
                points: list[ExcessPoints] = end.value
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

    def _iter_join(
        self, pairs: Pairs, points: list[ExcessPoints], values: Floats
    ) -> Generator[Event, Command | None, None]:
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

    def _shape(self, points: list[ExcessPoints], choice: int, held: int, missed: int) -> TreeShape:
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
