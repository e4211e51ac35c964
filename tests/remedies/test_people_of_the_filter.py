"""Limits, choices and verdicts of remedies are about the people of the filter; a setting says who is learned from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy, remedy_name
from fairaudit.data import Table
from fairaudit.errors import PlanError
from fairaudit.estimators.base import Split
from fairaudit.measure.strata import check_strata
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.constraint_check import limited_rows, similar_cases
from fairaudit.study.rows import Study, known_groups, part_rows

LOANS = biased_loans(900)
WHERE = "area <> 'west'"
FEATURES = ("merit", "weight")
REMEDIES = (
    PlainPlan(),
    RelabelPlan(),
    ThresholdsPlan(),
    ThresholdsPlan(confidence=0.9),
    EqualizePlan(max_iter=40),
    ConstrainPlan(constraints=("demographic_parity by sex <= 0.08",)),
    ConstrainPlan(constraints=("demographic_parity by sex <= 0.2",), confidence=0.9),
    RulesPlan(max_complexity=3, max_difference=0.2),
    TreesPlan(max_depth=1, max_difference=0.1),
    TreesPlan(max_depth=2, search="look_ahead", constraint="demographic_parity", max_difference=0.1),
)
SETTINGS = [f"{plan.method}-{number}" for number, plan in enumerate(REMEDIES)]


@cache
def cut_and_filtered() -> tuple[Study, Study]:
    """The people of the filter alone in the file, and the whole file with the filter, divided alike."""
    rows = LOANS[LOANS["granted"].notna()].reset_index(drop=True)
    inside = np.flatnonzero(rows["area"] != "west")
    plan = loans_plan(features=FEATURES)
    cut = Study.of(as_loans(rows.iloc[inside].reset_index(drop=True)), plan).reading(
        as_loans(rows.iloc[inside].reset_index(drop=True)), ("sex",)
    )
    whole = Study.of(as_loans(rows), loans_plan(features=FEATURES, where=WHERE, learn_from="population")).reading(
        as_loans(rows), ("sex",)
    )
    split = Split(*(inside[part] for part in (cut.split.train, cut.split.tune, cut.split.held_out)))
    return cut, replace(whole, split=split, **whole._judging(split.held_out))


@pytest.mark.parametrize("remedy", REMEDIES, ids=SETTINGS)
def test_to_learn_from_the_people_of_the_filter_alone_is_to_cut_the_file(remedy):
    cut, filtered = (drained(iter_remedy(study, remedy)) for study in cut_and_filtered())
    assert np.array_equal(cut.prediction, filtered.prediction)
    one, other = cut.finding, filtered.finding
    assert repr(one.before.measures) == repr(other.before.measures)
    assert repr(one.after.measures) == repr(other.after.measures)
    assert one.after.errors.counts.equals(other.after.errors.counts)
    assert [(y.kind, y.keeps_limit, y.holds_in_test) for y in one.yardsticks] == [
        (y.kind, y.keeps_limit, y.holds_in_test) for y in other.yardsticks
    ]
    if one.certified is not None:
        assert replace(one.certified, n_needed=None) == replace(other.certified, n_needed=None)


@pytest.mark.parametrize("remedy", REMEDIES, ids=SETTINGS)
def test_what_people_outside_the_filter_were_decided_moves_no_limit(remedy):
    _, study = cut_and_filtered()
    outside = np.flatnonzero(~study.in_filter)
    y = study.y.copy()
    y[outside] = 1 - y[outside]
    groups = study.groups.copy()
    groups[outside] = groups[outside[::-1]]
    altered = replace(study, y=y, groups=groups)
    first, again = (drained(iter_remedy(each, remedy)) for each in (study, altered))
    assert np.array_equal(first.prediction, again.prediction)
    assert repr(first.finding.after.measures) == repr(again.finding.after.measures)


@pytest.mark.parametrize(
    "remedy",
    [
        RelabelPlan(),
        ConstrainPlan(constraints=("demographic_parity by sex <= 0.08",)),
        EqualizePlan(max_iter=40),
        RulesPlan(max_complexity=3, max_difference=0.1, margin=0.0),
        TreesPlan(max_depth=2, max_difference=0.1, margin=0.0),
    ],
    ids=lambda plan: plan.method,
)
def test_models_learn_from_everyone_unless_the_plan_says_otherwise(remedy):
    plan = loans_plan(features=FEATURES, where=WHERE)
    table = as_loans(LOANS)
    both = [
        Study.of(table, plan.model_copy(update={"models": plan.models.model_copy(update=each)})).reading(
            table, ("sex",)
        )
        for each in ({}, {"learn_from": "population"})
    ]
    assert len(both[0].split.train) > len(both[1].split.train)
    for name in ("tune", "held_out"):
        assert np.array_equal(*(getattr(study.split, name) for study in both))
    found = [drained(iter_remedy(study, remedy)) for study in both]
    if found[0].score is not None:
        assert not np.array_equal(*(one.score for one in found))
    else:
        # What is bounded on the rows to learn from is bounded among the people of the filter.
        assert all(one.finding.details.trained_gap <= 0.1 + 1e-9 for one in found)
    assert found[0].finding.after.n == found[1].finding.after.n == len(both[0].split.held_out)


COMPAS = {
    "compas_two_years.csv.gz": (
        "two_year_recid",
        "race IN ('African-American', 'Caucasian')",
        "race = 'African-American'",
        ("age", "juv_fel_count", "juv_misd_count", "priors_count", "c_charge_degree"),
        6_150,
    ),
    "propublica_data_for_fairml.csv": (
        "Two_yr_Recidivism",
        "Asian = 0 AND Hispanic = 0 AND Native_American = 0 AND Other = 0",
        "African_American = 1",
        ("Number_of_Priors", "Age_Above_FortyFive", "Age_Below_TwentyFive", "Misdemeanor"),
        5_278,
    ),
}
"""Tables of more races than a paper looks at: the outcome, the filter, who is protected, features, how many stay."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", COMPAS)
def test_two_races_of_compas_are_compared_without_cutting_the_file(name, shared_data):
    outcome, where, protected, features, n_people = COMPAS[name]
    frame = pd.read_csv(shared_data(name))
    groups = "race" if "race" in frame else "African_American"
    remedies = (
        ThresholdsPlan(),
        ConstrainPlan(constraints=(f"equalized_odds by {groups} <= 0.1",)),
        TreesPlan(max_depth=2, constraint="equalized_odds", max_difference=0.05),
    )
    plan = AuditPlan(
        data=DataPlan(source=name),
        decision=OutcomePlan(column=outcome, favorable=(0,)),
        protected_columns=(groups,),
        models=ModelsPlan(features=features, protected=protected, where=where, by=(groups,), learn_from="population"),
        remedies=remedies,
    )
    study = Study.of(Table.from_pandas(frame), plan)
    assert study.in_filter.sum() == n_people < len(frame) == study.facts.n_rows
    assert len(known_groups(study)) == len(study.facts.groups) == 2
    assert sum(map(len, part_rows(study).values())) == n_people
    for remedy in remedies:
        finding = drained(iter_remedy(study, remedy)).finding
        assert finding.after.n == len(study.split.held_out) == pytest.approx(n_people / 5, abs=2)
        assert len(finding.after.errors.counts) == 2
        gaps = {change.measure: change for change in finding.changes}
        assert abs(gaps["tpr_gap"].after) < abs(gaps["tpr_gap"].before)
        assert finding.after.measure("accuracy").value > 0.55


