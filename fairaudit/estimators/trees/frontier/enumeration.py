"""All trees whose Lagrangian cost is near the least: from the leaves up, as points.

A point of a set of literals is what a subtree below it comes to: its loss and splits, and how many rows of each class
it predicts 1, where rows of a class count alike in all forms. Of two points with the same counts only the cheaper one
can be needed. How far the Lagrangian cost of a point is above the best is its excess. A tree is near enough where its
excess is at most the slack; so, from the root down, each set has an excess that its points may have at most::

    room(S, l) = max over S of room(S) - (split_price + V(S, l) + V(S, not l) - V(S))
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.dual.terms import Kinds
from fairaudit.estimators.trees.frontier.conjunction_sums import BestSubtrees, ConjunctionSums

# Counts of rows by class, packed into whole numbers that add up as the counts do.

Counts = NDArray[np.int64]

WORD: Final = 2**62
"""What a word holds is below that."""


class Packing:
    """How counts are packed: as digits, of which none overflows, since no count exceeds the rows of its class.

    Parameters
    ----------
    kinds : Kinds
        The kinds of rows; those that count alike in all forms are of one class.
    sizes : ndarray of int, shape (n_kinds,)
        Rows of each kind.

    Notes
    -----
    A class that counts nothing in any form is not packed. Several words are used where one is too short.
    """

    def __init__(self, kinds: Kinds, sizes: Counts) -> None:
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
            if factor * radix >= WORD:
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

ROUNDING: Final = 1e-10
"""By so much an excess may be above its room: sums of shares of rows in double precision."""
CHUNK: Final = 1 << 19
"""Pairs that are joined at once."""
MIXING: Final = np.random.default_rng(0).integers(2**61, 2**62, 64) * 2 + 1
"""Odd factors that make one number of several, modulo 2^64."""
ZERO, ONE = -1, -2
"""In the place of a variable, where a point is a leaf that predicts 0 or 1."""


class TooManyPointsError(Exception):
    """More points than may be held."""


@dataclass(frozen=True, eq=False)
class ExcessPoints:
    """The points of all sets of one length, in the order of sets, and within a set by excess.

    Parameters
    ----------
    owners : ndarray of int, shape (n,)
        The set of each point.
    excess : ndarray of float, shape (n,)
        How far above the best.
    costs : ndarray of float, shape (n,)
        Loss beyond that of predicting 0, and the price of splits.
    counts : ndarray of int, shape (n, n_words)
        How many rows of each class are predicted 1, as packed by `Packing`.
    choices : ndarray of int, shape (n,)
        The place of the variable among those outside the set, `ZERO` or `ONE`.
    held, missed : ndarray of int, shape (n,)
        The points of the two subtrees, in those of the next length.
    first : ndarray of int, shape (n_sets + 1,)
        Where the points of each set begin.
    """

    owners: Places
    excess: Floats
    costs: Floats
    counts: Places
    choices: Places
    held: Places
    missed: Places
    first: Places

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.owners)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of a point where a literal holds and one where it does not, for splits of some sets.

    Parameters
    ----------
    owners, choices, held, missed : ndarray of int, shape (n,)
        As in `ExcessPoints`.
    excess : ndarray of float, shape (n,)
        Of the joined subtree.
    """

    owners: Places
    choices: Places
    held: Places
    missed: Places
    excess: Floats


