"""Relabel the rows that a model learns from, and retrain."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import GroupError, InputError, StoppedError, require
from fairaudit.estimators.base import GroupAwareClassifier, boolean_rows, divide, iter_part, read_features
from fairaudit.estimators.common_cut import as_counts
from fairaudit.estimators.models import (
    BASE_LEARNER,
    PerceptronEnsemble,
    base_learner,
    iter_fit_model,
    learner_has,
    learner_takes_missing,
    run_base_learner,
    scores_of,
    takes_weights,
)
from fairaudit.estimators.parameters import (
    CLASSES,
    NOT_NEGATIVE,
    PART,
    PROBABILITIES,
    SELF,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_parameters,
    documented,
    one_of,
)
from fairaudit.estimators.relabel_search import MOST_FITS, Extent, balance, choose, goals, iter_extents, tuned
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.grouping import MISSING, as_pandas, group_rows

# Two ways to relabel rows so that the protected group has the reference group's share of label 1.
#
# Both move the protected rows of the population, upwards or downwards, to the share of the reference rows; no other row
# changes. Paper symbols: DNP are the protected rows of the population, notDNP its other rows (the reference); D2 are
# the labels before, D3 those after; ``alpha = #DNP * ratio(notDNP)`` is the count of label 1 to reach in DNP.

GROUP_COLUMNS = ("is protected", "is in the population", "is protected and in the population")
"""Columns that spell out the groups; a number is put behind a name that the table has already."""


def add_group_columns(
    table: pd.DataFrame, *, protected: ArrayLike, population: ArrayLike | None = None
) -> pd.DataFrame:
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
    for name, values in zip(GROUP_COLUMNS, (who, inside, who & inside), strict=True):
        number = 1
        while (free := name if number == 1 else f"{name} {number}") in table.columns:
            number += 1
        columns[free] = values.astype(np.float64)
    return table.assign(**columns)


# Weights that lead a model to the relabelled shares: labels without a gap do not make decisions without one.

LARGEST_LOG_RATIO = 3.0
"""The most that the logarithm of the ratio of weights may be, in either direction."""


class GapReweighing:
    """Weigh the relabelled protected rows anew by the gap that a model's decisions show while it is being fitted.

    A model that only sees that the gap of the labels is closed will close most of it: the few changed labels look like
    noise to it. So after each round the protected rows with label 1 count more, and those with label 0 less, as long as
    the model's own decisions (a probability of at least 0.5) on all rows it may look at leave the protected group
    behind, and the other way round. Neither labels nor any other row change, and the group keeps its total weight.

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

    # table: (n_judged, n_features) The rows of the population whose decisions are watched; never held-out ones.
    # protected: (n_judged,) Who of them is protected.
    # labels: (n,) The labels that the model is fitted to, 0 or 1.
    # moved: (n,) The protected rows of the population among those that the model is fitted to.
    # step: How far the logarithm of the ratio of weights moves for a gap of 1.
    # row_weights, watched_weights: (n,) and (n_judged,) How much rows count by themselves; None: each counts once.
    def __init__(
        self,
        table: pd.DataFrame,
        protected: NDArray[np.bool_],
        *,
        labels: NDArray[np.int64],
        moved: NDArray[np.bool_],
        step: float,
        row_weights: NDArray[np.float64] | None = None,
        watched_weights: NDArray[np.float64] | None = None,
    ):
        self.table = table
        self.protected = protected
        self.labels = labels
        self.moved = moved
        self.step = step
        self.row_weights = np.ones(len(labels)) if row_weights is None else row_weights
        self.watched_weights = np.ones(len(protected)) if watched_weights is None else watched_weights
        self.log_ratio = 0.0
        self.gap, self.ratio = np.nan, 1.0

    def prepare(self, transform: Callable[[pd.DataFrame], NDArray[np.float64]]) -> None:
        """Prepare the watched rows like those that the model is fitted to."""
        self.table = transform(self.table)

    def __call__(self, model: PerceptronEnsemble) -> NDArray[np.float64] | None:
        """Return the weights of all rows for the next round. Shapes: returns (n,)."""
        decisions = model.predict_proba(self.table)[:, 1] >= 0.5
        shares = [
            np.average(decisions[who], weights=self.watched_weights[who]) for who in (self.protected, ~self.protected)
        ]
        self.gap = float(shares[0] - shares[1])
        self.ratio = float(np.exp(self.log_ratio))
        moved_labels = self.labels[self.moved]
        if len(np.unique(moved_labels)) < 2:
            return None
        self.log_ratio = float(np.clip(self.log_ratio - self.step * self.gap, -LARGEST_LOG_RATIO, LARGEST_LOG_RATIO))
        sides = np.exp(np.where(moved_labels == 1, 0.5, -0.5) * self.log_ratio)
        weights = self.row_weights.copy()
        weights[self.moved] *= sides / np.average(sides, weights=weights[self.moved])
        return weights


