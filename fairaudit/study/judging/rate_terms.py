"""Rates of a group before and after on the same rows, and the variance of their change.

A rate is a share ``r = sum(t) / sum(b)`` over the rows of a group. To first order a row moves it by ``(t - r b) /
sum(b)``, and its change between two models by the difference of two such terms. The variance of the change is the sum
of the squares of these over the rows, for each way in which a row can move the rate `ADDED` rows included: up or down,
and with either label but for a rate of all rows, which counts each alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fairaudit.study.judging.paired import ADDED

LABEL, BEFORE, AFTER = np.indices((2, 2, 2)).reshape(3, 8)
"""Label and both predictions of the rows of each cell."""

Cells = NDArray[np.int64]
"""Rows of a group by label, prediction before and prediction after, shape (8,)."""

Term = tuple[NDArray[np.number], NDArray[np.integer]]
"""Numerator and denominator of a rate for a row of each cell, shape (8,) each."""

Terms = Callable[[NDArray[np.integer]], Term]
"""From the predictions of the cells, `BEFORE` or `AFTER`, to the terms of a rate."""

_ALL = np.ones(8, dtype=np.int64)
TERMS: dict[str, Terms] = {
    "selection_rate": lambda h: (h, _ALL),
    "rejection_rate": lambda h: (1 - h, _ALL),
    "tpr": lambda h: (LABEL * h, LABEL),
    "fnr": lambda h: (LABEL * (1 - h), LABEL),
    "fpr": lambda h: ((1 - LABEL) * h, 1 - LABEL),
    "tnr": lambda h: ((1 - LABEL) * (1 - h), 1 - LABEL),
    "fdr": lambda h: ((1 - LABEL) * h, h),
    "ppv": lambda h: (LABEL * h, h),
    "for": lambda h: (LABEL * (1 - h), 1 - h),
    "npv": lambda h: ((1 - LABEL) * (1 - h), 1 - h),
    "mr": lambda h: (abs(h - LABEL), _ALL),
    "accuracy": lambda h: (1 - abs(h - LABEL), _ALL),
}
"""The rates that have a name."""


def cost_terms(c_fp: float, c_fn: float) -> Terms:
    """Return the terms of the average cost of errors."""
    return lambda h: (c_fp * (1 - LABEL) * h + c_fn * LABEL * (1 - h), _ALL)


def rates_of(cells: Cells, terms: Terms, least: int) -> tuple[float, float]:
    """Return a rate before and after; NaN where it is a share of fewer rows."""
    sums = [(top @ cells, bottom @ cells) for top, bottom in (terms(BEFORE), terms(AFTER))]
    before, after = (float(top / bottom) if bottom >= least else np.nan for top, bottom in sums)
    return before, after


def change_variance(cells: Cells, terms: Terms) -> float:
    """Return the variance of the change of a rate."""
    of_all = terms(BEFORE)[1] is _ALL
    rows = cells + ADDED * (BEFORE != AFTER) / (2 if of_all else 1)
    moved = np.zeros(8)
    for sign, (top, bottom) in zip((-1, 1), (terms(BEFORE), terms(AFTER)), strict=True):
        whole = bottom @ rows
        moved += sign * (top - (top @ rows) / whole * bottom) / whole
    return float(rows @ moved**2)
