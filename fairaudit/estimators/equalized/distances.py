"""How far apart the groups' score distributions are: two measures of it, each with its slope.

`Ranks` is the mean over all thresholds, weighted by how many rows have a score there, of the squared gaps in true and
false positive rates, with F_kl the share of the rows of group k and label l below c, and f the share of all rows at c:

    E_f = RANKS_FACTOR * sum_l sum_c f[c] * mean over pairs (j, k) of (F_jl[c] - F_kl[c])^2

Logits are standardised over all rows and put on 0 to 1 by the normal distribution. So neither smaller scores nor a
larger intercept change it, and hardly any other increasing function of the scores would.

`Histogram` is equation 14 of Chen et al. (2020), on the scores themselves: with scores that differ less between all
rows it is smaller too, so that from some weight on a search ends where all scores are nearly the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

RANKS_FACTOR = 2.0
"""With it, a weight of accuracy of one half has gaps near half of those of a plain model on the data measured."""

TAIL = 3.0
"""How far beyond 0 and 1 the bins go, in smoothings: a Gaussian around an end is counted whole."""

CONSTANT = 1e-9
"""Logits that differ less than this share of their size are all the same."""

Floats = NDArray[np.float64]


class Distance(Protocol):
    """A measure of how unlike score distributions are.

    Shapes: `z`, `u`, `by_u` (n,); `histograms` (2, n_groups, n_bins), `shares` (2, n_groups), `centres` (n_bins,).
    """

    least_smoothing: float
    """The smallest smoothing that its bins can show."""
    begins_at_zero: bool
    """Whether a search may begin where all scores are the same."""

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return the centres of the bins."""

    def places(self, z: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return where each logit is among the bins, and what makes a derivative by that one by the logits."""

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return the distance and its derivative by the histograms."""


class Histogram:
    """The squared distance between the histograms of the first group and of each other one.

    With three groups or more it matters which is the first; the order of the others does not.
    """

    least_smoothing = 0.0
    begins_at_zero = True

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return the paper's bins, which do not depend on the smoothing."""
        return np.arange(bin_width / 2, 1, bin_width)

    def places(self, z: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return the scores."""
        p = expit(z)
        return p, lambda by_p: by_p * p * (1 - p)

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return equation 14."""
        apart = histograms[:, :1] - histograms[:, 1:]
        slope = np.concatenate([2 * apart.sum(axis=1, keepdims=True), -2 * apart], axis=1)
        return float((apart**2).sum()), slope


class Ranks:
    """The mean over all thresholds of the squared gaps in true and false positive rates."""

    least_smoothing = 0.001
    begins_at_zero = False

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return bins no wider than the smoothing, from below 0 to above 1."""
        width = min(bin_width, smoothing)
        return np.arange(-TAIL * smoothing, 1 + TAIL * smoothing + width / 2, width)

    def places(self, z: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return where each logit is in a normal distribution with the mean and spread of all."""
        middle, spread = z.mean(), z.std()
        if not spread > CONSTANT * abs(middle):
            return np.full_like(z, 0.5), np.zeros_like
        s = (z - middle) / spread
        density = np.exp(-0.5 * s**2) / np.sqrt(2 * np.pi)

        def by_logits(by_u: Floats) -> Floats:
            by_s = by_u * density
            return (by_s - by_s.mean() - s * np.mean(by_s * s)) / spread

        return ndtr(s), by_logits

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return the mean squared gap, by histograms whose cumulated sums are the shares below each threshold."""
        whole = (centres[1] - centres[0]) / (smoothing * np.sqrt(2 * np.pi))
        masses = whole * histograms
        # half of a bin is below its centre
        below = np.cumsum(masses, axis=2) - masses / 2
        apart = below - below.mean(axis=1, keepdims=True)
        # the mean over pairs of groups of (F_j - F_k)^2
        pairs = 2 / (below.shape[1] - 1)
        squared = pairs * (apart**2).sum(axis=(0, 1))
        everyone = np.einsum("lk,lkc->c", shares, masses)
        by_below = 2 * pairs * everyone * apart
        by_mass = np.cumsum(by_below[..., ::-1], axis=2)[..., ::-1] - by_below / 2 + shares[..., None] * squared
        return float(RANKS_FACTOR * everyone @ squared), RANKS_FACTOR * whole * by_mass


HISTOGRAM, RANKS = "histogram", "ranks"

DISTANCES: dict[str, Distance] = {RANKS: Ranks(), HISTOGRAM: Histogram()}
"""The measures by their names; the first is the default."""
