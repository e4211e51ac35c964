"""A saved audit opens with its data, before them, or beside others; and no session sees another's."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from places import SAMPLES
from shown import shows
from sweeps import part_of

from fairaudit import AuditPlan, read_table, run
from fairaudit.data import ReadOptions
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from ui.frame import saved_audit

pytestmark = pytest.mark.campaign


@pytest.fixture
def saved(ready) -> str:
    """An audit saved from a session."""
    ready.go("Groups").set("text_input", "groups_where", "age >= 25")
    ready.go("Check").set("slider", "check_tolerance_0", 10.0)
    return ready.state.plan().to_toml()


def test_saved_audit_waits_for_its_data(another_app, saved, decisions):
    app = another_app.open_audit(saved)
    assert "Now bring its data: decisions.csv" in app.text
    for page in ("Data", "Groups", "Check", "Errors", "Report"):
        app.go(page).assert_refuses_nothing()
    app.upload("moved.csv", decisions)
    assert app.state.mismatch is None and app.state.plan().digest == _with_source(saved, "moved.csv")
    assert app.go("Check").state.check.where == "age >= 25"
    assert app.slider(key="check_tolerance_0").value == 10.0


def _with_source(toml: str, source: str) -> str:
    plan = AuditPlan.from_toml(toml)
    return plan.model_copy(update={"data": plan.data.model_copy(update={"source": source})}).digest


def test_saved_audit_opens_over_its_own_data(app, decisions, saved):
    app.upload("decisions.csv", decisions).open_audit(saved)
    assert app.state.mismatch is None and "The audit is open." in app.text
    assert app.go("Check").state.check.tolerance == 0.1
    assert not app.warnings or "not those" not in app.warnings


def test_saved_audit_reads_the_data_as_they_were_read(app, another_app):
    content = b"sex,ok\n" + b"F,y\nM,n\n?,y\n" * 20
    app.upload("t.csv", content)
    app.multiselect(key=app.data_key("missing")).set_value(["?"])
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    app.run()
    app.decide("ok", "y").protect("sex = 'F'")
    another_app.open_audit(app.state.plan().to_toml()).upload("t.csv", content)
    assert another_app.state.mismatch is None
    assert another_app.state.table.count("sex IS NULL") == 20


def _two_sheets(path: Path) -> bytes:
    book = openpyxl.Workbook()
    rows = [("sex", "ok"), *[("F", "y"), ("M", "n")] * 20]
    for sheet, share in ((book.active, 10), (book.create_sheet("Later"), 30)):
        for row in [*rows, *[("M", "y")] * share]:
            sheet.append(row)
    book.save(path)
    return path.read_bytes()


TEXT = b"sex,ok\n" + b"F,y\nM,n\n?,y\n" * 20
KINDS = {
    "missing texts": ("t.csv", lambda folder: TEXT, ReadOptions(missing=("?",)), "mean 'missing': '?'"),
    "delimiter": (
        "t.csv",
        lambda folder: b"sex;a,ok\n" + b"F;1,y\nM;2,n\n" * 20,
        ReadOptions(delimiter=",", header=True),
        "between cells: comma",
    ),
    "encoding": (
        "t.csv",
        lambda folder: b"sex,ok\n" + "Fé,y\nM,n\n".encode() * 20,
        ReadOptions(encoding="latin-1"),
        "encoding: latin-1",
    ),
    "sheet": ("t.xlsx", lambda folder: _two_sheets(folder / "t.xlsx"), ReadOptions(sheet="Later"), "sheet 'Later'"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", part_of(["plan first", "file first", "twice", "after another file"], ["file first"]))
def test_file_of_a_saved_audit_is_read_as_it_says_in_whatever_order_they_come(app, csv, tmp_path, kind, order):
    name, write, options, shown = KINDS[kind]
    content = write(tmp_path)
    table = read_table(content, options=options)
    assert table.fingerprint != read_table(content).fingerprint, "detection reads it in another way"
    plan = AuditPlan(
        data=DataPlan(source=name),
        decision=OutcomePlan(column="ok", favorable=("y",)),
        checks=(CheckPlan(protected="ok = 'y'"),),
    )
    text = record_data(plan, table).to_toml()
    if order == "file first":
        app.upload(name, content)
        assert app.state.table.fingerprint != table.fingerprint
    app.open_audit(text)
    if order == "file first":
        assert shown in app.text and "not those" not in app.warnings
    else:
        app.upload(name, content)
    if order == "twice":
        app.upload(f"again_{name}", content)
    elif order == "after another file":
        app.upload("other.csv", csv(sex=["F", "M"] * 40, ok=["y", "n"] * 40))
        assert app.state.table.n_rows == 80 and shown not in app.text
        app.upload(name, content)
    app.go("Data")
    assert app.state.table.fingerprint == table.fingerprint
    assert shows(app.text, "data-read-as-saved-how") and shown in app.text
    assert app.state.mismatch is None
    if order != "after another file":
        assert app.state.check.protected == plan.checks[0].protected and not app.state.dropped


def test_sample_of_a_saved_audit_is_read_alike_when_it_is_uploaded_too(app):
    app.open_audit((SAMPLES / "loans.toml").read_text(encoding="utf-8"))
    assert shows(app.text, "data-read-as-saved-how")
    before = app.state.table.fingerprint
    app.state.change_check(tolerance=0.1)
    content = (SAMPLES / "loans.csv").read_bytes()
    app.upload("my_loans.csv", content)
    assert app.state.table.fingerprint == before
    assert app.state.table.columns["credit_history_years"].kind == "number"
    assert "texts that mean 'missing': '?'" in app.text and app.state.mismatch is None
    assert app.state.check.tolerance == 0.1, "what was changed since the audit was opened stays"
    assert app.state.check.title == "All applications" and app.state.report.title is not None
    app.upload("other.csv", content.replace(b"Capital", b"Kapital", 1))
    assert app.state.table.columns["credit_history_years"].kind == "text"
    assert not shows(app.text, "data-read-as-saved-how")


def test_audit_without_a_fingerprint_knows_its_file_again_once_that_has_come(app):
    text = (SAMPLES / "loans.toml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("fingerprint")]
    app.open_audit("\n".join(lines)).upload("loans.csv", (SAMPLES / "loans.csv").read_bytes())
    assert app.state.table.columns["credit_history_years"].kind == "number"


@pytest.mark.parametrize("page", part_of(["", "Data", "Check"], ["Check"]))
def test_other_data_are_said_clearly(app, decisions, saved, page):
    other = decisions.replace(b"White", b"Green", 1)
    app.upload("decisions.csv", other).open_audit(saved)
    if page:
        app.go(page)
    assert shows(app.warnings, "differs-data")
    assert shows(app.warnings, "differs-cells")


def test_other_data_brought_after_the_audit_are_said_and_the_right_ones_end_it(another_app, saved, decisions, csv):
    app = another_app.open_audit(saved)
    app.upload("wrong.csv", csv(sex=["F", "M"] * 40, x=[1, 2] * 40))
    assert shows(app.warnings, "front-other-table", awaited="decisions.csv")
    assert app.state.dropped
    for page in ("Groups", "Check", "Errors", "Report"):
        app.go(page)
    app.upload("decisions.csv", decisions)
    assert app.state.mismatch is None and not app.state.dropped
    assert app.state.decision.column == "ok"
    app.go("Check").assert_refuses_nothing()


def test_new_data_of_a_person_who_has_moved_on_are_no_mismatch(app, decisions, saved, csv):
    app.upload("decisions.csv", decisions).open_audit(saved)
    app.upload("mine.csv", csv(sex=["F", "M"] * 40, ok=["y", "n"] * 40))
    assert app.state.mismatch is None


def test_sample_comes_with_its_saved_audit(app):
    app.sample("loans")
    text = app.state.plan().to_toml()
    other = type(app)().open_audit(text)
    assert other.state.table is not None and other.state.mismatch is None
    other.go("Check").assert_refuses_nothing()


@pytest.mark.parametrize(
    "text", ["", "not toml [", "schema_version = 99", 'a = 1\n[data]\nsource = "x.csv"', "\x00\xff"]
)
def test_file_that_is_no_audit_is_refused_and_the_present_one_stays(ready, text):
    ready.open_audit(text)
    assert len(ready.error) == 1, ready.text
    assert ready.state.check.protected == "sex = 'F'" and ready.state.opened_plan is None
    ready.go("Check").assert_refuses_nothing()


def test_audit_cannot_name_a_file_of_the_server(another_app, saved):
    app = another_app
    app.open_audit(saved.replace("decisions.csv", "/etc/passwd"))
    assert app.state.table is None
    app.open_audit(saved.replace("decisions.csv", "../sample_data/loans.toml"))
    assert app.state.table is None


def test_sessions_share_nothing(ready, another_app, csv):
    another_app.upload("theirs.csv", csv(sex=["F", "M"] * 40, ok=["a", "b"] * 40)).decide("ok", "a")
    assert another_app.state is not ready.state
    assert ready.state.table.name == "decisions" and ready.state.decision.favorable == ("y",)
    assert another_app.state.check.protected == ""
    ready.go("Check")
    another_app.go("Check")
    assert "decisions" in ready.text and "decisions" not in another_app.text
    assert shows(another_app.text, "page-needs-protected")


def test_what_is_not_in_the_saved_audit_is_said_beside_its_button(app):
    app.hold_sample("loans").go("Check")
    assert "Saving leaves out" not in app.text
    app.set("checkbox", "check_in_report_0", False).go("Check")
    assert "Saving leaves out 1 question:" in app.text
    app.state.keep(ThresholdsPlan())
    app.state.models = ModelsPlan(features=("income",), protected="sex = 'woman'")
    app.state.remedies[0].in_report = False
    app.go("Check")
    assert "Saving leaves out 1 question and 1 remedy:" in app.text


def test_work_counts_as_unsaved_until_it_is_saved(ready):
    assert ready.state.is_unsaved
    saved_audit(ready.state)
    assert not ready.state.is_unsaved
    ready.state.change_check(where="age > 30")
    assert ready.state.is_unsaved


def test_wrong_file_is_answered_with_one_sentence_that_names_the_right_one(another_app, saved):
    app = another_app.open_audit(saved)
    app.go("Data")
    assert shows(app.text, "data-awaited", awaited="decisions.csv")
    app.upload("other.csv", b"town,granted\na,yes\nb,no\n")
    assert len(app.warning) == 1 and "It has 200 rows" in app.warnings
    assert "to compare by" not in app.text


GRADES = [1, 0, 0, 2] * 100


@pytest.mark.parametrize(
    ("column", "said", "held"),
    [
        ("grade", ["1.0"], (1,)),
        ("grade", ["1", "2.00"], (1, 2)),
        ("held", ["True"], (True,)),
        ("held", [1], (True,)),
        ("code", [7], ("7",)),
        ("day", ["2024-1-5"], ("2024-01-05",)),
        ("many", [333], (333,)),
    ],
)
def test_a_saved_good_outcome_is_read_by_the_app_as_by_the_command_line(app, csv, column, said, held):
    n = range(400)
    columns = {
        "sex": ["F", "M"] * 200,
        "grade": GRADES,
        "held": ["true" if i % 3 else "false" for i in n],
        "code": ["7" if i % 3 else "x7" for i in n],
        "day": ["2024-01-05" if i % 3 else "2024-02-05" for i in n],
        "many": list(n),
    }
    app.upload("t.csv", csv(**columns))
    before = app.state.table
    plan = AuditPlan(
        data=DataPlan(source="t.csv", name=before.name),
        decision=OutcomePlan(column=column, favorable=tuple(said)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    answer = run(plan, table=before).checks[0].result
    app.open_audit(plan.to_toml())
    app.go("Data")
    assert app.state.decision.favorable == held and not app.state.dropped
    again = run(app.state.plan(), table=app.state.table).checks[0].result
    assert again.difference == answer.difference
