"""The four questions that choose the measure, on the page Data: folded, confirmed by one press, and taken back."""

from __future__ import annotations

import pytest
from shown import shows

from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.measuring import MeasurePlan


@pytest.fixture
def loans(app):
    return app.hold_sample("loans").go("Data")


def answered(page, **answers):
    for name, value in answers.items():
        page.set("radio", f"data_measure_{name}", value)
    return page


def test_nothing_is_asked_before_an_answer_and_nothing_is_changed_by_leaving_it(loans):
    plan = loans.state.plan()
    assert shows(loans.text, "measure-more") and plan.measure is None
    assert answered(loans, decided="benefit", truth="known").state.plan() == plan
    assert shows(loans.text, "measure-borne")


def test_the_answers_propose_and_one_press_keeps_them_and_one_takes_them_back(loans):
    before = (loans.state.decision, loans.state.positive, loans.state.wanted, loans.state.plan())
    answered(loans, decided="burden", truth="known", borne_by="person", group_use="no")
    assert shows(loans.text, "measure-compare", measure="fpr") and loans.state.plan().measure is None
    loans.click("data_measure_use")
    asked = MeasurePlan(decided="burden", truth="known", borne_by="person", group_use="no")
    assert loans.state.plan().measure == asked
    assert (loans.state.positive, loans.state.wanted.may_use_group) == ("unfavorable", False)
    assert AuditPlan.from_toml(loans.state.plan().to_toml()).measure == asked
    loans.click("data_measure_back")
    assert (loans.state.decision, loans.state.positive, loans.state.wanted, loans.state.plan()) == before


def test_a_group_that_may_not_be_used_leaves_out_thresholds_for_each_group_and_says_why(loans):
    answered(loans, decided="benefit", truth="unknown", group_use="no").click("data_measure_use")
    page = loans.go("Remedies")
    assert shows(page.text, "choose-out-group", name="A threshold for each group")
    assert not any(each.key == "remedies_card_thresholds" for each in page.test.get("container"))


def test_a_saved_audit_brings_the_answers(app, loans):
    plan = loans.state.plan().model_copy(update={"measure": MeasurePlan(decided="limited", truth="unknown")})
    loans.state.open_plan(plan)
    assert shows(loans.run().text, "measure-compare", measure="four_fifths")
    assert loans.state.plan().measure == plan.measure


def test_what_is_said_of_the_group_later_stands_in_the_audit(loans):
    answered(loans, decided="benefit", truth="unknown", group_use="no").click("data_measure_use")
    loans.state.want_group(True)
    assert loans.state.plan().measure.group_use == "yes"


def test_answers_that_do_not_speak_of_the_group_leave_what_was_said_of_it(loans):
    loans.state.want_group(False)
    answered(loans, decided="benefit", truth="unknown").click("data_measure_use")
    assert loans.state.wanted.may_use_group is False


def test_answers_are_of_one_decision(loans):
    answered(loans, decided="benefit", truth="unknown").click("data_measure_use")
    loans.state.take_decision(loans.state.decision.model_copy(update={"column": "employment"}))
    assert loans.state.measure is None
