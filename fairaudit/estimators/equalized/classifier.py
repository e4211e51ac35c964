"""A logistic model whose scores are spread alike in all groups."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.base import GroupAwareClassifier, TablePreparation, boolean_rows, iter_part, read_features
from fairaudit.estimators.equalized.loss import (
    DISTANCES,
    FEW_ROWS,
    RANKS,
    TASK,
    DistributionLoss,
    Minimum,
    Search,
    iter_lbfgs,
    iter_lowest,
    iter_momentum,
    with_fitted_scale,
)
from fairaudit.estimators.parameters import (
    CLASSES,
    COUNT,
    POSITIVE,
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
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import Command, Event, Finished, Started, result_of
from fairaudit.measure.grouping import check_group_count, group_rows


def best_threshold(
    score: NDArray[np.float64], positive: NDArray[np.bool_], weights: NDArray[np.float64] | None = None
) -> float:
    """Return the threshold with the highest accuracy.

    Shapes: `score` (n,), `positive` (n,), `weights` (n,).

    Examples
    --------
    >>> best_threshold(np.array([0.1, 0.25, 0.375, 0.45]), np.array([False, False, True, True]))
    0.3125
    """
    scores = np.unique(score)
    cuts = np.concatenate([[0.0, 0.5, np.nextafter(1.0, 2.0)], (scores[1:] + scores[:-1]) / 2])
    weights = np.ones(len(score)) if weights is None else weights
    right = weights[positive].sum() - _below(score, weights, positive, cuts) + _below(score, weights, ~positive, cuts)
    # Sums of weights that are no whole numbers differ in their last digits where they are the same.
    best = cuts[right >= right.max() - 1e-9 * weights.sum()]
    return float(best[np.abs(best - 0.5).argmin()])


def _below(
    score: NDArray[np.float64], weights: NDArray[np.float64], these: NDArray[np.bool_], cuts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what some rows with a score below each cut count together. Shapes: (n,) of rows, (k,) of cuts."""
    order = np.argsort(score[these], kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(weights[these][order])])
    return sums[np.searchsorted(score[these][order], cuts, side="left")]


STEPS = 100
"""Progress steps that the fit of one weight counts for."""


def sweep(
    X: Features,
    y: Labels,
    *,
    sensitive_features: Groups = None,
    sample_weight: ArrayLike | None = None,
    population: ArrayLike | None = None,
    weights: Iterable[float],
    **settings: Any,
) -> list[EqualizedDistributionClassifier]:
    """Fit a model for each accuracy weight; see :func:`iter_sweep`.

    Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,), `population` (n,).

    Examples
    --------
    >>> X, y, group = [[0], [1], [2], [3]] * 2, [0, 0, 1, 1, 0, 1, 0, 1], ["a"] * 4 + ["b"] * 4
    >>> models = sweep(X, y, sensitive_features=group, weights=[0.2, 1])
    >>> [model.accuracy_weight for model in models]
    [1, 0.2]
    """
    rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
    return result_of(iter_sweep(X, y, **rows, weights=weights, **settings))


def iter_sweep(
    X: Features,
    y: Labels,
    *,
    sensitive_features: Groups = None,
    sample_weight: ArrayLike | None = None,
    population: ArrayLike | None = None,
    weights: Iterable[float],
    **settings: Any,
) -> Generator[Event, Command | None, None]:
    """Fit a model for each accuracy weight, from the highest downwards.

    Each is also searched for from the model of the weight before, and the lowest loss is kept: none is worse than it
    would be by itself. A stop keeps the models so far, the last with its best so far.

    Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,), `population` (n,).
    """
    ordered = sorted(set(weights), reverse=True)
    if not ordered:
        raise InputError("'weights' must have at least one number, got none.", hint="Try 0.1, 0.15, 0.2 and 1.")
    total = STEPS * len(ordered)
    yield Started(TASK, total)
    models: list[EqualizedDistributionClassifier] = []
    for number, weight in enumerate(ordered):
        model = EqualizedDistributionClassifier(weight, **settings)
        start = models[-1] if models else None
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
        events = model.iter_fit(X, y, **rows, start=start)
        first = STEPS * number
        try:
            model, stopped = yield from iter_part(events, start=first, end=first + STEPS, total=total)
        except StoppedError:
            if not models:
                raise
            break
        models.append(model)
        if stopped:
            break
    yield Finished(models)


