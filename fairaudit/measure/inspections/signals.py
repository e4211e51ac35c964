"""Two families of distributions of how likely a find seems, with the rates that a threshold makes of them.

A case looks as if something would be found with the chance ``p``, whose mean over all cases is the base rate ``phi``.
Cases with ``p >= t`` are searched. Then ``found = E[p; p >= t]`` of all cases are searched with a find, and
``missed = E[1 - p; p >= t]`` without one.

============  ============================================================  ===========================================
discriminant  a signal is N(delta, 1) with a share phi, else N(0, 1); p is  found = phi Phi(delta - x), missed = (1 -
              the chance of the first given the signal                      phi) Phi(-x), x = logit(t / phi) / delta +
                                                                            delta / 2, with logit(t / phi) for the
                                                                            difference of their logits
beta          p is Beta(lambda phi, lambda (1 - phi))                       found + missed = 1 - I_t(lambda phi, lambda
                                                                            (1 - phi)), found = phi (1 - I_t(lambda phi
                                                                            + 1, lambda (1 - phi)))
============  ============================================================  ===========================================

``delta`` and ``lambda`` are the spread: a larger delta keeps cases apart better, a larger lambda worse. All functions
take logits of base rate and threshold and the logarithm of the spread, and derive by these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from fairaudit.measure.intervals import Floats

Family = Literal["beta", "discriminant"]

TINY = 1e-290
"""No share of cases is below this, so that its logarithm is a number."""

NODES = 28
"""Points at which the tail of a beta distribution is summed up (Gauss and Legendre)."""

TAIL = 28.0
"""The sum ends where the density has fallen by a factor of exp(-28)."""

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(NODES)
_POINTS, _WEIGHTS = (_POINTS + 1) / 2, _WEIGHTS / 2


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of all cases that are searched with and without a find, and how they move.

    Parameters
    ----------
    found, missed : ndarray
        The shares.
    found_moves, missed_moves : tuple of ndarray
        Their derivatives by the logit of the base rate, the logarithm of the spread and the logit of the threshold.
    """

    found: Floats
    missed: Floats
    found_moves: tuple[Floats, Floats, Floats]
    missed_moves: tuple[Floats, Floats, Floats]


@dataclass(frozen=True)
class Signal:
    """A family of distributions, and what is expected of its spread.

    Parameters
    ----------
    shares : callable
        From the logit of the base rate, the logarithm of the spread and the logit of the threshold to :class:`Shares`.
    center, by_group, by_place : float
        Mean of the logarithm of the spread, and its standard deviations between groups and between places.
    n_threads : int
        How many threads are worth their while.
    """

    shares: Callable[[Floats, Floats, Floats], Shares]
    center: float
    by_group: float
    by_place: float
    n_threads: int


def discriminant_shares(base: Floats, spread: Floats, threshold: Floats) -> Shares:
    """Return the shares of discriminant distributions, in closed form."""
    phi, delta = special.expit(base), np.exp(spread)
    above = (threshold - base) / delta
    x = above + delta / 2
    found, missed = phi * special.ndtr(delta - x), (1 - phi) * special.ndtr(-x)
    density_found, density_missed = phi * _normal(delta - x), (1 - phi) * _normal(x)
    # dx / d(base, log spread, threshold) = (-1 / delta, delta / 2 - above, 1 / delta)
    return Shares(
        found,
        missed,
        (
            (1 - phi) * found + density_found / delta,
            density_found * (delta / 2 + above),
            -density_found / delta,
        ),
        (
            -phi * missed + density_missed / delta,
            -density_missed * (delta / 2 - above),
            -density_missed / delta,
        ),
    )


def beta_shares(base: Floats, spread: Floats, threshold: Floats) -> Shares:
    """Return the shares of beta distributions, by summing their tail up on the scale of logits.

    With y = logit(p) the density of Beta(a, b) is exp(a log p + b log(1 - p)) / B(a, b), without a pole.
    """
    phi, size = special.expit(base), np.exp(spread)
    a, b = size * phi, size * (1 - phi)
    norm = special.betaln(a, b)
    log_not = -np.logaddexp(0.0, threshold)
    last = log_not - TAIL / b
    width = np.log(-np.expm1(last)) - last - threshold
    points, weights = (v.reshape(-1, *[1] * np.ndim(base)) for v in (_POINTS, _WEIGHTS))
    y = threshold + width * points
    odds_against = np.exp(-y)
    odds_of_all = 1 + odds_against
    log_p, p = -np.log(odds_of_all), 1 / odds_of_all
    mass = np.exp(size * log_p - b * y - norm) * (width * weights)
    hit = mass * p
    miss = hit * odds_against
    found, missed = hit.sum(axis=0), miss.sum(axis=0)
    both = found + missed
    by_a, by_b = (special.digamma(c) - special.digamma(size) for c in (a, b))
    # log(1 - p) = log p - y
    found_a, missed_a = (np.einsum("k...,k...->...", part, log_p) for part in (hit, miss))
    found_b, missed_b = (own - np.einsum("k...,k...->...", part, y) for own, part in ((found_a, hit), (missed_a, miss)))
    both_a, both_b = found_a + missed_a - by_a * both, found_b + missed_b - by_b * both
    found_a, found_b = found_a - by_a * found, found_b - by_b * found
    # d(a, b) / d base = a b / size (1, -1), d(a, b) / d log spread = (a, b); at the threshold the density leaves.
    edge = np.exp(a * (log_not + threshold) + b * log_not - norm)
    at = special.expit(threshold)
    found_moves = (a * b / size * (found_a - found_b), a * found_a + b * found_b, -edge * at)
    both_moves = (a * b / size * (both_a - both_b), a * both_a + b * both_b, -edge)
    missed_moves = tuple(whole - part for whole, part in zip(both_moves, found_moves, strict=True))
    return Shares(found, missed, found_moves, missed_moves)


SIGNALS: dict[Family, Signal] = {
    "beta": Signal(beta_shares, 2.0, 0.5, 0.5, n_threads=2),
    "discriminant": Signal(discriminant_shares, 0.4, 0.25, 0.25, n_threads=1),
}
"""The families. The spread of beta distributions is expected as in Pierson and others (2017); that of discriminant ones
such that the variance of the chances is the same."""


def _normal(x: Floats) -> Floats:
    return np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)
