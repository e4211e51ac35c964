"""What the best of as many subgroups would show if outcomes fell at random: shuffled outcomes, counted in tables."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from fairaudit.errors import require
from fairaudit.events import STOP, Command, Progress
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.intervals import exact_p_value
from fairaudit.subgroups.cells import MOST_EXACT, Cells, ColumnLevels
from fairaudit.subgroups.kinds import Direction, Ranking
from fairaudit.subgroups.search import RANKINGS, SIGNS, Floats, Population, Set, conjunctions, places

# What chance shows where amounts are dealt out at random: a few rows of skewed amounts do not follow Student's t.

STEPS: Final = 200
"""Newton steps at most; a dozen do."""

NEAR_MEAN: Final = 1e-3
"""Closer to the middle than this, in standard deviations, the formula divides zero by zero; there, p is a half."""

CLOSE: Final = 1e-9
"""So little of all rows may be missing from the sums at the saddlepoint."""

PARTS: Final = 100
"""Amounts lie whole multiples of a hundredth apart, or count as lying anywhere."""

CLOSE_PARTS: Final = 1e-6
"""So far, in hundredths, may a multiple of them be from a whole one."""

FINEST: Final = 30_000
"""Cells of sums at most, where deals are counted."""

MOST_WORK: Final = 3e7
"""Additions at most, where deals are counted."""

MOST_BLUR: Final = 0.02
"""So many standard deviations may cells move a sum on average: about 6 % of a chance of .001, never down."""

UNSEEN: Final = 1e-12
"""The chance of more rows with another amount than are counted."""

LEAST: Final = 1e-9
"""A smaller chance is lost where it is what is left of 1."""


def dealt_p_value(value: Floats, n: NDArray[np.int64], inside: NDArray[np.bool_], sign: int) -> float:
    """Return how often a subgroup of as many rows, drawn at random, has a mean as high (sign 1) or as low (-1).

    Shapes: all (n_cells,); `n` counts rows with this value. Exact at both ends of what is possible and for two values.
    Between, the permutation distribution of the sum, by a double saddlepoint approximation: a row belongs to the
    subgroup with chance ``rows / all``, given that so many do. Where sums go in steps, with Daniels' second correction
    for continuity, half a step down. Where few rows differ from most, sums are lumpy, and it would err by a factor
    of up to three: there, deals are counted.

    References
    ----------
    Robinson (1982), "Saddlepoint approximations for permutation tests and confidence intervals"; Skovgaard (1987),
    "Saddlepoint expansions for conditional distributions"; Daniels (1987), "Tail probability approximations".
    """
    value, inside, n = value[n > 0], inside[n > 0], n[n > 0]
    rows, drawn = int(n.sum()), int(n[inside].sum())
    values = np.unique(value)
    if not 0 < drawn < rows or len(values) < 2:
        return math.nan
    if len(values) == 2:
        high = value == values[1]
        k, all_k = int(n[inside & high].sum()), int(n[high].sum())
        return exact_p_value(k, drawn, all_k - k, rows - drawn, sign)
    ordered = sign * value
    if ordered[inside].max() <= ordered[~inside].min():
        return 1.0
    if (last := ordered[inside].min()) >= ordered[~inside].max():
        tied = ordered == last
        ways = _log_choose(int(n[tied].sum()), int(n[tied & inside].sum()))
        return math.exp(ways - _log_choose(rows, drawn))
    step = _step(values)
    if (counted := _counted(ordered, n, inside, step)) is not None:
        return counted
    x = ordered - float((n * ordered).sum()) / rows
    spread = math.sqrt(float((n * x**2).sum()) / rows)
    x, step = x / spread, step / spread
    total, share = float((n * x)[inside].sum()) - step / 2, drawn / rows
    if abs(total) < NEAR_MEAN * math.sqrt(drawn * (1 - share)):
        return 0.5
    if total < 0:
        return 1 - _chance_beyond(-total, -x, n, share, step)
    return _chance_beyond(total, x, n, share, step)


def _counted(ordered: Floats, n: NDArray[np.int64], inside: NDArray[np.bool_], step: float) -> float | None:
    """Count how often a deal has a sum as high, by convolution; None where there are too many ways for that.

    What differs from the amount at the end that most are near to is put into cells, down or up so that the chance is
    never too small; exactly where amounts go in few enough steps. Each of these rows is drawn with the same chance,
    given that so many are.
    """
    rows, drawn = int(n.sum()), int(n[inside].sum())
    low, high = ordered.min(), ordered.max()
    from_low = (n * (2 * ordered - low - high)).sum() <= 0
    away = ordered - low if from_low else high - ordered
    total, at_least = float((n * away)[inside].sum()), bool(from_low)
    mean = float((n * away).sum()) / rows
    spread = math.sqrt(float((n * (away - mean) ** 2).sum()) / rows * drawn * (1 - drawn / rows))
    if 2 * drawn > rows:
        total, drawn, at_least = float((n * away)[~inside].sum()), rows - drawn, not at_least
    sizes, place = np.unique(away, return_inverse=True)
    times = np.bincount(place, weights=n).astype(int)
    sizes, times = sizes[1:], times[1:]
    others = int(times.sum())
    most = min(int(stats.hypergeom.isf(UNSEEN, rows, others, drawn)) + 1, drawn, others)
    work = int(np.minimum(times, most).sum()) * (most + 1)
    n_cells = round(total / step) if step else 0
    if 0 < n_cells <= min(10 * FINEST, MOST_WORK / work):
        moves = np.rint(sizes / step)
    else:
        n_cells = int(min(FINEST, MOST_WORK / work))
        if drawn * others / rows * total > 2 * MOST_BLUR * spread * n_cells:
            return None
        moves = sizes / (total / n_cells)
        moves = np.ceil(moves - CLOSE) if at_least else np.floor(moves + CLOSE)
    # ways[c, s]: the chance that c of the rows so far are drawn, with a sum of s cells; larger sums are not asked for.
    ways = np.zeros((most + 1, n_cells + (not at_least)))
    ways[0, 0] = 1.0
    share = drawn / rows
    for move, k in zip(np.minimum(moves, n_cells + 1).astype(int), times, strict=True):
        before, chance = ways, stats.binom.pmf(np.arange(min(k, most) + 1), k, share)
        ways = chance[0] * before
        for j in range(1, len(chance)):
            if j * move >= ways.shape[1]:
                break
            ways[j:, j * move :] += chance[j] * before[:-j, : ways.shape[1] - j * move]
    rest = stats.binom.pmf(drawn - np.arange(most + 1), rows - others, share) / stats.binom.pmf(drawn, rows, share)
    below = float(ways.sum(axis=1) @ rest)
    if not at_least:
        return min(below + UNSEEN, 1.0)
    return None if 1 - below < LEAST else 1 - below


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _step(values: Floats) -> float:
    """Return the largest step in whose multiples all values lie apart; 0 where there is none."""
    parts = PARTS * (values - values[0])
    whole = np.rint(parts)
    if whole.max() > MOST_EXACT or np.abs(parts - whole).max() > CLOSE_PARTS:
        return 0.0
    return float(np.gcd.reduce(whole.astype(np.int64))) / PARTS


def _chance_beyond(total: float, x: Floats, n: NDArray[np.int64], share: float, step: float) -> float:
    """Return how often this share of all rows has a sum of x beyond a total above its mean, which is 0."""
    rows = float(n.sum())
    drawn = share * rows
    at, height, slope, curve = np.zeros(2), *_tilted(np.zeros(2), x, n, share, drawn, total)
    for _ in range(STEPS):
        if np.abs(slope).max() < CLOSE * rows:
            break
        move, size = np.linalg.solve(curve + np.eye(2) * 1e-12, slope), 1.0
        while size > CLOSE and not _tilted(at - size * move, x, n, share, drawn, total)[0] < height:
            size /= 2
        at = at - size * move
        height, slope, curve = _tilted(at, x, n, share, drawn, total)
    w = math.sqrt(max(-2 * height, 0.0))
    t = 2 * math.sinh(at[1] * step / 2) / step if step else at[1]
    v = t * math.sqrt(max(float(np.linalg.det(curve)), 0.0) / (drawn * (1 - share)))
    if not (w > 0 and v > 0):
        return 0.0
    tail = special.ndtr(-w) + math.exp(-(w**2) / 2) / math.sqrt(2 * math.pi) * (1 / v - 1 / w)
    return float(min(max(tail, 0.0), 1.0))


def _tilted(
    at: Floats, x: Floats, n: NDArray[np.int64], share: float, drawn: float, total: float
) -> tuple[float, Floats, Floats]:
    """Return K(u, t) - u m - t s, which the saddlepoint makes least, with its gradient and its curvature.

    K = sum of n log(1 - share + share exp(u + t x)), for rows that are in the subgroup each with the same share.
    """
    logit = math.log(share / (1 - share)) + at[0] + at[1] * x
    grown = np.logaddexp(0.0, logit) + math.log1p(-share)
    chance = special.expit(logit)
    height = float((n * grown).sum()) - at[0] * drawn - at[1] * total
    slope = np.array([(n * chance).sum() - drawn, (n * chance * x).sum() - total])
    both = n * chance * (1 - chance)
    cross = (both * x).sum()
    return height, slope, np.array([[both.sum(), cross], [cross, (both * x**2).sum()]])


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
    columns: Sequence[ColumnLevels],
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
    of_drawn = _population_of(drawn, population)
    codes, cell = drawn.by_levels()
    rows, mass = sums_by_code(cell, drawn.n), sums_by_code(cell, drawn.mass)
    is_packed = population.shares and drawn.sampled is None
    if drawn.sampled is None:
        packed, mean = _outcomes(drawn, rows, population.shares, times, rng), np.full((times, 1), of_drawn.mean)
    else:
        packed = _weighted_outcomes(drawn, cell, times, rng)
        # What rows of one outcome weigh together differs from shuffle to shuffle.
        mean = packed.sum(axis=1, keepdims=True) / of_drawn.n
    best = {ranking: np.zeros(times) for ranking in RANKINGS}
    for done, each in enumerate(sets):
        place, shape = places(codes, columns, each)

        def table(weights: Floats, place: NDArray[np.int64] = place, shape: Set = shape, each: Set = each) -> Floats:
            return conjunctions(sums_by_code(place, weights, int(np.prod(shape))).reshape(shape), columns, each).ravel()

        n, counts = table(mass), table(rows)
        kept = (counts >= min(least.values())) & (counts < of_drawn.n_rows)
        sums = conjunctions(_sums(place, packed, shape, is_packed)[:times], columns, each)
        excess = sums.reshape(times, -1)[:, kept] - n[kept] * mean
        for ranking in RANKINGS:
            enough = counts[kept] >= least[ranking]
            if not enough.any():
                continue
            scores = excess[:, enough] * of_drawn.factor(ranking, n[kept][enough])
            tops = [(sign * scores).max(axis=1) for sign in SIGNS[direction]]
            best[ranking] = np.maximum(best[ranking], np.max(tops, axis=0))
        if (yield Progress("Comparing with chance", 100 * done // len(sets), 100)) is STOP:
            times = 0
            break
    # An excess grows with the root of the rows, so gaps and people shrink with it; evidence is the same.
    to_all = {"people": np.sqrt(scale), "gap": np.sqrt(scale), "evidence": 1.0}
    return Chance({ranking: best[ranking][:times] * to_all[ranking] for ranking in RANKINGS}, drawn.n_rows)


def _population_of(drawn: Cells, population: Population) -> Population:
    """Return what subgroups of the rows that are shuffled are compared with."""
    n, total = float(drawn.mass.sum()), float(drawn.total.sum())
    sampled = None if population.sampled is None else replace(population.sampled, n_rows=drawn.n_rows)
    return replace(population, n=n, total=total, sampled=sampled)


def _weighted_outcomes(cells: Cells, cell: NDArray[np.int64], times: int, rng: np.random.Generator) -> Floats:
    """Return sums of weight times value by cell, one row a shuffle; each row of the data keeps its weight."""
    sampled = require(cells.sampled)
    values, weights = np.repeat(cells.value, cells.n), np.repeat(sampled.weight, cells.n)
    starts = np.concatenate([[0], np.cumsum(sums_by_code(cell, cells.n))[:-1]]).astype(np.int64)
    return np.stack([np.add.reduceat(weights * rng.permutation(values), starts) for _ in range(times)])


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