METHODS = ("lbfgs", "momentum")
"""The ways to lower the loss; see :mod:`fairaudit.estimators.equalized.loss`."""


class EqualizedDistributionClassifier(GroupAwareClassifier):
    """Logistic regression that also brings the score distributions of all groups together, for either label.

    The loss is ``accuracy_weight * E_a + (1 - accuracy_weight) * E_f``. E_a is the mean logistic loss. E_f is how far
    apart the groups' score distributions are among the rows of either label. Where the distributions agree, any one
    threshold gives all groups the same error rates. The group is needed for fitting only. If it may be asked when the
    model decides, thresholds by group (``GroupThresholdClassifier``) lose less accuracy.

    Parameters
    ----------
    accuracy_weight : float
        Weight of E_a, 0 to 1. 1 is plain logistic regression without penalty; from there to 0 gaps and accuracy fall.
        For ``histogram`` 0.1 to 0.2 is advised by its authors.
    distance : {"ranks", "histogram"}
        E_f as twice the mean over all thresholds of the squared gaps between two groups in true and false positive
        rates, which does not change where scores only shrink; or as in the paper, the squared distance between soft
        histograms of the scores in the first group and in each other one, which is small also where all rows have
        nearly the same score.
    bin_width : float
        Width of the histograms' bins, 0.001 to 0.5.
    smoothing : float, optional
        Spread of the Gaussian around each score, above 0, and for ``ranks`` at least 0.001; the bin width by default.
        For ``histogram`` a larger one weighs E_f more. The paper gives none: with 0.005 accuracy saturates as in its
        figure 14, and on COMPAS gaps are then those of a plain model from the weight 0.1 on.
    method : {"lbfgs", "momentum"}
        L-BFGS over whitened coordinates, or gradient descent with momentum. Both begin at the line of least squares
        for ``ranks`` and at zero for ``histogram``. Up to 2,000 rows L-BFGS begins at plain logistic regression too,
        and the lower loss is kept.
    learning_rate, momentum : float
        For ``momentum``: above 0; and 0 up to below 1.
    max_iter : int
        The most steps of a search. ``momentum`` takes them all.
    n_components : int, optional
        Keep that many principal components of the prepared features.
    min_level_count : int
        The fewest rows that give a category a column of its own.
    random_state : int, RandomState or None
        Handed to the preparation. The search itself draws nothing at random.

    Attributes
    ----------
    preparation_ : TablePreparation
        The fitted preparation: every X, a table or an array, is imputed, scaled and one-hot encoded inside.
    coef_ : ndarray of float, shape (1, n_prepared)
        Weights of the prepared features.
    intercept_ : ndarray of float, shape (1,)
        The intercept.
    threshold_ : float
        The least probability that is predicted as the second class: 0.5 until :meth:`choose_threshold`.
    loss_ : float
        The loss of the weights that were kept.
    loss_curve_ : list of float
        The loss at the beginning and after each step of the search that was kept.
    n_iter_ : int
        Steps of that search.
    smoothing_ : float
        The spread that was used.
    groups_ : tuple
        The groups in order; the others were compared with the first.
    status_ : {"finished", "stopped"}
        Whether a caller stopped the fit before its end.
    collapsed_ : bool
        Whether the scores of the fitted rows are spread less than a quarter as wide as accuracy alone would spread
        them. A fit that ends so warns.
    classes_ : ndarray, shape (2,)
        The classes in order.

    Notes
    -----
    The loss is not convex: the fit ends in an optimum near its start. Rows without a group form one called "missing".
    For ``histogram`` and three groups or more it matters which is the first; the names do not matter otherwise. At the
    weight 0 of ``ranks`` scores are scaled to be as accurate as their order allows. Features that were prepared already
    are scaled again, which does not change what L-BFGS finds. A step takes rows times bins.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", sections 4.3 and 4.4.3,
    equations 11 to 16: alpha is `accuracy_weight`, Delta is `bin_width`, sigma is `smoothing`. ``ranks`` is not theirs.

    Examples
    --------
    >>> X, y, group = [[0], [1], [2], [3]] * 2, [0, 0, 1, 1, 0, 1, 0, 1], ["a"] * 4 + ["b"] * 4
    >>> model = EqualizedDistributionClassifier(0.5).fit(X, y, sensitive_features=group)
    >>> model.predict([[0], [3]])
    array([0, 1])
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "accuracy_weight": [SHARE],
        "distance": [one_of(DISTANCES)],
        "bin_width": [Interval(Real, 0.001, 0.5, closed="both")],
        "smoothing": [POSITIVE, None],
        "method": [one_of(METHODS)],
        "learning_rate": [POSITIVE],
        "momentum": [Interval(Real, 0, 1, closed="left")],
        "max_iter": [COUNT],
        "n_components": [COUNT, None],
        "min_level_count": [COUNT],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        accuracy_weight: float = 0.5,
        *,
        distance: str = RANKS,
        bin_width: float = 0.02,
        smoothing: float | None = None,
        method: str = "lbfgs",
        learning_rate: float = 1.0,
        momentum: float = 0.9,
        max_iter: int = 2000,
        n_components: int | None = None,
        min_level_count: int = 10,
        random_state: Seed = None,
    ):
        self.accuracy_weight = accuracy_weight
        self.distance = distance
        self.bin_width = bin_width
        self.smoothing = smoothing
        self.method = method
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.max_iter = max_iter
        self.n_components = n_components
        self.min_level_count = min_level_count
        self.random_state = random_state

    @documented(
        returns=SELF,
        X="The features; categories and missing values are taken.",
        sensitive_features="The group of each row. None means one group: plain logistic regression.",
    )
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
    ) -> Self:
        """Fit in one go; `iter_fit` shows how far it is."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
        return self._drained(self.iter_fit(X, y, **rows))

    @documented(
        X="The features; categories and missing values are taken.",
        sensitive_features="The group of each row. None means one group: plain logistic regression.",
        start=(
            "EqualizedDistributionClassifier, optional",
            ("Fitted to the same rows with other settings. One more search begins there; the lowest loss is kept."),
        ),
        yields="``Finished.result`` is the classifier.",
        raises={
            InputError: "If an argument breaks a rule.",
            GroupError: "If there are several groups and one lacks a label.",
            StoppedError: "If it was stopped before the first step was complete.",
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
        start: EqualizedDistributionClassifier | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Fit the model, one event a step; a stop keeps the best so far."""
        self._check_parameters()
        weights = RowWeights.read(sample_weight, X)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        about = boolean_rows(weights.keep("population", population), len(labels), "population", default=True)
        grouping = group_rows(sensitive_features, len(labels)).among(about)
        check_group_count(grouping.n_groups, grouping.names)
        names = tuple(label[0] if len(label) == 1 else label for label in grouping.labels)
        preparation = TablePreparation(
            min_level_count=self.min_level_count, n_components=self.n_components, random_state=self.random_state
        )
        prepared = preparation.fit(frame, sample_weight=weights.values).transform(frame)
        loss = DistributionLoss.of(
            prepared,
            labels,
            grouping.codes,
            names,
            accuracy_weight=float(self.accuracy_weight),
            distance=self.distance,
            bin_width=float(self.bin_width),
            smoothing=self.smoothing,
            row_weights=weights.values,
        )
        starts = [] if start is None else [self._weights_of(start, prepared.shape[1])]
        command = None
        with closing(self._search(loss, starts)) as events:
            while not isinstance(event := events.send(command), Finished):
                command = yield event
        self._keep(event.result, loss)
        self.preparation_, self.groups_, self.smoothing_ = preparation, names, float(loss.smoothing)
        yield Finished(self)

    @documented(
        returns=("float", "The threshold; of equally good ones that nearest to 0.5."),
        y="Labels; values of `classes_`.",
        sample_weight="What each row counts, as for `fit`.",
        raises={InputError: "If a label is none of `classes_`, or all labels of rows that count are the same."},
    )
    def choose_threshold(self, X: Features, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Set and return the threshold with the highest accuracy on rows that were not fitted."""
        score = self.predict_proba(X)[:, 1]
        labels = column_or_1d(y)
        check_consistent_length(score, labels)
        weights = RowWeights.read(sample_weight, X)
        score, labels = weights.keep("X", score), weights.keep("y", labels)
        if not np.isin(labels, self.classes_).all():
            known = " and ".join(map(repr, self.classes_.tolist()))
            raise InputError(f"'y' must have the labels that the model was fitted to, {known}, and no others.")
        if len(np.unique(labels)) < 2:
            raise InputError(
                "'y' must have both labels, or every threshold to one side is as good.",
                hint="Choose the threshold on rows with both outcomes.",
            )
        self.threshold_ = best_threshold(score, labels == self.classes_[1], weights.values)
        return self.threshold_

    @documented(
        returns=(
            "ndarray of float, shape (n,)",
            "Above 0 where the probability is above 0.5, whatever `threshold_` is.",
        )
    )
    def decision_function(self, X: Features) -> NDArray[np.float64]:
        """Return the logit of the second class's probability."""
        check_is_fitted(self)
        prepared = self.preparation_.transform(read_features(self, X, reset=False))
        return prepared @ self.coef_[0] + self.intercept_[0]

    @documented(
        returns=(
            "ndarray of float, shape (n, 2)",
            (
                "In the order of `classes_`. Less of a probability the smaller `accuracy_weight` is: scores "
                "of different groups are moved together."
            ),
        )
    )
    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the probability of each class."""
        positive = expit(self.decision_function(X))
        return np.column_stack([1 - positive, positive])

    @documented(returns=CLASSES)
    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the second class where its probability is at least `threshold_`, else the first."""
        positive = self.predict_proba(X)[:, 1] >= self.threshold_
        return self.classes_[positive.astype(int)]

    def _check_parameters(self) -> None:
        check_parameters(self)
        least = DISTANCES[self.distance].least_smoothing
        if self.smoothing is not None and self.smoothing < least:
            raise InputError(
                f"'smoothing' must be at least {least:g} for the distance '{self.distance}', got {self.smoothing!r}."
            )

    def _search(self, loss: DistributionLoss, starts: list[NDArray[np.float64]]) -> Search:
        steps = int(self.max_iter)
        few = len(loss.y) <= FEW_ROWS
        if self.method == "lbfgs":
            return iter_lowest(loss, iter_lbfgs, from_plain=few, starts=starts, max_iter=steps)
        search = partial(iter_momentum, learning_rate=float(self.learning_rate), momentum=float(self.momentum))
        return iter_lowest(loss, search, from_plain=False, starts=starts, max_iter=steps)

    def _keep(self, minimum: Minimum, loss: DistributionLoss) -> None:
        weights = minimum.weights
        if self.accuracy_weight == 0 and not loss.distance.begins_at_zero:
            # ranks alone say nothing of how large scores are
            weights = with_fitted_scale(loss, weights)
        self.coef_, self.intercept_ = weights[None, :-1], weights[-1:]
        self.threshold_ = 0.5
        self.loss_, self.loss_curve_, self.n_iter_ = minimum.loss, list(minimum.curve), minimum.n_iter
        self.status_ = minimum.status
        if self.status_ == "finished" and not minimum.settled:
            warnings.warn(
                f"The fit did not settle in {self.max_iter:,} steps. Raise 'max_iter', or use fewer features.",
                ConvergenceWarning,
                stacklevel=3,
            )

        self.collapsed_ = loss.has_collapsed(weights)
        if self.collapsed_:
            other = " Or take the distance 'ranks'." if loss.distance.begins_at_zero else ""
            warnings.warn(
                f"The scores of all rows are nearly the same. Raise 'accuracy_weight'.{other}",
                ConvergenceWarning,
                stacklevel=3,
            )

    @staticmethod
    def _weights_of(start: EqualizedDistributionClassifier, n_prepared: int) -> NDArray[np.float64]:
        check_is_fitted(start)
        if start.coef_.shape[1] != n_prepared:
            raise InputError(
                f"'start' must be fitted to the same features: it has {start.coef_.shape[1]:,} weights for "
                f"{n_prepared:,} prepared columns."
            )
        return np.append(start.coef_[0], start.intercept_)
