"""No group worse off than before: kept by the remedies that can, refused by the others, judged for all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy, remedy_name
from fairaudit.errors import PlanError
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.fitting import (
    NOT_KEPT,
    Baseline,
    FittedRemedy,
    GroupFloors,
    judged,
    plain_answers,
    threshold_within,
    wish_before,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.judging.results import WORSE
from fairaudit.study.rows import Study
from fairaudit.study.yardsticks import asked_rows

LOANS = biased_loans(2400)
WISH = {"no_group_worse_off": True}
FLAGGED = {
    "constrain": ConstrainPlan(constraints=("demographic_parity by sex <= 0.02",), **WISH),
    "thresholds": ThresholdsPlan(fairness_weight=5.0, **WISH),
    "swarm": ThresholdsPlan(fairness_weight=5.0, search="pso", **WISH),
    "score": ThresholdsPlan(model="score", **WISH),
    "equalize": EqualizePlan(max_iter=50, **WISH),
    "relabel": RelabelPlan(final_model="gradient_boosting", **WISH),
}
SHARES = ("constrain", "relabel")
"""Those that are about shares of good outcomes; the others are about errors."""


@cache
def study_of(positive: str) -> Study:
    """Return rows in which "no" is the good outcome: women have it more often, so that a gap is closed downwards."""
    plan = loans_plan(positive=positive)
    decision = plan.decision.model_copy(update={"favorable": ("no",)})
    score = plan.score.model_copy(update={"higher_is_favorable": False})
    plan = plan.model_copy(update={"decision": decision, "score": score})
    return Study.of(as_loans(LOANS), plan).reading(as_loans(LOANS), ("sex",))


@cache
def plain(positive: str):
    return drained(iter_remedy(study_of(positive), PlainPlan())).model


@cache
def candidate_of(name: str, positive: str):
    return drained(iter_remedy(study_of(positive), FLAGGED[name]))


def tuned(name: str, positive: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what is predicted for the tuning rows before and after."""
    study, candidate = study_of(positive), candidate_of(name, positive)
    tune = study.split.tune
    if name == "score":
        by_group = candidate.finding.details.thresholds.set_index("group")
        groups = study.groups[tune]
        # In the numbers of the data a lower score is better: the good outcome up to a threshold.
        default = float(by_group["before"].iloc[0])
        limits = np.array([by_group["after"].get(group, default) for group in groups])
        return (-study.score[tune] <= default).astype(int), (-study.score[tune] <= limits).astype(int)
    who = {"sensitive_features": study.groups[tune]} if candidate.finding.needs_group else {}
    before, _ = plain_answers(plain(positive), study.X.iloc[tune])
    return before, np.asarray(candidate.model.predict(study.X.iloc[tune], **who), dtype=int)


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("name", FLAGGED)
def test_on_the_tuning_rows_no_group_is_worse_off_by_rates_worked_out_here(name, positive):
    study = study_of(positive)
    finding = candidate_of(name, positive).finding
    assert finding.worse_off.asked and finding.worse_off.kept is True
    assert NOT_KEPT not in finding.warnings
    tune = study.split.tune
    y, protected, known = study.y[tune], study.protected[tune], study.group_known[tune]
    before, after = tuned(name, positive)
    for side in (protected, ~protected):
        rows = known & side if name in SHARES else known & side & (y == 1)
        assert after[rows].mean() >= before[rows].mean() - 1e-12


@pytest.mark.parametrize("name", ["constrain", "score", "equalize", "relabel"])
def test_without_the_wish_the_same_remedy_does_leave_a_group_worse_off(name):
    free = FLAGGED[name].model_copy(update={"no_group_worse_off": False})
    found = drained(iter_remedy(study_of("favorable"), free)).finding
    assert not found.worse_off.asked and found.worse_off.kept is None
    flagged = candidate_of(name, "favorable").finding
    assert found.worse_off.standing == WORSE != flagged.worse_off.standing


