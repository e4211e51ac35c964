"""What is left of a group of amounts once others inside it are taken away: two means and deviations give a third."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from fairaudit.disclosure.means_of_few import MOST_KNOWN, may_dominate, shows_few_of_known
from fairaudit.disclosure.shared import Amounts
from fairaudit.errors import LimitError

MOST_GROUPS = 1_000
"""The most groups of amounts whose differences are looked at: those of three groups take a few seconds."""
ROUNDING = 1e-9
"""How far from 0 rounding may leave a number that is 0."""


class Rests:
    """What is left of groups of amounts less one or two others, and less those of a table that they hold.

    Parameters
    ----------
    inside : ndarray of bool, shape (n_groups, n_parts)
        Which parts of the people each group is made of.
    amounts : Amounts
        The amounts that occur in each part.
    part : ndarray of int, shape (n_amounts,)
        The part of each amount.
    minimum : int
        Counts under it are small.
    tables : sequence of sequence of int
        Groups that have nobody in common, such as the rows of a table.
    pairs : sequence of sequence of int
        Likewise the two sides of a comparison: what is left beside one of them is no group of its own here.

    Raises
    ------
    LimitError
        There are too many groups to look at all of their differences.
    """

    def __init__(
        self,
        inside: np.ndarray,
        amounts: Amounts,
        part: np.ndarray,
        minimum: int,
        tables: Sequence[Sequence[int]] = (),
        pairs: Sequence[Sequence[int]] = (),
    ):
        self.minimum = minimum
        self.shown, self.inside = inside, _with_unions(inside, tables, pairs)
        values, n, n_parts = amounts.values, amounts.n, inside.shape[1]
        self.center = np.average(values, weights=n) if len(values) else 0.0
        self.values, place = np.unique(values, return_inverse=True)
        self.by_value = csr_array((n.astype(float), (part, place)), shape=(n_parts, len(self.values)))
        many = np.diff(self.by_value.indptr)[part] > MOST_KNOWN
        apart = values - self.center
        each = (n, n * apart, n * apart**2, many)
        self.n = np.bincount(part, weights=n, minlength=n_parts)
        # Of each group how many people, their sum and sum of squares, and whether a part has many amounts; then nobody.
        self.of_parts = np.array([np.bincount(part, weights=weights, minlength=n_parts) for weights in each]).T
        self.sums = np.vstack([self.inside @ self.of_parts, np.zeros(len(each))])

    def revealing(self) -> Iterator[np.ndarray]:
        """Yield the parts of each group and each rest whose mean and deviation show what few people have."""
        for group, sums in zip(self.inside, self.sums, strict=False):
            # That one has most of a group is seen from its figures alone.
            if not sums[-1] and sums[0] >= self.minimum and self._shows_few(group):
                yield group
        for rests in self._all():
            sums = self.sums[rests[:, 0]] - self.sums[rests[:, 1:]].sum(axis=1)
            dominated, many = self._dominated(sums), sums[:, -1]
            for i in np.flatnonzero(dominated | (many == 0)):
                parts = self._parts(*rests[i])
                if dominated[i] or self._shows_few(parts):
                    yield parts

    def following(self, tables: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
        """Yield the parts of two, or all, counts of a table whose mean follows from all that are shown, if it reveals.

        Shapes: each of `tables` (n_counts, n_parts).
        """
        there = self.n > 0
        for sets in (each for table in tables for each in _two_and_all(table)):
            sums = sets @ self.of_parts
            few = (sums[:, 0] >= self.minimum) & (self._dominated(sums) | (sums[:, -1] == 0))
            if not few.any():
                continue
            rows = sets[np.ix_(few, there)].astype(float)
            follows = np.abs(rows - (rows @ self._basis.T) @ self._basis).max(axis=1, initial=0.0) < ROUNDING
            for parts, total in zip(sets[few][follows], sums[few][follows], strict=True):
                if self._dominated(total[None, :])[0] or self._shows_few(parts):
                    yield parts

    @cached_property
    def _basis(self) -> np.ndarray:
        """What sums of the groups that are shown are made of."""
        _, strength, basis = np.linalg.svd(self.shown[:, self.n > 0].astype(float), full_matrices=False)
        return basis[strength > ROUNDING * max(strength, default=0.0)]

    def _dominated(self, sums: np.ndarray) -> np.ndarray:
        """Say of sets of people whether one of them may have more than half of all that they have."""
        n, total, squares, _ = sums.T
        mean = total / np.maximum(n, 1)
        deviation = np.sqrt(np.maximum(squares - total * mean, 0) / np.maximum(n - 1, 1))
        return may_dominate(np.maximum(n, 1), mean + self.center, deviation)

    def _all(self) -> Iterator[np.ndarray]:
        """Yield the group and the one or two that are taken away, of all rests of at least the minimum of people."""
        n, n_groups = self.sums[:-1, 0], len(self.inside)
        both, within = _overlaps(self.inside)
        order = np.argsort(-n, kind="stable")
        for rank, first in enumerate(order):
            second = order[rank + 1 :]
            second = second[(both[first, second] == 0) & (n[second] > 0)]
            # Nobody is in every group.
            place, whole = np.nonzero(np.vstack([within[first], within[first] & within[second]]))
            left = n[whole] - n[first] - np.append(0, n[second])[place]
            rests = np.column_stack([whole, np.full(len(whole), first), np.append(n_groups, second)[place]])
            yield rests[left >= self.minimum]

    def _parts(self, whole: int, *taken: int) -> np.ndarray:
        return self.inside[whole] & ~self.inside[[other for other in taken if other < len(self.inside)]].any(axis=0)

    def _shows_few(self, parts: np.ndarray) -> bool:
        """Say whether all have one amount, or few have one of the few amounts that there are."""
        people = self.by_value.T @ parts
        values = np.flatnonzero(people)
        if len(values) > MOST_KNOWN:
            return False
        n = tuple(int(each) for each in people[values])
        return shows_few_of_known(tuple(self.values[values].tolist()), n, self.minimum)


def _with_unions(
    inside: np.ndarray, tables: Sequence[Sequence[int]], pairs: Sequence[Sequence[int]] = ()
) -> np.ndarray:
    """Return groups, the unions of what they hold of each table and of all of it, and what is left of them, each once.

    What is left of one group beside a table may hold what is left of another: of women and men of all areas, and of
    those of the north.
    """
    held = np.vstack([_overlaps(inside)[1].T, np.ones(len(inside), dtype=bool)])
    found = np.unique(inside, axis=0)
    _check_size(found)
    for table, is_pair in [*((each, False) for each in tables), *((each, True) for each in pairs)]:
        rows = list(table)
        unions = held[:, rows].astype(np.float32) @ inside[rows] > 0
        n_held = held[:, rows].sum(axis=1)
        left = (inside & ~unions[:-1])[n_held[:-1] > 0]
        found = np.unique(np.vstack([found, unions[n_held > 1], *([] if is_pair else [left])]), axis=0)
        _check_size(found)
    return found[found.any(axis=1)]


def _two_and_all(table: np.ndarray) -> Iterator[np.ndarray]:
    yield np.atleast_2d(table.any(axis=0))
    for place in range(1, len(table)):
        yield table[place - 1] | table[place:]


def _check_size(groups: np.ndarray) -> None:
    if len(groups) > MOST_GROUPS:
        raise LimitError(f"Means of {len(groups):,} groups or more are too many to look at all of their differences.")


def _overlaps(inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many parts each two groups have in common, and whether the first is a part of the second."""
    rows = inside.astype(np.float32)
    both = rows @ rows.T
    return both, both == rows.sum(axis=1)[:, None]
