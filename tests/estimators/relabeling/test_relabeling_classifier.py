from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn
from event_runs import drain
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.models import make_model
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.events import Finished, Progress, Started

PLAIN = {"risk_model": LogisticRegression(), "final_model": LogisticRegression()}


DIVIDES = "the rows are divided at random, and of rows written out copies come into both parts"


@parametrize_with_checks(
    [RelabeledClassifier("risk_flipping", **PLAIN, random_state=0)],
    expected_failed_checks=lambda model: {"check_sample_weight_equivalence_on_dense_data": DIVIDES},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=1200, seed=0):
    """A table with categories and missing values; the protected half gets fewer good decisions at the same merit."""
    random = np.random.default_rng(seed)
    merit, protected = random.normal(size=n), random.random(n) < 0.4
    table = pd.DataFrame(
        {
            "merit": np.where(random.random(n) < 0.05, np.nan, merit),
            "origin": np.where(protected, "b", "a"),
            "area": random.choice(["north", "south", None], n),
            "senior": random.random(n) < 0.3,
        }
    )
    y = (merit - 0.8 * protected + random.normal(0, 0.5, n) > -0.2).astype(int)
    return table, y, protected


@cache
def retrained(algorithm):
    """A model of 3,000 rows that several tests read."""
    X, y, protected = people(3000)
    return RelabeledClassifier(algorithm, random_state=0).fit(X, y, sensitive_features=protected)


def few_epochs():
    return make_model("mlp").set_params(model__max_epochs=3)


def share_gap(labels, protected, population=True):
    inside = np.ones(len(labels), bool) & population
    return labels[inside & protected].mean() - labels[inside & ~protected].mean()


@pytest.mark.parametrize("algorithm", ["risk_adjustment", "risk_flipping"])
def test_retraining_narrows_the_gap_on_rows_it_has_not_seen(algorithm):
    X, y, _ = people(3000)
    new, truth, new_protected = people(3000, seed=1)
    model = retrained(algorithm)
    plain = make_model("logistic_regression").fit(X, y)
    assert abs(share_gap(plain.predict(new), new_protected)) > 0.2
    assert abs(share_gap(model.predict(new), new_protected)) < 0.07
    assert model.score(new, truth) > 0.7


@pytest.mark.parametrize("algorithm", ["risk_adjustment", "risk_flipping"])
def test_the_fitted_attributes_show_what_was_done(algorithm):
    X, y, protected = people()
    population = X["senior"].to_numpy()
    labels = np.where(y == 1, "good", "bad")
    given_y = np.where(labels == "good", "z good", "a bad")
    model = RelabeledClassifier(algorithm, final_model=make_model("logistic_regression"), random_state=0)
    model.fit(X, given_y, sensitive_features=protected, population=population)
    rows, found = model.relabeled_rows_, model.relabeling_
    assert (rows == model.relabel_index_).all() and len(rows) == pytest.approx(600, abs=8)
    assert model.classes_.tolist() == ["a bad", "z good"]
    assert (model.synthetic_labels_ == model.classes_[found.labels]).all()
    expected = share_gap(found.labels, protected[rows], population[rows])
    assert model.relabeled_gap_ == pytest.approx(expected) and abs(expected) < 0.02
    assert model.n_flipped_ == found.n_flipped > 0
    assert not found.flipped[~(protected & population)[rows]].any()
    before = model.risk_scores_ >= 0.5 if algorithm == "risk_adjustment" else given_y[rows] == "z good"
    assert (found.labels_before == before).all()
    assert (model.risk_shift_ < 0) == (algorithm == "risk_adjustment")
    assert set(model.predict(X)) == {"a bad", "z good"}
    assert model.status_ == "finished"


def test_without_weights_the_final_model_is_fitted_plainly():
    X, y, protected = people()
    final = make_model("mlp", random_state=5).set_params(model__max_epochs=5)
    model = RelabeledClassifier("risk_flipping", final_model=final, gap_step=0)
    model.set_params(random_state=0).fit(X, y, sensitive_features=protected)
    plain = clone(final).fit(X.iloc[model.relabeled_rows_], model.synthetic_labels_)
    assert (model.predict_proba(X) == plain.predict_proba(X)).all()
    assert model.weight_ratio_ == 1 and np.isnan(model.fitted_gap_)


