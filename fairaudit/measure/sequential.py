"""The evidence that a gap is beyond the tolerance, batch by batch: it may be looked at after each of them, for ever.

For each side, an alternative says that the shares of both groups are `tolerance + excess` apart, around the level of
the batches before. Its batch is worth the likelihood ratio against the nearest shares that are within the tolerance::

    e = L(alternative) / L(nearest),  nearest = argmin n_a KL(a* | a) + n_b KL(b* | b) over b - a <= tolerance

The shares within the tolerance are a convex set, so the mean of `e` is at most 1 for all of them, whatever the level is
and however it moves from batch to batch. Products of `e` from each batch on, and their mixture over excesses,
beginnings and both sides, start at 1 and do not grow on average while the gap is within the tolerance. So they ever
reach ``1 / level`` with a chance of at most `level`.

=============  =========================================================
symbol         meaning
=============  =========================================================
``a, b``       share of the protected group and of the others, or the other way round
``a*, b*``     the same by the alternative
``n_a, n_b``   cases of each in the batch
=============  =========================================================

References
----------
Turner, Ly and Grünwald (2024), "Generic e-variables for exact sequential k-sample tests that allow for optional
stopping"; Turner and Grünwald (2023), "Exact anytime-valid confidence intervals for contingency tables and beyond";
Ville (1939); Shin, Ramdas and Rinaldo (2023), "E-detectors", on mixtures over beginnings; Robbins (1970) and
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory", on the range of the gap so
far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

EXCESSES: Final = (0.01, 0.02, 0.04, 0.08, 0.16)
"""How far beyond the tolerance the alternatives are."""

KEPT: Final = 0.95
"""What a batch keeps of the weight of those before it, for the level that alternatives are around."""

HORIZON: Final = 365.0
"""Batches in which half of the beginnings lie that are not the first."""

FIRST: Final = 0.5
"""The weight of the beginning at the first batch."""

EDGE: Final = 1e-4
"""No alternative has a share closer to 0 or 1."""

HALVINGS: Final = 45
"""Of where the nearest shares lie."""

TUNED: Final = 8.0
"""Batches as large as the first at which the range of the gap so far is about as narrow as can be."""


@dataclass(frozen=True)
class Evidence:
    """What was seen so far, as sums; for one stream of batches, or for many at once.

    Shapes: `streams` may be empty. Groups are the protected one and the others.

    Parameters
    ----------
    n_batches : int
        Batches.
    recent_n, recent_k : ndarray of float, shape (*streams, 2)
        Cases and favourable results of each group, those of later batches weighing more.
    log_started : ndarray of float, shape (*streams, 2, n_excesses)
        The logarithm of the sums of products from each beginning on, by side and excess. Side 0: the protected
        group has less.
    n, k : ndarray of float, shape (*streams, 2)
        Cases and favourable results of each group.
    weight, weighted : ndarray of float, shape streams
        The sum of the weights of batches, and of these times their gap.
    first : ndarray of float, shape streams
        The weight of the first batch that has both groups; 0 before.
    """

    n_batches: int
    recent_n: Floats
    recent_k: Floats
    log_started: Floats
    n: Floats
    k: Floats
    weight: Floats
    weighted: Floats
    first: Floats

    @classmethod
    def none(cls, *streams: int) -> Evidence:
        """Return what is known before the first batch."""
        none, groups = np.zeros(streams), np.zeros((*streams, 2))
        log_started = np.full((*streams, 2, len(EXCESSES)), -np.inf)
        return cls(0, groups, groups, log_started, groups, groups, none, none, none)

    @property
    def log_sides(self) -> Floats:
        """The logarithm of the evidence for a gap on each side, shape (*streams, 2); 0 is none."""
        waiting = np.log(_waiting(self.n_batches))
        by_excess = np.logaddexp(self.log_started, waiting)
        return np.asarray(special.logsumexp(by_excess, axis=-1) - np.log(len(EXCESSES)))

    @property
    def log_evidence(self) -> Floats:
        """The logarithm of the evidence for a gap beyond the tolerance, shape streams."""
        return np.asarray(special.logsumexp(self.log_sides, axis=-1) - np.log(2))

    @property
    def gap(self) -> Floats:
        """The gap so far, protected minus others: batches weigh by how much they say."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.weight > 0, self.weighted / self.weight, np.nan)

    def interval(self, confidence: float) -> tuple[Floats, Floats]:
        """Return the range of the gap so far, which holds after all batches at once."""
        # One case of each result more: where all had the same one, not everything is known.
        share = (self.k + 1) / (self.n + 2)
        spread = share * (1 - share)
        with np.errstate(invalid="ignore", divide="ignore"):
            # The variance of a gap times the weight of its batch, n_a n_b / (n_a + n_b).
            variance = (spread[..., 0] * self.n[..., 1] + spread[..., 1] * self.n[..., 0]) / self.n.sum(axis=-1)
            tuned = TUNED * self.first
            # sqrt(v (W + R) (2 log(1 / level) + log((W + R) / R))) / W
            grown = np.log((self.weight + tuned) / tuned)
            reach = variance * (self.weight + tuned) * (2 * np.log(1 / (1 - confidence)) + grown)
            half = np.sqrt(reach) / self.weight
        return np.maximum(self.gap - half, -1.0), np.minimum(self.gap + half, 1.0)

    def after(self, n: Floats, k: Floats, tolerance: float) -> Evidence:
        """Return what is known after another batch; `n` and `k` count cases and favourable results, (*streams, 2)."""
        n_batches = self.n_batches + 1
        beginning = np.log(_waiting(n_batches - 1) - _waiting(n_batches))
        with np.errstate(divide="ignore"):
            log_started = np.logaddexp(self.log_started, beginning) + self._log_factors(n, k, tolerance)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = k / n
            weight = np.where((n > 0).all(axis=-1), n[..., 0] * n[..., 1] / n.sum(axis=-1), 0.0)
            worth = np.where(weight > 0, weight * (shares[..., 0] - shares[..., 1]), 0.0)
        return replace(
            self,
            n_batches=n_batches,
            recent_n=KEPT * self.recent_n + n,
            recent_k=KEPT * self.recent_k + k,
            log_started=log_started,
            n=self.n + n,
            k=self.k + k,
            weight=self.weight + weight,
            weighted=self.weighted + worth,
            first=np.where(self.first > 0, self.first, weight),
        )

    def _log_factors(self, n: Floats, k: Floats, tolerance: float) -> Floats:
        """Return what a batch is worth for each side and excess; 0 where nothing was seen before."""
        known = np.asarray((self.recent_n > 0).all(axis=-1) & (n > 0).all(axis=-1))
        before = (self.recent_k + 0.5) / (self.recent_n + 1)
        of_all = n / np.maximum(n.sum(axis=-1, keepdims=True), 1)
        level = (of_all * before).sum(axis=-1)
        sides = [_log_ratio(n[..., order], k[..., order], level, tolerance) for order in ([0, 1], [1, 0])]
        return np.where(known[..., None, None], np.stack(sides, axis=-2), 0.0)


