from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neural_network import MLPClassifier
from sklearn.utils import check_array

from fairaudit.errors import FairauditError
from fairaudit.estimators.constraints import ConstrainedClassifier
from fairaudit.estimators.models import PerceptronEnsemble
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.estimators.thresholds import GroupThresholdClassifier


def people(n=200):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"age": random.normal(size=n), "income": random.normal(size=n)})
    return X, (X["age"] + random.normal(size=n) > 0).astype(int), pd.Series(random.choice(["a", "b"], n))


def fitted(kind, base):
    X, y, group = people()
    if kind == "constrained":
        model = ConstrainedClassifier(base, "sp by group <= 0.03", random_state=0)
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