def test_weights_narrow_the_gap_of_the_decisions_not_only_of_the_labels():
    X, y, protected = people(3000)
    without = RelabeledClassifier("risk_flipping", gap_step=0, random_state=0)
    without.fit(X, y, sensitive_features=protected)
    model = retrained("risk_flipping")
    assert abs(share_gap(model.predict(X), protected)) < abs(share_gap(without.predict(X), protected)) / 2
    assert model.weight_ratio_ > 1
    assert model.fitted_gap_ == pytest.approx(share_gap(model.predict(X), protected))


def test_only_rows_of_the_population_are_watched():
    X, y, protected = people()
    population = X["senior"].to_numpy()
    model = RelabeledClassifier("risk_flipping", random_state=0)
    model.fit(X, y, sensitive_features=protected, population=population)
    assert model.fitted_gap_ == pytest.approx(share_gap(model.predict(X), protected, population))


def test_the_two_parts_are_alike_and_only_the_first_makes_the_risk_model():
    X, y, protected = people()
    model = RelabeledClassifier("risk_flipping", final_model=make_model("logistic_regression"), random_state=0)
    model.fit(X, y, sensitive_features=protected)
    rows = model.relabeled_rows_
    first = np.setdiff1d(np.arange(len(y)), rows)
    for label in (0, 1):
        for group in (False, True):
            cell = (y == label) & (protected == group)
            assert abs(cell[rows].sum() - cell[first].sum()) <= 1
    alone = make_model("logistic_regression").fit(X.iloc[first], y[first])
    assert np.allclose(alone.predict_proba(X.iloc[rows])[:, 1], model.risk_scores_)


def test_nobody_protected_is_a_plain_model_of_the_second_part():
    X, y, _ = people()
    for algorithm in ("risk_adjustment", "risk_flipping"):
        model = RelabeledClassifier(algorithm, final_model=make_model("logistic_regression"), random_state=0).fit(X, y)
        assert model.relabeling_ is None and model.n_flipped_ == 0 and np.isnan(model.relabeled_gap_)
        assert (model.synthetic_labels_ == y[model.relabeled_rows_]).all()
        plain = make_model("logistic_regression").fit(X.iloc[model.relabeled_rows_], model.synthetic_labels_)
        assert (model.predict(X) == plain.predict(X)).all()


def test_the_seed_decides_even_for_models_without_one():
    X, y, protected = people(400)
    model = RelabeledClassifier(
        risk_model=make_pipeline(make_model("logistic_regression")[0], RandomForestClassifier(5)),
        final_model=make_model("logistic_regression"),
        random_state=1,
    )
    first, again, other = (
        clone(model).set_params(random_state=seed).fit(X, y, sensitive_features=protected).predict_proba(X)
        for seed in (1, 1, 2)
    )
    assert (first == again).all() and (first != other).any()
    seeded = RelabeledClassifier(final_model=make_model("mlp", random_state=7), random_state=1)
    assert seeded.fit(X, y, sensitive_features=protected).final_model_.get_params()["model__random_state"] == 7
    assert model.risk_model.get_params()["randomforestclassifier__random_state"] is None


def test_a_final_model_without_probabilities_predicts_without_them():
    X, y, protected = people(300)
    final = make_pipeline(make_model("svm")[0], LinearSVC())
    model = RelabeledClassifier("risk_flipping", final_model=final, random_state=0)
    model.fit(X, y, sensitive_features=protected)
    assert set(model.predict(X)) == {0, 1}
    assert not hasattr(model, "predict_proba")
    assert hasattr(RelabeledClassifier(), "predict_proba")


def test_models_that_were_passed_stay_unfitted():
    X, y, protected = people(300)
    risk, final = make_model("logistic_regression"), make_model("logistic_regression")
    RelabeledClassifier(risk_model=risk, final_model=final).fit(X, y, sensitive_features=protected)
    assert not hasattr(risk[0], "pipeline_") and not hasattr(final[0], "pipeline_")


