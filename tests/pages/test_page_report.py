"""The page Report: its options, what is handed over, and when it is out of date."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from fairaudit import AuditPlan
from fairaudit.data import read_table
from fairaudit.report import to_json
from fairaudit.run import run


@pytest.fixture
def made(ready):
    """The app with a report that was just made."""
    return ready.go("Report").click("report_make")


def _outdated(app) -> bool:
    return "have changed since this report" in app.warnings


def test_report_holds_a_pdf_tables_numbers_and_the_plan(made):
    made.assert_refuses_nothing()
    report = made.state.made
    assert report.pdf.startswith(b"%PDF")
    assert "plan.toml" in zipfile.ZipFile(io.BytesIO(report.bundle)).namelist()
    assert json.loads(report.json)
    assert {"PDF", "Tables (CSV, zip)", "JSON", "Plan (TOML)"} <= {b.label for b in made.get("download_button")}
    assert not _outdated(made)


def test_plan_of_the_report_gives_the_same_numbers_without_the_app(made, decisions):
    plan = AuditPlan.from_toml(made.state.made.plan)
    table = read_table(decisions, name=plan.data.name, options=plan.data.reading)
    assert json.loads(to_json(run(plan, table=table))) == json.loads(made.state.made.json)


def test_options_are_kept_and_part_of_the_report(ready):
    ready.go("Report").set("text_input", "report_title", "Who is served?")
    ready.set("text_input", "report_author", "A. Auditor").set("checkbox", "report_quality", False)
    ready.go("Data").go("Report")
    assert ready.text_input(key="report_title").value == "Who is served?"
    ready.click("report_make")
    assert ready.state.made.document.title == "Who is served?"
    assert AuditPlan.from_toml(ready.state.made.plan).report.author == "A. Auditor"
    assert AuditPlan.from_toml(ready.state.made.plan).report.quality is False


@pytest.mark.parametrize(
    "change",
    [
        lambda app: app.set("text_input", "report_title", "Another"),
        lambda app: app.set("checkbox", "report_mask", True),
        lambda app: app.go("Groups").set("text_input", "groups_where", "age > 30"),
        lambda app: app.go("Check").set("slider", "check_tolerance_0", 1.0),
        lambda app: app.go("Data").set("multiselect", app.data_key("decision_values_ok"), ["n"]),
    ],
    ids=["title", "masking", "filter", "tolerance", "outcome"],
)
def test_change_marks_the_report_as_out_of_date(made, change):
    change(made)
    assert _outdated(made.go("Report"))
    made.click("report_make")
    assert not _outdated(made)


def test_report_stays_current_while_the_person_only_looks(made):
    for page in ("Data", "Groups", "Check", "Report"):
        made.go(page)
    assert made.state.made is not None and not _outdated(made)


def test_second_upload_keeps_fitting_choices_and_marks_the_report(made, decisions):
    made.upload("newer.csv", decisions + b"\nF,White,30,2015-01-15,true,0.5,y,y")
    assert made.state.decision.favorable == ("y",) and made.state.check.protected == "sex = 'F'"
    assert not made.state.dropped and made.state.mismatch is None
    assert _outdated(made.go("Report"))
    assert made.state.made.pdf.startswith(b"%PDF"), "what was made is still there"


def test_second_upload_says_which_choices_do_not_fit(made, csv):
    made.go("Check").set("multiselect", "check_compare_0", ["race"]).set("multiselect", "check_strata_0", ["race"])
    made.upload("other.csv", csv(sex=["F", "M"] * 40, verdict=["y", "n"] * 40))
    assert "did not fit" in made.warnings and "ok" in made.warnings and "race" in made.warnings
    assert made.state.decision is None and made.state.check.compare == () and made.state.check.strata == ()
    made.decide("verdict", "y").go("Check").assert_refuses_nothing()


def test_filter_that_does_not_fit_the_second_upload_is_kept_and_named(made, csv):
    made.go("Groups").set("text_input", "groups_where", "race = 'White'")
    made.upload("other.csv", csv(sex=["F", "M"] * 40, ok=["y", "n"] * 40)).go("Groups")
    assert len(made.error) == 1 and "race" in made.errors
    assert "Still in use" not in made.text
    made.go("Check")
    assert len(made.error) == 1 and made.get("page_link")
    made.go("Report")
    made.go("Groups").click("groups_clear").assert_refuses_nothing()
    made.go("Check").assert_refuses_nothing()


def test_value_that_does_not_occur_in_the_second_upload_is_said(made, csv):
    made.upload("other.csv", csv(sex=["F", "M"] * 40, ok=["yes", "no"] * 40))
    assert "'y'" in made.warnings and made.state.decision is None


def test_hidden_small_counts_leave_no_table_to_take_from_the_pages(ready):
    ready.go("Report").set("checkbox", "report_mask", True).set("number_input", "report_minimum", 25)
    assert ready.state.small_cells.minimum == 25
    ready.click("report_make").assert_refuses_nothing()
    ready.go("Check")
    assert not [b.label for b in ready.get("download_button") if "CSV" in b.label]
    assert "Small counts are to be hidden" in ready.text


def test_question_that_cannot_be_answered_does_not_end_the_page(ready):
    ready.state.change_check(where="age > 1000")
    ready.go("Report")
    assert "cannot be answered on the present data" in ready.text
    ready.click("report_make")
    assert len(ready.error) == 1
    assert ready.state.made is None
