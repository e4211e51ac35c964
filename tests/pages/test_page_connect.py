"""A table that stays in its database: connected from the page Data, asked by every page, and lost without harm."""

from __future__ import annotations

import io
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from one_picture import PICTURE
from shown import shows

from fairaudit.columns import WideCounts
from fairaudit.data.engines.answers import EngineAnswers
from fairaudit.errors import ConnectError, StoppedError
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.remedy.learned_rows import sample_sentence
from ui.frame import saved_audit
from ui.runtime import questions

pytestmark = pytest.mark.campaign

PATIENCE_S = 20
SECRET = "hunter2-of-the-tests"


class Database:
    """An SQLite file that a test changes behind the app's back."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, frame: pd.DataFrame, name: str = "decisions") -> None:
        with sqlite3.connect(self.path) as connection:
            frame.to_sql(name, connection, index=False, if_exists="replace")
        connection.close()

    def execute(self, statement: str) -> None:
        with sqlite3.connect(self.path) as connection:
            connection.execute(statement)
        connection.close()


@pytest.fixture
def frame(decisions) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(decisions))


@pytest.fixture
def named(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Return a function that writes the administrator's file."""

    def write(text: str) -> None:
        path = tmp_path / "connections.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("FAIRAUDIT_CONNECTIONS", str(path))

    return write


@pytest.fixture
def database(tmp_path, named, frame) -> Database:
    """A database with one table, named "office" by the administrator."""
    database = Database(tmp_path / "office.sqlite")
    database.write(frame)
    named(f'[connections.office]\nurl = "sqlite:///{database.path}"\n')
    return database


@pytest.fixture
def connected(app, database):
    """The app on the table in the database, where ``y`` is good and women are protected."""
    come(app).click("data_connect").assert_refuses_nothing()
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.change_check(protected="sex = 'F'")
    return app.go("Groups")


def come(app):
    """Choose the database on the page Data."""
    return app.go("Data").set("segmented_control", "data_way", "From a database")


def test_databases_are_offered_only_where_an_administrator_named_them(app, monkeypatch):
    monkeypatch.delenv("FAIRAUDIT_CONNECTIONS", raising=False)
    app.go("Data")
    assert "From a database" not in app.segmented_control(key="data_way").options


def test_table_is_connected_previewed_and_judged_like_the_same_rows_from_a_file(connected, another_app, decisions):
    assert connected.state.table.is_connected and connected.state.content is None
    data = connected.go("Data")
    assert "table decisions in the database office (SQLite)" in data.text
    assert "The rows stay there" in data.text and "is weaker" in data.text
    assert len(data.dataframe[0].value) == 100
    file = another_app.upload("decisions.csv", decisions)
    file.state.decision = OutcomePlan(column="ok", favorable=("y",))
    file.state.change_check(protected="sex = 'F'", where="age >= 25")
    connected.state.change_check(where="age >= 25")
    assert connected.go("Check").verdict == file.go("Check").verdict
    connected.assert_refuses_nothing()


def test_roles_and_filters_are_chosen_as_with_a_file(app, database):
    come(app).click("data_connect")
    app.decide("ok", "y").go("Groups").set("text_input", "groups_where", "race = 'Black'")
    assert "80 of 200 cases" in app.text
    app.protect("sex = 'F'").go("Check").assert_refuses_nothing()
    assert app.state.plan().data.connection == "office" and app.state.plan().data.table == "decisions"


