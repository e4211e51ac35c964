"""Changes of the people that leave every sum that is shown as it is, and few people whom counts have in common."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from fairaudit.errors import LimitError

# Few people whom counts have in common, or that are left of some after others are taken away.

MOST_SETS = 100_000
"""The most sets of few people that are looked at."""

CHUNK = 500
"""How many of them are made together."""

TINY = 1e-6


def few_people(rows: np.ndarray, people: np.ndarray, minimum: int) -> csr_array:
    """Return the sets of few people that two or three counts give, each once.

    They are what two counts have in common, a count less another one, a count less two of its parts, and two counts
    together less a third one in them.

    Parameters
    ----------
    rows : ndarray, shape (n_counts, n_parts)
        The counts, as the parts of the people that they add up.
    people : ndarray, shape (n_parts,)
        How many there are in each part.
    minimum : int
        So many are not few.

    Returns
    -------
    csr_array of float, shape (n_sets, n_parts)
        Each set as the parts that it is made of.

    Raises
    ------
    LimitError
        If there are too many sets.
    """
    found: dict[bytes, None] = {}
    for made in _made(rows, people, minimum):
        for key in np.packbits(made, axis=1):
            found.setdefault(key.tobytes())
        if len(found) > MOST_SETS:
            raise LimitError(f"The counts differ in more than {MOST_SETS:,} ways by few people.")
    bits = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(len(found), (rows.shape[1] + 7) // 8)
    return csr_array(np.unpackbits(bits, axis=1, count=rows.shape[1]).astype(float))


def _made(rows: np.ndarray, people: np.ndarray, minimum: int) -> Iterator[np.ndarray]:
    """Yield sets, shape (n, n_parts) of bool, some of them more than once."""
    inside, values = rows.astype(bool), rows @ people
    both, common = (rows * people) @ rows.T, rows @ rows.T
    left = values[:, None] - both
    rests = np.argwhere((left > 0) & (left < minimum))
    # First the rests of a count that holds the other: nothing else is needed to subtract them.
    for one, other in _chunks(rests[np.argsort(left.T[tuple(rests.T)], kind="stable")]):
        yield inside[one] & ~inside[other]
    for one, other in _chunks(np.argwhere(np.triu((both > 0) & (both < minimum), 1))):
        yield inside[one] & inside[other]
    sizes, apart = np.diag(common), _Apart(common, values)
    for number, own in enumerate(inside):
        parts = np.flatnonzero((common[number] == sizes) & (sizes < sizes[number]) & (values > 0))
        for one, other in _chunks(apart.pairs(parts, values[number] - minimum, values[number])):
            yield own & ~inside[one] & ~inside[other]
        across = (common[number] > 0) & (common[number] < sizes[number]) & (values < values[number] + minimum)
        across = np.flatnonzero(across)
        for one, other in _chunks(apart.pairs(across, values[number], values[number] + minimum)):
            holds = common[number, one] + common[number, other] == sizes[number]
            yield (inside[one[holds]] | inside[other[holds]]) & ~own


class _Apart:
    """All pairs of counts that have no part in common, and by their sums."""

    def __init__(self, common: np.ndarray, values: np.ndarray):
        self.common, self.values = common, values
        self.all = np.argwhere(np.triu(common == 0, 1)).astype(np.int32)
        sums = values[self.all].sum(axis=1)
        self.order = np.argsort(sums, kind="stable").astype(np.int32)
        self.sums = sums[self.order]

    def pairs(self, numbers: np.ndarray, least: float, most: float) -> np.ndarray:
        """Return the pairs of these counts with a sum between two limits."""
        ends = np.searchsorted(self.sums, least + TINY, "right"), np.searchsorted(self.sums, most - TINY, "left")
        if len(numbers) ** 2 < ends[1] - ends[0]:
            sums = self.values[numbers][:, None] + self.values[numbers]
            fits = (self.common[np.ix_(numbers, numbers)] == 0) & (sums > least + TINY) & (sums < most - TINY)
            return numbers[np.argwhere(np.triu(fits, 1))]
        these = np.zeros(len(self.values), dtype=bool)
        these[numbers] = True
        pairs = self.all[self.order[ends[0] : ends[1]]]
        pairs = pairs[these[pairs].all(axis=1)]
        return pairs[np.lexsort(pairs.T[::-1])]


def _chunks(pairs: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the first ones and the second ones of some pairs at a time."""
    for start in range(0, len(pairs), CHUNK):
        one, other = pairs[start : start + CHUNK].T
        yield one, other


# Changes of the people, in whole numbers, that leave every sum that is shown as it is.
#
# Most of what is hidden can be seen to stay open without any search: somebody more in one part of the people, somebody
# less in others that balance it. There is one such move for each part, but for as many as there are different sums.

MULTIPLES = (1, 2, 3, 4, 6)
"""By how much a move is multiplied to be in whole numbers."""

STEPS = 12
"""The most moves that are put together to change one count."""

BLOCK = 16
"""So many columns of a table are looked through together."""


