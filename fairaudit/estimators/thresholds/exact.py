"""The exact optimum of one threshold for each group.

With the threshold of the reference fixed, every other group k can be chosen by itself: the best of its points j by
``correct_kj / n - weight * (|T - T_kj| + |F - F_kj|)``, with (T, F) the reference's rates. Along the points of k both
rates rise. So the signs of the two differences change once each, and the points fall into three ranges: below both,
between, and above both. Within a range the value is one fixed function of j plus a number that does not depend on j.
The best of a range is then a maximum over a prefix, a suffix, or a window of one of four fixed sequences. The windows
are answered by a sparse table. In all O(sum_k (n_r + n_k) log n) instead of O(n_r * sum_k n_k), for all points of the
reference at once.

Ties: of equal objectives (to 12 decimals) the smaller gap wins, which has the lower accuracy; of equal gaps the higher
threshold of the reference, then of the other groups, so that fewest rows are predicted 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.thresholds.curves import OperatingPoints

DECIMALS = 12
"""Numbers that agree to so many decimals count as equal: they differ by rounding only."""


def best_indices(points: Sequence[OperatingPoints], reference: int, weight: float) -> list[int]:
    """Return the point of each group that is best for all together.

    Notes
    -----
    See the top of this module for the method and for ties.
    """
    n = sum(p.n for p in points)
    base = points[reference]
    value, gap = base.correct / n, np.zeros(len(base.tp))
    chosen = {}
    for k, other in enumerate(points):
        if k != reference:
            best = _best_for_each(base, other, other.correct / n, weight)
            value, gap, chosen[k] = value + best.value, gap + best.gap, best.index
    i = int(np.lexsort((np.arange(len(value)), gap.round(DECIMALS), -value.round(DECIMALS)))[0])
    return [i if k == reference else int(chosen[k][i]) for k in range(len(points))]


@dataclass(frozen=True, eq=False)
class _Best:
    """The best point of a group for each point of the reference: which, its value and its gap."""

    index: NDArray[np.int64]
    value: NDArray[np.float64]
    gap: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The points of a group in the order of one of the four functions; the highest rank is the best."""

    rank: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def by(cls, share: NDArray[np.float64], gap: NDArray[np.float64], weight: float) -> _Ranked:
        """Rank by value, then by the smaller gap, then by the lower index; both up to a number that is the same."""
        value = (share - weight * gap).round(DECIMALS)
        order = np.lexsort((-np.arange(len(gap)), -gap.round(DECIMALS), value))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return cls(rank, order)


def nearest_indices(base: OperatingPoints, other: OperatingPoints) -> NDArray[np.int64]:
    """Return, for each point of one group, the point of another whose two rates together are nearest to its own."""
    return _best_for_each(base, other, np.zeros(len(other.tp)), 1.0).index


def _best_for_each(base: OperatingPoints, other: OperatingPoints, share: NDArray[np.float64], weight: float) -> _Best:
    """Return the best point of a group for each of the reference; `share` is what each adds to the accuracy."""
    tpr, fpr, t, f = base.tpr, base.fpr, other.tpr, other.fpr
    m = len(t)
    above_t = np.searchsorted(t, tpr, side="right")  # the first point with t > tpr
    above_f = np.searchsorted(f, fpr, side="right")
    low, high = np.minimum(above_t, above_f), np.maximum(above_t, above_f)

    below = _Ranked.by(share, -(t + f), weight)
    candidates = [np.where(low > 0, below.order[np.maximum.accumulate(below.rank)[low - 1]], -1)]
    for gap, start, end in ((t - f, above_t, above_f), (f - t, above_f, above_t)):
        between = np.full(len(tpr), -1)
        rows = np.flatnonzero(start < end)
        if len(rows):
            ranked = _Ranked.by(share, gap, weight)
            between[rows] = ranked.order[_window_maxima(ranked.rank, start[rows], end[rows])]
        candidates.append(between)
    over = _Ranked.by(share, t + f, weight)
    from_end = np.maximum.accumulate(over.rank[::-1])[::-1]
    candidates.append(np.where(high < m, over.order[from_end[np.minimum(high, m - 1)]], -1))

    best = _evaluated(candidates[0], tpr, fpr, other, share, weight)
    for index in candidates[1:]:
        found = _evaluated(index, tpr, fpr, other, share, weight)
        more, as_much = _compared(found.value, best.value)
        wider, _ = _compared(best.gap, found.gap)
        better = more | (as_much & wider)
        best = _Best(*(np.where(better, getattr(found, x), getattr(best, x)) for x in ("index", "value", "gap")))
    return best


def _compared(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where a is larger than b, and where they count as equal."""
    a, b = a.round(DECIMALS), b.round(DECIMALS)
    return a > b, a == b


def _evaluated(
    index: NDArray[np.int64],
    tpr: NDArray[np.float64],
    fpr: NDArray[np.float64],
    other: OperatingPoints,
    share: NDArray[np.float64],
    weight: float,
) -> _Best:
    """Return value and gap of one point for each point of the reference; minus infinity where there is none (-1)."""
    gap = np.abs(tpr - other.tpr[index]) + np.abs(fpr - other.fpr[index])
    value = np.where(index < 0, -np.inf, share[index] - weight * gap)
    return _Best(index, value, gap)


def _window_maxima(values: NDArray[np.int64], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest of ``values[start:end]`` for many windows, none of them empty.

    A sparse table, one level at a time: after level p, ``table[j]`` is the largest of ``values[j : j + 2**p]``, and a
    window of length 2**p up to below 2**(p + 1) is covered by two of them.
    """
    length = end - start
    found = np.empty(len(start), dtype=values.dtype)
    table, width = values, 1
    while True:
        rows = np.flatnonzero((length >= width) & (length < 2 * width))
        found[rows] = np.maximum(table[start[rows]], table[end[rows] - width])
        if 2 * width > length.max():
            return found
        table = np.maximum(table[:-width], table[width:])
        width *= 2
