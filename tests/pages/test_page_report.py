"""The page Report: its options, what is handed over, and when it is out of date."""

from __future__ import annotations

import io
import json
import re
import threading
import time
import zipfile

import pytest
import streamlit as st
from one_picture import PICTURE
from remedy_pages import finish, has, said_of
from shown import shown, shows
from study_data import as_loans, biased_loans, loans_plan

from fairaudit import AuditPlan
from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedy
from fairaudit.data import read_table
from fairaudit.errors import ReportError
from fairaudit.events import STOP, Finished, Progress
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, SubgroupsPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.report.first_pages import say_asked
from fairaudit.report.json_export import to_json
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from ui.check.questions import finding_of
from ui.entries import CheckEntry
from ui.remedies import trying as remedies
from ui.report import making
from ui.runtime.jobs import Job
from ui.runtime.turns import REPORTS
from ui.state import Fitted, RemedyEntry

PATIENCE_S = 60
SCORE = ThresholdsPlan(model="score")
BY_MODEL = ThresholdsPlan(fairness_weight=0.5)
PLAIN = PlainPlan()
PERCEPTRON = PlainPlan(model="mlp")
SWARM = ThresholdsPlan(model="score", search="pso")
EQUALIZE = EqualizePlan(max_iter=30)
RELABEL = RelabelPlan(final_model="logistic_regression")


@pytest.fixture
def quick_pdf(monkeypatch):
    """Stand in for the PDF, which takes longest to make; other tests make and read it."""
    monkeypatch.setattr("fairaudit.report.composing.to_pdf", lambda document: b"%PDF")
    monkeypatch.setattr("ui.report.files.to_picture", lambda document: PICTURE)


@pytest.fixture
def made(ready, quick_pdf):
    """The app with a report that was just made."""
    return ready.go("Report").click("report_make")


def reported(app) -> bool:
    """Whether the sidebar ticks the report."""
    return "4 Report :material/check:" in [link.label for link in app.test.sidebar.get("page_link")]


def _outdated(app) -> bool:
    return shows(app.warnings, "report-page-changed")


def test_report_holds_a_pdf_tables_numbers_and_the_plan(ready):
    made = ready.go("Report").click("report_make")
    made.assert_refuses_nothing()
    report = made.state.made
    assert report.contents["report.pdf"].startswith(b"%PDF-") and len(report.contents["report.pdf"]) > 10_000
    assert "plan.toml" in zipfile.ZipFile(io.BytesIO(report.contents["tables.zip"])).namelist()
    assert json.loads(report.contents["result.json"])
    files = {"Report (PDF)", "Annexes (PDF)", "Tables (CSV, zip)", "JSON", "Saved audit (TOML)", "All files (zip)"}
    assert files <= {button.label for button in made.get("download_button")}
    assert report.contents["annexes.pdf"].startswith(b"%PDF-") and report.first_page.startswith(b"\x89PNG")
    assert not _outdated(made)


def test_what_hidden_counts_leave_out_is_said_before_the_report_is_made(ready):
    ready.go("Report").set("checkbox", "report_mask", True)
    assert not has(ready, "report_leave_unseen")
    assert say(Message("report-publish-one")) in ready.text
    ready.state.subgroups = [SubgroupsPlan()]
    ready.go("Report")
    assert say(Message("report-unseen", {"names": Phrase("Worst groups")})) in ready.text
    ready.click("report_leave_unseen")
    assert "subgroups" in ready.state.left_out and not has(ready, "report_leave_unseen")


def test_a_search_for_subgroups_alone_can_be_reported(ready):
    ready.state.subgroups = [SubgroupsPlan()]
    ready.state.checks[0].in_report = False
    ready.go("Report")
    assert "Nothing is chosen" not in ready.text and ready.get("button")


def test_reports_of_all_sessions_are_made_in_turn_and_who_waits_reads_the_place(ready, quick_pdf, monkeypatch):
    lines = []
    monkeypatch.setattr(making, "stated", lambda key, **args: lines.append(say(Message(key, args))) or lines[-1])
    state = ready.go("Report").state
    with REPORTS.turn() as others:
        assert others.take(lambda: False)
        asking = threading.Thread(target=ready.click, args=("report_make",))
        asking.start()
        until = time.monotonic() + PATIENCE_S
        while not any("Number 1 in the line, 1 at work." in line for line in lines):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert state.made is None
    asking.join(PATIENCE_S)
    assert state.made is not None and not REPORTS.working


