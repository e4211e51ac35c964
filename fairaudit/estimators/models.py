"""The models that remedies offer by name, each with its preparation, a neural network, and how they are fitted."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from threading import current_thread, main_thread
from typing import Final, Protocol, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, has_fit_parameter, validate_data

from fairaudit.errors import FairauditError, GroupError, InputError, StoppedError
from fairaudit.estimators.base import TablePreparation, divide
from fairaudit.estimators.parameters import Features, Labels, Seed, one_of
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

# Estimators of others at work: their errors become ours, and none of them swallows Ctrl-C.

T = TypeVar("T")

LIBRARIES: Final = ("sklearn", "scipy", "numpy", "pandas", "xgboost", "lightgbm", "catboost")

SWALLOWED: Final = "Training interrupted by user"
"""What scikit-learn warns of in place of a `KeyboardInterrupt`, before it returns a half-trained perceptron."""


def run_base_learner(estimator: object, what: str, work: Callable[..., T], *args: object, **kwargs: object) -> T:
    """Do the work of an estimator; of its error the kind is shown, and its text as far as it holds no data.

    Raises
    ------
    InputError
        If it raises an error of its own.
    """
    try:
        # Only the main thread is interrupted, and filters of warnings are those of all threads.
        with _interruptible() if current_thread() is main_thread() else nullcontext():
            return work(*args, **kwargs)
    except (FairauditError, MemoryError):
        raise
    except Exception as error:
        last = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
        missing = " The table has missing values (NaN), which it does not take." if "NaN" in str(error) else ""
        raise InputError(
            f"The estimator {type(last).__name__} could not {what}: it raised {type(error).__name__}"
            f"{_cause(error)}.{missing}",
            hint="Fit it on the same table without constraints to see why.",
        ) from error


@contextmanager
def _interruptible() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=SWALLOWED)
        try:
            yield
        except UserWarning as warning:
            if SWALLOWED in str(warning):
                raise KeyboardInterrupt from None
            raise


def _cause(error: Exception) -> str:
    """Return the beginning of a library's error in brackets, up to the first value that it may quote from the table.

    The text of anybody else may hold the content of a row anywhere.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] not in LIBRARIES:
        return ""
    text = re.split(r"[\n:;\d'\"\[{(`“‘]", str(error), maxsplit=1)[0].strip(" .,")
    return f" ({text})" if len(text.split()) > 1 else ""


# A multi-layer perceptron that is fitted epoch by epoch, yields its progress and can be stopped.

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
        random_state: Seed = None,
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

    def fit(self, X: Features, y: Labels, sample_weight: ArrayLike | None = None) -> PerceptronEnsemble:
        """Fit all perceptrons. Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,)."""
        for _ in self.iter_fit(X, y, sample_weight=sample_weight):
            pass
        return self

    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        what: str = "Fitting the perceptron",
        sample_weight: ArrayLike | None = None,
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
        kept: list[list[NDArray[np.generic]]] = []
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

    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the mean of the perceptrons' probabilities. Shapes: `X` (n, n_features); returns (n, 2)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self._probability(X)

    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the class whose probability is at least 0.5; the second one at exactly 0.5.

        Shapes: `X` (n, n_features); returns (n,).
        """
        positive = self.predict_proba(X)[:, 1] >= 0.5
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self) -> Tags:
        """Say that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _read(
        self, X: Features, y: Labels, sample_weight: ArrayLike | None
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


# The models that remedies offer by name, each with its preparation of the table.

MODELS = {
    "logistic_regression": lambda seed: LogisticRegression(max_iter=1000),
    "mlp": lambda seed: PerceptronEnsemble(random_state=seed),
    "svm": lambda seed: LinearSVC(dual=False),
    "random_forest": lambda seed: RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=seed),
    "gradient_boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed),
}
"""From the name of a model to a maker that takes a seed."""
BASE_LEARNER: Final = (HasMethods(["fit"]), one_of(MODELS), None)
"""What a parameter for a base learner may be."""


