"""The page Errors: whose errors, what a positive is, what an error costs."""

from __future__ import annotations

import pytest
from shown import shows

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ErrorsPlan
from ui.data.roles import AGAINST

GOOD, BAD = "favorable", "unfavorable"


def uncut() -> str:
    """What is said where a score has no cut."""
    return say(Message("errors-lead-no-prediction"))


@pytest.fixture
def predicted(ready):
    """The app with a prediction and a score, on the page Errors."""
    ready.state.prediction = OutcomePlan(column="said", favorable=("y",))
    ready.state.score = ScorePlan(column="score")
    ready.state.protected_columns = ("sex",)
    return ready.go("Errors")


def test_the_column_of_the_protected_group_is_compared_at_first(ready):
    ready.state.prediction, ready.state.protected_columns = OutcomePlan(column="said", favorable=("y",)), ()
    ready.state.change_check(protected="sex = 'F'")
    ready.go("Errors").assert_refuses_nothing()
    assert ready.multiselect(key="errors_by").value == ["sex"] and ready.state.errors[0].by == ("sex",)


def test_errors_follow_the_group_that_is_asked_about(predicted):
    predicted.state.change_check(protected="age < 30 OR age >= 60")
    assert predicted.go("Check").go("Errors").multiselect(key="errors_by").value == ["sex"]
    predicted.state.change_check(protected="age = 30")
    assert predicted.go("Check").go("Errors").multiselect(key="errors_by").value == ["age"]
    predicted.set("multiselect", "errors_by", ["sex"])
    assert predicted.go("Check").go("Errors").multiselect(key="errors_by").value == ["sex"]


def test_a_remedy_is_offered_where_it_is_said_who_is_protected(predicted):
    def ways():
        return [link.proto.label for link in predicted.get("page_link") if link.proto.page == "Remedies"]

    assert len(ways()) == 2  # The sidebar has one, too.
    predicted.state.change_check(protected="")
    predicted.run()
    assert not ways()


def test_groups_that_a_person_chose_stay_where_another_column_is_asked_about(predicted):
    predicted.set("multiselect", "errors_by", ["sex", "race"]).state.change_check(protected="age = 30")
    assert predicted.go("Check").go("Errors").multiselect(key="errors_by").value == ["sex", "race"]
    assert predicted.state.errors[0].by == ("sex", "race")


def _rates(app) -> dict[str, tuple[str, str]]:
    frame = next(table.value for table in app.table if "False positive rate" in " ".join(map(str, table.value.columns)))
    return {str(name): tuple(frame[name]) for name in frame.columns}


def test_page_asks_for_a_prediction_where_there_is_none(ready):
    ready.go("Errors")
    assert shows(ready.text, "errors-needs-prediction")
    assert not ready.main.get("page_link")
    [leads_on] = ready.get("page_link")[-1:]
    assert leads_on.label == say(Message("errors-name-prediction"))


def test_errors_and_scores_are_drawn(ready):
    ready.go("Data").set("selectbox", ready.data_key("prediction_column"), "said")
    ready.set("multiselect", ready.data_key("prediction_values_said"), ["y"])
    ready.set("selectbox", ready.data_key("score_column"), "score")
    ready.set("multiselect", ready.data_key("protected"), ["sex"])
    ready.go("Errors").assert_refuses_nothing()
    assert ready.state.errors[0].by == ("sex",)
    assert ready.verdict and say(Message("errors-ranking-name")) in ready.text


def test_calling_the_bad_outcome_positive_swaps_the_rates(predicted):
    before = _rates(predicted)
    predicted.set("radio", "errors_positive", BAD)
    after = _rates(predicted)
    named = {key: next(name for name in before if name.startswith(key)) for key in ("False positive", "False negative")}
    assert before[named["False positive"]] == after[named["False negative"]]
    assert before[named["False negative"]] == after[named["False positive"]]
    predicted.go("Check").go("Errors")
    assert predicted.radio(key="errors_positive").value == BAD


