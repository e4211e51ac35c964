"""Databases and files that are ended, cut, locked or replaced while a check reads them: the answer, or one sentence."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from postgres_server import started

from fairaudit import AuditPlan, Table, connect_table, read_table, run
from fairaudit.data import Limits
from fairaudit.errors import FairauditError
from fairaudit.plan.audit_plan import DataPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from tests.campaign.cases import is_a_sentence

PLAN = AuditPlan(
    data=DataPlan(source="people"),
    decision=OutcomePlan(column="got", favorable=(1,)),
    checks=(CheckPlan(protected="sex = 'F'", where="pay > 0", strata=("area",), compare=(("area", "sex"),)),),
    report=ReportPlan(quality=False),
)
ROWS = """
SELECT range AS id, CASE WHEN range % 2 = 0 THEN 'F' ELSE 'M' END AS sex, range % 7 AS pay, range % 3 AS area,
  CASE WHEN range % 5 < 2 THEN 1 ELSE 0 END AS got, md5(range::VARCHAR) AS word
FROM range(30000)
"""
MOST_S = 20.0
"""Seconds for which a check is made again and again while something happens to what it reads."""


def answer(table: Table) -> tuple:
    """Return what a check finds."""
    [finding] = run(PLAN, table=table).checks
    result = finding.result
    return result.protected, result.reference, [row.comparison.difference for row in finding.strata.strata]


def ends_with(table: Table, harm: Callable[[], object], *, goes_on: bool = False) -> str | None:
    """Check again and again while something happens, and return the sentence that it ends with; None if it goes on."""
    right, failures, wrong = answer(table), [], []
    begun, harmed = threading.Event(), threading.Event()

    def check() -> None:
        until = time.monotonic() + MOST_S
        more = 2
        while time.monotonic() < until and more:
            begun.set()
            more -= harmed.is_set()
            try:
                if answer(table) != right:
                    wrong.append(table)
            except Exception as error:  # noqa: BLE001 - looked at below
                failures.append(error)
                return

    thread = threading.Thread(target=check)
    thread.start()
    begun.wait()
    time.sleep(0.1)
    harm()
    harmed.set()
    thread.join(3 * MOST_S)
    assert not thread.is_alive() and not wrong
    if not failures:
        assert goes_on
        return None
    [error] = failures
    assert isinstance(error, FairauditError) and is_a_sentence(error), repr(error)
    return error.message


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, bytes]:
    """The same rows as each kind of file."""
    folder = tmp_path_factory.mktemp("made")
    connection = duckdb.connect(str(folder / "duckdb"))
    connection.execute(f"CREATE TABLE people AS {ROWS}")
    for kind in ("parquet", "csv"):
        connection.execute(f"COPY people TO '{folder / kind}' (FORMAT {kind})")
    # SQLite takes longer for each.
    rows = connection.execute("SELECT * FROM people WHERE id < 10000").fetchall()
    connection.close()
    lite = sqlite3.connect(folder / "sqlite")
    lite.execute("CREATE TABLE people (id INTEGER, sex TEXT, pay INTEGER, area INTEGER, got INTEGER, word TEXT)")
    lite.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", rows)
    lite.commit()
    lite.close()
    return {kind: (folder / kind).read_bytes() for kind in ("duckdb", "parquet", "csv", "sqlite")}


def opened(kind: str, path: Path) -> Table:
    if kind in ("sqlite", "duckdb"):
        return connect_table(f"{kind}:///{path}", table="people", timeout=30)
    return read_table(path, limits=Limits(in_place_bytes=0))


def cut(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.truncate(path.stat().st_size // 2)


def empty(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.truncate(0)


def spoil(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as stream:
        stream.write(os.urandom(size))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    other.replace(path)


@pytest.mark.parametrize("harm", [cut, empty, spoil, replace, Path.unlink], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "parquet", "csv"])
def test_a_file_that_is_harmed_while_it_is_read_gives_the_answer_or_a_sentence(made, tmp_path, kind, harm):
    path = tmp_path / "people"
    path.write_bytes(made[kind])
    table = opened(kind, path)
    right = answer(table)
    # What a cut took away, or spoilt, may be what nobody asks for.
    said = ends_with(table, lambda: harm(path), goes_on=harm in (cut, spoil))
    assert said is not None or kind == "duckdb"
    path.write_bytes(made[kind])
    assert answer(opened(kind, path)) == right


def test_a_writer_that_locks_an_sqlite_file_is_named_and_nothing_is_lost(made, tmp_path):
    path = tmp_path / "people"
    path.write_bytes(made["sqlite"])
    table = connect_table(f"sqlite:///{path}", table="people", timeout=8)
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    assert "Another program is writing" in ends_with(table, lambda: writer.execute("BEGIN EXCLUSIVE"))
    writer.execute("ROLLBACK")
    writer.close()
    assert answer(table) == answer(opened("sqlite", path))


def test_a_program_that_writes_into_a_duckdb_file_is_named_and_nothing_is_lost(made, tmp_path):
    path = tmp_path / "people"
    path.write_bytes(made["duckdb"])
    table = opened("duckdb", path)
    right = answer(table)
    code = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print(1, flush=True); sys.stdin.read()"
    writer = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert writer.stdout.readline()
        with pytest.raises(FairauditError, match="another program may be writing"):
            answer(table)
    finally:
        writer.communicate()
    assert answer(table) == right


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A server that is ended many times."""
    with started(tmp_path_factory.mktemp("postgres") / "server") as server:
        rows = ROWS.replace("range(30000)", "generate_series(0, 29999) AS range").replace("::VARCHAR", "::TEXT")
        server.execute(f"CREATE TABLE people AS {rows}", "CHECKPOINT")
        yield server


