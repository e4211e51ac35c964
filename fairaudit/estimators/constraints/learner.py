"""A learner that is fitted again and again on the same rows, each time with other weights."""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from fairaudit.errors import InputError
from fairaudit.estimators.models import (
    PerceptronEnsemble,
    are_codes,
    fit_transform,
    in_classes,
    run_base_learner,
    scores_of,
)
from fairaudit.estimators.parameters import Features, Seed
from fairaudit.events import returned

Floats = NDArray[np.float64]

MOSTLY_ZERO = 0.3
"""A prepared table with at most this share of other numbers is kept as a sparse matrix for a logistic regression."""

EXACT, MOST_EXACT, MOST_EXACT_DENSE = 1e-8, 300, 60
"""The slope at which weighted fits of a logistic regression end, and up to how many columns, in a sparse matrix and in
another one. Where they ended sooner, processors would differ, and with them the search. By Newton's method it takes no
longer in a sparse matrix, and two to three times as long in another one."""

TREES_AT_ONCE = 10
"""Trees of a forest between two places at which its fit may be left."""

RESAMPLED = "The estimator {} takes no weights. Rows were repeated in proportion to their weights instead."
CONSTANT_FIT = "In some fits only rows of one outcome were left. Such a fit predicts this outcome for everyone."


class ConstantModel(ClassifierMixin, BaseEstimator):
    """Predict one outcome for everyone, as where weights leave no row of the other."""

    # classes: (2,) The classes in order.
    # positive: Whether the outcome is the second of them.
    def __init__(self, classes: NDArray[np.generic], positive: bool):
        self.classes = classes
        self.positive = positive
        self.classes_ = classes

    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the outcome for each row of `X`, as ndarray, shape (n,)."""
        return np.repeat(self.classes_[[int(self.positive)]], X.shape[0])

    def predict_proba(self, X: Features) -> Floats:
        """Return 1 for the outcome and 0 for the other for each row of `X`, as ndarray, shape (n, 2)."""
        return np.tile([1.0 - self.positive, float(self.positive)], (X.shape[0], 1))

    def decision_function(self, X: Features) -> Floats:
        """Return 1 or -1 for each row of `X`, as ndarray, shape (n,)."""
        return np.full(X.shape[0], 1.0 if self.positive else -1.0)


class WeightedLearner:
    """Fit copies of an estimator with weights that may be negative.

    A row of weight ``w < 0`` is a row of the other label that weighs ``|w|``: the same objective up to a constant.
    The steps of a pipeline before the last are fitted and applied once.

    Attributes
    ----------
    notes : tuple of str
        What was done because of the estimator.
    can_start : bool
        Whether a fit can begin from another model.
    is_exact : bool
        Whether weighted fits go on to the end, by Newton's method: an ordinary logistic regression.
    is_quick : bool
        Whether a fit takes little more than reading the table a few times: a logistic regression.

    Raises
    ------
    InputError
        If the steps before the last cannot be fitted.
    """

    # estimator: A binary classifier, or a pipeline that ends in one; it is copied.
    # X_train: (n, n_features) The features of the rows to learn from.
    # y_train: (n,) Their labels, 0 or 1.
    # classes: (2,) What the estimator is to know the labels as; 0 and 1 by default.
    # warm_start: Whether a fit may begin from a model that is given. Logistic regressions and `PerceptronEnsemble` can.
    # An `MLPClassifier` that goes on counts the losses of the fit before, and ends after one epoch.
    # random_state: The seed of the repetition of rows, where the estimator takes no weights.
    # counts: (n,) How much each row counts for the steps before the last; None where each counts once.
    def __init__(
        self,
        estimator: BaseEstimator,
        X_train: pd.DataFrame | NDArray[np.generic],
        y_train: NDArray[np.int64],
        *,
        classes: NDArray[np.generic] | None = None,
        warm_start: bool = True,
        random_state: Seed = None,
        counts: Floats | None = None,
    ):
        self.classes = np.array([0, 1]) if classes is None else np.asarray(classes)
        self.y = np.asarray(y_train, dtype=np.int64)
        steps = list(estimator.steps) if isinstance(estimator, Pipeline) else [("model", estimator)]
        self.name, self.last = steps[-1][0], steps[-1][1]
        self.before = clone(estimator[:-1]) if len(steps) > 1 else None
        self.estimator = estimator
        if self.before is not None:
            steps = [self.before] if counts is None else [step for _, step in self.before.steps]
            for step in steps:
                X_train = fit_transform(step, X_train, self.classes[self.y], counts)
        self.X = self._compact(X_train)
        self.takes_weights = has_fit_parameter(self.last, "sample_weight")
        self.notes: tuple[str, ...] = () if self.takes_weights else (RESAMPLED.format(type(self.last).__name__),)
        self.is_quick = _is_linear(self.last)
        self.is_exact = _is_ordinary(self.last)
        self.can_start = warm_start and (self.is_quick or isinstance(self.last, PerceptronEnsemble))
        self._chances = check_random_state(random_state).random_sample(len(self.y))

    def prepare(self, X: Features) -> pd.DataFrame | NDArray[np.generic]:
        """Apply the steps before the last. Shapes: `X` (n, n_features)."""
        if self.before is not None:
            X = run_base_learner(self.before, "prepare the table", self.before.transform, X)
        return self._compact(X)

    def fit(self, weights: Floats, start: BaseEstimator | None = None) -> BaseEstimator:
        """Fit the last step. Shapes: `weights` (n,)."""
        return returned(self.iter_fit(weights, start))

    def iter_fit(self, weights: Floats, start: BaseEstimator | None = None) -> Generator[None, None, BaseEstimator]:
        """Fit the last step; a forest yields between some trees and the next, where it may be left.

        Shapes: `weights` (n,).
        """
        if not np.isfinite(weights).all():
            raise InputError("The weights must be finite numbers.", hint="Take smaller multipliers or costs.")
        y, sizes = np.where(weights < 0, 1 - self.y, self.y), np.abs(weights)
        rows = np.flatnonzero(sizes)
        if not len(rows):
            raise InputError(
                f"No row is left to learn from: the weights of all {len(y):,} rows are 0.",
                hint="Take other multipliers.",
            )
        if not self.takes_weights and not (sizes == 1).all():
            rows = self._draw(sizes)
        if len(found := np.unique(y[rows])) < 2:
            return ConstantModel(self.classes, bool(found[0]))
        X = self.X
        if len(rows) < len(y) or not self.takes_weights:
            X, y, sizes = X.iloc[rows] if hasattr(X, "iloc") else X[rows], y[rows], sizes[rows]
        model = self._begin(start)
        # A fit in which all rows weigh 1 is the plain one, to the last bit.
        extra = {"sample_weight": sizes} if self.takes_weights and not (sizes == 1).all() else {}
        if extra and self.is_exact and X.shape[1] <= (MOST_EXACT if sparse.issparse(X) else MOST_EXACT_DENSE):
            model.set_params(solver="newton-cholesky", tol=min(EXACT, self.last.tol))
        for number, part in enumerate(_parts(model)):
            if number:
                yield
            self._fit(part, X, y, extra)
        if self.is_exact:
            model.set_params(solver=self.last.solver, tol=self.last.tol)
        return model.set_params(warm_start=self.last.warm_start) if self.can_start else model

    def _fit(self, model: BaseEstimator, X: Features, y: NDArray[np.int64], extra: dict[str, Floats]) -> None:
        """Fit a model to labels as their classes are called; to 0 and 1 where it takes no other, as XGBoost does."""
        try:
            run_base_learner(self.last, "be fitted", model.fit, X, self.classes[y], **extra)
        except InputError as error:
            if are_codes(self.classes):
                raise
            try:
                run_base_learner(self.last, "be fitted", model.fit, X, y, **extra)
            except InputError:
                raise error from error.__cause__

    def between(self, low: BaseEstimator, high: BaseEstimator, share: float) -> BaseEstimator:
        """Return a model to begin from that lies between two others, or beyond them."""
        if not (_has_coefficients(low) and _has_coefficients(high)) or low.coef_.shape != high.coef_.shape:
            return high if share > 0.5 else low
        model = copy.copy(low)
        model.coef_ = (1 - share) * low.coef_ + share * high.coef_
        model.intercept_ = (1 - share) * np.asarray(low.intercept_) + share * np.asarray(high.intercept_)
        return model

    def predictions(self, model: BaseEstimator, X: Features) -> NDArray[np.int64]:
        """Return what a model predicts. Shapes: returns (n,)."""
        if not X.shape[0]:
            return np.zeros(0, dtype=np.int64)
        given = np.asarray(run_base_learner(self.last, "predict", model.predict, X))
        found = in_classes(given, model, self.classes)
        positive = found == self.classes[1]
        if not np.all(positive | (found == self.classes[0])):
            raise InputError(
                f"The estimator {type(self.last).__name__} predicted values that are neither of the two outcomes.",
                hint="Give a classifier: a model that predicts one of the two.",
            )
        return positive.astype(np.int64)

    def scores(self, model: BaseEstimator, X: Features) -> Floats | None:
        """Return the score of each row, above which a threshold says yes; None where there is none to go by.

        Shapes: returns (n,).
        """
        if not X.shape[0] or not (hasattr(model, "predict_proba") or hasattr(model, "decision_function")):
            return None
        found = np.asarray(run_base_learner(self.last, "predict", scores_of, model, X))
        return found if found.shape == (X.shape[0],) and np.isfinite(found).all() else None

    def whole(self, model: BaseEstimator) -> BaseEstimator:
        """Return a model that takes the table as it was given."""
        return model if self.before is None else Pipeline([*self.before.steps, (self.name, model)])

    def _compact(self, X: Features) -> pd.DataFrame | NDArray[np.generic]:
        """Keep a mostly empty table as a sparse matrix: a logistic regression is several times as fast on it."""
        if type(self.last) is not LogisticRegression or not isinstance(X, np.ndarray) or not X.size:
            return X
        return sparse.csr_matrix(X) if np.count_nonzero(X) <= MOSTLY_ZERO * X.size else X

    def _draw(self, sizes: Floats) -> NDArray[np.int64]:
        """Repeat each row as often as its share of the weights says, rounded up or down by chance.

        The chances are the same each time, so that similar weights give similar rows.
        """
        counts = np.floor(len(sizes) * (sizes / sizes.sum()) + self._chances).astype(np.int64)
        return np.repeat(np.arange(len(sizes)), counts)

    def _begin(self, start: BaseEstimator | None) -> BaseEstimator:
        """Return an unfitted copy of the last step that begins where `start` is, if it can."""
        model = clone(self.last)
        if start is None or not self.can_start or type(start) is not type(model):
            return model
        if isinstance(model, PerceptronEnsemble):
            return copy.deepcopy(start).set_params(warm_start=True)
        model.set_params(warm_start=True)
        model.coef_, model.intercept_ = start.coef_.copy(), np.array(start.intercept_)
        model.classes_ = start.classes_
        return model


def _parts(model: BaseEstimator) -> Iterator[BaseEstimator]:
    """Return the model as often as it is to be fitted: a forest grows the same trees in steps as at once."""
    if not isinstance(model, RandomForestClassifier) or not isinstance(model.random_state, int) or model.warm_start:
        yield model
        return
    n = model.n_estimators
    for done in range(0, n, TREES_AT_ONCE):
        yield model.set_params(warm_start=done > 0, n_estimators=min(done + TREES_AT_ONCE, n))
    model.set_params(warm_start=False)


def _is_linear(model: BaseEstimator) -> bool:
    """Whether the next fit begins from `coef_` where it is there."""
    return isinstance(model, LogisticRegression) and "warm_start" in model.get_params(deep=False)


def _is_ordinary(model: BaseEstimator) -> bool:
    """Whether a model is a logistic regression with a square penalty, solved as they usually are."""
    usual = {"solver": ("lbfgs",), "penalty": ("l2", "deprecated"), "l1_ratio": (None, 0, 0.0)}
    if type(model) is not LogisticRegression or not np.isfinite(model.C):
        return False
    asked = model.get_params(deep=False)
    return all(asked.get(name, known[0]) in known for name, known in usual.items())


def _has_coefficients(model: BaseEstimator) -> bool:
    return hasattr(model, "coef_") and hasattr(model, "intercept_")
