from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from event_runs import drain
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.equalized import EqualizedDistributionClassifier, sweep
from fairaudit.estimators.equalized.classifier import best_threshold
from fairaudit.estimators.equalized.loss import log_loss
from fairaudit.events import Finished, Progress, Started


@pytest.mark.thorough
@parametrize_with_checks([EqualizedDistributionClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=1200, seed=0):
    """A table with categories and missing values; one feature says much about the group, and the group about y."""
    random = np.random.default_rng(seed)
    group = np.where(random.random(n) < 0.4, "b", "a")
    merit = random.normal(size=n)
    y = (merit + 0.8 * (group == "a") + random.logistic(scale=0.6, size=n) > 0.4).astype(int)
    table = pd.DataFrame(
        {
            "merit": np.where(random.random(n) < 0.05, np.nan, merit),
            "income": 1000 * (30 + 8 * (group == "a") + random.normal(0, 6, n)),
            "area": np.where(random.random(n) < 0.3, None, np.where(group == "a", "north", "south")),
            "senior": random.random(n) < 0.3,
        }
    )
    return table, y, group


def rate_gaps(prediction, y, group):
    """The difference between the groups in the share predicted 1, among each label."""
    return [
        abs(prediction[(group == "a") & (y == label)].mean() - prediction[(group == "b") & (y == label)].mean())
        for label in (0, 1)
    ]


def gap_of_thresholds(model, X, y, group):
    """The mean over all thresholds of the squared gap, of both labels."""
    score = model.predict_proba(X)[:, 1]
    found = []
    for label in (0, 1):
        below = [
            np.searchsorted(np.sort(own), score) / len(own)
            for own in (score[(group == name) & (y == label)] for name in ("a", "b"))
        ]
        found.append(np.mean((below[0] - below[1]) ** 2))
    return sum(found)


@pytest.mark.parametrize(("distance", "weight"), [("ranks", 0.5), ("ranks", 0.1), ("histogram", 0.15)])
def test_it_narrows_both_gaps_on_rows_it_has_not_seen_and_needs_no_group(distance, weight):
    X, y, group = people(3000)
    new, truth, new_group = people(3000, seed=1)
    plain = EqualizedDistributionClassifier(1.0).fit(X, y, sensitive_features=group)
    model = EqualizedDistributionClassifier(weight, distance=distance).fit(X, y, sensitive_features=group)
    assert min(rate_gaps(plain.predict(new), truth, new_group)) > 0.12
    assert max(rate_gaps(model.predict(new), truth, new_group)) < 0.06
    assert model.score(new, truth) > 0.68
    assert gap_of_thresholds(model, new, truth, new_group) < 0.2 * gap_of_thresholds(plain, new, truth, new_group)


@pytest.mark.parametrize("sensitive", [True, False])
def test_full_accuracy_weight_is_logistic_regression_without_penalty(sensitive):
    X, y, group = people(2000)
    model = EqualizedDistributionClassifier(1.0).fit(X, y, sensitive_features=group if sensitive else None)
    prepared = TablePreparation().fit_transform(X)
    plain = LogisticRegression(C=1e10, max_iter=5000, tol=1e-10).fit(prepared, y)
    assert np.abs(model.predict_proba(X) - plain.predict_proba(prepared)).max() < 2e-3
    p = np.clip(plain.predict_proba(prepared)[np.arange(len(y)), y], 1e-300, 1)
    assert model.loss_ == pytest.approx(-np.log(p).mean(), abs=1e-6)


def test_one_group_is_plain_logistic_loss_weighted():
    X, y, _ = people(500)
    plain = EqualizedDistributionClassifier(1.0).fit(X, y)
    weighted = EqualizedDistributionClassifier(0.15).fit(X, y)
    same = EqualizedDistributionClassifier(0.15).fit(X, y, sensitive_features=["all"] * 500)
    assert weighted.loss_ == pytest.approx(0.15 * plain.loss_, abs=1e-5)
    assert np.abs(weighted.predict_proba(X) - plain.predict_proba(X)).max() < 0.03
    assert (same.coef_ == weighted.coef_).all() and weighted.groups_ == ("all",)


def test_the_fitted_attributes_fit_together():
    X, y, group = people()
    labels = np.where(y == 1, "yes", "no")
    model = EqualizedDistributionClassifier(n_components=3).fit(X, labels, sensitive_features=group)
    assert model.coef_.shape == (1, 3) and model.intercept_.shape == (1,)
    prepared = model.preparation_.transform(X)
    z = prepared @ model.coef_[0] + model.intercept_[0]
    assert np.allclose(model.decision_function(X), z)
    assert np.allclose(model.predict_proba(X), np.column_stack([1 / (1 + np.exp(z)), 1 / (1 + np.exp(-z))]))
    assert (model.predict(X) == np.where(z >= 0, "yes", "no")).all()
    assert model.classes_.tolist() == ["no", "yes"] and model.groups_ == ("a", "b")
    assert model.n_iter_ == len(model.loss_curve_) - 1 > 3
    assert model.loss_ == model.loss_curve_[-1] == min(model.loss_curve_)
    assert model.threshold_ == 0.5 and model.smoothing_ == 0.02 and model.status_ == "finished"


def test_row_order_and_group_names_do_not_matter():
    X, y, group = people(300)
    first = EqualizedDistributionClassifier(0.3).fit(X, y, sensitive_features=group)
    named = EqualizedDistributionClassifier(0.3).fit(X, y, sensitive_features=np.where(group == "a", "x", "y"))
    assert (first.coef_ == named.coef_).all()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(300)
        moved = EqualizedDistributionClassifier(0.3).fit(X.iloc[order], y[order], sensitive_features=group[order])
        # The loss is flat near its optimum, and sums in another order round otherwise.
        assert moved.loss_ == pytest.approx(first.loss_, abs=1e-4), seed
        assert np.abs(moved.predict_proba(X) - first.predict_proba(X)).max() < 0.05, seed


def test_features_that_are_prepared_already_make_the_same_model():
    X, y, group = people()
    alone = EqualizedDistributionClassifier(0.2).fit(X, y, sensitive_features=group)
    line = Pipeline([("prepare", TablePreparation()), ("model", EqualizedDistributionClassifier(0.2))])
    line.fit(X, y, model__sensitive_features=group)
    assert line[-1].loss_ == pytest.approx(alone.loss_, abs=1e-5)
    assert np.abs(line.predict_proba(X) - alone.predict_proba(X)).max() < 0.02


@pytest.mark.thorough
def test_both_methods_lower_the_same_loss():
    X, y, group = people(600)
    quick = EqualizedDistributionClassifier(0.15).fit(X, y, sensitive_features=group)
    slow = EqualizedDistributionClassifier(0.15, method="momentum").fit(X, y, sensitive_features=group)
    assert slow.n_iter_ == 2000 and slow.loss_ == min(slow.loss_curve_)
    assert slow.loss_curve_[0] == pytest.approx(quick.loss_curve_[0])
    # The loss has several minima; rounding, which differs between machines, decides which of them is found.
    assert all(fitted.loss_ < fitted.loss_curve_[0] - 2e-3 for fitted in (quick, slow))
    assert quick.loss_ <= slow.loss_ + 4e-3


def test_smoothing_is_the_bin_width_unless_it_is_given():
    X, y, group = people(300)

    def fitted(**settings):
        return EqualizedDistributionClassifier(0.3, **settings).fit(X, y, sensitive_features=group)

    assert fitted(bin_width=0.05).smoothing_ == 0.05
    assert (fitted(bin_width=0.05).coef_ == fitted(bin_width=0.05, smoothing=0.05).coef_).all()
    assert (fitted(bin_width=0.05).coef_ != fitted(bin_width=0.05, smoothing=0.1).coef_).any()


def test_the_chosen_threshold_is_the_most_accurate_one_and_is_used():
    X, y, group = people(2000)
    tune, truth, _ = people(400, seed=1)
    model = EqualizedDistributionClassifier(0.1).fit(X, y, sensitive_features=group)
    before = model.score(tune, truth)
    chosen = model.choose_threshold(tune, truth)
    score = model.predict_proba(tune)[:, 1]
    assert chosen == model.threshold_ != 0.5
    best = max((((score >= t) == truth).mean()) for t in [*score, 0.5, 2])
    assert model.score(tune, truth) == best > before
    assert (model.predict(X) == (model.predict_proba(X)[:, 1] >= chosen)).all()
    model.fit(X, y, sensitive_features=group)
    assert model.threshold_ == 0.5


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.75, 1.0]), st.booleans()), min_size=1, max_size=12
    )
)
def test_best_threshold_matches_trying_them_all(rows):
    score, positive = np.array([p for p, _ in rows]), np.array([t for _, t in rows])
    tried = [*np.linspace(0, 1, 41), *score, 0.50000005, 1.5]
    right = [((score >= t) == positive).sum() for t in tried]
    found = best_threshold(score, positive)
    assert ((score >= found) == positive).sum() == max(right)
    if ((score >= 0.5) == positive).sum() == max(right):
        assert found == 0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_threshold_chosen_with_weights_is_that_of_the_rows_written_out(seed):
    X, y, group = people(120)
    model = EqualizedDistributionClassifier().fit(X, y, sensitive_features=group)
    weights = np.random.default_rng(seed).integers(0, 5, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    written = model.choose_threshold(X.iloc[rows] if hasattr(X, "iloc") else X[rows], y[rows])
    assert model.choose_threshold(X, y, sample_weight=weights) == written == model.threshold_
    # Of other weights only the proportions count.
    assert model.choose_threshold(X, y, sample_weight=weights * 0.37) == written
    score = model.predict_proba(X)[:, 1]
    best = max((weights * ((score >= cut) == (y == 1))).sum() for cut in (0, *score, 1.5))
    assert (weights * ((score >= written) == (y == 1))).sum() == best


def test_thresholds_are_chosen_on_rows_that_can_show_it():
    X, y, group = people(300)
    model = EqualizedDistributionClassifier().fit(X, y, sensitive_features=group)
    with pytest.raises(InputError, match="both labels"):
        model.choose_threshold(X[y == 1], y[y == 1])
    with pytest.raises(InputError, match="both labels"):
        model.choose_threshold(X, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(InputError, match="'sample_weight' must be 0 or more"):
        model.choose_threshold(X, y, sample_weight=-np.ones(len(y)))
    with pytest.raises(InputError, match="0 and 1, and no others"):
        model.choose_threshold(X, np.where(y == 1, "yes", "no"))
    with pytest.raises(ValueError, match="inconsistent"):
        model.choose_threshold(X, y[:-1])


def test_events_run_from_start_to_finish_and_a_stop_keeps_the_best_so_far():
    X, y, group = people(400)
    model = EqualizedDistributionClassifier()
    seen = drain(model.iter_fit(X, y, sensitive_features=group))
    assert isinstance(seen[0], Started) and isinstance(seen[-1], Finished) and seen[-1].result is model
    steps = seen[1:-1]
    assert all(isinstance(event, Progress) and event.total == seen[0].total == 6000 for event in steps)
    done = [event.done for event in steps]
    assert done == sorted(done) and {0, 1, 2, 2000, 4000, 4001} <= set(done) and done[-1] < 6000
    stopped = EqualizedDistributionClassifier()
    seen = drain(stopped.iter_fit(X, y, sensitive_features=group), stop_at=3)
    assert isinstance(seen[-1], Finished) and stopped.status_ == "stopped" and stopped.n_iter_ == 3
    assert stopped.loss_ == min(stopped.loss_curve_) < stopped.loss_curve_[0] and len(stopped.loss_curve_) == 4
    assert stopped.predict(X).shape == (400,)
    with pytest.raises(StoppedError):
        drain(EqualizedDistributionClassifier().iter_fit(X, y, sensitive_features=group), stop_at=0)


def test_a_second_start_never_makes_it_worse():
    X, y, group = people(600)
    for weight in (0.1, 0.5):
        plain = EqualizedDistributionClassifier(1.0).fit(X, y, sensitive_features=group)
        cold = EqualizedDistributionClassifier(weight).fit(X, y, sensitive_features=group)
        both = EqualizedDistributionClassifier(weight)
        drain(both.iter_fit(X, y, sensitive_features=group, start=plain))
        assert both.loss_ <= cold.loss_
    with pytest.raises(InputError, match="same features"):
        drain(both.iter_fit(X[["merit"]], y, sensitive_features=group, start=plain))


def test_metadata_is_routed_through_a_pipeline_and_cross_validation():
    X, y, group = people(600)
    numbers = X[["merit", "income"]].fillna(0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = EqualizedDistributionClassifier(0.3).set_fit_request(sensitive_features=True)
        line = make_pipeline(StandardScaler(), model)
        found = cross_validate(line, numbers, y, cv=3, params={"sensitive_features": group}, return_estimator=True)
    assert all(fitted[-1].groups_ == ("a", "b") for fitted in found["estimator"])
    assert (found["test_score"] > 0.5).all()


def test_several_columns_make_crossed_groups_and_missing_is_one_of_them():
    X, y, group = people(800)
    features = pd.DataFrame({"group": group, "senior": np.where(np.arange(800) % 5 == 0, None, "known")})
    model = EqualizedDistributionClassifier().fit(X, y, sensitive_features=features)
    assert model.groups_ == (("a", "known"), ("a", "missing"), ("b", "known"), ("b", "missing"))


def test_a_group_that_lacks_a_label_is_named_with_counts():
    X, y, group = people(300)
    group = group.astype(object)
    group[np.flatnonzero(y == 1)[:7]] = "few"
    with pytest.raises(GroupError, match=r"The group 'few' has 7 positive and 0 negative labels"):
        EqualizedDistributionClassifier().fit(X, y, sensitive_features=group)


def test_twenty_rows_and_columns_without_use_are_fitted():
    X, y, group = people(20, seed=5)
    X["constant"], X["empty"], X["only"] = 1.0, np.nan, "same"
    model = EqualizedDistributionClassifier().fit(X, y, sensitive_features=group)
    assert np.isfinite(model.coef_).all() and set(model.predict(X)) <= {0, 1}


def test_features_that_say_nothing_give_everyone_the_same_score():
    y, group = np.arange(40) % 4 < 1, np.arange(40) % 2
    group[:20] = 1 - group[:20]
    X = pd.DataFrame({"constant": np.ones(40)})
    model = EqualizedDistributionClassifier(0.5).fit(X, y, sensitive_features=group)
    assert np.allclose(model.predict_proba(X)[:, 1], y.mean(), atol=1e-3)
    assert model.choose_threshold(X, y) == 0.5 and not model.predict(X).any()
    nothing = EqualizedDistributionClassifier(0.0, distance="histogram").fit(X, y, sensitive_features=group)
    assert (nothing.predict_proba(X) == 0.5).all()
    order_alone = EqualizedDistributionClassifier(0.0).fit(X, y, sensitive_features=group)
    assert np.allclose(order_alone.predict_proba(X)[:, 1], y.mean(), atol=1e-3)
    assert not any(fitted.collapsed_ for fitted in (model, nothing, order_alone))


@pytest.mark.parametrize("method", ["lbfgs", "momentum"])
def test_scores_that_collapse_are_warned_of(method):
    X, y, group = people(600)
    model = EqualizedDistributionClassifier(0.0, distance="histogram", method=method, max_iter=50)
    with pytest.warns(ConvergenceWarning, match="nearly the same"):
        model.fit(X, y, sensitive_features=group)
    assert model.collapsed_ and np.ptp(model.predict_proba(X)[:, 1]) < 0.05
    ranks = EqualizedDistributionClassifier(0.1, method=method, max_iter=500).fit(X, y, sensitive_features=group)
    assert not ranks.collapsed_ and np.ptp(ranks.predict_proba(X)[:, 1]) > 0.4


def test_gaps_and_accuracy_fall_from_the_weight_one_to_none():
    X, y, group = people(3000)
    models = sweep(X, y, sensitive_features=group, weights=(1, 0.7, 0.5, 0.3, 0.1, 0))
    gaps = [gap_of_thresholds(model, X, y, group) for model in models]
    losses = [log_loss(model.decision_function(X), y) for model in models]
    assert gaps == sorted(gaps, reverse=True) and losses == sorted(losses)
    assert gaps[-1] < 0.05 * gaps[0]
    assert not any(model.collapsed_ for model in models)


@pytest.mark.parametrize("method", ["lbfgs", "momentum"])
@pytest.mark.parametrize("weight", [0.15, 1.0])
def test_labels_that_a_line_separates_do_no_harm(method, weight):
    X = np.linspace(-1e6, 1e6, 60)[:, None]
    group = np.arange(60) % 2
    model = EqualizedDistributionClassifier(weight, method=method, max_iter=500)
    model.fit(X, X[:, 0] > 0, sensitive_features=group)
    assert np.isfinite(model.coef_).all() and model.score(X, X[:, 0] > 0) == 1.0
    assert np.isfinite(model.predict_proba(X * 1e6)).all()


def test_a_rate_that_is_far_too_high_keeps_the_best_weights():
    X, y, group = people(300)
    model = EqualizedDistributionClassifier(method="momentum", learning_rate=1e6, max_iter=50)
    model.fit(X, y, sensitive_features=group)
    assert np.isfinite(model.coef_).all() and model.loss_ <= model.loss_curve_[0]


def test_too_few_steps_are_shown():
    X, y, group = people(300)
    with pytest.warns(ConvergenceWarning, match="did not settle in 3 steps"):
        model = EqualizedDistributionClassifier(max_iter=3).fit(X, y, sensitive_features=group)
    assert model.n_iter_ == 3 and model.status_ == "finished"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"accuracy_weight": 1.5}, "'accuracy_weight' must be a number from 0 to 1, got 1.5"),
        ({"accuracy_weight": float("nan")}, "'accuracy_weight' must be a number from 0 to 1, got nan"),
        ({"accuracy_weight": "much"}, "got 'much'"),
        ({"bin_width": 0}, "'bin_width' must be a number from 0.001 to 0.5, got 0"),
        ({"smoothing": 1e-4}, "'smoothing' must be at least 0.001 for the distance 'ranks', got 0.0001"),
        ({"distance": "means"}, "'distance' must be one of ranks, histogram, got 'means'"),
        ({"smoothing": 0.0}, "'smoothing' must be a number above 0 or None, got 0.0"),
        ({"method": "newton"}, "'method' must be one of lbfgs, momentum, got 'newton'"),
        ({"learning_rate": None}, "'learning_rate' must be a number above 0, got None"),
        ({"momentum": 1.0}, "'momentum' must be a number of at least 0 and below 1, got 1.0"),
        ({"max_iter": 0}, "'max_iter' must be an int of at least 1, got 0"),
        ({"max_iter": 2.5}, "'max_iter' must be an int of at least 1, got 2.5"),
    ],
)
def test_settings_that_break_a_rule_are_named(settings, message):
    X, y, group = people(100)
    model = clone(EqualizedDistributionClassifier()).set_params(**settings)
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        model.fit(X, y, sensitive_features=group)


def test_groups_must_be_as_many_as_rows_and_not_too_many():
    X, y, group = people(300)
    with pytest.raises(InputError, match="'sensitive_features' must have 300 rows"):
        EqualizedDistributionClassifier().fit(X, y, sensitive_features=group[:-1])
    wide = np.zeros((2400, 1))
    with pytest.raises(InputError, match="would make 1,200 groups"):
        EqualizedDistributionClassifier().fit(wide, np.arange(2400) % 2, sensitive_features=np.arange(2400) // 2)
