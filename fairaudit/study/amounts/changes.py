"""How errors and differences of mean amounts change from one model to another on the same rows, with intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fairaudit.study.amounts.findings import AmountChange
from fairaudit.study.judging.paired import ADDED, UNDEFINED, normal_interval

Floats = NDArray[np.float64]
ROUNDING = 1e-9
"""Moves that differ by less, in standard deviations of the amounts, are the same."""

Sides = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def amount_changes(
    y: Floats, sides: Sides, before: Floats, after: Floats, confidence: float
) -> tuple[AmountChange, ...]:
    """Compare two models of an amount row by row; `sides` are the protected group and the rest.

    Shapes: `y`, `before`, `after` and each of `sides` (n,).

    Notes
    -----
    Each figure is a ratio ``sum(t) / sum(b)`` over rows, or a difference of two, and its interval a normal
    approximation: a row moves the change by ``(t_after - t_before - change b) / sum(b)``, and the squares of these add
    up to the variance. `ADDED` rows are included that move up, and as many that move down, by as much as rows do that
    move otherwise than the median of their group: by the root mean square of that. Where none does, it is that of the
    moves, and where no row moves, the standard deviation of the amounts.

    The mean prediction and the mean error of a group move by the same amount, so the differences of both change alike.

    Examples
    --------
    >>> rows = np.arange(80)
    >>> y, women = 100.0 * (rows % 10), rows % 4 == 0
    >>> mae, r2, gap, error_gap = amount_changes(y, (women, ~women), y - 60 * women, y + 20 * women, 0.95)
    >>> print(f"{gap.before:.0f} to {gap.after:.0f}: {gap.interval.low:.1f} to {gap.interval.high:.1f}")
    -127 to -47: 68.3 to 91.7
    """
    step = _step([(after - before)[side] for side in sides], y)
    error, error_after, spread = before - y, after - y, (y - y.mean()) ** 2
    mae = _variance(np.abs, error, error_after, np.ones(len(y)), step)
    loss = _variance(np.square, error, error_after, spread, step)
    one, other = (_variance(np.positive, before[side], after[side], np.ones(side.sum()), step) for side in sides)
    first, last, actual = (float(each[sides[0]].mean() - each[sides[1]].mean()) for each in (before, after, y))
    figures = (
        ("mae", np.abs(error).mean(), np.abs(error_after).mean(), mae),
        ("r2", 1 - _ratio(error**2, spread), 1 - _ratio(error_after**2, spread), loss),
        ("gap", first, last, one + other),
        ("error_gap", first - actual, last - actual, one + other),
    )
    return tuple(_change(name, was, is_now, variance, confidence) for name, was, is_now, variance in figures)


def _step(moves: list[Floats], y: Floats) -> float:
    """Return how far a row moves otherwise than most of its group, where it does; `moves` are those of each group."""
    for sizes in ([own - np.median(own) for own in moves], moves):
        size = np.abs(np.concatenate(sizes))
        if (differs := size > ROUNDING * y.std()).any():
            return float(np.sqrt((size[differs] ** 2).mean()))
    return float(y.std())


def _change(measure: str, before: float, after: float, variance: float, confidence: float) -> AmountChange:
    difference = float(after - before)
    interval = UNDEFINED if np.isnan(difference) else normal_interval(difference, variance, confidence)
    return AmountChange(measure, float(before), float(after), difference, interval)


def _variance(part: Callable[[Floats], Floats], before: Floats, after: Floats, whole: Floats, step: float) -> float:
    """Return the variance of the change of a ratio; `part` makes its numerator of predictions or errors.

    Shapes: `before`, `after`, `whole` (n,).
    """
    top = part(after) - part(before)
    moved = top - _ratio(top, whole) * whole
    stepped = [((part(before + sign * step) - part(before)) ** 2).mean() for sign in (-1, 1)]
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = (moved**2).sum() * len(moved) / max(len(moved) - 1, 1)
        return float((squares + ADDED * sum(stepped)) / whole.sum() ** 2)


def _ratio(top: Floats, whole: Floats) -> float:
    """Return a ratio of sums; NaN where the second is 0."""
    return float(top.sum() / whole.sum()) if whole.any() else float("nan")
