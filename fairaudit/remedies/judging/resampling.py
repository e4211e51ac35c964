"""Intervals of gaps by drawing the held-out rows again, from counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.gaps import ENOUGH
from fairaudit.measure.results import Interval

REPLICATES = 2_000
"""Draws behind an interval."""

PROTECTED, REST, OUTSIDE = range(3)
"""Where a row stands for the gap: protected, the rest, or not looked at."""

MOST_DRAWN = 4_000_000
"""Counts that are held at once."""

GAPS = ("gap", "selection_gap", "tpr_gap", "fpr_gap", "odds_gap", "fdr_gap", "for_gap")
"""The measures that are resampled."""


@dataclass(frozen=True, eq=False)
class JointCounts:
    """How many held-out rows there are of each kind.

    Parameters
    ----------
    cells : ndarray of int, shape (n_groups, 3, 2, 2, 2)
        Rows by group, standing (`PROTECTED`, `REST`, `OUTSIDE`), label, prediction before and prediction after.
    """

    cells: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        group: NDArray[np.int64],
        n_groups: int,
        standing: NDArray[np.int64],
        y: NDArray[np.int64],
        before: NDArray[np.int64],
        after: NDArray[np.int64],
    ) -> JointCounts:
        """Count rows.

        Parameters
        ----------
        group, standing, y, before, after : ndarray of int, shape (n,)
            Of each row.
        n_groups : int
            Groups that `group` counts up to.

        Returns
        -------
        JointCounts
            The counts.
        """
        codes = (((group * 3 + standing) * 2 + y) * 2 + before) * 2 + after
        return cls(np.bincount(codes, minlength=n_groups * 24).reshape(n_groups, 3, 2, 2, 2))

    def swapped(self) -> JointCounts:
        """Return the counts with before and after exchanged."""
        return JointCounts(self.cells.swapaxes(3, 4))

    def ordered(self) -> JointCounts:
        """Return the same counts with the groups in an order that does not depend on their names."""
        flat = self.cells.reshape(len(self.cells), -1)
        return JointCounts(self.cells[np.lexsort(flat.T[::-1])])


def gap_intervals(counts: JointCounts, confidence: float, random_state: int) -> tuple[dict[str, Interval], ...]:
    """Return intervals of all gaps and of their differences by resampling.

    Parameters
    ----------
    counts : JointCounts
        The rows.
    confidence : float
        Of the intervals.
    random_state : int
        The seed: the same counts give the same intervals, whatever the order of rows and groups.

    Returns
    -------
    before, after, difference : dict of str to Interval
        For each of `GAPS`; NaN where undefined.
    """
    ordered, turned = counts.ordered(), counts.swapped().ordered()
    # Both directions use the same draws, so that exchanging before and after turns the sign and nothing else.
    if ordered.cells.tobytes() > turned.cells.tobytes():
        before, after, difference = gap_intervals(counts.swapped(), confidence, random_state)
        return after, before, {name: Interval(-i.high, -i.low) for name, i in difference.items()}
    allowed = [_enough(margin) for margin in _margins(ordered.cells[None])]
    observed = _both(ordered.cells[None].astype(float), allowed)
    drawn = [_both(draws, allowed) for draws in _draws(ordered.cells, random_state)]
    replicates = np.concatenate(drawn, axis=1)
    return tuple(
        {name: _interval(float(point[0, g]), values[:, g], confidence) for g, name in enumerate(GAPS)}
        for point, values in zip(_with_difference(observed), _with_difference(replicates), strict=True)
    )


def _draws(cells: NDArray[np.int64], random_state: int) -> Iterator[NDArray[np.float64]]:
    random = np.random.default_rng(random_state)
    flat = cells.reshape(-1)
    present = np.flatnonzero(flat)
    n = int(flat.sum())
    size = max(1, min(REPLICATES, MOST_DRAWN // len(flat)))
    for start in range(0, REPLICATES, size):
        draws = np.zeros((min(size, REPLICATES - start), len(flat)))
        draws[:, present] = random.multinomial(n, flat[present] / n, size=len(draws))
        yield draws.reshape(-1, *cells.shape)


def _margins(draws: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (n_draws, n_groups, 3, label, prediction) for before and for after."""
    return draws.sum(axis=5), draws.sum(axis=4)


def _rates(margin: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return numerators and denominators of the rates of each group: selection, tpr, fpr, fdr, for."""
    cells = margin.sum(axis=2)
    (tn, fp), (fn, tp) = (cells[..., 0, 0], cells[..., 0, 1]), (cells[..., 1, 0], cells[..., 1, 1])
    yield tp + fp, tp + fp + tn + fn
    yield tp, tp + fn
    yield fp, fp + tn
    yield fp, tp + fp
    yield fn, tn + fn


def _enough(margin: NDArray[np.float64]) -> list[NDArray[np.bool_]]:
    return [bottom[0] >= ENOUGH for _, bottom in _rates(margin)]


def _both(draws: NDArray[np.float64], allowed: list[list[NDArray[np.bool_]]]) -> NDArray[np.float64]:
    """Return the gaps before and after, shape (2, n_draws, n_gaps)."""
    return np.stack([_gaps(margin, masks) for margin, masks in zip(_margins(draws), allowed, strict=True)])


def _gaps(margin: NDArray[np.float64], masks: list[NDArray[np.bool_]]) -> NDArray[np.float64]:
    standing = margin.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = standing[:, :, :, 1].sum(axis=2) / standing.sum(axis=(2, 3))
        gap = np.abs(share[:, PROTECTED] - share[:, REST])
        spans = [
            _span(top[:, mask] / bottom[:, mask]) for (top, bottom), mask in zip(_rates(margin), masks, strict=True)
        ]
    selection, tpr, fpr, fdr, omission = spans
    return np.stack([gap, selection, tpr, fpr, np.maximum(tpr, fpr), fdr, omission], axis=1)


def _span(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    if rates.shape[1] < 2:
        return np.full(len(rates), np.nan)
    known = ~np.isnan(rates)
    high = np.where(known, rates, -np.inf).max(axis=1)
    low = np.where(known, rates, np.inf).min(axis=1)
    return np.where(known.sum(axis=1) >= 2, high - low, np.nan)


def _with_difference(both: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    return both[0], both[1], both[1] - both[0]


def _interval(point: float, values: NDArray[np.float64], confidence: float) -> Interval:
    values = values[~np.isnan(values)]
    if np.isnan(point) or not len(values):
        return Interval(float("nan"), float("nan"))
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(min(low, point)), float(max(high, point)))
