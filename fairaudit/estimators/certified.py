"""Limits on gaps that hold on new people with a stated confidence.

A search chooses by rows that it has seen, so that limits met there are missed on others. Here candidates are put in an
order that does not look at the certifying rows, strictest first, and on these rows the hypothesis "the gap exceeds its
limit" is tested in that order, each time at what is left of the error that is allowed; a hypothesis that is rejected
hands its error on to the next one. So the chance that any candidate is certified whose true gap exceeds its limit is at
most 1 - confidence, over the draw of the certifying rows, whatever model and search the candidates come from.

References
----------
Wiens (2003), "A fixed sequence Bonferroni procedure for testing multiple endpoints". Angelopoulos, Bates, Candès,
Jordan and Lei (2021), "Learn then test". Thomas and others (2019), "Preventing undesirable behavior of intelligent
machines". Farrington and Manning (1990), and Miettinen and Nurminen (1985), for the test of a difference of rates.
Anderson and Hauck (1983), "A new procedure for testing equivalence in comparative bioavailability and other clinical
trials", for the chance that a gap beyond a limit looks as small as the one seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from fairaudit.errors import InputError
from fairaudit.estimators.common_cut import are_whole

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

STARTS: Final = ((0.0, 0.8), (0.3, 0.2))
"""Where along the candidates tests begin, as parts of their number, and the part of the allowed error that each gets. A
second start keeps one bad first candidate from ending it all."""

POWER: Final = 0.8
"""The chance of success that the number of rows needed is for."""

DECIMALS: Final = 12
"""Decimals of a difference from its limit; further ones are rounding."""

HALVINGS: Final = 45
"""Halvings that find an error: beyond what figures are shown to."""

SMALL: Final = 500
"""Rows of the smaller group up to which p-values are exact."""

BERGER_BOOS: Final = 0.001
"""The chance, added to an exact p-value, that the larger group's rate is not among those it is the largest over."""

HOPELESS: Final = 0.5
"""From this p-value on, a gap is not within its limit on the certifying rows: more rows alone would not do."""

UNSEEN: Final = 3
"""Rows of the least and of the largest value that variances count as well where no p-value is exact: with none, half of
gaps beyond a limit would pass where errors are rare in a small group; with these, up to 15 % instead of 10 %."""

N_RATES: Final = 101
"""Rates over which an exact p-value is the largest."""


