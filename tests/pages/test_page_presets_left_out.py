"""Who is left out of a form on its page: people without a decision, and groups that are small."""

from __future__ import annotations

import pytest
from test_page_presets import in_table, to_publish

from fairaudit.findings import Message
from fairaudit.messages import say

pytestmark = pytest.mark.campaign

FORM = "presets_form"
BESIDE = ("data_words", "audit_date", "distribution_date")
LEAVE_OUT, REASON = "presets_nyc144_rate_leave_out", "presets_nyc144_rate_reason"


@pytest.fixture
def undecided(app, csv):
    """The form of New York on people of whom a fifth is not decided yet."""
    rows = {"sex": ["F", "M"] * 50, "race": ["A", "B", "B", "A"] * 25}
    rows["status"] = ["hired", "rejected", "hired", "rejected", "withdrawn"] * 20
    app.upload("t.csv", csv(**rows)).decide("status", "hired").go("Legal_forms")
    return app.set("selectbox", FORM, "nyc144")


def test_people_without_a_decision_are_asked_about_before_a_form_is_filled(undecided):
    assert in_table("100") not in undecided.text
    undecided.go("Data").click("data_open_not_known")
    undecided.go("Legal_forms")
    undecided.set("selectbox", FORM, "nyc144")
    assert in_table("80") in undecided.text and "'withdrawn'" not in undecided.warnings
    undecided.go("Report").go("Legal_forms")
    assert in_table("80") in undecided.text


def test_no_reason_is_asked_for_where_no_group_is_left_out(undecided):
    undecided.go("Data").click("data_open_not_known")
    undecided.go("Legal_forms").set("selectbox", FORM, "nyc144")
    undecided.set("checkbox", LEAVE_OUT, True)
    assert say(Message("form-none-small")) in undecided.text
    assert REASON not in {box.key for box in undecided.test.text_input}
    assert to_publish(*BESIDE) in undecided.text


def test_a_reason_is_asked_for_as_soon_as_a_group_is_left_out_and_kept_meanwhile(app, csv):
    rows = {"sex": ["F", "M"] * 50, "race": ["C", *["A", "B", "B"] * 33], "ok": ["yes", "no", "yes", "no"] * 25}
    rows["area"] = ["north"] + ["south"] * 99
    app.upload("t.csv", csv(**rows)).decide("ok", "yes").go("Legal_forms").set("selectbox", FORM, "nyc144")
    app.set("checkbox", LEAVE_OUT, True)
    assert to_publish(*BESIDE, "reason") in app.text
    app.set("text_input", REASON, "one person")
    assert "Reason: one person." in app.text and to_publish(*BESIDE) in app.text
    box = next(box for box in app.test.multiselect if box.label == "Race/ethnicity: counted as unknown")
    app.set("multiselect", box.key, ["C"])
    assert REASON not in {box.key for box in app.test.text_input} and to_publish(*BESIDE) in app.text
    app.set("multiselect", box.key, [])
    assert app.test.text_input(key=REASON).value == "one person"
