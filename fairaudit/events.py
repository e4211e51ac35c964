"""What long work yields while it runs; the caller draws it, stores it or lets it pass.

A generator of events yields `Started` once, `Progress` and `Incumbent` as often as it likes and `Finished` last.
Where work can end early, the caller may send `STOP` instead of asking for the next event: the work then finishes with
the best it has, or raises :class:`~fairaudit.errors.StoppedError` if it has nothing yet. Closing the generator gives
everything up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar


class Command(Enum):
    """What a caller may send to a generator of events."""

    STOP = "stop"


STOP: Final = Command.STOP
"""Finish now, with the best there is."""


@dataclass(frozen=True)
class Started:
    """Work has begun.

    Parameters
    ----------
    what : str
        The work, in words.
    total : int
        The number of steps that will follow.
    """

    what: str
    total: int


@dataclass(frozen=True)
class Progress:
    """A step begins, after `done` of `total` steps.

    Parameters
    ----------
    what : str
        The step that begins now, in words; never the content of a row.
    done : int
        Steps that are complete.
    total : int
        All steps, the same as in `Started`.
    part : str
        Of a step within another one, the outermost that has words, in which this is a detail.
    """

    what: str
    done: int
    total: int
    part: str = ""

    @property
    def briefly(self) -> str:
        """The step in one phrase, without its details."""
        return self.part or self.what


@dataclass(frozen=True)
class Incumbent:
    """A search has tried or found something that can be drawn while it goes on.

    Parameters
    ----------
    what : str
        What was found, in words; never the content of a row.
    figures : mapping of str to float
        Its figures by name, the same names in each event of a search.
    best : bool
        Whether it is the best so far.
    """

    what: str
    figures: Mapping[str, float] = field(default_factory=dict)
    best: bool = False


@dataclass(frozen=True)
class Finished:
    """The work is complete.

    Parameters
    ----------
    result : object
        What the work was for, such as an :class:`~fairaudit.audit.result.AuditResult`.
    """

    result: Any


Event = Started | Progress | Incumbent | Finished
SearchEvent = Progress | Incumbent


def result_of(events: Iterable[Event]) -> Any:
    """Let work run to its end, and return its result."""
    result = None
    for event in events:
        if isinstance(event, Finished):
            result = event.result
    return result


Returned = TypeVar("Returned")
Seen = TypeVar("Seen", bound=Event)

Searching = Generator[SearchEvent, Command | None, Returned]
"""A search that is a part of longer work: it returns what it found."""


def returned(work: Generator[object, None, Returned]) -> Returned:
    """Let work run to its end, and return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def iter_relay(
    part: Generator[Seen, Command | None, Returned], translate: Callable[[Seen], SearchEvent | None]
) -> Searching[tuple[Returned, bool]]:
    """Run a part of longer work, yielding each event as `translate` makes it, but None.

    It returns what the part returns, and whether the caller stopped it.
    """
    command, stopped = None, False
    with closing(part):
        while True:
            try:
                event = part.send(command)
            except StopIteration as end:
                return end.value, stopped
            shown = translate(event)
            command = None if shown is None else (yield shown)
            stopped = stopped or command is STOP
