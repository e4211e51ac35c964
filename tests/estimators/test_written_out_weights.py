"""Rules and trees of rows with weights, which they write out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from fairaudit.errors import InputError
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.estimators.weights import MOST_WRITTEN_OUT

ESTIMATORS = [
    RuleSetClassifier(4, max_difference=0.2, binarizer=Binarizer(n_bins=3), random_state=0),
    OptimalTreeClassifier(2, constraint="demographic_parity", max_difference=0.2, min_leaf_size=5, random_state=0),
    OptimalTreeClassifier(1, method="scip", random_state=0),
    OptimalTreeRegressor(1, discrimination="didi", fairness_weight=0.5, random_state=0),
    LookaheadTreeClassifier(2, look_ahead=1, fairness_weight=0.1, random_state=0),
]
NAMES = ["rules", "tree", "tree by SCIP", "tree of amounts", "look-ahead tree"]


def rows(n=60):
    random = np.random.default_rng(0)
    group = random.choice(["a", "b"], n)
    frame = pd.DataFrame({"age": random.integers(20, 60, n), "area": random.choice(["x", "y", "z"], n)})
    y = (frame["age"] + 10 * (group == "a") + random.normal(0, 8, n) > 42).to_numpy().astype(int)
    return frame, y, pd.Series(group, name="group"), random.integers(0, 4, n)


@pytest.mark.thorough
@pytest.mark.parametrize("model", ESTIMATORS, ids=NAMES)
def test_whole_weights_fit_as_the_rows_written_out_to_the_last_digit(model):
    frame, y, group, weights = rows()
    long = np.arange(len(y)).repeat(weights)
    model.fit(frame.iloc[long], y[long], sensitive_features=group.iloc[long])
    expected = model.predict(frame).tolist(), model.objective_, str(model.bound_)
    model.fit(frame, y, sensitive_features=group, sample_weight=weights)
    assert (model.predict(frame).tolist(), model.objective_, str(model.bound_)) == expected


@pytest.mark.parametrize("model", [ESTIMATORS[0], ESTIMATORS[-1]], ids=[NAMES[0], NAMES[-1]])
def test_weights_that_are_not_whole_are_refused_with_the_reason(model):
    frame, y, group, weights = rows()
    with pytest.raises(InputError, match=f"must be whole numbers for {type(model).__name__}, wh"):
        model.fit(frame, y, sensitive_features=group, sample_weight=weights + 0.5 * (weights == 1))


def test_more_rows_than_can_be_written_out_are_refused():
    frame, y, _, _ = rows()
    with pytest.raises(InputError, match="must add up to at most 50,000,000"):
        OptimalTreeClassifier(1).fit(frame, y, sample_weight=np.full(len(y), MOST_WRITTEN_OUT))


def test_floors_are_refused_beside_weights():
    frame, y, _, weights = rows()
    floors = Floors(np.zeros((1, len(y))), np.zeros(1))
    with pytest.raises(InputError, match="'sample_weight' cannot be used with 'floors'"):
        OptimalTreeClassifier(1, floors=floors).fit(frame, y, sample_weight=weights)


@pytest.mark.thorough
def test_weights_are_routed_through_a_pipeline_and_a_search():
    frame, y, group, weights = rows()
    with config_context(enable_metadata_routing=True):
        model = OptimalTreeClassifier(1, random_state=0)
        model.set_fit_request(sensitive_features=True, sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(Pipeline([("tree", model)]), {"tree__max_depth": [1]}, cv=2)
        search.fit(frame, y, sensitive_features=group, sample_weight=weights)
    alone = OptimalTreeClassifier(1, random_state=0).fit(frame, y, sensitive_features=group, sample_weight=weights)
    assert search.best_estimator_[-1].objective_ == alone.objective_
