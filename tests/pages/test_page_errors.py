"""The page Errors: whose errors, what a positive is, what an error costs."""

from __future__ import annotations

import pytest

from fairaudit.plan import OutcomePlan, ScorePlan

GOOD, BAD = "the good outcome", "the bad outcome"


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


def _rates(app) -> dict[str, tuple[str, str]]:
    frame = next(table.value for table in app.table if "False positive rate" in " ".join(map(str, table.value.columns)))
    return {str(name): tuple(frame[name]) for name in frame.columns}


def test_page_asks_for_a_prediction_where_there_is_none(ready):
    ready.go("Errors")
    assert "no prediction and no score" in ready.text


def test_errors_and_scores_are_drawn(ready):
    ready.go("Data").set("selectbox", ready.data_key("prediction_column"), "said")
    ready.set("multiselect", ready.data_key("prediction_values_said"), ["y"])
    ready.set("selectbox", ready.data_key("score_column"), "score")
    ready.set("multiselect", ready.data_key("protected"), ["sex"])
    ready.go("Errors").assert_refuses_nothing()
    assert ready.state.errors[0].by == ("sex",)
    assert ready.verdict and "How well the score tells the outcomes apart" in ready.text


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
    for metric in ("tpr", "fdr", "for_", "selection_rate"):
        predicted.set("selectbox", "errors_metric", metric).assert_refuses_nothing()
    for by in (["race"], ["sex", "race"], ["member"], ["age"], ["ok"], ["said"]):
        predicted.set("multiselect", "errors_by", by)
        assert len(predicted.error) <= 1, by
    predicted.set("multiselect", "errors_by", [])
    assert "Choose the columns" in predicted.text and predicted.state.errors == []


def test_score_without_a_prediction_has_no_error_rates_until_it_is_cut(ready):
    ready.go("Data").set("selectbox", ready.data_key("score_column"), "score")
    ready.set("multiselect", ready.data_key("protected"), ["sex"]).go("Errors")
    assert "The score has no cut" in ready.text
    ready.go("Data").set("number_input", ready.data_key("score_cut_score"), 0.5).go("Errors")
    assert "The score has no cut" not in ready.text
    ready.assert_refuses_nothing()


def test_prediction_without_its_good_outcome_is_said_to_be_unused(ready):
    ready.go("Data").set("selectbox", ready.data_key("prediction_column"), "said")
    assert "is not used yet: say what in it means the good outcome" in ready.warnings and ready.state.prediction is None
    ready.set("multiselect", ready.data_key("prediction_values_said"), ["y"])
    assert "is not used yet" not in ready.warnings and ready.state.prediction is not None


def test_score_against_the_good_outcome_is_turned_round(ready):
    ready.go("Data").set("selectbox", ready.data_key("score_column"), "score")
    ready.set("radio", ready.data_key("score_higher_score"), "against the good outcome")
    assert ready.state.score.higher_is_favorable is False
    ready.set("multiselect", ready.data_key("protected"), ["sex"]).go("Errors").assert_refuses_nothing()


def test_a_risk_score_that_was_taken_for_a_chance_is_turned_round_with_one_press(app, csv):
    rows = range(200)
    content = csv(sex=["F", "M"] * 100, ok=["y" if i % 5 else "n" for i in rows], risk=[10 - i % 5 for i in rows])
    app.hold("t.csv", content).decide("ok", "y").go("Data").set("selectbox", app.data_key("score_column"), "risk")
    app.state.change_check(protected="sex = 'F'")
    assert "ranks people worse than chance" in app.go("Errors").warnings
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
    assert "more than anyone can read" not in predicted.warnings
    predicted.set("multiselect", "errors_by", ["age"])
    first = predicted.warnings.splitlines()[0]
    assert "groups, more than anyone can read. All of them have fewer than 30 rows" in first
    assert "into classes in your data first" in first and "Choose fewer columns" not in first


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