def test_the_name_of_a_remedy_says_what_was_asked():
    assert remedy_name(FLAGGED["swarm"]).endswith(", no group worse off")
    assert "worse off" not in remedy_name(ThresholdsPlan())


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_the_threshold_for_all_is_the_most_accurate_that_keeps_to_it_by_enumeration(positive):
    study = study_of(positive)
    tune = study.split.tune
    rng = np.random.default_rng(4)
    score = np.round((study.y[tune] * 0.2 + rng.random(len(tune))) / 1.2, 2)
    before = np.ones(len(study.split.learning), dtype=int)
    before[rng.random(len(before)) < 0.4] = 0
    wish = wish_before(study, asked_rows(study), before)

    def holds(threshold: float) -> bool:
        h = (score >= threshold).astype(int)
        return wish.holds(h if positive == "favorable" else 1 - h)

    def right(threshold: float) -> float:
        return float(((score >= threshold) == study.y[tune]).mean())

    assert not holds(0.9)
    found = threshold_within(study, wish, score, 0.9)
    assert holds(found)
    assert right(found) == pytest.approx(max(right(cut) for cut in (0.0, *np.unique(score)) if holds(cut)))
    assert threshold_within(study, wish, score, 0.0) == 0.0, "a threshold that keeps to it stays"


def test_where_nothing_keeps_to_it_that_is_said_and_the_remedy_is_made_all_the_same():
    study = study_of("favorable")
    first = candidate_of("thresholds", "favorable").finding
    rows = asked_rows(study)
    everybody = np.ones(len(study.split.tune), dtype=np.int64)
    finding = judged(
        study,
        first.plan,
        "a remedy",
        Baseline("before", Judged(np.ones(study.held_out.n)), np.ones(len(study.split.learning), dtype=np.int64), None),
        FittedRemedy(None, Judged(np.zeros(study.held_out.n)), np.zeros(len(study.split.tune), dtype=np.int64)),
        keeps=NoGroupWorseOff.of(rows.take(study.split.tune), everybody, positive_is_good=True),
        details=first.details,
        warnings=(),
    ).finding
    assert finding.worse_off.kept is False and finding.warnings == (NOT_KEPT,)
    assert {change.standing for change in finding.worse_off.groups} == {WORSE}
    assert [(change.before, change.after) for change in finding.worse_off.groups] == [(1.0, 0.0)] * 2


def plan_text(method: str, more: str) -> str:
    return loans_plan().to_toml() + f'\n[[remedies]]\nmethod = "{method}"\n{more}\n'


def test_a_remedy_that_cannot_keep_to_it_says_so_and_names_those_that_can():
    with pytest.raises(PlanError) as caught:
        AuditPlan.from_toml(plan_text("plain", "no_group_worse_off = true"))
    said = str(caught.value)
    assert 'method = "plain" cannot keep' in said and "no_group_worse_off" in said and "line" in said
    assert all(f'"{name}"' in said for name in ("constrain", "thresholds", "equalize", "relabel", "rules", "trees"))
    plan = AuditPlan.from_toml(plan_text("plain", "no_group_worse_off = false"))
    assert plan.remedies[-1].method == "plain"


@pytest.mark.parametrize(
    ("method", "more", "said"),
    [
        ("trees", 'search = "look_ahead"', "needs 'search' = 'optimal'"),
        ("trees", 'constraint = "none"', "needs 'constraint' or 'discrimination'"),
        ("rules", 'fairness = "none"', "needs 'fairness'"),
        ("rules", 'rules = ["merit > 0.2"]', "rules that a person chose"),
    ],
)
def test_rules_and_trees_say_where_they_cannot_keep_to_it(method, more, said):
    with pytest.raises(PlanError, match=said):
        AuditPlan.from_toml(plan_text(method, f"{more}\nno_group_worse_off = true"))
    assert AuditPlan.from_toml(plan_text(method, more)).remedies[-1].method == method


LEARNED = {
    "rules": RulesPlan(
        max_complexity=6, fairness="demographic_parity", max_difference=0.02, max_rule_length=2, time_limit=2
    ),
    "trees": TreesPlan(max_depth=2, max_difference=0.02, time_limit=2),
}


