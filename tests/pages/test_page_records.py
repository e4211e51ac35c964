"""A record on the page Legal forms: what a person writes is kept, the answer comes first, and goes into the report."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

FORM = "presets_form"


@pytest.fixture
def record(app):
    """The bias profile of the loans, on the page."""
    app.hold_sample("loans").go("Legal_forms")
    return app.set("selectbox", FORM, "ai_act_bias_profile")


def key_of(app, item: str, form: str = "ai_act_bias_profile") -> str:
    return f"presets_{form}_{item}_{app.state.data_key}"


def test_the_answer_comes_first_and_what_is_written_is_kept_and_goes_into_the_report(record):
    assert "Women were approved less often" in record.test.main.title[0].value
    record.set("text_area", key_of(record, "system"), "A score for loans.")
    record.set("text_area", key_of(record, "why_groups"), "Women apply less often.")
    record.set("checkbox", "presets_in_report_ai_act_bias_profile_rate", True)
    [part] = [part for part in record.state.presets if part.preset == "ai_act_bias_profile"]
    assert part.answers == {"system": "A score for loans."}
    assert part.reasons == {"why_groups": "Women apply less often."}
    record.go("Check").go("Legal_forms")
    assert record.text_area(key=key_of(record, "system")).value == "A score for loans."
    assert "A score for loans." in record.text
    record.go("Report").assert_refuses_nothing()
    assert "AI Act: bias profile" in record.text


def test_a_text_that_may_not_stand_there_is_refused_in_a_sentence(record):
    record.set("selectbox", FORM, "nl_algorithm_register")
    record.set("text_input", key_of(record, "begin_date", "nl_algorithm_register"), "2026")
    assert "must be a month" in record.text
    record.set("text_input", key_of(record, "begin_date", "nl_algorithm_register"), "2026-01")
    assert "must be a month" not in record.text


def test_a_record_of_a_search_without_one_says_where_to_search(record):
    record.set("selectbox", FORM, "nj_alternatives")
    assert "no search for alternatives" in record.text
