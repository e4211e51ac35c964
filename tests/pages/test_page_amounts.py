"""A decision that is an amount, from the page Data to the report."""

from __future__ import annotations

import io
import zipfile

import pytest
from shown import shows

from fairaudit.findings import Count, Group, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present import verdicts
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.trees.plan import TreesPlan
from ui.data.questions import open_questions
from ui.data.roles import say_table
from ui.state import RemedyEntry

pytestmark = pytest.mark.campaign

NOT_FOR_AMOUNTS = ("Errors", "Retrain", "Thresholds", "Equalize", "Constraints", "Rules")


@pytest.fixture
def wages(csv) -> bytes:
    """Pay of 240 people in three grades; women get 60 less in each."""
    n = 240
    return csv(
        sex=["F", "M"] * (n // 2),
        grade=[1 + i % 3 for i in range(n)],
        years=[i * 7 % 30 for i in range(n)],
        granted=["yes", "no", "no"] * (n // 3),
        pay=[1_000 + 100 * (i % 3) + 60 * (i % 2) + i * 13 % 41 for i in range(n)],
    )


@pytest.fixture
def paid(app, wages):
    """The app with these people, whose pay is the decision."""
    app.hold("wages.csv", wages)
    app.state.decision = OutcomePlan(column="pay", amount=True, meaning="monthly pay")
    app.state.change_check(protected="sex = 'F'")
    app.state.change_check(protected_name="women")
    return app.go("Check")


def test_many_numbers_are_taken_for_an_amount_and_more_can_be_worse(app, wages):
    app.upload("wages.csv", wages).set("selectbox", app.data_key("decision_column"), "pay")
    more = app.data_key("decision_more_pay")
    app.set("radio", more, "better for the person")
    assert app.state.decision == OutcomePlan(column="pay", amount=True)
    app.set("radio", more, "worse for the person")
    app.set("text_input", app.data_key("decision_meaning_pay"), "monthly fine")
    assert app.state.decision == OutcomePlan(
        column="pay", amount=True, higher_is_favorable=False, meaning="monthly fine"
    )


def test_which_direction_of_an_amount_is_better_is_asked_and_stands_in_the_sentence(app, wages):
    app.upload("wages.csv", wages).set("selectbox", app.data_key("decision_column"), "pay")
    more = app.data_key("decision_more_pay")
    assert app.radio(key=more).value is None and app.state.decision is None
    assert open_questions(app.state)[0].asked.key == "data-headline-direction"
    assert say(Message("data-headline-direction")) in app.text
    app.set("radio", more, "worse for the person")
    assert not open_questions(app.state)
    said = say_table(app.state)
    assert said.verdict.key == "verdict-ready" and dict(said.headline.args)["better"] == Word("less")
    assert say(said.headline) in app.text
    # It is kept when the person comes back, and an audit that was saved without it means what it meant.
    assert app.go("Groups").go("Data").radio(key=more).value == "worse for the person"
    app.hold("wages.csv", wages)
    app.state.decision = OutcomePlan(column="pay", amount=True)
    assert app.go("Data").radio(key=app.data_key("decision_more_pay")).value == "better for the person"


def test_few_numbers_and_shares_start_as_an_outcome(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 200, grade=[1, 2, 3, 4] * 100, share=[i / 400 for i in range(400)]))
    for column in ("grade", "share"):
        app.set("selectbox", app.data_key("decision_column"), column)
        assert app.radio(key=app.data_key(f"decision_tells_{column}")).value == "what is good or bad"
    app.set("radio", app.data_key("decision_tells_share"), "an amount, such as pay")
    app.set("radio", app.data_key("decision_more_share"), "better for the person")
    assert app.state.decision.amount


def test_texts_cannot_be_an_amount(app, wages):
    app.upload("wages.csv", wages).set("selectbox", app.data_key("decision_column"), "granted")
    assert not [radio for radio in app.radio if "tells" in radio.key]


def test_verdict_figures_chart_and_tables_describe_the_difference(paid):
    assert "Women had less monthly pay" in paid.verdict
    assert "60.0 less" in paid.text and "1,120.1 against 1,180.1" in paid.verdict
    gap = say(Message("figure-gap", {"protected": Group("women"), "others": Group()}))
    assert {metric.label for metric in paid.metric} >= {gap, "Standardised", "Rows compared"}
    assert paid.metric[0].value.startswith("\N{MINUS SIGN}60")
    assert len(paid.get("vega_lite_chart")) == 2, "one for wide screens, and one for narrow ones"
    assert {button.key for button in paid.get("download_button")} >= {"check_1_groups_csv", "check_1_difference_csv"}


def test_tolerance_is_in_the_unit_of_the_amount_and_lasts(paid):
    assert paid.state.check.amount_tolerance is None and "No tolerance is set" in paid.text
    paid.set("number_input", "check_amount_tolerance_0", 100.0)
    assert "No tolerance is set" not in paid.text
    assert "within your 100" in paid.text
    paid.go("Groups").go("Check")
    assert paid.number_input(key="check_amount_tolerance_0").value == 100.0
    assert paid.state.plan().checks[0].amount_tolerance == 100.0


def test_confidence_changes_the_interval(paid):
    before = [table.value.to_string() for table in paid.table]
    paid.set("select_slider", "check_confidence_0", 0.99)
    assert [table.value.to_string() for table in paid.table] != before


def test_all_groups_strata_and_similar_people_are_shown_on_demand(paid):
    assert "decision" not in paid.errors
    assert "pay" not in paid.multiselect(key="check_strata_0").options
    assert "pay" not in paid.multiselect(key="check_similar_0").options
    paid.set("multiselect", "check_compare_0", ["grade", "sex"]).set("checkbox", "check_compare_0_crossed", True)
    paid.set("multiselect", "check_strata_0", ["grade"]).set("multiselect", "check_similar_0", ["grade", "years"])
    paid.assert_refuses_nothing()
    check = paid.state.check
    assert check.compare == (("grade",), ("sex",), ("grade", "sex"))
    assert (check.strata, check.similar_by) == (("grade",), ("grade", "years"))
    similar = say(Message("name-similar-values", {"columns": Phrase("grade")}))
    assert f"{similar[0].upper()}{similar[1:]} the gap is about 60.0" in paid.text
    assert "Among the 10 most similar in grade and years" in paid.text
    keys = {button.key for button in paid.get("download_button")}
    assert {"check_1_all_groups_3_csv", "check_1_strata_csv", "check_1_similar_csv"} <= keys


def test_a_column_without_values_is_not_offered_to_say_who_is_similar(app, csv):
    n = 60
    pay = [1_000 + 7 * i for i in range(n)]
    app.upload("t.csv", csv(sex=["F", "M"] * (n // 2), unit=["a", "b", "c"] * (n // 3), nothing=[""] * n, pay=pay))
    app.state.decision = OutcomePlan(column="pay", amount=True)
    app.state.change_check(protected="sex = 'F'")
    offered = app.go("Check").multiselect(key="check_similar_0").options
    assert "unit" in offered and "nothing" not in offered


def test_a_reference_group_can_be_chosen(paid):
    paid.set("multiselect", "check_compare_0", ["grade"]).set("selectbox", "check_reference_0", "2")
    assert paid.state.check.reference == "2"
    paid.assert_refuses_nothing()


def test_formulas_are_there_with_the_query(paid):
    assert say(Message("term-didi-means")) in paid.text
    assert any("AVG(" in code.value for code in paid.code)


@pytest.mark.parametrize("page", NOT_FOR_AMOUNTS)
def test_pages_that_need_a_good_outcome_say_so_and_lead_back(paid, page):
    paid.go(page)
    paid.assert_refuses_nothing()
    assert shows(paid.text, "amount-not-here", column="pay")
    assert [link.label for link in paid.main.get("page_link")][-2:] == ["Back to the check", "Go to Data"]


def test_a_filter_that_leaves_one_group_is_a_sentence_with_a_way_back(paid):
    paid.state.change_check(where="sex = 'F'")
    paid.go("Groups").go("Check")
    assert "there is nobody to compare with" in paid.errors
    assert [link.label for link in paid.main.get("page_link")] == ["Change", "Change the groups or the filter"]


def test_change_of_kind_changes_the_answer_and_brings_back_what_was_set(paid):
    paid.set("number_input", "check_amount_tolerance_0", 100.0).set("multiselect", "check_similar_0", ["grade"])
    shown = paid.verdict
    paid.go("Data").set("selectbox", paid.data_key("decision_column"), "granted")
    paid.set("multiselect", paid.data_key("decision_values_granted"), ["yes"]).go("Check")
    paid.assert_refuses_nothing()
    assert "monthly pay" not in paid.verdict
    check = paid.state.plan().checks[0]
    assert check.amount_tolerance is None and check.similar_by == ()
    paid.go("Data").set("selectbox", paid.data_key("decision_column"), "pay")
    paid.set("text_input", paid.data_key("decision_meaning_pay"), "monthly pay").go("Check")
    assert paid.verdict == shown


def test_a_report_that_was_made_before_the_kind_changed_is_out_of_date(paid):
    paid.go("Report").click("report_make")
    assert not shows(paid.warnings, "report-page-changed")
    paid.go("Data").set("radio", paid.data_key("decision_tells_pay"), "what is good or bad").go("Report")
    assert shows(paid.warnings, "report-page-changed")


def test_the_report_says_what_the_page_says(paid):
    shown = paid.verdict
    paid.go("Report")
    assert shown.splitlines()[0] in paid.text
    paid.click("report_make")
    paid.assert_refuses_nothing()
    made = paid.state.made
    assert made.contents["report.pdf"].startswith(b"%PDF")
    with zipfile.ZipFile(io.BytesIO(made.contents["tables.zip"])) as bundle:
        assert "check_1_difference.csv" in bundle.namelist()
    assert AuditPlan.from_toml(made.contents["plan.toml"].decode()).decision.amount


def test_small_counts_can_be_hidden_in_the_report(paid):
    paid.go("Report").set("checkbox", "report_mask", True).set("number_input", "report_minimum", 150)
    paid.click("report_make")
    assert "Not shown." in str(paid.state.made.document)
    assert not [b for b in paid.go("Check").get("download_button") if (b.key or "").endswith("_csv")]


def test_a_saved_audit_of_amounts_opens_again(paid, another_app, wages):
    paid.set("number_input", "check_amount_tolerance_0", 42.0).set("multiselect", "check_similar_0", ["grade"])
    another_app.open_audit(paid.state.plan().to_toml()).upload("wages.csv", wages).go("Data")
    assert another_app.radio(key=another_app.data_key("decision_tells_pay")).value == "an amount, such as pay"
    another_app.go("Check")
    assert another_app.verdict == paid.verdict
    assert another_app.number_input(key="check_amount_tolerance_0").value == 42.0
    assert another_app.multiselect(key="check_similar_0").value == ["grade"]


def test_an_audit_whose_amount_is_no_number_in_other_data_loses_it_with_a_sentence(paid, csv):
    paid.upload("other.csv", csv(sex=["F", "M"] * 20, pay=["low", "high"] * 20))
    assert paid.state.decision is None
    assert "is to be an amount, but the column holds text values" in paid.text


def test_columns_that_other_data_lack_no_longer_say_who_is_similar(paid, csv):
    paid.set("multiselect", "check_similar_0", ["grade", "years"])
    paid.upload("other.csv", csv(sex=["F", "M"] * 20, grade=[1, 2] * 20, pay=range(40)))
    assert paid.state.check.similar_by == ("grade",)
    assert "no column 'years'" in paid.text


def test_the_sample_of_pay_shows_both_answers(app):
    app.sample("municipal_pay")
    assert "241 less on average" in app.verdict and "In the same grade the gap is about 86" in app.verdict
    finding = app.state.memo[next(key for key in app.state.memo if key[0] == "check")]
    assert verdicts.similar_sentence(finding) in app.text


def test_a_saved_audit_with_a_tree_of_amounts_opens_and_is_reported(paid, another_app, wages):
    tree = TreesPlan(max_depth=1, amount_difference=20, time_limit=10)
    paid.state.models = ModelsPlan(features=("grade", "years"), protected="sex = 'F'", protected_name="women")
    paid.state.remedies = [RemedyEntry(tree), RemedyEntry(RelabelPlan()), RemedyEntry(PlainPlan())]
    saved = paid.state.plan()
    assert saved.remedies == (tree,), "what needs a good outcome stays in the session"
    app = another_app.upload("wages.csv", wages).open_audit(saved.to_toml()).go("Report")
    app.assert_refuses_nothing()
    assert say(Message("report-page-lacking", {"n": Count(1)})) in app.text
    app.click("report_make")
    [job] = app.state.jobs.all
    assert job.wait(60)
    app.run().assert_refuses_nothing()
    with zipfile.ZipFile(io.BytesIO(app.state.made.contents["tables.zip"])) as bundle:
        assert "remedy_1_leaves.csv" in bundle.namelist()
    app.click("report_remedy_remove_0")
    assert app.state.plan().remedies == ()