@cache
def learned(name: str, positive: str, *, asked: bool):
    """Make a rule set or tree; where it is asked for the wish, the search without it is known to it."""
    plan = LEARNED[name].model_copy(update={"no_group_worse_off": asked})
    known = {name: learned(name, positive, asked=False)} if asked else {}
    return drained(iter_remedy(study_of(positive), plan, known=known))


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("name", LEARNED)
def test_rules_and_trees_keep_to_it_on_the_tuning_rows_by_shares_worked_out_here(name, positive):
    study, candidate = study_of(positive), learned(name, positive, asked=True)
    finding = candidate.finding
    assert finding.worse_off.asked and finding.worse_off.kept is True and NOT_KEPT not in finding.warnings
    tune = study.split.tune
    before, after = (np.asarray(model.predict(study.X.iloc[tune])) for model in (candidate.plain, candidate.model))
    for side in (study.protected[tune], ~study.protected[tune]):
        rows = study.group_known[tune] & side
        assert after[rows].mean() >= before[rows].mean() - 1e-12
    details = finding.details
    assert details.trained_gap <= 0.02 + 1e-9
    assert details.bound <= details.objective + 1e-9
    free = learned(name, positive, asked=False).finding
    assert not free.worse_off.asked and free.details.objective <= details.objective + 1e-9


@pytest.mark.parametrize("name", LEARNED)
def test_a_search_that_is_known_serves_the_wish_and_is_not_changed_by_it(name):
    free, kept = (learned(name, "favorable", asked=asked) for asked in (False, True))
    both = {"free": free, "kept": kept}
    again = drained(iter_remedy(study_of("favorable"), LEARNED[name], known=both))
    assert (again.prediction == free.prediction).all()
    asked = LEARNED[name].model_copy(update={"no_group_worse_off": True})
    assert (drained(iter_remedy(study_of("favorable"), asked, known=both)).prediction == kept.prediction).all()


def test_floors_are_raised_by_what_is_missing_on_the_tuning_rows():
    study = study_of("favorable")
    everybody = np.ones(len(study.y), dtype=np.int64)
    wish = GroupFloors.of(study, asked_rows(study), everybody)
    assert wish.floors.least == pytest.approx([1, 1])
    tune = study.split.tune
    # Nobody of the protected group has the good outcome, everybody else has it.
    raised = wish.raised((~study.protected[tune]).astype(np.int64))
    assert raised.floors.least == pytest.approx([2, 1])
    assert raised.on_tuning is wish.on_tuning


def test_thresholds_that_a_person_chose_are_not_asked_for_it():
    text = plan_text("thresholds", 'search = "chosen"\nthresholds = [["women", 0.3]]\nno_group_worse_off = true')
    with pytest.raises(PlanError, match="which are taken as they are"):
        AuditPlan.from_toml(text)


@pytest.mark.parametrize("remedy", [RulesPlan(rules=("merit > 0.2",)), TreesPlan(max_depth=1)], ids=["rules", "trees"])
def test_remedies_that_are_not_asked_are_judged_too(remedy):
    finding = drained(iter_remedy(study_of("favorable"), remedy)).finding
    assert not finding.worse_off.asked
    by = {change.group: change for change in finding.worse_off.groups}
    assert set(by) == {"women", "the rest"}
    counts = finding.after.errors.counts.set_index("group")
    if isinstance(remedy, TreesPlan):
        share = (counts["tp"] + counts["fp"]) / counts[["tp", "fp", "tn", "fn"]].sum(axis=1)
        assert by["women"].after == pytest.approx(share["women"])
    else:
        assert by["women"].after == pytest.approx(counts.at["women", "fn"] / counts.loc["women", ["tp", "fn"]].sum())


def test_other_divisions_of_the_rows_only_repeat_the_figures():
    study = replace(study_of("favorable"), number=1)
    assert drained(iter_remedy(study, PlainPlan())).finding.worse_off is None
    assert drained(iter_remedy(study, ThresholdsPlan())).finding.worse_off is None
