"""Joint steps: all multipliers at once, by a quadratic model of how the groups' metrics answer to them.

The dual of the constrained problem is convex in the net multipliers nu, and its slope is v, the metrics of the groups.
With J a positive definite estimate of how v answers to nu, a step minimises

    v d + d' J d / 2 + sum over specifications of (aim eps / 2) |nu + d|_1,  each nu adding up to 0,  |d_g| <= radius_g,

the optimum of which leaves a pair alone unless its gap is at the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.constraints.fits import DECIMALS

Floats = NDArray[np.float64]

N_STEPS, EXACT = 300, 1e-7
"""Steps of the accelerated proximal gradient, and the change at which they end."""

DIGITS = 9
"""Decimals of an estimate that count, as a part of its largest number."""

FLATTEST, STEEPEST = 0.02, 100.0
"""The least and the most that metrics are thought to answer to multipliers, relative to the usual answer."""

REMEMBERED = 8
"""How many steps the estimate of the answer is made of."""

FIRST_ANSWER = 0.3
"""How a metric is thought to answer before anything is known, were all rows in its group: the slope of a logistic
curve, 1/4 at most, times 2, as rows of either label change their weight, and a little less."""


class Answer:
    """An estimate of how the metrics of groups answer to their multipliers, learned from steps (BFGS).

    The weights of a group's rows change by its multiplier over its share of the rows, so answers are alike once
    multipliers are divided, and metrics multiplied, by the square root of the share.

    Parameters
    ----------
    parts : sequence of int
        How many groups each specification has.
    shares : ndarray of float, shape (n_groups,)
        The share of each group in all rows, above 0.
    """

    def __init__(self, parts: Sequence[int], shares: Floats):
        self.parts, self.shares = tuple(parts), shares
        self.steps: list[tuple[Floats, Floats]] = []

    def learn(self, step: Floats, change: Floats) -> None:
        """Take the change of the metrics in a step; one that goes against the multipliers says nothing.

        Shapes: `step` (n_groups,), `change` (n_groups,).
        """
        root = np.sqrt(self.shares)
        totals = [part.sum() for part in split(self.shares, self.parts)]
        mean = [part.sum() for part in split(self.shares * change, self.parts)]
        # What is left where all groups change alike is rounding.
        change = (change - np.repeat(np.divide(mean, totals), self.parts)).round(DECIMALS) * root
        step = step / root
        if _dot(step, change) > 1e-3 * np.sqrt(_dot(step, step) * _dot(change, change)) > 0:
            self.steps = [*self.steps, (step, change)][-REMEMBERED:]

    @property
    def matrix(self) -> Floats:
        """J, shape (n_groups, n_groups): positive definite."""
        n, usual = len(self.shares), FIRST_ANSWER
        J = usual * np.eye(n)
        if self.steps:
            step, change = self.steps[-1]
            usual = float(_dot(change, change) / _dot(step, change))
            J = np.diag(self._diagonal(usual))
        for step, change in self.steps:
            moved = _dot(J, step)
            J = J - np.outer(moved, moved) / _dot(step, moved) + np.outer(change, change) / _dot(step, change)
        sizes, ways = np.linalg.eigh((J + J.T) / 2)
        root = np.sqrt(self.shares)
        J = (ways * sizes.clip(FLATTEST * usual, STEEPEST * usual)) @ ways.T / np.outer(root, root)
        return _rounded((J + J.T) / 2)

    def _diagonal(self, usual: float) -> Floats:
        """Return how each group answers to its own multiplier, by the last step that moved it much."""
        own = np.full(len(self.shares), usual)
        for step, change in self.steps:
            much = np.abs(step) > 0.2 * np.abs(step).max()
            own[much] = (change[much] / step[much]).clip(usual / 4, 4 * usual)
        return own


def joint_step(nets: Floats, levels: Floats, J: Floats, limits: Floats, parts: Sequence[int], radius: Floats) -> Floats:
    """Return the multipliers that the model likes best.

    Shapes: `nets` (n_groups,), `levels` (n_groups,), `J` (n_groups, n_groups), `limits` (n_specs,), `radius`
    (n_groups,); returns (n_groups,).
    """
    # Where a step of the gradient is as long as each variable's own curvature lets it, all variables arrive together.
    scale = 1 / np.sqrt(np.diag(J))
    rate = scale**2 / _rounded(np.linalg.eigvalsh(J * np.outer(scale, scale))[-1])
    pull = np.repeat(limits / 2, parts)
    new, ahead, pace = nets, nets, 1.0
    for _ in range(N_STEPS):
        slope = levels + _dot(J, ahead - nets)
        last, new = new, _shrink(ahead - rate * slope, rate, pull, nets - radius, nets + radius, parts)
        if np.abs(new - last).max() < EXACT:
            break
        if _dot((ahead - new) / rate, new - last) > 0:
            pace = 1.0
        last_pace, pace = pace, (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead = new + (last_pace - 1) / pace * (new - last)
    return new


def _dot(a: Floats, b: Floats) -> Any:
    """Return a @ b, not by a matrix product: that adds up as the processor likes, and a sign may flip by it."""
    return (a * b).sum(axis=-1)


def _rounded(values: Any) -> Any:
    """Round to what does not depend on the processor: nine digits of the largest."""
    unit = 2.0 ** np.frexp(np.abs(values).max())[1]
    return (values / unit).round(DIGITS) * unit


def center(values: Floats, parts: Sequence[int]) -> Floats:
    """Subtract the mean of each specification.

    Shapes: `values` (n_groups,); returns (n_groups,).
    """
    return values - np.repeat([part.mean() for part in split(values, parts)], parts)


def split(values: Floats, parts: Sequence[int]) -> list[Floats]:
    """Return the values of each specification.

    Shapes: `values` (n_groups,).
    """
    return np.split(values, np.cumsum(parts)[:-1])


def _shrink(values: Floats, rate: Floats, pull: Floats, low: Floats, high: Floats, parts: Sequence[int]) -> Floats:
    """Pull values towards 0 and into bounds, shifted at their rates so that each specification adds up to 0."""
    reach = (np.abs(values) + rate * pull + np.maximum(np.abs(low), np.abs(high))) / rate
    top = np.array([part.max() for part in split(reach, parts)])
    bottom = -top
    starts = np.cumsum([0, *parts[:-1]])
    for _ in range(50):
        shift = (bottom + top) / 2
        moved = values - rate * np.repeat(shift, parts)
        moved = (np.sign(moved) * np.maximum(np.abs(moved) - rate * pull, 0.0)).clip(low, high)
        above = np.add.reduceat(moved, starts) > 0
        bottom, top = np.where(above, shift, bottom), np.where(above, top, shift)
    return np.where(moved == 0, 0.0, center(moved, parts))
