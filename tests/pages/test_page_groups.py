"""The page Groups: the filter as text and step by step, and the protected group both ways."""

from __future__ import annotations

import datetime

import pytest
from shown import shows

from fairaudit.data import ReadOptions, read_table
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.check.groups import say_groups

WRITE, PICK = "Write a condition", "Pick values"


@pytest.fixture
def ready(ready):
    """The app with these decisions, on the page Groups."""
    return ready.go("Groups")


def _filter(app, text):
    return app.set("text_input", "groups_where", text)


def test_all_values_cannot_be_chosen_at_one_press_where_that_makes_no_sense(ready):
    ready.set("selectbox", "groups_protected_column", "race")
    assert ready.multiselect(key="groups_protected_values_race").proto.select_all == 0
    ready.go("Data")
    assert ready.multiselect(key=ready.data_key("decision_values_ok")).proto.select_all == 0


@pytest.mark.usual
def test_filter_says_what_it_leaves_in_numbers_and_words(ready):
    _filter(ready, "age >= 30")
    n = ready.state.table.count("age >= 30")
    assert ready.state.check.where == "age >= 30"
    assert f"{n} of 200 cases" in ready.text and "age is at least 30" in ready.text


@pytest.mark.usual
def test_wrong_filter_is_refused_and_the_last_good_one_kept(ready):
    _filter(ready, "age >= 30")
    _filter(ready, "agee >= 30")
    assert "age" in ready.errors and len(ready.error) == 1
    assert "Still in use: age >= 30" in ready.text
    assert ready.state.check.where == "age >= 30"


def test_wrong_first_filter_leaves_every_row_in_use(ready):
    _filter(ready, "SELECT 1; DROP TABLE x")
    assert len(ready.error) == 1 and shows(ready.text, "page-in-use-all")
    assert ready.state.check.where is None


def test_a_filter_that_no_row_meets_is_said_and_not_put_in_use(ready):
    _filter(ready, "age >= 30")
    _filter(ready, "age > 1000")
    assert shows(ready.warnings, "groups-filter-unused") and "Still in use: age >= 30" in ready.text
    assert ready.state.check.where == "age >= 30" and not ready.error
    ready.assert_refuses_nothing()
    ready.go("Check").assert_refuses_nothing()
    assert ready.go("Groups").text_input(key="groups_where").value == "age > 1000", "what is to be corrected is there"


def test_a_filter_in_use_that_no_row_meets_is_said_once(ready):
    ready.go("Data").state.change_check(where="age > 1000")
    ready.go("Groups")
    assert shows(ready.warnings, "groups-filter-none") and not ready.error


@pytest.mark.parametrize(
    "written, meant",
    [
        ("area = 'Nort'", "area = 'North'"),
        ("area IN ('Nort', 'South')", "area IN ('North', 'South')"),
        ("area is north", "area = 'North'"),
        ("age > thirty", "age > 30"),
    ],
)
def test_what_was_meant_by_a_filter_is_offered_and_taken_with_one_press(app, written, meant):
    app.hold("t.csv", b"area,age,ok\n" + b"North,25,y\nSouth,41,n\nWest,36,y\n" * 20).decide("ok", "y")
    _filter(app.go("Groups"), written)
    assert f"Did you mean: {meant}" in app.text
    assert app.click("groups_where_meant").state.check.where == meant
    assert "Did you mean" not in app.text


def test_a_group_that_is_everyone_is_said(app):
    app.hold("t.csv", b"area,ok\n" + b"North,y\nNorth,n\n" * 20).decide("ok", "y").protect("area = 'North'")
    assert "All 40 cases are of people whose area is North" in app.errors
    assert "there is nobody to compare with" in app.go("Check").errors


def test_filter_that_every_row_meets_is_said_with_what_was_meant(app):
    app.upload("t.csv", b"area,ok\n" + b"North,y\nSouth,n\n" * 20)
    _filter(app.decide("ok", "y").go("Groups"), "area <> 'north'")
    assert "leaves nobody out" in app.warnings and "Did you mean: area <> 'North'" in app.text


