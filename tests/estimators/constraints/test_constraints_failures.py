"""What goes wrong in the middle of a search, or in what a person hands over, loses nothing and is said."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from fairaudit import ConstrainedClassifier, FairnessSpec
from fairaudit.errors import InputError
from fairaudit.estimators.constraints import Metric
from fairaudit.estimators.constraints.constrained_rows import JudgedFit, choose_fit, frontier_of

LIMITS = np.array([0.03])


class FailsLate(LogisticRegression):
    """Fails in the fits whose numbers, from 1, are in `failing`."""

    failing = frozenset({3})
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        if type(self).n_fits in type(self).failing:
            raise ValueError("row of Smith")
        return super().fit(X, y, sample_weight)


def rows(n: int = 600) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """People of two groups, one with lower values and fewer good labels."""
    random = np.random.default_rng(0)
    group = random.integers(2, size=n)
    x = random.normal(size=n) - group
    y = (x + random.normal(scale=0.5, size=n) > 0).astype(int)
    return pd.DataFrame({"x": x, "g": group}), y, pd.DataFrame({"g": group})


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_later_fit_that_fails_is_passed_over_and_shown(n_jobs):
    FailsLate.n_fits = 0
    X, y, sensitive = rows()
    model = ConstrainedClassifier(
        FailsLate(),
        "demographic_parity by g <= 0.03",
        random_state=0,
        n_jobs=n_jobs,
        warm_start=False,
        cross_fit_below=0,
    )
    with pytest.MonkeyPatch.context() as patch:
        # Workers would each count by themselves.
        patch.setattr(
            "fairaudit.estimators.constraints.fitting.Parallel",
            lambda n_jobs: lambda tasks: [f(*a) for f, a, _ in tasks],
        )
        model.fit(X, y, sensitive_features=sensitive)
    failed = [fit for fit in model.history_ if math.isnan(fit.accuracy)]
    assert len(failed) == 1 and failed[0].ratio == math.inf
    assert model.n_fits_ > 3 and model.chosen_ == choose_fit(model.history_)
    assert model.history_[model.chosen_].ratio < model.history_[0].ratio
    assert any("passed over" in note for note in model.notes_)
    assert not any("Smith" in note for note in model.notes_)
    assert all(not math.isnan(model.history_[place].accuracy) for place in model.frontier_)


def test_a_first_fit_that_fails_ends_the_search():
    FailsLate.n_fits = 2
    X, y, sensitive = rows()
    with pytest.raises(InputError, match="it raised ValueError") as caught:
        ConstrainedClassifier(FailsLate(), "demographic_parity by g <= 0.03", random_state=0).fit(
            X, y, sensitive_features=sensitive
        )
    assert "Smith" not in str(caught.value)


def test_a_fit_without_figures_is_never_chosen_before_one_that_has_some():
    undefined = JudgedFit(np.zeros(1), 0.9, np.array([np.nan]), math.inf)
    nothing = JudgedFit.of(np.ones(1), math.nan, np.array([np.nan]), LIMITS)
    for fits in ([nothing, undefined], [undefined, nothing]):
        assert fits[choose_fit(fits)] is undefined
        assert [fits[place] for place in frontier_of(fits)] == [undefined]


@pytest.mark.parametrize(
    ("coefficients", "message"),
    [
        (lambda y, h: ([1.0], 0.0), "one coefficient for each of the"),
        (lambda y, h: np.ones(len(y)), "could not be worked out"),
        (lambda y, h: (["a"] * len(y), 0.0), "could not be worked out: ValueError"),
        (lambda y, h: 1 / 0, "could not be worked out: ZeroDivisionError"),
    ],
)
def test_a_metric_of_ones_own_that_is_wrong_is_named(coefficients, message):
    X, y, sensitive = rows(120)
    spec = FairnessSpec(Metric("ours", "our metric", coefficients), "g", 0.1)
    with pytest.raises(InputError, match=message) as caught:
        ConstrainedClassifier(LogisticRegression(), spec, random_state=0).fit(X, y, sensitive_features=sensitive)
    assert "'ours'" in str(caught.value)


def test_a_metric_of_ones_own_may_give_its_coefficients_as_a_list():
    X, y, sensitive = rows(200)
    own = Metric("own share", "share of wrong predictions", lambda y, h: ([-1 / len(y)] * len(y), 1))
    settings = {"random_state": 0, "warm_start": False}
    gaps = [
        ConstrainedClassifier(LogisticRegression(), FairnessSpec(metric, "g", 0.2), **settings)
        .fit(X, y, sensitive_features=sensitive)
        .gaps_
        for metric in (own, "error_rate")
    ]
    assert gaps[0] == pytest.approx(gaps[1])


@pytest.mark.parametrize(
    "settings",
    [
        {"n_jobs": 0},
        {"n_jobs": 1.5},
        {"max_rounds": 1.5},
        {"max_rounds": 0},
        {"validation_fraction": "a"},
        {"validation_fraction": 1.0},
        {"multiplier_tolerance": None},
        {"estimator": "lr"},
    ],
    ids=str,
)
def test_a_setting_that_breaks_its_rule_is_named(settings):
    X, y, sensitive = rows(60)
    model = ConstrainedClassifier(
        **{"estimator": LogisticRegression(), "specs": "demographic_parity by g <= 0.1"} | settings
    )
    with pytest.raises(InputError, match=f"'{next(iter(settings))}' must be"):
        model.fit(X, y, sensitive_features=sensitive)
