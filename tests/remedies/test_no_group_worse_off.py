"""No group worse off than before: kept by the remedies that can, refused by the others, judged for all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.errors import PlanError
from fairaudit.estimators.constraints.not_worse import NotWorse
from fairaudit.plan import AuditPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.fitting import judged, plain_answers
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.judging.results import WORSE
from fairaudit.study.rows import Study
from fairaudit.study.trying import iter_remedy, remedy_name
from fairaudit.study.worse_off import NOT_KEPT, threshold_within, wish_before
from fairaudit.study.yardsticks import asked_rows

LOANS = biased_loans(2400)
WISH = {"no_group_worse_off": True}
FLAGGED = {
    "constrain": ConstrainPlan(constraints=("sp by sex <= 0.02",), **WISH),
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
        None,
        "before",
        Judged(np.ones(study.held_out.n)),
        Judged(np.zeros(study.held_out.n)),
        before_learning=np.ones(len(study.split.learning), dtype=np.int64),
        plain=None,
        tuned=np.zeros(len(study.split.tune), dtype=np.int64),
        keeps=NotWorse.of(rows.take(study.split.tune), everybody, positive_is_good=True),
        details=first.details,
        warnings=(),
    ).finding
    assert finding.worse_off.kept is False and finding.warnings == (NOT_KEPT,)
    assert {change.standing for change in finding.worse_off.groups} == {WORSE}
    assert [(change.before, change.after) for change in finding.worse_off.groups] == [(1.0, 0.0)] * 2


def plan_text(method: str, more: str) -> str:
    return loans_plan().to_toml() + f'\n[[remedies]]\nmethod = "{method}"\n{more}\n'


@pytest.mark.parametrize("method", ["rules", "trees", "plain"])
def test_a_remedy_that_cannot_keep_to_it_says_so_and_names_those_that_can(method):
    with pytest.raises(PlanError) as caught:
        AuditPlan.from_toml(plan_text(method, "no_group_worse_off = true"))
    said = str(caught.value)
    assert f'method = "{method}" cannot keep' in said and "no_group_worse_off" in said and "line" in said
    assert all(f'"{name}"' in said for name in ("constrain", "thresholds", "equalize", "relabel"))
    plan = AuditPlan.from_toml(plan_text(method, "no_group_worse_off = false"))
    assert plan.remedies[-1].method == method


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