class Moves:
    """Moves of the people.

    Parameters
    ----------
    rows : ndarray, shape (n_sums, n_parts)
        The sums that stay, as the parts that they add up.
    room : ndarray, shape (n_parts,)
        How much each part can change; those with the most room balance the others.
    """

    def __init__(self, rows: np.ndarray, room: np.ndarray):
        order = np.argsort(-room, kind="stable")
        table, pivots = _reduced(rows[:, order])
        balancing = order[pivots]
        self.free = np.setdiff1d(np.arange(rows.shape[1]), balancing)
        place = np.empty(len(order), dtype=int)
        place[order] = np.arange(len(order))
        self.exact = np.zeros((len(self.free), rows.shape[1]))
        self.exact[np.arange(len(self.free)), self.free] = 1
        self.exact[:, balancing] = -table[: len(pivots), place[self.free]].T
        self.each = _whole(self.exact)

    def can_change(self, rows: np.ndarray) -> np.ndarray:
        """Say of each of other sums whether any change that leaves these as they are changes it.

        Shapes: `rows` (n, n_parts); returns (n,).
        """
        return np.abs(csr_array(self.exact) @ rows.T).max(axis=0, initial=0) > TINY

    def near(self, change: np.ndarray) -> Iterator[np.ndarray]:
        """Yield changes in whole numbers near another one that leaves the sums as they are."""
        seen = set()
        for rounded in (np.round, np.floor, np.ceil, np.trunc):
            found = rounded(np.round(change[self.free], 6)) @ self.exact
            whole = np.round(found)
            if np.abs(found - whole).max(initial=0) < TINY and whole.tobytes() not in seen:
                seen.add(whole.tobytes())
                yield whole


class Room:
    """How far the people can be changed: nobody less than none, and all facts stay true.

    Parameters
    ----------
    people : ndarray, shape (n_parts,)
        How many there are in each part.
    facts : ndarray, shape (n_facts, n_parts)
        Sums of a change that must be at least `least`.
    """

    def __init__(self, people: np.ndarray, facts: np.ndarray, least: np.ndarray):
        # Each is of few parts.
        self.people, self.facts, self.least = people, csr_array(facts), least

    def has(self, change: np.ndarray) -> bool:
        """Say whether a change is possible."""
        return bool((self.people + change > -TINY).all() and (self._left(change) > -TINY).all())

    def moved(self, moves: np.ndarray) -> np.ndarray:
        """Return by how much each move changes each fact: (n_moves, n_facts)."""
        return moves @ self.facts.T

    def times(self, moves: np.ndarray, moved: np.ndarray) -> np.ndarray:
        """Return how many times each move is possible from where the people are."""
        return self._times(moves, moved, self.people, -self.least)

    def climbed(
        self, moves: np.ndarray, row: np.ndarray, need: float, change: np.ndarray, moved: np.ndarray | None = None
    ) -> np.ndarray:
        """Return a change, from another one on, by which a sum of parts grows by `need`, or by less.

        `moved` is by how much the moves change the facts, where it is known.
        """
        left, gains = need - row @ change, moves @ row
        can = gains != 0
        if left <= TINY or not can.any():
            return change
        sign = np.sign(gains[can])[:, None]
        moved = sign * (self.moved(moves) if moved is None else moved)[can]
        moves, gains = sign * moves[can], np.abs(gains[can])
        used = np.flatnonzero(moves.any(axis=0))
        narrow, room = moves[:, used], self._left(change)
        for _ in range(STEPS):
            times = self._times(narrow, moved, (self.people + change)[used], room)
            times = np.minimum(times, np.ceil(left / gains - TINY))
            if times.max() < 1:
                break
            best = int(np.argmax(np.minimum(times * gains, left)))
            change, room = change + times[best] * moves[best], room + times[best] * moved[best]
            left = need - row @ change
            if left <= TINY:
                break
        return change

    def _left(self, change: np.ndarray) -> np.ndarray:
        """Return by how much each fact may still fall."""
        return self.facts @ change - self.least

    def _times(self, moves: np.ndarray, moved: np.ndarray, people: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Return how many times moves of some parts are possible, which change the facts by `moved`."""
        times = np.full(len(moves), np.inf)
        # Moves have few people: most of their entries are 0.
        move, part = np.nonzero(moves < 0)
        if len(move):
            first = np.flatnonzero(np.diff(move, prepend=-1))
            times[move[first]] = np.minimum.reduceat(people[part] / -moves[move, part], first)
        with np.errstate(divide="ignore", invalid="ignore"):
            times = np.minimum(times, np.where(moved < -TINY, left / -moved, np.inf).min(axis=1, initial=np.inf))
        return np.floor(times + TINY)


def part_key(row: np.ndarray) -> bytes:
    """Return a key for a sum of parts."""
    return np.packbits(row.astype(bool)).tobytes()


def _reduced(table: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Return a table in reduced echelon form, and its pivots: each the first column that it can be."""
    table, column = np.array(table, dtype=float), 0
    pivots: list[int] = []
    while len(pivots) < len(table) and column < table.shape[1]:
        done = len(pivots)
        used = (np.abs(table[done:, column : column + BLOCK]) > TINY).any(axis=0)
        if not used.any():
            column += BLOCK
            continue
        column += int(np.argmax(used))
        size = np.round(np.abs(table[done:, column]), 6)
        row = done + int(np.argmin(np.where(size > 0, np.abs(size - 1), np.inf)))
        table[[done, row]] = table[[row, done]]
        table[done] /= table[done, column]
        others = np.flatnonzero(np.abs(table[:, column]) > TINY)
        others = others[others != done]
        table[others, column:] -= table[others, column, None] * table[done, column:]
        pivots.append(column)
        column += 1
    return table, pivots


def _whole(moves: np.ndarray) -> np.ndarray:
    """Return moves in whole numbers, those that can be made so."""
    found, left = [], moves
    for times in MULTIPLES:
        rounded = np.round(times * left)
        is_whole = np.abs(times * left - rounded).max(axis=1, initial=0) < TINY
        found.append(rounded[is_whole])
        left = left[~is_whole]
    return np.concatenate(found)
