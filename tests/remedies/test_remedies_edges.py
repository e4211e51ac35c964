"""What remedies promise at the edges: rows at a threshold, stops, ties, threads that fit at once, and few rows."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import iter_run
from fairaudit.audit.trying import iter_remedies, iter_remedy, remedy_name
from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.estimators.base import GroupAwareClassifier
from fairaudit.estimators.equalized import EqualizedDistributionClassifier
from fairaudit.estimators.models import make_model
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.events import STOP, Finished, Progress, Started
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.fit import Tuning
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.sections.compare.models import judged
from fairaudit.sections.remedy.saying import done_sentence
from fairaudit.study.findings import plan_key
from fairaudit.study.fitting import SILENCE
from fairaudit.study.rows import Study


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.of(as_loans(biased_loans(600)), loans_plan())


def sent_at_once(events):
    """Send STOP at the first step, and return the result."""
    assert isinstance(next(events), Started)
    assert isinstance(next(events), Progress)
    event = events.send(STOP)
    while not isinstance(event, Finished):
        event = next(events)
    return event.result


@pytest.mark.parametrize("model", ["logistic_regression", "random_forest"])
def test_rows_at_a_threshold_are_decided_alike_by_the_model_that_is_handed_out(study, model):
    found = drained(iter_remedy(study, ThresholdsPlan(model=model))).model
    limits = np.array([found.thresholds_[group] for group in study.groups])
    tuned = Tuning.of(study, found.estimator_)
    assert (np.abs(tuned.values - limits) < 1e-11).any()
    assert (found.predict(study.X, sensitive_features=study.groups) == (tuned.values >= limits)).all()


def test_a_plain_model_that_was_stopped_is_fitted_again(study):
    remedy = PlainPlan(model="mlp")
    events = iter_remedy(study, remedy)
    for _ in range(5):  # a few epochs, so that there is something to keep
        next(events)
    event = events.send(STOP)
    while not isinstance(event, Finished):
        event = next(events)
    stopped = event.result
    assert stopped.finding.stopped
    again = drained(iter_remedy(study, ThresholdsPlan(model="mlp"), known={plan_key(remedy): stopped}))
    assert again.model.estimator_ is not stopped.model
    assert again.model.estimator_[-1].status_ == "finished"
    plan = loans_plan().model_copy(update={"remedies": (remedy,)})
    [whole] = drained(iter_remedies(as_loans(biased_loans(600)), plan, known={plan_key(remedy): stopped})).remedies
    assert whole is not stopped.finding
    assert stopped.finding.stopped and not whole.stopped


def test_a_stop_that_comes_before_the_remedies_holds():
    plan = loans_plan().model_copy(update={"remedies": (PlainPlan(),)})
    with pytest.raises(StoppedError, match="before the first of them"):
        sent_at_once(iter_run(plan, table=as_loans(biased_loans(300))))


def test_a_stop_without_remedies_changes_nothing():
    assert sent_at_once(iter_run(loans_plan(), table=as_loans(biased_loans(300)))).remedies is None


def test_tied_scores_are_not_called_alike():
    frame = biased_loans(600)
    # A third of the men merit it, and no woman: their scores are all the same, so all or none of them would be raised.
    frame["merit"] = np.where((frame["sex"] == "man") & (frame["number"] % 3 == 0), 5.0, 0.0)
    frame["granted"] = np.where(frame["merit"] > 0, "yes", "no")
    study = Study.of(as_loans(frame), loans_plan(features=("merit",)))
    remedy = RelabelPlan(algorithm="risk_adjustment", final_model="logistic_regression")
    finding = drained(iter_remedy(study, remedy)).finding
    assert finding.details.n_flipped == 0
    assert finding.details.gap_after < -0.2
    assert say(Message("retrain-tied")) in finding.warnings
    made = done_sentence(finding, study.facts)
    assert say(Message("retrain-none-changed")) in made and say(Message("retrain-unchanged")) not in made


def test_the_plain_model_is_listed_once_on_machines_that_round_by_the_place_of_a_row(monkeypatch):
    exact = LogisticRegression.predict_proba

    def rounded(model, X):
        return exact(model, X) + np.outer(np.arange(len(X)) % 3, [-1e-14, 1e-14])

    monkeypatch.setattr(LogisticRegression, "predict_proba", rounded)
    frame = biased_loans(600).round({"merit": 0})
    remedies = (PlainPlan(), ThresholdsPlan(), RulesPlan(rules=("merit > 0",)), TreesPlan(max_depth=1, constraint=None))
    plan = loans_plan(features=("merit",)).model_copy(update={"remedies": remedies})
    found = drained(iter_remedies(as_loans(frame), plan))
    names = [name for name, model, _ in judged(found) if getattr(model, "kind", "") not in ("constant", "shifted")]
    assert names == [remedy_name(remedy) for remedy in remedies]


@pytest.mark.parametrize("mask", [False, True])
def test_tuning_rows_of_one_outcome_are_shown_before_anything_is_fitted(study, mask):
    y = study.y.copy()
    y[study.split.tune] = 1
    plan = study.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=mask)})
    altered = Study(**vars(study) | {"y": y, "plan": plan})
    with pytest.raises(GroupError, match="lack one of the two outcomes") as caught:
        list(iter_remedy(altered, EqualizePlan()))
    assert any(letter.isdigit() for letter in str(caught.value)) != mask


@pytest.mark.parametrize("kind", [RelabeledClassifier, GroupThresholdClassifier, EqualizedDistributionClassifier])
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_counted(kind, missing):
    X, y = np.arange(40.0)[:, None], pd.Series(["no", "yes"] * 20, dtype=object)
    y[3] = missing
    with pytest.raises(InputError, match="'y' must have a label in every row, got 1 missing"):
        kind().fit(X, y)


def test_the_one_class_of_labels_is_named_as_it_was_given():
    with pytest.raises(InputError, match=r"got 1 class: 0\.0\."):
        EqualizedDistributionClassifier().fit(np.ones((4, 1)), np.zeros(4))


def test_silence_is_kept_until_the_last_thread_leaves_and_then_given_back():
    silence, before = SILENCE, list(warnings.filters)
    inside, leave = threading.Event(), threading.Event()

    def stay():
        with silence:
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=stay)
    with silence:
        thread.start()
        assert inside.wait(10)
    warnings.warn("still quiet", ConvergenceWarning, stacklevel=1)
    leave.set()
    thread.join()
    assert warnings.filters == before
    with pytest.warns(ConvergenceWarning):
        warnings.warn("heard again", ConvergenceWarning, stacklevel=1)


def test_a_classifier_that_does_not_say_how_it_fits_cannot_be_made():
    with pytest.raises(TypeError, match="iter_fit"):
        type("Unfinished", (GroupAwareClassifier,), {})()


@pytest.mark.parametrize("kind", [RelabeledClassifier, GroupThresholdClassifier, EqualizedDistributionClassifier])
def test_groups_are_routed_through_a_search_over_settings(kind):
    random = np.random.default_rng(0)
    protected = random.random(240) < 0.5
    X = pd.DataFrame({"a": random.normal(size=240), "b": random.choice(["x", "y"], 240)}, index=np.arange(240) * 3)
    y = np.where(X["a"] + protected + random.normal(size=240) > 0, "yes", "no")
    with config_context(enable_metadata_routing=True):
        model = kind(random_state=0).set_fit_request(sensitive_features=True)
        grid = {"random_state": [0, 1]}
        if kind is GroupThresholdClassifier:
            model.set_score_request(sensitive_features=True).set_predict_request(sensitive_features=True)
            model.set_params(method="exact")
        if kind is RelabeledClassifier:
            model.set_params(final_model=make_model("logistic_regression"))
        found = GridSearchCV(model, grid, cv=2, error_score="raise").fit(X, y, sensitive_features=protected)
    assert 0.6 < found.best_score_ <= 1
    alone = kind(**found.best_estimator_.get_params(deep=False)).fit(X, y, sensitive_features=protected)
    who = {"sensitive_features": protected} if kind is GroupThresholdClassifier else {}
    assert (alone.predict(X, **who) == found.best_estimator_.predict(X, **who)).all()
    assert alone.score(X, y, **who) == (alone.predict(X, **who) == y).mean()


@pytest.mark.parametrize(
    "remedy", [PlainPlan(), ThresholdsPlan(), EqualizePlan(), RelabelPlan(), TreesPlan(max_depth=1), RulesPlan()],
    ids=lambda remedy: remedy.method,
)  # fmt: skip
def test_rows_to_learn_from_that_lack_an_outcome_are_refused_in_a_sentence(remedy):
    frame = biased_loans(60).dropna(subset=["sex"])
    frame["granted"] = np.where(np.arange(len(frame)) == 7, "yes", "no")
    for number in range(1, 9):
        study = Study.of(as_loans(frame), loans_plan().model_copy(update={"seed": number}))
        if study.y[study.split.train].sum() == 0:
            break
    with pytest.raises((GroupError, InputError)):
        drained(iter_remedy(study, remedy))
