"""Rows outside of the population are learned from, and no limit between groups is about them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.equalized import EqualizedDistributionClassifier
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor


def drawn(seed: int = 0, n: int = 400):
    """Rows of two groups, in and out of the population, where outside all is the other way round."""
    random = np.random.default_rng(seed)
    people = random.random(n) < 0.6
    group = random.choice(["a", "b"], n)
    X = random.integers(0, 4, (n, 3)).astype(float)
    X[:, 0] += 2 * ((group == "b") == people)
    y = (X[:, 0] + random.normal(size=n) > 2.5).astype(int)
    return X, y, group, people


MODELS = {
    "tree": OptimalTreeClassifier(2, constraint="demographic_parity", max_difference=0.05),
    "odds": OptimalTreeClassifier(2, constraint="equalized_odds", max_difference=0.1),
    "didi": OptimalTreeClassifier(2, discrimination="didi", fairness_weight=0.3),
    "dtdi": OptimalTreeClassifier(1, discrimination="dtdi", fairness_weight=0.3, n_neighbors=5),
    "mean": OptimalTreeRegressor(2, constraint="demographic_parity", max_difference=0.1),
    "grown": LookaheadTreeClassifier(2, constraint="demographic_parity", max_difference=0.1, fairness_weight=0.1),
    "rules": RuleSetClassifier(6, fairness="demographic_parity", max_difference=0.05, random_state=0),
    "score": EqualizedDistributionClassifier(0.5, max_iter=50),
}


@pytest.mark.parametrize("name", MODELS)
def test_groups_of_rows_outside_mean_nothing_and_their_labels_do(name):
    X, y, group, people = drawn()
    model = MODELS[name]
    other = group.copy()
    other[~people] = np.random.default_rng(1).permutation([*"abc"] * len(y))[: (~people).sum()]
    first, again = (
        model.fit(X, y, sensitive_features=each, population=people).predict(X).copy() for each in (group, other)
    )
    assert np.array_equal(first, again)


@pytest.mark.parametrize("name", ["tree", "odds", "rules", "grown"])
def test_a_limit_holds_in_the_population_and_accuracy_is_that_of_all_rows(name):
    X, y, group, people = drawn(2)
    model = MODELS[name].fit(X, y, sensitive_features=group, population=people)
    h = model.predict(X)
    limit = model.max_difference
    labels = (0, 1) if name == "odds" else (None,)
    for label in labels:
        among = people if label is None else people & (y == label)
        gap = abs(h[among & (group == "a")].mean() - h[among & (group == "b")].mean())
        assert gap <= limit + 1e-9, (name, gap)
    if name in ("tree", "odds"):
        assert model.objective_ == pytest.approx(np.mean(h != y))
    everyone = MODELS[name].fit(X, y, sensitive_features=group, population=np.ones(len(y), dtype=bool)).predict(X)
    assert np.array_equal(everyone, MODELS[name].fit(X, y, sensitive_features=group).predict(X))


def test_the_best_tree_within_a_limit_of_the_population_is_that_of_brute_force():
    X, y, group, people = drawn(3, n=120)
    X = X[:, :2]
    model = OptimalTreeClassifier(1, constraint="demographic_parity", max_difference=0.1)
    model.fit(X, y, sensitive_features=group, population=people)
    best = min(np.mean(y), 1 - np.mean(y))
    for column in range(2):
        for cut in np.unique(X[:, column]):
            for h in ((X[:, column] <= cut).astype(int), (X[:, column] > cut).astype(int)):
                gap = abs(h[people & (group == "a")].mean() - h[people & (group == "b")].mean())
                best = min(best, np.mean(h != y)) if gap <= 0.1 else best
    assert model.objective_ == pytest.approx(best)


@pytest.mark.parametrize("name", ["tree", "rules"])
def test_certificates_are_of_rows_of_the_population(name):
    X, y, group, people = drawn(4, n=900)
    model = MODELS[name].set_params(max_difference=0.3, certify_fraction=0.4)
    try:
        model.fit(pd.DataFrame(X, columns=[*"xyz"]), y, sensitive_features=group, population=people)
    finally:
        MODELS[name].set_params(max_difference=0.05, certify_fraction=0.0)
    assert model.certified_.n_rows == pytest.approx(0.4 * people.sum(), abs=6)
