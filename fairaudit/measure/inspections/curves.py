"""Coordinates in which draws go far: thresholds measured from where an observed search rate puts them.

Many searches fix the search rate, so that base rate, spread and threshold of a group in a place move together along a
bent surface, and the threshold is free to move by more or less from it, depending on where it is. In the coordinate u
with ``tau = height + exp(log_width) u``, the surface is straight and of the same width everywhere: height is the logit
of the threshold that gives the observed search rate, width how far the threshold moves where the logit of the search
rate moves by 1. Both are polynomials of base rate and spread, one for each cell. However well they fit, the density is
the same, with the change of volume ``exp(log_width)`` allowed for.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from fairaudit.measure.inspections.signals import TINY, Floats, Signal

DEGREE = 3
GRID = 7
BASE_REACH = 1.2
SPREAD_REACH = 2.0
"""The grid reaches so far from the center: in logits of the base rate, in standard deviations of the spread."""

LOWEST, HIGHEST = -14.0, 10.0
HALVINGS = 40


class SearchCurve:
    """Height and width of a cell's surface as polynomials of base rate and spread.

    Parameters
    ----------
    signal : Signal
        The family of distributions.
    base_center : float
        The logit of the base rate around which it holds.
    rates : ndarray, shape (n_cells,)
        The search rates.
    """

    def __init__(self, signal: Signal, base_center: float, rates: Floats):
        self.center = (base_center, signal.center)
        self.reach = (BASE_REACH, SPREAD_REACH * float(np.hypot(signal.by_group, signal.by_place)))
        at = np.cos((np.arange(GRID) + 0.5) * np.pi / GRID)
        x, y = (v.ravel() for v in np.meshgrid(at, at, indexing="ij"))
        shape = (len(x), len(rates))
        base = np.broadcast_to((x * self.reach[0] + self.center[0])[:, None], shape)
        spread = np.broadcast_to((y * self.reach[1] + self.center[1])[:, None], shape)
        low, high = np.full(shape, LOWEST), np.full(shape, HIGHEST)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            shares = signal.shares(base, spread, middle)
            above = shares.found + shares.missed > rates
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        slope = -(shares.found_moves[2] + shares.missed_moves[2])
        log_width = np.log(rates * (1 - rates)) - np.log(np.maximum(slope, TINY))
        self.powers = [(i, j) for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)]
        terms = np.stack([x**i * y**j for i, j in self.powers], axis=1)
        # What matters is the middle.
        weight = np.exp(-(x**2 + y**2))[:, None]
        height, width = (np.linalg.lstsq(terms * weight, v * weight, rcond=None)[0] for v in (middle, log_width))
        own = np.stack([height, width], axis=1)
        self.coefficients = np.stack([own, self._derived(own, 0), self._derived(own, 1)], axis=1)

    def _derived(self, own: Floats, axis: int) -> Floats:
        """Return the coefficients of a derivative, each where the power is one less."""
        found = np.zeros_like(own)
        for power, coefficients in zip(self.powers, own, strict=True):
            if power[axis]:
                less = power[0] - (axis == 0), power[1] - (axis == 1)
                found[self.powers.index(less)] = power[axis] * coefficients
        return found / self.reach[axis]

    def __call__(self, base: Floats, spread: Floats) -> tuple[Floats, Floats, Floats]:
        """Return (height, log_width), and their derivatives by base and spread; each (2, ..., n_cells)."""
        x, y = (base - self.center[0]) / self.reach[0], (spread - self.center[1]) / self.reach[1]
        x_powers, y_powers = ([np.ones_like(v), v, v * v, v * v * v] for v in (x, y))
        terms = np.stack([x_powers[i] * y_powers[j] for i, j in self.powers])
        return tuple(np.einsum("kdfc,k...c->df...c", self.coefficients, terms))


def smoothed_rate(successes: Floats, n: Floats) -> Floats:
    """Return rates that are neither 0 nor 1."""
    return special.expit(np.log(successes + 0.5) - np.log(n - successes + 0.5))
