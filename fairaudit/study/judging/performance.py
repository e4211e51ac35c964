"""How well a model does, whatever the groups, and how much better or worse than another on the same rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.intervals import ratio, wilson
from fairaudit.measure.results import Interval
from fairaudit.measure.scores import auc_interval
from fairaudit.study.judging.paired import UNDEFINED, auc_difference, mean_interval, share_difference
from fairaudit.study.judging.results import Judged

Figure = tuple[float, Interval]


def performance(y: NDArray[np.int64], judged: Judged, confidence: float) -> dict[str, Figure]:
    """Return the measures of how well a model does.

    Shapes: `y` (n,).
    """
    right = judged.prediction == y
    classes = [_share(right[y == label], confidence) for label in (0, 1)]
    return {
        "accuracy": _share(right, confidence),
        "balanced_accuracy": ((classes[0][0] + classes[1][0]) / 2, mean_interval(*classes)),
        "auc": _auc(y, judged.score, confidence),
    }


def performance_changes(
    y: NDArray[np.int64], before: Judged, after: Judged, confidence: float
) -> dict[str, tuple[float, float, Interval]]:
    """Compare the measures of :func:`performance` of two models on the same rows.

    Shapes: `y` (n,).
    """
    first, second = performance(y, before, confidence), performance(y, after, confidence)
    was, is_now = before.prediction == y, after.prediction == y
    classes = [share_change(was[y == label], is_now[y == label], confidence) for label in (0, 1)]
    intervals = {
        "accuracy": share_change(was, is_now, confidence)[1],
        "balanced_accuracy": mean_interval(*classes),
        "auc": _auc_change(y, before.score, after.score, confidence),
    }
    return {name: (first[name][0], second[name][0], interval) for name, interval in intervals.items()}


def _share(right: NDArray[np.bool_], confidence: float) -> Figure:
    k, n = int(right.sum()), len(right)
    low, high = wilson(k, n, confidence)
    return float(ratio(k, n)), Interval(float(low), float(high))


def share_change(was: NDArray[np.bool_], is_now: NDArray[np.bool_], confidence: float) -> Figure:
    """Return how much larger a share is than another of the same rows.

    Shapes: `was` (n,), `is_now` (n,).
    """
    up, down, n = int((~was & is_now).sum()), int((was & ~is_now).sum()), len(was)
    return float(ratio(up - down, n)), share_difference(up, down, n, confidence)


def _auc(y: NDArray[np.int64], score: NDArray[np.float64] | None, confidence: float) -> Figure:
    if score is None:
        return float("nan"), UNDEFINED
    known = ~np.isnan(score)
    values, codes = np.unique(score[known], return_inverse=True)
    positives, negatives = (np.bincount(codes[y[known] == label], minlength=len(values)) for label in (1, 0))
    return auc_interval(positives, negatives, confidence)


def _auc_change(
    y: NDArray[np.int64], before: NDArray[np.float64] | None, after: NDArray[np.float64] | None, confidence: float
) -> Interval:
    if before is None or after is None:
        return UNDEFINED
    known = ~np.isnan(before)
    if not np.array_equal(known, ~np.isnan(after)):
        return UNDEFINED
    return auc_difference(y[known], before[known], after[known], confidence)