def test_days_that_are_texts_are_not_put_in_order_without_a_word(app):
    days = [f"{day:02}/0{month}/2024,{'yn'[day % 2]}" for day in range(1, 11) for month in range(1, 5)]
    app.upload("t.csv", "\n".join(["applied,ok", *days]).encode())
    _filter(app.decide("ok", "y").go("Groups"), "applied >= '05/02/2024'")
    assert shows(app.warnings, "check-days-as-texts")
    _filter(app, "applied = '05/02/2024'")
    assert not shows(app.warnings, "check-days-as-texts")


def test_undo_and_clear_step_back(ready):
    _filter(ready, "age >= 30")
    ready.set("text_input", "groups_where", "age >= 40")
    ready.click("groups_undo")
    assert ready.state.check.where == "age >= 30"
    assert ready.text_input(key="groups_where").value == "age >= 30"
    ready.click("groups_clear")
    assert ready.state.check.where is None
    ready.click("groups_undo")
    assert ready.state.check.where == "age >= 30"
    ready.click("groups_undo")
    assert ready.state.check.where is None
    assert ready.button(key="groups_undo").disabled


@pytest.mark.usual
@pytest.mark.parametrize(
    "column, kind, operator, values, expected",
    [
        ("age", "number", "is at least", {"number_input": ("value", 30.0)}, "age >= 30"),
        ("age", "number", "is between", {"number_input": ("low", 25.0)}, "age BETWEEN 25 AND 59"),
        ("race", "text", "is one of", {"multiselect": ("values", ["White"])}, "race = 'White'"),
        ("race", "text", "is none of", {"multiselect": ("values", ["White"])}, "NOT race = 'White'"),
        ("member", "boolean", "is one of", {"multiselect": ("values", [True])}, "member = TRUE"),
        (
            "since",
            "date",
            "is more than",
            {"date_input": ("value", datetime.date(2015, 1, 1))},
            "since > DATE '2015-01-01'",
        ),
        ("age", "number", "is missing", {}, "age IS NULL"),
        ("member", "boolean", "is not missing", {}, "member IS NOT NULL"),
    ],
)
def test_builder_writes_the_condition(ready, column, kind, operator, values, expected):
    ready.set("selectbox", "groups_build_column", column)
    ready.set("selectbox", f"groups_build_operator_{kind}", operator)
    for widget, (part, value) in values.items():
        ready.set(widget, f"groups_build_{part}_{column}", value)
    assert ready.state.check.where is None, "nothing changes before it is added"
    assert "Would add" in ready.text
    ready.click("groups_add")
    ready.assert_refuses_nothing()
    assert "Would add" not in ready.text, "the builder begins anew"
    assert ready.selectbox(key="groups_build_column").value is None
    table = ready.state.table
    assert table.condition(ready.state.check.where) == table.condition(expected)
    assert ready.text_input(key="groups_where").value == ready.state.check.where


def test_builder_adds_to_a_filter_with_or_without_changing_its_meaning(ready):
    _filter(ready, "age < 25 OR age > 50")
    ready.set("selectbox", "groups_build_column", "race")
    ready.set("multiselect", "groups_build_values_race", ["Black"]).click("groups_add")
    table = ready.state.table
    assert table.count(ready.state.check.where) == table.count("(age < 25 OR age > 50) AND race = 'Black'")


@pytest.mark.usual
def test_protected_group_can_be_picked(app, decisions):
    app.hold("t.csv", decisions).decide("ok", "y").go("Groups")
    app.set("selectbox", "groups_protected_column", "race")
    app.set("multiselect", "groups_protected_values_race", ["Black"])
    assert app.state.check.protected == "race = 'Black'"
    assert app.sizes == [80, 120]
    app.set("multiselect", "groups_protected_values_race", [])
    assert "Still in use: race is Black." in app.text