def test_costs_rates_and_columns_can_be_chosen(predicted):
    before = [table.value.to_string() for table in predicted.table]
    predicted.set("number_input", "errors_cost_positive", 5.0).set("number_input", "errors_cost_negative", 0.0)
    assert predicted.state.plan().errors[0].cost_false_positive == 5.0
    assert [table.value.to_string() for table in predicted.table] != before
    for by in (["race"], ["sex", "race"], ["member"], ["age"], ["ok"], ["said"]):
        predicted.set("multiselect", "errors_by", by)
        assert len(predicted.error) <= 1, by
    predicted.set("multiselect", "errors_by", [])
    assert "Choose the columns" in predicted.text and predicted.state.errors == []


def test_score_without_a_prediction_has_no_error_rates_until_it_is_cut(ready):
    ready.go("Data").set("selectbox", ready.data_key("score_column"), "score")
    ready.set("multiselect", ready.data_key("protected"), ["sex"]).go("Errors")
    assert uncut() in ready.text
    ready.go("Data").set("number_input", ready.data_key("score_cut_score"), 0.5).go("Errors")
    assert uncut() not in ready.text
    ready.assert_refuses_nothing()


def test_prediction_without_its_good_outcome_is_said_to_be_unused(ready):
    ready.go("Data").set("selectbox", ready.data_key("prediction_column"), "said")
    assert "is not used yet" in ready.warnings and ready.state.prediction is None
    ready.set("multiselect", ready.data_key("prediction_values_said"), ["y"])
    assert "is not used yet" not in ready.warnings and ready.state.prediction is not None


def test_score_against_the_good_outcome_is_turned_round(ready):
    ready.go("Data").set("selectbox", ready.data_key("score_column"), "score")
    ready.set("radio", ready.data_key("score_higher_score"), AGAINST)
    assert ready.state.score.higher_is_favorable is False
    ready.set("multiselect", ready.data_key("protected"), ["sex"]).go("Errors").assert_refuses_nothing()


def test_a_risk_score_that_was_taken_for_a_chance_is_turned_round_with_one_press(app, csv):
    rows = range(200)
    content = csv(sex=["F", "M"] * 100, ok=["y" if i % 5 else "n" for i in rows], points=[10 - i % 5 for i in rows])
    app.hold("t.csv", content).decide("ok", "y").go("Data").set("selectbox", app.data_key("score_column"), "points")
    app.state.change_check(protected="sex = 'F'")
    assert shows(app.go("Errors").warnings, "doubt-score-turned")
    app.click("errors_turn_score")
    assert "worse than chance" not in app.warnings and app.state.score.higher_is_favorable is False
    assert app.go("Data").go("Errors").state.score.higher_is_favorable is False


def test_errors_follow_the_filter(predicted):
    predicted.go("Groups").set("text_input", "groups_where", "age > 30")
    assert predicted.state.plan().errors[0].where == "age > 30"
    predicted.go("Errors").assert_refuses_nothing()


def test_errors_can_be_left_out_of_the_report(predicted):
    predicted.set("checkbox", "errors_in_report", False)
    assert predicted.state.plan().errors == ()
    assert predicted.go("Report").checkbox(key="report_errors").value is False


def test_more_groups_than_a_person_can_read_are_announced(predicted):
    assert not shows(predicted.warnings, "errors-many")
    predicted.set("multiselect", "errors_by", ["age"])
    first = predicted.warnings.splitlines()[0]
    assert shows(first, "errors-many", columns_count="one") and "fewer than 30 rows" in first
    assert "into classes first" in first and "Choose fewer columns" not in first


@pytest.mark.parametrize(("field", "column"), [("prediction", "said"), ("decision", "race")])
def test_a_column_that_was_chosen_is_still_chosen_after_another_page(ready, field, column):
    key = f"{field}_column"
    ready.go("Data").set("selectbox", ready.data_key(key), column)
    assert getattr(ready.state, field) is None
    ready.go("Groups").go("Data")
    assert ready.selectbox(key=ready.data_key(key)).value == column


def test_a_prediction_that_was_emptied_is_still_empty_after_another_page(ready):
    key = "prediction_column"
    ready.go("Data").set("selectbox", ready.data_key(key), "said")
    ready.set("selectbox", ready.data_key(key), None)
    assert ready.selectbox(key=ready.data_key(key)).value is None
    ready.go("Groups").go("Data")
    assert ready.selectbox(key=ready.data_key(key)).value is None


