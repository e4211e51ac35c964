"""Few bins from many values, without cutting a value in two."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEW_WHOLE_NUMBERS = 20
"""Whole numbers with at most this many different values are their own bins."""


def quantile_bins(n: ArrayLike, n_bins: int) -> NDArray[np.int64]:
    """Put ascending values into bins of about equal size.

    Shapes: `n` (n_values,); returns (n_values,).

    Examples
    --------
    >>> quantile_bins([5, 5, 5, 5, 20], 4)
    array([0, 0, 1, 1, 2])
    """
    n = np.asarray(n, dtype=float)
    middle = n.cumsum() - n / 2
    wanted = np.minimum((middle * n_bins / n.sum()).astype(np.int64), n_bins - 1)
    return np.unique(wanted, return_inverse=True)[1].astype(np.int64)


def sums_by_code(codes: NDArray[np.integer], weights: NDArray[np.number], size: int = 0) -> NDArray[np.float64]:
    """Add weights up by code; shape (size,), or longer where a code is larger."""
    # The stubs of NumPy forget that weights need not be whole numbers.
    return np.bincount(codes, weights, size)  # type: ignore[return-value]


def own_bins(values: NDArray[np.float64], n_bins: int) -> bool:
    """Say whether the values are few enough to be bins of their own, such as deciles."""
    return len(values) <= n_bins or (len(values) <= FEW_WHOLE_NUMBERS and bool((values == np.round(values)).all()))


def edges_between(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return edges halfway between ascending values, and as far outside at both ends.

    Shapes: `values` (n,); returns (n + 1,).

    Examples
    --------
    >>> edges_between(np.array([1.0, 2.0, 4.0]))
    array([0.5, 1.5, 3. , 5. ])
    """
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
