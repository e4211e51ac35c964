"""A classifier that is retrained on relabelled rows."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import InputError, StoppedError
from fairaudit.estimators.base import GroupAwareClassifier, boolean_rows, divide, iter_part, read_features
from fairaudit.estimators.models import iter_fit_model, make_model, run_base_learner, scores_of
from fairaudit.estimators.relabeling import GapReweighing, check_sizes, risk_adjustment, risk_flipping
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

ALGORITHMS = ("risk_adjustment", "risk_flipping")
"""The ways to relabel; see :mod:`fairaudit.estimators.relabeling`."""

WHAT = "Retraining on changed decisions"
RISK, RELABEL, FINAL = (
    "Fitting the first model",
    "Changing decisions",
    "Fitting the second model to the changed decisions",
)
TOTAL, AFTER_RISK, BEFORE_FINAL = 100, 38, 40


def _gives_probability(model: RelabeledClassifier) -> bool:
    final = getattr(model, "final_model_", model.final_model)
    return final is None or hasattr(final, "predict_proba")


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
    risk_model : estimator, optional
        A classifier with ``predict_proba``; a logistic regression by default.
    final_model : estimator, optional
        A classifier, which need not have ``predict_proba``; a multi-layer perceptron by default.
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

    Attributes
    ----------
    risk_model_, final_model_ : estimator
        The fitted models; their classes are 0 and 1.
    relabeled_rows_ : ndarray of int
        Row numbers of D2 in X, ascending; also as ``relabel_index_``.
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
    classes_ : ndarray, shape (2,)
        The classes in order; the second is the good outcome.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 3: A(1) is
    `risk_model`, C(2) is `final_model`.
    """

    def __init__(
        self,
        algorithm: str = "risk_adjustment",
        *,
        risk_model: BaseEstimator | None = None,
        final_model: BaseEstimator | None = None,
        threshold: float = 0.5,
        risk_fraction: float = 0.5,
        random_state: Any = None,
        gap_step: float = 2.0,
    ):
        self.algorithm = algorithm
        self.risk_model = risk_model
        self.final_model = final_model
        self.threshold = threshold
        self.risk_fraction = risk_fraction
        self.random_state = random_state
        self.gap_step = gap_step

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, population: Any = None) -> Self:
        """Fit both models in one go; `iter_fit` shows how far it is.

        Parameters
        ----------
        X, y : array_like, shapes (n, n_features) and (n,)
            Features and labels of two classes; X may be a DataFrame.
        sensitive_features, population : array_like of bool, shape (n,), optional
            Who is protected, and who is compared.

        Returns
        -------
        RelabeledClassifier
            Itself.
        """
        return self._drained(self.iter_fit(X, y, sensitive_features=sensitive_features, population=population))

    def iter_fit(
        self, X: Any, y: Any, *, sensitive_features: Any = None, population: Any = None
    ) -> Generator[Event, Command | None, None]:
        """Fit both models, yielding events; a stop keeps the final model's best so far.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.
        y : array_like, shape (n,)
            Labels of two classes.
        sensitive_features : array_like of bool, shape (n,), optional
            Who is protected. None: nobody; the final model learns from the true labels.
        population : array_like of bool, shape (n,), optional
            Who is compared; all rows by default.

        Yields
        ------
        Started, Progress or Finished
            ``Finished.result`` is the classifier.

        Raises
        ------
        InputError
            If an argument breaks a rule, a part has one class only, or all labels are equal after relabelling.
        GroupError
            If D2 has no protected rows or no reference rows in the population.
        StoppedError
            If it was stopped before the final model had anything to keep.
        """
        self._check_parameters()
        frame, labels = self._read(X, y)
        protected = boolean_rows(sensitive_features, len(labels), "sensitive_features", default=False)
        inside = boolean_rows(population, len(labels), "population", default=True)
        groups = None if sensitive_features is None else np.where(inside, protected + 1, 0)
        random = check_random_state(self.random_state)
        risk_rows, rows = self._divide(labels, groups, random)
        risk_model = _model(self.risk_model, "logistic_regression", random)
        final_model = _model(self.final_model, "mlp", random)
        if not hasattr(risk_model, "predict_proba"):
            raise InputError(f"'risk_model' must have 'predict_proba', which {type(risk_model).__name__} has not.")

        yield Started(WHAT, TOTAL)
        events = iter_fit_model(risk_model, frame.iloc[risk_rows], labels[risk_rows], what=RISK)
        self.risk_model_, stopped = yield from iter_part(events, start=0, end=AFTER_RISK, total=TOTAL)
        if stopped:
            raise StoppedError("Retraining was stopped before the final model began.")
        if (yield Progress(RELABEL, AFTER_RISK, TOTAL)) is STOP:
            raise StoppedError("Retraining was stopped before the final model began.")
        relabeled = frame.iloc[rows]
        self.risk_scores_ = scores_of(self.risk_model_, relabeled)
        codes = self._relabel(labels[rows], None if groups is None else groups[rows])
        self.relabeled_rows_ = self.relabel_index_ = rows
        self.synthetic_labels_ = self.classes_[codes]
        reweigh = None
        if groups is not None and self.gap_step:
            watched = groups > 0
            who = {"labels": codes, "moved": groups[rows] == 2}
            reweigh = GapReweighing(frame[watched], groups[watched] == 2, **who, step=self.gap_step)
        events = iter_fit_model(final_model, relabeled, codes, what=FINAL, reweigh=reweigh)
        self.final_model_, stopped = yield from iter_part(events, start=BEFORE_FINAL, end=TOTAL, total=TOTAL)
        self.weight_ratio_, self.fitted_gap_ = (1.0, np.nan) if reweigh is None else (reweigh.ratio, reweigh.gap)
        self.status_ = "stopped" if stopped else "finished"
        yield Finished(self)

    @available_if(_gives_probability)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the final model's probabilities.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.

        Returns
        -------
        ndarray of float, shape (n, 2)
            The probability of each class, in the order of `classes_`.
        """
        check_is_fitted(self)
        return np.asarray(self.final_model_.predict_proba(read_features(self, X, reset=False)), dtype=np.float64)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the final model's predictions.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.

        Returns
        -------
        ndarray, shape (n,)
            Values of `classes_`.
        """
        check_is_fitted(self)
        codes = run_base_learner(
            self.final_model_, "predict", self.final_model_.predict, read_features(self, X, reset=False)
        )
        return self.classes_[np.asarray(codes).astype(int)]

    def __sklearn_tags__(self) -> Any:
        """Say that missing values are taken if both models take them."""
        tags = super().__sklearn_tags__()
        models = [model for model in (self.risk_model, self.final_model) if model is not None]
        tags.input_tags.allow_nan = all(get_tags(model).input_tags.allow_nan for model in models)
        return tags

    def _check_parameters(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise InputError(f"'algorithm' must be one of {', '.join(ALGORITHMS)}, got {self.algorithm!r}.")
        for name in ("threshold", "risk_fraction"):
            if not 0 < getattr(self, name) < 1:
                raise InputError(f"'{name}' must be above 0 and below 1, got {getattr(self, name)}.")
        if not 0 <= self.gap_step < np.inf:
            raise InputError(f"'gap_step' must be a number of at least 0, got {self.gap_step}.")

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
            check_sizes(*(int((groups[whole[0][1]] == code).sum()) for code in (2, 1)))
        risk_rows, rows = whole[0]
        return risk_rows, rows

    def _relabel(self, labels: NDArray[np.int64], groups: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Return the labels of D3, and remember what was done."""
        self.relabeling_, self.risk_shift_, self.n_flipped_, self.relabeled_gap_ = None, 0.0, 0, np.nan
        codes = labels
        if groups is not None:
            who = {"protected": groups == 2, "population": groups > 0}
            if self.algorithm == "risk_flipping":
                found = risk_flipping(self.risk_scores_, labels, **who)
            else:
                found = risk_adjustment(self.risk_scores_, **who, threshold=self.threshold)
            self.relabeling_, self.risk_shift_, self.n_flipped_ = found, found.risk_shift, found.n_flipped
            self.relabeled_gap_, codes = found.gap_after, found.labels
        if len(np.unique(codes)) < 2:
            raise InputError(
                f"All relabelled rows have the {'first' if codes[0] == 0 else 'second'} class, so that there is "
                "nothing to learn.",
                hint="Use 'risk_flipping', a 'threshold' within the risk model's scores, or more rows.",
            )
        return codes


def _model(model: BaseEstimator | None, default: str, random: np.random.RandomState) -> BaseEstimator:
    """Return a copy of a model, with a seed wherever it has none; or the default one."""
    seed = int(random.randint(np.iinfo(np.int32).max))
    if model is None:
        return make_model(default, random_state=seed)
    model = clone(model)
    unset = [
        name for name, value in model.get_params().items() if name.split("__")[-1] == "random_state" and value is None
    ]
    return model.set_params(**dict.fromkeys(unset, seed))
