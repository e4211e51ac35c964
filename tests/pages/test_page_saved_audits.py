"""A saved audit opens with its data, before them, or beside others; and no session sees another's."""

from __future__ import annotations

import pytest

from fairaudit import AuditPlan


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


@pytest.mark.parametrize("page", ["", "Data", "Check"])
def test_other_data_are_said_clearly(app, decisions, saved, page):
    other = decisions.replace(b"White", b"Green", 1)
    app.upload("decisions.csv", other).open_audit(saved)
    if page:
        app.go(page)
    assert "not those the plan was saved with" in app.warnings
    assert "other content in the cells" in app.warnings


def test_other_data_brought_after_the_audit_are_said_and_the_right_ones_end_it(another_app, saved, decisions, csv):
    app = another_app.open_audit(saved)
    app.upload("wrong.csv", csv(sex=["F", "M"] * 40, x=[1, 2] * 40))
    assert "not those the plan was saved with" in app.warnings and "did not fit" in app.warnings
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
    assert "Say who is protected" in another_app.text