def test_a_prediction_can_be_taken_back(predicted):
    predicted.go("Data").set("selectbox", predicted.data_key("prediction_column"), None)
    assert predicted.state.prediction is None
    predicted.go("Groups").go("Data")
    assert predicted.selectbox(key=predicted.data_key("prediction_column")).value is None


def test_who_comes_to_name_a_prediction_finds_the_section_open(ready):
    ready.go("Data")
    sections = {part.label: part.proto.expanded for part in ready.test.expander}
    assert not sections["Prediction or score, if there is one"]
    ready.go("Errors").go("Data")
    sections = {part.label: part.proto.expanded for part in ready.test.expander}
    assert sections["Prediction or score, if there is one"]


def test_texts_of_the_table_that_say_missing_are_offered(app, csv):
    app.hold("t", csv(sex=["F", "k. A.", "declined", "M"], y=["yes", "no", "yes", "no"])).go("Data")
    offered = app.multiselect(key=f"data_missing_{app.state.data_key}").options
    assert "k. A." in offered and not {"declined", "F", "yes"}.intersection(offered)


def test_a_clear_gap_in_errors_stands_beside_the_answer_on_report(app, csv):
    sex, said = ["F"] * 4_000 + ["M"] * 4_000, ["y", "y", "y", "n"] * 1_000 + ["y", "n"] * 2_000
    app.hold("t.csv", csv(sex=sex, ok=["y", "n"] * 4_000, said=said)).decide("ok", "y")

    def chips(page):
        shown = " ".join(element.proto.body for element in app.go(page).test.get("html"))
        assert f">{say(Message('verdict-no-gap-above-tolerance'))}<" in shown
        return shown

    app.state.prediction, app.state.protected_columns = OutcomePlan(column="said", favorable=("y",)), ("sex",)
    app.state.change_check(protected="sex = 'F'")
    assert "in errors by sex" not in chips("Report")
    app.go("Errors")
    assert say(Message("errors-beside", {"by": Phrase("sex")})) in chips("Report")
    app.state.left_out.add("errors")
    assert "in errors by sex" not in chips("Report")


def test_a_prediction_that_repeats_the_decision_is_said_without_a_reading(ready):
    ready.state.prediction, ready.state.protected_columns = ready.state.decision, ("sex",)
    ready.go("Errors").assert_refuses_nothing()
    assert ready.verdict.startswith(say(Message("errors-headline-repeats")))
    assert shows(ready.warnings, "doubt-repeats-decision")
    assert "Too few to tell" not in ready.text and "against the person" not in ready.text


@pytest.fixture
def stops(app, csv):
    """The app with stops, a risk from 1 to 10 and what happened, on the page Errors."""
    rows = range(400)
    risk = [1 + i * 7 % 10 for i in rows]
    again = ["yes" if (i * 3) % 10 < each else "no" for i, each in zip(rows, risk, strict=True)]
    app.hold("stops.csv", csv(sex=["F", "M"] * 200, risk_score=risk, reoffended=again))
    app.state.decision, app.state.protected_columns = OutcomePlan(column="reoffended", favorable=("no",)), ("sex",)
    return app.go("Errors")


def _key(app, part: str, field: str) -> str:
    return f"errors_{part}_{app.state.data_key}_{field}"


def test_a_score_is_named_and_cut_on_the_page_itself(stops):
    stops.set("selectbox", _key(stops, "score", "column"), "risk_score")
    assert uncut() in stops.text
    stops.set("number_input", _key(stops, "score", "cut_risk_score"), 7.0).assert_refuses_nothing()
    assert stops.state.plan().score == ScorePlan(column="risk_score", higher_is_favorable=False, cut=7.0)
    assert uncut() not in stops.text and stops.test.get("vega_lite_chart")
    stops.go("Data")
    assert stops.number_input(key=stops.data_key("score_cut_risk_score")).value == 7.0
    stops.set("number_input", stops.data_key("score_cut_risk_score"), 5.0).go("Errors")
    assert stops.number_input(key=_key(stops, "score", "cut_risk_score")).value == 5.0
    stops.set("selectbox", _key(stops, "score", "side_risk_score"), "at or above")
    assert stops.state.score == ScorePlan(column="risk_score", higher_is_favorable=True, cut=5.0)
    stops.set("number_input", _key(stops, "score", "cut_risk_score"), None)
    assert stops.state.score.cut is None and uncut() in stops.text
    stops.set("selectbox", _key(stops, "score", "column"), None)
    assert stops.state.score is None and stops.go("Data").state.score is None