class Requirement(Protocol):
    """Something that must hold of each candidate, as certifying rows show it."""

    def p_values(self, exact: Truths | None = None) -> Floats:
        """Return the p-value of "it does not hold", 1 where that is undefined.

        Shapes: `exact` (n_candidates,), for which candidates it must not be approximate, all by default; returns
        (n_candidates,).
        """

    def one_sided(self) -> Floats:
        """Return the p-value by the nearer side alone, not exact: its normal score grows as the root of the rows."""

    def ratios(self) -> Floats:
        """Return the distance seen as a multiple of what is allowed, NaN where undefined; see `p_values`."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two groups whose rates must be alike: ``|rate of first - ratio * rate of second| <= limit``.

    With `is_floor` only ``rate of first - ratio * rate of second >= -limit`` is asked: with a `ratio` of 0.8 and a
    limit of 0, that the first group has at least four fifths of the second group's rate.
    """

    # first, second: The names of the groups.
    first: str
    second: str
    # (n_candidates, 2) Rows with the event and all rows that the rate is a share of, of the first and the second group.
    hits: Floats
    sizes: Floats
    limit: float
    ratio: float = 1.0
    is_floor: bool = False
    # Whether rows may be in both groups, so that the two rates are not independent.
    overlap: bool = False

    @property
    def gaps(self) -> Floats:
        """The first rate minus `ratio` times the second; NaN where undefined. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = self.hits / self.sizes
        return rates[:, 0] - self.ratio * rates[:, 1]

    def p_values(self, exact: Truths | None = None) -> Floats:
        """Return the p-value of "beyond the limit", at the side that is nearer to it; see `Requirement`."""
        if not (self.overlap or self.is_floor) and self.ratio == 1 and 0 < self.limit < 1:
            return gap_p_values(self.limit, self.hits, self.sizes, exact)
        return self._nearer_side(exact)

    def one_sided(self) -> Floats:
        """See `Requirement`. Shapes: returns (n_candidates,)."""
        return self._nearer_side(np.zeros(len(self.hits), dtype=bool))

    def _nearer_side(self, exact: Truths | None) -> Floats:
        one_sided = dependent_p_values if self.overlap else partial(difference_p_values, exact=exact)
        # Too far below is the same question with the groups' misses counted instead of their hits.
        misses = self.sizes - self.hits
        below = one_sided(1 - self.ratio + self.limit, self.ratio, misses, self.sizes)
        if self.is_floor:
            return below
        return np.maximum(below, one_sided(self.limit, self.ratio, self.hits, self.sizes))

    def ratios(self) -> Floats:
        """Return gaps as multiples of what is allowed, at a floor of one side only. Shapes: returns (n_candidates,)."""
        gaps = np.maximum(-self.gaps, 0.0) if self.is_floor else np.abs(self.gaps)
        if self.limit:
            return gaps / self.limit
        # How far the first rate is below the second, as a part of how far it may be.
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = self.hits / self.sizes
            return np.maximum(1 - rates[:, 0] / rates[:, 1], 0.0) / (1 - self.ratio)


@dataclass(frozen=True, eq=False)
class LeastRate:
    """A rate that must be at least a floor in a group."""

    # group: The name of the group.
    group: str
    # (n_candidates,) Rows with the event, and all rows that the rate is a share of.
    hits: Floats
    sizes: Floats
    # Above 0 and below 1.
    floor: float

    def p_values(self, exact: Truths | None = None) -> Floats:
        """Return the exact binomial p-value of "below the floor". Shapes: returns (n_candidates,)."""
        # P(Bin(n, floor) >= hits) as a beta distribution, which takes effective sizes, too.
        found = stats.beta.cdf(self.floor, self.hits, self.sizes - self.hits + 1)
        return np.where((self.hits > 0) & (self.sizes > 0), found, 1.0)

    def one_sided(self) -> Floats:
        """See `Requirement`. Shapes: returns (n_candidates,)."""
        return self.p_values()

    def ratios(self) -> Floats:
        """Return how far rates are from 1 as a multiple of how far the floor is. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return (1 - self.hits / self.sizes) / (1 - self.floor)


@dataclass(frozen=True, eq=False)
class MeanComparison:
    """Two groups whose means must be alike: ``|mean of first - mean of second| <= limit``."""

    # first, second: The names of the groups.
    first: str
    second: str
    # (n_candidates,) The first mean minus the second; the variance of this difference, and its degrees of freedom.
    gaps: Floats
    variances: Floats
    freedom: Floats
    limit: float

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        values: tuple[Floats, Floats],
        counts: tuple[Floats, Floats],
        limit: float,
        *,
        overlap: bool = False,
    ) -> MeanComparison:
        """Compare values of the rows of two groups, by Welch's approximation.

        Shapes: `values` ((n_candidates, n_first), (n_candidates, n_second)), `counts` ((n_first,), (n_second,)): how
        much each row counts; whole numbers stand for as many rows.
        """
        means, variances, sizes = [], [], []
        together = np.concatenate(values, axis=1)
        # More rows in each group, with the least and the largest value of both: values that few rows of a group happen
        # not to show are not taken for impossible there.
        more = UNSEEN * [together.min(axis=1), together.max(axis=1)]
        for found, counted in zip(values, counts, strict=True):
            n = effective_size(counted)
            share = counted / counted.sum() if len(counted) else counted
            mean = found @ share if len(counted) else np.full(len(found), np.nan)
            means.append(mean)
            center = (n * mean + sum(more)) / (n + len(more))
            squares = n * ((found - center[:, None]) ** 2 @ share) + sum((each - center) ** 2 for each in more)
            with np.errstate(invalid="ignore", divide="ignore"):
                variances.append(squares / (n + len(more) - 1) / np.float64(n))
            sizes.append(n)
        alone = variances[0] + variances[1]
        # Where rows may be in both groups, the two means may pull in opposite directions.
        total = (np.sqrt(variances[0]) + np.sqrt(variances[1])) ** 2 if overlap else alone
        with np.errstate(invalid="ignore", divide="ignore"):
            freedom = alone**2 / sum(each**2 / np.float64(n - 1) for each, n in zip(variances, sizes, strict=True))
        defined = min(sizes) > 1
        gaps = means[0] - means[1] if defined else np.full(len(total), np.nan)
        return cls(*names, gaps, total, np.where(np.isfinite(freedom), freedom, np.inf), limit)

    def p_values(self, exact: Truths | None = None) -> Floats:
        """Return the p-value of "beyond the limit", at the nearer side. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found = stats.t.cdf((np.abs(self.gaps) - self.limit) / np.sqrt(self.variances), self.freedom)
        # Values that do not vary show nothing of chance.
        return np.where(np.isfinite(found) & (self.variances > 0), found, 1.0)

    def one_sided(self) -> Floats:
        """See `Requirement`. Shapes: returns (n_candidates,)."""
        return self.p_values()

    def ratios(self) -> Floats:
        """Return gaps as multiples of the limit. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.abs(self.gaps) / self.limit


