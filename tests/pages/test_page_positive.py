"""What models call positive: as the page Errors, until the person chooses otherwise, and never under a fit's feet."""

from __future__ import annotations

import pytest
from remedy_pages import put
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.plan import OutcomePlan, ScorePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.trying import iter_remedy
from ui.remedies.positive import positive_words

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


def test_models_begin_with_what_was_chosen_on_the_page_errors(flagged):
    flagged.go("Errors").set("radio", "errors_positive", GOOD)
    assert shown(flagged.go("Retrain")) == GOOD
    assert "On the page Errors" not in flagged.text
    flagged.set("radio", "models_positive", BAD)
    assert "On the page Errors the good outcome counts as positive" in flagged.text


def test_models_follow_the_page_errors_while_nothing_was_fitted(flagged):
    flagged.go("Retrain").click("models_take").go("Errors").set("radio", "errors_positive", GOOD).go("Retrain")
    assert shown(flagged) == flagged.state.models.positive == GOOD
    assert "not in use yet" not in flagged.text


def test_what_was_fitted_is_not_put_out_of_date_by_the_page_errors(flagged):
    flagged.go("Retrain").click("models_take")
    put(flagged, drained(iter_remedy(flagged.state.study[1], PlainPlan())))
    [fitted] = flagged.state.fitted.values()
    flagged.go("Errors").set("radio", "errors_positive", GOOD).go("Retrain")
    assert shown(flagged) == flagged.state.models.positive == BAD and flagged.state.is_current(fitted)
    assert "On the page Errors the good outcome counts as positive" in flagged.text


def test_what_the_person_chose_for_models_stays(flagged):
    flagged.go("Retrain").set("radio", "models_positive", GOOD).go("Check").go("Retrain")
    assert shown(flagged) == GOOD
    flagged.click("models_take").state.prediction = OutcomePlan(column="granted", favorable=("no",))
    flagged.go("Errors").go("Retrain")
    assert shown(flagged) == flagged.state.models.positive == GOOD


def test_a_saved_audit_keeps_what_its_models_call_positive(flagged):
    flagged.state.models = loans_plan().models
    assert shown(flagged.go("Retrain")) == flagged.state.models.positive == GOOD


def test_what_is_positive_stands_beside_rates(flagged):
    flagged.state.score = RISK.model_copy(update={"cut": 0.5})
    flagged.go("Retrain").click("models_take").go("Thresholds")
    assert positive_words("x").endswith("a row for which that is predicted although it is not so.")
    assert positive_words(flagged.state.study[1].facts.positive_meaning) in flagged.text


def test_the_panel_names_groups_and_filters_in_words(flagged):
    flagged.state.change_check(protected="sex <> 'man'")
    flagged.state.change_check(where="area <> 'west'")
    flagged.go("Retrain")
    assert flagged.selectbox(key="models_question_1").options == ["1. sex is not man, where area is not west"]
    flagged.click("models_take").state.change_check(where=None)
    said = flagged.run().warnings
    assert "judged by the gap of sex is not man, among rows where area is not west" in said
