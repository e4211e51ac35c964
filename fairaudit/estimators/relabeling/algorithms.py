"""Two ways to relabel rows so that the protected group has the reference group's share of label 1.

Both move the protected rows of the population, upwards or downwards, to the share of the reference rows; no other row
changes. Paper symbols: DNP are the protected rows of the population, notDNP its other rows (the reference); D2 are the
labels before, D3 those after; ``alpha = #DNP * ratio(notDNP)`` is the count of label 1 to reach in DNP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.base import boolean_rows

# Columns that spell out the groups, for models that may see the protected column.

NAMES = ("is protected", "is in the population", "is protected and in the population")
"""The columns; a number is put behind a name that the table has already."""


def add_group_columns(table: Any, *, protected: Any, population: Any = None) -> pd.DataFrame:
    """Return a table with three columns of 0 and 1 more: protected, in the population, and both.

    Relabelling changes labels for protected rows of the population only. A model follows it better if it need not work
    out from other columns which rows these are. The columns must be there when the model decides as well. Only for a
    model that may see the protected column: they hold nothing that the conditions' own columns do not hold.

    Shapes: `table` (n, n_features), `protected` (n,), `population` (n,); returns (n, n_features + 3).

    Examples
    --------
    >>> add_group_columns(pd.DataFrame({"age": [30, 40]}), protected=[True, False]).iloc[:, 1:].to_numpy().tolist()
    [[1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]
    """
    who = boolean_rows(protected, len(table), "protected", default=False)
    inside = boolean_rows(population, len(table), "population", default=True)
    columns = {}
    for name, values in zip(NAMES, (who, inside, who & inside), strict=True):
        number = 1
        while (free := name if number == 1 else f"{name} {number}") in table.columns:
            number += 1
        columns[free] = values.astype(np.float64)
    return table.assign(**columns)


# Weights that lead a model to the relabelled shares: labels without a gap do not make decisions without one.

LARGEST = 3.0
"""The most that the logarithm of the ratio of weights may be, in either direction."""


class GapReweighing:
    """Weigh the relabelled protected rows anew by the gap that a model's decisions show while it is being fitted.

    A model that only sees that the gap of the labels is closed will close most of it: the few changed labels look like
    noise to it. So after each round the protected rows with label 1 count more, and those with label 0 less, as long as
    the model's own decisions (a probability of at least 0.5) on all rows it may look at leave the protected group
    behind, and the other way round. Neither labels nor any other row change, and the group keeps its total weight.

    Parameters
    ----------
    table : DataFrame or ndarray, shape (n_judged, n_features)
        The rows of the population whose decisions are watched; never held-out ones.
    protected : ndarray of bool, shape (n_judged,)
        Who of them is protected.
    labels : ndarray of int, shape (n,)
        The labels that the model is fitted to, 0 or 1.
    moved : ndarray of bool, shape (n,)
        The protected rows of the population among those that the model is fitted to.
    step : float
        How far the logarithm of the ratio of weights moves for a gap of 1.

    Attributes
    ----------
    gap : float
        The gap of the decisions after the last round; NaN before the first.
    ratio : float
        The weight of a protected row with label 1 over one with label 0 in that round.

    Notes
    -----
    With ``g`` the gap after a round, ``r <- clip(r - step * g, -3, 3)``; rows with label 1 weigh ``exp(r / 2)``, those
    with label 0 ``exp(-r / 2)``, both times what keeps their sum. Chen et al. (2020) fit plainly.
    """

    def __init__(
        self,
        table: Any,
        protected: NDArray[np.bool_],
        *,
        labels: NDArray[np.int64],
        moved: NDArray[np.bool_],
        step: float,
    ):
        self.table = table
        self.protected = protected
        self.labels = labels
        self.moved = moved
        self.step = step
        self.log_ratio = 0.0
        self.gap, self.ratio = np.nan, 1.0

    def prepare(self, transform: Callable[[Any], NDArray[np.float64]]) -> None:
        """Prepare the watched rows as the model's own."""
        self.table = transform(self.table)

    def __call__(self, model: Any) -> NDArray[np.float64] | None:
        """Return the weights of all rows for the next round.

        Shapes: returns (n,).
        """
        decisions = model.predict_proba(self.table)[:, 1] >= 0.5
        self.gap = float(decisions[self.protected].mean() - decisions[~self.protected].mean())
        self.ratio = float(np.exp(self.log_ratio))
        moved_labels = self.labels[self.moved]
        if len(np.unique(moved_labels)) < 2:
            return None
        self.log_ratio = float(np.clip(self.log_ratio - self.step * self.gap, -LARGEST, LARGEST))
        sides = np.exp(np.where(moved_labels == 1, 0.5, -0.5) * self.log_ratio)
        weights = np.ones(len(self.labels))
        weights[self.moved] = sides / sides.mean()
        return weights


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