def test_who_leaves_the_page_while_the_report_waits_finds_it_made_on_coming_back(ready, quick_pdf, monkeypatch):
    # The page ends where it is, as it does when its person goes to another one.
    with monkeypatch.context() as leaving:
        leaving.setattr(making, "_make", lambda state: st.stop())
        ready.go("Report").click("report_make")
    assert ready.state.made is None and not REPORTS.working
    assert ready.go("Data").go("Report").state.made is not None


def test_report_that_cannot_be_made_is_not_asked_for_again(ready, quick_pdf, monkeypatch):
    def fail(state):
        raise ReportError("A chart could not be drawn.")

    with monkeypatch.context() as failing:
        failing.setattr(making, "_make", fail)
        assert "could not be drawn" in ready.go("Report").click("report_make").errors
    assert ready.go("Data").go("Report").state.made is None


def test_plan_of_the_report_gives_the_same_numbers_without_the_app(made, decisions):
    plan = AuditPlan.from_toml(made.state.made.contents["plan.toml"].decode())
    table = read_table(decisions, name=plan.data.name, options=plan.data.reading)
    assert json.loads(to_json(run(plan, table=table))) == json.loads(made.state.made.contents["result.json"])


def test_options_are_kept_and_part_of_the_report(ready, quick_pdf):
    ready.go("Report").set("text_input", "report_title", "Who is served?")
    ready.set("text_input", "report_author", "A. Auditor").set("checkbox", "report_quality", False)
    ready.go("Data").go("Report")
    assert ready.text_input(key="report_title").value == "Who is served?"
    ready.click("report_make")
    assert ready.state.made.document.subtitle == "Who is served?"
    assert AuditPlan.from_toml(ready.state.made.contents["plan.toml"].decode()).report.author == "A. Auditor"
    assert AuditPlan.from_toml(ready.state.made.contents["plan.toml"].decode()).report.quality is False


def test_the_date_of_today_stands_there_at_first_can_be_emptied_and_the_plan_keeps_it(ready, quick_pdf):
    ready.go("Report")
    first = ready.state.report.date
    assert first and ready.text_input(key="report_date").value == first
    ready.set("text_input", "report_date", "").go("Data").go("Report")
    assert ready.state.report.date is None and ready.text_input(key="report_date").value == ""
    ready.click("report_today")
    said = ready.text_input(key="report_date").value
    assert re.fullmatch(r"\d+ [A-Z][a-z]+ \d{4}", said) and "report_today" not in {b.key for b in ready.get("button")}
    ready.click("report_make")
    assert ready.state.made.document.byline[-1] == said
    assert AuditPlan.from_toml(ready.state.made.contents["plan.toml"].decode()).report.date == said


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
    assert reported(made)
    change(made)
    assert _outdated(made.go("Report")) and not reported(made)
    made.click("report_make")
    assert not _outdated(made)


def test_report_stays_current_while_the_person_only_looks(made):
    for page in ("Data", "Groups", "Check", "Report"):
        made.go(page)
    assert made.state.made is not None and not _outdated(made)


def test_the_same_file_with_more_rows_keeps_fitting_choices_and_marks_the_report(made, decisions):
    made.upload("decisions.csv", decisions + b"\nF,White,30,2015-01-15,true,0.5,y,y")
    assert made.state.decision.favorable == ("y",) and made.state.check.protected == "sex = 'F'"
    assert not made.state.dropped and made.state.mismatch is None
    assert _outdated(made.go("Report"))
    assert made.state.made.contents["report.pdf"].startswith(b"%PDF"), "what was made is still there"


def test_second_upload_keeps_fitting_choices_and_no_report(made, decisions):
    made.upload("newer.csv", decisions + b"\nF,White,30,2015-01-15,true,0.5,y,y")
    assert made.state.decision.favorable == ("y",) and made.state.check.protected == "sex = 'F'"
    assert not made.state.dropped and made.state.mismatch is None
    assert made.go("Report").state.made is None


def test_second_upload_says_which_choices_do_not_fit(made, csv):
    made.go("Check").set("multiselect", "check_compare_0", ["race"]).set("multiselect", "check_strata_0", ["race"])
    made.upload("other.csv", csv(sex=["F", "M"] * 40, verdict=["y", "n"] * 40))
    assert say(Message("data-former", {"n": Count(len(made.state.dropped))})) in made.text
    assert " ".join(made.state.dropped) in made.text
    assert all(any(repr(name) in lost for lost in made.state.dropped) for name in ("ok", "race"))
    assert made.state.decision is None and made.state.check.compare == () and made.state.check.strata == ()
    made.decide("verdict", "y").go("Check").assert_refuses_nothing()


