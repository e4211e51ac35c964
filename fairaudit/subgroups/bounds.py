"""How far groups of a size can be from everyone else: a bound for all of them at once, from all rows.

The groups are those that conditions on the columns searched make, and no others. That some group is more than ``b``
behind is the union of as many hypotheses as there are groups. It is refuted where each of them is, by a test of its own
at the full level: the true worst group is one of them, whichever it is, and its own one-sided bound fails with
``1 - confidence`` (an intersection-union test). So the largest of the one-sided bounds holds for all these groups
together, without a correction for how many there are, however much they overlap, and whichever looks worst. Which
groups there are on the columns depends on sizes, never on an outcome. Which columns are left out as near copies of the
decision does depend on it: of groups made of these, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.disclosure.fields import figure, setting
from fairaudit.events import STOP, Command, Progress
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.intervals import combined_distance
from fairaudit.measure.plain import Hideable
from fairaudit.subgroups.cells import Cells, ColumnLevels
from fairaudit.subgroups.search import Floats, Set, conjunctions, places
from fairaudit.work import Budget

LEAST_SKEWNESS: Final = 1e-6
"""Of a difference; below it, nothing is transformed."""

DIGITS: Final = 9
"""Significant digits of a bound: further ones depend on the processor."""


@dataclass(frozen=True)
class GapBounds:
    """What the gap of no group exceeds, with one confidence for all groups of a size together."""

    min_rows: int = setting(
        "The fewest rows of a group, and of everyone else, in all rows.",
        label="smallest group",
        kind="count",
        brief="The fewest cases of a group, and of everyone else.",
    )
    confidence: float = setting("With which each of both bounds holds.")
    n_groups: Hideable[int] = figure(
        "The groups that are so large.", label="groups", kind="count", brief="Groups that are so large."
    )
    below: float = figure(
        "No group has a share or mean that is further below that of everyone else; NaN where no group is so large.",
        label="none is further below",
        kind="points",
        brief="What no group is further below everyone else.",
    )
    above: float = figure(
        "No group has one that is further above it.",
        label="none is further above",
        kind="points",
        brief="What no group is further above everyone else.",
    )


@dataclass(frozen=True, eq=False)
class LargeGroups:
    """The groups on a set of columns that are large enough. Shapes: all (n_groups,).

    Parameters
    ----------
    n : ndarray of float
        Rows of each.
    total, squares, cubes : ndarray of float
        The sums of their values, of the squares, and of the cubes of these.
    """

    n: Floats
    total: Floats
    squares: Floats
    cubes: Floats


def large_groups(
    cells: Cells,
    columns: Sequence[ColumnLevels],
    *,
    protected: frozenset[int] | None,
    max_conditions: int,
    min_rows: int,
) -> Iterator[LargeGroups]:
    """Count all groups that are large enough on either side, a set of columns after the other."""
    n, value = cells.n.astype(float), cells.value
    # Powers of 0 and 1 are the same.
    powers = (1,) if cells.of_shares else (1, 2, 3)
    small: set[Set] = set()
    for size in range(1, min(max_conditions, len(columns)) + 1):
        for each in combinations(range(len(columns)), size):
            if any(part in small for part in combinations(each, size - 1)):
                # Where no group on fewer columns is large enough, none on more is.
                small.add(each)
                continue
            place, shape = places(cells.codes, columns, each)

            def table(sums: Floats, place: NDArray[np.int64] = place, shape: Set = shape, each: Set = each) -> Floats:
                by_level = sums_by_code(place, sums, int(np.prod(shape))).reshape(shape)
                return conjunctions(by_level, columns, each).ravel()

            rows = table(n)
            if not (rows >= min_rows).any():
                small.add(each)
            if protected is not None and protected.isdisjoint(each):
                continue
            kept = (rows >= min_rows) & (cells.n_rows - rows >= min_rows)
            if kept.any():
                sums = [table(n * value**power)[kept] for power in powers]
                yield LargeGroups(rows[kept], *(sums * 3)[:3])


def bounded(
    cells: Cells,
    columns: Sequence[ColumnLevels],
    *,
    protected: frozenset[int] | None,
    max_conditions: int,
    min_rows: int,
    confidence: float,
    budget: Budget,
) -> Generator[Progress, Command | None, GapBounds | None]:
    """Bound the gap of all groups, yielding a step after each set of columns; None where not all could be counted.

    References
    ----------
    Berger (1982), "Multiparameter hypothesis testing and acceptance sampling", on intersection-union tests; Clopper and
    Pearson (1934) and Zou and Donner (2008) for the bound of each group; Hall (1992), "On the removal of skewness by
    transformation", for means.
    """
    n_groups, below, above = 0, np.nan, np.nan
    ends = _ends_of_shares if cells.of_shares else _ends_of_means
    if not cells.of_shares:
        # Squares of what is far from 0 would leave no digits to the variance.
        cells = replace(cells, value=cells.value - (cells.n * cells.value).sum() / cells.n_rows)
    everybody = np.array([(cells.n * cells.value**power).sum() for power in range(4)])
    for found in large_groups(cells, columns, protected=protected, max_conditions=max_conditions, min_rows=min_rows):
        groups = np.stack([found.n, found.total, found.squares, found.cubes])
        low, high = ends(groups, everybody[:, None] - groups, confidence)
        n_groups += len(found.n)
        below, above = np.fmax(below, (-low).max()), np.fmax(above, high.max())
        budget.spend(elements=(4 if cells.of_shares else 6) * len(cells.n) + 400 * len(found.n), calls=20)
        if budget.is_over or (yield Progress("Bounding all groups", budget.steps(100), 100)) is STOP:
            return None
    # Where no group can be on a side, it is 0 that none exceeds there.
    reached = (math.nan if np.isnan(end) else float(f"{max(end, 0.0):.{DIGITS}g}") for end in (below, above))
    return GapBounds(min_rows, confidence, n_groups, *reached)


def _ends_of_shares(groups: Floats, rest: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return both one-sided ends of each gap, from the exact ends of both shares."""
    share, low, high = _exact(groups[0], groups[1], confidence)
    other, other_low, other_high = _exact(rest[0], rest[1], confidence)
    gap = share - other
    return (
        gap - combined_distance(share - low, other_high - other, 0.0),
        gap + combined_distance(high - share, other - other_low, 0.0),
    )


