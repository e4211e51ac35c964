"""A named connection looks its secrets up for each question and keeps none."""

from __future__ import annotations

import gc
import threading
from types import FunctionType, ModuleType

import pytest
from postgres_server import PASSWORD

from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.door import NamedDoor
from fairaudit.data.engines.named import open_connection, read_connections
from fairaudit.errors import ConnectError

PATIENCE_S = 20


class SlowDoor:
    """A way to an engine that answers when it is cancelled."""

    def __init__(self) -> None:
        self.cancelled, self.asked = threading.Event(), threading.Event()

    def ask(self, query: str) -> list[tuple]:
        self.asked.set()
        assert self.cancelled.wait(PATIENCE_S)
        return [(query,)]

    def end(self) -> None:
        self.cancelled.set()


def test_cancelling_reaches_the_question_that_is_asked_and_no_earlier_one():
    doors: list[SlowDoor] = []
    begun = threading.Event()

    def open_door() -> SlowDoor:
        doors.append(SlowDoor())
        begun.set()
        return doors[-1]

    named = NamedDoor(open_door)
    asking = threading.Thread(target=named.ask, args=("first",))
    asking.start()
    assert begun.wait(PATIENCE_S) and doors[0].asked.wait(PATIENCE_S)
    named.cancel()
    asking.join(PATIENCE_S)
    assert not asking.is_alive() and doors[0].cancelled.is_set()
    doors[0].cancelled.clear()
    named.cancel()
    assert not doors[0].cancelled.is_set()


def test_a_question_that_is_cancelled_while_its_way_is_opened_is_ended():
    door = SlowDoor()

    def open_door() -> SlowDoor:
        named.cancel()
        return door

    named = NamedDoor(open_door)
    named.ask("any")
    assert door.cancelled.is_set()


def test_secret_is_read_for_each_question_and_not_held_by_the_table(postgres, monkeypatch):
    postgres.execute("CREATE TABLE held AS SELECT 1 AS a")
    [connection] = read_connections(
        f'[connections.hr]\nurl = "postgresql://127.0.0.1:{postgres.port}/postgres"\nuser = "HR_USER"\n'
        'password = "HR_PASSWORD"\n'
    )
    monkeypatch.setenv("HR_USER", "owner")
    monkeypatch.setenv("HR_PASSWORD", PASSWORD)
    table = open_connection(connection, table="held")
    monkeypatch.setenv("HR_PASSWORD", "another")
    with pytest.raises(ConnectError):
        table.count("a = 1")
    monkeypatch.setenv("HR_PASSWORD", PASSWORD)
    assert table.count("a = 1") == 1
    assert PASSWORD not in texts_within(table)
    # An address with a password that a program gives is kept: what is looked for would be found.
    assert PASSWORD in texts_within(connect_table(postgres.url, table="held"))


def texts_within(root: object) -> set[str]:
    """Return every text that an object holds, however deep, without what modules and classes hold."""
    seen, texts, waiting = set(), set(), [root]
    while waiting:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, (type, ModuleType)):
            continue
        seen.add(id(part))
        if isinstance(part, str):
            texts.add(part)
        waiting += (part.__closure__ or ()) if isinstance(part, FunctionType) else gc.get_referents(part)
    return texts
