"""Medians and quartiles: what somebody has, rounded until several people have it."""

from __future__ import annotations

import math

import numpy as np

STEPS = (0, 1, 2, 5, 10)
"""A figure is not rounded at first, and then to steps of so many in its second digit: 3,414, 3,400, 3,500, 3,000."""


class Amounts:
    """The amounts of people, as they are and rounded.

    Parameters
    ----------
    amounts : ndarray, shape (n_amounts,)
        The amounts that occur.
    n : ndarray of int, shape (n_amounts,)
        How many people have each.
    """

    def __init__(self, amounts: np.ndarray, n: np.ndarray):
        self.values, self.n = amounts, n
        self.rounded = {step: np.array([in_steps(each, step) for each in amounts]) for step in STEPS}

    def shared(self, value: float, inside: np.ndarray, minimum: int) -> float | None:
        """Return a figure, rounded until `minimum` of some people or more have it, so rounded; None if fewer do."""
        if math.isnan(value):
            return value
        for step, amounts in self.rounded.items():
            shown = in_steps(value, step)
            if self.n[inside & (amounts == shown)].sum() >= minimum:
                return shown
        return None


def in_steps(value: float, step: int) -> float:
    """Return a number in steps of so many in its second digit; itself for no step."""
    if not step or not value:
        return value
    unit = step * 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return float(f"{round(value / unit) * unit:.2g}")
