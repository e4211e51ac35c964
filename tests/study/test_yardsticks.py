"""Simple answers: chosen on the tuning rows within a limit, judged on the held-out ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.constraint_check import rated_rows
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study
from fairaudit.study.yardsticks import PlainScore, Wish, yardsticks_of


@pytest.fixture(scope="module", params=["favorable", "unfavorable"])
def study(request) -> Study:
    plan = loans_plan()
    plan = plan.model_copy(update={"models": plan.models.model_copy(update={"positive": request.param})})
    return Study.of(as_loans(biased_loans(900)), plan)


@pytest.fixture(scope="module")
def plain(study) -> PlainScore:
    """Return a score that knows the outcome well, and more so of men."""
    rng = np.random.default_rng(0)
    score = np.round(study.y + (1.5 - 0.5 * study.protected) * rng.normal(0, 0.4, len(study.y)), 3)
    return PlainScore("a score", 0.5, score[study.split.tune], score[study.split.held_out])


def found(study, plain, tuned, *, rows=None, by_group=False):
    after = Judged(np.ones(len(study.split.held_out), dtype=np.int64))
    answers = yardsticks_of(study, Wish.of(study, rows), plain, tuned, after, by_group=by_group)
    return {each.kind: each for each in answers}


def gap_of(study, h):
    rows = study.split.tune
    inside, protected = study.population[rows], study.protected[rows]
    return abs(h[inside & protected].mean() - h[inside & ~protected].mean())


def test_the_shifted_threshold_is_the_best_within_the_limit_of_all(study, plain):
    y = study.y[study.split.tune]
    nobody = np.zeros(len(y), dtype=np.int64)
    right = []
    for cut in {0.5, *((np.unique(plain.tuning)[1:] + np.unique(plain.tuning)[:-1]) / 2)}:
        h = (plain.tuning >= cut).astype(int)
        if gap_of(study, h) <= study.models.tolerance + 1e-9:
            right.append((h == y).mean())
    answers = found(study, plain, nobody)
    assert gap_of(study, (plain.tuning >= 0.5).astype(int)) > study.models.tolerance
    assert not answers["plain"].keeps_limit and answers["constant"].keeps_limit and answers["shifted"].keeps_limit
    n_good = sum(
        side.positives for side in (answers["shifted"].fairness.protected, answers["shifted"].fairness.reference)
    )
    inside = study.population[study.split.held_out]
    reached = [
        ((plain.tuning >= cut).astype(int) == y).mean()
        for cut in np.unique(plain.tuning)
        if (plain.held_out[inside] >= cut).sum() == n_good
    ]
    assert max(right) in reached


def test_a_remedy_that_leaves_a_larger_gap_allows_as_much(study, plain):
    cut = (plain.tuning >= 0.5).astype(np.int64)
    answers = found(study, plain, cut)
    assert answers["plain"].keeps_limit
    # Right as often as the remedy, which is the same, so not ahead of it.
    assert not answers["plain"].is_ahead


def test_who_answers_worse_than_the_same_for_everybody_is_beaten(study, plain):
    wrong = 1 - study.y[study.split.tune]
    answers = found(study, plain, wrong)
    assert answers["constant"].is_ahead
    assert sum(each.is_best for each in answers.values()) == 1


def test_a_remedy_well_within_its_limit_is_held_against_the_best_threshold_at_its_own_gaps(study, plain):
    y, rows = study.y[study.split.tune], study.split.tune
    gaps = {cut: gap_of(study, (plain.tuning >= cut).astype(int)) for cut in np.unique(plain.tuning)}
    cut = next(cut for cut in sorted(gaps, key=lambda cut: abs(cut - 0.5)) if gaps[cut] < study.models.tolerance / 2)
    tuned = (plain.tuning >= cut).astype(np.int64)
    # Two of the rest are answered worse, so that the gap stays.
    for label in (0, 1):
        spoiled = np.flatnonzero(~study.protected[rows] & study.population[rows] & (tuned == y) & (y == label))[0]
        tuned[spoiled] = 1 - label
    assert gap_of(study, tuned) == pytest.approx(gaps[cut])
    answers = found(study, plain, tuned)
    ahead = [each for each in answers.values() if each.is_ahead]
    assert ahead and answers["shifted"].keeps_limit
    if "shifted_closer" in answers:
        assert "no further apart than this remedy" in ahead[0].name
        assert gap_of(study, (plain.tuning >= ahead[0].threshold).astype(int)) <= gaps[cut] + 1e-9


def test_a_simple_answer_can_be_asked_for_in_a_plan():
    study = Study.of(as_loans(biased_loans(600)), loans_plan())
    finding = drained(iter_remedy(study, RelabelPlan())).finding
    [shifted] = (each for each in finding.yardsticks if each.kind == "shifted")
    plan = PlainPlan(model=shifted.learner, threshold=shifted.threshold)
    asked = drained(iter_remedy(study, plan)).finding
    assert str(asked.after.measures) == str(shifted.measures) and "for everybody" in asked.name


def test_only_the_first_division_judges_simple_answers():
    study = Study.of(as_loans(biased_loans(600)), loans_plan())
    again = study.divided_again(2)
    assert again.number == 2 and drained(iter_remedy(again, RelabelPlan())).finding.yardsticks == ()


def test_where_the_group_may_be_asked_it_may_have_a_threshold(study, plain):
    nobody, rows = np.zeros(len(study.split.tune), dtype=np.int64), rated_rows(study, "equalized_odds", 0.1)
    answers = found(study, plain, nobody, rows=rows, by_group=True)
    assert answers["by_group"].keeps_limit
    assert "by_group" not in found(study, plain, nobody, rows=rows)


def test_without_a_score_there_is_the_same_answer_for_everybody(study):
    [only] = found(study, None, study.y[study.split.tune]).values()
    assert only.kind == "constant" and only.is_best and only.fairness.difference == 0


def test_held_out_rows_choose_nothing(study, plain):
    tuned = (plain.tuning >= 0.5).astype(np.int64)
    turned = replace(plain, held_out=-plain.held_out)
    one, other = found(study, plain, tuned), found(study, turned, tuned)
    assert [(k, y.keeps_limit, y.is_best, y.is_ahead) for k, y in one.items()] == [
        (k, y.keeps_limit, y.is_best, y.is_ahead) for k, y in other.items()
    ]


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize(
    "remedy", [RelabelPlan(), ThresholdsPlan(), EqualizePlan(), RulesPlan(rules=("merit > 0",))], ids=lambda r: r.method
)
def test_each_remedy_is_judged_beside_them(remedy, positive):
    plan = loans_plan()
    plan = plan.model_copy(update={"models": plan.models.model_copy(update={"positive": positive})})
    finding = drained(iter_remedy(Study.of(as_loans(biased_loans(600)), plan), remedy)).finding
    kinds = [each.kind for each in finding.yardsticks]
    assert kinds[:2] == ["constant", "plain"] and sum(each.is_best for each in finding.yardsticks) == 1
    plain = finding.yardsticks[1]
    assert plain.measure("accuracy").value == pytest.approx(finding.before.measure("accuracy").value)


def test_a_rate_that_an_answer_does_not_have_is_not_kept_alike():
    study = Study.of(as_loans(biased_loans(900)), loans_plan())
    nobody, everybody = (np.full(len(study.split.tune), answer) for answer in (0, 1))
    wish = Wish.of(study, rated_rows(study, "equalized_odds", 0.1))
    assert not wish.excesses(nobody).any() and not wish.excesses(everybody).any()
    specs = (FairnessSpec("fdr", "group", 0.1),)
    rows = replace(rated_rows(study, "demographic_parity", 0.1), specs=specs)
    assert np.isinf(Wish.of(study, rows).excesses(nobody)) and np.isfinite(Wish.of(study, rows).excesses(everybody))


def test_a_group_that_has_none_of_the_rows_of_a_rate_is_left_out():
    study = Study.of(as_loans(biased_loans(900)), loans_plan())
    rows = rated_rows(study, "equal_opportunity", 0.1)
    y = np.where(study.protected, 0, rows.y)
    assert not Wish.of(study, replace(rows, y=y)).excesses(study.y[study.split.tune]).any()


@pytest.mark.parametrize("states_limit", [True, False])
def test_a_simple_rule_holds_on_the_test_cases_only_within_the_limit_and_at_no_larger_gap(study, plain, states_limit):
    rows = rated_rows(study, "demographic_parity", study.models.tolerance) if states_limit else None
    wish, held = Wish.of(study, rows), study.split.held_out
    inside, women = study.population[held], study.protected[held]

    def gap(h):
        return abs(h[inside & women].mean() - h[inside & ~women].mean())

    remedies = [(plain.held_out >= cut).astype(np.int64) for cut in np.quantile(plain.held_out, (0.1, 0.4, 0.7))]
    most = study.models.tolerance if states_limit else 1.0
    for remedy in remedies:
        for simple in remedies:
            assert wish.holds_in_test(simple, remedy) == (gap(simple) <= min(gap(remedy), most) + 1e-9)
