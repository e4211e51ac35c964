"""The pages "What explains it" and "Change over time"."""

from __future__ import annotations

import re
from html import unescape

import pytest
from conftest import plain
from shown import shows

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.change import say_change
from fairaudit.sections.change.answering import run_change
from fairaudit.sections.change.reading import answers_of
from ui.follow_ups.changing import TABLE

REASON = "each applicant picks a department"


@pytest.fixture
def berkeley(app):
    return app.hold_sample("berkeley_1973").go("Explain")


@pytest.fixture
def stops(app):
    return app.hold_sample("stop_and_frisk").go("Change")


def key_of(app, kind: str, start: str) -> str:
    """Return the key of the widget that begins so."""
    [key] = [widget.key for widget in getattr(app.test, kind) if widget.key.startswith(start)]
    return key


def explained(app):
    app.set("multiselect", key_of(app, "multiselect", "explain_controls"), ["department"])
    return app.set("text_input", key_of(app, "text_input", "explain_reason"), REASON)


def test_days_that_were_read_as_text_are_said_where_they_are_missed(app, csv):
    days = [f"{i % 28 + 1:02}/{i % 12 + 1:02}/2024" for i in range(80)]
    content = csv(sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20, age=range(80), opened=days)
    app.hold("t.csv", content).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    assert shows(app.go("Change").text, "data-looks-like-days", column="'opened'")
    app.go("Data").click("data_days_day first").go("Change")
    app.set("selectbox", key_of(app, "selectbox", "change_column"), "opened")
    assert "looks like days" not in app.text


def test_columns_are_answered_before_their_reasons_and_reported_with_them(berkeley):
    berkeley.set("multiselect", key_of(berkeley, "multiselect", "explain_controls"), ["department"])
    assert shows(berkeley.text, "explain-headline-part", part="all", columns="department")
    [asked] = berkeley.state.explanations
    assert asked.lacks_reason == ("department",) and berkeley.state.plan().explanations == ()
    assert shows(berkeley.text, "explain-reason-missing")
    berkeley.go("Report")
    lacking = say(Message("explain-reason-missing", {"column": Phrase("department")}))
    folded = [text.value for fold in berkeley.test.get("expander") for text in (*fold.caption, *fold.warning)]
    assert [plain(text.value) for text in berkeley.test.main.warning].count(lacking) == 1
    assert lacking not in map(plain, folded), "what is missing is listed in sight"
    explained(berkeley.go("Explain"))
    assert not shows(berkeley.text, "explain-reason-missing") and berkeley.state.plan().explanations


def test_the_answer_is_divided_and_the_reason_kept(berkeley):
    explained(berkeley)
    facts = {"quantity": "share", "direction": "less", "gap": 14, "others": "men", "columns": "department"}
    assert shows(berkeley.text, "explain-lead-more", explained=16, **facts)
    assert say(Message("explain-overturn-nothing")) in berkeley.text
    assert "times as strong as" not in berkeley.text
    [plan] = berkeley.state.plan().explanations
    assert plan.controls[0].reason == REASON
    assert AuditPlan.from_toml(berkeley.state.plan().to_toml()).explanations == (plan,)


def test_columns_and_reasons_that_are_not_complete_are_there_when_the_person_comes_back(app, csv):
    content = csv(
        sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20, a=["x", "y", "y"] * 26 + ["x"] * 2, b=["u"] * 50 + ["v"] * 30
    )
    app.hold("t.csv", content).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    app.go("Explain").set("multiselect", key_of(app, "multiselect", "explain_controls"), ["a", "b"])
    app.test.text_input[0].set_value(REASON)
    app.run().go("Groups").go("Explain")
    assert app.multiselect(key=key_of(app, "multiselect", "explain_controls")).value == ["a", "b"]
    assert [field.value for field in app.test.text_input] == [REASON, ""]
    assert "say why b may rightly count" in app.text and app.state.plan().explanations == ()