def test_metadata_is_routed_through_a_pipeline_and_cross_validation():
    X, y, protected = people(400)
    numbers = X[["merit"]].fillna(0).assign(protected=protected.astype(float)).to_numpy()
    with sklearn.config_context(enable_metadata_routing=True):
        model = RelabeledClassifier("risk_flipping", final_model=LogisticRegression(), random_state=0)
        model.set_fit_request(sensitive_features=True, population=True)
        line = make_pipeline(StandardScaler(), model)
        given_rows = {"sensitive_features": protected, "population": X["senior"]}
        found = cross_validate(line, numbers, y, cv=3, params=given_rows, return_estimator=True)
    for fitted in found["estimator"]:
        n = fitted[-1].relabeling_.n_protected + fitted[-1].relabeling_.n_reference
        assert n == pytest.approx(X["senior"].sum() / 3, rel=0.25)
    assert (found["test_score"] > 0.6).all()


def test_events_run_from_start_to_finish_and_never_back():
    X, y, protected = people(400)
    model = RelabeledClassifier(risk_model=few_epochs(), final_model=few_epochs(), random_state=0)
    seen = drain(model.iter_fit(X, y, sensitive_features=protected))
    assert isinstance(seen[0], Started) and isinstance(seen[-1], Finished) and seen[-1].result is model
    steps = seen[1:-1]
    assert all(isinstance(event, Progress) and event.total == seen[0].total for event in steps)
    done = [event.done for event in steps]
    assert done == sorted(done) and done[0] == 0 and done[-1] < seen[0].total
    assert len({event.what for event in steps}) == 3


def test_a_stop_keeps_the_best_final_model_so_far():
    X, y, protected = people(400)
    model = RelabeledClassifier(random_state=0)
    seen = drain(model.iter_fit(X, y, sensitive_features=protected), stop_at=50)
    assert isinstance(seen[-1], Finished) and isinstance(seen[-2], Progress)
    assert model.status_ == "stopped"
    assert 0 < model.final_model_[-1].n_epochs_ < model.final_model_[-1].max_epochs
    assert model.predict(X).shape == (400,)


@pytest.mark.parametrize("step", [0, 20, 38, 40])
def test_a_stop_before_the_final_model_has_anything_is_an_error(step):
    X, y, protected = people(400)
    model = RelabeledClassifier(risk_model=few_epochs(), random_state=0)
    with pytest.raises(StoppedError):
        drain(model.iter_fit(X, y, sensitive_features=protected), stop_at=step)


def test_fifty_groups_are_audited_one_against_the_rest():
    random = np.random.default_rng(0)
    group, merit = random.integers(0, 50, 2000), random.normal(size=2000)
    y = (merit + 0.05 * group > 1).astype(int)
    for value in (0, 49):
        model = RelabeledClassifier("risk_flipping", final_model=LogisticRegression(), random_state=0)
        model.fit(np.c_[merit, group], y, sensitive_features=group == value)
        assert model.relabeling_.direction == ("raised" if value == 0 else "lowered")
        assert abs(model.relabeled_gap_) <= 0.5 / model.relabeling_.n_protected + 1e-12


def test_twenty_rows_are_retrained():
    X, y, protected = people(20, seed=3)
    model = RelabeledClassifier("risk_flipping", random_state=0).fit(X, y, sensitive_features=protected)
    assert len(model.relabeled_rows_) == pytest.approx(10, abs=2)
    assert set(model.predict(X)) <= {0, 1}


def test_one_row_of_a_class_cannot_be_in_both_parts():
    X, y = np.arange(20.0)[:, None], np.r_[np.zeros(19), 1]
    with pytest.raises(InputError, match=r"19 of the first class and 1 of the second"):
        RelabeledClassifier().fit(X, y)