def test_protected_column_of_the_data_page_is_offered_first(app, decisions):
    app.upload("t.csv", decisions).decide("ok", "y")
    app.set("multiselect", app.data_key("protected"), ["race"]).go("Groups")
    assert app.selectbox(key="groups_protected_column").value == "race"


@pytest.mark.usual
def test_rows_where_the_condition_is_unknown_are_counted_in_neither_group(ready):
    ready.protect("age < 30")
    protected, rest, unknown = ready.sizes
    assert unknown == 14 and protected + rest + unknown == 200
    assert say_groups(ready.state)[1] == Message("groups-lead-all", {"n": Count(14)})
    assert ready.go("Check").state.check.protected == "age < 30"


def test_wrong_protected_text_keeps_the_last_good_one_and_says_so(ready):
    ready.protect("sexx = 'F'")
    assert len(ready.error) == 1 and "Still in use: sex = 'F'" in ready.text
    assert ready.state.check.protected == "sex = 'F'"
    assert ready.go("Check").verdict
    ready.go("Groups")
    assert ready.text_input(key="groups_protected_text").value == "sexx = 'F'", "what is to be corrected is there"
    ready.set("text_input", "groups_protected_text", "sex = 'M'").go("Check").go("Groups")
    assert ready.multiselect(key="groups_protected_values_sex").value == ["M"]


def test_cleared_protected_text_clears_the_group(ready):
    ready.protect("")
    assert ready.state.check.protected == ""
    assert not ready.test.get("vega_lite_chart")
    assert say(Message("page-needs-protected")) in ready.go("Check").text


def test_choices_last_while_the_person_moves_between_pages(ready):
    _filter(ready, "age >= 30")
    for page in ("Data", "Check", "Report", "", "Groups"):
        ready.go(page)
    assert ready.text_input(key="groups_where").value == "age >= 30"
    assert ready.multiselect(key="groups_protected_values_sex").value == ["F"]
    assert ready.state.decision.favorable == ("y",)


@pytest.mark.usual
def test_small_group_of_the_filtered_population_is_marked(ready):
    _filter(ready, "age = 33")
    assert "Only " in ready.warnings


@pytest.mark.usual
@pytest.mark.parametrize(
    "protected, how",
    [
        ("race IN ('White', 'Black')", PICK),
        ("race NOT IN ('White', 'Black')", PICK),
        ("race <> 'White' AND age < 40", WRITE),
        ("race = 'Green'", WRITE),
        ("", PICK),
    ],
)
def test_group_comes_back_as_it_was_said(ready, protected, how):
    ready.state.change_check(protected=protected)
    ready.go("Check").go("Groups")
    assert ready.segmented_control(key="groups_how").value == how
    if protected and how == PICK:
        assert ready.selectbox(key="groups_protected_column").value == "race"
        assert set(ready.multiselect(key="groups_protected_values_race").value) == {"White", "Black"}
        turned = [box.value for box in ready.checkbox if box.key == "groups_protected_all_but_race"]
        assert turned == ([True] if "NOT" in protected else [])
    assert ready.state.check.protected == protected


def test_values_that_were_picked_can_be_changed_on_return(app, decisions):
    app.hold("t.csv", decisions).decide("ok", "y").go("Groups")
    app.set("selectbox", "groups_protected_column", "race")
    app.set("multiselect", "groups_protected_values_race", ["Black"])
    app.go("Check").go("Groups").set("multiselect", "groups_protected_values_race", ["Black", "White"])
    assert app.state.check.protected == "race IN ('Black', 'White')"


