"""What the best of as many subgroups would show if outcomes fell at random: shuffled outcomes, counted in tables."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.events import STOP, Command, Progress
from fairaudit.measure.bins import sums_by_code
from fairaudit.subgroups.cells import Cells
from fairaudit.subgroups.kinds import Direction, Ranking
from fairaudit.subgroups.levels import Levels
from fairaudit.subgroups.scores import RANKINGS, Floats, Population
from fairaudit.subgroups.search import SIGNS, Set, conjunctions, places

SHUFFLES: Final = 200
"""How often outcomes are shuffled."""

FEWEST: Final = 20
"""The same where there are very many subgroups."""

MOST_COUNTED: Final = 1.5e7
"""Cells times sets of columns that one shuffle counts, at most; where there are more, it takes a sample of the rows."""

MOST_SCORED: Final = 5e8
"""Subgroups times shuffles, at most."""

LEAST_SAMPLE: Final = 2_000
"""Rows of such a sample, at least."""

MANY: Final = 10
"""With this many rows a cell, sums are drawn by cell; else outcomes are shuffled row by row. Both are the same."""

HALF: Final = 2.0**26
"""Two counts below this are added up as one number."""


@dataclass(frozen=True, eq=False)
class Chance:
    """The best that shuffled outcomes showed.

    Parameters
    ----------
    best : dict of str to ndarray of float, shape (n_shuffles,)
        For each ranking, the best of each shuffle.
    n_rows : int
        The rows that were shuffled.
    """

    best: dict[Ranking, Floats]
    n_rows: int

    @property
    def n_shuffles(self) -> int:
        """How often outcomes were shuffled."""
        return len(self.best["evidence"])


def shuffled(
    cells: Cells,
    columns: Sequence[Levels],
    population: Population,
    sets: Sequence[Set],
    direction: Direction,
    rng: np.random.Generator,
) -> Generator[Progress, Command | None, Chance]:
    """Shuffle the outcomes of all rows, and look for the best subgroup each time, as the search did.

    Where a sample of the rows is shuffled, sizes keep their shares, and gaps are scaled to what all rows would show:
    by the root of the ratio.
    """
    n_subgroups = sum(int(np.prod([len(columns[c].literals) for c in each])) for each in sets)
    times = int(min(SHUFFLES, max(FEWEST, MOST_SCORED // max(n_subgroups, 1))))
    n_cells = len(cells.by_levels()[0])
    most = max(int(MOST_COUNTED / max(len(sets), 1)), LEAST_SAMPLE)
    drawn, scale = cells, 1.0
    if n_cells > most and cells.n_rows > most:
        drawn, scale = cells.sample(most, rng), most / cells.n_rows
    least = {ranking: max(1, round(population.least(ranking) * scale)) for ranking in RANKINGS}
    of_drawn = replace(population, n=drawn.n_rows, total=float((drawn.n * drawn.value).sum()))
    codes, cell = drawn.by_levels()
    rows = sums_by_code(cell, drawn.n)
    packed = _outcomes(drawn, rows, population.shares, times, rng)
    best = {ranking: np.zeros(times) for ranking in RANKINGS}
    for done, each in enumerate(sets):
        place, shape = places(codes, columns, each)
        n = conjunctions(sums_by_code(place, rows, int(np.prod(shape))).reshape(shape), columns, each).ravel()
        kept = (n >= min(least.values())) & (n < of_drawn.n)
        sums = conjunctions(_sums(place, packed, shape, population.shares)[:times], columns, each)
        excess = sums.reshape(times, -1)[:, kept] - n[kept] * of_drawn.mean
        for ranking in RANKINGS:
            enough = n[kept] >= least[ranking]
            if not enough.any():
                continue
            scores = excess[:, enough] * of_drawn.factor(ranking, n[kept][enough])
            tops = [(sign * scores).max(axis=1) for sign in SIGNS[direction]]
            best[ranking] = np.maximum(best[ranking], np.max(tops, axis=0))
        if (yield Progress("Shuffling outcomes", 100 * done // len(sets), 100)) is STOP:
            times = 0
            break
    # An excess grows with the root of the rows, so gaps and people shrink with it; evidence is the same.
    to_all = {"people": np.sqrt(scale), "gap": np.sqrt(scale), "evidence": 1.0}
    return Chance({ranking: best[ranking][:times] * to_all[ranking] for ranking in RANKINGS}, drawn.n_rows)


def _outcomes(cells: Cells, rows: Floats, shares: bool, times: int, rng: np.random.Generator) -> Floats:
    """Return sums of values by cell, one row a shuffle; of shares, two shuffles in each row."""
    total = int((cells.n * cells.value).sum())
    even = times + times % 2 if shares else times
    if shares and MANY * len(rows) < cells.n_rows:
        counts = rng.multivariate_hypergeometric(rows.astype(np.int64), total, size=even, method="marginals")
        drawn = counts.astype(float)
    else:
        values = np.repeat(cells.value, cells.n)
        # Rows are in the order of their cells.
        starts = np.concatenate([[0], np.cumsum(rows)[:-1]]).astype(np.int64)
        drawn = np.stack([np.add.reduceat(rng.permutation(values), starts) for _ in range(even)])
    return drawn[::2] * HALF + drawn[1::2] if shares else drawn


def _sums(place: NDArray[np.int64], packed: Floats, shape: Set, shares: bool) -> Floats:
    """Return sums of values by levels, one table a shuffle."""
    size = int(np.prod(shape))
    sums = np.stack([sums_by_code(place, each, size) for each in packed])
    if shares:
        first = np.floor(sums / HALF)
        sums = np.stack([first, sums - first * HALF], axis=1).reshape(-1, size)
    return sums.reshape(-1, *shape)