Direction = Literal["raised", "lowered", "none"]
"""What happened to the protected group's share of label 1."""


@dataclass(frozen=True, eq=False)
class Relabeling:
    """Labels before and after, and what it took."""

    # (n,) 0 or 1, after relabelling (D3).
    labels: NDArray[np.int64]
    # (n,) 0 or 1, before (D2).
    labels_before: NDArray[np.int64]
    # (n,) Where the two differ; protected rows of the population only.
    flipped: NDArray[np.bool_]
    # What is subtracted from the protected rows' scores (risk adjustment); 0 where there is no shift.
    risk_shift: float
    # How many protected rows, or how much of their weight, would have label 1 at exactly the reference's share; seldom
    # a whole number.
    alpha: float
    # gap_before, gap_after: Protected minus reference in the share of label 1.
    gap_before: float
    gap_after: float
    # n_protected, n_reference: Rows of the population that are protected, and that are not.
    n_protected: int
    n_reference: int
    # What happened to the protected group's share; "none" where it was as near as it can be.
    direction: Direction

    @property
    def n_flipped(self) -> int:
        """The number of labels that changed."""
        return int(self.flipped.sum())


def risk_adjustment(
    scores: ArrayLike,
    *,
    protected: ArrayLike,
    population: ArrayLike | None = None,
    threshold: float = 0.5,
    weights: NDArray[np.float64] | None = None,
    share: float | None = None,
) -> Relabeling:
    """Relabel by a threshold on the scores, which are shifted for the protected rows of the population.

    Before, a row has label 1 if its score is at least `threshold`. The protected rows get the threshold ``threshold'``
    at which their count of label 1 is nearest to ``alpha``, which is the same as subtracting ``delta = threshold' -
    threshold`` from their scores. To keep the true labels where possible, use :func:`risk_flipping`.

    Shapes: `scores` (n,), `protected` (n,), `population` (n,), `weights` (n,), how many rows each stands for. `share`
    of label 1 is what the protected rows are moved to; None: that of the reference rows.

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
    scores = _checked_scores(scores)
    if not np.isfinite(threshold):
        raise InputError(f"'threshold' must be a finite number, got {threshold}.")
    before = (scores >= threshold).astype(np.int64)
    groups = _Groups.of(before, protected, population, weights, share)
    values, place = np.unique(scores[groups.protected], return_inverse=True)
    sizes = sums_by_code(place, groups.weights[groups.protected], len(values)).astype(groups.weights.dtype)
    counts = np.append(sizes[::-1].cumsum()[::-1], 0)  # rows at or above each value, and above all of them
    count = groups.nearest(counts)
    labels, shift = before.copy(), 0.0
    if count != groups.positive:
        above_all = values[-1] + 1e-9 * max(1.0, abs(values[-1]))
        cut = above_all if count == 0 else values[counts[:-1] == count][0]
        labels[groups.protected] = scores[groups.protected] >= cut
        shift = float(cut - threshold)
    return groups.relabeling(before, labels, shift)


def risk_flipping(
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    protected: ArrayLike,
    population: ArrayLike | None = None,
    weights: NDArray[np.float64] | None = None,
    share: float | None = None,
) -> Relabeling:
    """Flip as few labels as possible of protected rows of the population, those that the scores speak against most.

    If too many have label 1, those with label 1 and the lowest scores get 0; if too few, those with label 0 and the
    highest scores get 1. All other labels stay as they are. To relabel all rows by the scores, use
    :func:`risk_adjustment`.

    Shapes: `scores` (n,), `labels` (n,), `protected` (n,), `population` (n,), `weights` (n,), how many rows each
    stands for. `share` of label 1 is what the protected rows are moved to; None: that of the reference rows.

    Notes
    -----
    The count of label 1 that is nearest to ``alpha`` is always reached, so that the gap after is at most half of
    1 / #DNP. A row with a weight is flipped as a whole, so that there the nearest count that whole rows reach in this
    order is taken. Of two equally near counts the one that takes fewer flips is taken. Among rows with the same score
    those that come first are flipped first. O(n log n).

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
    scores = _checked_scores(scores)
    before = boolean_rows(labels, len(scores), "labels", default=False).astype(np.int64)
    groups = _Groups.of(before, protected, population, weights, share)
    flipped_label = int(groups.is_above_alpha)
    rows = np.flatnonzero(groups.protected & (before == flipped_label))
    rows = rows[np.argsort(scores[rows] if flipped_label else -scores[rows], kind="stable")]
    moved = np.append(0, np.cumsum(groups.weights[rows]))
    counts = groups.positive - moved if flipped_label else groups.positive + moved
    n_flipped = int(np.flatnonzero(counts == groups.nearest(counts))[0])
    after = before.copy()
    after[rows[:n_flipped]] = 1 - flipped_label
    return groups.relabeling(before, after, 0.0)


