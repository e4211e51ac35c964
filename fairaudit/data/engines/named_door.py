"""The way to a named connection: its secrets are looked up for each question, and none is kept in between."""

from __future__ import annotations

import threading
from collections.abc import Callable

from fairaudit.data.engines.door import Door


class NamedDoor:
    """What a table asks through whose connection an administrator named.

    Parameters
    ----------
    open_door : callable
        Opens the way with the secrets of now; it holds them only while a question is answered.
    """

    def __init__(self, open_door: Callable[[], Door]):
        self._open_door = open_door
        self._lock = threading.Lock()
        self._open: set[Door] = set()

    def ask(self, query: str) -> list[tuple]:
        """Answer one statement, see :meth:`fairaudit.data.engines.door.Door.ask`."""
        door = self._open_door()
        with self._lock:
            self._open.add(door)
        try:
            return door.ask(query)
        finally:
            with self._lock:
                self._open.discard(door)

    def cancel(self) -> None:
        """Stop every question that is being answered."""
        with self._lock:
            doors = list(self._open)
        for door in doors:
            door.cancel()