# Among similar cases.


def test_a_limit_among_similar_cases_is_about_the_gaps_that_a_check_finds_in_the_strata():
    table = as_loans(LOANS.assign(pay=np.round(LOANS["weight"])))
    remedy = ConstrainPlan(
        constraints=("demographic_parity by sex <= 0.03",), strata=("area", "pay"), strata_cuts=(("pay", (65, 75)),)
    )
    plan = loans_plan(where="merit > -1").model_copy(update={"remedies": (remedy,)})
    study = Study.of(table, plan)
    candidate = drained(iter_remedy(study, remedy))
    details = candidate.finding.details
    held = study.split.held_out
    rows = study.sensitive.iloc[held].reset_index(drop=True).assign(said=candidate.prediction)
    found = check_strata(
        Table.from_pandas(rows), decision="said", favorable=1, protected="sex = 'woman'", strata=("area", "pay"),
        strata_cuts={"pay": (65, 75)},
    )  # fmt: skip
    people = [row.comparison.protected.n + row.comparison.reference.n for row in found.strata]
    expected = np.average([row.difference for row in found.strata], weights=people)
    [pair] = details.pairs.to_dict("records")
    assert {pair["first"], pair["second"]} == {"man", "woman"}
    assert pair["held_out"] * (1 if pair["first"] == "woman" else -1) == pytest.approx(expected)
    assert pair["low"] < pair["held_out"] < pair["high"] and abs(pair["tuned"]) <= 0.03
    assert pair["n_first"] + pair["n_second"] == sum(people)