class TableReweigh(Protocol):
    """What weighs rows anew by how a model does on a table, which is first prepared as the model's own."""

    def prepare(self, transform: Callable[[pd.DataFrame], NDArray[np.float64]]) -> None:
        """Take the function that prepares a table; called once, before the first epoch."""

    def __call__(self, model: PerceptronEnsemble) -> NDArray[np.float64] | None:
        """Return weights for the next epoch, or None to keep them."""


def make_model(
    name: str, *, random_state: Seed = None, min_level_count: int = 10, n_components: int | None = None
) -> Pipeline:
    """Return an unfitted model with the preparation of its table."""
    if name not in MODELS:
        raise InputError(f"'model' must be one of {', '.join(MODELS)}, got {name!r}.")
    preparation = TablePreparation(
        min_level_count=min_level_count, n_components=n_components, random_state=random_state
    )
    return Pipeline([("prepare", preparation), ("model", MODELS[name](random_state))])


def base_learner(given: BaseEstimator | str | None, default: str, *, random_state: Seed = None) -> BaseEstimator:
    """Return a base learner as it was given; by its name, or the default one, with the preparation of its table."""
    return make_model(given or default, random_state=random_state) if given is None or isinstance(given, str) else given


def learner_has(given: BaseEstimator | str | None, name: str) -> bool:
    """Say whether a base learner has a method; default ones have all."""
    return given is None or hasattr(base_learner(given, ""), name)


def learner_takes_missing(given: BaseEstimator | str | None) -> bool:
    """Say whether a base learner takes missing values; what is prepared by us does."""
    return given is None or isinstance(given, str) or bool(get_tags(given).input_tags.allow_nan)


def iter_fit_model(
    model: BaseEstimator,
    X: Features,
    y: Labels,
    *,
    what: str = "Fitting the model",
    sample_weight: NDArray[np.float64] | None = None,
    reweigh: TableReweigh | None = None,
) -> Generator[Event, Command | None, None]:
    """Fit a model in place; one that can yield its progress does, and can be stopped with its best so far.

    Shapes: `X` (n, n_features), `y` (n,), `sample_weight` (n,).

    Raises
    ------
    GroupError
        If a classifier is given rows of one outcome only.
    InputError
        If rows have weights, and the model takes none.
    """
    if is_classifier(model) and len(np.unique(y)) < 2:
        raise GroupError(
            f"The model learns from {len(y):,} rows, and they lack one of the two outcomes.",
            uncounted="The model learns from rows that lack one of the two outcomes.",
            hint="Bring more rows.",
        )
    steps = model.steps if isinstance(model, Pipeline) else [("model", model)]
    last = steps[-1][1]
    if sample_weight is not None and not takes_weights(last):
        raise InputError(
            f"'sample_weight' needs an estimator that takes weights, and {type(last).__name__} takes none.",
            hint="Take another estimator, such as LogisticRegression().",
        )
    if isinstance(last, RandomForestClassifier) and isinstance(last.random_state, int) and not last.warm_start:
        for _, step in steps[:-1]:
            X = fit_transform(step, X, y, sample_weight)
        yield from _iter_trees(last, X, y, what, sample_weight)
        yield Finished(model)
        return
    if not hasattr(last, "iter_fit"):
        yield Started(what, 1)
        if (yield Progress(what, 0, 1)) is STOP:
            raise StoppedError(f"{what} was stopped before it began.")
        if sample_weight is None:
            run_base_learner(last, "be fitted", model.fit, X, y)
        else:
            for _, step in steps[:-1]:
                X = fit_transform(step, X, y, sample_weight)
            run_base_learner(last, "be fitted", last.fit, X, y, sample_weight=sample_weight)
        yield Finished(model)
        return
    for _, step in steps[:-1]:
        X = fit_transform(step, X, y, sample_weight)
    extra: dict[str, object] = {} if sample_weight is None else {"sample_weight": sample_weight}
    if reweigh is not None and isinstance(last, PerceptronEnsemble):
        reweigh.prepare(model[:-1].transform if len(steps) > 1 else np.asarray)
        extra["reweigh"] = reweigh
    command = None
    with closing(last.iter_fit(X, y, **extra)) as events:
        while not isinstance(event := events.send(command), Finished):
            command = yield replace(event, what=what)
    yield Finished(model)