def check_sizes(groups: NDArray[np.int64], rows: str = "rows to relabel") -> None:
    """Check that some rows have both groups. Shapes: `groups` (n,): 2 protected, 1 others, 0 outside the population."""
    n_protected, n_reference = (int((groups == code).sum()) for code in (2, 1))
    if not (n_protected and n_reference):
        raise GroupError(
            f"The {rows} have {n_protected:,} protected and {n_reference:,} other rows in the population; "
            "both are needed.",
            uncounted=f"The {rows} lack protected rows or others in the population; both are needed.",
            hint="Widen the population, or check the condition that says who is protected.",
        )


@dataclass(frozen=True, eq=False)
class _Groups:
    """DNP and notDNP as masks, and how many rows of each there are; sums of weights where rows have some."""

    protected: NDArray[np.bool_]
    reference: NDArray[np.bool_]
    # (n,) How many rows each stands for.
    weights: NDArray[np.int64] | NDArray[np.float64]
    # size, positive: Of the protected rows, all and those that have label 1 before.
    size: float
    positive: float
    # reference_size, reference_positive: The same of the reference.
    reference_size: float
    reference_positive: float
    # What `reference_positive` is where the protected rows are moved to its share; another share makes it another.
    goal: float

    @classmethod
    def of(
        cls,
        labels: NDArray[np.int64],
        protected: ArrayLike,
        population: ArrayLike | None,
        weights: NDArray[np.float64] | None,
        share: float | None = None,
    ) -> _Groups:
        is_protected = boolean_rows(protected, len(labels), "protected", default=False)
        inside = boolean_rows(population, len(labels), "population", default=True)
        dnp, reference = is_protected & inside, ~is_protected & inside
        check_sizes(2 * dnp + reference)
        counts = as_counts(np.ones(len(labels)) if weights is None else weights)
        sums = [
            counts[group & part].sum().item() for group in (dnp, reference) for part in (np.ones_like(dnp), labels == 1)
        ]
        size, positive, reference_size, reference_positive = sums
        goal = reference_positive if share is None else share * reference_size
        return cls(dnp, reference, counts, size, positive, reference_size, reference_positive, goal)

    @property
    def alpha(self) -> float:
        return self.size * self.goal / self.reference_size

    @property
    def is_above_alpha(self) -> bool:
        return self.positive * self.reference_size > self.size * self.goal

    def nearest(self, counts: NDArray[np.int64] | NDArray[np.float64]) -> float:
        """Return the count nearest to alpha, of equally near ones the nearest to the present one.

        Whole numbers are compared exactly, other ones up to rounding.
        """
        off = np.abs(counts * self.reference_size - self.size * self.goal)
        moved = np.abs(counts - self.positive)
        if counts.dtype.kind == "f":
            off = (off / (self.size * self.reference_size)).round(SHARE_DECIMALS)
        return counts[np.lexsort((moved, off))[0]].item()

    def relabeling(self, before: NDArray[np.int64], after: NDArray[np.int64], shift: float) -> Relabeling:
        positive_after = self.weights[self.protected & (after == 1)].sum().item()
        share = self.reference_positive / self.reference_size
        direction: Direction = "none"
        if (after != before).any():
            direction = "raised" if positive_after > self.positive else "lowered"
        return Relabeling(
            labels=after,
            labels_before=before,
            flipped=after != before,
            risk_shift=shift,
            alpha=self.alpha,
            gap_before=self.positive / self.size - share,
            gap_after=positive_after / self.size - share,
            n_protected=int(self.protected.sum()),
            n_reference=int(self.reference.sum()),
            direction=direction,
        )