def test_two_rows_of_a_class_are_shared_out():
    X, y = np.arange(20.0)[:, None], np.r_[np.zeros(18), 1, 1].astype(int)
    protected = np.arange(20) < 8
    for seed in range(5):
        model = RelabeledClassifier("risk_flipping", final_model=LogisticRegression(), random_state=seed)
        model.fit(X, y, sensitive_features=protected)
        assert np.isin([18, 19], model.relabeled_rows_).sum() == 1


def test_a_group_that_is_missing_is_named_with_counts():
    X, y, protected = people(200)
    with pytest.raises(GroupError, match="0 protected and 100 other"):
        RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=np.zeros(200, bool))
    with pytest.raises(GroupError, match=r"\d+ protected and 0 other"):
        RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=protected, population=protected)


def test_a_group_that_is_missing_is_named_before_anything_is_fitted():
    X, y, protected = people(200)
    events = RelabeledClassifier(random_state=0).iter_fit(X, y, sensitive_features=protected, population=protected)
    with pytest.raises(GroupError):
        next(events)


def test_labels_that_are_all_alike_after_relabelling_are_shown():
    X, y, protected = people(300)
    with pytest.raises(InputError, match="All relabelled rows have the first class"):
        RelabeledClassifier(threshold=0.999, random_state=0).fit(X, y, sensitive_features=protected)


def test_constant_features_give_tied_scores_and_flipping_still_reaches_the_share():
    _, y, protected = people(300)
    X = np.ones((300, 2))
    model = RelabeledClassifier("risk_flipping", random_state=0).fit(X, y, sensitive_features=protected)
    assert abs(model.relabeled_gap_) <= 0.5 / model.relabeling_.n_protected + 1e-12
    with pytest.raises(InputError, match="nothing to learn"):
        RelabeledClassifier(random_state=0).fit(X, y, sensitive_features=protected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"algorithm": "magic"}, "'algorithm' must be one of risk_adjustment, risk_flipping"),
     ({"gap_step": -1}, "'gap_step'"),
     ({"threshold": 0}, "'threshold'"), ({"threshold": np.nan}, "'threshold'"), ({"risk_fraction": 1}, "'risk_frac"),
     ({"risk_model": LinearSVC()}, "'risk_model' must have 'predict_proba'")],
)  # fmt: skip
def test_bad_parameters_are_named(parameters, message):
    X, y, protected = people(60)
    with pytest.raises(InputError, match=message):
        RelabeledClassifier(**parameters).fit(X, y, sensitive_features=protected)


def test_bad_rows_are_named():
    X, y, protected = people(60)
    with pytest.raises(InputError, match="'sensitive_features' must be true or false in every row") as caught:
        RelabeledClassifier().fit(X, y, sensitive_features=np.where(protected, None, 1))
    assert caught.value.hint
    with pytest.raises(InputError, match="'population' must have one value for each of the 60 rows"):
        RelabeledClassifier().fit(X, y, sensitive_features=protected, population=protected[:5])
    with pytest.raises(InputError, match="two classes"):
        RelabeledClassifier().fit(X, np.ones(60), sensitive_features=protected)


@pytest.mark.campaign
def test_adult_is_retrained_in_seconds(shared_data):
    path = shared_data("adult.csv.gz")
    table = pd.read_csv(path, na_values="?")
    protected, population = table["race"].ne("White").to_numpy(), table["education_num"].gt(10).to_numpy()
    X = table.drop(columns=["native_country", "education", "fnlwgt", "income", "split"])
    y = table["income"].eq(">50K").to_numpy(int)
    learn = np.arange(len(y)) % 5 > 0
    model = RelabeledClassifier("risk_flipping", random_state=0)
    model.fit(X[learn], y[learn], sensitive_features=protected[learn], population=population[learn])
    assert model.relabeling_.direction == "raised"
    assert model.relabeling_.gap_before == pytest.approx(-0.123, abs=0.02)
    inside = population & ~learn
    after = share_gap(model.predict(X[inside]), protected[inside])
    assert abs(after) < 0.05
    assert share_gap(model.risk_model_.predict(X[inside]), protected[inside]) < -0.10