@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_a_server_that_is_ended_is_said_in_a_sentence_and_answers_when_it_is_back(postgres, how):
    table = connect_table(postgres.url, table="people", timeout=10)
    right = answer(table)

    def end() -> None:
        postgres.process.send_signal(how)
        postgres.process.wait(30)

    assert ends_with(table, end) is not None
    # What a killed server leaves of itself ends a moment later.
    for _ in range(50):
        try:
            postgres.serve()
            break
        except RuntimeError:
            time.sleep(0.2)
    assert answer(table) == right


def test_a_server_that_stands_still_is_given_up_and_answers_when_it_goes_on(postgres):
    table = connect_table(postgres.url, table="people", timeout=1)
    right = answer(table)
    children = Path(f"/proc/{postgres.process.pid}/task/{postgres.process.pid}/children")

    def signal_all(how: signal.Signals) -> None:
        for pid in [postgres.process.pid, *map(int, children.read_text().split())]:
            os.kill(pid, how)

    try:
        assert ends_with(table, lambda: signal_all(signal.SIGSTOP)) is not None
    finally:
        signal_all(signal.SIGCONT)
    assert answer(table) == right


@pytest.mark.parametrize("ended", ["pg_terminate_backend", "pg_cancel_backend"])
def test_a_question_that_an_administrator_ends_is_said_in_a_sentence(postgres, ended):
    table = connect_table(postgres.url, table="people")
    right = answer(table)
    others = f"SELECT {ended}(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%people%'"

    def end() -> None:
        for _ in range(200):
            postgres.execute(others)
            time.sleep(0.005)

    # It may end between two questions each time.
    ends_with(table, end, goes_on=True)
    assert answer(table) == right


@pytest.mark.parametrize(
    ("harm", "mend"),
    [
        ("ALTER TABLE people RENAME TO gone", "ALTER TABLE gone RENAME TO people"),
        ("ALTER TABLE people RENAME pay TO wage", "ALTER TABLE people RENAME wage TO pay"),
        ("ALTER TABLE people ALTER got TYPE text", "ALTER TABLE people ALTER got TYPE integer USING got::integer"),
    ],
)
def test_a_table_that_is_changed_while_it_is_read_is_said_in_a_sentence(postgres, harm, mend):
    table = connect_table(postgres.url, table="people")
    assert ends_with(table, lambda: postgres.execute(harm)) is not None
    postgres.execute(mend)
    assert answer(connect_table(postgres.url, table="people"))
