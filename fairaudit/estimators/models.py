"""The models that remedies offer by name, each with its preparation of the table."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.models import PerceptronEnsemble, run_base_learner
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

MODELS = {
    "logistic_regression": lambda seed: LogisticRegression(max_iter=1000),
    "mlp": lambda seed: PerceptronEnsemble(random_state=seed),
    "svm": lambda seed: LinearSVC(dual=False),
    "random_forest": lambda seed: RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=seed),
    "gradient_boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed),
}
"""From the name of a model to a maker that takes a seed."""


class TableReweigh(Protocol):
    """What weighs rows anew by how a model does on a table, which is first prepared as the model's own."""

    def prepare(self, transform: Callable[[Any], NDArray[np.float64]]) -> None:
        """Take the function that prepares a table; called once, before the first epoch."""

    def __call__(self, model: PerceptronEnsemble) -> NDArray[np.float64] | None:
        """Return weights for the next epoch, or None to keep them."""


def make_model(
    name: str, *, random_state: Any = None, min_level_count: int = 10, n_components: int | None = None
) -> Pipeline:
    """Return an unfitted model with the preparation of its table."""
    if name not in MODELS:
        raise InputError(f"'model' must be one of {', '.join(MODELS)}, got {name!r}.")
    preparation = TablePreparation(
        min_level_count=min_level_count, n_components=n_components, random_state=random_state
    )
    return Pipeline([("prepare", preparation), ("model", MODELS[name](random_state))])


def iter_fit_model(
    model: BaseEstimator,
    X: Any,
    y: Any,
    *,
    what: str = "Fitting the model",
    reweigh: TableReweigh | None = None,
) -> Generator[Event, Command | None, None]:
    """Fit a model in place; one that can yield its progress does, and can be stopped with its best so far.

    Shapes: `X` (n, n_features), `y` (n,).

    Raises
    ------
    GroupError
        If a classifier is given rows of one outcome only.
    """
    if is_classifier(model) and len(np.unique(y)) < 2:
        raise GroupError(
            f"The model learns from {len(y):,} rows, and they lack one of the two outcomes.",
            uncounted="The model learns from rows that lack one of the two outcomes.",
            hint="Bring more rows.",
        )
    steps = model.steps if isinstance(model, Pipeline) else [("model", model)]
    last = steps[-1][1]
    if isinstance(last, RandomForestClassifier) and isinstance(last.random_state, int) and not last.warm_start:
        for _, step in steps[:-1]:
            X = run_base_learner(step, "prepare the table", step.fit_transform, X, y)
        yield from _iter_trees(last, X, y, what)
        yield Finished(model)
        return
    if not hasattr(last, "iter_fit"):
        yield Started(what, 1)
        if (yield Progress(what, 0, 1)) is STOP:
            raise StoppedError(f"{what} was stopped before it began.")
        run_base_learner(last, "be fitted", model.fit, X, y)
        yield Finished(model)
        return
    for _, step in steps[:-1]:
        X = step.fit_transform(X, y)
    extra = {}
    if reweigh is not None and isinstance(last, PerceptronEnsemble):
        reweigh.prepare(model[:-1].transform if len(steps) > 1 else np.asarray)
        extra["reweigh"] = reweigh
    command = None
    with closing(last.iter_fit(X, y, **extra)) as events:
        while not isinstance(event := events.send(command), Finished):
            command = yield replace(event, what=what)
    yield Finished(model)


def _iter_trees(forest: RandomForestClassifier, X: Any, y: Any, what: str) -> Generator[Event, Command | None, None]:
    """Fit a forest tree by tree: the same ones as at once, as each has its own place in the seed."""
    n = forest.n_estimators
    yield Started(what, n)
    try:
        for done in range(n):
            if (yield Progress(what, done, n)) is STOP:
                raise StoppedError(f"{what} was stopped before its end.")
            forest.set_params(warm_start=done > 0, n_estimators=done + 1)
            run_base_learner(forest, "be fitted", forest.fit, X, y)
    finally:
        forest.set_params(warm_start=False, n_estimators=n)


def scores_of(model: BaseEstimator, X: Any) -> NDArray[np.float64]:
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