def test_the_stratum_chosen_on_check_is_among_the_columns_and_one_that_is_taken_out_stays_out(app, csv):
    content = csv(sex=["F", "M"] * 40, ok=["y", "n", "y", "y"] * 20, grade=["a", "b", "b", "a", "a"] * 16)
    app.hold("t.csv", content).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")

    def chosen():
        return app.multiselect(key=key_of(app, "multiselect", "explain_controls")).value

    app.go("Explain")
    assert chosen() == []
    app.go("Check").set("radio", "check_comparable_0", "grade").click("check_comparable_go").go("Explain")
    assert chosen() == ["grade"] and "say why grade may rightly count" in app.text
    app.set("multiselect", key_of(app, "multiselect", "explain_controls"), []).go("Check").go("Explain")
    assert chosen() == []


def test_the_strata_of_an_answer_that_was_saved_do_not_add_to_its_columns(app):
    app.hold_sample("berkeley_1973_explained").go("Explain")
    assert [control.column for control in app.state.explanations[0].controls] == ["department"]
    assert not shows(app.text, "explain-reason-missing")


def test_a_model_is_taken_where_it_is_asked_for_and_stays_when_the_person_comes_back(berkeley):
    explained(berkeley)
    berkeley.set("radio", key_of(berkeley, "radio", "explain_method"), "regression")
    assert "Oaxaca and Blinder" in berkeley.text
    berkeley.go("Groups").go("Explain")
    assert "Oaxaca and Blinder" in berkeley.text
    assert berkeley.state.explanations[0].method == "regression"


def test_who_unticks_it_has_no_such_chapter(berkeley):
    explained(berkeley).set("checkbox", "explain_in_report", False)
    assert berkeley.state.plan().explanations == ()


def test_an_answer_without_a_reason_can_be_left_out_where_it_is_asked_for_and_on_report(berkeley):
    berkeley.set("multiselect", key_of(berkeley, "multiselect", "explain_controls"), ["department"])
    lacking = say(Message("explain-reason-missing", {"column": Phrase("department")}))
    assert lacking in [plain(expander.label) for expander in berkeley.expander]
    berkeley.set("checkbox", "explain_in_report", False)
    assert say(Message("explain-reasons")) in [plain(expander.label) for expander in berkeley.expander]
    assert lacking not in berkeley.go("Report").text and not berkeley.checkbox(key="report_explanations").value
    assert lacking in berkeley.set("checkbox", "report_explanations", True).text
    assert lacking not in berkeley.set("checkbox", "report_explanations", False).text


def test_a_column_marked_by_group_warns(berkeley):
    assert "department differs strongly by group" in explained(berkeley).text


def test_columns_of_groups_are_not_offered_and_identifiers_stand_last(app, csv):
    columns = {"applicant": [f"L-{i}" for i in range(120)], "sex": ["F", "M"] * 60, "race": ["A", "B", "B"] * 40}
    app.hold("t.csv", csv(**columns, kind=["x", "y", "x", "z"] * 30, years=[i % 9 for i in range(120)],
                          ok=["y", "n", "y"] * 40)).decide("ok", "y")  # fmt: skip
    app.state.protected_columns = ("sex", "race")
    app.state.change_check(protected="sex = 'F'")
    assert app.go("Explain").multiselect(key=key_of(app, "multiselect", "explain_controls")).options == [
        "kind",
        "years",
        "applicant",
    ]


def cut_at(stops, text):
    stops.set("selectbox", key_of(stops, "selectbox", "change_column"), "date")
    return stops.set("text_input", key_of(stops, "text_input", "change_cuts"), text)


def finding_of(app):
    """Return what the core finds for the question that the page keeps."""
    return run_change(app.state.table, app.state.plan(), app.state.plan().changes[0])


def answer_of(app):
    """Return what the core says of the question that the page keeps."""
    return say_change(finding_of(app))


