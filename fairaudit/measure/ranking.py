"""How well a score ranks: ROC points and the area under them, from counts at each score."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.results import Interval

MOST_POINTS = 200
"""A ROC curve is thinned to about this many points."""


def auc_interval(
    positives: ArrayLike, negatives: ArrayLike, confidence: float = USUAL_CONFIDENCE
) -> tuple[float, Interval]:
    """Return the area under the ROC curve with DeLong's interval.

    Shapes: `positives` (n_scores,), `negatives` (n_scores,).

    Notes
    -----
    O(n_scores) after sorting: the placement of a row depends on its score only.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988); Sun and Xu (2014) for the fast form.

    Examples
    --------
    >>> auc, interval = auc_interval([0, 1, 2], [2, 1, 0])
    >>> round(auc, 3)
    0.944
    """
    p, q = np.asarray(positives, dtype=float), np.asarray(negatives, dtype=float)
    n_p, n_q = p.sum(), q.sum()
    undefined = Interval(float("nan"), float("nan"))
    if n_p == 0 or n_q == 0:
        return float("nan"), undefined
    below = (q.cumsum() - q / 2) / n_q
    above = (n_p - p.cumsum() + p / 2) / n_p
    auc = float((p * below).sum() / n_p)
    if n_p < 2 or n_q < 2:
        return auc, undefined
    variance = (p * (below - auc) ** 2).sum() / (n_p - 1) / n_p + (q * (above - auc) ** 2).sum() / (n_q - 1) / n_q
    if variance <= 1e-16:
        return auc, undefined
    spread = float(two_sided_z(confidence) * np.sqrt(variance))
    return auc, Interval(max(auc - spread, 0.0), min(auc + spread, 1.0))


def roc_points(scores: NDArray[np.float64], positives: ArrayLike, negatives: ArrayLike) -> pd.DataFrame:
    """Return the ROC curve, thinned to what an eye can see.

    Shapes: `scores` (n_scores,), `positives` (n_scores,), `negatives` (n_scores,); returns a frame of threshold, fpr,
    tpr.
    """
    p, q = np.asarray(positives, dtype=float)[::-1], np.asarray(negatives, dtype=float)[::-1]
    if p.sum() == 0 or q.sum() == 0:
        return pd.DataFrame({"threshold": [], "fpr": [], "tpr": []}, dtype=float)
    tpr = np.concatenate([[0.0], p.cumsum() / p.sum()])
    fpr = np.concatenate([[0.0], q.cumsum() / q.sum()])
    threshold = np.concatenate([[np.nan], scores[::-1]])
    keep = np.ones(len(tpr), dtype=bool)
    if len(tpr) > MOST_POINTS:
        # Along the curve fpr + tpr grows from 0 to 2: keep the first point in each of equal steps, and both ends.
        step = np.minimum(((fpr + tpr) / 2 * MOST_POINTS).astype(int), MOST_POINTS - 1)
        keep = np.concatenate([[True], step[1:] > step[:-1]])
        keep[-1] = True
    return pd.DataFrame({"threshold": threshold[keep], "fpr": fpr[keep], "tpr": tpr[keep]})
