"""Few people behind means, medians and quartiles: what may be shown, what is rounded, and what is left of a group."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from fairaudit.errors import LimitError
from fairaudit.presets.findings import MeansFinding

# Medians and quartiles: what somebody has, rounded until several people have it.

STEPS = (0, 1, 2, 5, 10)
"""A figure is not rounded at first, and then to steps of so many in its second digit: 3,414, 3,400, 3,500, 3,000."""


class Amounts:
    """The amounts of people, as they are and rounded.

    Parameters
    ----------
    amounts : ndarray, shape (n_amounts,)
        The amounts that occur.
    n : ndarray of int, shape (n_amounts,)
        How many people have each.
    """

    def __init__(self, amounts: np.ndarray, n: np.ndarray):
        self.values, self.n = amounts, n
        self.rounded = {step: np.array([in_steps(each, step) for each in amounts]) for step in STEPS}

    def shared(self, value: float, inside: np.ndarray, minimum: int) -> float | None:
        """Return a figure, rounded until `minimum` of some people or more have it, so rounded; None if fewer do."""
        if math.isnan(value):
            return value
        for step, amounts in self.rounded.items():
            shown = in_steps(value, step)
            if self.n[inside & (amounts == shown)].sum() >= minimum:
                return shown
        return None


def in_steps(value: float, step: int) -> float:
    """Return a number in steps of so many in its second digit; itself for no step."""
    if not step or not value:
        return value
    unit = step * 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return float(f"{round(value / unit) * unit:.2g}")


# Few people behind a mean: a small group, one person who has most, or few values, with a count of people behind each.
#
# A mean of 0.02 of fifty people says that one of them has a 1, if all others have a 0. The values of a column are not
# kept with its means, but follow from them: with two values, the mean of a group gives its variance. A reader who knows
# the values, as those of a tariff, has three equations: the number of people, the sum and the sum of squares. With
# three values they say how many have each; with four or five, other whole numbers of people may fit, too, or not.

WHOLE_WITHIN = 1e-4
"""How far from a whole number a count may be that is worked out from floating-point means and deviations."""

LARGEST_SHARE = 0.5
"""The largest share of a sum that one person may have."""

MOST_KNOWN = 5
"""Of a group that has so many different amounts or fewer, a reader is taken to know these."""

BALANCED = 4
"""Of so many amounts, people can be exchanged so that their number, their sum and their sum of squares stay."""


class GroupAmounts(Protocol):
    """The amounts of a group: how many people, their mean, and the standard deviation of a sample."""

    @property
    def n(self) -> int:
        """How many people."""

    @property
    def mean(self) -> float:
        """Their mean."""

    @property
    def deviation(self) -> float:
        """The standard deviation of a sample."""


def has_few(means: MeansFinding, minimum: int) -> bool:
    """Say whether few people stand behind a figure of a table of means."""
    rows = means.table.rows
    if 0 < means.unknown < minimum or 0 < means.table.missing < minimum:
        return True
    return any(0 < row.n < minimum or (row.n > 0 and reveals_few(row, rows, minimum)) for row in rows)


def reveals_few(group: GroupAmounts, groups: Sequence[GroupAmounts], minimum: int) -> bool:
    """Say whether the figures of a group, one of several, show what few of its people have."""
    return has_few_of_two(group, groups, minimum) or may_be_dominated(group)


@lru_cache(maxsize=100_000)
def shows_few_of_known(values: tuple[float, ...], people: tuple[int, ...], minimum: int) -> bool:
    """Say whether mean and deviation of a group show, to a range that is too narrow, how few have one of its amounts.

    Parameters
    ----------
    values : tuple of float
        The amounts that occur in the group, at most `MOST_KNOWN` of them, ascending.
    people : tuple of int
        How many have each.
    minimum : int
        Counts under it are small.

    Notes
    -----
    A count is open if there are other numbers of people with the same number, sum and sum of squares, and the same
    quartiles, in which it is far away. They are looked for among exchanges between four of the amounts; with three,
    there are none. With more that are not seen as few, the answer would be no less strict.
    """
    if len(values) == 1:
        return True
    small = [place for place, n in enumerate(people) if n < minimum]
    if not small:
        return False
    low, high = list(people), list(people)
    spread = (minimum + 1) // 2
    for places in itertools.combinations(range(len(values)), BALANCED):
        by = _exchange([values[place] for place in places])
        for sign in (1, -1):
            found = list(people)
            for _ in range(spread):
                for place, more in zip(places, by, strict=True):
                    found[place] += sign * more
                if min(found) < 0 or _middle(found) != _middle(people):
                    break
                low, high = list(map(min, low, found)), list(map(max, high, found))
    return any(high[place] - low[place] < spread for place in small)


def _exchange(values: Sequence[float]) -> list[int]:
    """Return by how much the numbers of people with four amounts change, at least, with the same sums and squares."""
    exact = [Fraction(repr(value)) for value in values]
    # Divided differences of third order are 0 for all polynomials of second order.
    products = [math.prod((one - other for other in exact if other != one), start=Fraction(1)) for one in exact]
    common = math.lcm(*(each.numerator for each in products))
    whole = [int(common / each) for each in products]
    return [each // math.gcd(*whole) for each in whole]


def _middle(people: Sequence[int]) -> list[int]:
    """Return which amounts quartiles lie at or between."""
    ends, n = list(itertools.accumulate(people)), sum(people)
    ranks = {rank for part in (1, 2, 3) for rank in (part * (n - 1) // 4, -(-part * (n - 1) // 4))}
    return [next(place for place, end in enumerate(ends) if rank < end) for rank in sorted(ranks)]


def may_be_dominated(group: GroupAmounts) -> bool:
    """Say whether one person may have more than half of all that a group has."""
    return bool(may_dominate(np.array(group.n), np.array(group.mean), np.array(group.deviation)))


def may_dominate(n: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    """Say of each group of at least one person whether one may have more than half of all that the group has.

    Of `n` amounts none is further from the mean than ``(n - 1) / sqrt(n)`` standard deviations (Samuelson, 1968). Where
    there is no deviation, as it is NaN, the answer is no. Of amounts below 0 it is the one furthest below.
    """
    size = np.abs(mean)
    largest = size + deviation * (n - 1) / np.sqrt(n)
    return (size > 0) & (largest > LARGEST_SHARE * n * size)


def has_few_of_two(group: GroupAmounts, groups: Sequence[GroupAmounts], minimum: int) -> bool:
    """Say whether a group has one amount only, or two of which few people have one."""
    if group.deviation == 0:
        return True
    counts = [_with_second(group, *pair) for pair in (*_pairs(groups), *_from_zero(group))]
    return any(count is not None and min(count, group.n - count) < minimum for count in counts)


def _pairs(groups: Sequence[GroupAmounts]) -> Iterator[tuple[float, float]]:
    """Return the two values that a column may have: usual codes, and what the groups that differ most agree with."""
    yield 0.0, 1.0
    yield 1.0, 2.0
    rows = [row for row in groups if row.n > 1]
    if not rows:
        return
    low, high = min(rows, key=lambda row: row.mean), max(rows, key=lambda row: row.mean)
    apart = high.mean - low.mean
    if apart > 0:
        # With values a and b, the variance of a group is (mean - a)(b - mean). Two groups give a and b, here both less
        # the lower mean: their sum, and as their product the variance of that group, negative.
        total = (_variance(high) - _variance(low)) / apart + apart
        spread = math.sqrt(total**2 + 4 * _variance(low))
        yield low.mean + (total - spread) / 2, low.mean + (total + spread) / 2


def _from_zero(row: GroupAmounts) -> Iterator[tuple[float, float]]:
    """Return zero and the other value of a group, if the others have nothing: their sum is that of few people."""
    if row.mean:
        yield 0.0, row.mean + _variance(row) / row.mean


def _variance(row: GroupAmounts) -> float:
    return row.deviation**2 * (row.n - 1) / row.n


def _with_second(row: GroupAmounts, first: float, second: float) -> int | None:
    """Return how many people of a group have the second of two values; None where it has others."""
    if not math.isclose(_variance(row), (row.mean - first) * (second - row.mean), rel_tol=1e-6):
        return None
    count = row.n * (row.mean - first) / (second - first)
    whole = round(count)
    # With one value alone there would be no deviation.
    return whole if abs(count - whole) < WHOLE_WITHIN and 0 < whole < row.n else None


# What is left of a group of amounts once others inside it are taken away: two means and deviations give a third.

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
