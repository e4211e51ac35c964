"""Few people behind a mean: a small group, one person who has most, or few values, with a count of people behind each.

A mean of 0.02 of fifty people says that one of them has a 1, if all others have a 0. The values of a column are not
kept with its means, but follow from them: with two values, the mean of a group gives its variance. A reader who knows
the values, as those of a tariff, has three equations: the number of people, the sum and the sum of squares. With three
values they say how many have each; with four or five, other whole numbers of people may fit, too, or not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

import numpy as np

from fairaudit.presets.findings import MeansFinding

NEAR = 1e-4
"""How far from a whole number a count may be that is worked out from floating-point means and deviations."""

LARGEST_SHARE = 0.5
"""The largest share of a sum that one person may have."""

MOST_KNOWN = 5
"""Of a group that has so many different amounts or fewer, a reader is taken to know these."""

BALANCED = 4
"""Of so many amounts, people can be exchanged so that their number, their sum and their sum of squares stay."""


class Amounts(Protocol):
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


def reveals_few(group: Amounts, groups: Sequence[Amounts], minimum: int) -> bool:
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


def may_be_dominated(group: Amounts) -> bool:
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


def has_few_of_two(group: Amounts, groups: Sequence[Amounts], minimum: int) -> bool:
    """Say whether the amounts of a group are all the same, or of two values of which few people have one."""
    if group.deviation == 0:
        return True
    counts = [_with_second(group, *pair) for pair in (*_pairs(groups), *_from_zero(group))]
    return any(count is not None and min(count, group.n - count) < minimum for count in counts)


def _pairs(groups: Sequence[Amounts]) -> Iterator[tuple[float, float]]:
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


def _from_zero(row: Amounts) -> Iterator[tuple[float, float]]:
    """Return zero and the other value of a group, if the others have nothing: their sum is that of few people."""
    if row.mean:
        yield 0.0, row.mean + _variance(row) / row.mean


def _variance(row: Amounts) -> float:
    return row.deviation**2 * (row.n - 1) / row.n


def _with_second(row: Amounts, first: float, second: float) -> int | None:
    """Return how many people of a group have the second of two values; None where it has others."""
    if not math.isclose(_variance(row), (row.mean - first) * (second - row.mean), rel_tol=1e-6):
        return None
    count = row.n * (row.mean - first) / (second - first)
    whole = round(count)
    # With one value alone there would be no deviation.
    return whole if abs(count - whole) < NEAR and 0 < whole < row.n else None
