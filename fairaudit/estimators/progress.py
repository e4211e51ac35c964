"""The parts of longer work: their progress as steps of the whole."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any

from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress

TOTAL = 100
"""Steps of a search, for those who draw how far it is: how many rounds it will take is not known before."""


def iter_stage(
    events: Generator[Event, Command | None, Any], *, start: int, end: int
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass on the events of a stage, which returns what it found, its progress as steps of the whole."""
    command, stopped, done = None, False, start
    with closing(events):
        while True:
            try:
                event = events.send(command)
            except StopIteration as ending:
                return ending.value, stopped
            command = None
            if isinstance(event, Progress):
                share = min(event.done / max(event.total, 1), 1.0)
                done = max(done, start + int((end - start) * share))
                command = yield Progress(event.what, done, TOTAL)
            elif isinstance(event, Incumbent):
                command = yield event
            stopped = stopped or command is STOP


def iter_part(
    events: Generator[Event, Command | None, None], *, start: int, end: int, total: int
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass on the events of a fit, which ends with :class:`Finished`, its progress as steps of the whole."""
    result, stopped, command = None, False, None
    with closing(events):
        while True:
            try:
                event = events.send(command)
            except StopIteration:
                return result, stopped
            command = None
            if isinstance(event, Finished):
                result = event.result
            elif isinstance(event, Progress):
                done = start + (end - start) * event.done // max(event.total, 1)
                command = yield Progress(event.what, done, total)
                stopped = stopped or command is STOP
            elif isinstance(event, Incumbent):
                command = yield event
                stopped = stopped or command is STOP
