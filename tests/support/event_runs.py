"""Generators of events, run to their end or stopped on the way."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from fairaudit.events import STOP, Finished, Progress

Events = Generator[Any, Any, Any]


def driven(events: Events, *, stop: Callable[[list[Any]], bool] | None = None) -> tuple[list[Any], Any]:
    """Return all events and what is returned at the end; send STOP after each event where `stop` says so of all."""
    seen: list[Any] = []
    command = None
    while True:
        try:
            seen.append(events.send(command))
        except StopIteration as end:
            return seen, end.value
        command = STOP if stop is not None and stop(seen) else None


def returned(events: Events) -> Any:
    """Run to the end and return what is returned there."""
    return driven(events)[1]


def drain(events: Events, *, stop_at: int | None = None) -> list[Any]:
    """Return all events; send STOP at each step from `stop_at` on."""
    if stop_at is None:
        return driven(events)[0]
    return driven(events, stop=lambda seen: isinstance(seen[-1], Progress) and seen[-1].done >= stop_at)[0]


def stopped_at(events: Events, when: Callable[[Any], bool]) -> Any:
    """Send STOP with the first event that `when` holds for, and return the result."""
    command, sent = None, False
    while not isinstance(event := events.send(command), Finished):
        command = STOP if not sent and when(event) else None
        sent = sent or command is STOP
    assert sent
    return event.result
