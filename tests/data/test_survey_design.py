"""Sampling weights are named on reading, kept in the plan, and never ignored."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit import Table, check_controlled_fairness
from fairaudit.columns import ReadOptions, SurveyDesign
from fairaudit.data import read_table
from fairaudit.data.case_counts import as_cases, as_weighted
from fairaudit.data.subprocess_reader import read_apart
from fairaudit.errors import InputError, PlanError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan

CSV = b"sex,stratum,psu,w,ok\nF,a,1,1.5,1\nF,a,2,,0\nM,b,3,2,1\nM,b,4,0,0\n"


def surveyed(**weights: object) -> Table:
    return Table.from_pandas(pd.DataFrame({"sex": ["F", "M"], **weights}), weights="w")


def test_what_is_said_on_reading_is_the_design():
    options = ReadOptions(weights="w", design_strata="stratum", design_clusters="psu")
    table = read_table(CSV, options=options)
    assert table.design == SurveyDesign("w", "stratum", "psu")
    assert table.source.options.weights == "w"
    assert table.with_design(None).design is None


def test_rows_without_a_weight_above_0_count_in_nothing():
    plain = read_table(CSV)
    table = read_table(CSV, options=ReadOptions(weights="w"))
    found = table.weighted_counts(["sex"])
    assert found.to_dict("list") == {"sex": ["F", "M"], "n": [1, 1], "w": [1.5, 2.0], "w2": [2.25, 4.0]}
    assert (table.n_rows, table.count("sex = 'F'"), len(table.to_pandas())) == (2, 1, 2)
    assert table.design.n_without == 2 and table.with_design(SurveyDesign("psu")).design.n_without == 0
    assert len(table.notes) == len(plain.notes) + 1
    assert table.fingerprint == plain.fingerprint
    assert table.with_design(None).n_rows == table.with_design(SurveyDesign("psu")).n_rows == 4


@pytest.mark.parametrize("weights", [[-1.0, 1.0], [0.0, 0.0], ["a", "b"], [None, None], [float("inf"), 1.0]], ids=str)
def test_what_cannot_be_weights_is_refused(weights):
    with pytest.raises(InputError, match="Column 'w' must hold numbers from 0"):
        surveyed(w=weights)


@pytest.mark.parametrize(
    "named", [{"weights": "v"}, {"weights": "w", "design_strata": "w"}, {"design_clusters": "sex"}], ids=str
)
def test_columns_that_name_no_design_are_refused(named):
    with pytest.raises(InputError):
        Table.from_pandas(pd.DataFrame({"sex": ["F", "M"], "w": [1, 2]}), **named)


def test_a_file_that_is_read_apart_is_the_same():
    options = ReadOptions(weights="w", design_clusters="psu")
    apart, here = read_apart(CSV, name="a", options=options), read_table(CSV, name="a", options=options)
    assert (apart.n_rows, apart.design, apart.fingerprint) == (here.n_rows, here.design, here.fingerprint)
    assert apart.design.n_without == here.design.n_without == 2
    assert (apart.notes, apart.with_design(None).n_rows) == (here.notes, 4)
    with pytest.raises(InputError, match="Column 'sex' must hold numbers"):
        read_apart(CSV, name="a", options=ReadOptions(weights="sex"))


def test_a_table_without_weights_has_none_to_add_up():
    with pytest.raises(InputError, match="no sampling weights"):
        Table.from_pandas(pd.DataFrame({"sex": ["F"]})).weighted_counts(["sex"])


@pytest.mark.parametrize(
    ("named", "design"),
    [
        ({}, SurveyDesign("w", "stratum", "psu")),
        ({"weights": "w"}, SurveyDesign("w", "stratum", "psu")),
        ({"weights": "w", "design_clusters": "house"}, SurveyDesign("w", "stratum", "house")),
        ({"design_strata": "house"}, SurveyDesign("w", "house", "psu")),
        ({"weights": "v"}, SurveyDesign("v")),
    ],
    ids=str,
)
def test_what_is_not_named_anew_stays_as_it_was_read(named, design):
    frame = pd.DataFrame({"stratum": [*"aabb"], "psu": [1, 2, 3, 4], "house": [5, 6, 7, 8], "w": [1.5, 1, 2, 1]})
    table = Table.from_pandas(frame.assign(v=frame["w"]), weights="w", design_strata="stratum", design_clusters="psu")
    assert as_weighted(table, **named).design == design


def test_what_knows_no_weights_refuses_them():
    with pytest.raises(InputError, match="not defined with sampling weights, which column 'w' holds"):
        as_cases(surveyed(w=[1, 2], ok=[1, 0]))


def test_a_column_that_seems_to_hold_weights_is_asked_about():
    frame = pd.DataFrame({"sex": ["F", "M"] * 20, "ok": [1, 0, 0, 1] * 10, "pweight": [0.5, 1.5] * 20})
    asked = {"decision": "ok", "favorable": 1, "protected": "sex = 'F'"}
    with pytest.raises(InputError, match="Column 'pweight' seems to hold weights"):
        check_controlled_fairness(frame, **asked)
    once = check_controlled_fairness(Table.from_pandas(frame, unweighted=True), **asked)
    assert once.design is None
    assert [warned.reveals for warned in once.warnings] == ["setting"]
    assert check_controlled_fairness(frame, **asked, weights="pweight").warnings == ()


def test_the_plan_keeps_them_under_data():
    plan = AuditPlan(
        data=DataPlan(source="a.csv", weights="w", design_strata="stratum", design_clusters="psu"),
        decision=OutcomePlan(column="ok", favorable=(1,)),
    )
    assert AuditPlan.from_toml(plan.to_toml()) == plan
    assert plan.data.options.design == SurveyDesign("w", "stratum", "psu")
    again = plan.data.read_by(plan.data.options)
    assert again == plan.data
    with pytest.raises(PlanError, match="design_strata"):
        AuditPlan.from_toml(plan.to_toml().replace('weights = "w"', ""))
    with pytest.raises(PlanError, match="stands under"):
        AuditPlan.from_toml(plan.to_toml() + '\n[data.reading]\nweights = "w"\n')