def assert_begins_with(app, said):
    drawn = app.text
    assert app.verdict.startswith(say(said.headline))
    assert say(said.lead) in drawn and say(said.caution) in drawn
    assert say(said.verdict) in [unescape(re.sub("<[^>]*>", "", html.proto.body)) for html in app.test.get("html")]


def test_two_halves_of_a_year_are_one_verdict_one_headline_and_one_picture(stops):
    assert stops.verdict.startswith(say(Message("change-question"))) and not stops.test.main.get("expander")
    cut_at(stops, "2012-07-01")
    said = answer_of(stops)
    assert said.verdict.key == "verdict-gap-may-not-have-changed"
    assert_begins_with(stops, said)
    assert say(Message("change-recorded-alike")) in stops.text
    stops.set("multiselect", key_of(stops, "multiselect", "change_strata"), ["suspected_offence"])
    [plan] = stops.state.plan().changes
    assert plan.cuts == ("2012-07-01",) and plan.strata == ("suspected_offence",)
    assert any("mix" in list(table.value.iloc[:, 0]) for table in stops.test.table)


def test_what_makes_the_periods_is_asked_above_until_there_is_an_answer_and_then_folds_away(stops):
    def is_folded():
        inside = [box for more in stops.test.get("expander") for box in more.text_input]
        return key_of(stops, "text_input", "change_cuts") in [box.key for box in inside]

    assert not is_folded()
    cut_at(stops, "2012-07-01")
    assert is_folded()
    stops.go("Check").go("Change")
    assert is_folded()
    # What cannot be answered is above again, with what is wrong.
    stops.set("text_input", key_of(stops, "text_input", "change_cuts"), "2030-01-01")
    assert "No row of column 'date' is from 2030-01-01" in stops.errors and not is_folded()
    stops.set("text_input", key_of(stops, "text_input", "change_cuts"), "2012-10-01")
    assert is_folded() and stops.state.plan().changes[0].cuts == ("2012-10-01",)


def test_cuts_that_were_just_written_outlast_a_press_on_the_sidebar(stops):
    key = key_of(stops, "text_input", "change_cuts")
    # The page is another one before it could take what was written.
    stops.text_input(key=key).set_value("2012-10-01")
    stops.go("Check").go("Change")
    assert stops.text_input(key=key_of(stops, "text_input", "change_cuts")).value == "2012-10-01"


def test_more_cuts_make_one_test_over_all(stops):
    cut_at(stops, "2012-04-01, 2012-07-01, 2012-10-01")
    said = answer_of(stops)
    assert [message.key for message in said.lead] == ["change-lead-line", "change-sure-line-open"]
    assert_begins_with(stops, said)


def test_a_second_table_is_compared_and_recorded(stops):
    content = (stops.state.content or b"").replace(b",Black,", b",black,")
    stops.set("radio", key_of(stops, "radio", "change_how"), TABLE)
    stops.set("file_uploader", "change_upload", ("later.csv", content, "text/csv"))
    assert say(Message("change-recorded-otherwise")) in stops.warnings and "spelled otherwise" in stops.text
    [plan] = stops.state.plan().changes
    assert plan.second == "later.csv" and plan.second_fingerprint == stops.state.seconds["later.csv"].fingerprint


def test_an_amount_has_its_parts_in_its_own_unit(app):
    app.hold_sample("municipal_pay_explained").go("Explain")
    assert "Most of the gap between women and men is explained by these 3 columns" in app.text
    assert "Women were paid 241 less than men" in app.text and "points" not in app.text.split("held equal")[0]


def test_a_change_of_amounts_is_asked_in_their_unit(app):
    pay = app.hold_sample("municipal_pay_explained").go("Change")
    pay.set("selectbox", key_of(pay, "selectbox", "change_column"), "age")
    pay.set("text_input", key_of(pay, "text_input", "change_cuts"), "45")
    said = answer_of(pay)
    assert pay.verdict.startswith(say(said.headline)) and "points" not in say(said.lead)
    assert pay.state.plan().changes[0].amount_tolerance == pay.state.check.amount_tolerance is not None


