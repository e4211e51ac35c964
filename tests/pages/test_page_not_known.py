"""What totals and codes mean is asked on Data and where a group is made, once, and undone by one press."""

from __future__ import annotations

import pytest
from shown import shows

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan

pytestmark = pytest.mark.campaign


@pytest.fixture
def asked(app, some_unknown):
    """The app with these people, where Black people are protected."""
    app.hold("people.csv", some_unknown)
    app.state.decision = OutcomePlan(column="hired", favorable=("yes",))
    app.state.change_check(protected="race = 'Black'")
    return app


def pressed(app, answer: str, page: str = "data_open"):
    """Give an answer to the first question."""
    return app.click(f"{page}_{answer}")


def test_data_asks_what_the_decision_does_not_know_and_reads_it_as_missing(asked):
    asked.go("Data")
    assert shows(asked.text, "data-open", meaning="undecided", values="'pending'", column="hired")
    assert not shows(asked.text, "data-open", meaning="group", values="'Decline to state'", column="race")
    pressed(asked, "not_known")
    assert shows(asked.text, "data-open", meaning="group", values="'Decline to state'", column="race")
    assert asked.state.reading.not_known == (("hired", ("pending",)),)
    assert asked.state.table.count("hired IS NULL") == 16
    assert not shows(asked.text, "data-open", meaning="undecided", values="'pending'", column="hired")
    pressed(asked, "not_known")
    assert asked.state.reading.not_known == (("hired", ("pending",)), ("race", ("Decline to state",)))
    assert asked.state.check.protected == "race = 'Black'"
    assert [button.key for button in asked.button if button.key.startswith("data_open")] == []


def test_what_was_said_is_undone_column_by_column(asked):
    pressed(pressed(asked.go("Data"), "not_known"), "real_values")
    assert asked.state.reading.real_values == (("race", ("Decline to state",)),)
    asked.click("data_said_real_values_race")
    assert asked.state.reading.real_values == () and asked.state.reading.not_known == (("hired", ("pending",)),)
    assert shows(asked.text, "data-open", meaning="group", values="'Decline to state'", column="race")
    asked.click("data_said_not_known_hired")
    assert asked.state.reading.not_known == ()


def test_one_mark_in_several_columns_is_asked_about_once_and_answered_for_each(app, csv):
    columns = {"work": ["a", "b", "?"] * 40, "job": ["?", "c", "d", "c"] * 30, "sex": ["F", "M"] * 60}
    app.hold("marks.csv", csv(**columns, ok=["y", "n", "n"] * 40)).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'", compare=(("work",), ("job",)))
    app.go("Check")
    assert shows(" ".join(each.value for each in app.info), "page-open-values", n=1)
    app.go("Data")
    assert shows(app.text, "data-open", meaning="group", values="'?'", column="work and job", of="columns")
    pressed(app, "not_known")
    assert app.state.reading.not_known == (("work", ("?",)), ("job", ("?",)))
    assert app.state.recorded_plan().data.not_known == {"work": ("?",), "job": ("?",)}
    assert not [button for button in app.button if button.key.startswith("data_open")]
    app.click("data_said_not_known_job")
    assert shows(app.text, "data-open", meaning="group", values="'?'", column="job", of="column")


def test_groups_asks_before_a_group_is_made_of_such_people(asked):
    asked.go("Groups")
    assert shows(asked.text, "data-open", meaning="group", values="'Decline to state'", column="race")
    leads_on = say(Message("groups-next"))
    assert leads_on not in [link.label for link in asked.get("page_link")], "the check would answer nothing"
    pressed(asked, "not_known", page="groups_open")
    assert leads_on in [link.label for link in asked.get("page_link")]
    assert asked.sizes[1] == 152
    assert asked.state.check.where is None


def test_check_answers_nothing_before_and_leads_to_the_question(asked):
    asked.go("Check")
    said = " ".join(each.value for each in asked.info)
    assert shows(said, "page-open-values", n=2)
    assert shows(said, "data-open", meaning="group", values="'Decline to state'", column="race")
    pressed(pressed(asked.go("Data"), "not_known"), "not_known")
    asked.go("Check")
    assert asked.verdict
    assert asked.state.recorded_plan().data.not_known == {"hired": ("pending",), "race": ("Decline to state",)}


