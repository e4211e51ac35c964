"""All trees whose Lagrangian cost is near the least: from the leaves up, as points.

A point of a set of literals is what a subtree below it comes to: its loss and splits, and how many rows of each class
it predicts 1, where rows of a class count alike in all forms. Of two points with the same counts only the cheaper one
can be needed. How far the Lagrangian cost of a point is above the best is its excess. A tree is near enough where its
excess is at most the slack; so, from the root down, each set has an excess that its points may have at most::

    room(S, l) = max over S of room(S) - (split_price + V(S, l) + V(S, not l) - V(S))
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.subtrees import BestSubtrees

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
class Points:
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
        As in `Points`.
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

    def iter_points(self) -> Generator[None, None, list[Points]]:
        """Find the points; yield now and then."""
        found: list[Points] = [self._sorted(self._leaves(self.sets.longest), self.sets.longest)]
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

    def _joined(self, pairs: Pairs, below: Points) -> list[NDArray[np.generic]]:
        """Return the columns of the points that pairs make."""
        costs = below.costs[pairs.held] + below.costs[pairs.missed] + self.trees.split_price
        counts = below.counts[pairs.held] + below.counts[pairs.missed]
        return [pairs.owners, pairs.excess, costs, counts, pairs.choices, pairs.held, pairs.missed]

    def _pairs(self, length: int, below: Points) -> Generator[Pairs, None, None]:
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

    def _sorted(self, columns: list[NDArray[Any]], length: int) -> Points:
        order = np.lexsort((columns[1], columns[0]))
        owners, excess, costs, counts, choices, held, missed = (column[order] for column in columns)
        first = np.searchsorted(owners, np.arange(self.sets.sizes[length] + 1))
        return Points(owners, excess, costs, counts, choices, held, missed, first)


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
