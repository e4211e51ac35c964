"""Floors under weighted sums of predictions, such as the share of a group that had the good outcome before.

Symbols: a_k the weights of the k-th sum, h predictions of 0 or 1, b_k its floor. They are kept where a_k h >= b_k for
each k.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.bands import sums_by_code

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Floors:
    """What weighted sums of predictions must be at least.

    Examples
    --------
    >>> floors = Floors(np.array([[0.5, 0.5, 0.0], [0.0, 0.0, -1.0]]), np.array([0.5, -1.0]))
    >>> floors.missing(np.array([[1, 0, 1], [0, 0, 1]])).tolist()
    [[0.0, 0.0], [0.5, 0.0]]
    >>> floors.merged(np.array([0, 0, 1]), 2).weights.tolist()
    [[1.0, 0.0], [0.0, -1.0]]
    """

    # (n_floors, n) a: of each prediction in each sum. Predictions are for rows, in their order, or for what rows were
    # merged to.
    weights: Floats
    # (n_floors,) b; minus infinity where nothing is asked.
    least: Floats

    def missing(self, h: NDArray[np.int64] | Floats) -> Floats:
        """Return by how much each sum is below its floor, 0 where it is not.

        Shapes: `h` (..., n); returns (..., n_floors).
        """
        return np.maximum(self.least - h @ self.weights.T, 0.0)

    def merged(self, places: NDArray[np.int64], n: int) -> Self:
        """Return the same for rows that were merged, and are predicted alike.

        Shapes: `places` (n_rows,), where each row went; the sums are then of `n` predictions.
        """
        weights = [sums_by_code(places, each, n) for each in self.weights]
        return replace(self, weights=np.array(weights).reshape(len(self.weights), n))

    def raised(self, by: Floats) -> Self:
        """Return floors that are higher. Shapes: `by` (n_floors,)."""
        return replace(self, least=self.least + by)
