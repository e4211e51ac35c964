"""Work for a process apart, which can only be sent functions of modules."""

from __future__ import annotations

import os
import sys
import time

from fairaudit.errors import ConditionError, MissingColumnError
from fairaudit.events import STOP, Finished, Progress, Started

SPEC = {"mark": "bar", "data": {"values": [{}]}}

ERRORS: dict[str, Exception] = {
    "column": MissingColumnError("sxe", ["sex", "age"]),
    "condition": ConditionError("It is wrong", text="a ==", position=2, hint="Write a = 1."),
    "memory": MemoryError(),
    "ours": KeyError("the content of a cell"),
    "end of a file": EOFError(),
    # A text that no process can send.
    "holds what cannot be sent": ConditionError("It is wrong", text=lambda: "a"),  # type: ignore[arg-type]
}


def counting(n):
    """Count in a process whose number is the result, with what it has imported."""
    yield Started("counting", n)
    for done in range(n):
        if (yield Progress("counting", done + 1, n)) is STOP:
            yield Finished(f"best after {done + 1}")
            return
    yield Finished((os.getpid(), "streamlit" in sys.modules))


def failing(name):
    """Raise an error, after one event."""
    yield Started("failing", 1)
    if name == "not sent":
        yield Finished(lambda: None)
        return
    raise ERRORS[name]


def slow(seconds):
    """Take long for one step."""
    yield Started("sleeping", 1)
    time.sleep(seconds)
    yield Finished("done")


def ended(signal=9):
    """End as the system ends what takes too much memory, or what is broken."""
    yield Started("ending", 1)
    os.kill(os.getpid(), signal)


def winding_up(seconds):
    """Take a while to end where it is stopped."""
    while (yield Started("winding up", 1)) is not STOP:
        pass
    time.sleep(seconds)
    yield Finished("best so far")


def taking(n_bytes):
    """Take memory, and say so."""
    yield Started("taking", 1)
    held = bytearray(os.urandom(1)) * n_bytes
    yield Progress("holding", 1, 1)
    yield Finished(len(held))


def drawing(specification):
    """Have a chart drawn."""
    from fairaudit.report.chart_process import svg_of

    yield Started("drawing", 1)
    yield Finished(svg_of(specification))
