"""Values that say "not known" are asked about in every column that a question uses, and in no other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit import (
    Table,
    check_strata,
    compare_periods,
    explain_gap,
    find_subgroups,
    outcome_test,
    run,
    veil_of_darkness,
)
from fairaudit.errors import OpenValues, OpenValuesError
from fairaudit.measure.mean_strata import check_mean_strata
from fairaudit.measure.scores import check_scores
from fairaudit.measure.similar import check_similar
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.study.reading import study_of

N = 240
RANDOM = np.random.default_rng(7)
ROWS = pd.DataFrame(
    {
        "sex": ["F", "M"] * (N // 2),
        "area": ["north", "south", "Not Available"] * (N // 3),
        "age": [*RANDOM.integers(20, 60, N - 6), *[8888] * 6],
        "earlier": ["granted", "declined", "declined", "granted"] * (N // 4),
        "beside": ["x", "Unknown"] * (N // 2),
        "ok": RANDOM.choice(["yes", "no"], N),
        "found": RANDOM.choice(["yes", "no"], N),
        "pay": RANDOM.normal(3000, 100, N).round(),
        "hour": RANDOM.integers(17 * 60, 20 * 60, N) / 60,
    }
)
SHARES = {"decision": "ok", "favorable": "yes", "protected": "sex = 'F'"}
MEANS = {"decision": "pay", "protected": "sex = 'F'"}
LOOKED = {"acted": "ok = 'yes'", "found": "found = 'yes'", "group": "sex", "where": "ok = 'yes'"}
AREA = OpenValues("area", ("Not Available",), "value", "not_known")
AGE = OpenValues("age", ("8888",), "value", "not_known")
USES = {
    "strata": (lambda data, *names: check_strata(data, **SHARES, strata=names), "area"),
    "bands": (lambda data, *names: check_strata(data, **SHARES, strata=names, strata_cuts={"age": [40]}), "age"),
    "strata of means": (lambda data, *names: check_mean_strata(data, **MEANS, strata=names), "area"),
    "similar people": (lambda data, *names: check_similar(data, **MEANS, columns=names), "age"),
    "controls": (lambda data, *names: explain_gap(data, **SHARES, controls=names), "area"),
    "mix": (lambda data, *names: compare_periods(data, data, **SHARES, strata=names), "area"),
    "worst groups": (lambda data, *names: find_subgroups(data, decision="ok", favorable="yes", columns=names), "age"),
    "score": (lambda data, name: check_scores(data, outcome="ok", favorable="yes", score=name, by="sex"), "age"),
    "places of searches": (lambda data, *names: outcome_test(data, **LOOKED, strata=names), "area"),
    "places of stops": (
        lambda data, name: veil_of_darkness(data, group="sex", light="found = 'yes'", time="hour", place=name),
        "area",
    ),
}


@pytest.mark.parametrize("use", USES)
def test_a_column_that_a_question_uses_is_asked_about_until_somebody_says(use):
    answer, name = USES[use]
    asked = {"area": AREA, "age": AGE}[name]
    data = Table.from_pandas(ROWS)
    with pytest.raises(OpenValuesError) as refused:
        answer(data, name)
    assert refused.value.questions == (asked,)
    for said in ("not_known", "real_values"):
        answer(Table.from_pandas(ROWS, **{said: {name: asked.values}}), name)


def test_a_column_that_no_question_uses_is_not_asked_about():
    assert check_strata(ROWS, **SHARES, strata="earlier").strata
    find_subgroups(ROWS, decision="ok", favorable="yes", columns=["sex", "earlier"])


def test_what_was_decided_before_may_be_a_word_that_says_no_group():
    data = Table.from_pandas(ROWS)
    check_strata(data, **SHARES, strata="earlier")
    with pytest.raises(OpenValuesError) as refused:
        check_strata(data, decision="ok", favorable="yes", protected="earlier = 'granted'", strata="sex")
    assert refused.value.questions == (OpenValues("earlier", ("declined",), "group", "not_known"),)


def test_a_column_is_asked_about_once_though_groups_and_strata_are_made_of_it():
    with pytest.raises(OpenValuesError) as refused:
        check_strata(ROWS, decision="ok", favorable="yes", protected="area = 'north'", strata="area")
    assert refused.value.questions == (OpenValues("area", ("Not Available",), "group", "not_known"),)
    real = Table.from_pandas(ROWS, real_values={"area": ["Not Available"]})
    assert check_strata(real, decision="ok", favorable="yes", protected="area = 'north'", strata="sex").strata


def test_a_filter_that_leaves_such_rows_out_answers_the_question():
    known = check_strata(ROWS, **SHARES, strata="area", where="area <> 'Not Available'")
    assert [row.name for row in known.strata] == ["north", "south"]


def plan(**parts) -> AuditPlan:
    usual = {"data": DataPlan(source="t.csv"), "decision": OutcomePlan(column="ok", favorable=("yes",))}
    return AuditPlan(**(usual | parts))


def test_a_check_asks_for_strata_and_groups_of_their_own_at_once():
    check = CheckPlan(protected="sex = 'F'", strata=("age",), compare=(("area",),))
    with pytest.raises(OpenValuesError) as refused:
        run(plan(checks=(check,)), table=Table.from_pandas(ROWS))
    assert [(each.column, each.meaning) for each in refused.value.questions] == [("area", "group"), ("age", "value")]


@pytest.mark.parametrize("amount", [False, True])
def test_remedies_ask_for_what_models_learn_from(amount):
    decision = OutcomePlan(column="pay", amount=True) if amount else OutcomePlan(column="ok", favorable=("yes",))
    models = ModelsPlan(features=("area", "age", "earlier"), protected="sex = 'F'")
    asked = plan(decision=decision, models=models)
    with pytest.raises(OpenValuesError) as refused:
        study_of(Table.from_pandas(ROWS), asked)
    assert refused.value.questions == (AREA, AGE)
    said = Table.from_pandas(ROWS, not_known={"area": ["Not Available"]}, real_values={"age": [8888]})
    study = study_of(said, asked)
    assert study.X["area"].isna().sum() == (ROWS["area"] == "Not Available").sum()
    assert (study.X["age"] == 8888).sum() == 6