def test_a_prediction_of_numbers_is_cut_on_the_page_itself(stops):
    stops.go("Data").set("selectbox", stops.data_key("prediction_column"), "risk_score")
    stops.go("Errors").set("number_input", _key(stops, "prediction", "cut_risk_score"), 7.0).assert_refuses_nothing()
    assert stops.state.prediction == OutcomePlan(column="risk_score", favorable_when='"risk_score" < 7')
    stops.set("selectbox", _key(stops, "prediction", "side_risk_score"), "at or below")
    assert stops.state.plan().prediction.favorable_when == '"risk_score" <= 7'
    stops.go("Data")
    assert stops.selectbox(key=stops.data_key("prediction_side_risk_score")).value == "at or below"
    stops.set("number_input", stops.data_key("prediction_cut_risk_score"), 3.0).go("Errors")
    assert stops.number_input(key=_key(stops, "prediction", "cut_risk_score")).value == 3.0
    stops.set("number_input", _key(stops, "prediction", "cut_risk_score"), None)
    assert stops.state.prediction.favorable_when == '"risk_score" <= 3'


@pytest.mark.parametrize("when", ["risk_score <= 5", "risk_score <= 5 OR risk_score = 10"])
def test_a_visit_leaves_a_saved_prediction_as_it_is(stops, when):
    before = OutcomePlan(column="risk_score", favorable_when=when, meaning="low")
    stops.state.prediction = before
    stops.go("Errors").go("Check").go("Errors").assert_refuses_nothing()
    assert stops.state.prediction == before
    if when.endswith("<= 5"):
        stops.set("number_input", _key(stops, "prediction", "cut_risk_score"), 6.0)
        assert stops.state.prediction == OutcomePlan(
            column="risk_score", favorable_when='"risk_score" <= 6', meaning="low"
        )


def test_the_bad_outcome_is_proposed_as_positive_until_the_person_chooses(stops):
    stops.set("selectbox", _key(stops, "score", "column"), "risk_score")
    assert stops.radio(key="errors_positive").value == BAD and stops.state.plan().errors[0].positive == BAD
    stops.set("selectbox", _key(stops, "score", "side_risk_score"), "at or above")
    assert stops.radio(key="errors_positive").value == stops.state.errors[0].positive == GOOD
    stops.go("Check").go("Errors").set("selectbox", _key(stops, "score", "side_risk_score"), "below")
    assert stops.state.errors[0].positive == BAD
    stops.set("radio", "errors_positive", GOOD).go("Check").go("Errors")
    stops.set("number_input", _key(stops, "score", "cut_risk_score"), 6.0)
    stops.set("selectbox", _key(stops, "score", "side_risk_score"), "at or above")
    stops.set("selectbox", _key(stops, "score", "side_risk_score"), "below")
    assert stops.state.errors[0].positive == GOOD


def test_a_saved_audit_keeps_what_it_calls_positive(stops):
    stops.set("selectbox", _key(stops, "score", "column"), "risk_score").set("radio", "errors_positive", GOOD)
    stops.open_audit(stops.state.plan().to_toml()).go("Errors")
    assert stops.radio(key="errors_positive").value == stops.state.errors[0].positive == GOOD


def test_no_score_is_shown_with_its_sign_turned(stops):
    stops.set("selectbox", _key(stops, "score", "column"), "risk_score").set("radio", "errors_positive", GOOD)
    scores = [table.value[c] for table in stops.table for c in ("bin", "mean score", "score from") if c in table.value]
    shown = [table.value.to_string() for table in stops.table]
    assert scores or shown
    assert not any(mark in text for text in shown for mark in ("-1", "\u22121"))