def _waiting(n_batches: int) -> float:
    """Return the weight of beginnings after so many batches; all together weigh 1."""
    return 1.0 if n_batches == 0 else (1 - FIRST) / (1 + n_batches / HORIZON)


def _log_ratio(n: Floats, k: Floats, level: Floats, tolerance: float) -> Floats:
    """Return the logarithm of e for each excess; the group that has less by the alternative is the first."""
    apart = tolerance + np.array(EXCESSES)
    of_first = (n[..., 0] / np.maximum(n.sum(axis=-1), 1))[..., None]
    # a* and b* so that both together have the level, or as near to it as shares can be.
    low = np.maximum(level[..., None] - (1 - of_first) * apart, EDGE)
    high = np.minimum(low + apart, 1 - EDGE)
    low = high - apart
    possible = low >= EDGE
    low = np.where(possible, low, EDGE)
    high = np.where(possible, high, np.minimum(EDGE + apart, 1 - EDGE))
    n_low, n_high = n[..., 0, None], n[..., 1, None]
    # The nearest pair is on the line b - a = tolerance, where the derivative of the divergence is 0.
    left, right = low, high - tolerance
    for _ in range(HALVINGS):
        a = (left + right) / 2
        b = a + tolerance
        slope = n_low * (a - low) / (a * (1 - a)) + n_high * (b - high) / (b * (1 - b))
        left, right = np.where(slope < 0, a, left), np.where(slope < 0, right, a)
    a = (left + right) / 2
    b = a + tolerance
    k_low, k_high = k[..., 0, None], k[..., 1, None]
    ratio = k_low * np.log(low / a) + (n_low - k_low) * np.log((1 - low) / (1 - a))
    ratio += k_high * np.log(high / b) + (n_high - k_high) * np.log((1 - high) / (1 - b))
    return np.where(possible, ratio, 0.0)