def test_bands_of_similar_cases_are_from_one_cut_on_and_below_the_next_and_missing_values_are_apart():
    study = Study.of(as_loans(LOANS), loans_plan()).reading(as_loans(LOANS), ("merit", "area"))
    assert similar_cases(study, (), {}) is None
    codes = similar_cases(study, ("merit",), {"merit": (-1.0, 0.5)})
    merit = study.sensitive["merit"].to_numpy(dtype=float)
    bands = np.select([np.isnan(merit), merit < -1, merit < 0.5], [3, 0, 1], 2)
    assert len(np.unique(codes)) == len(np.unique(np.stack([codes, bands]), axis=1).T) == 4
    rows = limited_rows(study.reading(as_loans(LOANS), ("sex",)), (), codes)
    assert np.array_equal(rows.strata, codes)


SIMILAR = {"strata": ("area",)}
HELD_AMONG_SIMILAR = (
    ConstrainPlan(constraints=("demographic_parity by sex <= 0.05",), **SIMILAR),
    ThresholdsPlan(**SIMILAR),
    RulesPlan(max_complexity=6, fairness="demographic_parity", time_limit=4, **SIMILAR),
    TreesPlan(max_depth=2, time_limit=4, **SIMILAR),
    TreesPlan(max_depth=2, search="look_ahead", constraint="demographic_parity", time_limit=4, **SIMILAR),
)


def test_a_plan_asks_for_bands_of_its_strata_alone_and_for_something_that_has_an_average():
    with pytest.raises(PlanError):
        ConstrainPlan(
            constraints=("demographic_parity by sex <= 0.03",), strata=("area",), strata_cuts=(("merit", (1,)),)
        )
    with pytest.raises(PlanError, match="'strata'"):
        RulesPlan(fairness=None, **SIMILAR)
    for constraint in (None, "four_fifths"):
        with pytest.raises(PlanError, match="'strata'"):
            TreesPlan(constraint=constraint, **SIMILAR)
    for plan in HELD_AMONG_SIMILAR:
        assert plan.group_columns(as_loans(LOANS))[-1] == "area"
        assert "strata" not in plan.baseline().model_dump(exclude_defaults=True) or plan.method == "thresholds"
        assert type(plan).model_validate(plan.model_dump()) == plan


@pytest.mark.parametrize("remedy", HELD_AMONG_SIMILAR, ids=lambda plan: f"{plan.method} {getattr(plan, 'search', '')}")
def test_each_remedy_holds_its_limit_among_similar_cases_and_is_judged_by_them(remedy):
    study = Study.of(as_loans(LOANS), loans_plan()).reading(as_loans(LOANS), ("sex", "area"))
    candidate = drained(iter_remedy(study, remedy))
    finding, held = candidate.finding, study.split.held_out
    h = study.to_positive(np.asarray(candidate.prediction, dtype=np.int64))
    assert "among similar cases" in remedy_name(remedy)
    area, sex = LOANS["area"].to_numpy(), LOANS["sex"].to_numpy()
    decided = LOANS["granted"].notna().to_numpy()
    area, sex = area[decided][held], sex[decided][held]
    pairs = getattr(finding.details, "pairs", None)
    table = finding.details.gaps if pairs is None else pairs
    own = table[table["rate"] == "selection_rate"] if "rate" in table else table
    if len(own):
        row, inside = own.iloc[0], study.compared[held]
        gaps, people = [], []
        for name in np.unique(area):
            sides = [h[inside & (area == name) & (sex == value)] for value in ("man", "woman")]
            if all(map(len, sides)):
                gaps.append(sides[0].mean() - sides[1].mean())
                people.append(sum(map(len, sides)))
        assert abs(row["held_out"]) == pytest.approx(abs(np.average(gaps, weights=people)))
    sure = remedy.model_copy(update={"confidence": 0.9})
    assert type(remedy).model_validate(sure.model_dump()).confidence == 0.9