def effective_size(counts: Floats) -> float:
    """Return how many rows weights are worth: the sum of whole ones, else Kish's number. Shapes: `counts` (n,)."""
    if not len(counts):
        return 0.0
    return float(counts.sum() if are_whole(counts) else counts.sum() ** 2 / (counts**2).sum())


def difference_p_values(
    difference: float, ratio: float, hits: ArrayLike, sizes: ArrayLike, exact: Truths | None = None
) -> Floats:
    """Return the p-value of ``first rate - ratio * second rate >= difference`` of two independent groups.

    Parameters
    ----------
    difference : float
        The difference under the hypothesis, above -1 and below 1.
    ratio : float
        What the second rate is multiplied by: above 0.
    hits, sizes : array_like of float, shape (m, 2)
        Rows with the event, and all rows, of the two groups.
    exact : ndarray of bool, shape (m,), optional
        Which must be exact where one group is small; all by default.

    Returns
    -------
    ndarray of float, shape (m,)
        Of the score statistic: exact where one group has at most `SMALL` rows, and of its normal distribution
        elsewhere, where sizes are not whole numbers, too. 1 where a group has no rows.

    References
    ----------
    Chan and Zhang (1999), "Test-based exact confidence intervals for the difference of two binomial proportions".
    Berger and Boos (1994), for the rates that the exact p-value is the largest over.
    """
    hits, sizes = np.asarray(hits, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    statistics = score_statistic(difference, ratio, hits, sizes)
    found = stats.norm.cdf(np.where(np.isnan(statistics), np.inf, statistics))
    whole = (hits == np.round(hits)).all(axis=1) & (sizes == np.round(sizes)).all(axis=1)
    small = (sizes.min(axis=1) <= SMALL) & (sizes.min(axis=1) > 0) & whole & np.isfinite(statistics)
    for i in np.flatnonzero(small if exact is None else small & exact):
        found[i] = _exact_p_value(difference, ratio, hits[i], sizes[i], statistics[i])
    return found


def _exact_p_value(difference: float, ratio: float, hits: Floats, sizes: Floats, statistic: float) -> float:
    """Return the largest chance of a statistic that small, over rates that the larger group does not rule out."""
    large = int(sizes[0] <= sizes[1])
    ends = _ends(difference, ratio, sizes, statistic)
    # The statistic grows with the first group's hits and falls with the second's.
    below, most = (ends, np.full_like(ends, sizes[large])) if large else (np.full_like(ends, -1.0), ends)
    return _largest_chance(difference, ratio, hits, sizes, (below, most))


def gap_p_values(limit: float, hits: ArrayLike, sizes: ArrayLike, exact: Truths | None = None) -> Floats:
    """Return the p-value of ``|first rate - second rate| >= limit``: the chance that such a gap looks as small.

    A gap at the limit looks small only by an error that is neither too small nor too large: with a gap seen of d and a
    standard error s, ``Phi((|d| - limit) / s) - Phi((-|d| - limit) / s)``. The second part makes it more powerful than
    two one-sided tests where s is not much below the limit. Where s is above the limit it is left out, as then no gap
    seen says much.

    Parameters
    ----------
    limit : float
        Above 0 and below 1.
    hits, sizes : array_like of float, shape (m, 2)
        Rows with the event, and all rows, of the two groups.
    exact : ndarray of bool, shape (m,), optional
        Which must be exact where one group is small; all by default.

    Returns
    -------
    ndarray of float, shape (m,)
        Hardly ever above those of two one-sided tests. Of the larger of the two score statistics: exact where one group
        has at most `SMALL` rows, and of its normal distribution elsewhere. 1 where a group has no rows.

    References
    ----------
    Anderson and Hauck (1983). Berger and Hsu (1996), "Bioequivalence trials, intersection-union tests and equivalence
    confidence sets", for such tests and their limits.
    """
    hits, sizes = np.asarray(hits, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    misses = sizes - hits
    statistics = np.maximum(score_statistic(limit, 1.0, hits, sizes), score_statistic(limit, 1.0, misses, sizes))
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.abs(hits[:, 0] / sizes[:, 0] - hits[:, 1] / sizes[:, 1])
        errors = (gaps - limit) / statistics
        # Half a step between gaps that can be seen, so that no gap at all has a chance, too.
        other = (-gaps - 0.5 / sizes.max(axis=1) - limit) / errors
        has_other = (errors < limit) & np.isfinite(other)
    found = stats.norm.cdf(np.where(np.isnan(statistics), np.inf, statistics))
    found = found - np.where(has_other, stats.norm.cdf(np.where(has_other, other, 0.0)), 0.0)
    whole = (hits == np.round(hits)).all(axis=1) & (sizes == np.round(sizes)).all(axis=1)
    small = (sizes.min(axis=1) <= SMALL) & (sizes.min(axis=1) > 0) & whole & np.isfinite(statistics)
    for i in np.flatnonzero(small if exact is None else small & exact):
        found[i] = _exact_gap_p_value(limit, hits[i], sizes[i], statistics[i], with_other=bool(has_other[i]))
    return found


def _exact_gap_p_value(limit: float, hits: Floats, sizes: Floats, statistic: float, *, with_other: bool) -> float:
    """Return the largest chance that both statistics are that small, at either side of the limit."""
    large = int(sizes[0] <= sizes[1])
    ends = _ends(limit, 1.0, sizes, statistic)
    # The same with misses counted, and read in hits again.
    others = (sizes[large] - ends)[::-1]
    below, most = (ends, others - 1) if large else (others - 1, ends)
    if not with_other:
        below, most = (ends, np.full_like(ends, sizes[large])) if large else (np.full_like(ends, -1.0), ends)
    # Gaps at the other side of the limit are the same question with misses counted instead.
    of_misses = (sizes[large] - 1 - most)[::-1], (sizes[large] - 1 - below)[::-1]
    sides = ((hits, (below, most)), (sizes - hits, of_misses if with_other else (below, most)))
    return max(_largest_chance(limit, 1.0, counted, sizes, region) for counted, region in sides)


def _ends(difference: float, ratio: float, sizes: Floats, statistic: float) -> Floats:
    """Return how many hits of the larger group, for each number in the smaller one, make a statistic that small.

    It is the last number that does where the larger group is the first, and the last that does not where it is the
    second. Shapes: returns (n_small + 1,), from -1 on.
    """
    small, large = (0, 1) if sizes[0] <= sizes[1] else (1, 0)
    n = int(sizes[small])
    # The statistic grows with the first group's hits and falls with the second's. So for each number of hits in the
    # smaller group there is a last, or a first, number in the larger one with which it is that small.
    sign = 1 if large == 0 else -1
    low, high = np.full(n + 1, -1.0), np.full(n + 1, sizes[large] + 1)
    tables, totals = np.empty((n + 1, 2)), np.broadcast_to(sizes, (n + 1, 2))
    tables[:, small] = np.arange(n + 1.0)
    slack = 1e-7 * max(1.0, abs(statistic))
    while (high - low).max() > 1:
        middle = np.where(high - low > 1, np.floor((low + high) / 2), np.clip(low, 0, sizes[large]))
        tables[:, large] = middle
        found = score_statistic(difference, ratio, tables, totals)
        within = np.where(np.isnan(found), np.inf, found) <= statistic + slack
        open_ = high - low > 1
        low = np.where(open_ & (within == (sign > 0)), middle, low)
        high = np.where(open_ & (within != (sign > 0)), middle, high)
    return low


def _largest_chance(
    difference: float, ratio: float, hits: Floats, sizes: Floats, region: tuple[Floats, Floats]
) -> float:
    """Return the largest chance of a region, over rates with the difference that the larger group does not rule out.

    Shapes: `region` ((n_small + 1,), (n_small + 1,)): for each number of hits in the smaller group, those in the larger
    one are more than the first and at most the second.
    """
    small, large = (0, 1) if sizes[0] <= sizes[1] else (1, 0)
    n = int(sizes[small])
    below, up_to = region
    least, most = _bounds(hits[large], sizes[large], BERGER_BOOS / 2)
    large_rates = np.linspace(least, most, N_RATES)
    small_rates = (large_rates - difference) / ratio if large == 0 else difference + ratio * large_rates
    possible = (small_rates >= 0) & (small_rates <= 1)
    if not possible.any():
        # The rates that the hypothesis allows are those that the larger group has ruled out.
        return BERGER_BOOS
    large_rates, small_rates = large_rates[possible], small_rates[possible]
    of_small = stats.binom.pmf(np.arange(n + 1.0)[None, :], n, small_rates[:, None])
    of_large = stats.binom(sizes[large], large_rates[:, None])
    reach = np.maximum(of_large.cdf(up_to[None, :]) - of_large.cdf(below[None, :]), 0.0)
    return min(float((of_small * reach).sum(axis=1).max()) + BERGER_BOOS, 1.0)


def score_statistic(difference: float, ratio: float, hits: ArrayLike, sizes: ArrayLike) -> Floats:
    """Return the score statistic of ``first rate - ratio * second rate = difference``; see Farrington and Manning.

    Parameters
    ----------
    difference : float
        The difference under the hypothesis, from -1 to 1.
    ratio : float
        What the second rate is multiplied by: above 0.
    hits, sizes : array_like of float, shape (m, 2)
        Rows with the event, and all rows, of the two groups.

    Returns
    -------
    ndarray of float, shape (m,)
        Below 0 where the difference seen is smaller; minus infinity on the one side and infinity on the other where
        the rates under the hypothesis leave no room for chance. NaN where a group has no rows.
    """
    hits, sizes = np.asarray(hits, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    second = _likeliest_second_rate(difference, ratio, hits, sizes)
    first = np.clip(difference + ratio * second, 0.0, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = first * (1 - first) / sizes[:, 0] + ratio**2 * second * (1 - second) / sizes[:, 1]
        # Miettinen and Nurminen's factor, which keeps the size of the test in small samples.
        n = sizes.sum(axis=1)
        variance *= n / np.maximum(n - 1, 1)
        seen = (hits[:, 0] / sizes[:, 0] - ratio * hits[:, 1] / sizes[:, 1] - difference).round(DECIMALS)
        return seen / np.sqrt(variance)


def _likeliest_second_rate(difference: float, ratio: float, hits: Floats, sizes: Floats) -> Floats:
    """Return the second rate at which the likelihood is largest, the difference being given: a root of a cubic.

    With q this rate, p = d + r q the first, x hits and n sizes, the slope of the likelihood is 0 where
    ``r (x1 - n1 p) q (1 - q) + (x2 - n2 q) p (1 - p) = 0``.
    """
    d, r = difference, ratio
    (x1, x2), (n1, n2) = hits.T, sizes.T
    rest = x1 - n1 * d
    cubic = np.maximum(r**2 * (n1 + n2), 1e-300)
    b = (-r * (rest + n1 * r) - x2 * r**2 - n2 * r * (1 - 2 * d)) / cubic
    c = (r * rest + x2 * r * (1 - 2 * d) - n2 * d * (1 - d)) / cubic
    e = x2 * d * (1 - d) / cubic
    # The three roots, which are real; what rounding makes of them is cut off.
    p, q = c - b**2 / 3, 2 * b**3 / 27 - b * c / 3 + e
    length = 2 * np.sqrt(np.maximum(-p / 3, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        angle = np.arccos(np.clip(np.nan_to_num(3 * q / (p * length)), -1.0, 1.0)) / 3
    low, high = max(0.0, -d / r), min(1.0, (1 - d) / r)
    roots = np.clip(length * np.cos(angle - 2 * np.pi / 3 * np.arange(3)[:, None]) - b / 3, low, high)
    firsts = np.clip(d + r * roots, 0.0, 1.0)
    likelihoods = (
        special.xlogy(x1, firsts)
        + special.xlogy(n1 - x1, 1 - firsts)
        + special.xlogy(x2, roots)
        + special.xlogy(n2 - x2, 1 - roots)
    )
    return np.take_along_axis(roots, np.nan_to_num(likelihoods, nan=-np.inf).argmax(axis=0)[None], axis=0)[0]


def dependent_p_values(difference: float, ratio: float, hits: ArrayLike, sizes: ArrayLike) -> Floats:
    """Return the p-value of ``first rate - ratio * second rate >= difference`` where rows may be in both groups.

    It is the smallest error at which Clopper and Pearson's bounds of both rates, at half of it each, rule it out;
    that holds however the two rates depend on each other. Shapes: `hits` (m, 2), `sizes` (m, 2); returns (m,).
    """
    hits, sizes = np.asarray(hits, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    low, high = np.zeros(len(hits)), np.ones(len(hits))
    for _ in range(HALVINGS):
        error = (low + high) / 2
        first = _bounds(hits[:, 0], sizes[:, 0], error / 2)[1]
        second = _bounds(hits[:, 1], sizes[:, 1], error / 2)[0]
        ruled_out = first - ratio * second < difference
        low, high = np.where(ruled_out, low, error), np.where(ruled_out, error, high)
    return high


def _bounds(hits: Floats, sizes: Floats, error: Floats | float) -> tuple[Floats, Floats]:
    """Return Clopper and Pearson's lower and upper bound, each with its own error; 0 and 1 without rows."""
    with np.errstate(invalid="ignore"):
        low = np.where(hits > 0, stats.beta.ppf(error, hits, sizes - hits + 1), 0.0)
        high = np.where(hits < sizes, stats.beta.isf(error, hits + 1, sizes - hits), 1.0)
    return np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0)


def certified_in_order(p_values: ArrayLike, confidence: float) -> NDArray[np.bool_]:
    """Say which candidates, in the order in which they are tested, are certified.

    Examples
    --------
    >>> certified_in_order([0.01, 0.03, 0.5, 0.01], 0.9).tolist()
    [True, True, False, False]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    allowed = errors_allowed(len(p_values), confidence)
    certified = np.zeros(len(p_values), dtype=bool)
    handed_on = 0.0
    for i, p in enumerate(p_values):
        error = allowed[i] + handed_on
        certified[i] = error > 0 and p <= error
        handed_on = error if certified[i] else 0.0
    return certified


def errors_allowed(n_candidates: int, confidence: float) -> Floats:
    """Return the error that the test of each candidate may take, without what others hand on: 0 but at a start.

    Examples
    --------
    >>> errors_allowed(4, 0.9).round(3).tolist()
    [0.08, 0.0, 0.02, 0.0]
    """
    allowed = np.zeros(n_candidates)
    for place, part in STARTS:
        if n_candidates:
            allowed[min(math.ceil(place * n_candidates), n_candidates - 1)] += part * (1 - confidence)
    return allowed


@dataclass(frozen=True)
class Certificate:
    """Whether limits hold on new people, as rows say that no candidate has learned from or was ordered by."""

    # The chance with which limits hold on new people, at least; above 0, below 1.
    confidence: float
    # Rows that it was tested on, and that nothing was learned from.
    n_rows: int
    # Candidates that were tested, and how many of them were certified.
    n_candidates: int
    n_certified: int
    # The p-value of the chosen candidate.
    p_value: float
    # Its largest gap on these rows, as a multiple of what is allowed; NaN where undefined.
    ratio: float
    # Certifying rows with which a candidate would be certified, with a power of 80 %: the fewest that a first test, on
    # which all others depend, takes. None where no gap there is within the limit, or where one is certified.
    n_needed: int | None

    @property
    def is_certified(self) -> bool:
        """Whether any candidate is certified."""
        return self.n_certified > 0


def certify(
    requirements: Sequence[Requirement],
    accuracies: ArrayLike,
    *,
    confidence: float,
    n_rows: int,
    order: Sequence[int] | None = None,
) -> tuple[int, Certificate]:
    """Choose the most accurate candidate whose limits hold on new people; without one, the most accurate of all.

    Parameters
    ----------
    requirements : sequence of Requirement
        What must hold, counted on the certifying rows; each with the same candidates.
    accuracies : array_like of float, shape (n_candidates,)
        By which certified candidates are chosen; they may be those on the certifying rows.
    confidence : float
        Above 0, below 1.
    n_rows : int
        Certifying rows.
    order : sequence of int, optional
        The candidates in the order of their tests, strictest first; it must not depend on the certifying rows. By
        default as they are.

    Returns
    -------
    place : int
        Of the chosen candidate.
    certificate : Certificate

    Raises
    ------
    InputError
        If there is nothing to compare, or no candidate.
    """
    accuracies = np.asarray(accuracies, dtype=np.float64)
    if not requirements or not len(accuracies):
        raise InputError("A limit can be certified only where groups are compared, and there is a candidate.")
    places = np.arange(len(accuracies)) if order is None else np.asarray(order, dtype=np.int64)
    # Several limits hold where each does, and any that does not would do: the largest p-value counts. It need not be
    # exact where one is far beyond what is allowed.
    nothing = np.zeros(len(accuracies), dtype=bool)
    possible = np.max([each.p_values(nothing) for each in requirements], axis=0) < HOPELESS
    p_values = np.max([each.p_values(possible) for each in requirements], axis=0)
    certified = np.zeros(len(accuracies), dtype=bool)
    certified[places] = certified_in_order(p_values[places], confidence)
    # Without a certified one, what is not promised should at least be of use: candidates near a constant are the
    # nearest to being certified.
    eligible = np.flatnonzero(certified) if certified.any() else places
    n_needed = None
    if not certified.any():
        seen = np.max([each.one_sided() for each in requirements], axis=0)
        n_needed = _rows_needed(seen[places], n_rows, confidence)
    place = int(max(eligible, key=lambda i: (accuracies[i], -p_values[i])))
    return place, Certificate(
        confidence=confidence,
        n_rows=n_rows,
        n_candidates=len(places),
        n_certified=int(certified.sum()),
        p_value=float(p_values[place]),
        ratio=float(np.max([each.ratios()[place] for each in requirements])),
        n_needed=n_needed,
    )


def _rows_needed(p_values: Floats, n_rows: int, confidence: float) -> int | None:
    """Return how many certifying rows would reject a first hypothesis if rates stay as they are: z grows as their root.

    Shapes: `p_values` (n_candidates,), in the order of their tests. Until a first one is rejected, none is tested after
    it, however small its p-value.
    """
    allowed = errors_allowed(len(p_values), confidence)
    firsts = np.flatnonzero((allowed > 0) & (p_values < HOPELESS))
    if not len(firsts):
        return None
    needed = (stats.norm.isf(allowed[firsts]) + stats.norm.ppf(POWER)) / stats.norm.isf(p_values[firsts])
    return max(math.ceil(n_rows * float((needed**2).min())), n_rows + 1)
