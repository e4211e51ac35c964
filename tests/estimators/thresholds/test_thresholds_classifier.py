from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.models import make_model
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.events import STOP, Finished, Progress, Started

DIVIDES = "the rows are divided at random, and of rows written out copies come into both parts"


@parametrize_with_checks(
    [GroupThresholdClassifier(LinearSVC(dual=False), method="exact", random_state=0)],
    expected_failed_checks=lambda model: {"check_sample_weight_equivalence_on_dense_data": DIVIDES},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def applicants(n=4000, seed=0):
    """Return rows of two groups whose scores lie differently, so that one threshold gives different error rates."""
    random = np.random.default_rng(seed)
    group = np.where(random.random(n) < 0.4, "blue", "amber")
    X = random.normal(size=(n, 2)) + np.where(group == "blue", 0.8, 0.0)[:, None]
    y = random.random(n) < 1 / (1 + np.exp(-2 * X[:, 0]))
    return pd.DataFrame(X, columns=["a", "b"]), np.where(y, "yes", "no"), group


def gap(y, prediction, group):
    """Return the larger of the gaps in TPR and FPR."""
    shares = [
        [(prediction[(group == g) & (y == label)] == "yes").mean() for g in ("amber", "blue")]
        for label in ("yes", "no")
    ]
    return max(abs(a - b) for a, b in shares)


@pytest.mark.parametrize("method", ["pso", "exact"])
@pytest.mark.parametrize("estimator", [None, LinearSVC(dual=False), RandomForestClassifier(30, random_state=0)])
def test_error_rates_come_together_on_new_rows(estimator, method):
    X, y, group = applicants()
    model = GroupThresholdClassifier(estimator, method=method, random_state=0).fit(X, y, sensitive_features=group)
    X, y, group = applicants(seed=1)
    before, after = model.estimator_.predict(X), model.predict(X, sensitive_features=group)
    assert gap(y, after, group) < 0.4 * gap(y, before, group)
    assert np.mean(after == y) > np.mean(before == y) - 0.06
    assert model.default_threshold_ == (0.0 if isinstance(estimator, LinearSVC) else 0.5)
    assert model.optimal_objective_ - 1e-3 <= model.objective_ <= model.optimal_objective_
    assert model.groups_ == ("amber", "blue") == tuple(model.thresholds_)
    assert model.status_ == "finished" and model.classes_.tolist() == ["no", "yes"]


def test_a_score_at_the_threshold_is_the_second_class():
    X, y, group = applicants(400)
    fitted = make_model("logistic_regression").fit(X, y)
    model = GroupThresholdClassifier(fitted, method="exact", prefit=True).fit(X, y, sensitive_features=group)
    scores = fitted.predict_proba(X)[:, 1]
    least = np.array([model.thresholds_[g] for g in group])
    assert (np.abs(scores - least) < 1e-11).sum() >= 2
    assert ((model.predict(X, sensitive_features=group) == "yes") == (scores >= least)).all()
    assert ((model.decision_function(X, sensitive_features=group) > 0) == (scores >= least)).all()


class Scores(ClassifierMixin, BaseEstimator):
    """Its only feature is the probability of the second class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def test_thresholds_by_hand_give_what_is_predicted_also_where_last_bits_differ():
    # The same score in several last bits, and a group for whom nobody is the best choice.
    near = 0.75 + np.array([-2, -1, 0, 1, 2]) * 2.0**-53
    X = np.r_[near, 0.2, 0.3, 0.75, 0.75, near, 0.1][:, None]
    y = np.r_[1, 1, 0, 1, 1, 0, 0, 0, 1, np.zeros(5), 1].astype(int)
    group = np.repeat(["a", "b"], [9, 6])
    for weight in (0.0, 1.0):
        model = GroupThresholdClassifier(Scores().fit(X, y), fairness_weight=weight, method="exact", prefit=True)
        model.fit(X, y, sensitive_features=group)
        by_hand = model.estimator_.predict_proba(X)[:, 1] >= np.array([model.thresholds_[name] for name in group])
        assert (model.predict(X, sensitive_features=group) == by_hand).all()
        assert model.problem_.at(model.thresholds_).accuracy == np.mean(by_hand == y)


def test_a_fitted_model_is_taken_as_it_is_and_tuned_on_all_rows():
    X, y, group = applicants(400)
    fitted = LogisticRegression().fit(X.to_numpy(), y)
    model = GroupThresholdClassifier(fitted, prefit=True, n_iterations=3).fit(X.to_numpy(), y, sensitive_features=group)
    assert model.estimator_ is fitted and model.problem_.n == 400
    with pytest.raises(InputError, match=r"'y' must have the classes that the fitted estimator knows, \['no', 'yes'\]"):
        GroupThresholdClassifier(fitted, prefit=True).fit(X.to_numpy(), y == "yes")
    with pytest.raises(InputError, match="'estimator' must be a fitted classifier"):
        GroupThresholdClassifier(prefit=True).fit(X, y)


def test_rows_are_divided_alike_in_each_group_and_label():
    X, y, group = applicants(400)
    group[:2], y[:2], y[2:4], group[2:4] = "coral", "yes", "no", "coral"
    model = GroupThresholdClassifier(method="exact", random_state=0).fit(X, y, sensitive_features=group)
    points = dict(zip(model.groups_, model.problem_.points, strict=True))
    assert (points["coral"].n_positive, points["coral"].n_negative) == (1, 1)
    for name in ("amber", "blue"):
        assert abs(points[name].n_positive - 0.25 * ((group == name) & (y == "yes")).sum()) < 1


def test_a_group_with_one_label_is_named():
    X, y, group = applicants(400)
    group[y == "no"] = "amber"
    with pytest.raises(GroupError, match=r"'blue' has \d+ positive and 0 negative"):
        GroupThresholdClassifier(random_state=0).fit(X, y, sensitive_features=group)


def test_the_group_is_needed_when_the_model_decides():
    X, y, group = applicants(400)
    model = GroupThresholdClassifier(method="exact", random_state=0).fit(X, y, sensitive_features=group)
    with pytest.raises(InputError, match="'sensitive_features' is needed when the model decides: there are 2 groups"):
        model.predict(X)
    with pytest.raises(InputError, match=r"'coral', which was not there in fitting.\nHint: .* 'amber', 'blue'"):
        model.predict(X.iloc[:2], sensitive_features=["amber", "coral"])
    with pytest.raises(InputError, match="'missing', which was not there in fitting"):
        model.predict(X.iloc[:2], sensitive_features=["amber", None])
    with pytest.raises(InputError, match="must have 400 rows"):
        model.predict(X, sensitive_features=["amber"])


def test_without_groups_there_is_one_threshold():
    X, y, _ = applicants(400)
    model = GroupThresholdClassifier(method="exact", random_state=0).fit(X, y)
    assert list(model.thresholds_) == ["all"] and model.problem_.best(1.0).gap == 0
    assert model.predict(X).shape == (400,)


def test_crossings_of_columns_are_groups():
    X, y, group = applicants(2000)
    both = pd.DataFrame({"colour": group, "old": X["b"].to_numpy() > 0})
    model = GroupThresholdClassifier(method="exact", random_state=0).fit(X, y, sensitive_features=both)
    assert set(model.thresholds_) == {("amber", False), ("amber", True), ("blue", False), ("blue", True)}
    assert model.predict(X.iloc[:5], sensitive_features=both.iloc[:5]).shape == (5,)


def test_the_seed_decides():
    X, y, group = applicants(400)
    model = GroupThresholdClassifier(n_iterations=5, random_state=3)
    first, again = (clone(model).fit(X, y, sensitive_features=group).thresholds_ for _ in range(2))
    assert first == again
    assert clone(model).set_params(random_state=4).fit(X, y, sensitive_features=group).thresholds_ != first


def drain(events, stop_at=None, *, after=0):
    """Return all events; send STOP at the first step whose words begin with `stop_at`, `after` so many of them."""
    seen, command = [], None
    try:
        while True:
            event = events.send(command)
            seen.append(event)
            n_steps = 0 if stop_at is None else sum(steps_of(e, stop_at) for e in seen)
            command = STOP if n_steps == after + 1 and steps_of(event, stop_at) else None
    except StopIteration:
        return seen


def steps_of(event, words):
    return isinstance(event, Progress) and event.what.startswith(words)


def test_events_rise_to_the_end():
    X, y, group = applicants(400)
    events = drain(GroupThresholdClassifier(n_iterations=5).iter_fit(X, y, sensitive_features=group))
    assert [type(e) for e in (events[0], events[-1])] == [Started, Finished]
    assert all(type(e) is Progress for e in events[1:-1])
    assert sorted(e.done for e in events[1:-1]) == [e.done for e in events[1:-1]]
    assert len({e.total for e in events[:-1]}) == 1


@pytest.mark.parametrize("stop_at", ["Fitting", "Searching"])
def test_a_stop_keeps_the_best_so_far(stop_at):
    X, y, group = applicants(400)
    model = GroupThresholdClassifier(make_model("mlp", random_state=0), random_state=0)
    events = drain(model.iter_fit(X, y, sensitive_features=group), stop_at, after=2)
    assert sum(steps_of(event, stop_at) for event in events) == 3
    assert sum(steps_of(event, "Searching") for event in events) == (3 if stop_at == "Searching" else 0)
    assert events[-1].result is model and model.status_ == "stopped"
    assert model.objective_ <= model.optimal_objective_
    assert model.predict(X, sensitive_features=group).shape == (400,)


@pytest.mark.parametrize("name", ["logistic_regression", "mlp"])
def test_a_stop_before_there_is_a_model_says_so(name):
    X, y, group = applicants(400)
    model = GroupThresholdClassifier(make_model(name, random_state=0), random_state=0)
    with pytest.raises(StoppedError):
        drain(model.iter_fit(X, y, sensitive_features=group), "Fitting")


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"method": "grid"}, "'method' must be one of pso, exact, got 'grid'"),
        ({"fairness_weight": -1}, "'fairness_weight' must be a number of at least 0, got -1"),
        ({"validation_fraction": 1}, "'validation_fraction' must be a number above 0 and below 1, got 1"),
        ({"n_particles": 0}, "'n_particles' must be an int of at least 1, got 0"),
    ],
)
def test_settings_that_do_not_fit_are_named(settings, message):
    X, y, group = applicants(50)
    with pytest.raises(InputError, match=message):
        GroupThresholdClassifier(**settings).fit(X, y, sensitive_features=group)


def test_groups_are_routed_by_scikit_learn():
    X, y, group = applicants(400)
    with config_context(enable_metadata_routing=True):
        model = GroupThresholdClassifier(method="exact", random_state=0)
        model.set_fit_request(sensitive_features=True).set_predict_request(sensitive_features=True)
        routed = Pipeline([("scale", StandardScaler()), ("model", model)]).fit(X, y, sensitive_features=group)
        assert routed.predict(X, sensitive_features=group).shape == (400,)
    assert tuple(routed[-1].thresholds_) == ("amber", "blue")