SHARE_DECIMALS = 12
"""Decimals of shares that are compared; further ones differ by rounding only."""


def _checked_scores(values: ArrayLike) -> NDArray[np.float64]:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1:
        raise InputError(f"'scores' must have one dimension, got the shape {scores.shape}.")
    n_bad = int((~np.isfinite(scores)).sum())
    if n_bad:
        raise InputError(f"'scores' must be finite numbers, got {n_bad:,} that are missing or infinite.")
    return scores


ALGORITHMS = ("risk_adjustment", "risk_flipping")
"""The ways to relabel: see `risk_adjustment` and `risk_flipping`."""

TASK = "Retraining on changed decisions"
RISK, RELABEL, FINAL = (
    "Fitting the first model",
    "Changing decisions",
    "Fitting the second model to the changed decisions",
)
TOTAL, AFTER_RISK, BEFORE_FINAL = 100, 38, 40

TUNING_SHARE = 0.25
"""Of the rows, where a search is asked for and nobody says which rows are for tuning."""

TUNING = "Rows to search on, which no model learns from, if `target_gap` is given; a quarter at random by default."


PROTECTED = (
    "Series, DataFrame, array or list, optional",
    "Who is protected, as true or false; or the group of each row, of which that with the lowest share of the second "
    "class is protected and all others are the reference. None: nobody; the final model learns from the true labels.",
)


def read_protected(
    sensitive_features: Groups, labels: Labels, population: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.bool_], object]:
    """Return which rows are protected, and the group that they are; None where that is said row by row.

    Shapes: `labels` (n,) of 0 and 1, `population` (n,), `weights` (n,); returns (n,).

    Examples
    --------
    >>> rows, group = read_protected(["a", "b", "a", "b"], np.array([1, 0, 1, 1]), np.ones(4, dtype=bool), None)
    >>> rows.tolist(), group
    ([False, True, False, True], 'b')
    """
    grouping = group_rows(sensitive_features, len(labels))
    values = {value for label in grouping.labels for value in label}
    if sensitive_features is None or (len(grouping.names) == 1 and values <= {0, 1, MISSING}):
        given = None if sensitive_features is None else np.asarray(as_pandas(sensitive_features))
        return boolean_rows(given, len(labels), "sensitive_features", default=False), None
    counted = population if weights is None else population * weights
    sizes = np.bincount(grouping.codes, weights=counted, minlength=grouping.n_groups)
    positives = np.bincount(grouping.codes, weights=counted * labels, minlength=grouping.n_groups)
    shares = np.divide(positives, sizes, out=np.full(len(sizes), np.inf), where=sizes > 0)
    lowest = int(np.argmin(shares))
    label = grouping.labels[lowest]
    return grouping.codes == lowest, label[0] if len(label) == 1 else label


def _gives_probability(model: RelabeledClassifier) -> bool:
    final = getattr(model, "final_model_", model.final_model)
    return learner_has(final, "predict_proba")