def test_a_saved_audit_with_new_data_offers_to_compare_both(app):
    app.hold_sample("stop_and_frisk")
    old, plan = app.state.content, app.state.plan()
    new = b"\n".join(line for i, line in enumerate(old.split(b"\n")) if i % 2 == 0)
    app.hold("new.csv", new)
    app.state.open_plan(plan)
    app.go("Check")
    assert "Change over time" in [link.proto.label for link in app.test.get("page_link")]
    app.go("Change").set("file_uploader", "change_upload", ("old.csv", old, "text/csv"))
    assert app.state.plan().changes[0].second_is == "earlier"
    assert "in old" in app.text or "in both periods" in app.text
    assert [row for table in app.test.table for row in table.value.iloc[:, 0]] == ["old", "new", "change"]


def test_another_question_brings_its_own_columns(app):
    app.hold_sample("berkeley_1973_explained")
    men = app.state.check.model_copy(update={"protected": "gender = 'Men'", "strata": ()})
    app.state.checks.append(type(app.state.entry)(men))
    app.go("Explain").set("selectbox", "check_selected", 1)
    assert app.multiselect(key=key_of(app, "multiselect", "explain_controls")).value == []
    assert [asked.protected for asked in app.state.explanations] == ["gender = 'Women'"]


def test_months_make_periods_and_the_amount_that_was_decided_does_not(app, csv):
    months = [f"2025-{i % 12 + 1:02}" for i in range(240)]
    app.hold("t.csv", csv(sex=["F", "M"] * 120, wait=[i % 17 + 0.5 for i in range(240)], month=months))
    app.state.decision = OutcomePlan(column="wait", amount=True, higher_is_favorable=False)
    app.state.change_check(protected="sex = 'F'")
    app.go("Change")
    assert app.selectbox(key=key_of(app, "selectbox", "change_column")).value == "month"
    app.set("text_input", key_of(app, "text_input", "change_cuts"), "2025-07")
    assert [(plan.column, plan.cuts) for plan in app.state.changes] == [("month", ("2025-07",))]
    assert sum(answer.protected.n + answer.reference.n for answer in answers_of(finding_of(app))) == 240


def test_without_a_column_of_days_or_months_the_page_says_so(app, csv):
    app.hold("t.csv", csv(sex=["F", "M"] * 120, wait=[i % 17 + 0.5 for i in range(240)]))
    app.state.decision = OutcomePlan(column="wait", amount=True)
    app.state.change_check(protected="sex = 'F'")
    app.go("Change")
    assert not [box for box in app.test.main.selectbox if box.key.startswith("change_column")] and app.test.main.info


def test_one_column_of_two_years_is_no_choice_and_a_filter_leaves_nothing_to_compare(app, csv):
    n = 400
    columns = {"sex": ["F", "M"] * (n // 2), "ok": list("ynnyyynn") * (n // 8), "points": [*range(n)]}
    app.hold("t.csv", csv(**columns, year=[2023] * (n // 2) + [2024] * (n // 2))).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    app.go("Change")
    assert [(plan.column, plan.cuts) for plan in app.state.changes] == [("year", (2024.0,))]
    app.state.changes.clear()
    app.state.change_check(where="year = 2024")
    app.go("Groups").go("Change")
    assert not app.state.changes and app.test.selectbox(key=key_of(app, "selectbox", "change_column")).value is None


def test_more_says_which_columns_stand_in_for_the_group_and_a_tick_keeps_it_for_the_report(berkeley):
    explained(berkeley)
    tables = [table.value for table in berkeley.test.table]
    assert any("revealed beyond chance" in table.columns and "department" in set(table["column"]) for table in tables)
    [asked] = berkeley.state.explanations
    assert asked.proxies
    berkeley.set("checkbox", key_of(berkeley, "checkbox", "explain_proxies"), False)
    assert not berkeley.state.explanations[0].proxies
