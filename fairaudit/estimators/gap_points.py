"""The points of a curve of the smallest gap for accuracy lost, as searches for trees and for rules return it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.limits import SLACK

LEAST_STEP: Final = 0.01
"""What steps of the curve are parts of where no accuracy may be lost."""
STEPS: Final = (0, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)
"""Losses of the curve, in parts of the one that was asked for."""


@dataclass(frozen=True)
class GapPoint:
    """A point of the curve."""

    # Accuracy lost against the most accurate model of the kind.
    lost: float
    # The smallest gap that was found, and what no model that loses no more is below.
    gap: float
    bound: float


def losses_of_curve(max_loss: float, most: float) -> NDArray[np.float64]:
    """Return the losses of accuracy that a curve shows, up to one where no gap has to be left.

    Examples
    --------
    >>> losses_of_curve(0.01, 0.03).tolist()
    [0.0, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03]
    """
    steps = (max_loss or LEAST_STEP) * np.array(STEPS)
    shown = steps[steps < most - SLACK]
    return np.unique(np.concatenate([shown, [max_loss, max(most, 0.0)]]))
