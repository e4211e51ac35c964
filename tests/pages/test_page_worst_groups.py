"""The page Worst groups: what is asked, the search in the background, its result and the ways on."""

from __future__ import annotations

import time

import pytest
from conftest import plain

from fairaudit.data import Table
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.sections.worst import read_worst, say_worst
from fairaudit.sections.worst.saying import affected


@pytest.fixture
def loans(app):
    """The app with the sample of loans, on the page Worst groups."""
    return app.hold_sample("loans").go("Worst_groups")


def search(app):
    """Press the button and wait for the end."""
    app.click("worst_search")
    for _ in range(600):
        if not app.state.jobs.active:
            return app.run()
        time.sleep(0.1)
    raise AssertionError("the search has not ended")


def test_the_page_asks_for_a_decision_first(app):
    app.go("Worst_groups")
    assert "no data yet" in app.text


def test_what_makes_similar_cases_is_not_proposed_and_can_be_added(loans):
    similar = {name for entry in loans.state.checks for name in entry.plan.strata}
    proposed = loans.state.subgroups_draft.columns
    assert similar and proposed and not similar & set(proposed)
    loans.set("multiselect", "worst_columns", [*proposed, *similar])
    assert similar <= set(loans.state.subgroups_draft.columns)


def test_a_search_draws_the_answer_and_under_more_the_table(loans):
    loans.set("multiselect", "worst_columns", ["sex", "region", "employment"])
    loans.set("multiselect", "worst_protected", [])
    search(loans).assert_refuses_nothing()
    [found] = loans.state.searched.values()
    assert plain(loans.test.main.title[0].value) == say(say_worst(found).headline)
    assert loans.state.subgroups == [found.plan]
    shown = loans.table[0].value
    # In the order of the picture, in which the worst of those that stand out is first.
    reading = read_worst(found)
    named = [found.result.subgroups[number].words for number in (*reading.standing_out, *reading.others)]
    assert [plain(text) for text in shown.iloc[:, 0]] == named
    assert found.result.columns == ("sex", "region", "employment")
    assert loans.state.plan().subgroups == (found.plan,)


def test_other_settings_do_not_show_an_old_result(loans):
    loans.set("multiselect", "worst_columns", ["sex", "region"])
    search(loans)
    loans.set("slider", "worst_max_conditions", 1)
    assert say(Message("worst-changed")) in loans.text and not loans.table
    loans.set("slider", "worst_max_conditions", 3)
    assert loans.table


def test_a_group_becomes_the_protected_group_of_a_new_question(loans):
    loans.set("multiselect", "worst_columns", ["sex", "employment"])
    search(loans)
    [found] = loans.state.searched.values()
    before = len(loans.state.checks)
    worst = read_worst(found).standing_out[0]
    loans.click("worst_ask")
    assert len(loans.state.checks) == before + 1
    assert loans.state.check.protected == found.result.subgroups[worst].condition
    assert loans.verdict


def test_a_group_becomes_the_filter(loans):
    loans.set("multiselect", "worst_columns", ["sex", "employment"])
    search(loans)
    [found] = loans.state.searched.values()
    where = loans.state.check.where
    loans.set("selectbox", "worst_group", 1).click("worst_filter")
    assert found.result.subgroups[1].condition in loans.state.check.where
    assert loans.state.entry.undo[-1] == (where or "")


def test_an_identifier_is_searched_where_a_person_names_it_alone(loans):
    assert "applicant_number" not in loans.state.subgroups_draft.columns
    loans.set("multiselect", "worst_columns", ["applicant_number"]).set("multiselect", "worst_protected", [])
    search(loans)
    assert not loans.errors and loans.state.searched


def test_what_is_proposed_follows_the_similar_cases_that_are_chosen_later(loans):
    proposed = loans.state.subgroups_draft.columns
    assert "region" in proposed
    loans.state.change_check(strata=("region",))
    loans.go("Check").go("Worst_groups").assert_refuses_nothing()
    assert "region" not in loans.state.subgroups_draft.columns
    assert loans.multiselect(key="worst_columns").value == list(loans.state.subgroups_draft.columns)


