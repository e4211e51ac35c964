"""Two ways to relabel rows so that the protected group has the reference group's share of label 1.

Both move the protected rows of the population, upwards or downwards, to the share of the reference rows; no other row
changes. Paper symbols: DNP are the protected rows of the population, notDNP its other rows (the reference); D2 are the
labels before, D3 those after; ``alpha = #DNP * ratio(notDNP)`` is the count of label 1 to reach in DNP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.base import boolean_rows

Direction = Literal["raised", "lowered", "none"]
"""What happened to the protected group's share of label 1."""


@dataclass(frozen=True, eq=False)
class Relabeling:
    """Labels before and after, and what it took.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        0 or 1, after relabelling (D3).
    labels_before : ndarray of int, shape (n,)
        0 or 1, before (D2).
    flipped : ndarray of bool, shape (n,)
        Where the two differ; protected rows of the population only.
    risk_shift : float
        What is subtracted from the protected rows' scores (risk adjustment); 0 where there is no shift.
    alpha : float
        How many protected rows would have label 1 at exactly the reference's share; seldom a whole number.
    gap_before, gap_after : float
        Protected minus reference in the share of label 1.
    n_protected, n_reference : int
        Rows of the population that are protected, and that are not.
    direction : {"raised", "lowered", "none"}
        What happened to the protected group's share; "none" where it was as near as it can be.
    """

    labels: NDArray[np.int64]
    labels_before: NDArray[np.int64]
    flipped: NDArray[np.bool_]
    risk_shift: float
    alpha: float
    gap_before: float
    gap_after: float
    n_protected: int
    n_reference: int
    direction: Direction

    @property
    def n_flipped(self) -> int:
        """The number of labels that changed."""
        return int(self.flipped.sum())


def risk_adjustment(scores: Any, *, protected: Any, population: Any = None, threshold: float = 0.5) -> Relabeling:
    """Relabel by a threshold on the scores, which are shifted for the protected rows of the population.

    Before, a row has label 1 if its score is at least `threshold`. The protected rows get the threshold ``threshold'``
    at which their count of label 1 is nearest to ``alpha``, which is the same as subtracting ``delta = threshold' -
    threshold`` from their scores. To keep the true labels where possible, use :func:`risk_flipping`.

    Shapes: `scores` (n,), `protected` (n,), `population` (n,).

    Notes
    -----
    Where scores are tied, some counts cannot be reached: the nearest one is taken, and `gap_after` shows what is left.
    Of two counts that are equally near, the one nearer to the present count is taken. Without ties the gap after is
    below 1 / #DNP. ``threshold'`` is the largest that gives the count: the score of the last row with label 1, or,
    where no row shall have it, just above the largest score. O(n log n).

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 3.1, Algorithm 1.
    There the protected group is lowered "without loss of generality"; its tables raise it. It is moved in either
    direction here.

    Examples
    --------
    >>> found = risk_adjustment([0.9, 0.8, 0.3, 0.7, 0.4, 0.2], protected=[0, 0, 0, 1, 1, 1])
    >>> found.labels.tolist(), found.direction, round(found.risk_shift, 2)
    ([1, 1, 0, 1, 1, 0], 'raised', -0.1)
    """
    scores = _scores(scores)
    if not np.isfinite(threshold):
        raise InputError(f"'threshold' must be a finite number, got {threshold}.")
    before = (scores >= threshold).astype(np.int64)
    groups = _Groups.of(before, protected, population)
    values, sizes = np.unique(scores[groups.protected], return_counts=True)
    counts = np.append(sizes[::-1].cumsum()[::-1], 0)  # rows at or above each value, and above all of them
    count = groups.nearest(counts)
    labels, shift = before.copy(), 0.0
    if count != groups.n_positive:
        above_all = values[-1] + 1e-9 * max(1.0, abs(values[-1]))
        cut = above_all if count == 0 else values[counts[:-1] == count][0]
        labels[groups.protected] = scores[groups.protected] >= cut
        shift = float(cut - threshold)
    return groups.relabeling(before, labels, shift)


