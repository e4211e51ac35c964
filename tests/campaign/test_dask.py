"""Grids and searches give on a cluster what they give in one process."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.linear_model import LogisticRegression
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit import ConstrainedClassifier
from fairaudit.audit.trying import iter_remedies
from fairaudit.estimators.thresholds import ThresholdProblem
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan


class WhereFitted(LogisticRegression):
    """A logistic regression that remembers the process it was fitted in."""

    def fit(self, X, y, sample_weight=None):
        self.process_ = os.getpid()
        return super().fit(X, y, sample_weight)


@pytest.fixture(scope="module")
def client():
    """A scheduler in this process and two workers in processes of their own, each with one thread."""
    distributed = pytest.importorskip("distributed", reason="dask and distributed are not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def people(n=240):
    """Return features, labels and groups whose labels follow the features, less often so in group b."""
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.integers(0, 5, size=(n, 4)), columns=["a", "b", "c", "d"])
    group = random.choice(["x", "y"], n)
    y = ((X["a"] + X["b"] + (group == "x") + random.normal(size=n)) > 4.5).astype(int).to_numpy()
    return X, y, group


def processes_of(client):
    """Return the process numbers of the workers."""
    return set(client.run(os.getpid).values())


def test_there_are_two_workers_in_processes_of_their_own(client):
    found = processes_of(client)
    assert len(found) == 2 and os.getpid() not in found


@pytest.mark.parametrize("n_jobs", [None, 3])
def test_a_search_for_multipliers_makes_the_same_fits_however_many_workers_there_are(client, n_jobs):
    X, y, group = people(600)

    def fitted(backend):
        model = ConstrainedClassifier(
            WhereFitted(), "demographic_parity by group <= 0.02", n_jobs=n_jobs, random_state=0
        )
        with parallel_config(backend=backend):
            return model.fit(X, y, sensitive_features=group)

    alone, spread = fitted("sequential"), fitted("dask")
    assert len(alone.history_) > 3
    assert [fit.accuracy for fit in spread.history_] == [fit.accuracy for fit in alone.history_]
    np.testing.assert_array_equal(spread.multipliers_, alone.multipliers_)
    np.testing.assert_array_equal(spread.estimator_.coef_, alone.estimator_.coef_)
    assert alone.estimator_.process_ == os.getpid()
    if n_jobs is not None:
        assert spread.estimator_.process_ in processes_of(client)


def test_thresholds_at_several_weights_are_the_same(client):
    X, y, group = people(400)
    problem = ThresholdProblem.from_rows(y, X["a"] + 0.1 * X["b"] + 0.01 * X["c"], group)
    weights = (0.0, 0.1, 0.5, 2.0)
    expected = problem.sweep(weights)
    with parallel_config(backend="dask"):
        pd.testing.assert_frame_equal(problem.sweep(weights), expected)


def test_remedies_tried_on_a_cluster_are_judged_the_same(client):
    table = as_loans(biased_loans(600))
    remedies = (ThresholdsPlan(), ConstrainPlan(constraints=("demographic_parity by sex <= 0.1",)))
    plan = loans_plan().model_copy(update={"remedies": remedies})
    expected = drained(iter_remedies(table, plan))
    with parallel_config(backend="dask"):
        found = drained(iter_remedies(table, plan))
    assert repr(found.facts) == repr(expected.facts)
    for one, other in zip(found.remedies, expected.remedies, strict=True):
        assert repr(one) == repr(other)
