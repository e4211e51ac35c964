"""Connections that an administrator named, plans that name them, and the command line."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from json_schema import against_schema
from postgres_server import PASSWORD
from shown import shown, shows

from fairaudit import AuditPlan, run
from fairaudit.cli.main import main
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.named import (
    find_connection,
    list_tables,
    named_connections,
    open_connection,
    read_connections,
)
from fairaudit.errors import ConnectError, DataError, FingerprintError
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.data import open_data, record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.settings import CONNECTIONS


@pytest.fixture(scope="module", autouse=True)
def decisions(postgres):
    postgres.execute(
        "CREATE TABLE decisions AS SELECT i AS id, CASE WHEN i % 3 = 0 THEN 'F' ELSE 'M' END AS sex,"
        " CASE WHEN (i * 7919) % 11 < 5 + (i % 3) THEN 'yes' ELSE 'no' END AS granted, 20 + i % 40 AS age,"
        " (i * 31 % 1000) / 4.0 AS pay, '{}'::json AS notes FROM generate_series(1, 3000) AS i"
    )


@pytest.fixture
def named(postgres, tmp_path, monkeypatch) -> Path:
    path = tmp_path / "connections.toml"
    path.write_text(
        f'[connections.hr]\nurl = "postgresql://127.0.0.1:{postgres.port}/postgres"\nuser = "HR_USER"\n'
        'password = "HR_PASSWORD"\ntimeout = 30\n'
    )
    monkeypatch.setenv(CONNECTIONS.variable, str(path))
    monkeypatch.setenv("HR_USER", "owner")
    monkeypatch.setenv("HR_PASSWORD", PASSWORD)
    return path


def plan_of(**place) -> AuditPlan:
    return AuditPlan(
        data=DataPlan(source="connection:hr", connection="hr", **place),
        decision=OutcomePlan(column="granted", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'", where="age >= 25", strata=("sex",)),),
    )


def test_a_named_connection_is_opened_with_what_the_environment_holds(named):
    [found] = named_connections()
    assert (found.name, found.timeout, found.user, found.password) == ("hr", 30, "HR_USER", "HR_PASSWORD")
    table = open_connection(found, table="decisions")
    assert (table.n_rows, table.connection.connection, table.connection.table) == (3000, "hr", "decisions")
    assert "decisions" in list_tables(found)
    assert PASSWORD not in repr(found) + repr(table) + str(table.connection)


def test_the_tables_that_are_offered_can_be_listed(named):
    [found] = read_connections('[connections.hr]\nurl = "postgresql://x/y"\ntables = ["a.b", "c"]')
    assert list_tables(found) == ("a.b", "c")


def test_a_mapping_is_read_like_a_file(named):
    [found] = read_connections({"hr": {"url": "sqlite:///x.sqlite"}})
    assert (found.name, found.url) == ("hr", "sqlite:///x.sqlite")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[connections.a]\nurl = "postgresql://u:s3cret@h/d"', "holds a password"),
        ('[connections.a]\nurl = "postgresql://h/d?password=s3cret"', "holds a password"),
        ('[connections.a]\nurl = "postgresql://h/d?scram_client_key=s3cret"', "option that is not taken"),
        ('[connections.a]\nurl = "postgresql://h/d?oauth_client_secret=s3cret"', "option that is not taken"),
        ('[connections.a]\nurl = "postgresql://h/d?s3cret=x"', "(?s)option that is not taken.*sslmode"),
        ('[connections.a]\nurl = "postgresql://h/d?passfile=/s3cret"', "option that is not taken"),
        ('[connections.a]\nurl = "sqlite:///a?s3cret=1"', "(?s)option that is not taken.*without what stands after"),
        ('[connections.a]\nurl = "postgresql://h/d"\npassword = "s3cret-!"', "name of an environment variable"),
        ('[connections.a]\nurl = "mysql://s3cret@h/d"', "must start with"),
        ('[connections.a]\nurl = "s3cret"', "must start with"),
        ("[connections.a]\nurl = s3cret", "not valid TOML"),
        ('[connections.a]\nhost = "s3cret"', "needs a 'url'"),
        ('[connections.a]\nurl = "sqlite:///a"\nport = 3', "unknown field 'port'"),
        ('[connections.a]\nurl = "sqlite:///a"\ntimeout = 0', "'timeout'"),
        ('[connections.a]\nurl = "sqlite:///a"\ntables = "b"', "'tables'"),
        ("connections = 3", "must be tables"),
    ],
)
def test_a_file_of_connections_that_cannot_be_used_is_refused_without_being_shown(text, message):
    with pytest.raises(ConnectError, match=message) as caught:
        read_connections(text)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


@pytest.mark.parametrize("field", ["user", "password"])
def test_a_secret_that_was_written_in_place_of_its_variable_is_not_shown(field, monkeypatch):
    monkeypatch.delenv("hunter2", raising=False)
    [found] = read_connections({"hr": {"url": "postgresql://127.0.0.1:1/db", field: "hunter2"}})
    for ask in (list_tables, lambda named: open_connection(named, table="t")):
        with pytest.raises(ConnectError, match=f"that '{field}' of connection 'hr' names is not set") as caught:
            ask(found)
        assert "hunter2" not in str(caught.value) + repr(caught.value) + repr(found)


def test_options_that_hold_no_secret_are_taken():
    [found] = read_connections({"hr": {"url": "postgresql://h/d?sslmode=verify-full&options=-c%20search_path%3Da"}})
    assert found.url.endswith("search_path%3Da")


def test_what_is_missing_is_named(named, monkeypatch, tmp_path):
    with pytest.raises(ConnectError, match=r"(?s)no connection 'hrr'.*Did you mean 'hr'"):
        find_connection("hrr")
    monkeypatch.delenv("HR_PASSWORD")
    with pytest.raises(ConnectError, match="that 'password' of connection 'hr' names is not set"):
        open_connection(find_connection("hr"), table="decisions")
    monkeypatch.setenv(CONNECTIONS.variable, str(tmp_path / "none.toml"))
    with pytest.raises(ConnectError, match="cannot be read"):
        named_connections()
    monkeypatch.delenv(CONNECTIONS.variable)
    with pytest.raises(ConnectError, match=f"(?s)no connection 'hr'.*{CONNECTIONS.variable}"):
        find_connection("hr")


@pytest.mark.parametrize("place", [{"table": "decisions"}, {"query": "SELECT * FROM decisions WHERE age < 50"}])
def test_a_plan_on_a_connection_runs_and_comes_back_the_same(named, place):
    plan = plan_of(**place)
    recorded = record_data(plan, open_data(plan))
    assert AuditPlan.from_toml(recorded.to_toml()) == recorded
    assert recorded.data.source == "connection:hr"
    assert (recorded.data.table, recorded.data.query) == (place.get("table"), place.get("query"))
    result = run(recorded)
    [finding] = result.checks
    assert finding.sql.startswith("SELECT (") and '(SELECT t."sex" COLLATE "C" AS "sex"' in finding.sql
    assert result.data.fingerprint_kind == "aggregates" and result.data.connection.engine == "PostgreSQL"
    everything = [recorded.to_toml(), to_json(result), str(compose_annexes(result)), repr(result)]
    assert not [word for word in (PASSWORD, "owner:", "127.0.0.1", "HR_PASSWORD") if word in "\n".join(everything)]


def test_the_sql_of_the_report_gives_the_counts_of_the_check(postgres, named):
    import psycopg

    result = run(plan_of(table="decisions"))
    [finding] = result.checks
    with psycopg.connect(postgres.url.replace("+psycopg", "")) as connection:
        counted = {row[:2]: row[2] for row in connection.execute(finding.sql).fetchall()}
    assert finding.result.protected.positives == counted[True, True]
    assert finding.result.reference.n == counted[False, True] + counted[False, False]


def test_the_numbers_are_those_of_the_same_rows_in_memory(named):
    table = open_connection(find_connection("hr"), table="decisions")
    plan = plan_of(table="decisions")
    far = json.loads(to_json(run(plan)))
    near = json.loads(to_json(run(plan.model_copy(update={"data": DataPlan(source="x")}), table=table.to_pandas())))
    for key in ("result", "strata", "verdict", "sentence"):
        assert far["checks"][0][key] == near["checks"][0][key]


def test_the_report_says_that_the_fingerprint_is_weaker(named, tmp_path):
    result = run(plan_of(table="decisions"))
    shown = str(compose_annexes(result))
    assert (
        say(Message("annex-fingerprint-weak")) in shown and "PostgreSQL" in shown and "FAIRAUDIT_CONNECTIONS" in shown
    )
    assert not against_schema(json.loads(to_json(result)))
    (tmp_path / "tables.zip").write_bytes(to_csv_bundle(result))
    with zipfile.ZipFile(tmp_path / "tables.zip") as bundle:
        assert say(Message("files-weak")) in bundle.read("README.txt").decode()


def test_rows_that_changed_are_noticed(postgres, named):
    postgres.execute("CREATE TABLE changing AS SELECT * FROM decisions")
    plan = plan_of(table="changing")
    recorded = record_data(plan, open_data(plan))
    postgres.execute("UPDATE changing SET granted = 'maybe' WHERE id = 5")
    with pytest.raises(FingerprintError, match=shown("differs-cells").pattern + ".*Either the table"):
        run(recorded)


def test_a_plan_without_the_name_of_a_connection_cannot_open_its_table(postgres_url):
    table = connect_table(postgres_url, table="decisions")
    plan = record_data(plan_of().model_copy(update={"data": DataPlan(source="decisions")}), table)
    assert (plan.data.connection, plan.data.table) == (None, "decisions")
    assert run(plan, table=table).checks
    with pytest.raises(DataError, match="without the name of a connection"):
        open_data(plan)


CHECK = ("--decision", "granted", "--favorable", "yes", "--protected", "sex = 'F'")


def test_the_command_line_checks_describes_and_repeats(named, tmp_path, capsys):
    saved = tmp_path / "plan.toml"
    assert main(["check", "connection:hr/decisions", *CHECK, "--save-plan", str(saved)]) == 0
    assert "1,000" in capsys.readouterr().out
    assert main(["describe", "connection:hr/decisions"]) == 0
    printed = capsys.readouterr().out
    assert "the rows stay in PostgreSQL, connection hr" in printed
    assert "(of columns, number of rows and sums)" in printed
    assert shows(printed, "read-type", column="'notes'", type="json")
    assert main(["describe", "connection:hr/decisions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["connection"]["table"] == "decisions"
    assert main(["run", str(saved), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 10_000
    assert PASSWORD not in saved.read_text() + capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("connection:hr", "need the name of a table"),
        ("connection:hr/none", "is not there"),
        ("connection:other/decisions", "no connection 'other'"),
    ],
)
def test_the_command_line_says_what_is_wrong_in_a_sentence(named, capsys, data, message):
    assert main(["check", data, *CHECK]) == 2
    shown = capsys.readouterr().err
    assert message in shown and "Traceback" not in shown and PASSWORD not in shown


@pytest.mark.parametrize(
    "text",
    [
        '[connections.a]\nurl = "sqlite:///a"\ntables = 5',
        '[connections.a]\nurl = "sqlite:///a"\ntables = {b = 1}',
        '[connections.a]\nurl = "sqlite:///a"\ntimeout = ' + "9" * 5000,
        '[connections.a]\nurl = "sqlite:///a"\ntables = ' + "[" * 5000,
    ],
    ids=["a number", "a table", "a long number", "deep brackets"],
)
def test_file_of_connections_with_other_things_in_it_is_refused_in_a_sentence(text):
    with pytest.raises(ConnectError):
        read_connections(text)
