"""Base learners of others: labels, weights and errors as XGBoost, LightGBM and one's own have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from fairaudit import ConstrainedClassifier, GroupThresholdClassifier, RelabeledClassifier
from fairaudit.errors import InputError


class OnlyCodes(ClassifierMixin, BaseEstimator):
    """Takes whole numbers from 0 as labels and gives float32, as XGBoost does."""

    def fit(self, X, y, sample_weight=None, *, eval_set=None):
        found = np.unique(y)
        if found.dtype.kind not in "iuf" or not (found == np.arange(len(found))).all():
            raise ValueError(f"Invalid classes inferred from unique values of `y`. Expected: [0 1], got {found}")
        self.model_ = HistGradientBoostingClassifier(max_iter=20, random_state=0).fit(np.asarray(X), y, sample_weight)
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return self.model_.predict(np.asarray(X)).astype(np.int32)

    def predict_proba(self, X):
        return self.model_.predict_proba(np.asarray(X)).astype(np.float32)


class Broken(LogisticRegression):
    """Never can."""

    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("row 3 belongs to Ann")


def people(n: int = 400, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    sex = pd.Series(rng.choice(["F", "M"], n), name="sex")
    y = np.where(X["a"] + 0.4 * (sex == "M") + rng.normal(size=n) > 0, "yes", "no")
    return X, pd.Series(y), sex


MAKE = {
    "constraints": lambda base: ConstrainedClassifier(base, "demographic_parity by sex <= 0.1", random_state=0),
    "thresholds": lambda base: GroupThresholdClassifier(base, n_iterations=10, random_state=0),
    "relabelled": lambda base: RelabeledClassifier(risk_model=base, final_model=base, random_state=0),
}


def predicted(name, base, X, y, sex, **more):
    model = MAKE[name](base).fit(X, y, sensitive_features=sex, **more)
    return model.predict(X, sensitive_features=sex) if name == "thresholds" else model.predict(X)


@pytest.mark.parametrize("name", MAKE)
def test_a_learner_that_takes_codes_alone_gives_what_it_gives_of_codes(name):
    X, y, sex = people()
    texts = predicted(name, OnlyCodes(), X, y, sex)
    codes = predicted(name, OnlyCodes(), X, (y == "yes").astype(int), sex)
    assert set(texts) <= {"no", "yes"} and len(set(texts)) == 2
    assert ((texts == "yes") == (codes == 1)).all()


@pytest.mark.parametrize("name", MAKE)
def test_weights_reach_such_a_learner(name):
    X, y, sex = people()
    weights = np.where(y == "yes", 9, 1)
    plain, weighed = (predicted(name, OnlyCodes(), X, y, sex, **more) for more in ({}, {"sample_weight": weights}))
    assert (weighed == "yes").mean() > (plain == "yes").mean()


@pytest.mark.parametrize("name", MAKE)
def test_a_learner_that_cannot_is_named_with_its_cause_and_no_row(name):
    X, y, sex = people(60)
    with pytest.raises(InputError, match="The estimator Broken could not be fitted: it raised RuntimeError") as caught:
        MAKE[name](Broken()).fit(X, y, sensitive_features=sex)
    assert "Ann" not in str(caught.value)
    assert isinstance(caught.value.__cause__, RuntimeError) and "Ann" in str(caught.value.__cause__)


@pytest.mark.parametrize("name", MAKE)
def test_labels_by_name_still_reach_a_learner_that_takes_them(name):
    X, y, sex = people()
    # Labels that are relabelled are codes.
    no, yes = (0, 1) if name == "relabelled" else ("no", "yes")
    model = MAKE[name](LogisticRegression(class_weight={no: 1, yes: 9})).fit(X, y, sensitive_features=sex)
    fitted = model.final_model_ if name == "relabelled" else model.estimator_
    assert (fitted.predict(X) == yes).mean() > 0.8


@pytest.mark.thorough
@pytest.mark.parametrize("learner", ["logistic_regression", "random_forest", "gradient_boosting", "mlp", "svm"])
@pytest.mark.parametrize("name", MAKE)
def test_a_learner_may_be_named(name, learner):
    X, y, sex = people()
    if (name, learner) == ("relabelled", "svm"):
        with pytest.raises(InputError, match="'risk_model' must have 'predict_proba'"):
            predicted(name, learner, X, y, sex)
        return
    found = predicted(name, learner, X, y, sex)
    assert (found == y).mean() > 0.6 and set(found) == {"no", "yes"}
    assert (found == predicted(name, learner, X, y, sex)).all(), "it takes the seed of the remedy"


def test_a_named_logistic_regression_is_the_default():
    X, y, sex = people()
    for name in ("constraints", "thresholds"):
        assert (predicted(name, "logistic_regression", X, y, sex) == predicted(name, None, X, y, sex)).all()


@pytest.mark.parametrize("name", MAKE)
def test_a_learner_of_no_such_name_is_refused_with_those_there_are(name):
    X, y, sex = people(60)
    with pytest.raises(InputError, match=r"'fit', one of logistic_regression, .* or None, got 'xgboost'"):
        MAKE[name]("xgboost").fit(X, y, sensitive_features=sex)


def test_a_fitted_model_has_no_name():
    X, y, sex = people(60)
    with pytest.raises(InputError, match="fitted classifier where 'prefit' is true, got 'svm'"):
        GroupThresholdClassifier("svm", prefit=True).fit(X, y, sensitive_features=sex)


def test_a_named_learner_is_a_setting_of_a_search_in_a_pipeline():
    X, y, sex = people()
    with config_context(enable_metadata_routing=True):
        model = ConstrainedClassifier("logistic_regression", "demographic_parity by sex <= 0.2", random_state=0)
        steps = Pipeline([("scaled", StandardScaler()), ("model", model.set_fit_request(sensitive_features=True))])
        asked = {"model__estimator": ["logistic_regression", "gradient_boosting"]}
        search = GridSearchCV(steps, asked, cv=2).fit(X, y, sensitive_features=sex)
    assert search.best_params_["model__estimator"] in asked["model__estimator"]
    assert np.isfinite(search.cv_results_["mean_test_score"]).all() and hasattr(search, "predict_proba")


@pytest.mark.parametrize("name", MAKE)
def test_a_sparse_table_is_refused_with_what_makes_it_dense(name):
    X, y, sex = people(60)
    with pytest.raises(InputError, match="sparse") as caught:
        MAKE[name](None).fit(csr_array(X.to_numpy()), y, sensitive_features=sex)
    assert "sparse_output=False" in caught.value.hint


def test_the_group_with_the_lowest_share_is_the_protected_one():
    X, y, sex = people()
    by_group = RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=sex)
    by_truth = RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=sex == "F")
    assert by_group.protected_ == "F" and by_truth.protected_ is None
    assert (by_group.synthetic_labels_ == by_truth.synthetic_labels_).all()
    assert (by_group.predict(X) == by_truth.predict(X)).all()


@pytest.mark.parametrize("seed", range(5))
def test_of_several_groups_the_lowest_share_is_compared_with_all_others(seed):
    X, y, _ = people(seed=seed)
    area = pd.Series(np.random.default_rng(seed).choice(list("abc"), len(y)))
    weights = np.random.default_rng(seed + 9).integers(1, 4, len(y))
    shares = {g: np.average((y == "yes")[area == g], weights=weights[area == g]) for g in "abc"}
    model = RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=area.to_frame(), sample_weight=weights)
    assert model.protected_ == min(shares, key=shares.get)