def test_filter_that_does_not_fit_the_second_upload_is_left_out_and_not_offered_again(made, csv):
    made.go("Groups").set("text_input", "groups_where", "race = 'White'")
    made.upload("other.csv", csv(sex=["F", "M"] * 40, ok=["y", "n"] * 40))
    assert "race is White" in made.text and not any(b.key == "data_moved_back_0" for b in made.test.button)
    made.go("Groups").assert_refuses_nothing()
    made.go("Check").assert_refuses_nothing()


def test_value_that_does_not_occur_in_the_second_upload_is_said(made, csv):
    made.upload("other.csv", csv(sex=["F", "M"] * 40, ok=["yes", "no"] * 40))
    [lost] = made.state.dropped
    assert lost in made.text and "'y'" in lost and made.state.decision is None


def test_hidden_small_counts_leave_no_table_to_take_from_the_pages(ready, quick_pdf):
    ready.go("Report").set("checkbox", "report_mask", True).set("number_input", "report_minimum", 25)
    assert ready.state.small_cells.minimum == 25
    ready.set("number_input", "report_minimum", None)
    assert ready.state.small_cells.minimum == 25 and "Counts under 25 are hidden, as before." in ready.text
    ready.click("report_make").assert_refuses_nothing()
    with zipfile.ZipFile(io.BytesIO(ready.state.made.contents["tables.zip"])) as bundle:
        assert ready.state.made.contents["plan.toml"] == bundle.read("plan.toml")
    ready.go("Check")
    assert not [b.label for b in ready.get("download_button") if "CSV" in b.label]
    assert say(Message("files-hidden")) in ready.text


def test_removing_a_question_leaves_the_one_that_is_worked_on(ready):
    protected = ("sex = 'F'", "sex = 'M'", "age < 30")
    ready.state.checks = [CheckEntry(CheckPlan(protected=text)) for text in protected]
    ready.state.selected = 1
    ready.go("Report").click("report_remove_0")
    assert [entry.plan.protected for entry in ready.state.checks] == [*protected[1:]]
    assert ready.state.check.protected == protected[1]


def test_ticks_of_one_audit_say_nothing_of_the_next(ready):
    ready.state.left_out = {"errors", "inspections"}
    ready.state.open_plan(ready.state.plan())
    assert not ready.state.left_out


def test_a_search_goes_into_the_report_where_its_measure_goes_with_the_decision(ready):
    ready.state.subgroups = [SubgroupsPlan(measure="mean"), SubgroupsPlan(measure="fpr"), SubgroupsPlan()]
    assert ready.state.plan().subgroups == (SubgroupsPlan(),)
    ready.state.prediction = ready.state.decision
    assert [search.measure for search in ready.state.plan().subgroups] == ["fpr", None]
    ready.state.decision = OutcomePlan(column="age", amount=True, higher_is_favorable=True)
    assert [search.measure for search in ready.state.plan().subgroups] == ["mean", None]


def test_question_that_cannot_be_answered_does_not_end_the_page(ready):
    ready.state.change_check(where="age > 1000")
    ready.go("Report")
    assert has(ready, "report_make")
    ready.click("report_make")
    assert len(ready.error) == 1
    assert ready.state.made is None


@pytest.fixture
def loans(app, quick_pdf):
    """The app with data, a question, what models learn from, and two remedies that are kept and not fitted."""
    app.go("")
    state, plan = app.state, loans_plan()
    state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    state.decision, state.protected_columns, state.score = plan.decision, ("sex",), plan.score
    state.change_check(protected="sex = 'woman'", protected_name="women")
    state.models, state.seed = plan.models, plan.seed
    state.keep(SCORE), state.keep(BY_MODEL)
    return app.go("Report")


def _made_anew(state) -> dict:
    """What a run of the report's plan gives that knows of no fit."""
    return json.loads(to_json(run(AuditPlan.from_toml(state.made.contents["plan.toml"].decode()), table=state.table)))


