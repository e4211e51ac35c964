"""The models by name, the neural network, and estimators of others at work."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from event_runs import drain
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.neural_network import MLPClassifier
from sklearn.svm import LinearSVC
from sklearn.utils import check_array
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import FairauditError, InputError, StoppedError
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import (
    MODELS,
    PerceptronEnsemble,
    default_threshold,
    iter_fit_model,
    make_model,
    scores_of,
)
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.events import STOP, Finished, Progress, Started
from fairaudit.plan.models import MODEL_WORDS


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


RANDOM = "epochs end by chance: rows drawn at random make the batches, so a weight of 2 is not the same as two rows"


@pytest.mark.thorough
@parametrize_with_checks(
    [PerceptronEnsemble(max_epochs=5, random_state=0)],
    expected_failed_checks=lambda model: {
        "check_sample_weight_equivalence_on_dense_data": RANDOM,
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def moons(n=600, seed=0):
    """Rows that a line cannot divide: label 1 inside a ring of noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 2))
    return X, ((X**2).sum(axis=1) + random.normal(0, 0.3, n) < 1.4).astype(int)


@pytest.mark.thorough
def test_it_bends_its_boundary():
    X, y = moons()
    model = PerceptronEnsemble(random_state=0).fit(*moons(seed=1))
    assert roc_auc_score(y, model.predict_proba(X)[:, 1]) > 0.95
    assert model.status_ == "finished"


def test_the_seed_decides():
    X, y = moons()
    model = PerceptronEnsemble(max_epochs=3, n_models=2, random_state=3)
    first, again = (clone(model).fit(X, y).predict_proba(X) for _ in range(2))
    assert (first == again).all()
    other = clone(model).set_params(random_state=4).fit(X, y).predict_proba(X)
    assert (first != other).any()


def test_each_epoch_shuffles_the_rows_anew():
    X, y = moons()
    model = PerceptronEnsemble(max_epochs=2, random_state=0).fit(X, y)
    states = []

    def watch(fitted):
        states.append(fitted.networks_[0]._random_state.get_state()[2])

    drain(model.iter_fit(X, y, reweigh=watch))
    assert len(set(states)) == 2


def test_events_count_the_epochs_of_all_models():
    X, y = moons(100)
    model = PerceptronEnsemble(max_epochs=3, n_models=2, patience=10, random_state=0)
    seen = drain(model.iter_fit(X, y, what="Fitting"))
    assert seen[0] == Started("Fitting", 6)
    assert [event.done for event in seen[1:-1]] == [0, 1, 2, 3, 4, 5]
    assert isinstance(seen[-1], Finished) and seen[-1].result is model
    assert model.n_epochs_ == 3


def test_fitting_ends_when_the_rows_set_aside_do_not_improve_and_keeps_the_best():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(400, 30)), random.integers(0, 2, 400)  # nothing to learn: it soon gets worse
    model = PerceptronEnsemble(learning_rate=0.01, max_epochs=200, patience=4, validation_fraction=0.3, random_state=0)
    model.fit(X, y)
    assert model.n_epochs_ == model.best_epoch_ + 4 < 200
    assert model.losses_[model.best_epoch_ - 1] == min(model.losses_)
    shorter = clone(model).set_params(max_epochs=model.best_epoch_).fit(X, y)
    assert (shorter.predict_proba(X) == model.predict_proba(X)).all()


def test_stop_keeps_the_best_so_far():
    X, y = moons()
    model = PerceptronEnsemble(n_models=2, random_state=0)
    seen = drain(model.iter_fit(X, y), stop_at=5)  # in the middle of the third epoch
    assert isinstance(seen[-1], Finished) and seen[-2].done == 5
    assert model.status_ == "stopped" and model.n_epochs_ == 2
    two = PerceptronEnsemble(n_models=2, max_epochs=2, random_state=0).fit(X, y)
    assert (model.predict_proba(X) == two.predict_proba(X)).all()


def test_stop_before_the_first_epoch_has_nothing_to_show():
    with pytest.raises(StoppedError):
        drain(PerceptronEnsemble().iter_fit(*moons()), stop_at=0)


def test_several_models_are_averaged():
    X, y = moons()
    model = PerceptronEnsemble(n_models=3, max_epochs=4, random_state=0).fit(X, y)
    each = [network.predict_proba(X) for network in model.networks_]
    assert np.allclose(model.predict_proba(X), np.mean(each, axis=0))
    assert np.abs(each[0] - each[1]).max() > 0.01
    truth = moons(seed=5)[1]
    assert log_loss(truth, model.predict_proba(moons(seed=5)[0])) < 1


