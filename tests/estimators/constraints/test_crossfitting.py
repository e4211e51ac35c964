"""Small tables: chosen by out-of-fold predictions, with thresholds that gain more than chance, and its spread said."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state
from sweeps import seeds

from fairaudit.estimators.constraints import ConstrainedRows, parse_specs
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier, _strata
from fairaudit.estimators.constraints.constrained_rows import JudgedFit
from fairaudit.estimators.constraints.crossfitting import ERRORS, N_FOLDS, CautiousCuts, fold_codes, resampled_shares

SPEC = "demographic_parity by g <= 0.05"


def people(n=400, seed=0):
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b"], n, p=[0.6, 0.4])
    X = random.normal(size=(n, 3))
    X[:, 0] += np.where(group == "a", 0.4, -0.4)
    y = (X[:, 0] + 0.5 * X[:, 1] + 1.2 * random.normal(size=n) > 0.2).astype(int)
    return X, y, pd.DataFrame({"g": group})


def h_of(scores, threshold):
    return (scores >= threshold).astype(int)


def judged(rows, h, place=0):
    return JudgedFit.of(
        np.zeros(len(rows.limits)), np.mean(h == rows.y), rows.gaps(h), rows.limits, share=h.mean(), place=place
    )


def test_folds_are_alike_in_size_and_in_each_stratum():
    strata = np.random.default_rng(0).integers(4, size=103)
    folds = fold_codes(strata, check_random_state(0))
    assert np.ptp(np.bincount(folds, minlength=N_FOLDS)) <= 1
    for stratum in range(4):
        assert np.ptp(np.bincount(folds[strata == stratum], minlength=N_FOLDS)) <= 1


def test_all_rows_are_predicted_by_fits_that_did_not_learn_from_them():
    # A nearest neighbour knows by heart what it learned from: in sample it is always right.
    X, y, frame = people()
    learner = KNeighborsClassifier(1)
    model = ConstrainedClassifier(learner, "demographic_parity by g <= 1", random_state=3).fit(
        X, y, sensitive_features=frame
    )
    rows = ConstrainedRows.of(parse_specs(SPEC), y, frame)
    folds = [
        np.mean(cross_val_predict(learner, X, y, cv=PredefinedSplit(fold_codes(_strata(rows), random))) == y)
        for random in _states(rows)
    ]
    assert model.history_[0].accuracy == pytest.approx(folds[0])
    assert model.n_chosen_on_ == model.n_learned_ == len(y)


def _states(rows):
    """Yield the generator as it is when folds are drawn."""
    from fairaudit.estimators.constraints.classifier import set_aside

    random = check_random_state(3)
    set_aside(rows, 0.25, random)
    random.randint(np.iinfo(np.int32).max)
    yield random


def test_the_model_learns_from_the_rows_that_were_meant_for_that():
    X, y, frame = people()
    validation = np.arange(len(y)) % 4 == 0
    model = ConstrainedClassifier(LogisticRegression(), SPEC, random_state=0)
    model.fit(X, y, sensitive_features=frame, validation=validation)
    plain = LogisticRegression().fit(X[~validation], y[~validation])
    np.testing.assert_allclose(model.unconstrained_.coef_, plain.coef_)
    assert (model.n_learned_, model.n_chosen_on_) == ((~validation).sum(), len(y))
    changed = y.copy()
    changed[validation] = 1 - changed[validation]
    other = ConstrainedClassifier(LogisticRegression(), SPEC, random_state=0)
    other.fit(X, changed, sensitive_features=frame, validation=validation)
    np.testing.assert_allclose(other.unconstrained_.coef_, plain.coef_)


@pytest.mark.parametrize("settings", [{"certify_fraction": 0.4}, {"no_group_worse_off": True}])
def test_certified_searches_and_those_that_keep_groups_are_not_cross_fitted(settings):
    X, y, frame = people()
    once, small = (
        ConstrainedClassifier(specs=SPEC, random_state=0, cross_fit_below=below, **settings).fit(
            X, y, sensitive_features=frame
        )
        for below in (0, 2_000)
    )
    np.testing.assert_array_equal(once.predict(X), small.predict(X))
    assert small.share_range_ is None


def test_from_the_size_on_nothing_changes():
    X, y, frame = people()
    once, large = (
        ConstrainedClassifier(specs=SPEC, random_state=0, cross_fit_below=below).fit(X, y, sensitive_features=frame)
        for below in (0, len(y))
    )
    assert [fit.accuracy for fit in once.history_] == [fit.accuracy for fit in large.history_]
    np.testing.assert_array_equal(once.predict(X), large.predict(X))
    assert once.threshold_ == large.threshold_ and large.share_range_ is None


@pytest.mark.parametrize("seed", seeds(6, 2, rest="thorough"))
def test_the_threshold_taken_is_that_of_brute_force(seed):
    random = np.random.default_rng(seed)
    n = 60
    frame = pd.DataFrame({"g": random.choice(["a", "b"], n)})
    rows = ConstrainedRows.of(parse_specs("demographic_parity by g <= 0.1"), random.integers(0, 2, n), frame)
    cuts, fits, tried, cuts_scores = CautiousCuts(rows), [], [], []
    for place in range(3):
        scores = np.round(0.25 * rows.y + random.random(n), 2)
        cuts_scores.append(scores)
        fits.append(judged(rows, h_of(scores, 0.9), place))
        cuts.take(fits[-1], scores)
        for threshold in (-np.inf, *np.unique(scores), np.inf):
            h = h_of(scores, threshold)
            fit = judged(rows, h, place)
            if fit.is_met:
                tried.append((fit.accuracy, fit.share, tuple(h)))
    chance = lambda d: ERRORS * np.sqrt(np.abs(d) / n)  # noqa: E731
    constant = max(rows.y.mean(), 1 - rows.y.mean())
    best = max(tried)
    own = max((fit for fit in fits if fit.is_met), key=lambda fit: fit.accuracy, default=None)
    pair = cuts.within(1.0, fits)
    if own is not None and own.accuracy >= constant and best[0] - own.accuracy <= chance(best[1] - own.share):
        assert pair is None
        return
    alike = [one for one in tried if one[0] >= max(best[0] - chance(one[1] - best[1]), min(constant, best[0]))]
    least = min(abs(one[1] - fits[0].share) for one in alike)
    assert pair is not None
    taken = next(one for one in tried if one[2] == tuple(h_of(cuts_scores[pair[0]], pair[1])))
    assert abs(taken[1] - fits[0].share) == pytest.approx(least)


def test_where_nothing_is_left_to_chance_the_range_is_one_share():
    X, y, frame = people()
    rows = ConstrainedRows.of(parse_specs("demographic_parity by g <= 1"), y, frame)
    h = (X[:, 0] > 0).astype(int)
    low, high = resampled_shares(rows, [judged(rows, h)], {0: h}, {}, check_random_state(0))
    assert low == high == pytest.approx(h.mean())


def test_two_fits_that_are_as_good_make_the_range_as_wide_as_they_are_apart():
    _, y, frame = people()
    rows = ConstrainedRows.of(parse_specs("demographic_parity by g <= 1"), y, frame)
    random = np.random.default_rng(0)
    # As many errors of one kind in the one as of the other kind in the other.
    wrong = [random.choice(np.flatnonzero(y == label), 40, replace=False) for label in (0, 1)]
    fits, predictions = [], {}
    for place, errors in enumerate(wrong):
        predictions[place] = y.copy()
        predictions[place][errors] ^= 1
        fits.append(judged(rows, predictions[place], place))
    low, high = resampled_shares(rows, fits, predictions, {}, check_random_state(0))
    assert (low, high) == (pytest.approx(fits[1].share), pytest.approx(fits[0].share))


@pytest.mark.thorough
def test_shares_of_yes_over_ten_divisions_are_near_each_other():
    X, y, frame = people(600, 3)
    others, _, _ = people(20_000, 2)
    spread = {}
    for below in (0, 2_000):
        models = [
            ConstrainedClassifier(
                LogisticRegression(), "demographic_parity by g <= 0.1", random_state=seed, cross_fit_below=below
            ).fit(X, y, sensitive_features=frame)
            for seed in range(10)
        ]
        spread[below] = np.ptp([model.predict(others).mean() for model in models])
    assert spread[2_000] <= 0.1 < spread[0]
