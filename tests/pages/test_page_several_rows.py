"""The same person in several rows: asked on Data, and what is said holds on Check and in the saved audit."""

from __future__ import annotations

import pytest

from fairaudit.plan.outcomes import OutcomePlan
from ui.data import quality
from ui.data.questions import open_questions

N = 200


@pytest.fixture
def twice(app, csv):
    columns = {"staff_id": [*range(N)] * 2, "year": [2023] * N + [2024] * N, "sex": ["F", "M"] * N}
    app.hold("pay.csv", csv(**columns, ok=list("ynynnyyynn") * (2 * N // 10), pay=[i % 37 for i in range(2 * N)]))
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.change_check(protected="sex = 'F'")
    return app.go("Data")


def key(app):
    return f"data_several_{app.state.data_key}"


def test_the_same_person_in_several_years_is_an_open_question_until_it_is_answered(twice):
    assert [each.asked.key for each in open_questions(twice.state)] == ["data-several-rows"]
    twice.click("data_several_one")
    assert not open_questions(twice.state)
    assert twice.state.check.where == "year = 2024" and twice.state.check.cluster is None


def test_where_all_rows_are_compared_ranges_allow_for_those_of_one_person(twice):
    twice.click("data_several_one").click("data_several_all")
    assert twice.state.check.where is None and twice.state.check.cluster == "staff_id"
    plan = twice.state.plan()
    assert plan.checks[0].cluster == "staff_id"


def test_taking_all_rows_again_keeps_what_else_the_filter_asks_for_wherever_it_stands(twice):
    twice.click("data_several_one")
    twice.state.change_check(where="year = 2024 AND pay > 5")
    twice.click("data_several_all")
    assert twice.state.check.where == "pay > 5"


def test_ranges_of_amounts_cannot_allow_for_that_and_the_answer_stays(twice):
    twice.set("selectbox", twice.data_key("decision_column"), "pay")
    twice.set("radio", twice.data_key("decision_more_pay"), "better for the person")
    assert not twice.state.decision.kind.has_good_outcome
    twice.click("data_several_all")
    assert twice.state.check.cluster is None and not open_questions(twice.state)


def test_one_row_each_is_nothing_to_ask_about(app, csv):
    rows = {"staff_id": [*range(2 * N)], "year": [2023, 2024] * N, "sex": ["F", "M"] * N, "ok": ["y", "n"] * N}
    app.hold("t.csv", csv(**rows)).go("Data")
    assert quality.ask_what_is_compared(app.state) is None
