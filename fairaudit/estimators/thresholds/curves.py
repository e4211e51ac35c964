"""Where thresholds put groups on their ROC curves. A row is predicted 1 where its score is at least the threshold."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

ABOVE = 1e-12
"""By so much the threshold that nobody reaches is above the highest score, more than rounding puts between scores."""


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """All that a threshold can do to one group; threshold falling, so that no count ever falls.

    Parameters
    ----------
    thresholds : ndarray of float, shape (m + 1,)
        The m distinct scores in descending order, after a number just above them all, which selects nobody.
    tp, fp : ndarray of int, shape (m + 1,)
        True and false positives at each threshold.
    n_positive, n_negative : int
        Rows with label 1 and with label 0.
    """

    thresholds: NDArray[np.float64]
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    n_positive: int
    n_negative: int

    @classmethod
    def of(cls, y: Any, scores: Any) -> OperatingPoints:
        """Count the rows of one group at each of its thresholds.

        Shapes: `y` (n,), `scores` (n,).

        Examples
        --------
        >>> points = OperatingPoints.of([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> points.tp.tolist(), points.fp.tolist(), points.thresholds[1:].tolist()
        ([0, 1, 2, 2], [0, 0, 1, 2], [0.9, 0.5, 0.1])
        """
        values, place = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
        y = np.asarray(y, dtype=np.int64)
        tp, fp = (np.bincount(place[y == label], minlength=len(values))[::-1].cumsum() for label in (1, 0))
        return cls(
            thresholds=np.append(max(values[-1] + ABOVE, np.nextafter(values[-1], np.inf)), values[::-1]),
            tp=np.append(0, tp),
            fp=np.append(0, fp),
            n_positive=int(tp[-1]),
            n_negative=int(fp[-1]),
        )

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.n_positive + self.n_negative

    @property
    def tpr(self) -> NDArray[np.float64]:
        """The true positive rate at each threshold."""
        return self.tp / self.n_positive

    @property
    def fpr(self) -> NDArray[np.float64]:
        """The false positive rate at each threshold."""
        return self.fp / self.n_negative

    @property
    def selection(self) -> NDArray[np.float64]:
        """The share of rows that are predicted 1 at each threshold."""
        return (self.tp + self.fp) / self.n

    @property
    def correct(self) -> NDArray[np.int64]:
        """How many predictions are right at each threshold."""
        return self.tp + self.n_negative - self.fp

    def take(self, places: NDArray[np.int64]) -> OperatingPoints:
        """Return some of the points, in their order."""
        return replace(self, thresholds=self.thresholds[places], tp=self.tp[places], fp=self.fp[places])

    def index_of(self, threshold: float) -> int:
        """Return the point that any threshold, not only one of the scores, leads to."""
        return int(np.searchsorted(-self.thresholds[1:], -threshold, side="right"))


@dataclass(frozen=True)
class ThresholdOutcome:
    """What a choice of thresholds does to the rows that they are tuned on. Tuples have one entry for each group.

    Parameters
    ----------
    groups : tuple
        The groups.
    thresholds : tuple of float
        The least score that is predicted 1.
    accuracy : float
        Share of right predictions in all groups together: E_a.
    gap : float
        E_f, the sum over all groups but the reference of the gaps to it in TPR and in FPR.
    tpr, fpr, selection : tuple of float
        True positive rate, false positive rate, and share of rows that are predicted 1.
    """

    groups: tuple[Hashable, ...]
    thresholds: tuple[float, ...]
    accuracy: float
    gap: float
    tpr: tuple[float, ...]
    fpr: tuple[float, ...]
    selection: tuple[float, ...]

    @property
    def by_group(self) -> dict[Hashable, float]:
        """The threshold of each group."""
        return dict(zip(self.groups, self.thresholds, strict=True))

    def objective(self, weight: float) -> float:
        """Return the accuracy minus the weighted gap."""
        return self.accuracy - weight * self.gap
