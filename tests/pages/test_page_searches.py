"""The page "Searches and inspections": hit rates, thresholds in the background, light and darkness, bad input."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from fairaudit.plan import AuditPlan


@pytest.fixture
def stops(app):
    """The app with the sample of searches, on the page."""
    return app.hold_sample("stop_and_frisk_searches").go("Searches")


def key_of(app, kind: str, start: str) -> str:
    """Return the key of the widget that begins so."""
    [key] = [widget.key for widget in getattr(app.test, kind) if widget.key.startswith(start)]
    return key


def test_the_page_asks_for_a_decision_first(app):
    app.go("Searches")
    assert "no data yet" in app.text


def test_a_saved_question_is_answered_and_stays(stops):
    stops.assert_refuses_nothing()
    assert "Of those looked at, something was found in 44." in stops.text
    assert "Hit rates alone do not settle such a case" in stops.text
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
    assert "Of those looked at" in app.text
    assert app.state.plan().inspections[0].found == "contraband_found = 'Y'"
    assert app.state.plan().inspections[0].group == ("race",)


def test_found_without_a_look_is_refused_in_a_sentence_and_nothing_is_lost(stops):
    stops.set("selectbox", key_of(stops, "selectbox", "searches_acted"), "force_used")
    stops.set("multiselect", key_of(stops, "multiselect", "searches_acted"), ["Y"])
    assert "without a look" in stops.errors
    assert stops.state.acted == "force_used = 'Y'" and stops.state.found == "contraband_found = 'Y'"


def test_what_is_missing_is_asked_for(app):
    app.hold_sample("stop_and_frisk").go("Searches")
    assert "Say who was looked at" in app.text
    app.set("selectbox", key_of(app, "selectbox", "searches_acted"), "bag_searched")
    app.set("multiselect", key_of(app, "multiselect", "searches_acted"), ["Y"])
    assert "Say where something was found" in app.text


def test_looks_without_an_outcome_are_left_out_and_counted(app):
    frame = pd.DataFrame({"sex": ["F", "M"] * 200, "looked": "yes", "hit": ["yes", "no", "no", None] * 100})
    app.hold("looks.csv", frame.to_csv(index=False).encode()).decide("looked", "yes")
    app.state.acted, app.state.found = "looked = 'yes'", "hit = 'yes'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    assert "100 rows looked at without a known outcome" in app.warnings


def test_hours_without_dates_are_answered_on_the_page(app):
    frame = pd.DataFrame(
        {"sex": ["F", "M"] * 50, "looked": "yes", "hit": ["yes", "no", "no", "yes"] * 25, "hour": 18.5}
    )
    content = io.BytesIO()
    frame.to_csv(content, index=False)
    app.hold("hours.csv", content.getvalue()).decide("looked", "yes")
    app.state.acted, app.state.found = "looked = 'yes'", "hit = 'yes'"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    app.set("radio", key_of(app, "radio", "searches_veil"), "by the sun, from date and place")
    assert "hours without dates do not say whether it was light" in app.text


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
    app.hold("counts.csv", frame.to_csv(index=False).encode()).decide("sex", "M")
    app.state.acted, app.state.found = "searches", "hits"
    app.go("Searches").set("multiselect", key_of(app, "multiselect", "searches_group"), ["sex"])
    assert "Of those looked at" in app.text and "Say above which column counts all cases" in app.text
    app.set("selectbox", key_of(app, "selectbox", "searches_stopped"), "stops")
    assert app.state.plan().inspections[0].stopped == "stops"
