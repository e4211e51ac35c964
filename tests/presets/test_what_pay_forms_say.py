"""What is said of gaps in pay: that none can be stated or shown, why one is accepted, and of few people."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.data import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import GroupError, InputError, PlanError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.blocks import row_texts
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import joint_table, pay_table, preset_csv
from fairaudit.sections.forms import read_form, say_form
from fairaudit.sections.forms.charts import form_chart

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="pay", amount=True))
JOINT = {"sex": "sex", "category": "job", "pay": "pay"}
SMALL = SmallCellsPlan(mask=True, minimum=10)


def staff(pay: dict[tuple[str, str], float], n: int = 3) -> pd.DataFrame:
    """Return `n` people of each sex and job, paid alike."""
    rows = [(sex, job, amount) for (sex, job), amount in pay.items() for _ in range(n)]
    return pd.DataFrame(rows, columns=["sex", "job", "pay"])


TWO = {("F", "clerk"): 90.0, ("M", "clerk"): 100.0, ("F", "driver"): 80.0, ("M", "driver"): 100.0}


def joint(frame: pd.DataFrame, columns: dict[str, str] = JOINT, **settings):
    part = PresetPlan(preset="eu_joint_pay_assessment", columns=columns, **settings)
    return run_preset(Table.from_pandas(frame), PLAN, part)


def hidden(frame: pd.DataFrame, preset: str, columns: dict[str, str]):
    part = PresetPlan(preset=preset, columns=columns)
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SMALL})
    return exported(run(plan, table=Table.from_pandas(frame))).presets[0]


def keys(messages) -> list[str]:
    return [each.key for each in messages]


# Shares of all people.


def test_a_hidden_number_of_all_people_takes_each_share_of_it_along():
    groups = {"White": 80, "Asian": 25, "Black": 14, "Mixed": 6, "Other": 7, "Prefer not to say": 4}
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"ethnicity": [name for name, n in groups.items() for _ in range(n)]})
    frame["pay"] = np.round(rng.uniform(10, 40, len(frame)), 2)
    found = hidden(frame, "uk_ethnicity_pay_gap", {"ethnicity": "ethnicity", "pay": "pay"})
    [work] = [pay.table for pay in found.pay if pay.table.statistic == "workforce"]
    assert work.n is None and work.rows[-1].protected.n is None, "4 of 136 did not say"
    assert {row.protected.value for row in work.rows} == {None} and work.rows[0].protected.n == 80
    assert "0.588" not in preset_csv(found).decode()


def test_what_the_article_is_about_is_not_hidden_for_the_increases():
    rng = np.random.default_rng(3)
    rows = [(sex, job) for job, women, men in (("a", 30, 40), ("b", 20, 24)) for sex in "F" * women + "M" * men]
    frame = pd.DataFrame(rows, columns=["sex", "job"]).assign(pay=lambda frame: rng.uniform(2000, 5000, len(frame)))
    back = rng.random(len(frame)) < 0.3
    frame["rise"] = np.where(back, (rng.random(len(frame)) < 0.5) * 1.0, np.nan)
    plain = hidden(frame, "eu_joint_pay_assessment", JOINT)
    assert all(row.gap is not None for row in plain.pay[1].table.rows)
    with_rises = hidden(frame, "eu_joint_pay_assessment", JOINT | {"increase": "rise"})
    assert [row.gap for row in with_rises.pay[1].table.rows] == [row.gap for row in plain.pay[1].table.rows]


# No gap to state.


def test_where_every_gap_is_hidden_none_is_said_to_be_missing():
    found = hidden(staff(TWO, 4), "eu_joint_pay_assessment", JOINT)
    assert say_form(found).headline.key == "form-headline-pay-hidden"
    few = pd.DataFrame({"ethnicity": ["White"] * 30 + ["Asian"] * 4, "pay": np.linspace(10, 40, 34)})
    part = PresetPlan(preset="uk_ethnicity_pay_gap", columns={"ethnicity": "ethnicity", "pay": "pay"})
    held = run_preset(Table.from_pandas(few), PLAN, part)
    assert say_form(held).headline.key == "form-headline-pay-hidden"
    apart = joint(staff({("F", "clerk"): 90.0, ("M", "driver"): 100.0}))
    assert say_form(apart).headline.key == "form-headline-pay-none", "nobody to compare with is nothing hidden"


@pytest.mark.parametrize("men", [0.0, -5.0])
def test_an_average_of_zero_or_less_is_said_to_have_no_gap(men):
    found = joint(staff(TWO | {("M", "clerk"): men}))
    assert "form-caution-no-base" in keys(say_form(found).caution)
    assert "form-caution-no-base" not in keys(say_form(joint(staff(TWO))).caution)
    nothing = joint(staff({("F", "clerk"): 90.0, ("M", "clerk"): men}))
    assert say_form(nothing).headline.key == "form-headline-pay-none"
    assert "form-caution-no-base" in keys(say_form(nothing).caution)


def test_a_column_in_which_nobody_has_pay_is_refused():
    with pytest.raises(GroupError, match="Nobody who is compared has a number in column 'pay'"):
        joint(staff(TWO).assign(pay=np.nan))


# Reasons, remedies, measures.


@pytest.mark.parametrize("name", ["justified", "measures"])
def test_a_text_of_blanks_gives_no_reason(name):
    for blank in ("", "  "):
        with pytest.raises(ValueError, match="must not be blank"):
            PresetPlan(preset="eu_joint_pay_assessment", columns=JOINT, **{name: {"clerk": blank}})
    with pytest.raises(ValueError, match="must not be blank"):
        PresetPlan(preset="eu_joint_pay_assessment", columns=JOINT, evaluation=" ")


@pytest.mark.parametrize(
    ("settings", "why", "drawn"),
    [
        ({"justified": {"clerk": "seniority", "driver": "nights"}}, "reasons", {"reason given"}),
        ({"remedied": {"clerk": "2026-09-01", "driver": "2026-09-02"}}, "remedies", {"remedied"}),
        (
            {"justified": {"clerk": "seniority"}, "remedied": {"driver": "2026-09-01"}},
            "both",
            {"reason given", "remedied"},
        ),
    ],
)
def test_a_remedy_is_no_reason(settings, why, drawn):
    found = joint(staff(TWO), **settings)
    said = say_form(found)
    assert read_form(found).verdict == "marked_with_reasons"
    assert dict(said.verdict.args)["why"].name == why
    [closed] = [each for each in said.lead if each.key == "form-lead-reasons"]
    assert ("eason" in say(closed)) is (why != "remedies") and ("remedy" in say(closed)) is (why != "reasons")
    one = joint(staff({place: TWO[place] for place in TWO if place[1] == "clerk"}), remedied={"clerk": "2026-09-01"})
    [closed] = [each for each in say_form(one).lead if each.key == "form-lead-reason-one"]
    assert "remedied on 1 September 2026" in say(closed) and "eason" not in say(closed)
    chart = str(form_chart(found).to_dict())
    assert {words for words in ("reason given", "remedied") if words in chart} == drawn


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"reported": "2027-06-07", "remedied": {"clerk": "2027-06-06"}}, "before the report of 2027-06-07"),
        ({"audit_date": "2027-09-01", "remedied": {"clerk": "2027-09-02"}}, "after the day of the form, 2027-09-01"),
    ],
)
def test_a_day_of_remedy_lies_between_the_report_and_the_form(settings, said):
    with pytest.raises((InputError, PlanError), match=said) as caught:
        joint(staff(TWO), **settings)
    assert caught.value.hint
    same = dict.fromkeys(("reported", "audit_date"), "2027-09-01")
    assert joint(staff(TWO), remedied={"clerk": "2027-09-01"}, **same).pay


def test_the_lead_of_a_joint_assessment_does_not_repeat_its_headline():
    for pay in (TWO, dict.fromkeys(TWO, 100.0)):
        said = say_form(joint(staff(pay)))
        assert said.headline.key == "form-headline-apart"
        assert not {"form-lead-marked", "form-lead-none-marked"} & set(keys(said.lead))


# Few people.


def test_a_shown_average_of_few_is_cautioned_against():
    assert "form-caution-few-paid" in keys(say_form(joint(staff(TWO, 9))).caution)
    assert "form-caution-few-paid" not in keys(say_form(joint(staff(TWO, 10))).caution)


def test_one_person_without_pay_is_left_out_and_several_are():
    for n, words in ((1, "1 person without pay is left out."), (2, "2 people without pay are left out.")):
        frame = staff(TWO)
        frame.loc[frame.index[:n], "pay"] = np.nan
        [said] = [each for each in say_form(joint(frame)).caution if each.key == "form-caution-missing"]
        assert say(said) == words


def test_no_average_has_the_head_of_a_number_of_people():
    found = joint(staff(TWO))
    heads = [column.label for column in joint_table(found, 1).columns]
    assert {"average of women", "average of men"} <= set(heads) and not {"women", "men"} & set(heads)
    counted = {column.label: column.kind for column in pay_table(found, found.pay[1], 1, 2).columns}
    assert counted["women"] == counted["men"] == "count"
    assert row_texts(joint_table(found, 1))[0][2:4] == ["90.00", "100.00"]
