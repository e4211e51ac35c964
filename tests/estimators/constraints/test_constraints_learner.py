from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from event_runs import driven
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from fairaudit.errors import InputError
from fairaudit.estimators.constraints.learner import ConstantModel, WeightedLearner
from fairaudit.estimators.models import PerceptronEnsemble, make_model


def data(n=200, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = (X[:, 0] + random.normal(size=n) > 0).astype(np.int64)
    return X, y, random.normal(0.6, 1, size=n)


def coefficients(model):
    return np.append(model.coef_.ravel(), model.intercept_)


def test_a_negative_weight_is_a_row_of_the_other_label():
    X, y, weights = data()
    assert (weights < 0).sum() > 20
    model = WeightedLearner(LogisticRegression(), X, y).fit(weights)
    by_hand = LogisticRegression(tol=1e-10).fit(X, np.where(weights < 0, 1 - y, y), sample_weight=np.abs(weights))
    np.testing.assert_allclose(coefficients(model), coefficients(by_hand), rtol=1e-6)
    assert model.get_params() == LogisticRegression().get_params()


def test_weights_of_one_give_the_plain_model():
    X, y, _ = data()
    for estimator in (LogisticRegression(), RandomForestClassifier(20, random_state=0), KNeighborsClassifier()):
        learner = WeightedLearner(estimator, X, y)
        plain = estimator.fit(X, y)
        np.testing.assert_array_equal(
            learner.fit(np.ones(len(y))).predict_proba(X), plain.predict_proba(X), err_msg=str(estimator)
        )


def test_rows_of_weight_zero_are_left_out():
    X, y, _ = data()
    weights = (np.arange(len(y)) % 2).astype(float)
    model = WeightedLearner(DecisionTreeClassifier(min_samples_leaf=10, random_state=0), X, y).fit(weights)
    alone = DecisionTreeClassifier(min_samples_leaf=10, random_state=0).fit(X[1::2], y[1::2])
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))


class Counting(FunctionTransformer):
    """A preparation that counts how often it is fitted."""

    n_fitted = 0

    def fit(self, X, y=None):
        type(self).n_fitted += 1
        return super().fit(X, y)


def test_the_table_is_prepared_once():
    X, y, weights = data()
    Counting.n_fitted = 0
    estimator = Pipeline([("count", Counting()), ("scale", StandardScaler()), ("model", LogisticRegression())])
    learner = WeightedLearner(estimator, X, y)
    models = [learner.fit(weights + shift) for shift in (0, 0.1, 0.2)]
    assert Counting.n_fitted == 1
    whole = learner.whole(models[-1])
    assert [name for name, _ in whole.steps] == ["count", "scale", "model"]
    np.testing.assert_array_equal(whole.predict(X), learner.predictions(models[-1], learner.prepare(X)))
    assert not hasattr(estimator, "classes_"), "the estimator that was given stays unfitted"


def test_a_mostly_empty_table_is_kept_sparse_and_gives_the_same_model():
    X, y, weights = data(400)
    codes = np.random.default_rng(1).integers(0, 12, 400)
    table = pd.DataFrame({"a": X[:, 0], "b": [f"level {code}" for code in codes]})
    model = make_model("logistic_regression").set_params(model__tol=1e-8)
    learner = WeightedLearner(model, table, y)
    assert sparse.issparse(learner.X)
    dense = learner.X.toarray()
    by_hand = LogisticRegression(max_iter=1000, tol=1e-8).fit(
        dense, np.where(weights < 0, 1 - y, y), sample_weight=np.abs(weights)
    )
    np.testing.assert_allclose(coefficients(learner.fit(weights)), coefficients(by_hand), atol=1e-4)
    assert not sparse.issparse(WeightedLearner(make_model("random_forest"), table, y).X)


def test_labels_are_given_to_the_estimator_as_they_are():
    X, y, weights = data()
    classes = np.array(["no", "yes"])
    learner = WeightedLearner(LogisticRegression(class_weight={"yes": 2.0, "no": 1.0}), X, y, classes=classes)
    model = learner.fit(weights)
    assert model.classes_.tolist() == ["no", "yes"]
    assert set(learner.predictions(model, learner.X)) == {0, 1}


