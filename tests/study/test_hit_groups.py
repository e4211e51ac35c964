"""Whom a remedy hits: found on one half of the test cases, judged on the other, and said shortly."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.disclosure.remedies import _without_figures
from fairaudit.plan.audit_plan import NamesPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.remedy.saying import say_hit
from fairaudit.sections.remedy.tables import hit_tables
from fairaudit.study.divided import PeopleColumns
from fairaudit.study.hit_groups import hit_first, hit_groups

SHARE = OutcomePlan(column="approved", favorable=("yes",))
AMOUNT = OutcomePlan(column="pay", amount=True, higher_is_favorable=True)


def study_of(n=1_200, seed=0, *, is_amount=False):
    random = np.random.default_rng(seed)
    columns = pd.DataFrame(
        {
            "sex": random.choice(["woman", "man"], 2 * n),
            "age": random.integers(18, 70, 2 * n),
            "region": random.choice(["North", "South", "East"], 2 * n),
        }
    )
    plan = SimpleNamespace(
        decision=AMOUNT if is_amount else SHARE, names=NamesPlan(groups={"sex": {"woman": "women"}}), seed=seed
    )
    return SimpleNamespace(
        people=PeopleColumns(columns, ("sex",)),
        split=SimpleNamespace(held_out=np.arange(n)),
        population=np.ones(2 * n, dtype=bool),
        models=SimpleNamespace(confidence=0.95),
        plan=plan,
    )


def candidate(prediction):
    return SimpleNamespace(prediction=prediction, before=np.zeros(len(prediction)))


def planted(study, low=0.15, high=0.6):
    rows = study.people.columns.iloc[study.split.held_out]
    hit = ((rows["sex"] == "woman") & (rows["age"] < 30)).to_numpy()
    random = np.random.default_rng(1)
    return hit, (random.random(len(rows)) < np.where(hit, low, high)).astype(int)


def test_a_planted_group_is_found_with_a_range_that_holds_its_gap():
    study = study_of()
    _, predicted = planted(study)
    worst = hit_first(hit_groups(study, candidate(predicted)))[0]
    assert worst.stands_out and "woman" in worst.condition and "age" in worst.condition
    assert worst.interval.low <= 0.15 - 0.6 <= worst.interval.high


def test_each_group_names_a_column_that_groups_are_made_of():
    study = study_of()
    rows = study.people.columns.iloc[study.split.held_out]
    # Region alone decides, for which no group of sex is to be named.
    predicted = (np.random.default_rng(0).random(len(rows)) < np.where(rows["region"] == "North", 0.2, 0.8)).astype(int)
    found = hit_groups(study, candidate(predicted))
    assert all("sex" in each.condition for each in found.subgroups)


def test_of_amounts_those_with_less_are_hit():
    study = study_of(is_amount=True)
    hit, _ = planted(study)
    amounts = np.random.default_rng(2).normal(30_000, 3_000, len(hit)) - 9_000 * hit
    worst = hit_first(hit_groups(study, candidate(amounts)))[0]
    assert worst.stands_out and worst.gap < 0


def test_only_test_cases_that_are_judged_are_looked_at():
    study = study_of()
    _, predicted = planted(study)
    first = hit_groups(study, candidate(predicted))
    columns = study.people.columns.copy()
    columns.loc[len(predicted) :, "sex"] = "unheard of"
    study.people = replace(study.people, columns=columns)
    assert hit_groups(study, candidate(predicted)) == first
    study.population[: len(predicted) // 2] = False
    assert hit_groups(study, candidate(predicted)).n_rows == len(predicted) - len(predicted) // 2


@pytest.mark.parametrize("case", ["not asked", "a plain model", "one answer for all", "few cases"])
def test_where_there_is_nothing_to_search_nothing_is_found(case):
    study = study_of(n=20 if case == "few cases" else 400)
    _, predicted = planted(study)
    made = candidate(np.ones_like(predicted) if case == "one answer for all" else predicted)
    if case == "not asked":
        study.people = None
    if case == "a plain model":
        made.before = None
    assert hit_groups(study, made) is None


@pytest.mark.thorough
def test_where_nobody_is_hit_a_group_is_named_in_about_one_search_of_twenty():
    n, named = 60, 0
    for seed in range(n):
        study = study_of(n=600, seed=seed)
        predicted = (np.random.default_rng(1_000 + seed).random(600) < 0.5).astype(int)
        found = hit_groups(study, candidate(predicted))
        named += any(each.stands_out for each in found.subgroups)
    assert named / n <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)


def finding_with(predicted, study):
    remedies = by_hand.remedies()
    return replace(remedies.remedies[-1], hit=hit_groups(study, candidate(predicted))), remedies.facts


def test_the_most_hit_group_is_said_with_its_range_and_stands_first_in_the_table():
    study = study_of()
    finding, facts = finding_with(planted(study)[1], study)
    keys = [message.key for message in say_hit(finding, facts)]
    assert keys == ["remedy-hit-most", "remedy-hit-share", "remedy-hit-range"]
    [table] = hit_tables(finding, facts, 1)
    assert table.rows[0][0] == hit_first(finding.hit)[0].words
    assert table.rows[0][0] in table.note


def test_where_no_group_stands_out_that_is_said():
    study = study_of()
    predicted = (np.random.default_rng(3).random(1_200) < 0.5).astype(int)
    finding, facts = finding_with(predicted, study)
    assert not any(each.stands_out for each in finding.hit.subgroups)
    assert [message.key for message in say_hit(finding, facts)] == ["remedy-hit-none"]


def test_where_small_counts_are_hidden_it_is_hidden_whole():
    study = study_of()
    finding, facts = finding_with(planted(study)[1], study)
    hidden = _without_figures(finding)
    assert hidden.hit is None and hit_tables(hidden, facts, 1) == []
