"""People whose group or decision is not known are shown where they are counted, and left out by one press."""

from __future__ import annotations

import pytest
from shown import shown, shows

from fairaudit.findings import Count, Message, Phrase, Word
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


RACE, DECISION = "have 'Decline to state' in column 'race'", "have 'pending' in column 'hired'"


def counted(n: int, as_what: str, side: str, condition: str) -> str:
    """What is said of how and on which side they are counted, and of the condition that leaves them out."""
    args = {"n": Count(n), "counted": Word(as_what), "side": Word(side), "filter": Phrase(condition)}
    return say(Message("unknown-counted", args))


def test_groups_says_who_is_counted_in_the_rest_and_leaves_them_out_by_one_press(asked):
    asked.go("Groups")
    assert f"12 rows {RACE}" in asked.warnings
    assert counted(12, "group", "rest", "race <> 'Decline to state'") in asked.warnings
    assert asked.sizes[1] == 164
    asked.click("groups_leave_out_0")
    assert asked.state.check.where == "race <> 'Decline to state'"
    assert asked.text_input(key="groups_where").value == "race <> 'Decline to state'"
    assert asked.sizes[1] == 152 and RACE not in asked.warnings
    assert "Left out: Decline to state in column 'race'. The filter is now: race is not Decline to state." in asked.text
    asked.click("groups_leave_out_undo")
    assert asked.state.check.where is None and RACE in asked.warnings
    assert asked.text_input(key="groups_where").value == ""


def test_groups_says_who_is_counted_in_the_protected_group(asked):
    asked.state.change_check(protected="race <> 'White'")
    asked.go("Groups")
    assert f"12 rows {RACE}" in asked.warnings
    assert counted(12, "group", "protected", "race <> 'Decline to state'") in asked.warnings


def test_groups_says_that_both_groups_hold_such_people(asked):
    asked.state.change_check(protected="race = 'Black' OR sex = 'F'")
    asked.go("Groups")
    assert f"12 rows {RACE}" in asked.warnings
    assert counted(12, "group", "both", "race <> 'Decline to state'") in asked.warnings


def test_check_says_both_and_adds_to_the_filter_that_is_there(asked):
    asked.state.change_check(where="sex = 'F'\nOR sex = 'M'")
    asked.go("Check")
    assert RACE in asked.warnings and f"10 rows {DECISION}" in asked.warnings
    before = asked.verdict
    asked.click("check_leave_out_1").click("check_leave_out_0")
    assert asked.state.check.where == (
        "((sex = 'F'\nOR sex = 'M') AND (hired <> 'pending' OR hired IS NULL)) AND race <> 'Decline to state'"
    )
    assert asked.verdict != before and RACE not in asked.warnings and DECISION not in asked.warnings
    asked.go("Groups")
    assert asked.text_input(key="groups_where").value == asked.state.check.where
    asked.go("Check").click("check_leave_out_undo")
    assert RACE in asked.warnings and DECISION not in asked.warnings


def test_a_column_that_the_question_does_not_use_has_its_caution_among_all_groups_alone(asked):
    asked.state.change_check(protected="sex = 'F'", compare=(("race",),))
    asked.go("Check")
    keys = [button.key for button in asked.button if "leave_out" in button.key]
    assert keys == ["check_leave_out_0", "check_groups_leave_out_0"]
    assert "pending" in asked.button(key="check_leave_out_0").label
    assert "race" in asked.button(key="check_groups_leave_out_0").label


def test_all_that_can_be_undone_is_named_and_undone_step_by_step(asked):
    asked.go("Check").click("check_leave_out_1").click("check_leave_out_0")
    both = "Decline to state in column 'race'; pending in column 'hired'"
    assert shows(asked.text, "groups-left-out-last", what=both)
    assert "The filter is now: hired is not pending (or is missing) and race is not Decline to state." in asked.text
    asked.click("check_leave_out_undo")
    assert RACE in asked.warnings and DECISION not in asked.warnings
    assert "Left out: pending in column 'hired'. The filter is now: hired is not pending (or is missing)." in asked.text
    asked.click("check_leave_out_undo")
    assert RACE in asked.warnings and DECISION in asked.warnings and asked.state.check.where is None
    assert "Left out" not in asked.text


def test_the_page_says_which_values_the_filter_leaves_out_and_offers_what_was_withdrawn_by_itself(app, csv):
    app.hold("homes.csv", csv(sex=["F", "M"] * 60, result=["yes", "no", "withdrawn", "pending"] * 30))
    app.decide("result", "yes")
    assert "30 rows have 'withdrawn'" in app.warnings and shows(app.warnings, "unknown-lead", meaning="ended")
    app.click("data_leave_out_0")
    assert app.state.check.where == "result <> 'pending'"
    assert "Not good: 'no', 'withdrawn'. " in app.text and shows(app.text, "data-filtered-out", values="'pending'")
    app.click("data_leave_out_0")
    assert "Not good: 'no'. " in app.text and shows(app.text, "data-filtered-out", values="'pending', 'withdrawn'")


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


def test_a_value_that_is_left_out_by_another_press_is_shown_as_left_out(app, csv):
    app.hold("homes.csv", csv(sex=["F", "M"] * 60, result=["yes", "no", "later", "pending"] * 30))
    key = app.decide("result", "yes").data_key("decision_undecided_result")
    app.click("data_leave_out_0")
    assert app.multiselect(key=key).value == ["pending"]
    app.click("data_leave_out_undo")
    assert app.multiselect(key=key).value == [] and app.state.check.where is None


