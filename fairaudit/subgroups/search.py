"""The search: sets of columns by branch and bound, and all conjunctions on a set at once.

A conjunction takes one condition of each column of a set. The rows of a set are counted once by the levels of its
columns; the counts of all conjunctions follow by adding levels up. Sets grow by a column at a time. A set is left out
where, for each ranking, the best part of every conjunction on one of its subsets is no better than what was found: all
conjunctions on the larger set are such parts. Sets with the best bound come first.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.events import STOP, Command, Progress
from fairaudit.measure.bands import sums_by_code
from fairaudit.subgroups.cells import Cells, ColumnLevels
from fairaudit.subgroups.kinds import Direction, Ranking
from fairaudit.work import Budget

# What subgroups are ranked by, and the best that any part of one could reach.
#
# All rankings are a factor of the same sum over the rows of a subgroup, ``d = sum (value - mean of all)``:
#
# =========  ====================================  ========================================================
# people     ``d / N``                             people affected: rows x gap to the share of all, by all rows
# gap        ``d N / (n (N - n))``                 the share of the subgroup less that of everybody else
# evidence   ``d sqrt(N / (n (N - n))) / s``       that gap in standard errors; ``s`` is the deviation of all rows
# =========  ====================================  ========================================================

Floats = NDArray[np.float64]

RANKINGS: Final[tuple[Ranking, ...]] = ("people", "gap", "evidence")

GAP_SHARE: Final = 0.01
"""The least share of the rows that a subgroup ranked by its gap has."""

DIGITS: Final = 9
"""Significant digits, less one, by which scores of weighted rows are compared."""

EXPECTED: Final = 5.0
"""The least number of rows of either outcome that a subgroup ranked by evidence would have without a gap."""


@dataclass(frozen=True)
class SampledPopulation:
    """Rows with sampling weights: how many there are, and the smallest weight."""

    n_rows: int
    lightest: float


@dataclass(frozen=True)
class Population:
    """What subgroups are compared with.

    Parameters
    ----------
    n : int
        Rows.
    total : float
        The sum of their values.
    deviation : float
        The standard deviation of their values.
    shares : bool
        Whether values are 0 or 1.
    min_rows : int
        The fewest rows of a subgroup.
    sampled : SampledPopulation, optional
        Where rows have sampling weights: `n` is then the sum of these.
    """

    n: float
    total: float
    deviation: float
    shares: bool
    min_rows: int
    sampled: SampledPopulation | None = None

    @property
    def mean(self) -> float:
        """The mean value."""
        return self.total / self.n

    @property
    def n_rows(self) -> float:
        """All rows, whatever they count for."""
        return self.n if self.sampled is None else self.sampled.n_rows

    @property
    def lightest(self) -> float:
        """The least that a row counts for."""
        return 1.0 if self.sampled is None else self.sampled.lightest

    def least(self, ranking: Ranking) -> int:
        """Return the fewest rows that a subgroup needs in a ranking."""
        if ranking == "people":
            return self.min_rows
        if ranking == "gap":
            return max(self.min_rows, math.ceil(GAP_SHARE * self.n_rows))
        if not self.shares:
            return max(self.min_rows, ENOUGH)
        rarer = min(self.mean, 1 - self.mean)
        return max(self.min_rows, math.ceil(EXPECTED / rarer))

    def excess(self, n: ArrayLike, s: ArrayLike) -> Floats:
        """Return the sum of values less what as many rows would have on average."""
        return np.asarray(s, dtype=float) - np.asarray(n, dtype=float) * (self.total / self.n)

    def factor(self, ranking: Ranking, n: Floats) -> Floats:
        """Return what that excess is multiplied with; `n` is from 1 to below all rows."""
        if ranking == "people":
            return np.full(np.shape(n), 1 / self.n)
        inverse = self.n / (n * (self.n - n))
        if ranking == "gap":
            return inverse
        # With weights, as if they were 1 on average.
        scale = 1.0 if self.sampled is None else self.n_rows / self.n
        return np.sqrt(inverse * scale) / self.deviation

    def rounded(self, scores: Floats) -> Floats:
        """Return scores that are the same on each machine: with weights, equals differ in the last digits."""
        if self.sampled is None:
            return scores
        finite = np.where(np.isfinite(scores) & (scores != 0), scores, 1.0)
        unit = 10.0 ** (np.floor(np.log10(np.abs(finite))) - DIGITS)
        return np.where(np.isfinite(scores), np.rint(scores / unit) * unit, scores)

    def bound(self, ranking: Ranking, n: Floats, s: Floats, above: Floats, sign: int) -> Floats:
        """Return the most that a part of each subgroup could reach in a ranking, in one direction.

        The best part of a subgroup is made of the best of its rows. `above` is the sum of what its values are above the
        mean of all (below it for the sign -1); minus infinity where no part is large enough.
        """
        least = self.least(ranking) * self.lightest
        most = self.n - self.lightest
        if self.shares:
            # Rows of the wanted outcome, and as many others as the least size needs: each further one takes away.
            wanted, mean = (s, self.mean) if sign > 0 else (n - s, 1 - self.mean)
            size = np.maximum(wanted, least)
            best = wanted - size * mean
            size = np.minimum(size, most)
            reached = best * self.factor(ranking, size)
        else:
            # n (N - n) is least at one end.
            sizes = (np.full(np.shape(n), float(least)), n)
            ends = [np.minimum(np.maximum(size, self.lightest), most) for size in sizes]
            reached = above * np.maximum(*(self.factor(ranking, end) for end in ends))
        return np.where(n >= least, np.maximum(reached, 0.0), -np.inf)


SIGNS: Final[dict[Direction, tuple[int, ...]]] = {"both": (-1, 1), "lower": (-1,), "higher": (1,)}
"""Whether a subgroup of interest has less (-1) or more (1) than the rest."""

KEPT: Final = 300
"""The best of each ranking that are kept, before those that are mostly the same people are put together."""

Set = tuple[int, ...]
"""Columns by their places."""


@dataclass(frozen=True)
class Conjunction:
    """A conjunction.

    Parameters
    ----------
    columns : tuple of int
        The places of its columns.
    literals : tuple of int
        For each of them, the place of the condition on it.
    n : int
        Rows.
    score : float
        What it is ranked by.
    sign : int
        Whether it has less (-1) or more (1) than the rest.
    """

    columns: Set
    literals: tuple[int, ...]
    n: int
    score: float
    sign: int

    def is_like(self, other: Conjunction) -> bool:
        """Say whether another one has the same conditions."""
        return (self.columns, self.literals) == (other.columns, other.literals)

    def holds(self, codes: NDArray[np.int16], columns: Sequence[ColumnLevels]) -> NDArray[np.bool_]:
        """Return in which cells it holds."""
        inside = np.ones(len(codes), dtype=bool)
        for column, literal in zip(self.columns, self.literals, strict=True):
            inside &= columns[column].holds[literal][codes[:, column]]
        return inside


@dataclass
class Best:
    """The best of one ranking so far.

    Parameters
    ----------
    found : list of Conjunction
        At most `KEPT`, best first once `sort` was called.
    """

    found: list[Conjunction] = field(default_factory=list)

    @property
    def least(self) -> float:
        """What a further one must exceed."""
        return self.found[-1].score if len(self.found) >= KEPT else 0.0

    def add(self, new: list[Conjunction]) -> None:
        """Add some; of equals, the smaller and then the earlier one comes first."""
        self.found = sorted(self.found + new, key=lambda each: (-each.score, each.n))[:KEPT]


@dataclass(frozen=True)
class SubgroupSearchEnd:
    """The end of a search.

    Parameters
    ----------
    best : dict of str to tuple of Conjunction
        For each ranking, the best first.
    bounds : dict of str to float
        For each ranking, what no subgroup exceeds.
    sets : tuple of tuple of int
        The sets of columns whose conjunctions were counted.
    n_considered : int
        Conjunctions that were counted and are large enough.
    proven : bool
        Whether nothing that could be better was left.
    """

    best: dict[Ranking, tuple[Conjunction, ...]]
    bounds: dict[Ranking, float]
    sets: tuple[Set, ...]
    n_considered: int
    proven: bool


def search(
    cells: Cells,
    columns: Sequence[ColumnLevels],
    population: Population,
    *,
    protected: frozenset[int] | None,
    max_conditions: int,
    direction: Direction,
    budget: Budget,
) -> Generator[Progress, Command | None, SubgroupSearchEnd]:
    """Look for the worst subgroups, yielding a step after each set of columns."""
    best: dict[Ranking, Best] = {ranking: Best() for ranking in RANKINGS}
    reach: dict[Set, NDArray[np.float64]] = {}
    counted: list[Set] = []
    left = np.zeros(len(RANKINGS))
    n_considered, stopped = 0, False
    for size in range(1, min(max_conditions, len(columns)) + 1):
        waiting = _sets(size, len(columns), protected, reach)
        for each, bound in waiting:
            if size > 1 and _is_beaten(bound, best):
                continue
            if stopped or (budget.is_over and counted):
                stopped, left = True, np.maximum(left, bound)
                continue
            n, s, above, rows = count(cells, columns, each, population)
            budget.spend(elements=4 * len(cells.n) + 40 * n.size, calls=20)
            enough = (rows >= population.min_rows) & (rows < population.n_rows)
            n_considered += int(enough.sum())
            for ranking in RANKINGS:
                best[ranking].add(_better(each, population, ranking, direction, (n, s, rows), best[ranking].least))
            if size < max_conditions:
                reach[each] = _reach(population, direction, n, s, above)
            counted.append(each)
            if (yield Progress("Counting groups of people", budget.steps(100), 100)) is STOP:
                stopped = True
        if stopped:
            # What was counted here could still be divided further.
            for each in counted:
                if len(each) == size and size < max_conditions:
                    left = np.maximum(left, reach[each])
            break
    tops = [best[ranking].found[0].score if best[ranking].found else 0.0 for ranking in RANKINGS]
    bounds = np.maximum(tops, left)
    return SubgroupSearchEnd(
        best={ranking: tuple(best[ranking].found) for ranking in RANKINGS},
        bounds=dict(zip(RANKINGS, bounds.tolist(), strict=True)),
        sets=tuple(counted),
        n_considered=n_considered,
        proven=bool((bounds <= tops).all()),
    )


def count(
    cells: Cells, columns: Sequence[ColumnLevels], each: Set, population: Population
) -> tuple[Floats, Floats, tuple[Floats, Floats] | None, Floats]:
    """Return what rows count for and sums of values of all conjunctions on a set of columns, as tables of conditions.

    Of amounts, also what their values are above and below the mean, added up. The last table holds their rows, which
    are the first where none have weights.
    """
    place, shape = places(cells.codes, columns, each)
    size = int(np.prod(shape))

    def table(weights: Floats) -> Floats:
        return conjunctions(sums_by_code(place, weights, size).reshape(shape), columns, each)

    mass = cells.mass
    n, s, above = table(mass), table(cells.total), None
    if not population.shares:
        excess = cells.value - population.mean
        above = (table(mass * np.maximum(excess, 0)), table(mass * np.maximum(-excess, 0)))
    return n, s, above, n if cells.sampled is None else table(cells.n.astype(float))


def places(codes: NDArray[np.int16], columns: Sequence[ColumnLevels], each: Set) -> tuple[NDArray[np.int64], Set]:
    """Return for each cell its place in a table of the levels of some columns, and the shape of that table."""
    shape = tuple(columns[column].n_levels for column in each)
    place = codes[:, each[0]].astype(np.int64)
    for column in each[1:]:
        place = place * columns[column].n_levels + codes[:, column]
    return place, shape


def conjunctions(table: Floats, columns: Sequence[ColumnLevels], each: Set) -> Floats:
    """Add levels up: from the last axes of a table of levels to a table of conditions."""
    for axis, column in enumerate(each, start=table.ndim - len(each)):
        # sum over levels of holds[condition, level] x table[..., level, ...]
        table = np.moveaxis(np.tensordot(table, columns[column].holds.astype(float), axes=(axis, 1)), -1, axis)
    return table


def _sets(
    size: int, n_columns: int, protected: frozenset[int] | None, reach: dict[Set, NDArray[np.float64]]
) -> list[tuple[Set, NDArray[np.float64]]]:
    """Return the sets of a size and their bounds, best bounds first."""
    found = []
    for each in combinations(range(n_columns), size):
        if protected is not None and protected.isdisjoint(each):
            continue
        parts = [reach[part] for part in combinations(each, size - 1) if part in reach]
        # Where a part was left out, all of it is beaten.
        if protected is None and len(parts) < size and size > 1:
            continue
        if size == 1:
            found.append((each, np.full(len(RANKINGS), np.inf)))
        elif parts:
            found.append((each, np.min(parts, axis=0)))
    return sorted(found, key=lambda entry: tuple(-entry[1]))


def _is_beaten(bound: NDArray[np.float64], best: dict[Ranking, Best]) -> bool:
    return all(bound[i] <= best[ranking].least for i, ranking in enumerate(RANKINGS))


def _better(
    each: Set,
    population: Population,
    ranking: Ranking,
    direction: Direction,
    counted: tuple[Floats, Floats, Floats],
    least: float,
) -> list[Conjunction]:
    n, s, counts = counted
    flat = np.flatnonzero((counts >= population.least(ranking)) & (counts < population.n_rows))
    rows, sizes = counts.ravel()[flat], n.ravel()[flat]
    scores = population.excess(sizes, s.ravel()[flat]) * population.factor(ranking, sizes)
    signs = SIGNS[direction]
    wanted = population.rounded(np.abs(scores) if len(signs) == 2 else signs[0] * scores)
    chosen = np.flatnonzero(wanted > least)
    chosen = chosen[np.lexsort((rows[chosen], -wanted[chosen]))][:KEPT]
    literals = np.unravel_index(flat[chosen], n.shape)
    return [
        Conjunction(
            each,
            tuple(int(part[i]) for part in literals),
            int(rows[place]),
            float(wanted[place]),
            1 if scores[place] > 0 else -1,
        )
        for i, place in enumerate(chosen)
    ]


def _reach(
    population: Population,
    direction: Direction,
    n: Floats,
    s: Floats,
    above: tuple[Floats, Floats] | None,
) -> NDArray[np.float64]:
    """Return for each ranking the most that a part of any conjunction of a table could reach."""
    return population.rounded(
        np.array(
            [
                max(
                    float(population.bound(ranking, n, s, s if above is None else above[sign < 0], sign).max())
                    for sign in SIGNS[direction]
                )
                for ranking in RANKINGS
            ]
        )
    )
