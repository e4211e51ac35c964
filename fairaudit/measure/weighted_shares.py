"""Shares of many groups of a weighted sample, each beside all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from fairaudit.measure.intervals import difference_ends, wilson_to

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

NEARLY: Final = 1e-12
"""Weighted shares that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class WeightedShares:
    """Shares of groups of a sample, and how sure they are; NaN for a group of nobody.

    Parameters
    ----------
    value : ndarray, shape (k,)
        The shares.
    n : ndarray, shape (k,)
        The rows, drawn one by one, that each is worth.
    spread : ndarray, shape (k, k)
        Their variances and covariances.
    freedom : ndarray, shape (k,)
        Degrees of freedom: units of the sample less strata.
    """

    value: Floats
    n: Floats
    spread: Floats
    freedom: Floats

    def taken(self, places: Sequence[int]) -> WeightedShares:
        """Return some of the shares, by their places."""
        own = np.asarray(places, dtype=np.intp)
        return WeightedShares(self.value[own], self.n[own], self.spread[np.ix_(own, own)], self.freedom[own])

    def intervals(self, confidence: float) -> tuple[Floats, Floats]:
        """Return Wilson's intervals with the rows that shares are worth, and quantiles of t."""
        return wilson_to(self.value, self.n, quantile(self.freedom, confidence))

    def gaps(self, high: Places, low: Places, confidence: float) -> tuple[Floats, Floats]:
        """Return intervals of differences of shares, given by their places: both of Wilson's, put together.

        References
        ----------
        Newcombe (1998), method 10; Zou and Donner (2008), on figures that are related.
        """
        bottom, top = self.intervals(confidence)
        of_p, of_r = ((bottom[each], top[each]) for each in (high, low))
        ends = difference_ends(self.value[high], of_p, self.value[low], of_r, self._related(high, low))
        return np.maximum(ends[0], -1.0), np.minimum(ends[1], 1.0)

    def errors(self, high: Places, low: Places) -> Floats:
        """Return standard errors of differences; a share without spread has that of two more rows of each kind."""
        own = np.diag(self.spread)
        varies = (own > 0) & (self.value > NEARLY) & (self.value < 1 - NEARLY)
        own = np.where(varies, own, variance_without_spread(self.value, self.n))
        return np.asarray(np.sqrt(np.maximum(own[high] + own[low] - 2 * self.spread[high, low], 0.0)), dtype=float)

    def p_values(self, high: Places, low: Places) -> Floats:
        """Return two-sided p-values of "both shares are the same", by t of the difference."""
        gap, error = self.value[high] - self.value[low], self.errors(high, low)
        t = np.divide(gap, error, out=np.zeros(gap.shape), where=error > 0)
        return np.asarray(2 * special.stdtr(np.minimum(self.freedom[high], self.freedom[low]), -np.abs(t)), dtype=float)

    def _related(self, one: Places, other: Places) -> Floats:
        scale = np.sqrt(np.maximum(self.spread[one, one] * self.spread[other, other], 0.0))
        found = np.divide(self.spread[one, other], scale, out=np.zeros(scale.shape), where=scale > 0)
        return np.asarray(np.clip(found, -1.0, 1.0), dtype=float)


def quantile(freedom: Floats, confidence: float) -> Floats:
    """Return the quantiles of t that two-sided intervals reach to; NaN without degrees of freedom."""
    freedom = np.where(np.asarray(freedom) >= 1, freedom, np.nan)
    return np.asarray(special.stdtrit(freedom, (1 + confidence) / 2), dtype=float)


def rows_worth(share: Floats, variance: Floats, n: Floats, kish: Floats, units: Floats) -> Floats:
    """Return how many rows drawn one by one would tell as much of shares, at most those there are.

    By their variance ``v`` these are ``p (1 - p) / v``, and by their weights alone Kish's ``k``, at most the units. A
    share near none or all shows little of its spread, or makes it seem small where one row outweighs the others, so
    the first counts ``k p (1 - p)`` times, the second once.

    References
    ----------
    Kish (1965), "Survey sampling", section 11.7.
    """
    own = share * (1 - share)
    by_weights = np.minimum(kish, units)
    shown = np.divide(own, variance, out=by_weights.copy(), where=(own > NEARLY) & (variance > 0))
    part = kish * own
    return np.asarray((part * np.minimum(shown, n) + by_weights) / (part + 1), dtype=float)


def variance_without_spread(share: ArrayLike, worth: ArrayLike) -> Floats:
    """Return the variance of shares that show none, worth `worth` rows each: that of two more rows of each kind."""
    share, worth = np.asarray(share, dtype=float), np.asarray(worth, dtype=float)
    more = (share * worth + 2) / (worth + 4)
    return more * (1 - more) / worth