def test_rows_without_an_outcome_or_a_score_are_said(app, csv):
    rows = range(400)
    again = ["" if i % 8 == 0 else "yes" if i % 3 else "no" for i in rows]
    said = ["" if i % 16 == 0 else "yes" if i % 2 else "no" for i in rows]
    app.hold("stops.csv", csv(sex=["F", "M"] * 200, said=said, points=[1 + i * 7 % 10 for i in rows], reoffended=again))
    app.state.decision, app.state.protected_columns = OutcomePlan(column="reoffended", favorable=("no",)), ("sex",)
    app.state.score = ScorePlan(column="points", higher_is_favorable=False, cut=5)
    app.go("Errors")
    left_out = [line for line in app.warnings.splitlines() if "left out" in line]
    rows = {"rows": Message("rows-n", {"n": Count(50)})}
    assert left_out == [say(Message("doubt-no-outcome", rows)), say(Message("doubt-no-score", rows))]
    app.hold("more.csv", csv(sex=["F", "M"] * 200, said=said, points=["", *[5] * 399], reoffended=["yes", "no"] * 200))
    app.state.prediction = OutcomePlan(column="said", favorable=("no",))
    left_out = [line for line in app.go("Errors").warnings.splitlines() if "left out" in line]
    assert left_out == [
        say(Message("doubt-no-outcome", {"rows": Phrase("25 rows")})),
        say(Message("doubt-no-score", {"rows": Phrase("1 row")})),
    ]


def test_data_says_where_to_name_a_prediction_where_the_decision_is_what_happened(app, csv):
    rows = range(80)
    content = csv(sex=["F", "M"] * 40, decile=[1 + i % 10 for i in rows], reoffended=["no", "yes"] * 40)
    app.hold("court.csv", content).decide("reoffended", "no")
    said = say(Message("data-predicted", {"column": Phrase("decile")}))
    assert said in app.text
    app.set("selectbox", app.data_key("score_column"), "decile").go("Data")
    assert said not in app.text
    app.hold("other.csv", csv(sex=["F", "M"] * 40, decile=[1 + i % 10 for i in rows], released=["no", "yes"] * 40))
    assert said not in app.decide("released", "yes").text


HAPPENED, DECIDED = "what happened later", "what somebody decided"


@pytest.fixture
def unsaid(app, csv):
    """A table with a decision, what happened later, and a score, where nothing is said yet."""
    n = range(400)
    columns = {
        "hired": ["yes" if i % 3 else "no" for i in n],
        "reoffended": ["yes" if i % 5 < 2 else "no" for i in n],
        "outlook": ["up" if i % 7 < 3 else "down" for i in n],
        "points": [1 + i * 7 % 10 for i in n],
    }
    return app.upload("mixed.csv", csv(sex=["F", "M"] * 200, **columns))


def happened(app, column: str) -> str:
    """What the page Data says that a column tells."""
    return app.radio(key=app.data_key(f"decision_happened_{column}")).value


def test_whether_a_column_is_a_decision_is_proposed_by_its_name_and_kept(unsaid):
    for column, good, tells in (("hired", "yes", DECIDED), ("reoffended", "no", HAPPENED)):
        unsaid.decide(column, good)
        unsaid.state.score = ScorePlan(column="points")
        assert happened(unsaid.go("Check").go("Data"), column) == tells
        saved = AuditPlan.from_toml(unsaid.state.plan().to_toml())
        assert saved.decision.is_outcome == saved.decision_is_outcome == (tells == HAPPENED)


def test_what_a_column_is_shown_to_tell_stays_when_a_score_is_named_or_taken_back(unsaid):
    unsaid.decide("outlook", "up")
    assert happened(unsaid, "outlook") == DECIDED
    for named in ("points", None):
        unsaid.set("selectbox", unsaid.data_key("score_column"), named).go("Check").go("Data")
        assert happened(unsaid, "outlook") == DECIDED and not unsaid.state.plan().decision_is_outcome
    unsaid.set("radio", unsaid.data_key("decision_happened_outlook"), HAPPENED).go("Check").go("Data")
    assert happened(unsaid, "outlook") == HAPPENED and unsaid.state.plan().decision_is_outcome


def test_a_score_that_is_there_proposes_what_a_column_tells_whose_name_says_nothing(unsaid):
    unsaid.decide("hired", "yes").set("selectbox", unsaid.data_key("score_column"), "points")
    unsaid.decide("outlook", "up")
    assert happened(unsaid, "outlook") == HAPPENED and unsaid.state.plan().decision_is_outcome


