"""PostgreSQL, on a real server: types, schemas and views, time limits, cancelling, and what goes wrong."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
import traceback

import pandas as pd
import pytest
from postgres_server import PASSWORD

from fairaudit import Table, check_controlled_fairness
from fairaudit.data.engines import door as door_module
from fairaudit.data.engines import postgres as postgres_module
from fairaudit.data.engines.connect import connect_table, open_door
from fairaudit.errors import ConnectError, FairauditError, InputError, StoppedError

SECRETS = (PASSWORD, "owner", "reader", "wr0ng", "127.0.0.1")
SETUP = r'''
CREATE SCHEMA IF NOT EXISTS personnel;
CREATE TYPE grade AS ENUM ('low', 'high');
CREATE DOMAIN amount AS numeric(10,2);
CREATE EXTENSION IF NOT EXISTS citext;
CREATE TABLE personnel.kinds (
  small int2, number int4, large int8, half float4, real float8, exact numeric(10,2), whole numeric(6,0), free numeric,
  owned amount, ok bool, born date, seen timestamp, moment timestamptz, words text, short varchar(5), fixed char(5),
  mixed citext, grade grade, id uuid, tag name,
  doc json, docs jsonb, list int[], bytes bytea, span interval, clock time, address inet, price money, range int4range
);
INSERT INTO personnel.kinds VALUES
  (1, 2, 9007199254740993, 0.1, 1.5, 12.50, 7, 0.25, 3.50, true, '2014-01-31', '2014-01-31 10:30',
   '2014-01-31 10:30+02', 'Äpfel', 'a', 'ab', 'Abc', 'low', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'n', '{}',
   '{}', '{1}', 'x', '1 day',
   '10:00', '::1', 1, '[1,2)'),
  (NULL, NULL, NULL, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE VIEW personnel.good AS SELECT number, words FROM personnel.kinds;
CREATE VIEW personnel.broken AS SELECT 1 / (number - 2) AS share, words FROM personnel.kinds;
CREATE TABLE "Odd.Name" ("a ""b""" int, "%s" text, "A" int, "a" int);
INSERT INTO "Odd.Name" VALUES (1, '%(x)s', 1, 2);
CREATE TABLE secret (a int);
CREATE TABLE only_json (a json);
INSERT INTO only_json VALUES ('{}');
CREATE TABLE empty (a int);
CREATE TABLE big AS SELECT i AS number, i % 3 AS part FROM generate_series(1, 200000) AS i;
CREATE ROLE reader LOGIN PASSWORD 'only-reads';
GRANT SELECT ON big TO reader;
'''


@pytest.fixture(scope="module", autouse=True)
def tables(postgres):
    postgres.execute(SETUP)


@pytest.fixture
def kinds(postgres_url) -> Table:
    return connect_table(postgres_url, table="personnel.kinds")


def refused(work) -> str:
    """Return the text of the refusal; nothing secret is in it, in its trace, or in what it came from."""
    with pytest.raises(FairauditError) as caught:
        work()
    error = caught.value
    texts = [str(error), repr(error), *(str(argument) for argument in error.args)]
    texts += traceback.format_exception_only(error)
    while error is not None:
        assert isinstance(error, FairauditError), "the driver's error is still there"
        texts += [str(error), repr(error)]
        error = error.__cause__ or error.__context__
    assert not [secret for secret in SECRETS if secret in "\n".join(texts)]
    return str(caught.value)


def test_each_type_has_its_kind(kinds):
    found = {name: column.kind for name, column in kinds.columns.items()}
    numbers = dict.fromkeys(("small", "number", "large", "half", "real", "exact", "whole", "free", "owned"), "number")
    texts = dict.fromkeys(("words", "short", "fixed", "mixed", "grade", "id", "tag"), "text")
    moments = {"born": "date", "seen": "timestamp", "moment": "timestamp"}
    assert found == numbers | {"ok": "boolean"} | moments | texts
    left_out = ("doc", "docs", "list", "bytes", "span", "clock", "address", "price", "range")
    assert [note.split("'")[1] for note in kinds.notes] == list(left_out)
    assert "json values" in kinds.notes[0] and all("left out" in note for note in kinds.notes)


def test_values_are_those_that_a_file_gives(kinds):
    row = kinds.to_pandas().iloc[0]
    assert (row["half"], row["exact"], row["whole"], row["free"], row["owned"]) == (0.1, 12.5, 7, 0.25, 3.5)
    assert row["large"] == 9007199254740993
    assert (row["fixed"], row["mixed"], row["grade"]) == ("ab", "Abc", "low")
    assert str(row["moment"]) == "2014-01-31 08:30:00"
    assert kinds.count("fixed = 'ab' AND length(fixed) = 2") == 1
    assert kinds.count("mixed = 'abc'") == 0


@pytest.mark.parametrize("column", ["half", "real", "exact", "whole", "free"])
def test_nan_is_missing(kinds, column):
    assert kinds.count(f"{column} IS NULL") == 1
    assert kinds.counts([column])["n"].tolist() == [1, 1]
    assert kinds.moments(column, {})["missing"].tolist() == [1]


def test_a_date_without_end_is_the_last_day(postgres, postgres_url):
    postgres.execute(
        "CREATE TABLE ends AS SELECT d, d::timestamp AS s, d::timestamptz AS z FROM (VALUES ('infinity'::date),"
        " ('-infinity'), ('2014-01-31'), (NULL), ('0044-03-15 BC'), ('20000-01-01')) AS v(d)"
    )
    table = connect_table(postgres_url, table="ends")
    assert len(table.fingerprint) == 64
    for name in ("d", "s", "z"):
        assert [str(end)[:10] for end in table.column_range(name)] == ["0001-01-01", "9999-12-31"]
        assert table.counts([table.condition(f"{name} > DATE '2014-01-31'")])["n"].tolist() == [3, 2, 1]


def test_a_view_and_odd_names_can_be_read(postgres_url):
    assert connect_table(postgres_url, table="personnel.good").counts(["words"])["n"].tolist() == [1, 1]
    odd = connect_table(postgres_url, table='"Odd.Name"')
    assert list(odd.columns) == ['a "b"', "%s", "A", "a"]
    assert odd.counts(["%s", "A", "a"]).iloc[0].tolist() == ["%(x)s", 1, 2, 1]


def test_only_tables_that_may_be_read_are_listed(postgres):
    assert {"personnel.kinds", "personnel.good", '"Odd.Name"', "big"} <= set(open_door(postgres.url).tables())
    assert open_door(postgres.url_of("reader", "only-reads")).tables() == ("big",)


def test_a_check_is_one_statement_and_the_report_prints_it(postgres_url, monkeypatch):
    table = connect_table(postgres_url, table="big")
    asked, ask = [], table._engine.door.ask
    monkeypatch.setattr(table._engine.door, "ask", lambda query: asked.append(query) or ask(query))
    good = table.condition("part = 1")
    question = {"decision": "part", "favorable": good, "protected": "number > 100000"}
    found = check_controlled_fairness(table, **question)
    # What the values of a column may mean is asked once.
    assert table.counts_sql([table.condition("number > 100000"), good]) in asked
    asked.clear()
    assert check_controlled_fairness(table, **question) == found
    assert asked == [table.counts_sql([table.condition("number > 100000"), good])]
    assert found.protected.n == 100_000


def test_the_fingerprint_changes_with_a_value_and_not_with_the_order_of_rows(postgres, postgres_url):
    postgres.execute(
        "CREATE TABLE marked AS SELECT i AS a, i / 7.0 AS b, 'x' || i % 5 AS c FROM generate_series(1, 5000) i"
    )
    first = connect_table(postgres_url, table="marked").fingerprint
    assert connect_table(postgres_url, query="SELECT * FROM marked ORDER BY a DESC").fingerprint == first
    postgres.execute("UPDATE marked SET b = b + 0.5 WHERE a = 17")
    changed = connect_table(postgres_url, table="marked").fingerprint
    assert len({first, changed}) == 2
    postgres.execute("ALTER TABLE marked RENAME c TO d")
    assert connect_table(postgres_url, table="marked").fingerprint not in (first, changed)


def test_rows_can_be_changed_by_nobody(postgres_url):
    door = open_door(postgres_url)
    assert "only reads" in refused(lambda: door.ask("DELETE FROM big RETURNING 1"))
    assert door.ask("SHOW transaction_read_only") == [("on",)]
    assert connect_table(postgres_url, table="big").n_rows == 200_000


def test_a_wrong_password_is_refused(postgres):
    text = refused(lambda: connect_table(postgres.url_of("owner", "wr0ng"), table="big"))
    assert text.startswith("The database refuses the user or the password.")


def test_a_password_that_cannot_be_sent_is_refused(postgres):
    text = refused(lambda: connect_table(postgres.url_of("owner", "wr0ng\udcff"), table="big"))
    assert "a character that cannot be read" in text


@pytest.mark.parametrize("option", ["wr0ng=3", "plugin=wr0ng", "sslmode=wr0ng", "service=wr0ng", "port=wr0ng"])
def test_an_option_that_is_not_known_is_refused(postgres, option):
    text = refused(lambda: connect_table(f"{postgres.url}?{option}", table="big"))
    assert text.startswith("The address of the database has ")


def test_a_missing_database_is_refused(postgres):
    text = refused(lambda: connect_table(postgres.url_of("owner", PASSWORD, "nowhere"), table="big"))
    assert "does not exist on this server" in text


def test_a_host_that_is_away_is_refused_at_once(postgres):
    text = refused(lambda: connect_table("postgresql://owner:wr0ng@127.0.0.1:1/x", table="big"))
    assert text.startswith("The database cannot be reached.")


def test_a_host_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(postgres_module, "CONNECT_TIMEOUT", 2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        start = time.monotonic()
        address = f"postgresql://owner:wr0ng@127.0.0.1:{silent.getsockname()[1]}/x"
        assert refused(lambda: connect_table(address, table="big")).startswith("The database cannot be reached.")
        assert time.monotonic() - start < 10


def test_a_table_that_goes_between_two_questions_is_named(postgres, postgres_url):
    postgres.execute("CREATE TABLE passing AS SELECT 1 AS a")
    table = connect_table(postgres_url, table="passing")
    postgres.execute("DROP TABLE passing")
    assert "was removed since it was opened" in refused(lambda: table.counts(["a"]))
    assert "is not there" in refused(lambda: connect_table(postgres_url, table="passing"))
    assert "is not there" in refused(lambda: connect_table(postgres_url, table="nowhere.passing"))


def test_a_column_that_is_renamed_is_refused(postgres, postgres_url):
    postgres.execute("CREATE TABLE renamed AS SELECT 1 AS a, 'x' AS b")
    table = connect_table(postgres_url, table="renamed")
    postgres.execute("ALTER TABLE renamed RENAME a TO z")
    assert "renamed or removed" in refused(lambda: table.counts(["a"]))
    assert table.counts(["b"])["n"].tolist() == [1]


def test_permission_denied_is_refused(postgres):
    address = postgres.url_of("reader", "only-reads")
    assert "does not allow" in refused(lambda: connect_table(address, table="secret"))
    assert "does not allow" in refused(lambda: connect_table(address, table="personnel.kinds"))
    assert connect_table(address, table="big").count("part = 0") == 66_666


def test_a_view_that_fails_is_refused(postgres_url):
    table = connect_table(postgres_url, table="personnel.broken")
    assert "divides by zero" in refused(lambda: table.counts(["share"]))


def test_a_table_without_a_column_or_row_to_count_is_refused(postgres_url):
    assert "no column of numbers" in refused(lambda: connect_table(postgres_url, table="only_json"))
    assert "has no rows" in refused(lambda: connect_table(postgres_url, table="empty"))
    assert "two columns named 'a'" in refused(lambda: connect_table(postgres_url, query="SELECT 1 AS a, 2 AS a"))


def test_what_leaves_the_range_is_refused(postgres_url):
    table = connect_table(postgres_url, table="big")
    with pytest.raises(InputError, match="leaves the range of numbers"):
        table.count("number * 1e308 > 5")
    with pytest.raises(InputError, match="computes a remainder"):
        table.count("number % 0.1 > 0")


@pytest.mark.parametrize(
    ("text", "n"), [("7 % part = 1", 66667), ("round(0.0, 3) % part = 0", 133334), ("7 % 4 = 3", 200000)]
)
def test_remainder_of_a_constant_is_computed(postgres_url, text, n):
    assert connect_table(postgres_url, table="big").count(text) == n


def test_a_question_that_takes_too_long_is_stopped(postgres_url):
    slow = "SELECT a.number FROM big AS a CROSS JOIN big AS b"
    start = time.monotonic()
    text = refused(lambda: connect_table(postgres_url, query=slow, timeout=0.3))
    assert text.startswith("The question took longer than 0.3 seconds and was stopped in PostgreSQL.")
    assert time.monotonic() - start < 10


def test_a_question_can_be_cancelled_in_the_engine(postgres, postgres_url):
    table = connect_table(postgres_url, table="big")
    failures = []

    def ask() -> None:
        try:
            table.aggregate(["(SELECT count(*) FROM big a CROSS JOIN big b)"])
        except FairauditError as error:
            failures.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    running = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'fairaudit' AND query LIKE '%CROSS JOIN%'"
    door = open_door(postgres_url)
    waited = time.monotonic() + 30
    # The question that looks holds the words as well.
    while door.ask(running) == [(1,)] and time.monotonic() < waited:
        pass
    table.cancel()
    thread.join(30)
    assert [type(error) for error in failures] == [StoppedError]
    assert table.count("part = 0") == 66_666


def test_a_question_that_an_administrator_cancels_is_not_said_to_have_taken_too_long(postgres):
    door = open_door(postgres.url, timeout=60)
    answer = door.answer

    def cancelled(connection, query):
        own = connection.info.backend_pid
        threading.Timer(0.3, postgres.execute, [f"SELECT pg_cancel_backend({own})"]).start()
        return answer(connection, query)

    door.answer = cancelled
    assert refused(lambda: door.ask("SELECT pg_sleep(30)")).startswith("The question was cancelled in the database.")


@pytest.mark.parametrize("whole", [False, True], ids=["only what answers", "the whole server"])
@pytest.mark.parametrize(("cancelled", "words"), [(True, "was cancelled"), (False, "The connection was given up")])
def test_a_question_whose_server_stands_still_is_given_up(postgres, monkeypatch, cancelled, words, whole):
    monkeypatch.setattr(door_module, "_GRACE_S", 0.3)
    monkeypatch.setattr(postgres_module, "_CANCEL_TIMEOUT", 1)
    door = open_door(postgres.url, timeout=60 if cancelled else 0.3)
    answer, frozen = door.answer, [postgres.process.pid] if whole else []

    def stand_still(connection, query):
        frozen.insert(0, connection.info.backend_pid)
        for process in frozen:
            os.kill(process, signal.SIGSTOP)
        if cancelled:
            door.cancel()
        return answer(connection, query)

    monkeypatch.setattr(door, "answer", stand_still)
    try:
        with pytest.raises(FairauditError, match=words):
            door.ask("SELECT 1")
    finally:
        for process in frozen:
            os.kill(process, signal.SIGCONT)


def test_a_server_that_takes_the_login_and_then_keeps_silent_is_given_up(monkeypatch):
    monkeypatch.setattr(door_module, "_GRACE_S", 0.3)
    monkeypatch.setattr(postgres_module, "_CANCEL_TIMEOUT", 1)
    # Authentication is well, its key is 1 and 2, it is ready.
    greeting = b"R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\0\0\0\x01\0\0\0\x02Z\0\0\0\x05I"
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []

        def greet() -> None:
            held.append(server.accept()[0])
            held[0].recv(4096)
            held[0].sendall(greeting)

        threading.Thread(target=greet, daemon=True).start()
        address = f"postgresql://owner@127.0.0.1:{server.getsockname()[1]}/x?sslmode=disable&gssencmode=disable"
        with pytest.raises(ConnectError, match=r"neither answered within 0\.3 seconds"):
            open_door(address, timeout=0.3).ask("SELECT 1")
        held[0].close()


def test_no_secret_is_logged_or_shown(postgres, caplog):
    with caplog.at_level(logging.DEBUG):
        table = connect_table(postgres.url, table="big")
        table.counts(["part"])
        refused(lambda: connect_table(postgres.url_of("owner", "wr0ng"), table="big"))
    shown = [caplog.text, repr(table), str(table.connection), str(table.source), *map(str, table.notes)]
    shown += [repr(table._engine), repr(table._engine.door)]
    assert not [secret for secret in SECRETS if secret in "\n".join(shown)]


def test_how_a_role_writes_dates_changes_no_sample(postgres, postgres_url):
    postgres.execute(
        "DROP TABLE IF EXISTS dated",
        "CREATE TABLE dated AS SELECT i AS a, date '2020-01-01' + i AS day FROM generate_series(1, 400) i",
    )
    table = connect_table(postgres_url, table="dated")
    drawn = table.sample(40, by=[], seed=7).table.to_pandas()
    try:
        postgres.execute("ALTER ROLE owner SET datestyle = 'German'")
        again = connect_table(postgres_url, table="dated")
        pd.testing.assert_frame_equal(again.sample(40, by=[], seed=7).table.to_pandas(), drawn)
        assert again.fingerprint == table.fingerprint
    finally:
        postgres.execute("ALTER ROLE owner RESET datestyle")
