"""Turns at long work: so many fits at once in the whole server, and a line of those that wait."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fairaudit.errors import InputError
from fairaudit.present.numbers import number_word

VARIABLE = "FAIRAUDIT_FITS_AT_ONCE"
"""Names how many fits are made at once; by default one fewer than there are processors."""

LOOK_S = 0.5
"""How often it is looked whether one that waits was given up."""

MOST_S = 20.0
"""How long a turn is held where others wait: nobody waits for the whole of a long search."""


def fits_at_once() -> int:
    """Return how many fits are made at once: as the administrator says, or so that one processor draws pages."""
    said = os.environ.get(VARIABLE, "").strip()
    if not said:
        return max(1, _n_processors() - 1)
    if not (said.isascii() and said.isdigit() and int(said) > 0):
        raise InputError(f"{VARIABLE} must be a whole number of at least 1, got {said!r}.")
    return int(said)


def _n_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Line:
    """Where one that waits stands.

    Parameters
    ----------
    n_working : int
        How many have a turn.
    n_before : int
        How many wait before it.

    Examples
    --------
    >>> print(Line(2, 0))
    Two others are computing; yours is next.
    >>> print(Line(1, 3))
    One other is computing, and three wait before yours.
    """

    n_working: int
    n_before: int

    def __str__(self) -> str:
        if not self.n_working:
            return "Yours is next."
        others = "other is" if self.n_working == 1 else "others are"
        working = f"{number_word(self.n_working)} {others} computing".capitalize()
        if not self.n_before:
            return f"{working}; yours is next."
        return f"{working}, and {number_word(self.n_before)} {'waits' if self.n_before == 1 else 'wait'} before yours."


class Turns:
    """Turns at long work: so many at a time, in the order in which they were asked for.

    A session asks for one at a time, so none takes all of them while others wait.

    Parameters
    ----------
    n : int
        How many may be held at once.
    most_s : float
        How long one is held where others wait.
    """

    def __init__(self, n: int, *, most_s: float = MOST_S):
        self.n, self.most_s = n, most_s
        self.working: set[Turn] = set()
        self.waiting: deque[Turn] = deque()
        self.changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Give what asks for a turn, and gives it back at the end of the ``with``."""
        turn = Turn(self)
        try:
            yield turn
        finally:
            turn.give_back()


class Turn:
    """A turn, or a place in the line for one. From :meth:`Turns.turn`.

    Parameters
    ----------
    turns : Turns
        What it is one of.
    """

    def __init__(self, turns: Turns):
        self._turns = turns
        self._since = 0.0

    @property
    def line(self) -> Line | None:
        """Where it stands while it waits; None while it does not."""
        turns = self._turns
        with turns.changed:
            return Line(len(turns.working), turns.waiting.index(self)) if self in turns.waiting else None

    def take(self, is_given_up: Callable[[], bool]) -> bool:
        """Wait for the turn and return True; or False, as soon as it is given up."""
        turns = self._turns
        with turns.changed:
            turns.waiting.append(self)
            try:
                while not is_given_up():
                    if len(turns.working) < turns.n and turns.waiting[0] is self:
                        turns.working.add(self)
                        self._since = time.monotonic()
                        return True
                    turns.changed.wait(LOOK_S)
                return False
            finally:
                turns.waiting.remove(self)
                turns.changed.notify_all()

    def hold(self, is_given_up: Callable[[], bool]) -> bool:
        """Go on with the turn, after those that wait where it was held for long; False once it is given up."""
        turns = self._turns
        with turns.changed:
            is_due = bool(turns.waiting) and time.monotonic() - self._since >= turns.most_s
        if not is_due:
            return not is_given_up()
        self.give_back()
        return self.take(is_given_up)

    def give_back(self) -> None:
        """Give the turn back, where it is held."""
        with self._turns.changed:
            self._turns.working.discard(self)
            self._turns.changed.notify_all()


TURNS = Turns(fits_at_once())
"""Those of this server."""