def test_another_table_without_the_columns_of_a_search_is_asked_anew(loans):
    loans.set("multiselect", "worst_columns", ["sex", "region"])
    table = loans.state.table.to_pandas().drop(columns="region")
    loans.state.put_table(Table.from_pandas(table), source="other.csv")
    loans.go("Check").go("Worst_groups").assert_refuses_nothing()
    assert loans.state.subgroups_draft.columns != ("sex",)
    assert loans.state.subgroups_draft.protected == loans.state.protected_columns


def test_settings_stay_when_the_page_is_left(loans):
    loans.set("multiselect", "worst_columns", ["sex", "region"]).go("Check").go("Worst_groups")
    assert loans.multiselect(key="worst_columns").value == ["sex", "region"]


def test_before_a_search_it_is_in_sight_what_is_compared_and_groups_of_protected_columns_come_first(loans):
    protected = loans.state.protected_columns
    assert protected and loans.state.subgroups_draft.protected == protected
    asked = say(Message("worst-asked-protected", {"protected": Phrase(", ".join(protected))}))
    assert asked in loans.text and "in groups by" in loans.text


def test_a_saved_search_fills_the_form(app):
    loans = app.hold_sample("loans")
    plan = loans.state.plan().model_copy(
        update={"subgroups": (SubgroupsPlan(columns=("sex",), protected=("region",), max_conditions=2, min_rows=80),)}
    )
    loans.state.open_plan(plan)
    loans.go("Worst_groups")
    assert loans.multiselect(key="worst_columns").value == ["sex"]
    assert loans.number_input(key="worst_min_rows").value == 80
    # Its direction was not said, so it is both, and stays.
    assert loans.selectbox(key="worst_direction_lower").value == "both"
    assert loans.go("Check").go("Worst_groups").selectbox(key="worst_direction_lower").value == "both"


def test_without_a_choice_the_page_looks_for_what_is_worse(app):
    cases = app.hold_sample("recidivism").go("Worst_groups")
    cases.state.subgroups_draft = None
    cases.run()
    assert cases.state.subgroups_draft.direction == "lower"
    cases.set("selectbox", "worst_measure", "fpr")
    assert cases.selectbox(key="worst_direction_higher").value == "higher"
    assert cases.state.subgroups_draft.direction == "higher"
    cases.set("selectbox", "worst_measure", "accuracy")
    assert cases.state.subgroups_draft.direction == "lower"
    cases.set("selectbox", "worst_direction_lower", "both").set("selectbox", "worst_measure", "fpr")
    assert cases.state.subgroups_draft.direction == "both"


def test_a_search_of_a_new_audit_shows_nobody_who_fares_better_and_says_which_rows_are_counted(loans):
    loans.set("multiselect", "worst_columns", ["sex", "region", "employment"])
    search(loans)
    [found] = loans.state.searched.values()
    assert found.plan.direction == "lower" and all(each.trained.gap < 0 for each in found.result.subgroups)
    assert "test cases" in loans.table[0].value.columns
    assert say(affected(found)) in loans.text


def test_numbers_that_may_be_codes_are_asked_about_once_before_the_search(app, csv):
    n = 240
    ok = ["yes" if (i * 7) % 5 > i % 2 else "no" for i in range(n)]
    app.hold("people.csv", csv(kind=[1 + i % 4 for i in range(n)], age=[20 + i % 30 for i in range(n)], ok=ok))
    app.state.decision = OutcomePlan(column="ok", favorable=("yes",))
    app.go("Worst_groups")
    question = say(Message("data-order", {"columns": Phrase("'kind'")}))
    assert question in app.text and not [each for each in app.button if each.key == "worst_search"]
    app.click("data_order_codes")
    assert not app.exception and question not in app.text
    assert app.state.plan().data.reading.codes == ("kind",)
    assert app.state.present_table.columns["kind"].kind == "text"
    assert [each for each in app.button if each.key == "worst_search"]
    # What was said is taken back on Data, and asked anew.
    app.go("Data")
    next(each for each in app.selectbox if each.key.startswith("data_codes_column_")).set_value("kind").run()
    app.click("data_codes_undo")
    assert not app.state.reading.codes
    app.go("Worst_groups")
    app.click("data_order_numbers")
    assert app.state.reading.numbers == ("kind",) and question not in app.text