def test_everyone_but_a_value_is_picked_with_two_presses(app, decisions):
    app.hold("t.csv", decisions).decide("ok", "y").go("Groups")
    app.set("selectbox", "groups_protected_column", "age")
    app.set("multiselect", "groups_protected_values_age", [33])
    app.set("checkbox", "groups_protected_all_but_age", True)
    assert app.state.check.protected == "age <> 33"
    app.go("Check").go("Groups").set("checkbox", "groups_protected_all_but_age", False)
    assert app.state.check.protected == "age = 33"


def test_a_column_of_two_values_needs_no_everyone_but(ready):
    offered = [box.key for box in ready.checkbox]
    assert "groups_protected_all_but_sex" not in offered
    ready.state.change_check(protected="sex <> 'F'")
    ready.go("Check").go("Groups")
    assert ready.checkbox(key="groups_protected_all_but_sex").value and ready.state.check.protected == "sex <> 'F'"


@pytest.mark.parametrize("where", ["age >= 30", "agee >= 30"])
def test_filter_that_was_just_written_outlasts_a_press_on_the_sidebar(ready, where):
    # The page is another one before it could take what was written.
    ready.text_input(key="groups_where").set_value(where)
    ready.go("Check")
    right = where == "age >= 30"
    assert ready.state.check.where == (where if right else None)
    ready.go("Groups")
    assert ready.text_input(key="groups_where").value == where and bool(ready.error) != right


def test_words_that_were_just_written_outlast_a_press_on_the_sidebar(ready):
    name, title = (each for each in ready.text_input if each.key.startswith(("groups_protected_name", "groups_title")))
    name.set_value("women")
    title.set_value("Are women admitted alike?")
    ready.go("Data")
    assert (ready.state.check.protected_name, ready.state.check.title) == ("women", "Are women admitted alike?")
    ready.text_input(key=ready.data_key("decision_meaning_ok")).set_value("admission")
    ready.go("Report")
    assert ready.state.decision.meaning == "admission"
    # Only an outcome that has a name asks for that of the other.
    ready.go("Data").text_input(key=ready.data_key("decision_other_meaning_ok")).set_value("rejection")
    ready.go("Report")
    assert (ready.state.decision.meaning, ready.state.decision.other_meaning) == ("admission", "rejection")
    ready.text_input(key="report_author").set_value("An auditor")
    ready.go("Check")
    assert ready.state.report.author == "An auditor"


@pytest.mark.parametrize(
    "written, meant",
    [
        ("race = 'white'", "race = 'White'"),
        ("age => 30 & race = white", "age >= 30 AND race = 'White'"),
        ("age in 30,40", "age IN (30, 40)"),
    ],
)
def test_what_was_meant_is_taken_with_one_press(ready, written, meant):
    _filter(ready, written)
    assert f"Did you mean: {meant}" in ready.text
    ready.click("groups_where_meant")
    assert ready.state.check.where == ready.text_input(key="groups_where").value == meant
    ready.click("groups_clear").protect(written)
    ready.click(
        next(button.key for button in ready.button if button.key.startswith(("groups_meant", "groups_protected")))
    )
    assert ready.state.check.protected == meant


@pytest.fixture
def homes(app, csv):
    """The app with applications that spell their values in many ways, on the page Groups."""
    nationality = ["Dutch", "Moroccan", "moroccan", "MOROCCAN", "Turkish"] * 24
    result = ["granted", "Granted", "refused"] * 40
    rent = ["EUR 1.850", "€ 2.310"] * 60
    day = [f"{1 + i % 28:02}-07-2025" for i in range(120)]
    content = csv(nationality=nationality, result=result, rent=rent, **{"Date of application": day})
    table = read_table(content, name="homes", options=ReadOptions(dates="day first"))
    app.state.put_table(table, source="homes.csv", content=content)
    return app


