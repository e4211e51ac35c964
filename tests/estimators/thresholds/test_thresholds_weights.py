"""Thresholds of rows with weights."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from fairaudit.errors import InputError
from fairaudit.estimators.thresholds import GroupThresholdClassifier, ThresholdProblem


def rows(seed, n=80):
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b", "c"], n)
    X = random.integers(0, 12, (n, 2)) + (group == "b")[:, None]
    y = (X[:, 0] + random.normal(0, 3, n) > 6).astype(int)
    y[:6], group[:6] = [0, 1] * 3, list("aabbcc")
    return X.astype(float), y, group, np.maximum(random.integers(0, 5, n), np.arange(n) < 6)


@pytest.mark.parametrize("method", ["exact", "pso"])
@pytest.mark.parametrize("seed", range(4))
def test_whole_weights_give_the_thresholds_of_the_rows_written_out(seed, method):
    X, y, group, weights = rows(seed)
    score = LogisticRegression().fit(X, y)
    settings = {"prefit": True, "method": method, "n_particles": 8, "n_iterations": 5, "random_state": 0}
    weighted = GroupThresholdClassifier(score, **settings).fit(X, y, sensitive_features=group, sample_weight=weights)
    parts = (values.repeat(weights, axis=0) for values in (X, y, group))
    X_long, y_long, group_long = parts
    written = GroupThresholdClassifier(score, **settings).fit(X_long, y_long, sensitive_features=group_long)
    assert weighted.thresholds_ == written.thresholds_
    assert (weighted.objective_, weighted.optimal_objective_) == (written.objective_, written.optimal_objective_)


def test_a_row_of_weight_zero_is_absent_and_a_constant_factor_changes_nothing():
    X, y, group, weights = rows(0)
    kept = weights > 0
    fit = {
        "zero": ((X, y), {"sensitive_features": group, "sample_weight": weights}),
        "absent": ((X[kept], y[kept]), {"sensitive_features": group[kept], "sample_weight": weights[kept]}),
        "tenth": ((X, y), {"sensitive_features": group, "sample_weight": weights / 10}),
    }
    learner = LogisticRegression(C=np.inf)
    models = {
        name: GroupThresholdClassifier(learner, method="exact", random_state=0).fit(*given, **more)
        for name, (given, more) in fit.items()
    }
    assert models["zero"].thresholds_ == models["absent"].thresholds_
    for name in ("absent", "tenth"):
        predicted = models[name].predict(X, sensitive_features=group)
        assert (predicted == models["zero"].predict(X, sensitive_features=group)).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_exact_thresholds_are_best_by_weights_among_all(seed):
    random = np.random.default_rng(seed)
    y, score, group = np.array([0, 1] * 6), random.random(12).round(2), np.repeat(["a", "b"], 6)
    weights = random.gamma(1.0, size=12)
    best = ThresholdProblem.from_rows(y, score, group, weights).best(0.7)

    def objective(thresholds):
        h = score >= np.where(group == "a", thresholds[0], thresholds[1])
        rates = [
            [np.average(h[at], weights=weights[at]) for at in ((group == g) & (y == label) for g in "ab")]
            for label in (0, 1)
        ]
        gap = sum(abs(one - other) for one, other in rates)
        return np.average(h == y, weights=weights) - 0.7 * gap

    highest = max(map(objective, product([*score, 2.0], repeat=2)))
    assert best.objective(0.7) == pytest.approx(highest, abs=1e-9) == objective(best.thresholds)


def test_a_learner_that_takes_no_weights_is_refused():
    X, y, group, weights = rows(0)
    with pytest.raises(InputError, match=r"^'sample_weight' needs .*KNeighborsClassifier takes none"):
        GroupThresholdClassifier(KNeighborsClassifier()).fit(X, y, sensitive_features=group, sample_weight=weights)


@pytest.mark.thorough
def test_weights_are_routed_through_a_pipeline_and_a_search():
    X, y, group, weights = rows(0, n=300)
    with config_context(enable_metadata_routing=True):
        model = GroupThresholdClassifier(method="exact", random_state=0)
        model.set_fit_request(sensitive_features=True, sample_weight=True)
        model.set_score_request(sensitive_features=True, sample_weight=True)
        chain = Pipeline([("scale", StandardScaler().set_fit_request(sample_weight=False)), ("model", model)])
        search = GridSearchCV(chain, {"model__fairness_weight": [0.0, 1.0]}, cv=2)
        search.fit(X, y, sensitive_features=group, sample_weight=weights)
        alone = GroupThresholdClassifier(
            method="exact", random_state=0, fairness_weight=search.best_params_["model__fairness_weight"]
        ).fit(StandardScaler().fit_transform(X), y, sensitive_features=group, sample_weight=weights)
    assert search.best_estimator_[-1].thresholds_ == alone.thresholds_
