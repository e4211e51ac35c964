"""What an audit calls positive: one choice for errors, searches and models, proposed until the person has made it."""

from __future__ import annotations

import pytest
from remedy_pages import put
from shown import shows
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from ui.remedies.learning_panel import other_question_words

BAD, GOOD = "unfavorable", "favorable"
RISK = ScorePlan(column="rating", higher_is_favorable=False)


@pytest.fixture
def flagged(app):
    """The app with loans and a score of risk, where nobody has said yet what models learn from."""
    app.go("")
    app.state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    app.state.decision, app.state.protected_columns = loans_plan().decision, ("sex",)
    app.state.score = RISK
    app.state.change_check(protected="sex = 'woman'")
    return app


def shown(app) -> str:
    """Which outcome the panel has as positive."""
    return app.radio(key="models_positive").value


def test_models_begin_with_what_the_page_errors_would_propose(flagged):
    assert shown(flagged.go("Retrain")) == BAD
    assert flagged.click("models_take").state.models.positive == BAD
    flagged.state.score = None
    flagged.state.models = None
    assert shown(flagged.go("Check").go("Retrain")) == GOOD


def test_one_choice_holds_for_errors_models_and_searches(flagged):
    flagged.state.score = RISK.model_copy(update={"cut": 0.5})
    flagged.go("Errors").go("Retrain").click("models_take").go("Errors").set("radio", "errors_positive", GOOD)
    assert shown(flagged.go("Retrain")) == flagged.state.models.positive == GOOD
    assert "not in use yet" not in flagged.text
    flagged.set("radio", "models_positive", BAD).go("Worst_groups").set("selectbox", "worst_measure", "fpr")
    assert flagged.state.positive == BAD
    flagged.go("Errors").set("radio", "errors_positive", GOOD)
    plan = flagged.state.plan(fingerprint=False)
    assert (plan.positive, plan.errors[0].positive, plan.models.positive) == (GOOD, GOOD, GOOD)
    assert flagged.go("Errors").radio(key="errors_positive").value == GOOD


def test_what_was_fitted_is_current_again_where_the_choice_is_taken_back(flagged):
    flagged.go("Retrain").click("models_take")
    put(flagged, drained(iter_remedy(flagged.state.study[1], PlainPlan())))
    [fitted] = flagged.state.fitted.values()
    flagged.go("Errors").set("radio", "errors_positive", GOOD).go("Retrain")
    assert not flagged.state.is_current(fitted)
    assert flagged.set("radio", "models_positive", BAD).state.is_current(fitted)


def test_what_the_person_chose_stays_where_the_prediction_changes(flagged):
    flagged.go("Retrain").set("radio", "models_positive", GOOD).go("Check").go("Retrain")
    assert shown(flagged) == GOOD
    flagged.click("models_take").state.prediction = OutcomePlan(column="granted", favorable=("no",))
    flagged.go("Errors").go("Retrain")
    assert shown(flagged) == flagged.state.models.positive == GOOD


def test_models_of_a_saved_audit_that_turn_it_are_kept_and_named(flagged):
    plan = loans_plan()
    asked = ErrorsPlan(by=("sex",), positive=BAD)
    flagged.state.score = RISK.model_copy(update={"cut": 0.5})
    flagged.state.models, flagged.state.errors = plan.models, [asked]
    saved = flagged.state.plan(fingerprint=False).model_copy(update={"positive": BAD})
    flagged.state.put_plan(AuditPlan.from_toml(saved.to_toml()))
    assert shown(flagged.go("Retrain")) == BAD and flagged.state.models.positive == GOOD
    assert "call the favourable result positive" in flagged.text


def test_what_is_positive_stands_beside_rates(flagged):
    flagged.go("Retrain").click("models_take")
    quick = RelabelPlan(risk_model="logistic_regression", final_model="logistic_regression")
    put(flagged, drained(iter_remedy(flagged.state.study[1], quick)))
    assert say(Message("remedies-positive", {"positive": Phrase('not "loan granted"')})) in flagged.text


def test_the_panel_names_groups_and_filters_in_words(flagged):
    flagged.state.change_check(protected="sex <> 'man'")
    flagged.state.change_check(where="area <> 'west'")
    flagged.go("Retrain")
    assert flagged.selectbox(key="models_question_1").options == ["1. sex is not man, where area is not west"]
    flagged.click("models_take").state.change_check(where=None)
    said = flagged.run().warnings
    assert shows(said, "learn-other-question", whose="sex is not man", where="area is not west", among="some")
    assert other_question_words(flagged.state) in said
