"""Turns at long work: so many fits at once in the whole server, and a line of those that wait."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.settings import FITS_AT_ONCE

LOOK_S = 0.5
"""How often it is looked whether one that waits was given up."""

MOST_S = 20.0
"""How long a turn is held where others wait: nobody waits for the whole of a long search."""


def fits_at_once() -> int:
    """Return how many fits are made at once: as the administrator says, or so that one processor draws pages."""
    return FITS_AT_ONCE.value or max(1, _n_processors() - 1)


def _n_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Line:
    """How many have a turn, and how many wait before one that waits.

    Examples
    --------
    >>> print(Line(2, 0))
    Number 1 in the line, 2 at work.
    """

    n_working: int
    n_before: int

    def __str__(self) -> str:
        return say(Message("job-number", {"n": Count(self.n_before + 1), "working": Count(self.n_working)}))


class Turns:
    """Turns at long work: `n` at a time, in the order in which they were asked for, those first whom a page awaits.

    A session asks for one at a time, so none takes all of them while others wait; where others wait, a turn is held
    for at most `most_s`.
    """

    def __init__(self, n: int, *, most_s: float = MOST_S):
        self.n, self.most_s = n, most_s
        self.working: set[Turn] = set()
        self.waiting: deque[Turn] = deque()
        self.changed = threading.Condition()

    def before(self, turn: Turn) -> list[Turn]:
        """Return those that wait before one that waits."""
        there, away = ([each for each in self.waiting if each.is_away() is is_away] for is_away in (False, True))
        order = there + away
        return order[: order.index(turn)]

    @contextmanager
    def turn(self, is_away: Callable[[], bool] = lambda: False) -> Iterator[Turn]:
        """Give what asks for a turn, and gives it back at the end of the ``with``.

        `is_away` says whether no page awaits its work, which then lets all others go first.
        """
        turn = Turn(self, is_away)
        try:
            yield turn
        finally:
            turn.give_back()


class Turn:
    """A turn, or a place in the line for one, from :meth:`Turns.turn`; `is_away` says that no page awaits the work."""

    def __init__(self, turns: Turns, is_away: Callable[[], bool]):
        self._turns = turns
        self.is_away = is_away
        self._since = 0.0

    @property
    def line(self) -> Line | None:
        """Where it stands while it waits; None while it does not."""
        turns = self._turns
        with turns.changed:
            return Line(len(turns.working), len(turns.before(self))) if self in turns.waiting else None

    def take(self, is_given_up: Callable[[], bool]) -> bool:
        """Wait for the turn and return True; or False, as soon as it is given up."""
        turns = self._turns
        with turns.changed:
            turns.waiting.append(self)
            try:
                while not is_given_up():
                    if len(turns.working) < turns.n and not turns.before(self):
                        turns.working.add(self)
                        self._since = time.monotonic()
                        return True
                    turns.changed.wait(LOOK_S)
                return False
            finally:
                turns.waiting.remove(self)
                turns.changed.notify_all()

    def hold(self, is_given_up: Callable[[], bool]) -> bool:
        """Go on with the turn, after those that wait where it is due; False once it is given up."""
        with self._turns.changed:
            goes_on = self in self._turns.working and not self._is_due
        if goes_on:
            return not is_given_up()
        self.give_back()
        return self.take(is_given_up)

    def let_go(self) -> None:
        """Give the turn back where it is due and no page awaits the work: its next step waits for another turn."""
        with self._turns.changed:
            is_due = self.is_away() and self._is_due
        if is_due:
            self.give_back()

    @property
    def _is_due(self) -> bool:
        """Whether others wait, and it was held for long or no page awaits the work while one awaits theirs."""
        turns = self._turns
        if self.is_away() and not all(each.is_away() for each in turns.waiting):
            return True
        return bool(turns.waiting) and time.monotonic() - self._since >= turns.most_s

    def give_back(self) -> None:
        """Give the turn back, where it is held."""
        with self._turns.changed:
            self._turns.working.discard(self)
            self._turns.changed.notify_all()


TURNS = Turns(fits_at_once())
"""Those of this server at fits and searches."""

REPORTS = Turns(1)
"""Reports of all sessions are made one after another: two would take twice the memory, and as long."""