def iter_fit_labels(
    model: BaseEstimator,
    X: Features,
    y: NDArray[np.int64],
    classes: NDArray[np.generic],
    *,
    what: str,
    sample_weight: NDArray[np.float64] | None = None,
) -> Generator[Event, Command | None, None]:
    """Fit a classifier to labels as their classes are called; to 0 and 1 where it takes no other, as XGBoost does.

    Shapes: `X` (n, n_features), `y` (n,) of 0 and 1, `classes` (2,), `sample_weight` (n,).
    """
    try:
        yield from iter_fit_model(model, X, classes[y], what=what, sample_weight=sample_weight)
    except InputError as error:
        if are_codes(classes):
            raise
        try:
            yield from iter_fit_model(model, X, y, what=what, sample_weight=sample_weight)
        except InputError:
            raise error from error.__cause__


def are_codes(classes: NDArray[np.generic]) -> bool:
    """Say whether two classes are the numbers 0 and 1."""
    return classes.dtype.kind in "biuf" and classes.tolist() == [0, 1]


def in_classes(
    predicted: NDArray[np.generic], model: BaseEstimator, classes: NDArray[np.generic]
) -> NDArray[np.generic]:
    """Return predictions as their classes are called, also of a model that was fitted to 0 and 1 in their place.

    Shapes: `predicted` (n,), `classes` (2,); returns (n,).
    """
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    known = np.asarray(getattr(last, "classes_", predicted))
    if are_codes(classes) or not (known.dtype.kind in "biuf" and np.isin(known, (0, 1)).all()):
        return predicted
    return predicted if np.isin(known, classes).all() else classes[predicted.astype(np.int64)]


def takes_weights(model: BaseEstimator) -> bool:
    """Whether a model, or the last step of one with steps, can weigh the rows that it learns from."""
    return has_fit_parameter(model.steps[-1][1] if isinstance(model, Pipeline) else model, "sample_weight")


def fit_transform(
    step: BaseEstimator | str | None, X: Features, y: Labels, sample_weight: NDArray[np.float64] | None
) -> Features:
    """Fit a step before the last, with weights where it takes them, and return the table that it makes."""
    if step is None or isinstance(step, str):
        return X
    takes = sample_weight is not None and has_fit_parameter(step, "sample_weight")
    if not takes and hasattr(step, "fit_transform"):
        return run_base_learner(step, "prepare the table", step.fit_transform, X, y)
    extra = {"sample_weight": sample_weight} if takes else {}
    run_base_learner(step, "prepare the table", step.fit, X, y, **extra)
    return run_base_learner(step, "prepare the table", step.transform, X)


def _iter_trees(
    forest: RandomForestClassifier,
    X: Features,
    y: Labels,
    what: str,
    sample_weight: NDArray[np.float64] | None,
) -> Generator[Event, Command | None, None]:
    """Fit a forest tree by tree: the same ones as at once, as each has its own place in the seed."""
    n = forest.n_estimators
    yield Started(what, n)
    try:
        for done in range(n):
            if (yield Progress(what, done, n)) is STOP:
                raise StoppedError(f"{what} was stopped before its end.")
            forest.set_params(warm_start=done > 0, n_estimators=done + 1)
            run_base_learner(forest, "be fitted", forest.fit, X, y, sample_weight=sample_weight)
    finally:
        forest.set_params(warm_start=False, n_estimators=n)


def scores_of(model: BaseEstimator, X: Features) -> NDArray[np.float64]:
    """Return the score of each row: the probability of class 1, or the decision function where there is none.

    Shapes: `X` (n, n_features); returns (n,).
    """
    if hasattr(model, "predict_proba"):
        return np.asarray(run_base_learner(model, "predict", model.predict_proba, X), dtype=float)[:, 1]
    if hasattr(model, "decision_function"):
        return np.asarray(run_base_learner(model, "predict", model.decision_function, X), dtype=float)
    raise InputError(f"The model {type(model).__name__} must have 'predict_proba' or 'decision_function'.")


def default_threshold(model: BaseEstimator) -> float:
    """Return the threshold at which a model's own prediction changes: 0.5 for a probability, else 0."""
    return 0.5 if hasattr(model, "predict_proba") else 0.0
