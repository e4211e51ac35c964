"""A question can be stopped whenever: while its connection is opened, before the engine begins, while it answers."""

from __future__ import annotations

import sqlite3
import threading

import duckdb
import pytest
from shown import shows

from fairaudit.data.engines.connect import open_door
from fairaudit.data.engines.door import FoundColumn, describe
from fairaudit.errors import ConnectError, StoppedError

ENDLESS = "SELECT count(*) FROM numbers a, numbers b, numbers c WHERE (a.i * b.i + c.i) % 3 = 5"


@pytest.fixture(params=["sqlite", "duckdb"])
def door(request, sqlite_url, duckdb_url):
    """A way to a file with numbers, of each kind."""
    url, connect = {"sqlite": (sqlite_url, sqlite3.connect), "duckdb": (duckdb_url, duckdb.connect)}[request.param]
    connection = connect(url.partition(":///")[2])
    connection.execute(
        "CREATE TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        " SELECT i FROM n"
    )
    connection.commit()
    connection.close()
    return open_door(url, timeout=60)


def test_a_question_that_is_cancelled_while_its_connection_is_opened_is_not_asked(door, monkeypatch):
    opened, asked = door.open, []

    def open_slowly():
        door.cancel()
        return opened()

    monkeypatch.setattr(door, "open", open_slowly)
    monkeypatch.setattr(door, "answer", lambda *question: asked.append(question))
    with pytest.raises(StoppedError):
        door.ask("SELECT 1")
    assert not asked


def test_an_engine_that_misses_the_first_interrupt_is_interrupted_again(door, monkeypatch):
    interrupt, seen = door.interrupt, []

    def miss_the_first(connection) -> None:
        seen.append(connection)
        if len(seen) > 1:
            interrupt(connection)

    monkeypatch.setattr(door, "interrupt", miss_the_first)
    begun, answer = threading.Event(), door.answer

    def say_that_it_begins(connection, query):
        begun.set()
        return answer(connection, query)

    monkeypatch.setattr(door, "answer", say_that_it_begins)
    failures = []

    def ask() -> None:
        try:
            door.ask(ENDLESS)
        except StoppedError as error:
            failures.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    assert begun.wait(30)
    door.cancel()
    asking.join(30)
    assert failures and len(seen) > 1


def test_cancelling_stops_no_later_question(door):
    door.cancel()
    assert door.ask("SELECT count(*) FROM numbers") == [(3000,)]


def test_a_door_that_was_ended_answers_nothing_more(door):
    door.end()
    with pytest.raises(StoppedError):
        door.ask("SELECT count(*) FROM numbers")


def test_columns_that_cannot_be_used_are_left_out_with_a_note():
    found = describe(
        [
            FoundColumn("a", ("t.a", "number"), "integer"),
            FoundColumn("b", None, "json"),
            FoundColumn("c", ("t.c", "text"), "any", "Column 'c' is read as text."),
        ]
    )
    assert [column.name for column in found.columns] == [column.name for column in found.read] == ["a", "c"]
    left_out, as_text = found.notes
    assert shows(left_out, "read-type", column="'b'", type="json")
    assert as_text == "Column 'c' is read as text."


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([FoundColumn("a", ("t.a", "number"), "int")] * 2, "two columns named 'a'"),
        ([FoundColumn("a", None, "json")], "no column of numbers"),
        ([], "no column of numbers"),
    ],
)
def test_what_cannot_be_a_table_is_refused(columns, message):
    with pytest.raises(ConnectError, match=message):
        describe(columns)