def test_weights_move_the_probability_and_zero_means_absent():
    X, y = moons()
    plain, heavy = (
        PerceptronEnsemble(max_epochs=5, random_state=0).fit(X, y, weight) for weight in (None, np.where(y, 5.0, 1.0))
    )
    assert heavy.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean() + 0.1
    kept = X[:, 0] < 0.5
    absent = PerceptronEnsemble(max_epochs=5, random_state=0).fit(X, y, kept.astype(float))
    alone = PerceptronEnsemble(max_epochs=5, random_state=0).fit(X[kept], y[kept], np.ones(kept.sum()))
    assert (absent.predict_proba(X) == alone.predict_proba(X)).all()


def test_rows_can_be_weighed_anew_after_each_epoch_and_the_last_one_is_kept():
    X, y = moons()
    means = []

    def reweigh(model):
        means.append(model.predict_proba(X)[:, 1].mean())
        return np.where(y, 20.0, 1.0) if len(means) < 4 else None

    model = PerceptronEnsemble(max_epochs=6, random_state=0)
    drain(model.iter_fit(X, y, reweigh=reweigh))
    assert len(means) == 6 and model.best_epoch_ == model.n_epochs_ == 6
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx(means[-1])
    assert means[-1] > means[0] + 0.1
    assert not model.losses_


@pytest.mark.parametrize(("n", "epochs"), [(20, 60), (600, 23), (20_000, 20)])
def test_without_rows_to_stop_by_small_data_get_more_epochs(n, epochs):
    X, y = moons(n)
    events = PerceptronEnsemble(hidden_layer_sizes=(2,)).iter_fit(X, y, reweigh=lambda model: None)
    assert next(events).total == epochs


def test_twenty_rows_are_enough():
    X, y = moons(20, seed=2)
    model = PerceptronEnsemble(max_epochs=100, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"max_epochs": 0}, "'max_epochs'"), ({"n_models": 0}, "'n_models'"), ({"patience": 0}, "'patience'"),
     ({"batch_size": 0}, "'batch_size'"), ({"validation_fraction": 1.0}, "'validation_fraction'")],
)  # fmt: skip
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(InputError, match=message):
        PerceptronEnsemble(**parameters).fit(*moons(40))


def test_one_class_is_an_error():
    with pytest.raises(InputError, match="two classes"):
        PerceptronEnsemble().fit(np.eye(4), [1, 1, 1, 1])
    with pytest.raises(InputError, match="weight above 0"):
        PerceptronEnsemble().fit(np.eye(4), [1, 1, 0, 0], [1, 1, 0, 0])


def people(n=200):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"age": random.normal(size=n), "income": random.normal(size=n)})
    return X, (X["age"] + random.normal(size=n) > 0).astype(int), pd.Series(random.choice(["a", "b"], n))


def fitted(kind, base):
    X, y, group = people()
    if kind == "constrained":
        model = ConstrainedClassifier(base, "demographic_parity by group <= 0.03", random_state=0)
        return model.fit(X, y, sensitive_features=group.to_frame("group"))
    if kind == "thresholds":
        return GroupThresholdClassifier(base, random_state=0).fit(X, y, sensitive_features=group)
    model = RelabeledClassifier(risk_model=base, final_model=base, random_state=0)
    return model.fit(X, y, sensitive_features=group == "b")


KINDS = ["constrained", "thresholds", "relabeling"]


class Unable(ClassifierMixin, BaseEstimator):
    """A classifier that takes no table."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        check_array(np.array([["Smith"]], dtype=object))

    def predict_proba(self, X):
        raise AssertionError


@pytest.mark.parametrize("kind", KINDS)
def test_the_error_of_a_base_learner_is_one_of_ours_with_its_cause_and_no_data(kind):
    said = r"Unable could not be fitted: it raised ValueError \(could not convert string to float\)"
    with pytest.raises(FairauditError, match=said) as caught:
        fitted(kind, Unable())
    assert isinstance(caught.value.__cause__, ValueError)
    assert "Smith" not in str(caught.value)


@pytest.mark.parametrize("base", [MLPClassifier((4,), random_state=0), PerceptronEnsemble((4,), random_state=0)])
@pytest.mark.parametrize("kind", KINDS)
def test_ctrl_c_in_a_perceptron_ends_the_fit(monkeypatch, kind, base):
    steps = iter(range(10**6))
    step = MLPClassifier._backprop

    def interrupted(self, *args, **kwargs):
        if next(steps) == 7:
            raise KeyboardInterrupt
        return step(self, *args, **kwargs)

    monkeypatch.setattr(MLPClassifier, "_backprop", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fitted(kind, base)
    assert next(steps) == 8