def _exact(n: Floats, positives: Floats, confidence: float) -> tuple[Floats, Floats, Floats]:
    """Return shares with their one-sided ends by Clopper and Pearson."""
    # Sums of whole numbers; the functions are undefined at both ends, where nothing is below or above.
    k = np.rint(positives)
    low = special.betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, 1 - confidence)
    high = special.betaincinv(np.minimum(k, n - 1) + 1, n - np.minimum(k, n - 1), confidence)
    return k / n, np.where(k > 0, low, 0.0), np.where(k < n, high, 1.0)


def _ends_of_means(groups: Floats, rest: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return both one-sided ends of each difference of means.

    They are Welch's, or further out where values are skewed: Hall's transformation of t, with the skewness of a group
    or, where that makes the end wider, that of all rows, as few rows of a skewed distribution show too little of it.
    """
    (mean, error, freedom, skewness), (other, other_error, other_freedom, other_skewness) = map(_mean, (groups, rest))
    variance = error + other_error
    with np.errstate(invalid="ignore", divide="ignore"):
        both = variance**2 / (error**2 / freedom + other_error**2 / other_freedom)
    t = special.stdtrit(np.where(np.isfinite(both), both, 1.0), confidence)
    of_all = _mean(groups + rest)[3]
    low, high = (
        # The skewness of a mean of n is that of its values by the root of n.
        pick(skewness, of_all) * error**1.5 / np.sqrt(groups[0])
        - other_pick(other_skewness, of_all) * other_error**1.5 / np.sqrt(rest[0])
        for pick, other_pick in ((np.minimum, np.maximum), (np.maximum, np.minimum))
    )
    return (
        mean - other - np.sqrt(variance) * np.maximum(t, _transformed(t, low, variance)),
        mean - other + np.sqrt(variance) * np.maximum(t, -_transformed(-t, high, variance)),
    )


def _transformed(t: Floats, third: Floats, variance: Floats) -> Floats:
    """Return the ``T`` at which Hall's ``T + a T^2 / 3 + a^2 T^3 / 27 + a / 6`` is `t`, where ``a`` is the skewness."""
    with np.errstate(invalid="ignore", divide="ignore"):
        a = third / variance**1.5
        found = 3 / a * (np.cbrt(1 + a * (t - a / 6)) - 1)
    return np.where(np.abs(a) > LEAST_SKEWNESS, found, t)


def _mean(groups: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return means, their squared standard errors, degrees of freedom, and the skewness of values."""
    n, total, squares, cubes = groups
    mean = total / n
    freedom = np.maximum(n - 1, 1)
    spread = np.maximum(squares - n * mean**2, 0.0)
    third = cubes - 3 * mean * squares + 2 * n * mean**3
    with np.errstate(invalid="ignore", divide="ignore"):
        skewness = np.where(spread > 0, third / n / (spread / n) ** 1.5, 0.0)
    return mean, spread / freedom / n, freedom, skewness
