"""Where an observed search rate puts the threshold, for each base rate and spread: coordinates in which draws go far.

Many searches fix the search rate, so that base rate, spread and threshold of a group in a place move together on a bent
surface. Drawing how far the threshold is from that surface, instead of the threshold, makes it straight. The surface is
a polynomial for each cell. However well it fits, the density is the same: the change of coordinates keeps volumes.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from fairaudit.measure.inspections.signals import Floats, Signal

DEGREE = 3
GRID = 7
BASE_REACH = 1.2
SPREAD_REACH = 2.0
"""The grid reaches so far from the center: in logits of the base rate, in standard deviations of the spread."""

LOWEST, HIGHEST = -14.0, 10.0
HALVINGS = 40


class SearchCurve:
    """A polynomial for each cell: the logit of the threshold that gives a search rate.

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
        self.powers = [(i, j) for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)]
        terms = np.stack([x**i * y**j for i, j in self.powers], axis=1)
        # What matters is the middle.
        weight = np.exp(-(x**2 + y**2))[:, None]
        self.coefficients = np.linalg.lstsq(terms * weight, middle * weight, rcond=None)[0]

    def __call__(self, base: Floats, spread: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the logits of thresholds, and their derivatives by base and spread; shapes (n_points, n_cells)."""
        x, y = (base - self.center[0]) / self.reach[0], (spread - self.center[1]) / self.reach[1]
        x_powers, y_powers = ([np.ones_like(v), v, v * v, v * v * v] for v in (x, y))
        value, by_x, by_y = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)
        for (i, j), own in zip(self.powers, self.coefficients, strict=True):
            value += own * x_powers[i] * y_powers[j]
            if i:
                by_x += (i * own) * x_powers[i - 1] * y_powers[j]
            if j:
                by_y += (j * own) * x_powers[i] * y_powers[j - 1]
        return value, by_x / self.reach[0], by_y / self.reach[1]


def smoothed_rate(successes: Floats, n: Floats) -> Floats:
    """Return rates that are neither 0 nor 1."""
    return special.expit(np.log(successes + 0.5) - np.log(n - successes + 0.5))
