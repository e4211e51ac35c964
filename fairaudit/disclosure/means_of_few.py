"""Few people behind a mean: a small group, one person who has most, or two values, with a count of people behind each.

A mean of 0.02 of fifty people says that one of them has a 1, if all others have a 0. The values of a column are not
kept with its means, but follow from them: with two values, the mean of a group gives its variance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from fairaudit.presets.findings import MeansFinding

NEAR = 1e-4
"""How far from a whole number a count may be that is worked out from floating-point means and deviations."""

LARGEST_SHARE = 0.5
"""The largest share of a sum that one person may have."""


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
