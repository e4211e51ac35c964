"""Few bins from many values, without cutting a value in two."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DIGITS: Final = 18
"""More digits than double precision can distinguish."""

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


def roundest_number(low: float, high: float) -> int | float:
    """Return the roundest number from `low` to below `high`, nearest to their middle; 0 where it lies there.

    Examples
    --------
    >>> roundest_number(37_250, 37_338), roundest_number(0.125, 0.75)
    (37300, 0.4)
    """
    if low <= 0 < high:
        return 0
    exact_low, exact_high = Fraction(low), Fraction(high)
    middle = (exact_low + exact_high) / 2
    largest = math.floor(math.log10(max(abs(exact_low), abs(exact_high))))
    for power in range(largest, largest - _DIGITS, -1):
        step = Fraction(10) ** power
        first, last = math.ceil(exact_low / step), math.ceil(exact_high / step) - 1
        if first <= last:
            times = min(max(math.floor(middle / step), first), last)
            whole = power >= 0 and isinstance(low, int)
            number = times * 10**power if whole else float(f"{times}e{power}")
            if low <= number < high:
                return number
    return low
