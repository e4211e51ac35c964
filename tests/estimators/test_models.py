from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from fairaudit.errors import InputError, StoppedError
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.estimators.models import (
    MODELS,
    default_threshold,
    iter_fit_model,
    make_model,
    scores_of,
)
from fairaudit.events import STOP, Finished, Progress, Started


def table(n=200, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.normal(size=n), "area": random.choice(["a", "b", None], n)})
    return frame, (frame["x"] + random.normal(0, 0.5, n) > 0).to_numpy(int)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MODELS)
def test_each_model_fits_by_events_as_at_once_scores_and_has_words(name):
    X, y = table()
    model, at_once = make_model(name, random_state=0), make_model(name, random_state=0)
    events = list(iter_fit_model(model, X, y, what="Fitting it"))
    assert isinstance(events[0], Started) and events[0].what == "Fitting it"
    assert sum(isinstance(event, Finished) for event in events) == 1
    assert isinstance(events[-1], Finished) and events[-1].result is model
    assert all(event.what == "Fitting it" for event in events[1:-1])
    scores = scores_of(model, X)
    assert (scores == scores_of(at_once.fit(X, y), X)).all()
    prediction = (scores >= default_threshold(model)).astype(int)
    assert (prediction == model.predict(X)).all()
    assert (prediction == y).mean() > 0.75
    assert MODEL_WORDS[name]


@pytest.mark.parametrize("name", ["logistic_regression", "mlp"])
def test_a_stop_before_anything_is_there_is_an_error(name):
    events = iter_fit_model(make_model(name), *table())
    assert isinstance(next(events), Started) and isinstance(next(events), Progress)
    with pytest.raises(StoppedError):
        events.send(STOP)


def test_a_forest_ends_with_the_tree_that_is_grown_at_a_stop():
    X, y = table()
    model = make_model("random_forest", random_state=0)
    events = iter_fit_model(model, X, y)
    event = next(events)
    while not (isinstance(event, Progress) and event.done == 3):
        event = next(events)
    with pytest.raises(StoppedError):
        events.send(STOP)
    assert len(model[-1].estimators_) == 3
    assert model[-1].n_estimators == 200 and model[-1].warm_start is False


def test_a_forest_has_the_same_trees_as_at_once():
    X, y = table()
    model, at_once = (make_model("random_forest", random_state=7) for _ in range(2))
    events = list(iter_fit_model(model, X, y))
    at_once.fit(X, y)
    assert sum(isinstance(event, Progress) for event in events) == len(model[-1].estimators_) == 200
    for tree, other in zip(model[-1].estimators_, at_once[-1].estimators_, strict=True):
        assert tree.random_state == other.random_state
        nodes, others = (each.tree_.__getstate__()["nodes"].tolist() for each in (tree, other))
        assert nodes == others
        assert tree.tree_.value.tobytes() == other.tree_.value.tobytes()
    assert (model.predict_proba(X) == at_once.predict_proba(X)).all()


def test_a_stopped_perceptron_is_kept_in_its_pipeline():
    X, y = table()
    model = make_model("mlp", random_state=0)
    events = iter_fit_model(model, X, y)
    event = next(events)
    while not (isinstance(event, Progress) and event.done == 3):
        event = next(events)
    assert events.send(STOP) == Finished(model)
    assert model[-1].status_ == "stopped" and model[-1].n_epochs_ == 3
    assert model.predict(X).shape == (200,)


def test_a_model_without_a_preparation_is_fitted_too():
    X, y = table()
    for model, threshold in ((LogisticRegression(), 0.5), (LinearSVC(), 0.0)):
        list(iter_fit_model(model, X[["x"]], y))
        assert default_threshold(model) == threshold
        assert ((scores_of(model, X[["x"]]) >= threshold) == model.predict(X[["x"]])).all()


def test_what_is_not_there_is_named():
    with pytest.raises(InputError, match="'model' must be one of logistic_regression, mlp"):
        make_model("magic")
    with pytest.raises(InputError, match="TransformerOnly must have 'predict_proba' or 'decision_function'"):
        scores_of(type("TransformerOnly", (), {})(), None)
