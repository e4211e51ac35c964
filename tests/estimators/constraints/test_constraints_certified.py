"""Tests of constraints that are certified to hold on new people."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from fairaudit.errors import InputError
from fairaudit.estimators.certified import Comparison, LeastRate, MeanComparison
from fairaudit.estimators.constraints.certifying import fraction_to_certify, requirements_of
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.metrics import Metric
from fairaudit.estimators.constraints.spec import FairnessSpec


def people(n, seed):
    """Draw rows of a population in which the group lowers the first feature."""
    rng = np.random.default_rng(seed)
    group = (rng.random(n) < 0.4).astype(int)
    X = rng.normal(size=(n, 3))
    X[:, 0] -= 0.5 * group
    y = (rng.random(n) < 1 / (1 + np.exp(-(X @ [1.2, 0.6, -0.4] + 0.3)))).astype(int)
    return X, y, pd.DataFrame({"g": group})


def fitted(n=6_000, seed=0, specs="demographic_parity by g <= 0.1", **more):
    X, y, sensitive = people(n, seed)
    settings = {"certify_fraction": 0.4, "random_state": 0, **more}
    return ConstrainedClassifier(specs=specs, **settings).fit(X, y, sensitive_features=sensitive)


def test_without_certifying_rows_nothing_changes():
    plain, off = fitted(600, certify_fraction=0.0), fitted(600, certify_fraction=0.0, confidence=0.8)
    assert plain.certified_ is None
    assert np.array_equal(
        plain.estimator_[-1].coef_ if hasattr(plain.estimator_, "steps") else plain.estimator_.coef_,
        off.estimator_[-1].coef_ if hasattr(off.estimator_, "steps") else off.estimator_.coef_,
    )


def test_certifying_rows_are_neither_learned_from_nor_chosen_on():
    model = fitted()
    assert model.n_chosen_on_ + model.certified_.n_rows == 6_000
    assert model.n_learned_ < model.n_chosen_on_
    assert model.certified_.n_rows == pytest.approx(2_400, abs=2)


def test_more_rows_certify_where_fewer_would_hardly_show_a_limit_to_hold():
    found = {}
    for n in (400, 2_000, 100_000):
        _, y, sensitive = people(n, 0)
        found[n] = fraction_to_certify(
            ConstrainedRows.of([FairnessSpec("demographic_parity", "g", 0.05)], y, sensitive)
        )
    # Of 400 rows no part is enough, so that more of them learn.
    assert found == {400: 0.4, 2_000: 0.6, 100_000: 0.4}
    _, y, sensitive = people(4_000, 0)
    rows = ConstrainedRows.of([FairnessSpec("demographic_parity", "g", 0.05)], y, sensitive)
    n = [int((sensitive.g == g).sum()) for g in (0, 1)]
    expected = y.mean() * (1 - y.mean()) * (1 / n[0] + 1 / n[1]) * (2.5 / 0.05) ** 2
    assert fraction_to_certify(rows) == pytest.approx(min(max(expected, 0.4), 0.6))
    assert fitted(
        2_000, specs="demographic_parity by g <= 0.05", certify_fraction="auto"
    ).certified_.n_rows == pytest.approx(1_200, abs=3)


def test_a_certified_limit_holds_in_the_population():
    model = fitted()
    assert model.certified_.is_certified
    assert model.status_ == "met"
    X, _, sensitive = people(100_000, 1)
    h = model.predict(X)
    assert abs(h[sensitive.g == 0].mean() - h[sensitive.g == 1].mean()) < 0.1
    assert 0 < h.mean() < 1


def test_another_model_of_the_search_is_not_certified():
    model = fitted(2_000)
    assert model.certified_ is not None
    for scale in (0.5, 1.0, 5.0):
        picked = model.pick(scale)
        assert (picked.certified_ is model.certified_) == (picked.chosen_ == model.chosen_)
    assert any(model.pick(scale).chosen_ != model.chosen_ for scale in (0.5, 1.0, 5.0))


def test_too_few_rows_are_said_to_be_too_few():
    model = fitted(300, specs="demographic_parity by g <= 0.02")
    assert not model.certified_.is_certified
    assert model.status_ == "not_met"


@pytest.mark.parametrize("name", ["demographic_parity", "error_rate", "fpr", "fnr", "for_", "fdr"])
def test_rates_are_counted_as_the_metric_says(name):
    rng = np.random.default_rng(0)
    y, h, group = rng.integers(0, 2, (3, 200))
    rows = ConstrainedRows.of([FairnessSpec(name, "g", 0.1)], y, pd.DataFrame({"g": group}))
    (found,) = requirements_of(rows, np.stack([h, 1 - h]))
    assert isinstance(found, Comparison)
    assert found.gaps == pytest.approx([rows.gaps(h)[0], rows.gaps(1 - h)[0]])
    assert (found.sizes == np.round(found.sizes)).all()


@pytest.mark.parametrize("name", ["tpr", "tnr", "ppv", "npv", "accuracy", "selection_rate"])
def test_floors_are_counted_as_the_metric_says(name):
    rng = np.random.default_rng(0)
    y, h, group = rng.integers(0, 2, (3, 200))
    rows = ConstrainedRows.of([FairnessSpec(name, "g", floor=0.6)], y, pd.DataFrame({"g": group}))
    found = requirements_of(rows, h[None])
    assert all(isinstance(each, LeastRate) for each in found)
    assert [each.hits[0] / each.sizes[0] for each in found] == pytest.approx(rows.values(h)[0][:-1].tolist())


@pytest.mark.parametrize("name", ["errors(1, 0.5)", "errors(1, 0)"])
def test_weighted_error_rates_are_compared_with_their_variance(name):
    rng = np.random.default_rng(0)
    y, h, group = rng.integers(0, 2, (3, 4_000))
    rows = ConstrainedRows.of([FairnessSpec(name, "g", 0.5)], y, pd.DataFrame({"g": group}))
    (found,) = requirements_of(rows, h[None])
    assert found.gaps == pytest.approx(rows.gaps(h))
    drawn = []
    for _ in range(300):
        rows_of = rng.integers(0, 4_000, 4_000)
        drawn.append(rows.take(np.unique(rows_of)).gaps(h[np.unique(rows_of)])[0])
    # Rows drawn without the repeated ones are fewer, by a known share, and a part of the whole.
    kept = 1 - np.exp(-1)
    assert np.var(drawn) == pytest.approx(found.variances[0] * (1 / kept - 1), rel=0.25)


def test_costs_are_compared_as_means():
    rng = np.random.default_rng(0)
    y, h, group = rng.integers(0, 2, (3, 200))
    rows = ConstrainedRows.of([FairnessSpec("aec(1, 5)", "g", 0.5)], y, pd.DataFrame({"g": group}))
    (found,) = requirements_of(rows, h[None])
    assert isinstance(found, MeanComparison)
    assert found.gaps == pytest.approx(rows.gaps(h))


def test_whole_weights_count_rows_and_others_effective_ones():
    rng = np.random.default_rng(0)
    y, h, group = rng.integers(0, 2, (3, 100))
    specs, sensitive = [FairnessSpec("demographic_parity", "g", 0.1)], pd.DataFrame({"g": group})
    (whole,) = requirements_of(ConstrainedRows.of(specs, y, sensitive, np.full(100, 2.0)), h[None])
    (plain,) = requirements_of(ConstrainedRows.of(specs, y, sensitive), h[None])
    assert whole.hits == pytest.approx(2 * plain.hits)
    weights = rng.random(100) + 0.5
    (other,) = requirements_of(ConstrainedRows.of(specs, y, sensitive, weights), h[None])
    of_first = weights[group == 0]
    assert other.sizes[0, 0] == pytest.approx(of_first.sum() ** 2 / (of_first**2).sum())
    assert other.hits[0, 0] / other.sizes[0, 0] == pytest.approx(np.average(h[group == 0], weights=of_first))


def test_groups_that_overlap_are_not_taken_for_independent():
    y, h = np.tile([0, 1], 20), np.repeat([0, 1], 20)
    spec = FairnessSpec("demographic_parity", {"young": "age < 30", "below 40": "age < 40"}, 0.1)
    rows = ConstrainedRows.of([spec], y, pd.DataFrame({"age": np.arange(20, 60)}))
    (found,) = requirements_of(rows, h[None])
    assert found.overlap


@pytest.mark.parametrize("specs", [None, [FairnessSpec(Metric("own", "own", lambda y, h: (0.0 * y, 0.0)), "g", 0.1)]])
def test_what_cannot_be_certified_is_refused(specs):
    with pytest.raises(InputError, match="certif"):
        fitted(100, specs=specs)


@pytest.mark.thorough
@pytest.mark.parametrize("specs", ["demographic_parity by g <= 0.1", "fnr by g <= 0.15"])
def test_limits_that_are_certified_are_missed_as_seldom_as_they_say(specs):
    X, y, sensitive = people(100_000, 99)
    among = np.ones(len(y), dtype=bool) if specs.startswith("demographic_parity") else y == 1
    groups = [among & (sensitive.g == g).to_numpy() for g in (0, 1)]
    limit, n_draws = float(specs.rpartition(" ")[2]), 120
    n_certified = n_missed = 0
    for seed in range(n_draws):
        model = fitted(1_500, seed, specs)
        h = model.predict(X)
        n_certified += model.certified_.is_certified
        n_missed += model.certified_.is_certified and abs(h[groups[0]].mean() - h[groups[1]].mean()) > limit
    assert n_certified > n_draws / 4
    assert proportion_confint(n_missed, n_draws, method="wilson")[1] < 1 - 0.9 + 0.02
