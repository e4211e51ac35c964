"""Remedies learn and choose away from the held-out rows, repeat exactly, and find what was put into the data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import iter_run, run
from fairaudit.audit.trying import Candidate, iter_remedies, iter_remedy, remedy_name
from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.events import STOP, Finished, Incumbent, Progress, Started
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.details import no_more
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.cautions import group_warnings
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study

LOANS = biased_loans(2400)
PLAIN = PlainPlan()
RELABEL = RelabelPlan(final_model="gradient_boosting")
EXACT = ThresholdsPlan()
SWARM = ThresholdsPlan(search="pso")
OWN_SCORE = ThresholdsPlan(model="score")
EQUALIZE = EqualizePlan(max_iter=50)
CHOSEN = ThresholdsPlan(search="chosen", thresholds=(("women", 0.3), ("the rest", 0.5), ("missing", 0.4)))
CONSTRAIN = ConstrainPlan(
    constraints=("demographic_parity by sex <= 0.08", 'fnr by ["merit > 1", "area = \'north\'"] <= 0.9')
)
RULES = RulesPlan(max_complexity=3, max_difference=0.2)
OWN_RULES = RulesPlan(rules=("merit > 0.2", "merit > -0.5 AND area <> 'north'"))
TREE = TreesPlan(max_depth=2, constraint="four_fifths")
NOBODY_WORSE = tuple(
    each.model_copy(update={"no_group_worse_off": True}) for each in (RELABEL, EXACT, EQUALIZE, CONSTRAIN, RULES, TREE)
)
REMEDIES = (
    *(PLAIN, RELABEL, EXACT, SWARM, OWN_SCORE, CHOSEN, EQUALIZE, CONSTRAIN, RULES, OWN_RULES, TREE),
    *NOBODY_WORSE,
)
HELD_OUT = {
    "places": [],
    "distribution": [],
    "pairs": ["n_first", "n_second", "held_out_before", "held_out", "low", "high", "reading"],
    "n_pairs_within": [],
    "coverage": [],
    "gaps": ["n_first", "n_second", "held_out", "low", "high", "reading"],
    "ratios": ["n_first", "n_second", "held_out", "low", "high", "reading"],
    "counts": ["n", "n_positive", "rate", "rate_low", "rate_high"],
    "leaves": ["n", "n_right", "accuracy", "accuracy_low", "accuracy_high"],
    "indices": ["n", "n_compared", "before", "after"],
    "similar": [],
    "alike": [],
    # Seconds, which are never the same.
    "bounds": [],
}
"""What details show of held-out rows: columns of a frame, or all of it."""
NAMES = [
    f"{number} {remedy.method}{', no group worse off' if remedy in NOBODY_WORSE else ''}"
    for number, remedy in enumerate(REMEDIES, start=1)
]


def study_of_loans() -> Study:
    return Study.of(as_loans(LOANS), loans_plan()).reading(as_loans(LOANS), ("sex", "merit", "area"))


@pytest.fixture(scope="module")
def study() -> Study:
    return study_of_loans()


@pytest.fixture(scope="module")
def events_of(study):
    """Return the events of trying a remedy; each is tried once."""
    return cache(lambda remedy: tuple(iter_remedy(study, remedy)))


@pytest.fixture(scope="module")
def tried(events_of):
    """Return what trying a remedy found."""
    return lambda remedy: drained(events_of(remedy))


def value(evaluation, measure: str) -> float:
    return evaluation.measure(measure).value


def numbers(finding) -> list:
    """All that a finding says, in an order that does not change."""
    parts = [finding.before.measures, finding.after.measures, finding.changes, finding.warnings]
    for evaluation in (finding.before, finding.after):
        parts += [evaluation.fairness, evaluation.errors.counts.to_dict("list")]
    # Over time a search never closes in the same way twice.
    details = {} if finding.details is None else {k: v for k, v in vars(finding.details).items() if k != "bounds"}
    parts += [part.to_dict("list") if isinstance(part, pd.DataFrame) else part for part in details.values()]
    return parts


def fitted(candidate: Candidate) -> list:
    """What was chosen without the held-out rows."""
    details = candidate.finding.details
    chosen = {name: part for name, part in vars(details).items() if HELD_OUT.get(name) != []} if details else {}
    chosen |= {name: part.drop(columns=HELD_OUT[name]) for name, part in chosen.items() if name in HELD_OUT}
    parts = [part.to_dict("list") if isinstance(part, pd.DataFrame) else part for part in chosen.values()]
    return [repr(part) for part in parts]


def answers(candidate: Candidate, study: Study, rows):
    """What the model of a candidate says about rows of a study."""
    who = {"sensitive_features": study.groups[rows]} if candidate.finding.needs_group else {}
    return candidate.model.predict(study.X.iloc[rows], **who)


USUAL = (PLAIN, EXACT, CONSTRAIN, TREE)
"""Of each way to learn one: from all training rows or those of a known group, on the tuning rows, by a search."""


@pytest.mark.parametrize(
    "remedy",
    [
        pytest.param(each, id=name, marks=[pytest.mark.usual] * (each in USUAL))
        for each, name in zip(REMEDIES, NAMES, strict=True)
    ],
)
def test_held_out_rows_have_no_part_in_what_is_chosen(study, tried, remedy):
    held = study.split.held_out
    random = np.random.default_rng(0)
    y, X = study.y.copy(), study.X.copy()
    y[held] = 1 - y[held]
    score = study.score.copy()
    score[held] = random.normal(size=len(held))
    X.loc[held, "merit"] = random.normal(size=len(held))
    swapped, (protected, groups, known) = random.permutation(held), (study.protected, study.groups, study.group_known)
    who = {"protected": protected.copy(), "groups": groups.copy(), "group_known": known.copy()}
    for values in who.values():
        values[held] = values[swapped]
    sensitive = study.sensitive.copy()
    sensitive.iloc[held] = sensitive.iloc[swapped].to_numpy()
    altered = replace(study, y=y, X=X, score=score, sensitive=sensitive, **who)
    again = drained(iter_remedy(altered, remedy))
    first = tried(remedy)
    assert fitted(again) == fitted(first)
    if first.model is not None:
        rows = study.split.learning
        assert (answers(first, study, rows) == answers(again, study, rows)).all()


@pytest.mark.parametrize("remedy", REMEDIES, ids=NAMES)
@pytest.mark.campaign
def test_the_same_plan_gives_the_same_numbers(study, tried, remedy):
    again = study_of_loans()
    assert repr(numbers(drained(iter_remedy(again, remedy)).finding)) == repr(numbers(tried(remedy).finding))


@pytest.mark.parametrize("remedy", REMEDIES, ids=NAMES)
def test_before_and_after_are_judged_on_the_same_rows(study, tried, remedy):
    candidate = tried(remedy)
    finding, n = candidate.finding, len(study.split.held_out)
    for evaluation in (finding.before, finding.after):
        cells = evaluation.errors.counts[["tp", "fp", "tn", "fn"]].to_numpy()
        assert evaluation.n == cells.sum() == n
        fairness = evaluation.fairness
        assert fairness.protected.n == (study.protected & study.population)[study.split.held_out].sum()
        assert fairness.reference.n == (~study.protected & study.population)[study.split.held_out].sum()
    assert len(candidate.prediction) == n
    assert candidate.score is None if isinstance(remedy, RulesPlan | TreesPlan) else len(candidate.score) == n
    assert set(candidate.prediction) <= {0, 1}
    if candidate.model is not None:
        assert (answers(candidate, study, study.split.held_out) == candidate.prediction).all()
    truth = study.y[study.split.held_out]
    assert value(finding.after, "accuracy") == pytest.approx((candidate.prediction == truth).mean())
    for change in finding.changes:
        for shown, evaluation in ((change.before, finding.before), (change.after, finding.after)):
            size = value(evaluation, change.measure)
            if change.measure == "gap":
                assert shown == pytest.approx(evaluation.fairness.difference)
            elif change.first is None:
                assert shown == pytest.approx(size, nan_ok=True)
            else:
                assert not abs(shown) > size + 1e-12


def test_a_plain_model_is_its_own_before_and_after(tried):
    finding = tried(PLAIN).finding
    assert finding.before is finding.after
    assert (finding.changes, finding.details) == ((), None)
    assert not finding.needs_group


@pytest.mark.parametrize("remedy", [RELABEL, EXACT, EQUALIZE, CONSTRAIN, OWN_RULES], ids=lambda each: each.method)
def test_remedies_for_one_kind_of_model_are_compared_with_one_model(tried, remedy):
    before, plain = tried(remedy).finding.before, tried(PLAIN).finding.after
    assert before.name == "model without the remedy, logistic regression"
    assert repr(before.measures) == repr(plain.measures)
    assert before.errors.counts.equals(plain.errors.counts)


def test_relabelling_closes_the_gap_that_was_put_into_the_labels(study, tried):
    finding = tried(RELABEL.model_copy(update={"as_published": True})).finding
    assert study.facts.decisions.difference < -0.15
    assert value(finding.before, "gap") > 0.1
    assert value(finding.after, "gap") < 0.75 * value(finding.before, "gap")
    assert finding.details.direction == "raised"
    assert finding.details.gap_before < -0.15
    assert abs(finding.details.gap_after) <= 1 / finding.details.n_protected
    assert finding.details.n_risk + finding.details.n_relabeled == len(study.split.learning)
    flipped = finding.details.flipped
    assert flipped["n"].sum() == finding.details.n_protected + finding.details.n_reference
    assert flipped["n_flipped"].sum() == finding.details.n_flipped > 0
    assert set(flipped.loc[flipped["n_flipped"] > 0, "group"]) == {"women"}
    assert set(flipped.loc[flipped["n_flipped"] > 0, "label"]) == {0}
    assert finding.details.extent == 0 and not len(finding.details.path) and finding.details.target is None


def test_relabelling_is_searched_for_on_the_tuning_rows_and_learns_from_none_of_them(study, tried):
    once, candidate = (tried(RELABEL.model_copy(update=update)) for update in ({"search": False}, {"target_gap": 0.0}))
    details = candidate.finding.details
    assert details.n_risk + details.n_relabeled == len(study.split.train)
    assert not len(once.finding.details.path) and len(details.path) > 1
    path = details.path.set_index("extent")
    taken = path.loc[details.extent]
    assert taken["chosen"] and path["chosen"].sum() == 1 and abs(taken["gap"]) <= abs(path.loc[0.0, "gap"])
    tune = study.split.tune
    decided, inside = candidate.model.predict(study.X.iloc[tune]), study.population[tune]
    who = study.protected[tune]
    gap = decided[inside & who].mean() - decided[inside & ~who].mean()
    assert taken["gap"] == pytest.approx(gap)
    assert say(Message("retrain-unseen")) not in candidate.finding.warnings
    assert any(say(no_more(details)) == said for said in candidate.finding.warnings) == (taken["gap"] != 0)


def test_published_is_the_same_as_without_search_weights_and_columns():
    shown = Study.of(as_loans(LOANS[:800]), loans_plan(features=("merit", "weight", "area", "sex")))
    bare = {"search": False, "reweigh": False, "add_group_columns": False}
    found = [drained(iter_remedy(shown, RELABEL.model_copy(update=each))) for each in ({"as_published": True}, bare)]
    assert (found[0].score == found[1].score).all()
    assert repr(found[0].finding.details.flipped) == repr(found[1].finding.details.flipped)
    assert not found[0].model.n_features_in_ > len(shown.facts.features)
    added = drained(iter_remedy(shown, RELABEL.model_copy(update=bare | {"add_group_columns": True})))
    assert added.model.n_features_in_ == len(shown.facts.features) + 3


def test_gaps_inside_and_outside_the_filter_are_those_of_the_test_cases(tried):
    narrowed = Study.of(as_loans(LOANS), loans_plan(where="merit > 0"))
    candidate = drained(iter_remedy(narrowed, RELABEL))
    places = candidate.finding.details.places.set_index("place")
    assert list(places.index) == ["inside", "outside"]
    for place, rows in (("inside", narrowed.split.held_out), ("outside", narrowed.split.others)):
        assert (narrowed.X["merit"].iloc[rows] > 0).all() == (place == "inside")
        who = narrowed.protected[rows]
        for name, values in (("decided", narrowed.y[rows]), ("after", answers(candidate, narrowed, rows))):
            assert places.loc[place, name] == pytest.approx(values[who].mean() - values[~who].mean())
    assert places.loc["inside", "after"] == pytest.approx(candidate.finding.after.fairness.difference)


def test_a_model_that_sees_the_group_is_given_it_and_its_rows_are_weighed():
    plan = loans_plan(features=("merit", "weight", "area", "sex"))
    shown = Study.of(as_loans(LOANS[:800]), plan)
    assert shown.group_in_features
    finding = drained(iter_remedy(shown, RelabelPlan())).finding
    assert finding.details.weight_ratio != 1
    assert say(Message("retrain-unseen")) not in finding.warnings
    plain = drained(iter_remedy(shown, RelabelPlan(reweigh=False))).finding
    assert plain.details.weight_ratio == 1


def test_a_model_that_does_not_see_the_group_is_fitted_plainly_and_that_is_shown(study, tried):
    assert not study.group_in_features
    finding = tried(RelabelPlan(as_published=True)).finding
    assert finding.details.weight_ratio == 1
    assert say(Message("retrain-unseen")) in finding.warnings


def test_risk_adjustment_shifts_the_protected_scores_up(study):
    remedy = RelabelPlan(algorithm="risk_adjustment", final_model="random_forest", threshold=0.4)
    finding = drained(iter_remedy(study, remedy)).finding
    assert finding.details.risk_shift < 0
    assert finding.details.direction == "raised"
    assert value(finding.after, "gap") < value(finding.before, "gap")


def test_a_known_plain_model_is_used_and_not_fitted_again(study, tried):
    known = {plan_key(PLAIN): tried(PLAIN)}
    events = list(iter_remedy(study, EXACT, known=known))
    assert not any("Fitting" in event.what for event in events[:-1])
    assert repr(numbers(events[-1].result.finding)) == repr(numbers(tried(EXACT).finding))


@pytest.mark.parametrize("remedy", REMEDIES, ids=NAMES)
def test_progress_starts_once_never_goes_back_and_stays_below_its_total(events_of, remedy):
    events = events_of(remedy)
    assert isinstance(events[0], Started)
    assert events[0].what == remedy_name(remedy)
    assert isinstance(events[-1], Finished)
    steps = [event for event in events[1:-1] if not isinstance(event, Incumbent)]
    assert all(isinstance(step, Progress) and step.total == events[0].total for step in steps)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] < events[0].total


def test_exact_thresholds_reach_the_optimum_and_the_swarm_comes_near(tried):
    exact, swarm = tried(EXACT).finding.details, tried(SWARM).finding.details
    assert exact.objective == exact.optimal_objective
    assert exact.objective == pytest.approx(exact.accuracy - exact.gap)
    assert swarm.optimal_objective == exact.optimal_objective
    assert exact.objective - 0.02 <= swarm.objective <= exact.objective
    at_one = exact.sweep.set_index("fairness_weight").loc[1.0]
    assert (at_one["accuracy"], at_one["gap"]) == (exact.accuracy, exact.gap)


def test_thresholds_bring_error_rates_together_where_scores_are_shifted(tried):
    """`rating` is 0.8 lower for women of the same merit, so one cut refuses more of them."""
    finding = tried(OWN_SCORE).finding
    by_group = finding.details.thresholds.set_index("group")
    assert by_group.loc["women", "after"] < by_group.loc["the rest", "after"] - 0.2
    assert (by_group["before"] == 0).all()
    assert value(finding.after, "odds_gap") < value(finding.before, "odds_gap")
    assert finding.needs_group and not finding.uses_protected_features
    assert tried(OWN_SCORE).model is None


def test_chosen_thresholds_are_used_as_they_are(study, tried):
    candidate = tried(CHOSEN)
    limits = pd.Series(study.groups[study.split.held_out]).map(dict(CHOSEN.thresholds))
    assert (candidate.prediction == (candidate.score >= limits)).all()
    details = candidate.finding.details
    assert details.thresholds.set_index("group")["after"].to_dict().items() <= dict(CHOSEN.thresholds).items()
    assert details.objective <= details.optimal_objective


def test_people_of_no_known_group_have_no_threshold_and_are_not_judged(study, tried):
    candidate = tried(EXACT)
    assert any("of no known group" in warning for warning in candidate.finding.warnings)
    assert candidate.finding.details.thresholds["group"].tolist() == ["women", "the rest"]
    assert "missing" in study.groups and "missing" not in study.groups[study.split.held_out]


def test_rates_are_those_of_the_outcome_that_is_called_positive(study, tried):
    turned = Study.of(as_loans(LOANS), loans_plan(positive="unfavorable"))
    good, bad = tried(EXACT).finding.details, drained(iter_remedy(turned, EXACT)).finding.details
    assert bad.thresholds["tpr_after"].tolist() == pytest.approx((1 - good.thresholds["fpr_after"]).tolist())
    assert bad.roc["fpr"].tolist() == pytest.approx((1 - good.roc["tpr"]).tolist())
    assert bad.thresholds["n_positive"].tolist() == good.thresholds["n_negative"].tolist()
    assert bad.thresholds["after"].tolist() == good.thresholds["after"].tolist()
    assert bad.objective == good.objective


def test_a_score_where_higher_is_worse_gives_the_same_decisions():
    plan = loans_plan()
    risk = plan.score.model_copy(update={"higher_is_favorable": False, "cut": 1e-9})
    worse = Study.of(as_loans(LOANS.assign(rating=-LOANS["rating"])), plan.model_copy(update={"score": risk}))
    better = Study.of(as_loans(LOANS), plan)
    one, other = (drained(iter_remedy(study, OWN_SCORE)) for study in (better, worse))
    assert (one.prediction == other.prediction).all()
    assert one.finding.before.errors.counts.equals(other.finding.before.errors.counts)
    assert say(Message("thresholds-turned")) in other.finding.warnings
    # Thresholds are shown in the numbers of the data.
    assert other.finding.details.turned and not one.finding.details.turned
    for column in ("before", "after"):
        found, turned = (finding.details.thresholds[column] for finding in (one.finding, other.finding))
        assert turned.tolist() == pytest.approx((-found).tolist(), abs=1e-6)


def test_a_score_said_to_run_the_wrong_way_is_warned_of():
    plan = loans_plan()
    wrong = plan.score.model_copy(update={"higher_is_favorable": False, "cut": None})
    for score, shown in ((plan.score, False), (wrong, True)):
        study = Study.of(as_loans(LOANS), plan.model_copy(update={"score": score}))
        warnings = drained(iter_remedy(study, OWN_SCORE)).finding.warnings
        assert (say(Message("thresholds-against")) in warnings) is shown


def test_a_score_without_a_cut_is_cut_where_it_is_most_accurate():
    plan = loans_plan()
    study = Study.of(as_loans(LOANS), plan.model_copy(update={"score": plan.score.model_copy(update={"cut": None})}))
    finding = drained(iter_remedy(study, OWN_SCORE)).finding
    cut = finding.details.thresholds["before"].iloc[0]
    tune = study.split.tune
    accuracies = [((study.score[tune] >= c) == study.y[tune]).mean() for c in np.unique(study.score[tune])]
    assert ((study.score[tune] >= cut) == study.y[tune]).mean() == max(accuracies)
    assert say(Message("thresholds-no-cut")) in finding.warnings


def test_rows_without_a_score_get_the_bad_outcome_and_a_warning():
    frame = LOANS.copy()
    frame.loc[::11, "rating"] = np.nan
    study = Study.of(as_loans(frame), loans_plan())
    candidate = drained(iter_remedy(study, OWN_SCORE))
    without = np.isnan(study.score[study.split.held_out])
    assert without.any()
    assert not candidate.prediction[without].any()
    assert any("without a score" in warning for warning in candidate.finding.warnings)


def test_equalizing_brings_the_scores_of_the_groups_together():
    """`rating` and `weight` reveal the sex; without them in step, the model gives women lower scores."""
    study = Study.of(as_loans(LOANS), loans_plan(features=("rating", "weight")))
    finding = drained(iter_remedy(study, EQUALIZE)).finding
    shares = finding.details.distribution
    assert shares.groupby(["model", "group", "label"])["share"].sum().tolist() == pytest.approx([1.0] * 8)
    assert shares.groupby("model")["n"].sum().tolist() == [len(study.split.held_out)] * 2
    tables = shares.pivot_table(index=["model", "label"], columns=["group", "bin_low"], values="share")
    apart = (tables["women"] - tables["the rest"]).abs().sum(axis=1) / 2
    # The loss adds the distances up over both labels, so that one of them may stay as it is.
    assert apart["after"].sum() < 0.8 * apart["before"].sum()
    assert value(finding.after, "odds_gap") < value(finding.before, "odds_gap")
    assert finding.details.loss_last < finding.details.loss_first
    assert not finding.needs_group


def test_the_sweep_of_weights_holds_the_plans_own_and_accuracy_alone(study, tried):
    for remedy in (EQUALIZE, EqualizePlan(accuracy_weight=1.0, max_iter=50)):
        details = tried(remedy).finding.details
        weights = details.sweep["accuracy_weight"]
        assert weights.is_monotonic_increasing and weights.is_unique
        assert {remedy.accuracy_weight, 1.0} <= set(weights)
        own = details.sweep.set_index("accuracy_weight").loc[remedy.accuracy_weight]
        assert own["threshold"] == details.threshold


def test_a_stop_in_the_sweep_keeps_the_model(study, events_of, tried):
    steps = [e for e in events_of(EQUALIZE) if isinstance(e, Progress)]
    first = next(i for i, step in enumerate(steps, start=1) if step.done >= 50)
    finding = stopped_at(iter_remedy(study, EQUALIZE), first).finding
    assert finding.after.measures == tried(EQUALIZE).finding.after.measures
    assert set(finding.details.sweep["accuracy_weight"]) == {0.5, 1.0}
    assert not finding.details.stopped


def test_a_search_that_finds_nothing_says_so():
    study = Study.of(as_loans(LOANS), loans_plan(features=("rating", "weight")))
    remedy = EqualizePlan(distance="histogram", optimizer="momentum", max_iter=1, accuracy_weight=0.0)
    warnings = drained(iter_remedy(study, remedy)).finding.warnings
    assert say(Message("equalize-nothing-found")) in warnings


# What cannot be done, or can be done and must be said.


@pytest.mark.parametrize("column", ["constant", "tied"])
def test_scores_that_distinguish_nothing_end_in_one_answer_for_a_group(column):
    frame = LOANS.assign(constant=3, tied=np.where(LOANS["sex"] == "woman", 1, 2))
    plan = loans_plan().model_copy(update={"score": loans_plan().score.model_copy(update={"column": column})})
    finding = drained(iter_remedy(Study.of(as_loans(frame), plan), OWN_SCORE)).finding
    one_answer = [say(Message(key, {"groups": Phrase("")})) for key in ("doubt-all-pass", "doubt-none-passes")]
    assert any(warning.startswith(said[:-2]) for said in one_answer for warning in finding.warnings)
    assert 0 <= value(finding.after, "accuracy") <= 1


def test_a_constant_feature_gives_one_answer_and_says_so():
    frame = LOANS.assign(constant=3)
    finding = drained(iter_remedy(Study.of(as_loans(frame), loans_plan(features=("constant",))), PLAIN)).finding
    assert say(Message("doubt-same-answer", {"what": Phrase("model")})) in finding.warnings


@pytest.mark.parametrize("remedy", [EXACT, EQUALIZE], ids=["thresholds", "equalize"])
@pytest.mark.parametrize("mask", [False, True])
def test_a_group_with_one_outcome_is_named_where_it_matters(remedy, mask):
    frame = LOANS.assign(team=np.where(LOANS["granted"].eq("yes") & (np.arange(len(LOANS)) % 5 == 0), "lucky", "other"))
    plan = loans_plan(by=("team",)).model_copy(update={"small_cells": SmallCellsPlan(mask=mask)})
    study = Study.of(as_loans(frame), plan)
    with pytest.raises(GroupError) as caught:
        drained(iter_remedy(study, remedy))
    assert "'lucky'" in str(caught.value)
    assert any(c.isdigit() for c in caught.value.message) != mask
    assert drained(iter_remedy(study, PLAIN)).finding.after.n == len(study.split.held_out)


def test_a_column_that_is_the_label_in_disguise_is_named_and_reveals_everything():
    frame = LOANS.assign(paid_out=np.where(LOANS["granted"] == "yes", 1000, 0))
    study = Study.of(as_loans(frame), loans_plan(features=("merit", "paid_out")))
    assert any("'paid_out'" in warning for warning in study.facts.warnings)
    assert value(drained(iter_remedy(study, PLAIN)).finding.after, "accuracy") == 1


@pytest.mark.parametrize("remedy", [PLAIN, RELABEL, EXACT, EQUALIZE], ids=["plain", "relabel", "exact", "equalize"])
@pytest.mark.campaign
def test_missing_values_in_every_feature_are_taken(remedy):
    frame = LOANS.copy()
    for place, name in enumerate(("merit", "weight", "area")):
        frame.loc[frame.index[place::7], name] = None
    frame["empty"] = pd.Series([None] * len(frame), dtype=float)
    study = Study.of(as_loans(frame), loans_plan(features=("merit", "weight", "area", "empty")))
    assert value(drained(iter_remedy(study, remedy)).finding.before, "auc") > 0.6


@pytest.mark.parametrize("part", ["tune", "held_out"])
def test_a_group_that_is_missing_from_a_part_is_named_where_it_matters(study, part):
    rows = getattr(study.split, part)
    groups = study.groups.copy()
    groups[rows] = "the rest"
    altered = replace(study, groups=groups)
    if part == "tune":
        with pytest.raises(GroupError, match="'women' has 0 rows with the favourable result and 0 without it"):
            drained(iter_remedy(altered, EXACT))
    else:
        assert drained(iter_remedy(altered, EXACT)).finding.details.thresholds["group"].tolist() == [
            "women",
            "the rest",
        ]
    assert any("'women'" in w for w in drained(iter_remedy(altered, PLAIN)).finding.warnings) == (part == "held_out")


def test_one_group_only_is_refused_where_groups_are_compared(study):
    alone = Study.of(as_loans(LOANS.assign(team="all")), loans_plan(by=("team",)))
    for remedy in (EXACT, EQUALIZE):
        with pytest.raises(GroupError, match="There is one group only, 'all'"):
            drained(iter_remedy(alone, remedy))
    assert drained(iter_remedy(alone, RELABEL)).finding.details.n_flipped > 0


def test_relabelling_needs_both_sides_to_learn_from(study):
    nobody = study.protected.copy()
    nobody[study.split.learning] = False
    with pytest.raises(GroupError, match="needs at least 2 protected rows to learn from, and there are 0"):
        drained(iter_remedy(replace(study, protected=nobody), RELABEL))


def test_thresholds_for_a_group_that_there_is_not_are_refused(study):
    wrong = ThresholdsPlan(search="chosen", thresholds=(("woman", 0.5), ("the rest", 0.5)))
    with pytest.raises(InputError, match="names the group 'woman', which there is not"):
        drained(iter_remedy(study, wrong))
    few = ThresholdsPlan(search="chosen", thresholds=(("women", 0.5),))
    with pytest.raises(InputError, match="has none for 'the rest'"):
        drained(iter_remedy(study, few))


def test_thresholds_on_a_score_need_one(study):
    plan = loans_plan().model_copy(update={"score": None})
    with pytest.raises(InputError, match="the plan names no score"):
        drained(iter_remedy(Study.of(as_loans(LOANS), plan), OWN_SCORE))


def test_a_protected_feature_is_marked(tried):
    with_sex = Study.of(as_loans(LOANS), loans_plan(features=("merit", "sex")))
    assert drained(iter_remedy(with_sex, PLAIN)).finding.uses_protected_features
    assert not tried(PLAIN).finding.uses_protected_features


@pytest.mark.parametrize("n_groups", [2, 50])
@pytest.mark.parametrize("remedy", [EXACT, SWARM, EQUALIZE], ids=["exact", "pso", "equalize"])
@pytest.mark.campaign
def test_many_groups_are_handled(n_groups, remedy):
    frame = biased_loans(max(600, 60 * n_groups))
    frame["team"] = [f"t{i:02d}" for i in np.random.default_rng(1).integers(n_groups, size=len(frame))]
    study = Study.of(as_loans(frame), loans_plan(by=("team",)))
    finding = drained(iter_remedy(study, remedy)).finding
    assert len(finding.after.errors.groups) == n_groups
    if remedy is not EQUALIZE:
        assert len(finding.details.thresholds) == n_groups


@pytest.mark.parametrize("remedy", [PLAIN, RELABEL, EXACT, EQUALIZE], ids=["plain", "relabel", "exact", "equalize"])
def test_twenty_rows_end_in_an_answer_with_a_warning(remedy):
    frame = pd.DataFrame({"sex": list("FM") * 10, "merit": range(20), "rating": range(20)})
    frame["granted"] = np.where(frame["merit"] % 4 < 2, "yes", "no")
    study = Study.of(as_loans(frame), loans_plan(features=("merit",), protected="sex = 'F'", protected_name=None))
    finding = drained(iter_remedy(study, remedy)).finding
    few = group_warnings(study)
    assert few and set(few) <= set(finding.warnings)


# Stopping.


def stopped_at(events, number: int):
    """Send STOP at the given progress, and return the result."""
    seen, command = 0, None
    while True:
        event = events.send(command)
        command = None
        if isinstance(event, Finished):
            return event.result
        if isinstance(event, Progress):
            seen += 1
            command = STOP if seen == number else None


def test_a_stopped_search_keeps_its_best_so_far(study, tried):
    known = {plan_key(PLAIN): tried(PLAIN)}
    details = stopped_at(iter_remedy(study, SWARM, known=known), 4).finding.details
    assert details.stopped
    assert details.objective <= details.optimal_objective


def test_relabelling_that_is_stopped_before_its_final_model_has_nothing(study, tried):
    with pytest.raises(StoppedError):
        stopped_at(iter_remedy(study, RelabelPlan()), 1)
    once = RelabelPlan(as_published=True)
    stopped = stopped_at(iter_remedy(study, once), 6).finding
    assert stopped.details.stopped
    assert stopped.details.n_epochs < tried(once).finding.details.n_epochs


def test_a_stopped_plain_model_says_so(study):
    assert stopped_at(iter_remedy(study, PlainPlan(model="mlp")), 3).finding.stopped


# The whole part of an audit.


def with_remedies(*remedies):
    return loans_plan().model_copy(update={"remedies": remedies})


def test_a_run_tries_the_remedies_in_order_on_one_study(study, tried):
    plan = with_remedies(PLAIN, RELABEL, EXACT)
    found = run(plan, table=as_loans(LOANS)).remedies
    assert [finding.plan for finding in found.remedies] == [PLAIN, RELABEL, EXACT]
    for finding in found.remedies:
        assert repr(numbers(finding)) == repr(numbers(tried(finding.plan).finding))
    assert found.facts.n_held_out == len(study.split.held_out)
    assert run(with_remedies(), table=as_loans(LOANS)).remedies is None


def test_a_remedy_gives_the_same_numbers_alone_and_after_others(tried):
    both = drained(iter_remedies(as_loans(LOANS), with_remedies(SWARM, PLAIN))).remedies
    assert repr(numbers(both[0])) == repr(numbers(tried(SWARM).finding))


def test_remedies_have_names_of_their_own():
    again = PlainPlan(name="Model without the remedy, logistic regression")
    found = drained(iter_remedies(as_loans(LOANS), with_remedies(PLAIN, PLAIN, again, PlainPlan(name="mine")))).remedies
    names = [finding.name for finding in found]
    assert len(set(names)) == 4
    assert names[2:] == ["Model without the remedy, logistic regression", "mine"]
    assert [finding.after.name for finding in found] == names


def test_progress_of_a_run_never_goes_back():
    events = list(iter_run(with_remedies(PLAIN, SWARM), table=as_loans(LOANS)))
    total = events[0].total
    done = [event.done for event in events[1:-1]]
    assert all(event.total == total for event in events[1:-1])
    assert done == sorted(done)
    assert done[-1] == total - 1
    assert any(event.what.startswith("Model without the remedy, logistic regression: ") for event in events[1:-1])


def test_a_stopped_run_of_remedies_keeps_those_that_are_done():
    plan = with_remedies(PLAIN, RELABEL, EXACT)
    table = as_loans(LOANS)
    steps = [e.what for e in iter_remedies(table, plan) if isinstance(e, Progress)]
    first = next(i for i, what in enumerate(steps, start=1) if what.startswith(remedy_name(RELABEL)))
    found = stopped_at(iter_remedies(table, plan), first)
    assert [finding.plan for finding in found.remedies] == [PLAIN]
    assert any("Stopped after 1 of 3 remedies" in warning for warning in found.facts.warnings)
    with pytest.raises(StoppedError):
        stopped_at(iter_remedies(table, plan), 1)
