"""Rates of a group before and after on the same rows, and the variance of their change.

A rate is a share ``r = sum(t) / sum(b)`` over the rows of a group. To first order a row moves it by ``(t - r b) /
sum(b)``, and its change between two models by the difference of two such terms. The variance of the change is the sum
of the squares of these over the rows, for each way in which a row can move the rate `ADDED` rows included: up or down,
and with either label but for a rate of all rows, which counts each alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.rates import CELLS, METRIC_PARTS, in_cells
from fairaudit.study.judging.paired import ADDED

LABEL, BEFORE, AFTER = np.indices((2, 2, 2)).reshape(3, 8)
"""Label and both predictions of the rows of each cell."""

Cells = NDArray[np.int64]
"""Rows of a group by label, prediction before and prediction after, shape (8,)."""

Term = tuple[NDArray[np.number], NDArray[np.integer]]
"""Numerator and denominator of a rate for a row of each cell, shape (8,) each."""

Terms = Callable[[NDArray[np.integer]], Term]
"""From the predictions of the cells, `BEFORE` or `AFTER`, to the terms of a rate."""


def _terms(top: Sequence[str], bottom: Sequence[str]) -> Terms:
    return lambda h: (in_cells(top, LABEL, h).astype(np.int64), in_cells(bottom, LABEL, h).astype(np.int64))


_PARTS = METRIC_PARTS | {"selection_rate": METRIC_PARTS["sp"], "rejection_rate": (("tn", "fn"), CELLS)}
TERMS = {name: _terms(*parts) for name, parts in _PARTS.items()}
"""The rates that have a name."""


def cost_terms(c_fp: float, c_fn: float) -> Terms:
    """Return the terms of the average cost of errors."""
    return lambda h: (c_fp * (1 - LABEL) * h + c_fn * LABEL * (1 - h), np.ones(8, dtype=np.int64))


def rates_of(cells: Cells, terms: Terms, least: int) -> tuple[float, float]:
    """Return a rate before and after; NaN where it is a share of fewer rows."""
    sums = [(top @ cells, bottom @ cells) for top, bottom in (terms(BEFORE), terms(AFTER))]
    before, after = (float(top / bottom) if bottom >= least else np.nan for top, bottom in sums)
    return before, after


def change_variance(cells: Cells, terms: Terms) -> float:
    """Return the variance of the change of a rate."""
    of_all = terms(BEFORE)[1].all()
    rows = cells + ADDED * (BEFORE != AFTER) / (2 if of_all else 1)
    moved = np.zeros(8)
    for sign, (top, bottom) in zip((-1, 1), (terms(BEFORE), terms(AFTER)), strict=True):
        whole = bottom @ rows
        moved += sign * (top - (top @ rows) / whole * bottom) / whole
    return float(rows @ moved**2)
