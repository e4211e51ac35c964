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
        self._passages: set[_Passage] = set()

    def ask(self, query: str) -> list[tuple]:
        """Answer one statement, see :meth:`fairaudit.data.engines.door.Door.ask`."""
        passage = _Passage()
        with self._lock:
            self._passages.add(passage)
        try:
            return passage.through(self._open_door()).ask(query)
        finally:
            with self._lock:
                self._passages.discard(passage)

    def cancel(self) -> None:
        """Stop every question that is being answered, or about to be."""
        with self._lock:
            passages = list(self._passages)
        for passage in passages:
            passage.end()


class _Passage:
    """One question's way, which can be ended before it is open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._door: Door | None = None
        self._ended = False

    def through(self, door: Door) -> Door:
        with self._lock:
            self._door = door
            if self._ended:
                door.end()
        return door

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._door is not None:
                self._door.end()