def test_a_learner_without_weights_is_served_by_repeating_rows():
    X, y, _ = data(400)
    learner = WeightedLearner(KNeighborsClassifier(1), X, y, random_state=0)
    assert "KNeighborsClassifier takes no weights" in learner.notes[0]
    assert WeightedLearner(LogisticRegression(), X, y).notes == ()
    weights = np.where(y == 1, 4.0, 1.0)
    model = learner.fit(weights)
    share = np.mean(model._y == 1)
    assert share == pytest.approx(weights[y == 1].sum() / weights.sum(), abs=0.03)
    assert len(model._y) == pytest.approx(400, abs=30)
    np.testing.assert_array_equal(model._fit_X, learner.fit(weights)._fit_X)


def test_similar_weights_repeat_similar_rows():
    X, y, weights = data(400)
    learner = WeightedLearner(KNeighborsClassifier(1), X, y, random_state=0)
    first, second = (
        np.bincount(learner._draw(np.abs(weights) * np.where(y == 1, more, 1.0)), minlength=400) for more in (1, 1.02)
    )
    assert np.mean(first == second) > 0.97
    expected = 400 * np.abs(weights) / np.abs(weights).sum()
    assert np.abs(first - expected).max() <= 1


@pytest.mark.parametrize("estimator", [LogisticRegression(), KNeighborsClassifier(), LinearSVC(), PerceptronEnsemble()])
def test_rows_of_one_label_make_a_constant_model(estimator):
    X, y, _ = data()
    learner = WeightedLearner(estimator, X, y, classes=np.array(["no", "yes"]))
    for positive in (0, 1):
        model = learner.fit(np.where(y == positive, 2.0, -1.0))
        assert isinstance(model, ConstantModel)
        assert set(model.predict(X)) == {("no", "yes")[positive]}
        assert (learner.predictions(model, X) == positive).all()
        assert (model.predict_proba(X)[:, positive] == 1).all()
        assert (np.sign(model.decision_function(X)) == 2 * positive - 1).all()


def test_weights_that_all_vanish_are_an_error():
    X, y, _ = data()
    with pytest.raises(InputError, match="the weights of all 200 rows are 0"):
        WeightedLearner(LogisticRegression(), X, y).fit(np.zeros(200))
    with pytest.raises(InputError, match="must be finite numbers"):
        WeightedLearner(LogisticRegression(), X, y).fit(np.full(200, np.inf))


class Failing(ClassifierMixin, BaseEstimator):
    """A learner that reveals the content of a row when it fails."""

    def fit(self, X, y, sample_weight=None):
        raise RuntimeError(f"cannot take the row of Ann Smith: {X[0]}")


@pytest.mark.parametrize("estimator", [Failing(), Pipeline([("first", Failing()), ("model", LogisticRegression())])])
def test_a_learner_that_fails_is_named_and_its_words_are_kept(estimator):
    X, y, weights = data()
    if isinstance(estimator, Pipeline):
        Failing.transform = lambda self, X: X
    with pytest.raises(InputError, match="RuntimeError") as caught:
        WeightedLearner(estimator, X, y).fit(weights)
    assert "Ann" not in str(caught.value) and "The estimator" in str(caught.value)


def test_what_an_estimator_says_when_it_cannot_predict_is_not_shown():
    class Unable(GaussianNB):
        def predict(self, X):
            raise RuntimeError("row 3 belongs to Ann")

    X, y, weights = data()
    learner = WeightedLearner(Unable(), X, y)
    with pytest.raises(InputError, match="The estimator Unable could not predict: it raised RuntimeError") as caught:
        learner.predictions(learner.fit(weights), X)
    assert "Ann" not in str(caught.value)


def test_an_estimator_that_predicts_numbers_is_refused():
    X, y, weights = data()
    learner = WeightedLearner(LinearRegression(), X, y)
    with pytest.raises(InputError, match="LinearRegression predicted values that are neither of the two outcomes"):
        learner.predictions(learner.fit(weights), X)