def test_remedies_are_listed_with_ticks_that_agree_with_their_pages(loans):
    assert "fairness weight 0.5" in loans.text and len(shown("report-page-not-made").findall(loans.text)) == 2
    loans.set("checkbox", "report_remedy_in_0", False)
    assert loans.state.plan().remedies == (BY_MODEL,)
    remedies.start_fit(loans.state, Study.of(loans.state.table, loans.state.plan()), SCORE)
    finish(loans).go("Thresholds")
    assert loans.checkbox(key=remedies.tick_key(SCORE)).value is False
    loans.set("checkbox", remedies.tick_key(SCORE), True).go("Report")
    assert loans.checkbox(key="report_remedy_in_0").value is True
    # What it changed stands in place of what it lacks.
    assert len(shown("report-page-not-made").findall(loans.text)) == 1
    assert say(said_of(loans, "thresholds").headline) in loans.text


def lacking(n: int) -> str:
    return say(Message("report-page-lacking", {"n": Count(n)}))


def test_remedies_that_are_not_made_yet_can_be_left_out(loans):
    loans.click("report_leave_out")
    assert not any(entry.in_report for entry in loans.state.remedies) and not has(loans, "report_leave_out")
    loans.click("report_make").assert_refuses_nothing()
    assert loans.state.made is not None


def test_while_remedies_are_made_the_page_says_so_and_they_can_still_be_left_out(loans):
    making = say(Message("report-page-making"))
    assert making not in loans.text
    loans.click("report_make")
    assert making in loans.text and not has(loans, "report_make")
    loans.click("report_make_without")
    finish(loans).assert_refuses_nothing()
    assert loans.state.made is not None and not any(entry.in_report for entry in loans.state.remedies)
    assert making not in loans.text and has(loans, "report_make")
    assert json.loads(loans.state.made.contents["result.json"])["remedies"] is None


def test_remedies_that_are_not_fitted_are_fitted_before_the_report_is_made(loans):
    assert lacking(2) in loans.text
    kept, loans.state.remedies = loans.state.remedies, []
    assert lacking(2) not in loans.run().text
    loans.state.remedies = kept
    loans.run()
    loans.click("report_make")
    assert loans.state.made is None and loans.state.jobs.all
    finish(loans).assert_refuses_nothing()
    assert lacking(2) not in loans.text
    found = json.loads(loans.state.made.contents["result.json"])
    assert len(found["remedies"]["remedies"]) == 2
    assert found == _made_anew(loans.state)
    assert [entry.plan for entry in loans.state.remedies] == [SCORE, BY_MODEL], "the list is as it was"


def test_report_fits_nothing_that_is_fitted_and_has_the_numbers_of_a_run_from_its_plan(loans, monkeypatch):
    state = loans.state
    state.remedies = [RemedyEntry(plan) for plan in (SCORE, BY_MODEL, PLAIN, EQUALIZE, RELABEL)]
    study = Study.of(state.table, state.plan())
    for entry in state.remedies:
        remedies.start_fit(state, study, entry.plan)
    finish(loans)
    assert not has(loans, "report_leave_out")

    def fail(*_, **__):
        raise AssertionError("a remedy was fitted again")

    with monkeypatch.context() as patched:
        patched.setattr("fairaudit.audit.trying.iter_remedy", fail)
        loans.click("report_make").assert_refuses_nothing()
    assert json.loads(state.made.contents["result.json"]) == _made_anew(state)


def test_audit_with_remedies_alone_can_be_reported(loans):
    loans.state.remedies = [RemedyEntry(SCORE)]
    loans.set("checkbox", "report_in_0_1", False)
    assert "Nothing is chosen" not in loans.text
    loans.click("report_make")
    finish(loans).assert_refuses_nothing()
    found = json.loads(loans.state.made.contents["result.json"])
    assert found["checks"] == [] and len(found["remedies"]["remedies"]) == 1
    loans.set("checkbox", "report_remedy_in_0", False)
    assert "Nothing is chosen" in loans.text


def test_remedy_of_other_settings_is_fitted_again(loans):
    loans.state.remedies = [RemedyEntry(SCORE)]
    loans.click("report_make")
    first = json.loads(finish(loans).state.made.contents["result.json"])["remedies"]
    loans.state.seed += 1
    loans.run()
    assert "Out of date" in loans.text and lacking(1) in loans.text and _outdated(loans)
    loans.click("report_make")
    assert json.loads(finish(loans).state.made.contents["result.json"])["remedies"] != first
    assert json.loads(loans.state.made.contents["result.json"]) == _made_anew(loans.state)


