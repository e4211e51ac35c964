"""Remedies learn and choose away from the held-out rows, repeat exactly, and find what was put into the data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.errors import GroupError, InputError, StoppedError
from fairaudit.events import STOP, Finished, Progress, Started
from fairaudit.plan import SmallCellsPlan
from fairaudit.plan_remedies import EqualizePlan, PlainPlan, RelabelPlan, ThresholdsPlan

from fairaudit.run_remedies import Candidate, iter_remedies, iter_remedy, plan_key, remedy_name
from fairaudit.study import Study

LOANS = biased_loans()
PLAIN = PlainPlan()
RELABEL = RelabelPlan(final_model="gradient_boosting")
EXACT = ThresholdsPlan()
SWARM = ThresholdsPlan(search="pso")
OWN_SCORE = ThresholdsPlan(model="score")
EQUALIZE = EqualizePlan(max_iter=200)
CHOSEN = ThresholdsPlan(search="chosen", thresholds=(("women", 0.3), ("the rest", 0.5), ("missing", 0.5)))
REMEDIES = (PLAIN, RELABEL, EXACT, SWARM, OWN_SCORE, CHOSEN, EQUALIZE)
NAMES = [plan_key(remedy)[:90] for remedy in REMEDIES]


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.of(as_loans(LOANS), loans_plan())


@pytest.fixture(scope="module")
def tried(study):
    """Return what trying a remedy found; each is tried once."""
    return cache(lambda remedy: drained(iter_remedy(study, remedy)))


def value(evaluation, measure: str) -> float:
    return evaluation.measure(measure).value


def numbers(finding) -> list:
    """All that a finding says, in an order that does not change."""
    parts = [finding.before.measures, finding.after.measures, finding.changes, finding.warnings]
    for evaluation in (finding.before, finding.after):
        parts += [evaluation.fairness, evaluation.errors.counts.to_dict("list")]
    details = {} if finding.details is None else vars(finding.details)
    parts += [part.to_dict("list") if isinstance(part, pd.DataFrame) else part for part in details.values()]
    return parts


def fitted(candidate: Candidate) -> list:
    """What was chosen without the held-out rows."""
    details = candidate.finding.details
    chosen = {name: part for name, part in vars(details).items() if name != "distribution"} if details else {}
    parts = [part.to_dict("list") if isinstance(part, pd.DataFrame) else part for part in chosen.values()]
    return [repr(part) for part in parts]


@pytest.mark.parametrize("remedy", REMEDIES, ids=NAMES)
def test_held_out_rows_have_no_part_in_what_is_chosen(study, tried, remedy):
    held = study.split.held_out
    random = np.random.default_rng(0)
    y, X = study.y.copy(), study.X.copy()
    y[held] = 1 - y[held]
    score = study.score.copy()
    score[held] = random.normal(size=len(held))
    X.loc[held, "merit"] = random.normal(size=len(held))
    protected, groups = study.protected.copy(), study.groups.copy()
    protected[held] = ~protected[held]
    groups[held] = random.permutation(groups[held])
    altered = replace(study, y=y, X=X, score=score, protected=protected, groups=groups)
    again = drained(iter_remedy(altered, remedy))
    first = tried(remedy)
    assert fitted(again) == fitted(first)
    if first.model is not None:
        rows = study.X.iloc[study.split.learning]
        who = {"sensitive_features": study.groups[study.split.learning]} if first.finding.needs_group else {}
        assert (first.model.predict(rows, **who) == again.model.predict(rows, **who)).all()


@pytest.mark.parametrize("remedy", REMEDIES, ids=NAMES)
def test_the_same_plan_gives_the_same_numbers(study, tried, remedy):
    again = Study.of(as_loans(LOANS), loans_plan())
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
    assert len(candidate.prediction) == len(candidate.score) == n
    assert set(candidate.prediction) <= {0, 1}
    truth = study.y[study.split.held_out]
    assert value(finding.after, "accuracy") == pytest.approx((candidate.prediction == truth).mean())
    for change in finding.changes:
        assert change.before == pytest.approx(value(finding.before, change.measure), nan_ok=True)
        assert change.after == pytest.approx(value(finding.after, change.measure), nan_ok=True)


def test_a_plain_model_is_its_own_before_and_after(tried):
    finding = tried(PLAIN).finding
    assert finding.before is finding.after
    assert (finding.changes, finding.details) == ((), None)
    assert not finding.needs_group


def test_relabelling_closes_the_gap_that_was_put_into_the_labels(study, tried):
    finding = tried(RELABEL).finding
    assert study.facts.decisions.difference < -0.15
    assert value(finding.before, "gap") > 0.15
    assert value(finding.after, "gap") < 0.75 * value(finding.before, "gap")
    assert finding.details.direction == "raised"
    assert finding.details.gap_before < -0.15
    assert abs(finding.details.gap_after) <= 1 / finding.details.n_protected
    assert finding.details.n_risk + finding.details.n_relabeled == len(study.split.learning)
    flipped = finding.details.flipped
    assert flipped["n"].sum() == finding.details.n_relabeled
    assert flipped["n_flipped"].sum() == finding.details.n_flipped > 0
    assert set(flipped.loc[flipped["n_flipped"] > 0, "group"]) == {"women"}
    assert set(flipped.loc[flipped["n_flipped"] > 0, "label"]) == {0}


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
def test_progress_starts_once_never_goes_back_and_stays_below_its_total(study, remedy):
    events = list(iter_remedy(study, remedy))
    assert isinstance(events[0], Started)
    assert events[0].what == remedy_name(remedy)
    assert isinstance(events[-1], Finished)
    steps = events[1:-1]
    assert all(isinstance(step, Progress) and step.total == events[0].total for step in steps)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] < events[0].total
