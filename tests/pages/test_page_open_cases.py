"""Cases that are still open on the page Check, and boxes of which several are ticked on Data and Groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.findings import Message
from fairaudit.measure.results import ControlledWaiting
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.check.questions import finding_of

pytestmark = pytest.mark.campaign

UNTIL = pd.Timestamp("2024-12-31")


@pytest.fixture
def waiting(app):
    """The app with cases of two origins, some of which are pending and have no time."""
    return _brought(app, filled=False)


@pytest.fixture
def filled(app):
    """The app with the same cases, of which pending ones have their time so far."""
    return _brought(app, filled=True)


def _brought(app, *, filled):
    rng = np.random.default_rng(0)
    n = 400
    received = UNTIL - pd.to_timedelta(rng.integers(1, 365, n), unit="D")
    late = rng.random(n) < 0.5
    days = pd.Series(np.ceil(rng.exponential(np.where(late, 90, 40))))
    is_open = received + pd.to_timedelta(days, unit="D") > UNTIL
    frame = pd.DataFrame(
        {
            "origin": np.where(late, "late", "soon"),
            "received": received.strftime("%Y-%m-%d"),
            "days_to_decision": days.where(~is_open, (UNTIL - received).days if filled else None),
            "status": np.where(is_open, "pending", "granted"),
        }
    )
    app.hold("cases.csv", frame.to_csv(index=False).encode())
    app.state.decision = OutcomePlan(column="days_to_decision", amount=True, higher_is_favorable=False)
    app.state.change_check(protected="origin = 'late'")
    return app.go("Check")


def test_how_open_cases_count_is_asked_before_anything_is_answered(waiting):
    app = waiting
    assert app.selectbox(key="check_open_0_since").value == "received"
    assert not app.state.answered
    app.click("check_open_0_count")
    check = app.state.check
    assert (check.open_when, check.open_since, check.open_left_out) == ("status = 'pending'", "received", False)
    assert isinstance(finding_of(app.state, app.state.entry).result, ControlledWaiting)
    assert app.state.answered


def test_open_cases_can_be_left_out(waiting):
    app = waiting
    app.click("check_open_0_leave_out")
    assert app.state.check.open_left_out and not app.state.check.counts_open
    assert say(Message("check-open-left-out")) in app.text


def test_cases_with_their_time_so_far_are_asked_about_with_the_values_that_say_so(filled):
    app = filled
    assert app.multiselect(key="check_open_0_values").value == ["pending"]
    assert not app.state.answered and not [each for each in app.selectbox if each.key == "check_open_0_since"]
    app.click("check_open_0_count")
    check = app.state.check
    assert (check.open_when, check.open_since, check.open_left_out) == ("status = 'pending'", None, False)
    assert isinstance(finding_of(app.state, app.state.entry).result, ControlledWaiting) and app.state.answered


def test_cases_with_their_time_so_far_are_left_out_by_the_filter(filled):
    app = filled
    app.click("check_open_0_leave_out")
    assert (app.state.check.where, app.state.check.open_left_out) == ("status <> 'pending'", True)
    assert say(Message("check-open-left-out")) in app.text and app.state.answered


def test_all_cases_can_be_closed(filled):
    app = filled
    app.click("check_open_0_closed")
    assert app.state.plan().data.reading.all_closed and not app.state.check.open_left_out
    assert not isinstance(finding_of(app.state, app.state.entry).result, ControlledWaiting)
    # It can be said otherwise, and where no value says that a case is open, none is.
    app.click("check_open_0_count")
    assert app.state.check.counts_open and not app.state.plan().data.reading.all_closed
    app.set("multiselect", "check_open_0_values", [])
    app.click("check_open_0_count")
    assert app.state.plan().data.reading.all_closed and not app.state.check.counts_open


@pytest.fixture
def boxes(csv) -> bytes:
    """300 people of whom a third ticked two boxes."""
    races = ("Asian", "Black", "White")
    return csv(
        **{
            "race-1": [races[i % 3] for i in range(300)],
            "race-2": [races[(i + 1) % 3] if i % 3 == 0 else "" for i in range(300)],
        },
        granted=["yes", "no"] * 150,
    )


def test_a_column_is_made_of_boxes_and_groups_of_them_alone_or_with_others(app, boxes):
    app.hold("boxes.csv", boxes).decide("granted", "yes").click("data_boxes_make")
    assert app.state.reading.derived == (("race", ("race-1", "race-2")),) and "race" in app.state.table.columns
    app.go("Groups").set("selectbox", "groups_protected_column", "race")
    app.set("multiselect", "groups_protected_values_race", ["Black only"])
    assert app.state.check.protected == "race = 'Black only'"
    assert app.state.table.count(app.state.check.protected) == 100
    app.set("checkbox", "groups_protected_any_race", True)
    assert app.state.table.count(app.state.check.protected) == 200
    assert app.state.check.protected_name is not None
    app.decide("granted", "yes").click("data_boxes_undo_0")
    assert app.state.reading.derived == () and "race" not in app.state.table.columns


def test_boxes_can_be_left_apart(app, boxes):
    app.hold("boxes.csv", boxes).decide("granted", "yes").click("data_boxes_leave")
    assert app.state.reading.derived == () and not [b for b in app.button if b.key == "data_boxes_make"]
