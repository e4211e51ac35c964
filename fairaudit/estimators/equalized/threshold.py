"""The one threshold of a score that is right most often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best_threshold(score: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Return the threshold with the highest accuracy.

    Shapes: `score` (n,), `positive` (n,).

    Examples
    --------
    >>> best_threshold(np.array([0.1, 0.25, 0.375, 0.45]), np.array([False, False, True, True]))
    0.3125
    """
    scores = np.unique(score)
    cuts = np.concatenate([[0.0, 0.5, np.nextafter(1.0, 2.0)], (scores[1:] + scores[:-1]) / 2])
    missed = np.searchsorted(np.sort(score[positive]), cuts, side="left")
    kept_out = np.searchsorted(np.sort(score[~positive]), cuts, side="left")
    n_right = positive.sum() - missed + kept_out
    best = cuts[n_right == n_right.max()]
    return float(best[np.abs(best - 0.5).argmin()])