def test_totals_are_asked_about_and_left_out(app, csv):
    rows = csv(sex=["F", "M"] * 50 + ["All Sexes"] * 5, area=["a", "b", "c"] * 35, ok=["y", "n", "n"] * 35)
    app.hold("totals.csv", rows).go("Data")
    assert shows(app.text, "data-open", meaning="total", values="'All Sexes'", column="sex")
    pressed(app, "left_out")
    assert app.state.table.n_rows == 100 and app.state.reading.left_out == (("sex", ("All Sexes",)),)
    app.click("data_said_left_out_sex")
    assert app.state.table.n_rows == 105


def test_na_beside_short_codes_is_proposed_as_a_value(app, csv):
    app.hold("codes.csv", csv(race=["W", "B", "A", "NA"] * 40, ok=["y", "n"] * 80)).decide("ok", "y")
    app.state.change_check(protected="race = 'B'")
    app.go("Groups")
    keys = [button.key for button in app.button if button.key.startswith("groups_open")]
    assert keys == ["groups_open_real_values", "groups_open_not_known"]
    pressed(app, "real_values", page="groups_open")
    assert app.sizes[1] == 120


def test_cases_that_nobody_decided_are_asked_about_once_and_left_out_or_counted(app, csv):
    results = ["yes", "no", "withdrawn", "no", "pending"] * 24
    app.hold("homes.csv", csv(sex=["F", "M"] * 60, result=results)).decide("result", "yes")
    both = {"meaning": "undecided", "values": "'pending', 'withdrawn'", "column": "result"}
    assert shows(app.text, "data-open", **both)
    assert len([button for button in app.button if button.key.startswith("data_open")]) == 2
    pressed(app, "not_known")
    assert app.state.reading.not_known == (("result", ("pending", "withdrawn")),)
    assert app.state.table.count("result IS NULL") == 48
    named = {"answer": "undecided", "values": "'pending', 'withdrawn'", "column": "result"}
    assert shows(app.text, "data-said-of-values", **named)
    app.click("data_said_not_known_result")
    assert shows(app.text, "data-open", **both)
    pressed(app, "real_values")
    assert shows(app.text, "data-said-of-values", **named | {"answer": "decided"})
    app.state.change_check(protected="sex = 'F'")
    assert app.go("Check").verdict
    assert app.state.recorded_plan().data.real_values == {"result": ("pending", "withdrawn")}


def test_nobody_asks_about_cases_that_the_filter_leaves_out(app, csv):
    results = ["yes", "no", "withdrawn", "no", "pending"] * 24
    app.hold("homes.csv", csv(sex=["F", "M"] * 60, result=results)).decide("result", "yes")
    key = app.data_key("decision_undecided_result")
    app.set("multiselect", key, ["pending", "withdrawn"])
    assert app.state.check.where == "result NOT IN ('pending', 'withdrawn')"
    assert not [button for button in app.button if button.key.startswith("data_open")]


def test_values_that_decide_nothing_yet_are_left_out_by_the_filter_and_taken_in_again(app, csv):
    app.hold("parole.csv", csv(sex=["F", "M"] * 60, age=[30, 50, 40] * 40, result=["yes", "no", "later", "never"] * 30))
    app.state.change_check(where="age > 35")
    key = app.decide("result", "yes").data_key("decision_undecided_result")
    app.set("multiselect", key, ["later"])
    assert app.state.check.where == "age > 35 AND result <> 'later'" and not app.warnings
    assert "Not good: 'never', 'no'. " in app.text and shows(app.text, "data-filtered-out", values="'later'")
    app.set("multiselect", key, ["later", "never"])
    assert app.state.check.where == "age > 35 AND result NOT IN ('later', 'never')"
    app.go("Groups").go("Data")
    assert app.multiselect(key=key).value == ["later", "never"]
    app.set("multiselect", key, [])
    assert app.state.check.where == "age > 35"


def test_nothing_is_said_of_values_that_may_be_real(ready):
    for page in ("Data", "Groups", "Check"):
        assert "is not known" not in ready.go(page).warnings
