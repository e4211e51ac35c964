"""All trees near the Lagrangian bound, within a slack that grows until no better tree can be left."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.trees.frontier.conjunctions import BestSubtrees, ConjunctionSums
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape, leaves_below
from fairaudit.estimators.trees.relaxation import (
    OBJECTIVE_TOLERANCE,
    CellKinds,
    DualMaster,
    Multipliers,
    SearchState,
    Terms,
    relabeled,
)
from fairaudit.events import Searching
from fairaudit.measure.limits import SLACK

# All trees whose Lagrangian cost is near the least: from the leaves up, as points.
#
# A point of a set of literals is what a subtree below it comes to: its loss and splits, and how many rows of each class
# it predicts 1, where rows of a class count alike in all forms. Of two points with the same counts only the cheaper one
# can be needed. How far the Lagrangian cost of a point is above the best is its excess. A tree is near enough where its
# excess is at most the slack; so, from the root down, each set has an excess that its points may have at most::
#
#     room(S, l) = max over S of room(S) - (split_price + V(S, l) + V(S, not l) - V(S))

# Counts of rows by class, packed into whole numbers that add up as the counts do.

Counts = NDArray[np.int64]

WORD_LIMIT: Final = 2**62
"""Words stay below this."""


class Packing:
    """How counts are packed: as digits, of which none overflows, since no count exceeds the rows of its class.

    Notes
    -----
    A class that counts nothing in any form is not packed. Several words are used where one is too short.
    """

    # kinds: The kinds of rows; those that count alike in all forms are of one class.
    # sizes: (n_kinds,) Rows of each kind.
    def __init__(self, kinds: CellKinds, sizes: Counts) -> None:
        columns, classes = np.unique(kinds.forms, axis=1, return_inverse=True)
        classes = classes.reshape(-1)
        counted = np.flatnonzero(np.abs(columns).max(axis=0, initial=0.0) > 0)
        self.forms = columns[:, counted]
        self._radix = [int(sizes[classes == place].sum()) + 1 for place in counted]
        self._of_kinds = np.full(columns.shape[1], -1)
        self._of_kinds[counted] = np.arange(len(counted))
        self._of_kinds = self._of_kinds[classes]
        self._words: list[int] = []
        self._factors: list[int] = []
        word, factor = 0, 1
        for radix in self._radix:
            if factor * radix >= WORD_LIMIT:
                word, factor = word + 1, 1
            self._words.append(word)
            self._factors.append(factor)
            factor *= radix
        self.n_words = word + 1 if self._radix else 1

    def packed(self, counts: NDArray[np.float64]) -> Counts:
        """Return counts of rows by kind, shape (n_kinds, n), as words: shape (n, n_words)."""
        found = np.zeros((counts.shape[1], self.n_words), dtype=np.int64)
        for of_kind, place in zip(counts, self._of_kinds.tolist(), strict=True):
            if place >= 0:
                found[:, self._words[place]] += of_kind.astype(np.int64) * self._factors[place]
        return found

    def form_values(self, words: Counts) -> NDArray[np.float64]:
        """Return the forms of packed counts, shape (n, n_forms)."""
        digits = [
            words[:, word] // factor % radix
            for word, factor, radix in zip(self._words, self._factors, self._radix, strict=True)
        ]
        counts = np.column_stack(digits) if digits else np.zeros((len(words), 0))
        return counts @ self.forms.T


Floats = NDArray[np.float64]
Places = NDArray[np.int64]

EXCESS_TOLERANCE: Final = 1e-10
"""By so much an excess may be above its room: sums of shares of rows in double precision."""
MOST_POINTS: Final = 12_000_000
"""Points held at once: some gigabytes."""
PAIRS_AT_ONCE: Final = 1 << 19
"""Pairs that are joined at once."""
MIXING: Final = np.random.default_rng(0).integers(2**61, 2**62, 64) * 2 + 1
"""Odd factors that make one number of several, modulo 2^64."""
ZERO, ONE = -1, -2
"""In the place of a variable, where a point is a leaf that predicts 0 or 1."""


class TooManyPointsError(Exception):
    """More points than may be held."""


@dataclass(frozen=True, eq=False)
class ExcessPoints:
    """The points of all sets of one length, in the order of sets, and within a set by excess."""

    # (n,) The set of each point.
    owners: Places
    # (n,) How far above the best.
    excess: Floats
    # (n,) Loss beyond that of predicting 0, and the price of splits.
    costs: Floats
    # (n, n_words) How many rows of each class are predicted 1, as packed by `Packing`.
    counts: Places
    # (n,) The place of the variable among those outside the set, `ZERO` or `ONE`.
    choices: Places
    # held, missed: (n,) The points of the two subtrees, in those of the next length.
    held: Places
    missed: Places
    # (n_sets + 1,) Where the points of each set begin.
    first: Places

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.owners)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of a point where a literal holds and one where it does not, for splits of some sets."""

    # owners, choices, held, missed: (n,) As in `ExcessPoints`.
    owners: Places
    choices: Places
    held: Places
    missed: Places
    # (n,) Of the joined subtree.
    excess: Floats


