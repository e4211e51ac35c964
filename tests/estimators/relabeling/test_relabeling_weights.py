"""Relabelling of rows with weights."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from fairaudit.estimators.relabeling import GapReweighing, RelabeledClassifier, risk_adjustment, risk_flipping


def scored(seed, n=40):
    random = np.random.default_rng(seed)
    scores, protected = random.random(n).round(1), np.arange(n) % 2 == 0
    return scores, (random.random(n) < scores).astype(int), protected, random.integers(1, 5, n)


def rate(labels, weights, who):
    return np.average(labels[who], weights=weights[who])


@pytest.mark.parametrize("seed", range(50))
def test_adjustment_with_whole_weights_is_that_of_the_rows_written_out(seed):
    scores, _, protected, weights = scored(seed)
    weighted = risk_adjustment(scores, protected=protected, weights=weights.astype(float))
    written = risk_adjustment(scores.repeat(weights), protected=protected.repeat(weights))
    assert weighted.labels.repeat(weights).tolist() == written.labels.tolist()
    assert (weighted.risk_shift, weighted.alpha, weighted.gap_before, weighted.gap_after, weighted.direction) == (
        written.risk_shift,
        written.alpha,
        written.gap_before,
        written.gap_after,
        written.direction,
    )
    tenth = risk_adjustment(scores, protected=protected, weights=weights / 10)
    assert tenth.labels.tolist() == weighted.labels.tolist()


@pytest.mark.parametrize("seed", range(50))
def test_flipping_reaches_the_nearest_share_that_whole_rows_can_in_the_order_of_scores(seed):
    scores, labels, protected, counts = scored(seed)
    weights = counts * np.random.default_rng(seed).gamma(1.0, size=len(counts))
    found = risk_flipping(scores, labels, protected=protected, weights=weights)
    target = rate(labels, weights, ~protected)
    assert found.gap_after == pytest.approx(rate(found.labels, weights, protected) - target)
    gaps = []
    for label in (0, 1):
        rows = np.flatnonzero(protected & (labels == label))
        rows = rows[np.argsort(scores[rows] if label else -scores[rows], kind="stable")]
        for n_flipped in range(len(rows) + 1):
            after = labels.copy()
            after[rows[:n_flipped]] = 1 - label
            gaps.append(abs(rate(after, weights, protected) - target))
    assert abs(found.gap_after) == pytest.approx(min(gaps), abs=1e-11)
    assert (found.labels == labels)[~protected].all()
    again = risk_flipping(scores, labels, protected=protected, weights=weights / 10)
    assert again.labels.tolist() == found.labels.tolist()


def test_the_weights_of_an_epoch_keep_the_weight_of_the_group():
    labels, moved = np.array([1, 0, 0, 1, 0]), np.array([True, True, True, False, False])
    own = np.array([2.0, 1.0, 3.0, 1.0, 5.0])
    watched = np.arange(4.0)[:, None]
    reweigh = GapReweighing(
        watched,
        np.array([True, True, False, False]),
        labels=labels,
        moved=moved,
        step=2.0,
        row_weights=own,
        watched_weights=np.array([1.0, 3.0, 1.0, 1.0]),
    )

    class Decides:
        def predict_proba(self, X):
            yes = np.array([0.0, 1.0, 0.0, 0.0])
            return np.column_stack([1 - yes, yes])

    weights = reweigh(Decides())
    assert reweigh.gap == pytest.approx(0.75)
    assert weights[moved].sum() == pytest.approx(own[moved].sum())
    assert weights[~moved].tolist() == own[~moved].tolist()
    assert weights[0] / own[0] < weights[1] / own[1] == pytest.approx(weights[2] / own[2])


def table(seed=0, n=300):
    random = np.random.default_rng(seed)
    protected = random.random(n) < 0.4
    X = np.column_stack([random.normal(size=n), protected])
    y = random.random(n) < 1 / (1 + np.exp(-2 * X[:, 0] + protected))
    return X, y, protected, random.integers(0, 4, n)


@pytest.mark.parametrize("algorithm", ["risk_adjustment", "risk_flipping"])
def test_a_row_of_weight_zero_is_absent_and_a_factor_changes_nothing(algorithm):
    X, y, protected, weights = table()
    models = LogisticRegression(C=np.inf), DecisionTreeClassifier(max_depth=4, random_state=0)
    settings = {"risk_model": models[0], "final_model": models[1], "random_state": 0}
    kept = np.flatnonzero(weights)
    zero, tenth, absent = (
        RelabeledClassifier(algorithm, **settings).fit(
            X[rows], y[rows], sensitive_features=protected[rows], sample_weight=by * weights[rows]
        )
        for rows, by in ((np.arange(len(y)), 1), (np.arange(len(y)), 0.1), (kept, 1))
    )
    assert zero.relabeled_rows_.tolist() == kept[absent.relabeled_rows_].tolist()
    assert (zero.predict(X) == absent.predict(X)).all()
    assert (zero.predict(X) == tenth.predict(X)).all()
    inside = zero.relabeled_rows_
    shares = [rate(zero.synthetic_labels_, weights[inside], who) for who in (protected[inside], ~protected[inside])]
    assert zero.relabeled_gap_ == pytest.approx(shares[0] - shares[1])


@pytest.mark.thorough
def test_the_perceptron_learns_from_weights():
    X, y, protected, _ = table(n=1000)
    weights = np.where(X[:, 0] > 0, 20.0, 0.05)
    settings = {"random_state": 0, "gap_step": 0.0}
    heavy, light = (
        RelabeledClassifier(**settings).fit(X, y, sensitive_features=protected, sample_weight=each)
        for each in (weights, 1 / weights)
    )
    assert heavy.predict_proba(X)[:, 1].mean() > light.predict_proba(X)[:, 1].mean() + 0.1
