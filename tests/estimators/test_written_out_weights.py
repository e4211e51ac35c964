"""Rules and trees of rows with weights: whole ones are written out, and of others the proportions count."""

from __future__ import annotations

import itertools

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
@pytest.mark.parametrize("factor", [1 / 3, 0.7])
def test_a_part_of_whole_weights_gives_the_model_and_the_bound_of_these(model, factor):
    frame, y, group, weights = rows()
    found = []
    for own in (weights, weights * factor):
        model.fit(frame, y, sensitive_features=group, sample_weight=own)
        found.append((model.predict(frame).tolist(), model.objective_, str(model.bound_)))
    assert found[0] == found[1]


@pytest.mark.parametrize("model", [ESTIMATORS[0], ESTIMATORS[-1]], ids=[NAMES[0], NAMES[-1]])
def test_a_factor_changes_nothing_for_weights_without_a_common_part(model):
    frame, y, group, _ = rows()
    weights, found = np.random.default_rng(1).uniform(0.1, 4, len(y)), []
    for factor in (1.0, 0.0123, 7_000.0):
        model.fit(frame, y, sensitive_features=group, sample_weight=factor * weights)
        found.append((model.predict(frame).tolist(), model.objective_, str(model.bound_)))
    assert found[0] == found[1] == found[2]


def boxes(seed: int, n: int):
    """Rows of three truth values, with weights that have no common part."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 2, (n, 3))
    group = random.choice(["m", "f"], n)
    y = (values @ [1.0, 0.8, 0.3] + 0.5 * (group == "m") + random.normal(0, 0.7, n) > 1.2).astype(int)
    return pd.DataFrame(values, columns=list("abc")), y, group, random.uniform(0.1, 4, n)


def gap_between(h, group, weights, inside) -> float:
    shares = [np.average(h[part], weights=weights[part]) for part in (inside & (group == name) for name in "mf")]
    return abs(shares[0] - shares[1])


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 12))])
@pytest.mark.parametrize("fairness", [None, "demographic_parity", "equal_opportunity"])
@pytest.mark.parametrize("objective", ["zero_one", "hamming"])
def test_rules_of_any_weights_are_the_best_of_all_rule_sets(objective, fairness, seed):
    frame, y, group, weights = boxes(seed, 80)
    weights = weights / weights.mean()
    limit, inside = (0.1, 0.03, 0.3)[seed % 3], (y == 1) if fairness == "equal_opportunity" else np.ones(len(y), bool)
    literals = [frame[name].to_numpy() == value for name in frame for value in (0, 1)]
    covers = {np.ones(len(y), bool).tobytes(): 1}
    for size in (1, 2, 3):
        for literal in itertools.combinations(literals, size):
            covers.setdefault(np.logical_and.reduce(literal).tobytes(), 1 + size)
    rules = [(np.frombuffer(cover, dtype=bool), cost) for cover, cost in covers.items()]
    losses = []
    for size in range(3):
        for chosen in itertools.combinations(rules, size):
            met = sum((cover.astype(int) for cover, _ in chosen), np.zeros(len(y), int))
            if sum(cost for _, cost in chosen) > 4:
                continue
            # What the program holds: in the Hamming form a row counts once for each rule that covers it.
            h = np.where(y == 1, met > 0, met if objective == "hamming" else met > 0).astype(float)
            if fairness is None or gap_between(h, group, weights, inside) <= limit + 1e-9:
                losses.append(weights @ np.where(y == 1, 1 - h, h))
    settings = {"objective": objective, "fairness": fairness, "max_difference": limit, "random_state": 0}
    model = RuleSetClassifier(4, **settings).fit(frame, y, sensitive_features=group, sample_weight=weights)
    assert model.best_objective_ == pytest.approx(min(losses), abs=1e-6)
    assert model.bound_ <= min(losses) + 1e-9 and model.bound_ == pytest.approx(min(losses), rel=1e-5)
    assert model.errors_ == pytest.approx(weights @ (model.predict(frame) != y))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 12))])
@pytest.mark.parametrize("limit", [1.0, 0.1, 0.02])
def test_a_look_ahead_tree_of_any_weights_is_the_best_of_its_depth(limit, seed):
    frame, y, group, weights = boxes(seed, 80)
    everyone, losses = np.ones(len(y), bool), []
    for root, left, right in itertools.product(frame, repeat=3):
        leaf = np.where(frame[root] == 1, 2 + frame[left], frame[right])
        for labels in itertools.product((0, 1), repeat=4):
            h = np.array(labels)[leaf]
            if gap_between(h, group, weights, everyone) <= limit + 1e-9:
                losses.append(weights @ (h != y) / weights.sum())
    settings = {"constraint": "demographic_parity", "max_difference": limit, "fairness_weight": 0.0}
    model = LookaheadTreeClassifier(2, look_ahead=2, min_leaf_size=1, random_state=0, **settings)
    h = model.fit(frame, y, sensitive_features=group, sample_weight=weights).predict(frame)
    # A split costs a row shared among six.
    assert weights @ (h != y) / weights.sum() <= min(losses) + 3 / 6 / len(y) + 1e-9
    assert gap_between(h, group, weights, everyone) <= limit + 1e-9


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