class Enumeration:
    """The points within a slack."""

    # counts: (n_sets, n_words) For each length, the rows of each class, packed; no words where classes are not counted.
    # costs: For each length, what predicting 1 adds to the loss.
    # too_small: For each length, which sets make no leaf.
    # slack: The excess of whole trees, at most.
    def __init__(
        self,
        trees: BestSubtrees,
        counts: list[Places],
        costs: list[Floats],
        too_small: list[NDArray[np.bool_]] | None,
        slack: float,
    ) -> None:
        self.trees, self.counts, self.costs, self.too_small = trees, counts, costs, too_small
        self.sets, self.values = trees.sets, trees.values
        self.slack, self.n_points, self.n_looked_at = slack, 0, 0
        self.rooms = [np.full(len(values), -np.inf) for values in self.values]
        self.rooms[0][0] = slack
        for length in range(self.sets.longest):
            owners, choices, extra = self.splits(length)
            room = self.rooms[length][owners] - extra
            for children in self.sets.children[length]:
                np.maximum.at(self.rooms[length + 1], children[owners, choices], room)

    def splits(self, length: int) -> tuple[Places, Places, Floats]:
        """Return the splits of sets of a length that are near enough.

        Shapes: returns `owners` (n,), `choices` (n,), `extra` (n,).
        """
        owners = np.flatnonzero(self.rooms[length] >= -EXCESS_TOLERANCE)
        held, missed = (children[owners] for children in self.sets.children[length])
        below = self.values[length + 1]
        extra = below[held] + below[missed] + (self.trees.split_price - self.values[length][owners])[:, None]
        places, choices = np.nonzero(extra <= self.rooms[length][owners][:, None] + EXCESS_TOLERANCE)
        return owners[places], choices, extra[places, choices]

    def iter_points(self) -> Generator[None, None, list[ExcessPoints]]:
        """Find the points; yield now and then."""
        found: list[ExcessPoints] = [self._sorted(self._leaves(self.sets.longest), self.sets.longest)]
        for length in range(self.sets.longest - 1, 0, -1):
            parts = [self._leaves(length)]
            n_here = 0
            for pairs in self._pairs(length, found[-1]):
                parts.append(_cheapest(self._joined(pairs, found[-1])))
                n_here += len(parts[-1][0])
                if self.n_points + n_here > MOST_POINTS:
                    raise TooManyPointsError
                yield
            found.append(self._sorted(_cheapest(_stacked(parts)), length))
            self.n_points += len(found[-1])
            yield
        if self.sets.longest:
            found.append(self._sorted(self._leaves(0), 0))
        return found[::-1]

    def _leaves(self, length: int) -> list[NDArray[np.generic]]:
        """Return the columns of the points that are leaves."""
        near = self.rooms[length] >= -EXCESS_TOLERANCE
        if self.too_small is not None:
            near &= ~self.too_small[length]
        sets = np.flatnonzero(near)
        room, values = self.rooms[length][sets] + EXCESS_TOLERANCE, self.values[length][sets]
        parts = []
        for label, ones in ((ZERO, 0), (ONE, 1)):
            excess = self.trees.ones[length][sets] * ones - values
            owners, excess = sets[excess <= room], excess[excess <= room]
            none = np.full(len(owners), -1)
            costs, counts = self.costs[length][owners] * ones, self.counts[length][owners] * ones
            parts.append([owners, excess, costs, counts, np.full(len(owners), label), none, none])
        return _stacked(parts)

    def _joined(self, pairs: Pairs, below: ExcessPoints) -> list[NDArray[np.generic]]:
        """Return the columns of the points that pairs make."""
        costs = below.costs[pairs.held] + below.costs[pairs.missed] + self.trees.split_price
        counts = below.counts[pairs.held] + below.counts[pairs.missed]
        return [pairs.owners, pairs.excess, costs, counts, pairs.choices, pairs.held, pairs.missed]

    def _pairs(self, length: int, below: ExcessPoints) -> Generator[Pairs, None, None]:
        """Iterate over the pairs that are near enough, in chunks, for the splits of all sets of a length.

        Notes
        -----
        The points of a set are in the order of their excess, so that those that fit to a point of the other side are
        the first so many: a search in one array in which the sets follow one another.
        """
        owners, choices, extra = self.splits(length)
        held, missed = (children[owners, choices].astype(np.int64) for children in self.sets.children[length])
        room = self.rooms[length][owners] - extra + EXCESS_TOLERANCE
        # A stretch of 1 for each set, in which an excess of `span` would be at the end.
        span = 2 * self.slack + 4 * EXCESS_TOLERANCE
        line = below.owners + below.excess / span

        def fitting(sets: Places, left: Floats) -> Places:
            return np.searchsorted(line, sets + np.clip(left / span, 0.0, 0.999), side="right") - below.first[sets]

        n_held = fitting(held, room)
        for begin, stop in chunks(n_held):
            split = np.repeat(np.arange(begin, stop), n_held[begin:stop])
            one = below.first[held[split]] + places_within(n_held[begin:stop])
            n_missed = fitting(missed[split], room[split] - below.excess[one])
            for start, end in chunks(n_missed):
                part = np.repeat(np.arange(start, end), n_missed[start:end])
                here, first = split[part], one[part]
                second = below.first[missed[here]] + places_within(n_missed[start:end])
                # Two leaves alike are one leaf.
                differ = (below.choices[first] >= 0) | (below.choices[first] != below.choices[second])
                here, first, second = here[differ], first[differ], second[differ]
                excess = below.excess[first] + below.excess[second] + extra[here]
                self.n_looked_at += end - start + len(part)
                yield Pairs(owners[here], choices[here], first, second, excess)

    def _sorted(self, columns: list[NDArray[Any]], length: int) -> ExcessPoints:
        order = np.lexsort((columns[1], columns[0]))
        owners, excess, costs, counts, choices, held, missed = (column[order] for column in columns)
        first = np.searchsorted(owners, np.arange(self.sets.sizes[length] + 1))
        return ExcessPoints(owners, excess, costs, counts, choices, held, missed, first)


