"""Limits among similar cases that hold on new people: a test of a gap that is an average over strata.

With n_gs certifying rows of group g in stratum s, x_gs of them with the event, N_s the people of all groups there and
``W_s = N_s / sum_s N_s``, the gap is ``D = sum_s W_s (x_1s / n_1s - x_2s / n_2s)``. The hypothesis ``D >= d`` is tested
by a score statistic, whose variance is that at the likeliest rates p_gs with ``sum_s W_s (p_1s - p_2s) = d``::

    variance = sum_gs W_s^2 f(n_gs) p_gs (1 - p_gs) / n_gs + (sum_s W_s (p_1s - p_2s)^2 - d^2) / sum_s N_s
    f(n)     = (n + u)^2 / ((n + u)^2 - n)

Strata may be small. So each cell is given u more rows with the rate of its group, for the likeliest rates alone: with
them p (1 - p) is too small by no more than the factor f where strata are alike, and not at all where they differ as
much as chance lets them. The second part is for shares of strata, which differ among new people. Strata that count and
have no certifying row of one of both groups are taken to be as far apart as can be.

References
----------
Miettinen and Nurminen (1985), "Comparative analysis of two rates", and Farrington and Manning (1990), for one stratum;
Klingenberg (2014), "A new and improved confidence interval for the Mantel-Haenszel risk difference", for standardised
differences without one that is common to all strata.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats

from fairaudit.estimators.certified import DECIMALS, Requirement, Truths
from fairaudit.estimators.common_cut import are_whole
from fairaudit.estimators.similar_cases import people_who_count
from fairaudit.measure.bands import sums_by_code

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MORE_ROWS: Final = 1.0
"""Rows that each cell is given for the likeliest rates: u."""

DOUBLINGS: Final = 60
HALVINGS: Final = 60
"""Steps that find the likeliest rates."""


@dataclass(frozen=True, eq=False)
class StrataComparison:
    """Two groups whose rates must be alike on average: ``|sum_s W_s (rate of first - rate of second)| <= limit``."""

    # first, second: The names of the groups.
    first: str
    second: str
    # (n_candidates, n_strata, 2) Rows with the event, and (n_strata, 2) all rows that the rate is a share of.
    hits: Floats
    sizes: Floats
    # (n_strata,) People of all groups.
    people: Floats
    limit: float
    # Whether rows may be in both groups, so that the two rates are not independent.
    overlap: bool = False

    @property
    def known(self) -> Truths:
        """The strata where both groups have rows, shape (n_strata,)."""
        return np.asarray((self.sizes > 0).all(axis=1))

    @property
    def weights(self) -> Floats:
        """The share of each stratum, shape (n_strata,)."""
        return self.people / max(self.people.sum(), 1.0)

    @property
    def gaps(self) -> Floats:
        """The average gap over the strata where both groups have rows; NaN without. Shapes: returns (n_candidates,)."""
        known, weights = self.known, self.weights
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = self.hits[:, known] / self.sizes[known]
            return (rates[..., 0] - rates[..., 1]) @ weights[known] / np.float64(weights[known].sum())

    def p_values(self, exact: Truths | None = None) -> Floats:
        """Return the p-value of "beyond the limit", at the side that is nearer to it; see `Requirement`."""
        if not self.known.any():
            return np.ones(len(self.hits))
        return np.maximum(self._p_values(1), self._p_values(-1))

    def one_sided(self) -> Floats:
        """See `Requirement`. Shapes: returns (n_candidates,)."""
        return self.p_values()

    def ratios(self) -> Floats:
        """Return gaps as multiples of the limit. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.abs(self.gaps) / self.limit

    def _p_values(self, sign: int) -> Floats:
        """Return the p-value of a gap of at least the limit, or of at most minus it where `sign` is -1."""
        known, shares = self.known, self.weights
        weights, sizes, hits = shares[known], self.sizes[known], self.hits[:, known]
        # What is not known may be all that the limit allows, and more.
        difference = self.limit - float(shares[~known].sum())
        if abs(difference) >= weights.sum():
            return np.ones(len(hits)) if difference < 0 else np.zeros(len(hits))
        signs = sign * np.array([1.0, -1.0])
        rates = _likeliest_rates(difference, hits, sizes, weights[:, None] * signs)
        n = sizes + MORE_ROWS
        spread = rates * (1 - rates) * n**2 / (n**2 - sizes) / sizes
        of_groups = np.einsum("s,csg->cg", weights**2, spread)
        sampled = np.sqrt(of_groups).sum(axis=1) ** 2 if self.overlap else of_groups.sum(axis=1)
        apart = (rates * signs).sum(axis=2)
        mixed = np.maximum(apart**2 @ weights - (apart @ weights) ** 2, 0.0) / max(self.people.sum(), 1.0)
        # Of few rows the variance is known as badly as their number says.
        parts = weights[:, None] ** 2 * spread
        freedom = (of_groups.sum(axis=1)) ** 2 / np.maximum((parts**2 / sizes).sum(axis=(1, 2)), 1e-300)
        seen = ((hits / sizes * signs).sum(axis=2) @ weights - difference).round(DECIMALS)
        return stats.t.cdf(seen / np.sqrt(sampled + mixed), freedom)