class RelabeledClassifier(GroupAwareClassifier):
    """Retrain on rows whose labels were changed until the protected group has the reference group's share.

    The rows are divided in two. A risk model learns from the first part (D1) and scores the second (D2). An algorithm
    relabels protected rows of D2 so that, in the population, as large a share of them has the second class as of the
    other rows. A final model learns from the relabelled rows (D3) and makes the predictions; it needs no group. It must
    be able to bend its boundary: a linear one can hardly follow the relabelling. If the group may be asked when the
    model decides, thresholds by group (``GroupThresholdClassifier``) are simpler.

    Parameters
    ----------
    algorithm : {"risk_adjustment", "risk_flipping"}
        Labels of D2 by the shifted risk score, or its true labels with as few flips as possible.
    risk_model : estimator or str, optional
        A classifier with ``predict_proba``, or the name of one: "logistic_regression", "mlp", "random_forest" or
        "gradient_boosting"; a logistic regression by default.
    final_model : estimator or str, optional
        A classifier, which need not have ``predict_proba``, or the name of one, also "svm"; a multi-layer perceptron by
        default.
    threshold : float
        The least risk score with label 1, for ``risk_adjustment``; above 0 and below 1.
    risk_fraction : float
        Share of the rows in D1; above 0 and below 1.
    random_state : int, RandomState or None
        The seed of the division and of every model that has none of its own.
    gap_step : float
        How strongly the final model's gap on the rows of fitting moves their weights after each epoch, if it is a
        perceptron; see :class:`~fairaudit.estimators.relabeling.GapReweighing`. 0 fits it plainly, as in
        the paper.
    target_gap : float or None
        The largest gap that the final model may have on tuning rows, 0 to 1. Where labels without a gap leave it a
        larger one, they are changed further: the protected group's share goes on, that of the reference goes the other
        way, and both groups count alike. The least change that closes the gap is looked for, with at most 8 fits. None
        makes labels alike once, as in the paper.

    Attributes
    ----------
    risk_model_, final_model_ : estimator
        The fitted models; their classes are 0 and 1.
    protected_ : object
        The group that is protected, where `sensitive_features` held groups; None where it was true or false.
    relabeled_rows_ : ndarray of int
        Row numbers of D2 in X, ascending; also as ``relabel_index_``. Rows of weight 0 are in neither part.
    risk_scores_ : ndarray of float
        The risk model's probability of the second class, for each row of D2.
    synthetic_labels_ : ndarray
        The labels after relabelling (D3), for each row of D2; values of ``classes_``.
    relabeling_ : Relabeling
        All that relabelling did to D2; None where nobody is protected.
    risk_shift_ : float
        What was subtracted from the protected rows' scores; 0 for ``risk_flipping``.
    n_flipped_ : int
        How many labels changed.
    relabeled_gap_ : float
        Protected minus reference in the share of the second class in D3; NaN where nobody is protected.
    weight_ratio_ : float
        The weight of a protected row with label 1 over one with label 0 when the final model was fitted; 1 where they
        were not weighed, see `gap_step`.
    fitted_gap_ : float
        Protected minus reference in the share that the final model predicts as the second class, in all rows of
        fitting, where they were weighed; else NaN.
    status_ : {"finished", "stopped"}
        Whether a caller stopped the final model's fit before its end.
    search_ : tuple of Extent
        What was tried, in that order: how far labels were changed, and gap and accuracy of the final model on the
        tuning rows; empty where there was no search.
    extent_ : float
        How far labels were changed for the final model: 0 until they are alike, 1 until all of the protected group
        have one class and all of the reference the other.
    classes_ : ndarray, shape (2,)
        The classes in order; the second is the good outcome.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 3: A(1) is
    `risk_model`, C(2) is `final_model`.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "algorithm": [one_of(ALGORITHMS)],
        "risk_model": [*BASE_LEARNER],
        "final_model": [*BASE_LEARNER],
        "threshold": [PART],
        "risk_fraction": [PART],
        "random_state": ["random_state"],
        "gap_step": [NOT_NEGATIVE],
        "target_gap": [SHARE, None],
    }

    def __init__(
        self,
        algorithm: str = "risk_adjustment",
        *,
        risk_model: BaseEstimator | str | None = None,
        final_model: BaseEstimator | str | None = None,
        threshold: float = 0.5,
        risk_fraction: float = 0.5,
        random_state: Seed = None,
        gap_step: float = 2.0,
        target_gap: float | None = None,
    ):
        self.algorithm = algorithm
        self.risk_model = risk_model
        self.final_model = final_model
        self.threshold = threshold
        self.risk_fraction = risk_fraction
        self.random_state = random_state
        self.gap_step = gap_step
        self.target_gap = target_gap

    @documented(
        returns=SELF,
        sensitive_features=PROTECTED,
        population=("array_like of bool, shape (n,), optional", "Who is compared; all rows by default."),
        tuning=("array_like of bool, shape (n,), optional", TUNING),
    )
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        tuning: ArrayLike | None = None,
    ) -> Self:
        """Fit both models in one go; `iter_fit` shows how far it is."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
        return self._drained(self.iter_fit(X, y, **rows, tuning=tuning))

    @documented(
        sensitive_features=PROTECTED,
        population=("array_like of bool, shape (n,), optional", "Who is compared; all rows by default."),
        tuning=("array_like of bool, shape (n,), optional", TUNING),
        yields="``Finished.result`` is the classifier.",
        raises={
            InputError: (
                "If an argument breaks a rule, a part has one class only, or all labels are equal after relabelling."
            ),
            GroupError: "If D2 or the tuning rows have no protected rows or no reference rows in the population.",
            StoppedError: "If it was stopped before the final model had anything to keep.",
        },
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        tuning: ArrayLike | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Fit both models, yielding events; a stop keeps the final model's best so far."""
        check_parameters(self)
        weights = RowWeights.read(sample_weight, X)
        X, y, population = weights.keep("X", X), weights.keep("y", y), weights.keep("population", population)
        sensitive_features, tuning = (
            weights.keep(name, values)
            for name, values in (("sensitive_features", sensitive_features), ("tuning", tuning))
        )
        frame, labels = self._read(X, y)
        inside = boolean_rows(population, len(labels), "population", default=True)
        protected, self.protected_ = read_protected(sensitive_features, labels, inside, weights.values)
        groups = None if sensitive_features is None else np.where(inside, protected + 1, 0)
        random = check_random_state(self.random_state)
        tune = self._tuning(labels, groups, tuning, random)
        learning = np.flatnonzero(~tune)
        parts = self._divide(labels[learning], None if groups is None else groups[learning], random)
        risk_rows, rows = (learning[part] for part in parts)
        risk_model = _seeded(self.risk_model, "logistic_regression", random)
        final_model = _seeded(self.final_model, "mlp", random)
        if not hasattr(risk_model, "predict_proba"):
            raise InputError(f"'risk_model' must have 'predict_proba', which {type(risk_model).__name__} has not.")

        yield Started(TASK, TOTAL)
        events = iter_fit_model(
            risk_model,
            frame.iloc[risk_rows],
            labels[risk_rows],
            what=RISK,
            sample_weight=weights.of(risk_rows),
        )
        self.risk_model_, stopped = yield from iter_part(events, start=0, end=AFTER_RISK, total=TOTAL)
        if stopped:
            raise StoppedError("Retraining was stopped before the final model began.")
        if (yield Progress(RELABEL, AFTER_RISK, TOTAL)) is STOP:
            raise StoppedError("Retraining was stopped before the final model began.")
        self.risk_scores_ = scores_of(self.risk_model_, frame.iloc[rows])
        self.relabeled_rows_ = self.relabel_index_ = weights.given(rows)
        task = _FinalFits(self, final_model, frame, labels, groups, rows, tune, weights)
        yield from task.iter_all()
        yield Finished(self)

    @available_if(_gives_probability)
    @documented(returns=PROBABILITIES)
    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the final model's probabilities."""
        check_is_fitted(self)
        return np.asarray(self.final_model_.predict_proba(read_features(self, X, reset=False)), dtype=np.float64)

    @documented(returns=CLASSES)
    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the final model's predictions."""
        check_is_fitted(self)
        codes = run_base_learner(
            self.final_model_, "predict", self.final_model_.predict, read_features(self, X, reset=False)
        )
        return self.classes_[np.asarray(codes).astype(int)]

    def __sklearn_tags__(self) -> Tags:
        """Say that missing values are taken if both models take them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = all(map(learner_takes_missing, (self.risk_model, self.final_model)))
        return tags

    def _divide(
        self, labels: NDArray[np.int64], groups: NDArray[np.int64] | None, random: np.random.RandomState
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of D1 and D2; alike in group and label, or, where rows are too few for that, in one."""
        shares = (self.risk_fraction, 1 - self.risk_fraction)
        strata = [labels] if groups is None else [labels + 2 * groups, labels, groups]
        parts = [divide(stratum, shares, random_state=random) for stratum in strata]
        whole = [part for part in parts if all(len(np.unique(labels[rows])) == 2 for rows in part)]
        if not whole:
            n_0, n_1 = np.bincount(labels, minlength=2)
            raise InputError(
                f"The rows cannot be divided so that both parts have both classes: 'y' has {n_0:,} of the first class "
                f"and {n_1:,} of the second class, with 'risk_fraction' {self.risk_fraction}.",
                hint="Use more rows, or a 'risk_fraction' nearer to 0.5.",
            )
        if groups is not None:
            with_groups = [part for part in whole if {1, 2} <= set(groups[part[1]])]
            whole = with_groups or whole
            check_sizes(groups[whole[0][1]])
        risk_rows, rows = whole[0]
        return risk_rows, rows

    def _tuning(
        self,
        labels: NDArray[np.int64],
        groups: NDArray[np.int64] | None,
        tuning: ArrayLike | None,
        random: np.random.RandomState,
    ) -> NDArray[np.bool_]:
        """Return the rows that no model learns from; none where nothing is searched for."""
        found = np.zeros(len(labels), dtype=bool)
        if self.target_gap is None or groups is None:
            return found
        if tuning is None:
            found[divide(labels + 2 * groups, (1 - TUNING_SHARE, TUNING_SHARE), random_state=random)[1]] = True
        else:
            found = boolean_rows(tuning, len(labels), "tuning", default=False)
        check_sizes(groups[found], "tuning rows")
        return found

    def _relabel(
        self,
        labels: NDArray[np.int64],
        groups: NDArray[np.int64] | None,
        weights: NDArray[np.float64] | None,
        extent: float = 0.0,
        *,
        raises: bool = True,
    ) -> Relabeling | None:
        """Return the labels of D3, and how they came about; None where nobody is protected."""
        if groups is None:
            return None
        scores = self.risk_scores_

        def relabel(protected: NDArray[np.bool_], share: float | None) -> Relabeling:
            who: dict[str, Any] = {"protected": protected, "population": groups > 0, "weights": weights, "share": share}
            if self.algorithm == "risk_flipping":
                return risk_flipping(scores, labels, **who)
            return risk_adjustment(scores, **who, threshold=self.threshold)

        found = relabel(groups == 2, None)
        if not extent:
            return found
        counts, reference = np.ones(len(labels)) if weights is None else weights, groups == 1
        share = float(np.average(found.labels_before[reference], weights=counts[reference]))
        first, second = goals(share, extent, raises=raises)
        moved, other = relabel(groups == 2, first), relabel(reference, second)
        after = np.where(reference, other.labels, moved.labels)
        gap = np.subtract(*(np.average(after[who], weights=counts[who]) for who in (groups == 2, reference)))
        flipped = after != moved.labels_before
        return replace(moved, labels=after, flipped=flipped, gap_after=float(gap))


class _FinalFits:
    """The fits of the final model to changed labels: one, or a search for how far these must be changed."""

    def __init__(
        self,
        model: RelabeledClassifier,
        final: BaseEstimator,
        frame: pd.DataFrame,
        labels: NDArray[np.int64],
        groups: NDArray[np.int64] | None,
        rows: NDArray[np.int64],
        tune: NDArray[np.bool_],
        weights: RowWeights,
    ):
        self.model = model
        self.final = final
        self.frame = frame
        self.labels = labels
        self.groups = groups
        self.rows = rows
        self.tune = np.flatnonzero(tune)
        self.watched = np.zeros(len(labels), dtype=bool) if groups is None else (groups > 0) & ~tune
        self.weights = weights
        self.tried: list[Extent] = []

    def iter_all(self) -> Generator[Event, Command | None, None]:
        """Fit once or several times, and set what the estimator remembers of the best."""
        model, target = self.model, self.model.target_gap
        if target is None or self.groups is None:
            relabeling = self._relabeled(0.0, raises=True)
            fit, stopped = yield from self._iter_fit(relabeling, 0.0, clone(self.final), BEFORE_FINAL, TOTAL)
            self._keep(relabeling, fit, 0.0)
            model.search_, model.status_ = (), "stopped" if stopped else "finished"
            return
        extents, step, stopped = iter_extents(target), (TOTAL - BEFORE_FINAL) / MOST_FITS, False
        extent: float | None = next(extents)
        while extent is not None and not stopped:
            relabeling = self._relabeled(extent, raises=not self.tried or self.tried[0].gap < 0)
            start = BEFORE_FINAL + int(len(self.tried) * step)
            try:
                fit, stopped = yield from self._iter_fit(
                    relabeling, extent, clone(self.final), start, BEFORE_FINAL + int((len(self.tried) + 1) * step)
                )
            except StoppedError:
                if not self.tried:
                    raise
                stopped = True
                break
            self.tried.append(self._judged(extent, require(relabeling), fit[0]))
            if choose(self.tried, target) == len(self.tried) - 1:
                self._keep(relabeling, fit, extent)
            try:
                extent = extents.send(self.tried[-1].gap)
            except StopIteration:
                extent = None
        model.search_, model.status_ = tuple(self.tried), "stopped" if stopped else "finished"

    def _relabeled(self, extent: float, *, raises: bool) -> Relabeling | None:
        groups = None if self.groups is None else self.groups[self.rows]
        return self.model._relabel(self.labels[self.rows], groups, self.weights.of(self.rows), extent, raises=raises)

    def _iter_fit(
        self, relabeling: Relabeling | None, extent: float, final: BaseEstimator, start: int, end: int
    ) -> Generator[Event, Command | None, tuple[tuple[BaseEstimator, GapReweighing | None], bool]]:
        """Fit the final model to changed labels; return it with what weighed its rows, and whether it was stopped."""
        rows, groups, weights = self.rows, self.groups, self.weights.of(self.rows)
        codes = self.labels[rows] if relabeling is None else relabeling.labels
        if len(np.unique(codes)) < 2:
            raise InputError(
                f"All relabelled rows have the {'first' if codes[0] == 0 else 'second'} class, so that there is "
                "nothing to learn.",
                hint="Use 'risk_flipping', a 'threshold' within the risk model's scores, or more rows.",
            )
        if extent and groups is not None and takes_weights(final):
            weights = balance(groups[rows] == 2, groups[rows] == 1, weights)
        reweigh = None
        if groups is not None and self.model.gap_step:
            reweigh = GapReweighing(
                self.frame[self.watched],
                groups[self.watched] == 2,
                labels=codes,
                moved=groups[rows] == 2,
                step=self.model.gap_step,
                row_weights=weights,
                watched_weights=self.weights.of(self.watched),
            )
        events = iter_fit_model(final, self.frame.iloc[rows], codes, what=FINAL, sample_weight=weights, reweigh=reweigh)
        fitted, stopped = yield from iter_part(events, start=start, end=end, total=TOTAL)
        return (fitted, reweigh), stopped

    def _judged(self, extent: float, relabeling: Relabeling, final: BaseEstimator) -> Extent:
        groups, tune = require(self.groups), self.tune
        counts, own = self.weights.of(self.rows), groups[self.rows]
        shares = tuple(
            float(np.average(relabeling.labels[own == code], weights=None if counts is None else counts[own == code]))
            for code in (2, 1)
        )
        return tuned(
            extent,
            (shares[0], shares[1]),
            relabeling.n_flipped,
            run_base_learner(final, "predict", final.predict, self.frame.iloc[tune]),
            labels=self.labels[tune],
            protected=groups[tune] == 2,
            population=groups[tune] > 0,
            weights=self.weights.of(tune),
        )

    def _keep(
        self, relabeling: Relabeling | None, fit: tuple[BaseEstimator, GapReweighing | None], extent: float
    ) -> None:
        model, (final, reweigh) = self.model, fit
        model.final_model_, model.relabeling_, model.extent_ = final, relabeling, extent
        model.weight_ratio_, model.fitted_gap_ = (1.0, np.nan) if reweigh is None else (reweigh.ratio, reweigh.gap)
        model.risk_shift_, model.n_flipped_, model.relabeled_gap_ = 0.0, 0, np.nan
        codes = self.labels[self.rows]
        if relabeling is not None:
            model.risk_shift_, model.n_flipped_ = relabeling.risk_shift, relabeling.n_flipped
            model.relabeled_gap_, codes = relabeling.gap_after, relabeling.labels
        model.synthetic_labels_ = model.classes_[codes]


def _seeded(model: BaseEstimator | str | None, default: str, random: np.random.RandomState) -> BaseEstimator:
    """Return a copy of a model, with a seed wherever it has none; or the default one."""
    seed = int(random.randint(np.iinfo(np.int32).max))
    if model is None or isinstance(model, str):
        return base_learner(model, default, random_state=seed)
    copy: BaseEstimator = clone(model)
    unset = [
        name for name, value in copy.get_params().items() if name.split("__")[-1] == "random_state" and value is None
    ]
    return copy.set_params(**dict.fromkeys(unset, seed))