@pytest.mark.parametrize("plan", [PERCEPTRON, SWARM], ids=lambda plan: plan.method)
def test_stopped_fit_is_not_what_is_reported(loans, plan):
    state = loans.state
    state.remedies = [RemedyEntry(plan)]
    study = Study.of(state.table, state.plan())
    events, command = iter_remedy(study, plan), None
    # A person stops after some steps.
    while not isinstance(event := events.send(command), Finished):
        command = STOP if isinstance(event, Progress) and event.done else None
    state.fitted[plan_key(plan)] = Fitted(event.result, state.study_key, study.facts)
    loans.run()
    assert shows(loans.text, "report-page-unended") and lacking(1) in loans.text
    finish(loans.click("report_make")).assert_refuses_nothing()
    assert json.loads(state.made.contents["result.json"]) == _made_anew(state)


def test_stop_while_fitting_for_the_report_leaves_it_unmade(loans, monkeypatch):
    loans.state.remedies = [RemedyEntry(EQUALIZE)]
    monkeypatch.setattr("ui.runtime.jobs.Job.run", _stopped_at_once(Job.run))
    finish(loans.click("report_make"))
    assert loans.state.made is None and say(Message("report-page-stopped")) in loans.warnings


def _stopped_at_once(go):
    def run_stopped(job, *given):
        job.stop()
        go(job, *given)

    return run_stopped


def test_remedy_that_cannot_be_fitted_is_named_and_the_report_not_made(loans):
    wrong = ThresholdsPlan(model="score", search="chosen", thresholds=(("nobody", 0.5),))
    loans.state.remedies = [RemedyEntry(wrong)]
    finish(loans.click("report_make"))
    assert loans.state.made is None
    assert "nobody" in loans.errors and say(Message("report-page-stopped")) in loans.warnings
    # Without it, there is a report.
    loans.set("checkbox", "report_remedy_in_0", False).click("report_make")
    assert loans.state.made is not None


def test_settings_that_change_meanwhile_leave_the_report_unmade(loans):
    loans.click("report_make")
    loans.state.report = loans.state.report.model_copy(update={"quality": False})
    finish(loans.go("Check")).go("Report")
    assert loans.state.made is None and shows(loans.text, "report-page-changed-asked")


def test_removed_remedy_is_no_longer_listed(loans):
    loans.click("report_remedy_remove_0")
    assert [entry.plan for entry in loans.state.remedies] == [BY_MODEL]
    assert "the score in the data" not in loans.text


def test_remedies_without_columns_to_learn_from_are_said_to_be_left_out(loans):
    loans.state.models = None
    loans.run()
    assert shows(loans.warnings, "report-page-no-columns")
    assert "Retrain" in {link.proto.page for link in loans.get("page_link")}
    loans.click("report_make").assert_refuses_nothing()
    assert json.loads(loans.state.made.contents["result.json"])["remedies"] is None


def test_a_report_for_everyone_affected_hides_small_counts(ready):
    ready.go("Report")
    assert not ready.state.small_cells.mask
    ready.set("segmented_control", "report_whom", "everyone")
    assert ready.state.small_cells.mask and ready.checkbox(key="report_mask").value


def test_a_report_is_about_the_question_that_was_asked_first_until_another_is_named(ready):
    ready.state.subgroups = [SubgroupsPlan()]
    app = ready.go("Report")
    plan = app.state.plan(fingerprint=False)
    assert plan.opens_with == "checks" and plan.asking_parts == ("subgroups", "checks")
    [asked] = [field for field in app.get("text_input") if field.key == "report_title"]
    assert asked.placeholder == say_asked(finding_of(app.state, app.state.entry))
    app.set("selectbox", "report_opens_subgroups_checks", "subgroups")
    assert app.state.plan(fingerprint=False).opens_with == "subgroups"
    # A saved audit goes on to be about what it was about, whatever is asked besides.
    app.state.open_plan(app.state.plan(fingerprint=False))
    app.state.presets, app.state.explanations = [], []
    assert app.state.plan(fingerprint=False).opens_with == "subgroups"


def test_a_saved_audit_of_a_check_opens_with_it_after_a_search(app):
    app.hold_sample("loans")
    before = app.state.plan(fingerprint=False)
    assert before.report.opens_with is None
    app.state.subgroups = [SubgroupsPlan()]
    assert app.state.plan(fingerprint=False).report.opens_with == "checks"
