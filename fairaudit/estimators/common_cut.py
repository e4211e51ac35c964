"""One threshold for everybody: what each of them comes to, overall and in every group.

Rows are sorted by their score once. A cut lies between two distinct scores, so that equal scores are decided alike;
sums of true and false positives along the cuts give all rates of all cuts, in O(n log n) and O(n) more for each group.
Groups may overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

METRICS = ("accuracy", "error_rate", "demographic_parity", "selection_rate", "tpr", "fpr", "fnr", "for_", "fdr")
"""What :meth:`CutCounts.rate` knows: accuracy, share of errors, share of positives, and rates of either outcome."""


LARGEST_COUNT = 2**53
"""Up to this sum, whole numbers add up exactly as floats."""


def are_whole(weights: Floats) -> bool:
    """Say whether all weights are whole numbers whose sums are exact."""
    return bool((weights == np.rint(weights)).all()) and weights.sum() < LARGEST_COUNT


def as_counts(weights: Floats) -> Integers | Floats:
    """Return weights as whole numbers where all are, so that their sums are exact.

    Examples
    --------
    >>> as_counts(np.array([1.0, 2.0])).dtype.kind, as_counts(np.array([1.0, 2.5])).dtype.kind
    ('i', 'f')
    """
    return weights.astype(np.int64) if are_whole(weights) else weights


@dataclass(frozen=True, eq=False)
class CutCounts:
    """How many rows of one group are rightly and wrongly predicted positive at each cut."""

    # true_positives, false_positives: (n_cuts,) Rows of label 1 and of label 0 above the cut; sums of what they count
    # where rows count by themselves.
    true_positives: Integers | Floats
    false_positives: Integers | Floats
    # n_positive, n_negative: Rows of label 1 and of label 0 in all.
    n_positive: float
    n_negative: float

    @property
    def accuracy(self) -> Floats:
        """The share of right predictions, shape (n_cuts,)."""
        return self.rate("accuracy")

    def rate(self, metric: str) -> Floats:
        """Return one of `METRICS` at each cut, NaN where it is a share of no rows; shape (n_cuts,)."""
        tp, fp = self.true_positives, self.false_positives
        fn, tn = self.n_positive - tp, self.n_negative - fp
        n = self.n_positive + self.n_negative
        match metric:
            case "accuracy":
                return _share(tp + tn, n)
            case "error_rate":
                return _share(fp + fn, n)
            case "demographic_parity" | "selection_rate":
                return _share(tp + fp, n)
            case "tpr":
                return _share(tp, self.n_positive)
            case "fpr":
                return _share(fp, self.n_negative)
            case "fnr":
                return _share(fn, self.n_positive)
            case "for_":
                return _share(fn, fn + tn)
            case "fdr":
                return _share(fp, tp + fp)
        raise InputError(f"'metric' must be one of {', '.join(METRICS)}, got {metric!r}.")


@dataclass(frozen=True, eq=False)
class CommonCuts:
    """All cuts of a score that decide differently on some rows; a row is predicted positive at or above the threshold.

    Examples
    --------
    >>> cuts = CommonCuts.of(np.array([0.2, 0.8, 0.8, 0.4]), np.array([0, 1, 0, 1]))
    >>> cuts.thresholds
    array([ inf,  0.6,  0.3, -inf])
    >>> cuts.everybody.accuracy
    array([0.5 , 0.5 , 0.75, 0.5 ])
    >>> cuts.counts(np.array([0, 1])).rate("tpr")
    array([0., 1., 1., 1.])
    """

    # (n_cuts,) From infinity, where nobody is predicted positive, down to minus infinity, where everybody is; between
    # them, midway between two neighbouring scores.
    thresholds: Floats
    # (n,) The first cut, in that order, at which each row is predicted positive.
    first_cut: Integers
    # (n,) Labels, 0 or 1.
    y: Integers
    # (n,) How much each row counts; None where each counts once.
    counts_of_rows: Floats | None = None

    @classmethod
    def of(cls, scores: Floats, y: Integers, counts: Floats | None = None) -> CommonCuts:
        """Sort the scores and find the cuts. Shapes: `scores` (n,), `y` (n,), `counts` (n,)."""
        scores = np.asarray(scores, dtype=np.float64)
        if not np.isfinite(scores).all():
            raise InputError("The scores must be finite numbers.")
        distinct, place = np.unique(scores, return_inverse=True)
        low, high = distinct[:-1], distinct[1:]
        between = low + (high - low) / 2
        # Between two neighbouring numbers there is none; where they are far apart their difference is none.
        between = np.where((low < between) & (between < high), between, high)
        thresholds = np.concatenate([[np.inf], between[::-1], [-np.inf] if len(distinct) else []])
        return cls(thresholds, len(distinct) - place, np.asarray(y, dtype=np.int64), counts)

    @property
    def n_cuts(self) -> int:
        """How many cuts there are: one more than distinct scores."""
        return len(self.thresholds)

    @cached_property
    def everybody(self) -> CutCounts:
        """The counts of all rows."""
        return self.counts(np.arange(len(self.y)))

    def counts(self, rows: NDArray[np.generic]) -> CutCounts:
        """Return the counts of some rows. Shapes: `rows` (n,) of bool or (n_rows,) of int: the rows of a group."""
        y, first = self.y[rows], self.first_cut[rows]
        counts = None if self.counts_of_rows is None else as_counts(self.counts_of_rows)[rows]
        (true, n_positive), (false, n_negative) = (self._up_to(first, y == label, counts) for label in (1, 0))
        return CutCounts(true, false, n_positive, n_negative)

    def sums(self, values: Floats, rows: NDArray[np.generic]) -> Floats:
        """Return the sum of a value over the rows that are predicted positive at each cut.

        Shapes: `values` (n_rows,), `rows` (n,) of bool or (n_rows,) of int; returns (n_cuts,).
        """
        return np.bincount(self.first_cut[rows], weights=values, minlength=self.n_cuts).cumsum()

    def _up_to(
        self, first: Integers, inside: NDArray[np.bool_], counts: Integers | Floats | None
    ) -> tuple[Integers | Floats, float]:
        """Return the sums up to each cut of the rows inside, and that of all of them."""
        if counts is None:
            return np.bincount(first[inside], minlength=self.n_cuts).cumsum(), int(inside.sum())
        sums = np.bincount(first[inside], weights=counts[inside], minlength=self.n_cuts)
        return sums.astype(counts.dtype).cumsum(), counts[inside].sum().item()


def _share(of: NDArray[Any], among: NDArray[Any] | float) -> Floats:
    among = np.broadcast_to(among, of.shape)
    return np.divide(of, among, out=np.full(of.shape, np.nan), where=among > 0)
