"""Which models are worth a choice: those that no other beats in both measures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError


def non_dominated(points: Iterable[tuple[float, float]]) -> NDArray[np.bool_]:
    """Say which points no other point dominates.

    A point dominates another when its x is no lower and its y is no higher, and one of the two is better.

    Shapes: returns (n,).

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> non_dominated([(0.8, 0.10), (0.7, 0.02), (0.7, 0.10), (0.8, 0.10)]).tolist()
    [True, True, False, True]
    """
    array = np.asarray(list(points), dtype=float)
    if array.size == 0:
        return np.zeros(0, dtype=bool)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"'points' must be pairs of numbers, got the shape {array.shape}.")
    x, y = array.T
    known = np.flatnonzero(~np.isnan(array).any(axis=1))
    order = known[np.lexsort((y[known], -x[known]))]
    # From the highest x down, a point stays when its y is below that of all points with a higher x and the lowest
    # among those with the same x.
    kept = np.zeros(len(array), dtype=bool)
    best, x_of_best = np.inf, np.nan
    for i in order:
        if y[i] < best or (y[i] == best and x[i] == x_of_best) or x_of_best != x_of_best:
            kept[i], best, x_of_best = True, y[i], x[i]
    return kept
