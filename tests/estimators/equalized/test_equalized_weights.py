"""Equalized distributions of rows with weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from fairaudit.estimators.equalized import EqualizedDistributionClassifier
from fairaudit.estimators.equalized.loss import DISTANCES, DistributionLoss


def rows(seed, n=120):
    random = np.random.default_rng(seed)
    codes, weights = random.integers(0, 3, n), random.integers(0, 4, n)
    X = random.normal(size=(n, 2)) + codes[:, None] / 2
    y = (X[:, 0] + random.normal(size=n) > 0.5).astype(np.int64)
    return X, y, codes, weights


def loss_of(X, y, codes, weights, distance):
    return DistributionLoss.of(
        X, y, codes, "abc", accuracy_weight=0.4, distance=distance, smoothing=0.05, row_weights=weights
    )


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("seed", range(5))
def test_the_weighted_loss_is_that_of_the_rows_written_out(seed, distance):
    X, y, codes, counts = rows(seed)
    weighted = loss_of(X, y, codes, counts + 1.0, distance)
    written = loss_of(*(values.repeat(counts + 1, axis=0) for values in (X, y, codes)), None, distance)
    at = np.random.default_rng(seed).normal(size=3)
    assert weighted.value(at) == pytest.approx(written.value(at), rel=1e-11)
    np.testing.assert_allclose(weighted.value_and_gradient(at)[1], written.value_and_gradient(at)[1], atol=1e-11)
    np.testing.assert_allclose(weighted.least_squares(), written.least_squares(), atol=1e-9)


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_weighted_gradient_matches_finite_differences(distance):
    X, y, codes, _ = rows(0)
    weights = np.random.default_rng(1).gamma(1.0, size=len(y))
    loss = loss_of(X, y, codes, weights, distance)
    at = np.array([0.4, -0.7, 0.1])
    np.testing.assert_allclose(loss.value_and_gradient(at)[1], approx_fprime(at, loss.value, 1e-6), rtol=1e-4)


@pytest.mark.parametrize("method", ["lbfgs", "momentum"])
def test_whole_weights_fit_as_rows_written_out_and_a_factor_changes_nothing(method):
    X, y, codes, weights = rows(0)
    settings = {"method": method, "max_iter": 300}
    fits = [
        EqualizedDistributionClassifier(0.5, **settings).fit(X, y, sensitive_features=codes, sample_weight=by * weights)
        for by in (1, 0.1)
    ]
    parts = [values.repeat(weights, axis=0) for values in (X, y, codes)]
    fits.append(EqualizedDistributionClassifier(0.5, **settings).fit(*parts[:2], sensitive_features=parts[2]))
    kept = weights > 0
    fits.append(
        EqualizedDistributionClassifier(0.5, **settings).fit(
            X[kept], y[kept], sensitive_features=codes[kept], sample_weight=weights[kept]
        )
    )
    for fit in fits[1:]:
        np.testing.assert_allclose(fit.predict_proba(X), fits[0].predict_proba(X), atol=1e-4)
    assert (fits[3].coef_ == fits[0].coef_).all()