def _place(app, text: str) -> int:
    """Where a text stands on the page, from top to bottom."""
    texts = [str(getattr(element, "value", "")).replace("\\", "") for element in app.main]
    return next(place for place, drawn in enumerate(texts) if text in drawn)


def test_what_was_left_out_stands_below_what_it_was_about(asked):
    asked.go("Check").click("check_leave_out_1")
    assert _place(asked, RACE) < _place(asked, "Left out: pending")
    asked.click("check_leave_out_undo").click("check_leave_out_0")
    assert _place(asked, "Left out: Decline to state") < _place(asked, DECISION)


def test_each_page_shows_what_was_left_out_of_its_kind_and_names_what_was_left_out_after_it(asked):
    asked.go("Data").click("data_leave_out_0")
    assert "Left out" not in asked.go("Groups").text
    asked.click("groups_leave_out_0")
    both = {"what": "Decline to state in column 'race'; pending in column 'hired'"}
    assert shows(asked.text, "groups-left-out-last", **both)
    assert shows(asked.go("Data").text, "groups-left-out-last", **both)
    asked.click("data_leave_out_undo")
    assert "Left out: pending in column 'hired'." in asked.text
    assert "Left out" not in asked.go("Groups").text and RACE in asked.warnings
    asked.go("Data").click("data_leave_out_undo")
    assert asked.state.check.where is None and DECISION in asked.warnings


def test_what_was_left_out_is_named_again_once_a_later_change_of_the_filter_is_undone(asked):
    asked.go("Groups").click("groups_leave_out_0").set("text_input", "groups_where", "sex = 'F'")
    assert "Left out:" not in asked.text
    asked.click("groups_undo")
    assert "Left out: Decline to state" in asked.text


def test_what_was_left_out_on_another_page_stays_out_when_the_filter_is_changed_since(asked):
    asked.go("Groups").go("Check").click("check_leave_out_0")
    asked.state.change_check(where="sex = 'F'")
    asked.go("Groups")
    assert asked.text_input(key="groups_where").value == "sex = 'F'" == asked.state.check.where
    assert "Left out:" not in asked.text


def test_data_says_which_decisions_are_counted_although_nothing_is_decided(asked):
    asked.go("Data")
    assert f"10 rows {DECISION}" in asked.warnings
    assert counted(10, "not_good", "hidden", "(hired <> 'pending' OR hired IS NULL)") in asked.warnings
    assert asked.button(key="data_leave_out_0").label == "Leave out the rows with 'pending' in hired"
    asked.click("data_leave_out_0")
    assert "The filter is now: hired is not pending (or is missing)." in asked.text
    assert asked.state.check.where == "hired <> 'pending' OR hired IS NULL"
    assert DECISION not in asked.warnings
    asked.click("data_leave_out_undo")
    assert DECISION in asked.warnings and asked.state.check.where is None


def test_the_table_is_said_to_hold_values_that_may_mean_not_known(asked):
    def said() -> list[str]:
        cells = [str(cell).replace("\\", "") for shown in asked.table for cell in shown.value.to_numpy().ravel()]
        return [cell for cell in cells if "may mean" in cell]

    asked.go("Data")
    assert sum("'Decline to state', which may mean \"not known\"" in row for row in said()) == 1
    assert sum("'pending', which may mean \"not decided\"" in row for row in said()) == 1
    asked.decide("sex", "F")
    assert not any("pending" in row for row in said()), "in another column it may be a state like others"


def test_amounts_say_who_is_counted_in_the_rest(asked):
    asked.state.decision = OutcomePlan(column="pay", amount=True)
    asked.go("Check")
    assert f"12 rows {RACE}" in asked.warnings
    asked.click("check_leave_out_0")
    assert RACE not in asked.warnings


def test_nothing_is_said_of_values_that_may_be_real(ready):
    for page in ("Data", "Groups", "Check"):
        assert "is not known" not in ready.go(page).warnings


def test_rows_without_a_decision_are_shown_where_groups_are_counted(asked):
    asked.go("Groups")
    assert len(shown("groups-undecided", n=6, n_count="other").findall(asked.text)) == 1
    asked.go("Check")
    assert "6 rows without a decision left out" in asked.text
    asked.state.change_check(where="hired IS NOT NULL")
    assert not shows(asked.go("Groups").text, "groups-undecided")


def test_groups_are_counted_before_a_decision_is_chosen(asked):
    asked.state.decision = None
    asked.go("Groups")
    assert asked.sizes[1] == 164 and RACE in asked.warnings
    assert not shows(asked.text, "groups-undecided")


def test_data_begins_with_what_is_open_then_asks_what_each_audit_needs_and_last_what_some_need(asked):
    asked.go("Data")
    asked_for = ("decision_column", "decision_values_hired", "protected", "decision_meaning_hired", "prediction_column")
    asked_for += ("score_column", "acted_column", "found_column")
    keys = [part.key for part in asked.test.main if getattr(part, "key", None)]
    places = [keys.index("data_leave_out_0"), *(keys.index(asked.data_key(field)) for field in asked_for)]
    assert places == sorted(places)


def test_totals_are_named_on_data_with_the_press_that_leaves_them_out(app, csv):
    rows = csv(sex=["F", "M"] * 50 + ["All Sexes"] * 5, area=["a", "b", "c"] * 35, ok=["y", "n", "n"] * 35)
    app.hold("totals.csv", rows).go("Data")
    assert "'All Sexes'" in app.warnings
    app.click("data_totals_leave_out_0")
    assert app.state.table.count(app.state.check.where) == 100 and "'All Sexes'" not in app.warnings
    app.click("data_totals_leave_out_undo")
    assert "'All Sexes'" in app.warnings
