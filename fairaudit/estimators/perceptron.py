"""A multi-layer perceptron that is fitted epoch by epoch, yields its progress and can be stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from fairaudit.errors import InputError, StoppedError
from fairaudit.estimators.base import divide
from fairaudit.estimators.models import run_base_learner
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

Reweigh = Callable[["PerceptronEnsemble"], NDArray[np.float64] | None]
"""Called after each epoch; returns weights of the rows for the next one, or None to keep them."""

FEWEST_BATCHES, SMALLEST_BATCH = 64, 8
"""Small data get small batches, so that an epoch has about as many steps."""

ENOUGH_EPOCHS, ENOUGH_STEPS = 20, 1500
"""Without rows set aside to stop by, fitting ends once there were as many of both."""


class PerceptronEnsemble(ClassifierMixin, BaseEstimator):
    """Average of multi-layer perceptrons for two classes, fitted epoch by epoch with Adam.

    Some rows are set aside; the epoch with the least log loss on them is kept, and fitting ends when it has not
    improved for `patience` epochs. Features must be numbers of similar size, such as those of
    :class:`~fairaudit.estimators.base.TablePreparation`.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int
        Units of each hidden layer.
    alpha : float
        Strength of the squared penalty on the weights.
    batch_size : int
        The most rows in a step.
    learning_rate : float
        Adam's first step size.
    max_epochs : int
        The most rounds through the rows.
    patience : int
        Epochs without improvement before fitting ends.
    validation_fraction : float
        Share of the rows set aside to stop by, 0 up to 1. Where it is 0 or the rarer class would have fewer than 10
        rows there, none are set aside and the log loss of the fitted rows decides.
    n_models : int
        How many perceptrons are averaged; they differ in their first weights and the order of the rows.
    warm_start : bool
        Whether a fit goes on from the perceptrons of the fit before, if there was one.
    random_state : int, RandomState or None
        The seed.

    Attributes
    ----------
    networks_ : list of MLPClassifier
        The fitted perceptrons.
    n_epochs_ : int
        Rounds that were run.
    best_epoch_ : int
        The one that was kept, from 1.
    losses_ : list of float
        The log loss after each epoch, by which the best one was chosen.
    status_ : {"finished", "stopped"}
        Whether a caller stopped the fit before its end.
    classes_ : ndarray, shape (2,)
        The classes in order.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = PerceptronEnsemble(random_state=0).fit(X, np.abs(X[:, 0]) < 0.5)
    >>> model.predict([[-0.9], [0.0], [0.9]])
    array([False,  True, False])
    """

    losses_: list[float]

    def __init__(
        self,
        hidden_layer_sizes: tuple[int, ...] = (64,),
        *,
        alpha: float = 1e-4,
        batch_size: int = 256,
        learning_rate: float = 1e-3,
        max_epochs: int = 60,
        patience: int = 5,
        validation_fraction: float = 0.1,
        n_models: int = 1,
        warm_start: bool = False,
        random_state: Any = None,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.max_epochs = max_epochs
        self.patience = patience
        self.validation_fraction = validation_fraction
        self.n_models = n_models
        self.warm_start = warm_start
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PerceptronEnsemble:
        """Fit all perceptrons.

        Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,).
        """
        for _ in self.iter_fit(X, y, sample_weight=sample_weight):
            pass
        return self

    def iter_fit(
        self,
        X: Any,
        y: Any,
        *,
        what: str = "Fitting the perceptron",
        sample_weight: Any = None,
        reweigh: Reweigh | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Fit, one event for each epoch of each perceptron.

        Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,).
        """
        X, codes, weights = self._read(X, y, sample_weight)
        random = check_random_state(self.random_state)
        rows = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        fitted, judged = (rows, rows) if reweigh is not None else self._set_aside(rows, codes[rows], random)
        n_epochs = self._start(len(fitted), random)
        if reweigh is None:
            n_epochs = self.max_epochs
        kept: list[list[NDArray[Any]]] = []
        yield Started(what, n_epochs * self.n_models)
        while self.n_epochs_ < n_epochs:
            for i, network in enumerate(self.networks_):
                done = self.n_epochs_ * self.n_models + i
                if (yield Progress(what, done, n_epochs * self.n_models)) is STOP:
                    self.status_ = "stopped"
                    break
                row_weights = None if weights is None else weights[fitted]
                run_base_learner(
                    network,
                    "be fitted",
                    network.partial_fit,
                    X[fitted],
                    codes[fitted],
                    sample_weight=row_weights,
                    classes=[0, 1],
                )
            if self.status_ == "stopped":
                break
            self.n_epochs_ += 1
            if reweigh is None:
                self.losses_.append(self._log_loss(X, codes, weights, judged))
            if reweigh is not None or min(self.losses_[:-1], default=np.inf) > self.losses_[-1]:
                self.best_epoch_ = self.n_epochs_
                kept = [[part.copy() for part in (*m.coefs_, *m.intercepts_)] for m in self.networks_]
            if self.n_epochs_ - self.best_epoch_ >= self.patience:
                break
            if reweigh is not None and (new := reweigh(self)) is not None:
                weights = np.asarray(new, dtype=np.float64)
        if not kept:
            raise StoppedError("The perceptron was stopped before its first epoch was complete.")
        for network, parts in zip(self.networks_, kept, strict=True):
            n_layers = len(network.coefs_)
            network.coefs_, network.intercepts_ = parts[:n_layers], parts[n_layers:]
        yield Finished(self)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the perceptrons' probabilities.

        Shapes: `X` (n, n_features); returns (n, 2).
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self._probability(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class whose probability is at least 0.5; the second one at exactly 0.5.

        Shapes: `X` (n, n_features); returns (n,).
        """
        positive = self.predict_proba(X)[:, 1] >= 0.5
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self) -> Any:
        """Say that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _read(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64] | None]:
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            more = "Only binary classification is supported. " if len(self.classes_) > 2 else ""
            raise InputError(
                f"{more}'y' must have two classes, got {len(self.classes_)} class{'es' * bool(more)}.",
                hint="Use rows with both outcomes.",
            )
        for name, lowest in (("max_epochs", 1), ("patience", 1), ("n_models", 1), ("batch_size", 1)):
            value = getattr(self, name)
            if value < lowest:
                raise InputError(f"'{name}' must be an int of at least {lowest}, got {value}.")
        if not 0 <= self.validation_fraction < 1:
            raise InputError(f"'validation_fraction' must be 0 up to below 1, got {self.validation_fraction}.")
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if weights is not None and len(np.unique(codes[weights > 0])) < 2:
            raise InputError("Each class of 'y' must have a row with a weight above 0.", hint="Check 'sample_weight'.")
        return X, codes.astype(np.int64), weights

    def _set_aside(
        self, rows: NDArray[np.int64], codes: NDArray[np.int64], random: np.random.RandomState
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows to fit and those to stop by; the same ones where there are too few for that."""
        if self.validation_fraction * np.bincount(codes).min() < 10:
            return rows, rows
        fitted, aside = divide(codes, (1 - self.validation_fraction, self.validation_fraction), random_state=random)
        return rows[fitted], rows[aside]

    def _start(self, n_rows: int, random: np.random.RandomState) -> int:
        """Make new perceptrons unless those of the last fit go on; return how many epochs make enough steps."""
        batch_size = min(self.batch_size, n_rows, max(SMALLEST_BATCH, n_rows // FEWEST_BATCHES))
        # A RandomState, not its seed: each epoch of a perceptron shuffles the rows anew only so.
        seeds = random.randint(np.iinfo(np.int32).max, size=self.n_models)
        if not (self.warm_start and hasattr(self, "networks_")):
            self.networks_ = [
                MLPClassifier(
                    self.hidden_layer_sizes,
                    alpha=self.alpha,
                    batch_size=batch_size,
                    learning_rate_init=self.learning_rate,
                    random_state=np.random.RandomState(seed),
                )
                for seed in seeds
            ]
        self.n_epochs_, self.best_epoch_, self.losses_, self.status_ = 0, 0, [], "finished"
        n_steps = math.ceil(n_rows / batch_size)
        return min(self.max_epochs, max(ENOUGH_EPOCHS, math.ceil(ENOUGH_STEPS / n_steps)))

    def _probability(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.mean([network.predict_proba(X) for network in self.networks_], axis=0)

    def _log_loss(
        self,
        X: NDArray[np.float64],
        codes: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
        rows: NDArray[np.int64],
    ) -> float:
        row_weights = None if weights is None else weights[rows]
        return float(log_loss(codes[rows], self._probability(X[rows]), sample_weight=row_weights, labels=[0, 1]))