def test_what_letter_case_leaves_apart_is_added_with_one_press(homes):
    homes.decide("result", "granted")
    assert "40 rows with 'Granted' in column 'result' count apart from 'granted'" in homes.warnings
    homes.click(homes.data_key("decision_add_0"))
    assert homes.state.decision.favorable == ("granted", "Granted") and "apart" not in homes.warnings
    homes.go("Groups").set("selectbox", "groups_protected_column", "nationality")
    homes.set("multiselect", "groups_protected_values_nationality", ["Moroccan"])
    assert "48 rows with 'MOROCCAN' or 'moroccan'" in homes.warnings
    assert "'moroccan'" in homes.go("Check").warnings
    homes.go("Groups").click("groups_spelled_add_0")
    assert homes.multiselect(key="groups_protected_values_nationality").value == ["Moroccan", "MOROCCAN", "moroccan"]
    assert homes.state.check.protected == "nationality IN ('Moroccan', 'MOROCCAN', 'moroccan')"
    assert homes.sizes[0] == 72 and "apart" not in homes.warnings and "apart" not in homes.go("Check").warnings
    homes.protect("nationality <> 'Moroccan'").click("groups_spelled_add_0")
    whole = "nationality NOT IN ('Moroccan', 'MOROCCAN', 'moroccan')"
    assert homes.state.check.protected == homes.text_input(key="groups_protected_text").value == whole


def test_what_may_be_a_typing_error_is_asked_and_added_with_one_press(app, csv):
    nationality = ["Dutch"] * 50 + ["Moroccan"] * 30 + ["Morocan"] * 6 + ["Moroccen"] * 20 + ["Polish"] * 10
    result = ["granted", "refused", "granted", "granted"] * 29
    app.hold("homes.csv", csv(nationality=nationality, result=result)).decide("result", "granted").go("Groups")
    app.set("selectbox", "groups_protected_column", "nationality")
    app.set("multiselect", "groups_protected_values_nationality", ["Moroccan"])
    assert "'Morocan' (6 rows) resembles 'Moroccan'." in app.text.replace("\\", "")
    assert "Moroccen" not in app.text, "too frequent for a typing error"
    assert app.state.check.protected == "nationality = 'Moroccan'", "nothing is changed without a press"
    app.click("groups_spelled_near_0")
    assert app.state.check.protected == "nationality IN ('Moroccan', 'Morocan')"
    assert "nationality is Moroccan or Morocan" in app.text
    assert app.multiselect(key="groups_protected_values_nationality").value == ["Moroccan", "Morocan"]
    assert "resembles" not in app.text


def test_amounts_that_are_texts_are_not_put_in_order_without_a_word(homes):
    _filter(homes.decide("result", "granted").go("Groups"), "rent > 2000")
    assert "sign or a code of money" in homes.errors and "quotes" not in homes.errors
    _filter(homes, "rent > '2000'")
    assert shows(homes.warnings, "check-amounts-as-texts")
    _filter(homes, "rent = '€ 2.310'")
    assert not shows(homes.warnings, "check-amounts-as-texts")


def test_a_day_is_offered_as_the_file_writes_days(homes):
    _filter(homes.decide("result", "granted").go("Groups"), "Date of application > '05/07/2025'")
    assert "the year first, then the month and the day" not in homes.errors and "Did you mean" in homes.text
    homes.click("groups_where_meant")
    assert homes.state.check.where == "\"Date of application\" > DATE '2025-07-05'"


def test_nothing_is_offered_where_nothing_can_be_seen(ready):
    for text in ("agee >= 30", "race = 'Green'", "age >", "1; DROP TABLE x"):
        _filter(ready, text)
        assert not any(button.key == "groups_where_meant" for button in ready.button)


@pytest.mark.usual
def test_what_can_be_seen_is_said_of_the_rows_that_have_a_decision(app, csv):
    app.hold("some.csv", csv(sex=["F", "M"] * 200, ok=["y", "n", "", ""] * 100))
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.change_check(protected="sex = 'F'")
    app.go("Groups")
    assert app.sizes == [200, 200]
    assert "200 of these rows have no decision" in app.text
    assert "With 100 and 100 rows, a gap of" in app.text
