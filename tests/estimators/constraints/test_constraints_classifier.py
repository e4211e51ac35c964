from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import GroupError, InputError, MissingColumnError, SpecError, StoppedError
from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec, Metric
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model
from fairaudit.events import STOP, Finished, Incumbent, Progress, Started

PARITY = "demographic_parity by group <= 0.05"


ENDS = "the plain fit of a logistic regression ends a little before its optimum, and rows with weights end at it"


@pytest.mark.thorough
@parametrize_with_checks(
    [ConstrainedClassifier(random_state=0)],
    expected_failed_checks=lambda model: {"check_sample_weight_equivalence_on_dense_data": ENDS},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def applicants(n=1600, seed=0):
    """Return rows of two groups whose features and outcomes lie differently."""
    random = np.random.default_rng(seed)
    group = np.where(random.random(n) < 0.4, "blue", "amber")
    X = random.normal(size=(n, 2)) + np.where(group == "blue", 0.8, 0.0)[:, None]
    y = random.random(n) < 1 / (1 + np.exp(-2 * X[:, 0]))
    frame = pd.DataFrame({"group": group, "area": random.choice(["east", "north", "west"], n), "age": X[:, 1] * 9 + 40})
    return pd.DataFrame(X, columns=["a", "b"]), np.where(y, "yes", "no"), frame


def gaps(specs, y, prediction, frame):
    """Return the largest gap of each constraint on rows."""
    rows = ConstrainedRows.of(ConstrainedClassifier(specs=specs).specs, (y == "yes").astype(int), frame)
    return np.abs(rows.gaps((prediction == "yes").astype(int)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "specs", [["error_rate by area <= 0.005"], ["error_rate by group <= 0.01", "demographic_parity by group <= 0.05"]]
)
def test_limits_on_misclassification_rates_find_the_model_that_limits_on_accuracies_find(specs):
    X, y, frame = applicants(600)
    right = Metric("right", "share of right predictions", lambda y, h: (np.full(len(y), 1 / len(y)), 0.0))
    wrong = [FairnessSpec.parse(text) for text in specs]
    as_right = [replace(one, metric=right) if one.metric == "error_rate" else one for one in wrong]
    found, expected = (
        ConstrainedClassifier(specs=asked, random_state=0, cross_fit_below=0).fit(X, y, sensitive_features=frame)
        for asked in (wrong, as_right)
    )
    signs = [-1 if constraint.spec.metric == "error_rate" else 1 for constraint in found.constraints_]
    np.testing.assert_allclose(found.multipliers_, signs * expected.multipliers_)
    np.testing.assert_allclose(found.gaps_, signs * expected.gaps_, atol=1e-12)
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    assert found.n_fits_ == expected.n_fits_ > 1


@pytest.mark.campaign
def test_a_long_climb_follows_limits_on_misclassification_rates_to_the_bit():
    """A gap that is rounded in another way leads it to another model."""
    random = np.random.default_rng(3)
    group = random.choice(list("abc"), 900, p=[0.5, 0.3, 0.2])
    X = random.normal(size=(900, 4))
    X[:, 3] = group == "a"
    lean = X[:, 0] * np.where(group == "a", 1.5, 0.3) + X[:, 1] * np.where(group == "c", -1, 0.5) + 0.5 * X[:, 3]
    y = (lean + random.normal(size=900) > 0).astype(int)
    frame = pd.DataFrame({"g": group})
    right = Metric("right", "share of right predictions", lambda y, h: (np.full(len(y), 1 / len(y)), 0.0))
    predictions = [
        ConstrainedClassifier(
            LogisticRegression(max_iter=300), [FairnessSpec(metric, "g", 0.02), FairnessSpec("fpr", "g", 0.1)],
            random_state=0,
        ).fit(X, y, sensitive_features=frame).predict(X)
        for metric in ("error_rate", right)
    ]  # fmt: skip
    np.testing.assert_array_equal(*predictions)


def spec(metric, limit, groups="group"):
    return FairnessSpec(metric, groups, limit)


FOREST = RandomForestClassifier(20, min_samples_leaf=20, random_state=0)


@pytest.mark.parametrize(
    "estimator, metric",
    [
        *((None, metric) for metric in ("demographic_parity", "fpr", "fnr", "aec(1, 2)")),
        (FOREST, "demographic_parity"),
        (GaussianNB(), "fnr"),
    ],
)
def test_gaps_close_on_the_rows_chosen_on_and_on_new_rows(estimator, metric):
    X, y, frame = applicants()
    specs = [spec(metric, 0.04)]
    model = ConstrainedClassifier(estimator, specs, multiplier_tolerance=1e-3, random_state=0)
    model.fit(X, y, sensitive_features=frame)
    assert model.feasible_ and model.status_ == "met"
    assert np.abs(model.gaps_).max() <= 0.04 + 1e-9
    X, y, frame = applicants(4000, seed=1)
    assert gaps(specs, y, model.predict(X), frame).max() < 0.04 + 0.06
    before = model.history_[0]
    assert before.ratio > 1 and not before.multipliers.any()
    assert model.history_[model.chosen_].accuracy > before.accuracy - 0.08


def test_what_is_shown_is_what_predictions_come_to():
    X, y, frame = applicants()
    validation = np.arange(len(y)) % 3 == 0
    specs = [spec("demographic_parity", 0.08), spec("fnr", 0.1)]
    model = ConstrainedClassifier(specs=specs, random_state=0, cross_fit_below=0)
    model.fit(X, y, sensitive_features=frame, validation=validation)
    predicted = model.predict(X[validation])
    np.testing.assert_allclose(np.abs(model.gaps_), gaps(specs, y[validation], predicted, frame[validation]))
    assert model.history_[model.chosen_].accuracy == pytest.approx(np.mean(predicted == y[validation]))
    assert (model.n_learned_, model.n_chosen_on_) == ((~validation).sum(), validation.sum())
    assert [c.spec for c in model.constraints_] == specs
    assert {(c.first, c.second) for c in model.constraints_} == {("amber", "blue")}
    assert [fit.place for fit in model.history_[: model.n_fits_]] == list(range(model.n_fits_))
    assert all(fit.threshold is None for fit in model.history_[: model.n_fits_])
    assert all(fit.threshold is not None for fit in model.history_[model.n_fits_ :])
    assert model.predict_proba(X).shape == (len(y), 2)
    for place in model.frontier_:
        fit = model.history_[place]
        assert not any(o.ratio <= fit.ratio and o.accuracy > fit.accuracy for o in model.history_)


def test_the_multiplier_makes_the_model():
    X, y, frame = applicants()
    validation = np.arange(len(y)) % 4 == 0
    model = ConstrainedClassifier(LogisticRegression(tol=1e-8), PARITY, warm_start=False)
    model.fit(X, y, sensitive_features=frame, validation=validation)
    rows = ConstrainedRows.of(
        [spec("demographic_parity", 0.05)], (y == "yes").astype(int)[~validation], frame[~validation]
    )
    weights = rows.weights(model.multipliers_)
    labels = np.where(weights < 0, 1 - rows.y, rows.y)
    by_hand = LogisticRegression(tol=1e-8).fit(X[~validation], labels, sample_weight=np.abs(weights))
    np.testing.assert_allclose(model.estimator_.coef_, by_hand.coef_, atol=1e-6)


def test_a_larger_scale_picks_a_more_accurate_model_without_a_fit():
    X, y, frame = applicants()
    model = ConstrainedClassifier(specs="demographic_parity by group <= 0.02", random_state=0).fit(
        X, y, sensitive_features=frame
    )
    chosen = model.history_[model.chosen_]
    for scale in (0.5, 1.0, 3.0, 100.0):
        picked = model.pick(scale)
        fit = picked.history_[picked.chosen_]
        assert fit.ratio <= scale or fit.ratio == min(one.ratio for one in model.history_)
        assert picked.feasible_ == (fit.ratio <= 1)
        np.testing.assert_array_equal(picked.multipliers_, fit.multipliers)
        assert fit.accuracy >= chosen.accuracy or scale < 1
    assert model.history_[model.chosen_] is chosen, "the classifier itself stays as it is"
    assert picked.chosen_ == max(range(len(model.history_)), key=lambda i: model.history_[i].accuracy)
    with pytest.raises(InputError, match="'scale' must be above 0, got 0"):
        model.pick(0)


def test_a_constraint_that_holds_already_takes_one_fit():
    X, y, frame = applicants()
    model = ConstrainedClassifier(specs="demographic_parity by group <= 0.9", random_state=0).fit(
        X, y, sensitive_features=frame
    )
    assert (model.n_fits_, model.status_, model.chosen_) == (1, "met", 0)
    assert not model.multipliers_.any()


def test_without_constraints_it_is_the_plain_model_of_all_rows():
    X, y, _ = applicants(300)
    for none in (None, [], ()):
        model = ConstrainedClassifier(LogisticRegression(), none).fit(X, y)
        np.testing.assert_array_equal(model.estimator_.coef_, LogisticRegression().fit(X, y).coef_)
        assert model.status_ == "met" and model.constraints_ == () and model.multipliers_.shape == (0,)


def test_several_constraints_are_met_together():
    X, y, frame = applicants(3000)
    specs = [
        "demographic_parity by group <= 0.06",
        "fnr by group <= 0.08",
        'demographic_parity by ["age < 35", "age >= 45"] <= 0.1',
    ]
    model = ConstrainedClassifier(specs=specs, random_state=0).fit(X, y, sensitive_features=frame)
    assert model.status_ == "met" and model.n_fits_ <= 60, (model.status_, model.n_fits_)
    limits = [c.max_difference for c in model.constraints_]
    assert (np.abs(model.gaps_) <= np.array(limits) + 1e-9).all()


def test_pairs_of_three_groups_and_crossed_groups():
    X, y, frame = applicants(3000)
    model = ConstrainedClassifier(specs="demographic_parity by area, group <= 0.12", random_state=0)
    model.fit(X, y, sensitive_features=frame)
    assert len(model.constraints_) == 15 == len(model.gaps_) == len(model.multipliers_)
    assert model.status_ == "met"


@pytest.mark.parametrize("metric", ["for_", "fdr"])
def test_rates_among_predictions_are_met_too(metric):
    random = np.random.default_rng(0)
    X, y, frame = applicants(3000)
    noisy = (frame["group"] == "blue").to_numpy() & (random.random(len(y)) < 0.25)
    y = np.where(noisy, random.choice(["no", "yes"], len(y)), y)
    X["blue"] = (frame["group"] == "blue").astype(float)
    model = ConstrainedClassifier(specs=[spec(metric, 0.04)], multiplier_tolerance=1e-3, random_state=0)
    model.fit(X, y, sensitive_features=frame)
    assert model.history_[0].ratio > 1.2
    assert model.status_ == "met" and model.n_fits_ < 40, (model.history_[0].gaps, model.n_fits_)


def test_what_cannot_be_met_gives_the_closest_model():
    # All that the model sees is the group, and outcomes differ: each group has one decision, right for most or for few.
    group = np.repeat(["a", "b"], 200)
    y = np.where((np.arange(400) % 10 == 0) ^ (group == "a"), "yes", "no")
    X = pd.DataFrame({"a": (group == "a").astype(float)})
    specs = ["error_rate by group <= 0.05", "demographic_parity by group <= 0.05"]
    model = ConstrainedClassifier(DecisionTreeClassifier(random_state=0), specs, random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert model.status_ == "not_met" and not model.feasible_ and "search ended" in model.notes_[-1]
    assert model.history_[model.chosen_].ratio == min(fit.ratio for fit in model.history_) > 1
    assert model.n_fits_ < 200


class Threshold(ClassifierMixin, BaseEstimator):
    """Predicts the second class in one fixed group of rows whatever the weights say."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X)[:, 0] > 0.5).astype(int)]


def test_a_learner_that_does_not_answer_is_shown_as_not_met():
    X, y, frame = applicants(300)
    X["a"] = (frame["group"] == "blue").astype(float)
    model = ConstrainedClassifier(Threshold(), PARITY, random_state=0, cross_fit_below=0).fit(
        X, y, sensitive_features=frame
    )
    assert model.status_ == "not_met" and not model.feasible_
    assert model.gaps_.tolist() == [-1.0]
    assert "stayed too large" in model.notes_[0]
    assert not hasattr(model, "predict_proba") and not hasattr(model, "decision_function")


def test_a_learner_without_weights_is_served_with_a_note():
    X, y, frame = applicants(600)
    model = ConstrainedClassifier(KNeighborsClassifier(25), "demographic_parity by group <= 0.1", random_state=0)
    model.fit(X, y, sensitive_features=frame)
    assert model.status_ == "met"
    assert "takes no weights" in model.notes_[1]


def test_the_seed_decides():
    X, y, frame = applicants(300)
    model = ConstrainedClassifier(make_model("mlp", random_state=0).set_params(model__max_epochs=2), PARITY,
                                  multiplier_tolerance=0.1, random_state=3)  # fmt: skip
    first, again = (clone(model).fit(X, y, sensitive_features=frame) for _ in range(2))
    np.testing.assert_array_equal(first.predict_proba(X), again.predict_proba(X))
    assert [fit.ratio for fit in first.history_] == [fit.ratio for fit in again.history_]
    other = clone(model).set_params(random_state=4).fit(X, y, sensitive_features=frame)
    assert [fit.ratio for fit in first.history_] != [fit.ratio for fit in other.history_]


def test_row_order_of_the_table_and_names_of_groups_do_not_matter_to_what_is_met():
    X, y, frame = applicants(1000)
    validation = np.arange(1000) % 4 == 0
    model = ConstrainedClassifier(LogisticRegression(tol=1e-6), PARITY, cross_fit_below=0).fit(
        X, y, sensitive_features=frame, validation=validation
    )
    order = np.random.default_rng(0).permutation(1000)
    renamed = frame["group"].map({"amber": "zinc", "blue": "alloy"})
    other = ConstrainedClassifier(LogisticRegression(tol=1e-6), PARITY, cross_fit_below=0).fit(
        X.iloc[order], y[order], sensitive_features=renamed.iloc[order], validation=validation[order]
    )
    assert np.mean(model.predict(X) == other.predict(X)) > 0.995
    np.testing.assert_allclose(np.abs(model.multipliers_), np.abs(other.multipliers_), atol=5e-3)


@pytest.mark.thorough
@pytest.mark.parametrize("specs", [PARITY, ["demographic_parity by group <= 0.05", "fnr by group <= 0.06"]])
def test_several_fits_at_once_find_as_good_a_model_the_same_each_time(specs):
    X, y, frame = applicants(800)
    one = ConstrainedClassifier(specs=specs, random_state=0).fit(X, y, sensitive_features=frame)
    with parallel_config(backend="threading"):
        several = [ConstrainedClassifier(specs=specs, n_jobs=2, random_state=0).fit(X, y, sensitive_features=frame)
                   for _ in range(2)]  # fmt: skip
    np.testing.assert_array_equal(several[0].multipliers_, several[1].multipliers_)
    assert several[0].feasible_ and one.feasible_
    assert several[0].history_[several[0].chosen_].accuracy >= one.history_[one.chosen_].accuracy - 0.02


def test_warm_starts_change_the_model_hardly():
    X, y, frame = applicants()
    warm, cold = (ConstrainedClassifier(specs=PARITY, warm_start=flag, random_state=0).fit(
        X, y, sensitive_features=frame) for flag in (True, False))  # fmt: skip
    assert warm.multipliers_ == pytest.approx(cold.multipliers_, abs=0.01)
    assert np.mean(warm.predict(X) == cold.predict(X)) > 0.98


def drain(events, stop_at=None):
    """Return all events; send STOP at the `stop_at`-th event, from 0."""
    seen, command = [], None
    try:
        while True:
            seen.append(events.send(command))
            command = STOP if stop_at == len(seen) - 1 else None
    except StopIteration:
        return seen


def test_events_describe_each_fit():
    X, y, frame = applicants()
    events = drain(ConstrainedClassifier(specs=PARITY, random_state=0).iter_fit(X, y, sensitive_features=frame))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    steps = [event for event in events if isinstance(event, Progress)]
    found = [event for event in events if isinstance(event, Incumbent)]
    assert len(steps) + len(found) == len(events) - 2
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert {step.total for step in steps} == {events[0].total} and steps[-1].done < events[0].total
    model = events[-1].result
    assert steps[-1].what == f"Fit {model.n_fits_}"
    assert [event.figures["fit"] for event in found] == [fit.place + 1 for fit in model.history_]
    names = ("fit", "threshold", "multiplier", "accuracy", "ratio", "gap", "met")
    assert {tuple(event.figures) for event in found} == {names}
    for event, fit in zip(found, model.history_, strict=True):
        assert event.what == "fit"
        assert event.figures["gap"] == pytest.approx(abs(fit.gaps[0]))
        assert event.figures["multiplier"] == fit.multipliers[0]
        assert event.figures["met"] == float(fit.ratio <= 1)
    assert [i for i, event in enumerate(found) if event.best][-1] == model.chosen_


def test_a_stop_keeps_the_best_so_far_and_comes_too_early_before_the_first_fit():
    X, y, frame = applicants(400)
    make = lambda: ConstrainedClassifier(specs=PARITY, random_state=0).iter_fit(X, y, sensitive_features=frame)  # noqa: E731
    events = drain(make())
    first = next(i for i, event in enumerate(events) if isinstance(event, Incumbent))
    for stop_at in range(first):
        with pytest.raises(StoppedError):
            drain(make(), stop_at)
    for stop_at in (first, first + 1, first + 2, first + 5):
        model = drain(make(), stop_at)[-1].result
        assert model.status_ == "stopped"
        assert model.n_fits_ == sum(isinstance(event, Incumbent) for event in events[: stop_at + 1])
        assert model.predict(X).shape == (400,)
        assert model.pick(5.0).status_ == "stopped"


def test_rows_are_divided_alike_in_groups_and_label():
    X, y, frame = applicants()
    model = ConstrainedClassifier(
        specs=[PARITY, "demographic_parity by area <= 0.5"], validation_fraction=0.4, random_state=0, cross_fit_below=0
    )
    model.fit(X, y, sensitive_features=frame)
    assert model.n_chosen_on_ == pytest.approx(0.4 * len(y), abs=12)
    assert model.n_learned_ + model.n_chosen_on_ == len(y)


def test_the_share_of_rows_to_choose_on_holds_where_few_rows_are_in_the_same_groups():
    X, y, _ = applicants(600)
    random = np.random.default_rng(0)
    others = pd.DataFrame({f"c{i}": random.integers(5, size=600) for i in range(5)})
    specs = [f"demographic_parity by c{i} <= 1" for i in range(5)]
    model = ConstrainedClassifier(specs=specs, random_state=0, cross_fit_below=0).fit(X, y, sensitive_features=others)
    assert model.n_chosen_on_ == pytest.approx(150, abs=30)


def test_rows_of_no_group_are_learned_from():
    X, y, frame = applicants(600)
    frame.loc[::3, "group"] = None
    model = ConstrainedClassifier(specs="demographic_parity by group <= 0.08", random_state=0, cross_fit_below=0).fit(
        X, y, sensitive_features=frame
    )
    assert model.n_learned_ + model.n_chosen_on_ == 600
    assert {c.first for c in model.constraints_} | {c.second for c in model.constraints_} == {"amber", "blue"}


def test_one_column_may_come_in_any_form_with_any_index():
    X, y, frame = applicants(400)
    column = frame["group"]
    model = ConstrainedClassifier(specs=PARITY, random_state=0)
    expected = clone(model).fit(X, y, sensitive_features=frame)
    assert expected.constraints_[0].first == "amber"
    indexed = frame.set_index(frame.index[::-1] + 7)
    values = column.to_numpy()
    for form in (indexed, column, values, column.tolist(), values[:, None], pd.Series(values)):
        found = clone(model).fit(X, y, sensitive_features=form)
        assert found.constraints_[0].first == "amber"
        np.testing.assert_array_equal(found.multipliers_, expected.multipliers_)


@pytest.mark.parametrize(
    ("settings", "given", "error", "message"),
    [
        (
            {"validation_fraction": 1},
            {},
            InputError,
            "'validation_fraction' must be a number above 0 and",
        ),
        ({"multiplier_tolerance": 0}, {}, InputError, "'multiplier_tolerance' must be a number above 0, got 0"),
        ({"max_rounds": 0}, {}, InputError, "'max_rounds' must be an int of at least 1 or None, got 0"),
        ({"specs": "sp of group"}, {}, SpecError, "at character"),
        ({"specs": 3}, {}, InputError, "'specs' must hold constraints or their texts, got int"),
        ({"specs": "demographic_parity by colour <= 0.1"}, {}, MissingColumnError, "no column 'colour'"),
        ({}, {"sensitive_features": None}, InputError, "with the columns that the constraints name: 'group'"),
        (
            {"specs": 'demographic_parity by ["age < 3", "area = 1"] <= 0.1'},
            {"sensitive_features": None},
            InputError,
            "'age < 3'",
        ),
        (
            {"specs": "demographic_parity by area, group <= 0.1"},
            {"sensitive_features": ["a"] * 200},
            InputError,
            "must be a DataFrame",
        ),
        ({}, {"sensitive_features": ["a", "b"] * 90}, InputError, "must have 200 rows, as 'X' has, got 180"),
        ({}, {"sensitive_features": ["a"] * 200}, GroupError, "at least two are needed"),
        (
            {},
            {"sensitive_features": ["a"] * 199 + ["b"]},
            GroupError,
            "'b' of 'demographic_parity by group <= 0.05' has no rows",
        ),
        ({"specs": 'demographic_parity by ["age < -999", "age > 0"] <= 0.1'}, {}, GroupError, "'age < -999' of"),
        ({}, {"validation": np.ones(200, bool)}, InputError, "'validation' must be true for some rows and false for"),
        ({}, {"validation": np.zeros(200, bool)}, InputError, "'validation' must be true for some rows and false for"),
        ({}, {"validation": [True]}, InputError, "'validation' must have one value for each of the 200 rows"),
    ],
)
def test_what_does_not_fit_is_named(settings, given, error, message):
    X, y, frame = applicants(200)
    model = ConstrainedClassifier(**{"specs": PARITY, "random_state": 0, **settings})
    with pytest.raises(error, match=message):
        model.fit(X, y, **{"sensitive_features": frame, **given})


def test_a_group_without_an_outcome_is_named():
    X, y, frame = applicants(200)
    y[frame["group"] == "blue"] = "yes"
    with pytest.raises(GroupError, match=r"'blue' of 'fpr by group <= 0\.1' has no rows of the negative"):
        ConstrainedClassifier(specs="fpr by group <= 0.1", random_state=0).fit(X, y, sensitive_features=frame)


def test_a_learner_that_fails_is_named():
    X, y, frame = applicants(200)
    X["a"] = "text"
    with pytest.raises(InputError, match="The estimator LogisticRegression could not be fitted: it raised ValueError"):
        ConstrainedClassifier(LogisticRegression(), PARITY).fit(X, y, sensitive_features=frame)


def test_groups_are_routed_by_scikit_learn():
    X, y, frame = applicants(400)
    with config_context(enable_metadata_routing=True):
        model = ConstrainedClassifier(specs=PARITY, random_state=0)
        model.set_fit_request(sensitive_features=True, validation=True)
        pipeline = Pipeline([("scale", StandardScaler()), ("model", model)])
        routed = pipeline.fit(X, y, sensitive_features=frame, validation=np.arange(400) % 2 == 0)
    assert routed.predict(X).shape == (400,)
    assert routed[-1].n_learned_ == 200


def test_many_groups_take_few_fits():
    random = np.random.default_rng(0)
    n = 10_000
    group = random.integers(0, 20, n)
    X = pd.get_dummies(group.astype(str)).astype(float).assign(x=random.normal(size=n))
    y = random.random(n) < 1 / (1 + np.exp(-X["x"] - (group - 10) / 8))
    model = ConstrainedClassifier(LogisticRegression(), "demographic_parity by group <= 0.15", random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert len(model.constraints_) == 190
    assert model.status_ == "met" and model.n_fits_ <= 40, (model.status_, model.n_fits_)