class Enumeration:
    """The points within a slack.

    Parameters
    ----------
    trees : BestSubtrees
        The best subtrees.
    counts : list of ndarray of int, shape (n_sets, n_words)
        For each length, the rows of each class, packed; no words where classes are not counted.
    costs : list of ndarray of float
        For each length, what predicting 1 adds to the loss.
    too_small : list of ndarray of bool, optional
        For each length, which sets make no leaf.
    slack : float
        The excess of whole trees, at most.
    most : int
        Points to hold.
    """

    def __init__(
        self,
        trees: BestSubtrees,
        counts: list[Places],
        costs: list[Floats],
        too_small: list[NDArray[np.bool_]] | None,
        slack: float,
        most: int,
    ) -> None:
        self.trees, self.counts, self.costs, self.too_small = trees, counts, costs, too_small
        self.sets, self.values = trees.sets, trees.values
        self.slack, self.most, self.n_points, self.n_looked_at = slack, most, 0, 0
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
        owners = np.flatnonzero(self.rooms[length] >= -ROUNDING)
        held, missed = (children[owners] for children in self.sets.children[length])
        below = self.values[length + 1]
        extra = below[held] + below[missed] + (self.trees.split_price - self.values[length][owners])[:, None]
        places, choices = np.nonzero(extra <= self.rooms[length][owners][:, None] + ROUNDING)
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
                if self.n_points + n_here > self.most:
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
        near = self.rooms[length] >= -ROUNDING
        if self.too_small is not None:
            near &= ~self.too_small[length]
        sets = np.flatnonzero(near)
        room, values = self.rooms[length][sets] + ROUNDING, self.values[length][sets]
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
        room = self.rooms[length][owners] - extra + ROUNDING
        # A stretch of 1 for each set, in which an excess of `span` would be at the end.
        span = 2 * self.slack + 4 * ROUNDING
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
    """Iterate over ranges of stretches that together are not much longer than `CHUNK`."""
    ends, start = np.cumsum(lengths), 0
    while start < len(lengths):
        before = ends[start - 1] if start else 0
        end = max(int(np.searchsorted(ends, before + CHUNK, side="right")), start + 1)
        yield start, end
        start = end


def places_within(lengths: Places) -> Places:
    """Return 0, 1, ... for each stretch of so many.

    Examples
    --------
    >>> places_within(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _stacked(parts: list[list[NDArray[np.generic]]]) -> list[NDArray[np.generic]]:
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _cheapest(columns: list[NDArray[np.generic]]) -> list[NDArray[np.generic]]:
    """Keep of the points of a set with the same counts the cheapest."""
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

Words = NDArray[np.int64]

BITS: Final = 36
"""Of a random number: sums over all cells are exact in double precision."""
MOST_NUMBERS: Final = 60_000_000
"""Forms of points to hold."""
BATCH: Final = 4_000_000
"""Cells of sets looked at together."""


class CountedValues:
    """For rows of few kinds.

    Parameters
    ----------
    sums : ConjunctionSums
        With counts by kind.
    """

    def __init__(self, sums: ConjunctionSums) -> None:
        kinds = sure(sums.terms.kinds)
        sizes = np.bincount(kinds.of_cells, weights=sums.terms.problem.rows.weights).astype(np.int64)
        self._packing = Packing(kinds, sizes)
        by_length = sums.sets.shorter_sums(sure(sums.counts))
        self.words = [self._packing.packed(counts) for counts in by_length]
        self.costs = [kinds.costs @ counts for counts in by_length]

    def forms(self, points: Sequence[ExcessPoints]) -> Floats:
        """Return the forms of the points of one literal, shape (n, n_forms), column by column in memory."""
        return np.asfortranarray(self._packing.form_values(points[1].counts))


class SummedValues:
    """For rows of many kinds.

    Parameters
    ----------
    sums : ConjunctionSums
        Of the splits.
    """

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

    def _of_sets(self, length: int, numbers: Words) -> Floats:
        """Return the forms of predicting 1 for just the rows of some sets."""
        sums, forms = self._sums, self._sums.terms.forms
        found = np.zeros((len(numbers), forms.shape[0]))
        step = max(BATCH // max(len(sums.holds), 1), 1)
        for start in range(0, len(numbers), step):
            part = numbers[start : start + step]
            inside = np.ones((len(sums.holds), len(part)))
            variables = sums.sets.variables[length][part >> length]
            for place in range(length):
                held = sums.holds[:, variables[:, place]]
                inside *= np.where(part >> place & 1, held, 1 - held)
            found[start : start + step] = (forms @ inside).T
        return found
