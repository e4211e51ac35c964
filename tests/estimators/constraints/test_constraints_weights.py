"""Constraints on rows with weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairaudit.errors import InputError
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec, Metric
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.metrics import FLOORS, METRICS, aec, error_rates
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff

EVERY_METRIC = [*{**METRICS, **FLOORS}.values(), aec(1, 5), error_rates(2, 1)]


def applicants(seed=0, n=400):
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b", "c"], n)
    X = random.normal(size=(n, 2)).round(1) + (group == "b")[:, None]
    y = (random.random(n) < 1 / (1 + np.exp(-2 * X[:, 0]))).astype(int)
    return X, y, pd.DataFrame({"group": group}), random.integers(0, 4, n), random.random(n) < 0.4


@pytest.mark.parametrize("metric", EVERY_METRIC, ids=lambda metric: metric.name)
def test_a_metric_of_whole_weights_is_that_of_the_rows_written_out(metric):
    random = np.random.default_rng(0)
    for _ in range(20):
        y, h, weights = random.integers(0, 2, 12), random.integers(0, 2, 12), random.integers(1, 4, 12).astype(float)
        y_long, h_long = y.repeat(weights.astype(int)), h.repeat(weights.astype(int))
        assert metric.value(y, h, weights) == pytest.approx(metric.value(y_long, h_long), nan_ok=True)
        assert metric.value(y, h, weights / 7) == pytest.approx(metric.value(y, h, weights), nan_ok=True)
        margins = metric.margins(y, h, weights)
        np.testing.assert_allclose(
            (margins / weights).repeat(weights.astype(int)), metric.margins(y_long, h_long), atol=1e-12
        )


def rows_of(y, frame, weights, metrics=("demographic_parity", "fpr", "fdr", "tpr")):
    specs = tuple(
        FairnessSpec(metric, "group", floor=0.5) if metric == "tpr" else FairnessSpec(metric, "group", 0.1)
        for metric in metrics
    )
    return ConstrainedRows.of(specs, y, frame, weights)


@pytest.mark.parametrize("seed", range(5))
def test_gaps_weights_and_cuts_are_those_of_the_rows_written_out(seed):
    X, y, frame, weights, _ = applicants(seed, n=60)
    weights = weights + 1
    h, scores = (X[:, 0] > 0.3).astype(int), X[:, 0]
    weighted = rows_of(y, frame, weights.astype(float))
    written = rows_of(y.repeat(weights), frame.loc[frame.index.repeat(weights)].reset_index(drop=True), None)
    h_long = h.repeat(weights)
    np.testing.assert_allclose(weighted.gaps(h), written.gaps(h_long), atol=1e-12)
    multipliers = np.random.default_rng(seed).normal(size=len(weighted.constraints)) / 10
    for marginal in (False, True):
        per_row = weighted.weights(multipliers, h, marginal=marginal) / weights
        np.testing.assert_allclose(
            per_row.repeat(weights), written.weights(multipliers, h_long, marginal=marginal), atol=1e-9
        )
    cuts = CommonCuts.of(scores, y, weighted.counts), CommonCuts.of(scores.repeat(weights), written.y)
    np.testing.assert_allclose(weighted.ratios_of_cuts(cuts[0]), written.ratios_of_cuts(cuts[1]))
    assert cuts[0].everybody.accuracy.tolist() == cuts[1].everybody.accuracy.tolist()
    kept = [NoGroupWorseOff.of(rows, one, positive_is_good=True) for rows, one in ((weighted, h), (written, h_long))]
    other = 1 - h
    np.testing.assert_allclose(kept[0].gains(other), kept[1].gains(other.repeat(weights)), atol=1e-12)
    assert kept[0].holds_at_cuts(cuts[0]).tolist() == kept[1].holds_at_cuts(cuts[1]).tolist()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "specs", ["demographic_parity by group <= 0.05", ["fpr by group <= 0.05", "fnr by group <= 0.05"]]
)
@pytest.mark.parametrize(
    "learner",
    [LogisticRegression(tol=1e-10, max_iter=5000), DecisionTreeClassifier(max_depth=4, random_state=0)],
    ids=["line", "tree"],
)
def test_whole_weights_fit_as_the_rows_written_out(learner, specs):
    X, y, frame, weights, validation = applicants()
    model = ConstrainedClassifier(learner, specs, random_state=0, cross_fit_below=0)
    long = np.arange(len(y)).repeat(weights)
    written = model.fit(X[long], y[long], sensitive_features=frame.iloc[long], validation=validation[long])
    expected = written.predict(X), written.gaps_, written.multipliers_, written.n_fits_
    weighted = model.fit(X, y, sensitive_features=frame, validation=validation, sample_weight=weights)
    assert weighted.predict(X).tolist() == expected[0].tolist()
    np.testing.assert_allclose(weighted.gaps_, expected[1], atol=1e-12)
    if isinstance(learner, LogisticRegression):
        # Of splits of a tree that are equally good, sums that differ by rounding may take another one.
        np.testing.assert_allclose(weighted.multipliers_, expected[2], atol=1e-6)
        assert weighted.n_fits_ == expected[3]


@pytest.mark.thorough
def test_a_row_of_weight_zero_is_absent_and_a_factor_changes_nothing():
    X, y, frame, weights, validation = applicants()
    kept = np.flatnonzero(weights)
    learner = DecisionTreeClassifier(max_depth=3, random_state=0)
    for mask in (None, validation):
        zero, absent, tenth = (
            ConstrainedClassifier(
                learner, "demographic_parity by group <= 0.05", random_state=0, cross_fit_below=0
            ).fit(
                X[rows],
                y[rows],
                sensitive_features=frame.iloc[rows],
                validation=None if mask is None else mask[rows],
                sample_weight=by * weights[rows],
            )
            for rows, by in ((np.arange(len(y)), 1), (kept, 1), (np.arange(len(y)), 0.125))
        )
        assert zero.gaps_.tolist() == absent.gaps_.tolist()
        assert zero.predict(X).tolist() == absent.predict(X).tolist() == tenth.predict(X).tolist()


def test_limits_are_met_by_weights():
    X, y, frame, _, validation = applicants(n=1000)
    weights = np.random.default_rng(1).gamma(0.5, size=len(y)) + 0.1
    model = ConstrainedClassifier(LogisticRegression(), "demographic_parity by group <= 0.05", random_state=0)
    model.fit(X, y, sensitive_features=frame, validation=validation, sample_weight=weights)
    h = model.predict(X)[validation]
    shares = [
        np.average(h[who], weights=weights[validation][who])
        for who in (frame["group"][validation].to_numpy() == name for name in "abc")
    ]
    assert model.feasible_ and max(shares) - min(shares) <= 0.05 + 1e-12
    assert max(abs(model.gaps_)) == pytest.approx(max(shares) - min(shares))


def test_a_learner_that_takes_no_weights_has_its_rows_repeated_and_says_so():
    X, y, _, weights, _ = applicants()
    model = ConstrainedClassifier(KNeighborsClassifier(), random_state=0).fit(X, y, sample_weight=weights)
    assert "KNeighborsClassifier takes no weights" in model.notes_[0]


def test_a_metric_whose_function_takes_no_weights_is_refused():
    X, y, frame, weights, _ = applicants()
    own = Metric("own", "share of right predictions", lambda y, h: (np.full(len(y), 1 / len(y)), 0.0))
    model = ConstrainedClassifier(specs=FairnessSpec(own, "group", 0.1), random_state=0)
    with pytest.raises(InputError, match="'sample_weight' cannot be used with the metric 'own'"):
        model.fit(X, y, sensitive_features=frame, sample_weight=weights)