def risk_flipping(scores: Any, labels: Any, *, protected: Any, population: Any = None) -> Relabeling:
    """Flip as few labels as possible of protected rows of the population, those that the scores speak against most.

    If too many have label 1, those with label 1 and the lowest scores get 0; if too few, those with label 0 and the
    highest scores get 1. All other labels stay as they are. To relabel all rows by the scores, use
    :func:`risk_adjustment`.

    Shapes: `scores` (n,), `labels` (n,), `protected` (n,), `population` (n,).

    Notes
    -----
    The count of label 1 that is nearest to ``alpha`` is always reached, so that the gap after is at most half of
    1 / #DNP. Of two equally near counts the one that takes fewer flips is taken. Among rows with the same score those
    that come first are flipped first. O(n log n).

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 3.2, Algorithm 2.
    ``beta`` is the count of label 1 minus ``alpha``, rounded; the paper prints its negative.

    Examples
    --------
    >>> found = risk_flipping([0.9, 0.8, 0.3, 0.7, 0.4, 0.2], [1, 1, 0, 0, 1, 0], protected=[0, 0, 0, 1, 1, 1])
    >>> found.labels.tolist(), found.n_flipped, found.direction
    ([1, 1, 0, 1, 1, 0], 1, 'raised')
    """
    scores = _scores(scores)
    before = boolean_rows(labels, len(scores), "labels", default=False).astype(np.int64)
    groups = _Groups.of(before, protected, population)
    beta = groups.n_positive - groups.nearest(np.arange(groups.n_protected + 1))
    flipped_label = int(beta > 0)
    rows = np.flatnonzero(groups.protected & (before == flipped_label))
    order = np.argsort(scores[rows] if beta > 0 else -scores[rows], kind="stable")
    after = before.copy()
    after[rows[order[: abs(beta)]]] = 1 - flipped_label
    return groups.relabeling(before, after, 0.0)


def check_sizes(n_protected: int, n_reference: int) -> tuple[int, int]:
    """Check that the population of the rows to relabel has both groups, and return their sizes."""
    if not (n_protected and n_reference):
        raise GroupError(
            f"The rows to relabel have {n_protected:,} protected and {n_reference:,} other rows in the population; "
            "both are needed.",
            uncounted="The rows to relabel lack protected rows or others in the population; both are needed.",
            hint="Widen the population, or check the condition that says who is protected.",
        )
    return n_protected, n_reference


@dataclass(frozen=True, eq=False)
class _Groups:
    """DNP and notDNP as masks, and how many rows of each have label 1 before."""

    protected: NDArray[np.bool_]
    reference: NDArray[np.bool_]
    n_protected: int
    n_reference: int
    n_positive: int
    n_reference_positive: int

    @classmethod
    def of(cls, labels: NDArray[np.int64], protected: Any, population: Any) -> _Groups:
        is_protected = boolean_rows(protected, len(labels), "protected", default=False)
        inside = boolean_rows(population, len(labels), "population", default=True)
        dnp, reference = is_protected & inside, ~is_protected & inside
        n, m = check_sizes(int(dnp.sum()), int(reference.sum()))
        return cls(dnp, reference, n, m, int(labels[dnp].sum()), int(labels[reference].sum()))

    @property
    def alpha(self) -> float:
        return self.n_protected * self.n_reference_positive / self.n_reference

    def nearest(self, counts: NDArray[np.int64]) -> int:
        """Return the count nearest to alpha, of equally near ones the nearest to the present one; in whole numbers."""
        off = np.abs(counts * self.n_reference - self.n_protected * self.n_reference_positive)
        return int(counts[np.lexsort((np.abs(counts - self.n_positive), off))[0]])

    def relabeling(self, before: NDArray[np.int64], after: NDArray[np.int64], shift: float) -> Relabeling:
        n_after = int(after[self.protected].sum())
        share = self.n_reference_positive / self.n_reference
        direction: Direction = "none"
        if n_after != self.n_positive:
            direction = "raised" if n_after > self.n_positive else "lowered"
        return Relabeling(
            labels=after,
            labels_before=before,
            flipped=after != before,
            risk_shift=shift,
            alpha=self.alpha,
            gap_before=self.n_positive / self.n_protected - share,
            gap_after=n_after / self.n_protected - share,
            n_protected=self.n_protected,
            n_reference=self.n_reference,
            direction=direction,
        )


def _scores(values: Any) -> NDArray[np.float64]:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1:
        raise InputError(f"'scores' must have one dimension, got the shape {scores.shape}.")
    n_bad = int((~np.isfinite(scores)).sum())
    if n_bad:
        raise InputError(f"'scores' must be finite numbers, got {n_bad:,} that are missing or infinite.")
    return scores
