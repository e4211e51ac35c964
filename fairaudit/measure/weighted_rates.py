"""Rates of a weighted sample: each a share of the rows of one group that have one outcome, or one prediction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.measure.weighted import Drawn, Moves, covariances, units_and_strata
from fairaudit.measure.weighted_shares import WeightedShares, rows_worth

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Parts:
    """What counts in shares, by row of a tally, for its cases without the good outcome and for those with it.

    Shapes: (n_rows, k) each.

    Parameters
    ----------
    among : tuple of ndarray of bool
        Whether these cases are what a share is of.
    counted : tuple of ndarray of bool
        Whether it counts them.
    """

    among: tuple[Flags, Flags]
    counted: tuple[Flags, Flags]


def weighted_shares(tally: pd.DataFrame, parts: Parts, drawn: Drawn) -> WeightedShares:
    """Return shares from a tally with ``n, positives`` and the sums of a weighted sample."""
    n, w, w2 = (
        (tally[whole].to_numpy(dtype=float) - tally[good].to_numpy(dtype=float), tally[good].to_numpy(dtype=float))
        for whole, good in (("n", "positives"), ("w", "wy"), ("w2", "w2y"))
    )
    size, squares = (sum(own @ among for own, among in zip(sums, parts.among, strict=True)) for sums in (w, w2))
    top = sum(own @ (among & counted) for own, among, counted in zip(w, parts.among, parts.counted, strict=True))
    value = np.divide(top, size, out=np.full(len(size), np.nan), where=size > 0)
    inverse = np.divide(1.0, size, out=np.zeros(len(size)), where=size > 0)
    # u = (counted - share) / sum of weights
    without, with_it = (
        np.where(among, counted - np.nan_to_num(value), 0.0) * inverse
        for among, counted in zip(parts.among, parts.counted, strict=True)
    )
    spread = covariances(tally, Moves(without, with_it - without), drawn)
    rows = n[0][:, None] * parts.among[0] + n[1][:, None] * parts.among[1]
    units, strata = np.array([units_and_strata(tally.assign(n=own), own > 0, drawn) for own in rows.T], dtype=float).T
    kish = np.divide(size**2, squares, out=np.full(len(size), np.nan), where=squares > 0)
    worth = rows_worth(value, np.diag(spread), rows.sum(axis=0), kish, units)
    return WeightedShares(value, np.where(size > 0, worth, np.nan), spread, units - strata)
