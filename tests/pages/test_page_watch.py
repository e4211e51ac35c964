"""The page "Watch": it answers where one column holds days, asks where none is chosen, and goes into the report."""

from __future__ import annotations

import pytest
from shown import shows

from fairaudit.messages import say
from fairaudit.sections.watch.answering import run_watch
from fairaudit.sections.watch.saying import say_watch


@pytest.fixture
def stops(app):
    return app.hold_sample("stop_and_frisk").go("Watch")


def test_days_are_watched_at_once_and_the_answer_is_that_of_the_core(stops):
    [asked] = stops.state.watches
    assert asked.batches == "date"
    finding = run_watch(stops.state.table, stops.state.present_plan(fingerprint=False), asked)
    said = say_watch(finding)
    for message in (said.headline, *said.lead):
        assert say(message) in stops.text
    assert stops.state.plan().watches == (asked,)


def test_the_question_goes_into_a_saved_audit_and_comes_back(stops):
    plan = stops.state.plan()
    stops.state.watches.clear()
    stops.state.open_plan(plan)
    assert stops.state.plan().watches == plan.watches


def test_what_is_left_out_of_the_report_is_asked_no_more(stops):
    stops.set("checkbox", "watch_in_report", False)
    assert not stops.state.plan().watches


def test_without_a_column_of_batches_it_is_said_what_is_missing(app, csv):
    app.hold("t.csv", csv(sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20)).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    assert shows(app.go("Watch").text, "watch-no-column")


def test_among_numbers_the_column_is_chosen_first(app, csv):
    app.hold("t.csv", csv(sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20, week=[n // 8 for n in range(80)]))
    app.decide("ok", "y").state.change_check(protected="sex = 'F'")
    assert shows(app.go("Watch").text, "watch-choose-column")
    [key] = [widget.key for widget in app.test.selectbox if widget.key.startswith("watch_batches")]
    app.set("selectbox", key, "week")
    [asked] = app.state.watches
    assert asked.batches == "week"
