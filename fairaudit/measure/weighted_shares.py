"""Shares of many groups of a weighted sample, each beside all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

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
        return self._intervals(np.arange(len(self.value)), self.freedom, confidence)

    def _intervals(self, places: Places, freedom: Floats, confidence: float) -> tuple[Floats, Floats]:
        share, n = self.value[places], self.n[places]
        t = quantile(freedom, confidence)
        center = (share + t**2 / (2 * n)) / (1 + t**2 / n)
        half = t * np.sqrt(share * (1 - share) / n + t**2 / (4 * n**2)) / (1 + t**2 / n)
        return np.minimum(np.maximum(center - half, 0.0), share), np.maximum(np.minimum(center + half, 1.0), share)

    def gaps(self, high: Places, low: Places, confidence: float) -> tuple[Floats, Floats]:
        """Return intervals of differences of shares, given by their places: both of Wilson's, put together.

        References
        ----------
        Newcombe (1998), method 10; Zou and Donner (2008), on figures that are related.
        """
        p, r = self.value[high], self.value[low]
        (bottom_p, top_p), (bottom_r, top_r) = (
            self._intervals(each, self.freedom[each], confidence) for each in (high, low)
        )
        related = self._related(high, low)
        below, above = (p - bottom_p, top_r - r), (top_p - p, r - bottom_r)
        ends = [
            np.sqrt(np.maximum(one**2 + other**2 - 2 * related * one * other, 0.0)) for one, other in (below, above)
        ]
        return np.maximum(p - r - ends[0], -1.0), np.minimum(p - r + ends[1], 1.0)

    def p_values(self, high: Places, low: Places) -> Floats:
        """Return two-sided p-values of "both shares are the same", by t of the difference.

        A share that shows no spread is given that of two more rows of each kind.
        """
        own = np.diag(self.spread)
        varies = (own > 0) & (self.value > NEARLY) & (self.value < 1 - NEARLY)
        own = np.where(varies, own, variance_without_spread(self.value, self.n))
        variance = own[high] + own[low] - 2 * self.spread[high, low]
        gap = self.value[high] - self.value[low]
        t = np.divide(gap, np.sqrt(np.maximum(variance, 0.0)), out=np.zeros(gap.shape), where=variance > 0)
        return np.asarray(2 * special.stdtr(np.minimum(self.freedom[high], self.freedom[low]), -np.abs(t)), dtype=float)

    def _related(self, one: Places, other: Places) -> Floats:
        scale = np.sqrt(np.maximum(self.spread[one, one] * self.spread[other, other], 0.0))
        found = np.divide(self.spread[one, other], scale, out=np.zeros(scale.shape), where=scale > 0)
        return np.asarray(np.clip(found, -1.0, 1.0), dtype=float)


def quantile(freedom: Floats, confidence: float) -> Floats:
    """Return the quantiles of t that two-sided intervals reach to; NaN without degrees of freedom."""
    freedom = np.where(np.asarray(freedom) >= 1, freedom, np.nan)
    return np.asarray(special.stdtrit(freedom, (1 + confidence) / 2), dtype=float)


def rows_worth(share: Floats, variance: Floats, n: Floats, without_spread: Floats) -> Floats:
    """Return how many rows drawn one by one would tell as much of shares: ``p (1 - p) / v``, at most those there are.

    A share of none or all shows no spread; what it is worth is given.
    """
    own = share * (1 - share)
    found = np.divide(own, variance, out=np.array(without_spread, dtype=float), where=(own > NEARLY) & (variance > 0))
    return np.minimum(found, n)


def variance_without_spread(share: ArrayLike, worth: ArrayLike) -> Floats:
    """Return the variance of shares that show none, worth `worth` rows each: that of two more rows of each kind."""
    share, worth = np.asarray(share, dtype=float), np.asarray(worth, dtype=float)
    more = (share * worth + 2) / (worth + 4)
    return more * (1 - more) / worth