def test_an_old_audit_goes_on_to_mean_a_decision_when_a_score_is_named(unsaid):
    unsaid.decide("outlook", "up")
    old = unsaid.state.plan()
    old = old.model_copy(update={"decision": old.decision.model_copy(update={"is_outcome": None})})
    unsaid.open_audit(old.to_toml()).go("Data")
    assert happened(unsaid, "outlook") == DECIDED and unsaid.state.plan().decision.is_outcome is None
    unsaid.set("selectbox", unsaid.data_key("score_column"), "points").go("Check").go("Data")
    assert happened(unsaid, "outlook") == DECIDED and not unsaid.state.plan().decision_is_outcome


def test_errors_against_a_decision_say_so_and_against_what_happened_do_not(unsaid):
    unsaid.decide("hired", "yes").state.score = ScorePlan(column="points", cut=5)
    unsaid.state.protected_columns = ("sex",)
    said = say(Message("errors-against-decision"))
    assert said in unsaid.go("Errors").text
    unsaid.decide("reoffended", "no")
    assert said not in unsaid.go("Errors").text


def test_an_old_audit_asks_for_nothing_and_means_what_it_did(unsaid):
    unsaid.decide("hired", "yes").state.score = ScorePlan(column="points")
    old = unsaid.state.plan()
    old = old.model_copy(update={"decision": old.decision.model_copy(update={"is_outcome": None})})
    unsaid.open_audit(old.to_toml()).go("Data")
    assert unsaid.state.plan().decision.is_outcome is None and unsaid.state.plan().decision_is_outcome
    assert happened(unsaid, "hired") == HAPPENED


def is_open(app) -> bool:
    """Whether the panel of the prediction and the score stands open on the page Data."""
    return next(part.proto.expanded for part in app.go("Data").test.expander if part.label.startswith("Prediction"))


def test_the_panel_of_a_score_stays_open_once_one_is_named(unsaid):
    unsaid.decide("reoffended", "no")
    assert not is_open(unsaid)
    assert is_open(unsaid.set("selectbox", unsaid.data_key("score_column"), "points"))
    assert unsaid.radio(key=unsaid.data_key("score_higher_points")).value


def test_each_question_of_a_saved_audit_is_shown_and_changed_by_itself(predicted):
    audit = predicted.state.plan(fingerprint=False).model_copy(
        update={
            "errors": (
                ErrorsPlan(by=("sex",), cost_false_positive=2.0),
                ErrorsPlan(by=("age",), where="age > 25", confidence=0.9),
            )
        }
    )
    predicted.go("Check")
    predicted.state.put_plan(audit)
    predicted.go("Errors")
    assert predicted.number_input(key="errors_cost_positive").value == 2
    saved = predicted.state.errors[1]
    [chosen] = [each for each in predicted.selectbox if each.key.startswith("errors_asked")]
    assert len(chosen.options) == 2
    chosen.set_value(chosen.options[1])
    predicted.run()
    assert predicted.multiselect(key="errors_by_1").value == ["age"] and predicted.state.errors[1] == saved
    predicted.set("number_input", "errors_cost_negative_1", 3.0)
    assert [e.cost_false_negative for e in predicted.state.errors] == [1, 3]
    assert predicted.state.errors[1].where == "age > 25"
    predicted.set("multiselect", "errors_by_1", [])
    assert len(predicted.state.errors) == 2
    predicted.go("Report")
    assert predicted.checkbox(key="report_errors").label.count("costs") == 2
    predicted.go("Errors").click("errors_leave")
    assert [e.by for e in predicted.state.errors] == [("sex",)]
    assert predicted.multiselect(key="errors_by").value == ["sex"]


def test_the_form_stands_above_until_there_is_an_answer_and_then_folds(stops):
    assert not stops.test.main.get("popover")
    stops.set("selectbox", _key(stops, "score", "column"), "risk_score")
    assert not stops.test.main.get("popover")
    stops.set("number_input", _key(stops, "score", "cut_risk_score"), 6.0)
    assert stops.state.plan().score.cut == 6.0 and stops.multiselect(key="errors_by").value == ["sex"]
    stops.set("number_input", _key(stops, "score", "cut_risk_score"), None)


def test_an_answer_begins_with_one_headline_and_its_pictures(predicted):
    assert [each.value for each in predicted.test.main.title] != []
    assert len(predicted.test.main.title) == 1 and not predicted.test.main.header
    assert predicted.test.get("vega_lite_chart") or predicted.test.get("arrow_vega_lite_chart")