def _likeliest_rates(difference: float, hits: Floats, sizes: Floats, factors: Floats) -> Floats:
    """Return the rates with the largest likelihood of which ``sum factors * rates = difference``.

    With t a multiplier, ``x (1 - p) - (n - x) p = t c p (1 - p)`` in each cell, and the sum falls as t grows.

    Shapes: `hits` (n_candidates, n_strata, 2), `sizes` and `factors` (n_strata, 2); returns as `hits`.
    """
    whole = (hits.sum(axis=1) + 0.5) / (sizes.sum(axis=0) + 1)
    x, n = hits + MORE_ROWS * whole[:, None], sizes + MORE_ROWS

    def rates_at(t: Floats) -> Floats:
        pull = t[:, None, None] * factors
        middle = n + pull
        root = np.sqrt(np.maximum(middle**2 - 4 * pull * x, 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            # Two forms of the same root, each where it does not subtract like from like.
            return np.where(middle >= 0, 2 * x / (middle + root), (middle - root) / (2 * pull))

    def is_above(t: Floats) -> Truths:
        return (rates_at(t) * factors).sum(axis=(1, 2)) > difference

    low, high = np.full(len(hits), -1.0), np.ones(len(hits))
    for _ in range(DOUBLINGS):
        low, high = np.where(is_above(low), low, 2 * low), np.where(is_above(high), 2 * high, high)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = is_above(middle)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return rates_at((low + high) / 2)


def compare_strata(
    events: tuple[Truths, Truths],
    strata: Codes,
    members: Sequence[Codes],
    names: Sequence[str],
    counting: Truths,
    limit: float,
    counts: Floats | None = None,
) -> list[Requirement]:
    """Compare each two groups in a rate on average over strata.

    Parameters
    ----------
    events : tuple of ndarray of bool, shape (n_candidates, n)
        The rows that the rate is a share of, which are the same for all candidates, and those that it counts.
    strata : ndarray of int, shape (n,)
        Which rows are similar.
    members : sequence of ndarray of int
        The rows of each group; they may overlap.
    names : sequence of str
        Of the groups.
    counting : ndarray of bool, shape (n_strata,)
        Strata that count: those where each group has people among all rows that are known, not these alone.
    limit : float
        How far the averages may be apart.
    counts : ndarray of float, shape (n,), optional
        How much each row counts; of numbers that are not whole, cells have Kish's effective number of rows.
    """
    cells = [_cells(events, strata[group], group, len(counting), counts) for group in members]
    people = np.where(counting, np.sum([total for _, _, total in cells], axis=0), 0.0)
    found: list[Requirement] = []
    for i, j in combinations(range(len(members)), 2):
        hits, sizes = (np.stack([cells[i][k], cells[j][k]], axis=-1)[..., counting, :] for k in (0, 1))
        overlap = bool(len(np.intersect1d(members[i], members[j], assume_unique=True)))
        found.append(StrataComparison(names[i], names[j], hits, sizes, people[counting], limit, overlap))
    return found


def _cells(
    events: tuple[Truths, Truths], strata: Codes, group: Codes, n_strata: int, counts: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """Return hits (n_candidates, n_strata), effective sizes and people (n_strata,) of a group."""
    among, hit = events[0][0, group], events[1][:, group].astype(np.float64)
    own = np.ones(len(group)) if counts is None else counts[group]
    places = sparse.csr_array((own * among, (np.arange(len(group)), strata)), shape=(len(group), n_strata))
    hits: Floats = hit @ places
    people = sums_by_code(strata, own * among, n_strata)
    if counts is None or are_whole(counts):
        return hits, people, people
    squares = sums_by_code(strata, own**2 * among, n_strata)
    shrink = np.divide(people, squares, out=np.zeros(n_strata), where=squares > 0)
    return hits * shrink, people * shrink, people


def strata_that_count(sizes: Floats) -> Truths:
    """Say which strata count, of people by group and stratum. Shapes: `sizes` (n_groups, n_strata)."""
    return people_who_count(sizes) > 0