def test_columns_of_counts_are_chosen_under_more_as_with_a_file(app, database):
    people = [20 + i * 7 % 50 for i in range(60)]
    rows = pd.DataFrame({"area": ["n", "s"] * 30, "got": [each // 2 for each in people], "asked": people})
    database.write(rows)
    come(app).click("data_connect").click("data_counts_begin")
    for field, column in (("some", "got"), ("second", "asked")):
        app.set("selectbox", app.data_key(f"counts_{field}"), column)
    app.click("data_counts_are_all").assert_refuses_nothing()
    assert app.state.table.is_connected and app.state.table.n_rows == sum(people)
    assert app.state.decision.column == "got" and app.state.plan().data.counts == WideCounts("got", all="asked")
    app.protect("area = 'n'").go("Check").assert_refuses_nothing()
    assert app.verdict


def test_one_select_is_connected_and_shown(app, database):
    come(app).set("text_area", "data_query_office", "SELECT sex, ok FROM decisions WHERE race = 'White'")
    app.click("data_connect_query").assert_refuses_nothing()
    assert list(app.state.table.columns) == ["sex", "ok"] and app.state.table.n_rows == 120
    assert any("WHERE race = 'White'" in code.value for code in app.code)


@pytest.mark.parametrize(
    "query", ["SELECT 1 AS a; SELECT 2 AS a", "DELETE FROM decisions", "SELECT * FROM nowhere", "SELECT FROM WHERE"]
)
def test_query_that_does_not_read_one_table_is_refused_and_the_present_one_stays(connected, query):
    come(connected).set("text_area", "data_query_office", query).click("data_connect_query")
    assert len(connected.error) == 1 and connected.state.table.n_rows == 200
    assert "Still in use" in connected.text


def test_duckdb_file_is_connected(app, named, tmp_path, frame):
    with duckdb.connect(str(tmp_path / "office.duckdb")) as connection:
        connection.execute("CREATE TABLE decisions AS SELECT * FROM frame")
    named(f'[connections.office]\nurl = "duckdb:///{tmp_path / "office.duckdb"}"\n')
    come(app).click("data_connect").assert_refuses_nothing()
    assert "(DuckDB)" in app.text and app.state.table.n_rows == len(frame)


def test_connections_of_streamlits_secrets_are_offered(app, tmp_path, frame, monkeypatch):
    monkeypatch.delenv("FAIRAUDIT_CONNECTIONS", raising=False)
    Database(tmp_path / "held.sqlite").write(frame)
    app.test.secrets["connections"] = {"held": {"url": f"sqlite:///{tmp_path / 'held.sqlite'}"}}
    come(app).click("data_connect").assert_refuses_nothing()
    assert app.state.table.connection.connection == "held"


@pytest.mark.parametrize(
    "text, said",
    [
        (f'[connections.office]\nurl = "postgresql://auditor:{SECRET}@db/x"\n', "holds a password"),
        (
            '[connections.office]\nurl = "postgresql://db/x"\npassword = "OFFICE_PASSWORD"\n',
            "'password' of connection 'office' names",
        ),
        ('[connections.office]\nurl = "sqlite:////nowhere/at/all.sqlite"\n', "no SQLite file"),
        ("[connections", "not valid TOML"),
    ],
)
def test_what_the_administrator_wrote_wrongly_is_a_sentence_without_the_secret(app, named, text, said):
    named(text)
    come(app)
    if app.get("button") and any(b.key == "data_connect" for b in app.button):
        assert app.button(key="data_connect").disabled
    assert said in app.errors and SECRET not in app.text + app.errors and "nowhere" not in app.errors


def test_table_gone_between_two_pages_is_a_sentence_and_nothing_is_lost(connected, database, frame):
    database.execute("ALTER TABLE decisions RENAME TO moved")
    connected.go("Check")
    assert len(connected.error) == 1 and "not there" in connected.errors, connected.text
    database.execute("ALTER TABLE moved RENAME TO decisions")
    connected.click("question_again").assert_refuses_nothing()
    assert "50%" in connected.verdict and connected.state.check.protected == "sex = 'F'"


@pytest.mark.parametrize("page", ["Data", "Groups", "Check", "Errors", "Retrain", "Report"])
def test_column_renamed_is_a_sentence_on_every_page(connected, database, page):
    database.execute("ALTER TABLE decisions RENAME COLUMN sex TO gender")
    connected.state.prediction = OutcomePlan(column="said", favorable=("y",))
    connected.go(page)
    if connected.error:
        assert "renamed or removed" in connected.errors, connected.errors
    assert connected.state.decision is not None and connected.state.check.protected == "sex = 'F'"
    connected.go("Data").click("data_look_again")
    assert "sex" not in connected.state.table.columns and "gender" in connected.state.table.columns


def test_database_that_cannot_be_asked_takes_no_choice_away(connected, monkeypatch):
    def refuse(*_):
        raise ConnectError("The database cannot be reached.")

    monkeypatch.setattr(EngineAnswers, "frame", refuse)
    monkeypatch.setattr(EngineAnswers, "row", refuse)
    connected.state.memo.clear()
    for page in ("Data", "Groups", "Check", "Report"):
        connected.go(page)
        assert "cannot be reached" in connected.errors + connected.text
    assert connected.state.decision.column == "ok" and connected.state.plan(fingerprint=False) is not None


def test_filter_that_could_not_be_counted_is_said_not_to_be_in_use(connected, monkeypatch):
    def refuse(*_):
        raise ConnectError("The database cannot be reached.")

    connected.set("text_input", "groups_where", "age >= 25")
    with monkeypatch.context() as patch:
        patch.setattr(EngineAnswers, "frame", refuse)
        patch.setattr(EngineAnswers, "row", refuse)
        connected.set("text_input", "groups_where", "age >= 40")
        assert shows(connected.warnings, "groups-filter-uncounted")
        assert "Still in use: age >= 25." in connected.text and "cannot be reached" in connected.errors
    assert connected.state.check.where == "age >= 25"
    connected.click("question_again").assert_refuses_nothing()
    assert connected.state.check.where == "age >= 40" and not connected.warnings


def test_page_that_is_drawn_again_asks_nothing_again(connected, monkeypatch):
    asked = []
    for name in ("frame", "row", "fingerprint"):
        answer = getattr(EngineAnswers, name)
        monkeypatch.setattr(
            EngineAnswers, name, lambda *question, answer=answer: (asked.append(question), answer(*question))[1]
        )
    connected.state.prediction = OutcomePlan(column="said", favorable=("y",))
    for page in ("Data", "Groups", "Check", "Errors", "Retrain", "Report"):
        connected.go(page)
        asked.clear()
        connected.run()
        assert not asked, page


@pytest.fixture
def impatient(monkeypatch):
    """Show every wait at once."""
    monkeypatch.setattr(questions, "PATIENCE_S", 0.0)
    monkeypatch.setattr(questions, "LOOK_S", 0.01)


class SlowEngine:
    """An engine that answers when the test lets it, or is cancelled."""

    def __init__(self, monkeypatch) -> None:
        self.asked, self.go_on, self.cancelled = threading.Event(), threading.Event(), threading.Event()
        answer = EngineAnswers.frame

        def frame(answers, *question):
            self.asked.set()
            assert self.go_on.wait(PATIENCE_S)
            if self.cancelled.is_set():
                raise StoppedError("The question was cancelled.")
            return answer(answers, *question)

        def cancel(answers) -> None:
            self.cancelled.set()
            self.go_on.set()

        monkeypatch.setattr(EngineAnswers, "frame", frame)
        monkeypatch.setattr(EngineAnswers, "cancel", cancel)


def test_slow_question_is_waited_for_and_leaves_no_trace(connected, impatient, monkeypatch):
    engine = SlowEngine(monkeypatch)
    drawn = []

    def note(waiting, waited_s: float) -> None:
        drawn.append(waited_s)
        engine.go_on.set()

    monkeypatch.setattr(questions.Waiting, "show", note)
    connected.go("Check").assert_refuses_nothing()
    assert drawn and "50%" in connected.verdict
    assert "Asking the database" not in connected.text


def test_stopped_question_is_cancelled_in_the_engine_and_can_be_asked_again(connected, impatient, monkeypatch):
    engine = SlowEngine(monkeypatch)
    monkeypatch.setattr(questions.Waiting, "show", lambda waiting, waited_s: connected.state.asking.stop())
    connected.state.memo.clear()
    connected.go("Check")
    assert engine.cancelled.wait(PATIENCE_S)
    assert shows(connected.text, "page-question-stopped")
    engine.cancelled.clear()
    # What is asked again is waited for, however slow the machine is.
    monkeypatch.setattr(questions, "PATIENCE_S", PATIENCE_S)
    # The page that the button draws asks nothing; the test pressed it while the page before was still being drawn.
    assert shows(connected.run().text, "page-question-stopped")
    connected.click("question_again").assert_refuses_nothing()
    assert "50%" in connected.verdict


def test_remedies_learn_from_a_sample_that_is_drawn_once_and_shown(connected, monkeypatch):
    drawn = []
    monkeypatch.setattr("fairaudit.data.engines.table.draw_sample", _counting(drawn, "fairaudit.data.engines.table"))
    connected.go("Retrain").set("number_input", "models_sample", 150).click("models_take")
    connected.assert_refuses_nothing()
    assert connected.state.models.sample_rows == 150
    assert sample_sentence(connected.state.study[1].facts.sample) in connected.text
    connected.go("Thresholds").assert_refuses_nothing()
    assert drawn == [150]


def _counting(drawn: list[int], module: str):
    from importlib import import_module

    draw = import_module(module).draw_sample

    def count(table, answer, n, **how):
        drawn.append(n)
        return draw(table, answer, n, **how)

    return count


def test_saved_audit_connects_by_itself_where_its_database_is_named(connected, another_app):
    app = another_app.open_audit(connected.state.plan().to_toml())
    app.assert_refuses_nothing()
    assert app.state.table.is_connected and app.state.mismatch is None and "The audit is open." in app.text
    assert app.go("Check").verdict == connected.go("Check").verdict


def test_saved_audit_whose_database_is_not_named_here_says_so(connected, another_app, named):
    text = connected.state.plan().to_toml()
    named('[connections.other]\nurl = "sqlite:////nowhere.sqlite"\n')
    app = another_app.open_audit(text)
    assert app.state.table is None and "knows no database named 'office'" in app.text
    assert "the table decisions in the database office" in app.text


def test_saved_audit_of_rows_that_have_changed_says_so(connected, another_app, database):
    text = connected.state.plan().to_toml()
    database.execute("DELETE FROM decisions WHERE rowid < 5")
    app = another_app.open_audit(text)
    assert "196 rows instead of 200" in app.warnings
    assert "The audit is open." in app.text and "bring its data" not in app.text
    assert "home_connect" not in [button.key for button in app.button]


def test_audit_is_saved_while_the_database_does_not_answer(connected, monkeypatch):
    monkeypatch.setattr(EngineAnswers, "fingerprint", lambda *_: (_ for _ in ()).throw(ConnectError("Away.")))
    text = saved_audit(connected.state)
    assert "fingerprint" not in text and 'table = "decisions"' in text


def test_report_of_a_connected_table_is_made_and_shows_the_connection(connected, monkeypatch):
    monkeypatch.setattr("fairaudit.report.composing.to_pdf", lambda document: b"%PDF")
    monkeypatch.setattr("ui.report.files.to_picture", lambda document: PICTURE)
    connected.go("Report").click("report_make").assert_refuses_nothing()
    assert 'connection = "office"' in connected.state.made.contents["plan.toml"].decode()
    assert "FAIRAUDIT_CONNECTIONS" in connected.text


def test_codes_of_a_table_that_stays_are_named_and_taken_back_as_those_of_a_file(app, database):
    frame = pd.DataFrame({"sex": [1, 2] * 60, "ok": ["y", "n", "y"] * 40})
    database.write(frame)
    come(app).click("data_connect").assert_refuses_nothing()
    app.decide("ok", "y")
    app.state.change_check(protected="sex = 2")
    app.go("Data")
    app.click("data_codes_name")
    for field in app.text_input:
        if field.key.startswith("data_asked_codes_"):
            field.set_value({"1": "man", "2": "woman"}[field.label.split(" ")[0]])
    next(each for each in app.button if each.label == "Use these labels").click().run()
    assert not app.exception and app.state.table.is_connected
    assert app.state.plan().data.labels == {"sex": {"1": "man", "2": "woman"}}
    assert app.state.table.count("sex = 'woman'") == app.state.table.count(app.state.check.protected) == 60
    next(each for each in app.selectbox if each.key.startswith("data_codes_column_")).set_value("sex").run()
    next(each for each in app.button if each.label == "Undo: show the codes again").click().run()
    assert not app.exception and app.state.table.columns["sex"].kind == "number"
    app.click("data_codes_unnamed")
    assert not app.exception and app.state.plan().data.reading.codes == ("sex",)
    assert app.state.table.columns["sex"].kind == "text" and app.state.table.count("sex = 2") == 60
