"""Plans of tables that stay in their database: what they are compared with, and how a report says to repeat them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from shown import shown, shows

import fairaudit.data.quality
from fairaudit import AuditPlan, run
from fairaudit.cli.main import main
from fairaudit.data import ReadOptions
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.named import find_connection, open_connection
from fairaudit.errors import FingerprintError
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.data import compare_data, open_data, record_data
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Code, Paragraph
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.annexes import data_blocks, repeat_blocks
from fairaudit.report.json_export import to_json
from fairaudit.settings import CONNECTIONS

N = 240
PLAN = AuditPlan(
    data=DataPlan(source="connection:hr", connection="hr", table="decisions"),
    decision=OutcomePlan(column="granted", favorable=("yes",)),
    checks=(CheckPlan(protected="sex = 'F'"),),
)


@pytest.fixture
def address(tmp_path: Path, monkeypatch) -> str:
    """An SQLite file with decisions, and the connection "hr" to it."""
    rows = [("FM"[i % 2], 20 + i % 40, "yes" if i % 3 else "no") for i in range(N)]
    with sqlite3.connect(tmp_path / "hr.sqlite") as connection:
        connection.execute("CREATE TABLE decisions (sex TEXT, age INTEGER, granted TEXT)")
        connection.executemany("INSERT INTO decisions VALUES (?, ?, ?)", rows)
    connection.close()
    found = f"sqlite:///{tmp_path / 'hr.sqlite'}"
    (tmp_path / "connections.toml").write_text(f'[connections.hr]\nurl = "{found}"\n')
    monkeypatch.setenv(CONNECTIONS.variable, str(tmp_path / "connections.toml"))
    return found


def execute(address: str, statement: str) -> None:
    with sqlite3.connect(address.removeprefix("sqlite:///")) as connection:
        connection.execute(statement)
    connection.close()


def test_a_row_that_comes_before_the_fingerprint_does_not_accuse_the_plan(address):
    table = open_connection(find_connection("hr"), table="decisions")
    execute(address, "INSERT INTO decisions VALUES ('F', 30, 'yes')")
    recorded = record_data(PLAN, table)
    assert recorded.data.n_rows == N and open_data(recorded).n_rows == N + 1
    assert run(recorded).data.mismatch is None
    execute(address, "INSERT INTO decisions VALUES ('F', 30, 'yes')")
    with pytest.raises(FingerprintError, match=f"{N + 2} rows instead of {N}"):
        run(recorded)


def test_a_plan_of_an_earlier_version_reads_days_as_it_did(address):
    execute(address, "ALTER TABLE decisions ADD COLUMN day TEXT DEFAULT '2024-01-31'")
    named, options = find_connection("hr"), ReadOptions(rules=1)
    before = record_data(PLAN, open_connection(named, table="decisions", options=options))
    before = before.model_copy(update={"data": before.data.model_copy(update={"reading": ReadOptions()})})
    table = open_data(before)
    assert (table.columns["day"].kind, table.source.options.rules) == ("text", 1)
    assert run(before).data.mismatch is None
    assert open_data(PLAN).columns["day"].kind == "date"


def test_a_changed_record_of_columns_is_still_shown(address):
    recorded = record_data(PLAN, open_data(PLAN))
    changed = recorded.model_copy(
        update={"data": recorded.data.model_copy(update={"columns": ("sex", "granted", "age")})}
    )
    with pytest.raises(FingerprintError, match="The plan was changed"):
        run(changed)


def test_fingerprints_of_a_file_and_of_a_table_in_a_database_are_not_compared(address, tmp_path):
    table = open_data(PLAN)
    table.to_pandas().to_csv(tmp_path / "decisions.csv", index=False)
    recorded = record_data(PLAN, table)
    said = shown("differs-kind", recorded="database").pattern
    with pytest.raises(FingerprintError, match=said + r".*cannot be seen\."):
        run(recorded, table=open_data(recorded, data=tmp_path / "decisions.csv"))
    of_file = record_data(
        PLAN.model_copy(update={"data": DataPlan(source="decisions.csv")}),
        open_data(recorded, data=tmp_path / "decisions.csv"),
    )
    mismatch = compare_data(of_file, table, ignore_fingerprint=True).mismatch
    assert shows(mismatch, "differs-kind", recorded="file") and not shows(mismatch, "differs-cells")
    execute(address, "DELETE FROM decisions WHERE age > 50")
    with pytest.raises(FingerprintError, match=r"cannot be seen; \d+ rows instead of 240\."):
        run(of_file, table=open_data(PLAN))


def test_repeated_rows_that_were_not_looked_for_are_not_shown_as_none(address, monkeypatch):
    monkeypatch.setattr(fairaudit.data.quality, "DUPLICATE_ROWS_IN_ENGINE", N - 1)
    result = run(PLAN)
    assert result.quality.duplicate_rows is None
    assert json.loads(to_json(result))["quality"]["duplicate_rows"] is None
    assert ("Rows that repeat an earlier one", "not looked for") in data_blocks(result)[0].rows


@pytest.mark.parametrize("place", [{"table": "decisions"}, {"query": "SELECT * FROM decisions WHERE age < 50"}])
def test_an_audit_without_the_name_of_a_connection_is_repeated_as_its_report_says(address, tmp_path, place):
    table = connect_table(address, **place)
    result = run(record_data(PLAN.model_copy(update={"data": DataPlan(source="x")}), table), table=table)
    blocks = repeat_blocks(result)
    shown = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert say(Message("annex-repeat-python")) in shown
    code, *_ = [block.text for block in blocks if isinstance(block, Code)]
    (tmp_path / "plan.toml").write_text(result.plan.to_toml())
    made: dict = {}
    exec(code.replace("PATH", str(tmp_path)).replace("ADDRESS", repr(address)), made)
    assert to_json(made["result"]) == to_json(result)
    named = " ".join(block.text for block in repeat_blocks(run(PLAN)) if isinstance(block, Paragraph))
    assert say(Message("annex-repeat-database")) in named


def test_the_command_line_says_that_remedies_are_of_a_sample(address, tmp_path, capsys):
    models = ModelsPlan(protected="sex = 'F'", features=("age",), sample_rows=120)
    PLAN.model_copy(update={"models": models, "remedies": (PlainPlan(),)}).save(tmp_path / "plan.toml")
    assert main(["run", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "The data stay in SQLite" in shown and "120 of" in shown
