"""The page "Searches and inspections": hit rates, thresholds in the background, light and darkness, bad input."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from conftest import plain
from shown import shows

from fairaudit import run
from fairaudit.data import ReadOptions, read_table
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.searches import say_searches
from ui.inspections.results import LOOKED_AT


@pytest.fixture
def stops(app):
    """The app with the sample of searches, on the page."""
    return app.hold_sample("stop_and_frisk_searches").go("Searches")


def key_of(app, kind: str, start: str) -> str:
    """Return the key of the widget that begins so."""
    [key] = [widget.key for widget in getattr(app.test, kind) if widget.key.startswith(start)]
    return key


def answered(app) -> bool:
    """Say whether the page begins with an answer, so that all else stands under More."""
    return say(Message("searches-more")) in [plain(each.label) for each in app.test.expander]


def test_the_page_asks_for_data_first(app):
    app.go("Searches")
    assert "no data yet" in app.text


def test_searches_need_no_decision(app):
    looks = pd.DataFrame({"group": ["a", "b"] * 200, "searched": ["yes"] * 300 + ["no"] * 100})
    looks["hit"] = [None if said == "no" else "yes" if i % 3 == 0 else "no" for i, said in enumerate(looks["searched"])]
    app.hold("looks.csv", looks.to_csv(index=False).encode())
    app.state.acted, app.state.found = "searched = 'yes'", "hit = 'yes'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["group"])
    assert app.state.decision is None
    assert answered(app)
    assert "To go on" not in app.text and app.sidebar.get("download_button")
    app.go("Report")
    assert app.state.decision is None and [each.key for each in app.button if each.key == "report_make"]
    saved = AuditPlan.from_toml(app.state.plan().to_toml())
    assert not saved.names_decision and saved.inspections == tuple(app.state.inspections)
    app.click("report_make")
    assert app.state.made is not None
    app.open_audit(saved.to_toml()).go("Searches")
    assert app.state.decision is None and not app.state.dropped
    app.go("Report").set("checkbox", "report_inspections", False)
    assert not [each.key for each in app.button if each.key == "report_make"]


def test_several_columns_may_say_who_was_looked_at(app):
    app.hold_sample("stop_and_frisk")
    app.state.decision = None
    app.state.change_check(where=None)
    app.state.acted = "frisked = 'Y' OR bag_searched = 'Y'"
    app.state.found = "contraband_found = 'Y'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["race"])
    finding = run(app.state.plan(), table=app.state.table).inspections[0].outcome
    frame = app.state.table.to_pandas()
    looked = (frame["frisked"] == "Y") | (frame["bag_searched"] == "Y")
    by_race = looked.groupby(frame["race"]).sum()
    assert {rate.name: rate.n_acted for rate in finding.hit_rates} == by_race[by_race > 0].to_dict()


def test_a_saved_question_is_answered_and_stays(stops):
    stops.assert_refuses_nothing()
    plan = stops.state.plan()
    [asked] = plan.inspections
    finds = asked.model_copy(update={"location": (), "veil": None})
    alone = plan.model_copy(update={"checks": (), "inspections": (finds,)})
    said = say_searches(run(alone, table=stops.state.table).inspections[0])
    assert plain(stops.test.main.title[0].value) == say(said.headline) and answered(stops)
    assert said.lead[-1].key == "searches-lead-disagree" and plain(stops.text).count(say(said.lead[-1])) == 1
    [plan] = stops.state.plan().inspections
    assert plan.location == ("district",) and plan.veil is not None
    assert AuditPlan.from_toml(stops.state.plan().to_toml()).inspections == (plan,)


def test_the_form_of_the_model_is_chosen_on_the_page_and_kept(stops):
    key = key_of(stops, "selectbox", "searches_signal")
    assert stops.state.plan().inspections[0].signal == stops.selectbox(key=key).value == "beta"
    stops.set("selectbox", key, "discriminant").click("searches_infer")
    stops.state.jobs.cancel_all()
    assert stops.state.plan().inspections[0].signal == "discriminant"
    assert stops.go("Check").go("Searches").selectbox(key=key).value == "discriminant"


def test_roles_that_are_said_on_data_are_there_on_the_page(app):
    app.hold_sample("stop_and_frisk").go("Data")
    for role, column in (("acted", "bag_searched"), ("found", "contraband_found")):
        app.set("selectbox", key_of(app, "selectbox", f"data_{role}"), column)
        app.set("multiselect", key_of(app, "multiselect", f"data_{role}"), ["Y"])
    assert app.state.acted == "bag_searched = 'Y'"
    app.go("Searches")
    assert answered(app)
    assert app.state.plan().inspections[0].found == "contraband_found = 'Y'"
    assert app.state.plan().inspections[0].group == ("race",)


def test_found_without_a_look_is_refused_in_a_sentence_and_nothing_is_lost(stops):
    stops.set("selectbox", key_of(stops, "selectbox", "searches_acted"), "force_used")
    stops.set("multiselect", key_of(stops, "multiselect", "searches_acted"), ["Y"])
    assert "contraband_found is Y but force_used is not Y" in stops.errors
    assert stops.state.acted == "force_used = 'Y'" and stops.state.found == "contraband_found = 'Y'"
    stops.click("searches_keep").assert_refuses_nothing()
    assert stops.state.check.where.endswith("contraband_found <> 'Y' OR force_used = 'Y'")


def test_what_is_missing_is_asked_for(app):
    app.hold_sample("stop_and_frisk").go("Searches")
    assert shows(app.text, "searches-say-acted")
    app.set("selectbox", key_of(app, "selectbox", "searches_acted"), "bag_searched")
    app.set("multiselect", key_of(app, "multiselect", "searches_acted"), ["Y"])
    assert shows(app.text, "searches-say-found")


def test_a_table_of_looked_at_cases_alone_is_compared_with_one_press(app):
    frame = pd.DataFrame({"sex": ["F", "M"] * 60, "outcome": ["found", "not found", "not found", "found"] * 30})
    app.hold("looks.csv", frame.to_csv(index=False).encode()).decide("outcome", "not found").go("Searches")
    assert shows(app.text, "searches-say-only-acted")
    app.set("selectbox", key_of(app, "selectbox", "searches_found"), "outcome")
    app.set("multiselect", key_of(app, "multiselect", "searches_found"), ["found"]).click("searches_every_row")
    app.set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    assert app.state.acted == "outcome IN ('found', 'not found')"
    assert answered(app)
    assert app.selectbox(key=key_of(app, "selectbox", "searches_acted")).value == "outcome"


def test_a_number_of_its_own_in_each_row_counts_no_cases(app):
    frame = pd.DataFrame({"case": range(7001, 7121), "n_looks": [3, 4, 9] * 40, "outcome": ["found", "none"] * 60})
    app.hold("looks.csv", frame.to_csv(index=False).encode()).decide("outcome", "none").go("Searches")
    acted = key_of(app, "selectbox", "searches_acted")
    app.set("selectbox", acted, "case")
    assert say(Message("searches-role-identifier")) in app.text and not app.state.acted
    app.set("selectbox", acted, "n_looks")
    assert app.state.acted == "n_looks"


@pytest.mark.parametrize("looks", [[400, 400, 400], [400, 400, 900]])
def test_counts_that_hardly_differ_are_counts_on_the_page(app, looks):
    frame = pd.DataFrame({"race": ["a", "b", "c"], "looks": looks, "finds": [90, 100, 130]})
    app.hold("counts.csv", frame.to_csv(index=False).encode()).go("Searches")
    app.set("selectbox", key_of(app, "selectbox", "searches_acted"), "looks")
    app.set("selectbox", key_of(app, "selectbox", "searches_found"), "finds")
    assert (app.state.acted, app.state.found) == ("looks", "finds")


def test_numbers_that_a_saved_audit_counts_by_are_counted_on_the_page(app):
    frame = pd.DataFrame({"race": ["a", "b", "b", "c"], "looks": [1, 2, 1, 1], "finds": [0, 1, 1, 0]})
    app.hold("counts.csv", frame.to_csv(index=False).encode())
    app.state.acted, app.state.found = "looks", "finds"
    app.go("Searches")
    assert (app.state.acted, app.state.found) == ("looks", "finds")


def test_looks_without_an_outcome_are_left_out_and_counted(app):
    frame = pd.DataFrame({"sex": ["F", "M"] * 200, "looked": "yes", "hit": ["yes", "no", "no", None] * 100})
    app.hold("looks.csv", frame.to_csv(index=False).encode()).decide("looked", "yes")
    app.state.acted, app.state.found = "looked = 'yes'", "hit = 'yes'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    assert shows(app.warnings, "doubt-search-open", rows="100 rows")


def test_hours_without_dates_are_answered_on_the_page(app):
    frame = pd.DataFrame(
        {"sex": ["F", "M"] * 50, "looked": "yes", "hit": ["yes", "no", "no", "yes"] * 25, "hour": 18.5}
    )
    content = io.BytesIO()
    frame.to_csv(content, index=False)
    app.hold("hours.csv", content.getvalue()).decide("looked", "yes")
    app.state.acted, app.state.found = "looked = 'yes'", "hit = 'yes'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    app.set("radio", key_of(app, "radio", "searches_veil"), "by sun, date and place")
    assert say(Message("searches-veil-no-dates")) in app.text


INSPECTIONS = pd.DataFrame(
    {
        "place": ["a", "b"] * 400,
        "group": ["x", "y", "y", "x"] * 200,
        "looked": ["yes", "no", "yes", "yes"] * 200,
        "hit": ["yes", None, "no", "yes"] * 200,
        "lit": ["l", "d", "d", "l", "l", "d", "l", "d"] * 100,
        "day": [f"{1 + i % 28:02d}-{1 + i % 12:02d}-2025" for i in range(800)],
        "hour": [17 + (i // 8) % 4 / 2 for i in range(800)],
    }
)


def hold_inspections(app, frame: pd.DataFrame = INSPECTIONS, *, days: str | None = None):
    """Have a table of inspections, half of them made, on the page, with its question about groups."""
    content = frame.to_csv(index=False).encode()
    table = read_table(content, name="inspections", options=ReadOptions(dates=days))
    app.state.put_table(table, source="inspections.csv", content=content)
    app.decide("looked", "no")
    app.state.acted, app.state.found = "looked = 'yes'", "hit = 'yes'"
    return app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["group"])


def say_light(app):
    """Say by a column when it was light, and at which hour."""
    key = f"searches_veil_{app.state.data_key}"
    app.set("radio", f"{key}_how", "by a column").set("selectbox", f"{key}_light", "lit")
    return app.set("multiselect", f"{key}_light_values_lit", ["l"]).set("selectbox", f"{key}_light_time", "hour")


def test_which_rows_are_stops_is_asked_and_said(app):
    say_light(hold_inspections(app))
    assert shows(app.text, "searches-veil-say-stops") and not shows(app.text, "searches-veil-rows")
    stops = f"searches_stops_{app.state.data_key}"
    app.set("radio", stops, "every row")
    assert shows(app.text, "searches-veil-rows", rows=800)
    app.set("radio", stops, LOOKED_AT)
    assert shows(app.text, "searches-veil-acted", rows=600)
    assert app.state.plan().inspections[0].veil.acted_only


def test_another_filter_keeps_what_was_asked(app):
    say_light(hold_inspections(app))
    app.set("radio", f"searches_stops_{app.state.data_key}", LOOKED_AT)
    app.set("multiselect", key_of(app, "multiselect", "searches_strata"), ["place"])
    [before] = app.state.plan().inspections
    app.go("Groups")
    # Too few hours for light and darkness, which do not forget their columns for it.
    for where in ("hour = 17", "hour < 30"):
        app.state.change_check(where=where)
        app.go("Searches").go("Groups")
    app.go("Searches")
    [after] = app.state.plan().inspections
    assert after == before.model_copy(update={"where": "hour < 30"})


def test_a_form_that_is_not_filled_in_yet_is_kept(app):
    hold_inspections(app, days="day first")
    key = f"searches_veil_{app.state.data_key}"
    app.set("radio", f"{key}_how", "by sun, date and place").set("selectbox", f"{key}_date", "day")
    app.set("selectbox", f"{key}_hours", "both").set("text_input", f"{key}_latitude_degrees", "52,37")
    app.set("radio", f"searches_stops_{app.state.data_key}", "every row")
    assert app.state.plan().inspections[0].veil is None
    app.go("Check").go("Searches")
    kept = [app.selectbox(key=f"{key}_{name}").value for name in ("date", "time", "hours", "zone")]
    assert kept == ["day", None, "both", None]
    assert app.text_input(key=f"{key}_latitude_degrees").value == "52.37"
    assert app.radio(key=f"searches_stops_{app.state.data_key}").value == "every row"
    app.set("radio", f"{key}_how", "by a column").set("selectbox", f"{key}_light", "lit")
    app.go("Check").go("Searches")
    assert app.radio(key=f"{key}_how").value == "by a column"
    assert app.selectbox(key=f"{key}_light").value == "lit"


def test_a_column_that_looks_like_days_is_named_with_the_way_to_read_it(app):
    hold_inspections(app)
    app.set("radio", f"searches_veil_{app.state.data_key}_how", "by sun, date and place")
    assert shows(app.text, "data-looks-like-days", column="'day'") and shows(app.text, "data-days-pressed")
    app.go("Data").click("data_days_day first")
    assert app.state.table.columns["day"].kind == "date" and app.state.acted == "looked = 'yes'"


def test_coordinates_are_read_with_a_decimal_comma_or_refused_in_a_sentence(app):
    hold_inspections(app, days="day first")
    key = f"searches_veil_{app.state.data_key}"
    app.set("selectbox", f"{key}_date", "day").set("selectbox", f"{key}_time", "hour")
    app.set("selectbox", f"{key}_zone", "Europe/Amsterdam").set("selectbox", f"{key}_hours", "both")
    app.set("radio", f"searches_stops_{app.state.data_key}", "every row")
    app.set("text_input", f"{key}_latitude_degrees", "52,37").set("text_input", f"{key}_longitude_degrees", "4.89")
    assert app.state.plan().inspections[0].veil.latitude == 52.37
    assert "in darkness" in app.text
    app.set("text_input", f"{key}_latitude_degrees", "5237")
    typed = {"label": "Latitude in degrees", "low": -90, "high": 90, "text": "'5237'", "example": "52.37 or 52,37"}
    assert shows(app.warnings, "searches-typed-wrong", **typed)
    assert app.state.plan().inspections[0].veil is None


def test_a_share_worth_a_find_is_kept_for_the_model(app):
    hold_inspections(app).set("multiselect", key_of(app, "multiselect", "searches_location"), ["place"])
    app.set("text_input", key_of(app, "text_input", "searches_base_rate"), "12,5").click("searches_infer")
    app.state.jobs.cancel_all()
    assert app.state.plan().inspections[0].base_rate == 0.125


def test_being_looked_at_is_taken_as_the_decision_with_one_press(app):
    app.hold("inspections.csv", INSPECTIONS.to_csv(index=False).encode()).go("Data")
    app.set("selectbox", app.data_key("decision_column"), "place")
    app.set("selectbox", key_of(app, "selectbox", "data_acted"), "looked")
    app.set("multiselect", key_of(app, "multiselect", "data_acted"), ["yes"])
    app.click("data_looked_at_decides")
    assert app.state.decision == OutcomePlan(column="looked", favorable=("no",), meaning="not looked at")
    assert app.selectbox(key=app.data_key("decision_column")).value == "looked"
    assert not [button for button in app.button if button.key == "data_looked_at_decides"]
    app.run().assert_refuses_nothing()
    assert app.state.decision.favorable == ("no",)


def test_who_unticks_it_has_no_such_chapter(stops):
    stops.set("checkbox", "searches_in_report", False)
    assert stops.state.plan().inspections == ()


def test_counts_ask_for_those_who_were_not_looked_at(app):
    frame = pd.DataFrame(
        {
            "area": ["a", "b", "c"] * 2,
            "sex": ["F"] * 3 + ["M"] * 3,
            "stops": [310, 420, 150, 500, 610, 300],
            "searches": [30, 41, 12, 44, 60, 31],
            "hits": [9, 12, 4, 11, 20, 8],
        }
    )
    app.hold("counts.csv", frame.to_csv(index=False).encode()).go("Data").click("data_counts_leave").decide("sex", "M")
    app.state.acted, app.state.found = "searches", "hits"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    assert answered(app) and shows(app.text, "searches-infer-say-all")
    app.set("selectbox", key_of(app, "selectbox", "searches_stopped"), "stops")
    assert app.state.plan().inspections[0].stopped == "stops"
