"""Intervals of changed gaps by drawing the held-out rows again, from counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.gaps import ENOUGH
from fairaudit.measure.results import Interval

REPLICATES = 2_000
"""Draws behind an interval."""

MOST_DRAWN = 4_000_000
"""Counts that are held at once."""

PROTECTED, REST, OUTSIDE = range(3)
"""Where a row stands for the gap: protected, the rest, or not looked at."""

GAPS = ("gap", "selection_gap", "tpr_gap", "fpr_gap", "odds_gap", "fdr_gap", "for_gap")
"""The measures that are resampled."""

Floats = NDArray[np.float64]


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
        standing: NDArray[np.int64],
        y: NDArray[np.int64],
        before: NDArray[np.int64],
        after: NDArray[np.int64],
    ) -> JointCounts:
        """Count rows.

        Shapes: `group` (n,), `standing` (n,), `y` (n,), `before` (n,), `after` (n,).
        """
        codes = (((group * 3 + standing) * 2 + y) * 2 + before) * 2 + after
        n_groups = int(group.max()) + 1
        return cls(np.bincount(codes, minlength=n_groups * 24).reshape(n_groups, 3, 2, 2, 2))

    def swapped(self) -> JointCounts:
        """Return the counts with before and after exchanged."""
        return JointCounts(self.cells.swapaxes(3, 4))

    def ordered(self) -> JointCounts:
        """Return the same counts, groups put in an order that does not depend on their names."""
        flat = self.cells.reshape(len(self.cells), -1)
        return JointCounts(self.cells[np.lexsort(flat.T)])


def change_intervals(counts: JointCounts, confidence: float, random_state: int) -> dict[str, Interval]:
    """Return intervals of the changes of all gaps, after minus before.

    The table of counts is drawn again and again, each row as likely as in the data; ``d`` is the change in the data and
    ``q`` are the quantiles of the changes in the draws. The interval is ``2 d - q_high`` to ``2 d - q_low``: a largest
    gap leans upward by chance, in the draws as in the data, and this takes off what the draws add.

    Notes
    -----
    In simulations with up to 5 groups, intervals of 95 % covered the true change in 87 to 95 % of the cases; with 20
    groups of 100 rows each, of which only one differed, in 74 %. Which groups are compared is taken from the data.

    References
    ----------
    Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 5.2 (basic intervals).
    """
    ordered, turned = counts.ordered(), counts.swapped().ordered()
    # Both directions use the same draws, so that exchanging before and after turns the sign and nothing else.
    if ordered.cells.tobytes() > turned.cells.tobytes():
        found = change_intervals(turned, confidence, random_state)
        return {name: Interval(0.0 - interval.high, 0.0 - interval.low) for name, interval in found.items()}
    cells = ordered.cells
    allowed = _allowed(cells)
    before, after = _both(cells[None].astype(float), allowed)
    point = (after - before)[0]
    drawn = np.concatenate(
        [after - before for before, after in (_both(d, allowed) for d in _draws(cells, random_state))]
    )
    return {name: _basic(float(point[g]), drawn[:, g], confidence) for g, name in enumerate(GAPS)}


def both_gaps(counts: JointCounts) -> tuple[dict[str, float], dict[str, float]]:
    """Return all gaps in the data."""
    before, after = _both(counts.cells[None].astype(float), _allowed(counts.cells))
    return dict(zip(GAPS, before[0].tolist(), strict=True)), dict(zip(GAPS, after[0].tolist(), strict=True))


def _draws(cells: NDArray[np.int64], random_state: int) -> Iterator[Floats]:
    random = np.random.default_rng(random_state)
    flat = cells.reshape(-1)
    present = np.flatnonzero(flat)
    n = int(flat.sum())
    size = max(1, min(REPLICATES, MOST_DRAWN // len(flat)))
    for start in range(0, REPLICATES, size):
        draws = np.zeros((min(size, REPLICATES - start), len(flat)))
        draws[:, present] = random.multinomial(n, flat[present] / n, size=len(draws))
        yield draws.reshape(-1, *cells.shape)


def _allowed(cells: NDArray[np.int64]) -> list[list[NDArray[np.bool_]]]:
    """Return for either model and each rate the groups in which it is a share of enough rows."""
    return [[bottom[0] >= ENOUGH for _, bottom in _rates(margin)] for margin in _margins(cells[None])]


def _both(draws: Floats, allowed: list[list[NDArray[np.bool_]]]) -> tuple[Floats, Floats]:
    """Return the gaps before and after, each of shape (n_draws, n_gaps)."""
    before, after = (_gaps(margin, masks) for margin, masks in zip(_margins(draws), allowed, strict=True))
    return before, after


def _margins(draws: Floats) -> tuple[Floats, Floats]:
    """Return counts by draw, group, standing, label and one prediction: before, and after."""
    return draws[..., 0] + draws[..., 1], draws[..., 0, :] + draws[..., 1, :]


def _rates(margin: Floats) -> tuple[tuple[Floats, Floats], ...]:
    """Return numerator and denominator of each group's rates: selection, tpr, fpr, fdr, for."""
    cells = margin[:, :, PROTECTED] + margin[:, :, REST] + margin[:, :, OUTSIDE]
    tn, fp, fn, tp = (cells[:, :, label, prediction] for label in (0, 1) for prediction in (0, 1))
    return (tp + fp, tp + fp + tn + fn), (tp, tp + fn), (fp, fp + tn), (fp, tp + fp), (fn, tn + fn)


def _gaps(margin: Floats, masks: list[NDArray[np.bool_]]) -> Floats:
    standing = margin.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = standing[:, :, :, 1].sum(axis=2) / standing.sum(axis=(2, 3))
        spans = [
            _span(top[:, mask] / bottom[:, mask]) for (top, bottom), mask in zip(_rates(margin), masks, strict=True)
        ]
    gap = np.abs(share[:, PROTECTED] - share[:, REST])
    selection, tpr, fpr, fdr, omission = spans
    return np.stack([gap, selection, tpr, fpr, np.maximum(tpr, fpr), fdr, omission], axis=1)


def _span(rates: Floats) -> Floats:
    """Return the largest minus the smallest rate of each draw; NaN with fewer than two groups."""
    if rates.shape[1] < 2:
        return np.full(len(rates), np.nan)
    return rates.max(axis=1) - rates.min(axis=1)


def _basic(point: float, drawn: Floats, confidence: float) -> Interval:
    drawn = drawn[~np.isnan(drawn)]
    if np.isnan(point) or not len(drawn):
        return Interval(float("nan"), float("nan"))
    low, high = 2 * point - np.quantile(drawn, [(1 + confidence) / 2, (1 - confidence) / 2])
    return Interval(float(max(min(low, point), -1.0)), float(min(max(high, point), 1.0)))
