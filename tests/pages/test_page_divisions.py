"""A remedy judged on several divisions of the rows: the button on its page, the settings, and the report."""

from __future__ import annotations

import pytest
from remedy_pages import bring_loans, finish, has
from study_data import biased_loans

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.findings import plan_key
from ui.entries import settings_of

FAST = RelabelPlan(final_model="logistic_regression")
BUTTON = "remedies_divisions_relabel"


@pytest.fixture
def fitted(app):
    """The page Retrain with a remedy that was made on one division, where two are asked for."""
    bring_loans(app, biased_loans(500), divisions=2)
    app.state.settings[settings_of("relabel")] = FAST
    return finish(app.go("Retrain").click("retrain_fit"))


def test_a_remedy_is_judged_on_more_divisions_where_a_person_asks(fitted):
    assert has(fitted, BUTTON)
    before = fitted.state.fitted[plan_key(FAST)].candidate
    finish(fitted.click(BUTTON))
    assert not has(fitted, BUTTON)
    after = fitted.state.fitted[plan_key(FAST)].candidate
    assert before.finding.divisions is None and after.finding.divisions is not None
    assert after.model is before.model and after.finding.changes == before.finding.changes


def test_the_report_asks_for_all_divisions_and_makes_only_what_is_missing(fitted):
    before = fitted.state.fitted[plan_key(FAST)].candidate
    fitted.go("Report")
    # What is made already is tested again, and not made.
    assert say(Message("report-page-splits", {"n": Count(1), "splits": Count(1)})) in fitted.text
    assert say(Message("report-page-lacking", {"n": Count(1)})) not in fitted.text
    finish(fitted.click("report_make"))
    assert fitted.state.fitted[plan_key(FAST)].candidate.model is before.model
    made = fitted.state.made.contents
    assert b'"division": 2' in made["result.json"] and b"divisions = 2" in made["plan.toml"]


def test_one_division_offers_no_more(app):
    bring_loans(app, biased_loans(500))
    app.state.settings[settings_of("relabel")] = FAST
    finish(app.go("Retrain").click("retrain_fit"))
    assert plan_key(FAST) in app.state.fitted and not has(app, BUTTON)


def test_a_new_audit_asks_for_five_divisions_and_a_person_can_change_that(app):
    bring_loans(app, biased_loans(500))
    app.state.models = None
    app.go("Retrain").click("models_take")
    assert app.state.models.divisions == 5
    app.toggle(key="models_more").set_value(True).run()
    app.number_input(key="models_divisions").set_value(3).run()
    app.click("models_take")
    assert app.state.models.divisions == 3
