"""Tests of estimators whose limit between groups is certified on rows set aside."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from fairaudit.errors import InputError
from fairaudit.estimators.certified import Comparison, MeanComparison
from fairaudit.estimators.certifying import SCALES, LimitedRows
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.thresholds.classifier import GroupThresholdClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.events import STOP, Finished, Incumbent
from fairaudit.measure.grouping import group_rows


def people(n, seed=0):
    """Draw rows of a population in which the group lowers the first feature in half of its members."""
    rng = np.random.default_rng(seed)
    group = (rng.random(n) < 0.4).astype(int)
    X = rng.integers(0, 6, size=(n, 3)).astype(float)
    X[:, 0] = np.clip(X[:, 0] - (rng.random(n) < 0.5 * group), 0, None)
    y = (rng.random(n) < 1 / (1 + np.exp(-(X @ [0.8, 0.4, -0.3] - 2.5)))).astype(int)
    return pd.DataFrame(X, columns=list("abc")), y, group


ON = {"certify_fraction": 0.4, "random_state": 0}

ESTIMATORS = {
    "tree": OptimalTreeClassifier(2, constraint="demographic_parity", max_difference=0.15, **ON),
    "four_fifths": OptimalTreeClassifier(1, constraint="four_fifths", **ON),
    "amounts": OptimalTreeRegressor(2, constraint="demographic_parity", max_difference=0.2, max_splits=8, **ON),
    "lookahead": LookaheadTreeClassifier(2, constraint="equalized_odds", max_difference=0.3, look_ahead=1, **ON),
    "rules": RuleSetClassifier(4, fairness="demographic_parity", max_difference=0.2, time_limit=8, **ON),
    "thresholds": GroupThresholdClassifier(method="exact", max_difference=0.3, **ON),
}


def largest_gap(model, constraint):
    """Return the largest gap in a large draw of the population."""
    X, y, group = people(60_000, seed=1)
    more = {"sensitive_features": group} if isinstance(model, GroupThresholdClassifier) else {}
    h = model.predict(X, **more)
    labels = [[0], [1]] if constraint == "equalized_odds" else [[0, 1]]
    return max(
        abs(h[(group == 0) & np.isin(y, each)].mean() - h[(group == 1) & np.isin(y, each)].mean()) for each in labels
    )


@pytest.mark.parametrize("name", ESTIMATORS)
def test_what_is_certified_holds_in_the_population(name):
    X, y, group = people(5_000)
    model = ESTIMATORS[name].fit(X, y, sensitive_features=group)
    assert model.certified_.n_rows == pytest.approx(2_000, abs=3)
    assert model.certified_.is_certified
    constraint = getattr(model, "constraint", "equalized_odds" if name == "thresholds" else "demographic_parity")
    limit = 0.2 if constraint == "four_fifths" else model.max_difference
    assert largest_gap(model, constraint) <= limit
    assert len(np.unique(model.predict(X, **({"sensitive_features": group} if name == "thresholds" else {})))) > 1


@pytest.mark.parametrize("name", ["tree", "rules", "thresholds"])
def test_off_means_that_all_rows_are_learned_from(name):
    X, y, group = people(300)
    off = type(ESTIMATORS[name])(**{**ESTIMATORS[name].get_params(), "certify_fraction": 0.0})
    model = off.fit(X, y, sensitive_features=group)
    assert model.certified_ is None
    if name == "tree":
        assert model.tree_.predict(X).shape == (300,)
        assert model.max_difference_ == 0.15


def test_a_stop_keeps_what_was_fitted_so_far():
    X, y, group = people(2_000)
    events = ESTIMATORS["tree"].iter_fit(X, y, sensitive_features=group)
    event, command = None, None
    while not isinstance(event, Finished):
        event = events.send(command)
        command = STOP if isinstance(event, Incumbent) else None
    assert event.result.certified_.n_candidates < len(SCALES)
    assert len(event.result.predict(X)) == 2_000


@pytest.mark.parametrize("name", ["tree", "thresholds", "constraints"])
def test_a_row_that_stands_for_several_is_divided_as_these_are(name):
    X, y, group = people(3_000)
    table = X.assign(y=y, group=group).value_counts().reset_index(name="n").sort_values([*X, "y", "group"])
    single = table.loc[np.repeat(table.index, table["n"])]
    model = {**ESTIMATORS, "constraints": ConstrainedClassifier(specs="demographic_parity by group <= 0.15", **ON)}[
        name
    ]
    of_table, of_rows = (
        clone(model).fit(rows[list(X)], rows["y"], sensitive_features=rows[["group"]], sample_weight=weights)
        for rows, weights in ((table, table["n"]), (single, None))
    )
    assert len(table) < 1_500
    assert of_table.certified_ == of_rows.certified_
    assert of_table.certified_.n_rows == pytest.approx(1_200, abs=3)


def test_rows_without_a_weight_are_neither_learned_from_nor_tested_on():
    X, y, group = people(1_000)
    weights = np.r_[np.ones(800), np.zeros(200)]
    model = OptimalTreeClassifier(1, constraint="demographic_parity", **ON)
    model.fit(X, y, sensitive_features=group, sample_weight=weights)
    assert model.certified_.n_rows == pytest.approx(320, abs=3)


@pytest.mark.parametrize(
    ("constraint", "n", "means"),
    [
        ("demographic_parity", 3, False),
        ("equalized_odds", 6, False),
        ("four_fifths", 6, False),
        ("demographic_parity", 3, True),
    ],
)
def test_all_pairs_of_groups_are_compared(constraint, n, means):
    rng = np.random.default_rng(0)
    y, groups = rng.integers(0, 2, 90), np.repeat(["a", "b", "c"], 30)
    limited = LimitedRows(y, group_rows(groups, 90), None, constraint, 0.1, means)
    rows = np.arange(0, 90, 2)
    found = limited.requirements(rows, rng.integers(0, 2, (2, len(rows))))
    assert len(found) == n
    assert all(isinstance(each, MeanComparison if means else Comparison) for each in found)


def test_a_group_that_no_rate_is_defined_in_is_not_compared():
    y, groups = np.r_[np.tile([0, 1], 20), np.zeros(10, dtype=int)], np.repeat(["a", "b", "c"], [20, 20, 10])
    limited = LimitedRows(y, group_rows(groups, 50), None, "equal_opportunity", 0.1)
    assert [(each.first, each.second) for each in limited.requirements(np.arange(50), y[None])] == [("a", "b")]


def test_there_must_be_a_limit_and_groups():
    X, y, group = people(100)
    with pytest.raises(InputError, match="'constraint' is None"):
        OptimalTreeClassifier(1, certify_fraction=0.4).fit(X, y, sensitive_features=group)
    with pytest.raises(InputError, match="two groups"):
        OptimalTreeClassifier(1, constraint="demographic_parity", certify_fraction=0.4).fit(X, y)
    with pytest.raises(InputError, match="max_difference"):
        GroupThresholdClassifier(certify_fraction=0.4).fit(X, y, sensitive_features=group)
    none = {"max_difference": 0.0, "certify_fraction": 0.4}
    for model in (OptimalTreeClassifier(1, constraint="demographic_parity", **none), RuleSetClassifier(4, **none)):
        with pytest.raises(InputError, match="limit of 0"):
            model.fit(X, y, sensitive_features=group)


def test_thresholds_within_a_limit_are_the_most_accurate_that_meet_it():
    X, y, group = people(2_000)
    loose, tight = (
        GroupThresholdClassifier(method="exact", max_difference=limit, random_state=0).fit(
            X, y, sensitive_features=group
        )
        for limit in (1.0, 0.02)
    )
    assert loose.problem_.at(loose.thresholds_).accuracy == pytest.approx(loose.problem_.best(0.0).accuracy)
    outcome = tight.problem_.at(tight.thresholds_)
    assert max(np.ptp(outcome.tpr), np.ptp(outcome.fpr)) <= 0.02 + 1e-9