def test_a_warm_start_gives_the_same_model_in_fewer_steps():
    X, y, weights = data(1000)
    estimator = LogisticRegression(tol=1e-7, max_iter=1000)
    learner, cold = WeightedLearner(estimator, X, y), WeightedLearner(estimator, X, y, warm_start=False)
    low, high = learner.fit(1 + 0.2 * weights), learner.fit(1 + 0.4 * weights)
    start = learner.between(low, high, 0.5)
    np.testing.assert_allclose(start.coef_, (low.coef_ + high.coef_) / 2)
    warm, plain = learner.fit(1 + 0.3 * weights, start), cold.fit(1 + 0.3 * weights, start)
    np.testing.assert_allclose(coefficients(warm), coefficients(plain), atol=1e-4)
    assert warm.n_iter_[0] < plain.n_iter_[0]
    assert warm.get_params() == estimator.get_params()


def test_perceptrons_go_on_from_where_they_were():
    X, y, weights = data(120)
    learner = WeightedLearner(PerceptronEnsemble((4,), max_epochs=4, random_state=0), X, y)
    first = learner.fit(np.ones(len(y)))
    before = first.predict_proba(X)
    second = learner.fit(1 + 0.1 * weights, first)
    assert np.abs(second.predict_proba(X) - before).mean() < 0.2
    np.testing.assert_array_equal(first.predict_proba(X), before, err_msg="the start is not changed")
    assert not second.warm_start
    np.testing.assert_array_equal(second.predict_proba(X), learner.fit(1 + 0.1 * weights, first).predict_proba(X))


@pytest.mark.parametrize("estimator", [RandomForestClassifier(5, random_state=0), GaussianNB(), LinearSVC(),
                                       MLPClassifier((4,), max_iter=2000, random_state=0)])  # fmt: skip
def test_other_learners_begin_anew(estimator):
    X, y, weights = data()
    learner = WeightedLearner(estimator, X, y)
    assert not learner.can_start
    start = learner.fit(np.ones(len(y)))
    again, fresh = learner.fit(weights, start), learner.fit(weights)
    np.testing.assert_array_equal(again.predict(X), fresh.predict(X))
    if hasattr(fresh, "estimators_"):
        assert len(again.estimators_) == 5


def test_between_takes_the_nearer_of_models_without_coefficients():
    X, y, weights = data()
    learner = WeightedLearner(RandomForestClassifier(3, random_state=0), X, y)
    low, high = learner.fit(np.ones(len(y))), learner.fit(weights)
    assert learner.between(low, high, 0.4) is low and learner.between(low, high, 0.6) is high


@pytest.mark.parametrize("n_trees", [7, 25])
def test_a_forest_can_be_left_between_its_trees_and_is_the_one_that_is_fitted_at_once(n_trees):
    X, y, weights = data()
    forest = RandomForestClassifier(n_estimators=n_trees, random_state=3)
    places, model = driven(WeightedLearner(forest, X, y).iter_fit(np.abs(weights)))
    assert len(places) == (n_trees - 1) // 10
    at_once = clone(forest).fit(X, y, sample_weight=np.abs(weights))
    np.testing.assert_array_equal(model.predict_proba(X), at_once.predict_proba(X))
    assert model.get_params() == at_once.get_params()


class Unscored(ClassifierMixin, BaseEstimator):
    """A classifier that says yes to everyone and gives no score."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.ones(len(X), dtype=np.int64)


def test_scores_are_probabilities_or_decisions_or_none():
    X, y, weights = data()
    weights = np.abs(weights)
    for estimator in (LogisticRegression(), LinearSVC(dual=False), Unscored()):
        learner = WeightedLearner(estimator, X, y)
        model = learner.fit(weights)
        scores = learner.scores(model, X)
        if isinstance(estimator, LogisticRegression):
            np.testing.assert_array_equal(scores, model.predict_proba(X)[:, 1])
        elif isinstance(estimator, LinearSVC):
            np.testing.assert_array_equal(scores, model.decision_function(X))
        else:
            assert scores is None