def chunks(lengths: Places) -> Generator[tuple[int, int], None, None]:
    """Iterate over ranges of runs whose total length is about `PAIRS_AT_ONCE`."""
    ends, start = np.cumsum(lengths), 0
    while start < len(lengths):
        before = ends[start - 1] if start else 0
        end = max(int(np.searchsorted(ends, before + PAIRS_AT_ONCE, side="right")), start + 1)
        yield start, end
        start = end


def places_within(lengths: Places) -> Places:
    """Concatenate arange(k) for each run length k.

    Examples
    --------
    >>> places_within(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _stacked(parts: list[list[NDArray[np.generic]]]) -> list[NDArray[np.generic]]:
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _cheapest(columns: list[NDArray[Any]]) -> list[NDArray[np.generic]]:
    """Keep the cheapest of the points of a set with the same counts."""
    owners, costs, counts = columns[0], columns[2], columns[3]
    if not counts.shape[1] or not len(owners):
        return columns
    # Equal points have equal keys. Others may have them too: then both are kept, or one is kept twice.
    keys = np.concatenate([owners[:, None], counts], axis=1) @ MIXING[: 1 + counts.shape[1]]
    order = np.argsort(keys)
    sorted_counts, sorted_owners, sorted_costs = counts[order], owners[order], costs[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (sorted_owners[1:] != sorted_owners[:-1]) | (sorted_counts[1:] != sorted_counts[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    cheapest = np.minimum.reduceat(sorted_costs, starts)[np.cumsum(new) - 1]
    # Of equally cheap ones the first: leaves come before splits.
    kept = np.minimum.reduceat(np.where(sorted_costs <= cheapest, order, len(order)), starts)
    return [column[kept] for column in columns]


# The forms of points, and numbers by which points with the same predictions are known.
#
# Where rows are of few kinds, a point has counts by class, and its forms follow. Else each cell has two random numbers,
# whose sums over the cells that are predicted 1 distinguish predictions; and the forms are added up over leaves.

BITS: Final = 36
"""Bits of a random number: sums over all cells are exact in double precision."""
MOST_NUMBERS: Final = 60_000_000
"""Values of forms held at once."""
CELLS_AT_ONCE: Final = 4_000_000
"""Cells of sets looked at together."""


class CountedValues:
    """Counts, costs and forms of points where rows are of few kinds."""

    def __init__(self, sums: ConjunctionSums) -> None:
        kinds = require(sums.terms.kinds)
        sizes = np.bincount(kinds.of_cells, weights=sums.terms.problem.rows.weights).astype(np.int64)
        self._packing = Packing(kinds, sizes)
        by_length = sums.sets.shorter_sums(require(sums.counts))
        self.words = [self._packing.packed(counts) for counts in by_length]
        self.costs = [kinds.costs @ counts for counts in by_length]

    def forms(self, points: Sequence[ExcessPoints]) -> Floats:
        """Return the forms of the points of one literal, shape (n, n_forms), column by column in memory."""
        return np.asfortranarray(self._packing.form_values(points[1].counts))


class SummedValues:
    """The same where rows are of many kinds, by sums of random numbers."""

    def __init__(self, sums: ConjunctionSums) -> None:
        self._sums, sets = sums, sums.sets
        drawn = np.random.default_rng(0).integers(1, 1 << BITS, (2, len(sums.holds))).astype(np.float64)
        words = [sets.shorter_sums(sets.sums(sums.holds, one)) for one in drawn]
        self.words = [np.column_stack(pair).astype(np.int64) for pair in zip(*words, strict=True)]
        self.costs = sets.shorter_sums(sets.sums(sums.holds, sums.terms.costs))

    def forms(self, points: Sequence[ExcessPoints]) -> Floats:
        """Return the forms of the points of one literal, shape (n, n_forms), column by column in memory."""
        n_points, n_forms = len(points[1]), self._sums.terms.n_forms
        if n_points * n_forms > MOST_NUMBERS:
            raise TooManyPointsError
        values = np.zeros((n_points, n_forms))
        owners, places = np.arange(n_points), np.arange(n_points)
        for length in range(1, len(points)):
            level, choices = points[length], points[length].choices[places]
            is_one, splits = choices == ONE, choices >= 0
            sets, inverse = np.unique(level.owners[places[is_one]], return_inverse=True)
            if len(sets) * n_forms > MOST_NUMBERS:
                raise TooManyPointsError
            np.add.at(values, owners[is_one], self._of_sets(length, sets)[inverse])
            owners = np.concatenate([owners[splits]] * 2)
            places = np.concatenate([level.held[places[splits]], level.missed[places[splits]]])
        return np.asfortranarray(values)

    def _of_sets(self, length: int, numbers: Places) -> Floats:
        """Return the forms of predicting 1 for just the rows of some sets."""
        sums, forms = self._sums, self._sums.terms.forms
        found = np.zeros((len(numbers), forms.shape[0]))
        step = max(CELLS_AT_ONCE // max(len(sums.holds), 1), 1)
        for start in range(0, len(numbers), step):
            part = numbers[start : start + step]
            inside = np.ones((len(sums.holds), len(part)))
            variables = sums.sets.variables[length][part >> length]
            for place in range(length):
                held = sums.holds[:, variables[:, place]]
                inside *= np.where(part >> place & 1, held, 1 - held)
            found[start : start + step] = (forms @ inside).T
        return found


# The ascent to the best multipliers: each point tried gives a bound, a tree, and good trees with its splits.

MOST_POINTS_TRIED: Final = 400
"""Points tried, at most."""
LEAST_CLOSED: Final = 0.02
"""The ascent ends where so little of the distance between bound and objective can still be closed by it."""
LEAST_RISE: Final = 1e-6
"""It ends, too, where the bound can rise by no more: what the tolerances of limits and of the linear solver come to."""


@dataclass(frozen=True, eq=False)
class DualPoint:
    """Multipliers, with the best subtrees for them."""

    multipliers: Multipliers
    # For the costs that they make.
    trees: BestSubtrees
    # What no allowed tree can be better than.
    bound: float


def iter_ascend(
    state: SearchState, sums: ConjunctionSums, *, share: float = 1.0, master: DualMaster | None = None
) -> Searching[DualPoint]:
    """Ascend the dual; trees that are found join those of a master program."""
    terms = state.terms
    master = DualMaster(terms) if master is None else master
    all_ones = float(terms.costs.sum())
    master.add(terms.base, np.zeros(terms.n_forms))
    master.add(terms.base + all_ones, terms.forms.sum(axis=1))
    aim, upper = master.start(), np.inf
    tried = aim
    best: DualPoint | None = None
    for _ in range(MOST_POINTS_TRIED):
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
        if not terms.n_forms or left <= max(LEAST_CLOSED * state.slack, LEAST_RISE) or best.bound > state.highest:
            break
        solved = master.solve(state.budget)
        if solved is None:
            break
        aim, upper = solved
        # Half the way to the optimum of the master as long as that rises; the optimum itself where it does not.
        tried = best.multipliers.mixed(aim, 0.5) if rose and len(terms.bounds) + master.n_measured > 2 else aim
    return require(best)


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


MOST_BANDS: Final = 2
"""Forms by which points are sorted into cells."""
MOST_CELLS_OF_BAND: Final = 1000
"""Cells in the direction of one form."""
PARALLEL: Final = 0.9
"""Forms with such a cosine, or one above, say the same."""
WIDEST_BAND: Final = 0.5
"""A range of such a share of what the points span, or a larger one, is of no use."""


@dataclass(frozen=True, eq=False)
class FormBand:
    """A form that must be in a range."""

    # (n,) The form of each point.
    values: Floats
    # low, high: The range of the sum of two.
    low: float
    high: float

    @property
    def width(self) -> float:
        """The width of a cell: a little more than that of the range."""
        spread = float(self.values.max() - self.values.min())
        return max((self.high - self.low) * 1.001, spread / MOST_CELLS_OF_BAND) + 4 * EXCESS_TOLERANCE

    def cells(self, places: Places) -> Places:
        """Return the cells of points."""
        return np.floor((self.values[places] - self.values.min()) / self.width).astype(np.int64)

    def first_cells(self, places: Places) -> Places:
        """Return the first of the two cells whose points may fit to points of the other side."""
        lowest = self.low - EXCESS_TOLERANCE - self.values[places]
        return np.floor((lowest - self.values.min()) / self.width).astype(np.int64)


def narrow_bands(terms: Terms, values: Floats, left: float, bounds: Floats | None = None) -> list[FormBand]:
    """Return the forms with the narrowest ranges for what the points come to.

    Shapes: `values` (n, n_forms), `bounds` (n_limits,): what forms of the limit may be, if not those of the problem.
    """
    bounds = terms.bounds if bounds is None else bounds
    if not len(values) or terms.kinds is None:
        return []
    kinds = terms.kinds
    problem, limit = terms.problem, terms.limit
    most = np.inf if problem.max_measure is None else problem.max_measure
    if problem.price and not problem.limit_price:
        most = min(most, left / problem.price)
    low, high = np.full(terms.n_forms, -np.inf), np.full(terms.n_forms, np.inf)
    low[: limit.start], high[: limit.start] = -most - SLACK, most + SLACK
    high[limit] = bounds + SLACK
    for place, form in enumerate(kinds.forms[limit]):
        # A form that is the opposite of another is bounded from below, too.
        opposite = np.abs(kinds.forms[limit] + form).max(axis=1) < 1e-12 * np.abs(form).max()
        low[limit.start + place] = -bounds[opposite].min(initial=np.inf) - SLACK
    spread = values.max(axis=0) - values.min(axis=0)
    share = np.where(spread > 0, (high - low) / np.maximum(spread, 1e-12), np.inf)
    chosen: list[int] = []
    for place in np.argsort(share, kind="stable").tolist():
        alike = [abs(_cosine(kinds.forms[place], kinds.forms[other])) for other in chosen]
        if share[place] < WIDEST_BAND and max(alike, default=0.0) < PARALLEL and len(chosen) < MOST_BANDS:
            chosen.append(place)
    return [FormBand(values[:, place], float(low[place]), float(high[place])) for place in chosen]


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-300))


def root_pairs(
    enumeration: Enumeration, below: ExcessPoints, bands: Sequence[FormBand], slack: float
) -> Generator[Pairs, None, None]:
    """Iterate over the pairs below the root, in chunks."""
    owners, choices, extra = enumeration.splits(0)
    held, missed = (children[owners, choices] for children in enumeration.sets.children[0])
    for place in np.argsort(extra, kind="stable").tolist():
        room = slack - extra[place] + EXCESS_TOLERANCE
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
    below: ExcessPoints, one: Places, other: Places, bands: Sequence[FormBand], room: float
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
    span = 2 * room + 4 * EXCESS_TOLERANCE
    line = cells + below.excess[other] / span
    left = np.clip((room - below.excess[one]) / span, 0.0, 0.999)
    for steps in itertools.product((0, 1), repeat=len(bands)):
        cell, inside = np.zeros(len(one), dtype=np.int64), np.ones(len(one), dtype=bool)
        for step, first, count in zip(steps, firsts, counts, strict=True):
            inside &= (first + step >= 0) & (first + step < count)
            cell = cell * count + first + step
        begun = np.searchsorted(line, cell[inside], side="left")
        lengths = np.searchsorted(line, cell[inside] + left[inside] + EXCESS_TOLERANCE, side="right") - begun
        here = one[inside]
        for start, end in chunks(lengths):
            part = lengths[start:end]
            yield np.repeat(here[start:end], part), other[np.repeat(begun[start:end], part) + places_within(part)]


def tree_of_points(
    sums: ConjunctionSums, points: Sequence[ExcessPoints], depth: int, choice: int, held: int, missed: int
) -> TreeShape:
    """Return the tree with a choice at the root and two points below."""
    sets = sums.sets
    splits, values = [NO_SPLIT] * (2**depth - 1), np.zeros(2**depth)
    splits[0] = int(sums.columns[sets.added[0][0, choice]])
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
        splits[node - 1] = int(sums.columns[sets.added[length][number >> length, taken]])
        stack.append((2 * node, length + 1, int(level.held[place])))
        stack.append((2 * node + 1, length + 1, int(level.missed[place])))
    return TreeShape(tuple(splits), tuple(values.tolist()))


LOOKING_NEAR_BOUND: Final = "Looking at all trees near the bound"
ELEMENTS_PER_POINT_PAIR: Final = 40
"""Elements of operations that a pair of points takes."""
FORMS_AT_ONCE: Final = 4_000_000
"""Forms of trees that are looked at together."""
FIRST_SLACK: Final = 1 / 8
"""The first slack, as a share of the distance of objective and bound."""
SLACK_GROWTH: Final = 1.5
"""Factor from one slack to the next."""
WHOLE_SLACK: Final = 1.01
"""A slack that is so near the distance of objective and bound is made the whole of it."""


class Deepening:
    """Enumerates all trees near the bound, within a slack that grows until no better tree can be left."""

    # state: Takes the bound and the trees.
    # point: The multipliers that trees must be near the bound of.
    def __init__(self, state: SearchState, sums: ConjunctionSums, point: DualPoint) -> None:
        self.state, self.sums, self.point = state, sums, point
        self.values = SummedValues(sums) if sums.counts is None else CountedValues(sums)

    def iter_run(self) -> Searching[None]:
        """Enumerate until the best tree is proven, the work is done, or the points are too many."""
        state, least = self.state, self.point.bound
        known = math.isfinite(state.objective)
        slack = max(FIRST_SLACK * state.slack if known else 0.0, 1 / state.problem.rows.n_rows)
        while state.slack >= 0 and not state.is_over:
            # `state.slack` from the bound of the first point: trees beyond it are no better than the best so far.
            all_left = state.slack + state.bound - least
            slack = all_left if slack * WHOLE_SLACK >= all_left else slack
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
            slack *= SLACK_GROWTH

    def _iter_within(self, slack: float) -> Searching[bool]:
        """Look at all trees within a slack of the best bound; return whether the work was enough for it."""
        state = self.state
        enumeration = Enumeration(self.point.trees, self.values.words, self.values.costs, self.sums.too_small, slack)
        work = enumeration.iter_points()
        while True:
            looked_at = enumeration.n_looked_at
            try:
                next(work)
            except StopIteration as end:
                points: list[ExcessPoints] = end.value
                break
            finally:
                state.budget.spend(elements=ELEMENTS_PER_POINT_PAIR * (enumeration.n_looked_at - looked_at), calls=20)
            yield from state.iter_show(LOOKING_NEAR_BOUND)
            if state.is_over:
                return False
        below = points[1]
        values = self.values.forms(points)
        state.budget.spend(elements=3 * values.size)
        bands = narrow_bands(state.terms, values, state.objective - state.least_loss)
        for pairs in root_pairs(enumeration, below, bands, slack):
            state.budget.spend(elements=ELEMENTS_PER_POINT_PAIR * len(pairs.excess), calls=20)
            yield from self._iter_join(pairs, points, values)
            if state.is_over:
                return False
        return True

    def _iter_join(self, pairs: Pairs, points: list[ExcessPoints], values: Floats) -> Searching[None]:
        """Offer the best tree of those that pairs below the root make."""
        state, below = self.state, points[1]
        near = np.flatnonzero(pairs.excess <= state.slack + state.bound - self.point.bound)
        for place, bound in enumerate(state.terms.bounds, start=state.terms.limit.start):
            column = values[:, place]
            forms = column[pairs.held[near]] + column[pairs.missed[near]]
            near = near[forms <= bound + SLACK]
        near = near[np.argsort(pairs.excess[near], kind="stable")]
        step = max(FORMS_AT_ONCE // max(values.shape[1], 1), 1)
        for start in range(0, len(near), step):
            part = near[start : start + step]
            state.budget.spend(elements=6 * len(part) * max(values.shape[1], 1))
            held, missed = pairs.held[part], pairs.missed[part]
            prices = below.costs[held] + below.costs[missed] + state.problem.split_price
            objectives = state.terms.objectives(state.terms.base + prices, values[held] + values[missed])
            best = int(np.argmin(objectives))
            if objectives[best] < state.objective - OBJECTIVE_TOLERANCE / 2:
                choice = int(pairs.choices[part][best])
                shape = tree_of_points(
                    self.sums, points, state.problem.max_depth, choice, int(held[best]), int(missed[best])
                )
                state.offer(shape.tidy())
            yield from state.iter_show(LOOKING_NEAR_BOUND)
            if state.is_over or pairs.excess[part[-1]] > state.slack + state.bound - self.point.bound:
                break
