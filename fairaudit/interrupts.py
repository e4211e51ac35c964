"""Ctrl-C while a command runs: remembered, so that a library that swallows it does not let it go on and write."""

from __future__ import annotations

import signal

_seen: list[int] = []


def listen() -> None:
    """Raise `KeyboardInterrupt` at Ctrl-C from now on, and remember it."""
    signal.signal(signal.SIGINT, _interrupt)


def seen() -> bool:
    """Say whether Ctrl-C was pressed since the command listens."""
    return bool(_seen)


def check() -> None:
    """Raise `KeyboardInterrupt` again where Ctrl-C was pressed and something swallowed it."""
    if _seen:
        raise KeyboardInterrupt


def _interrupt(number: int, _: object) -> None:
    _seen.append(number)
    raise KeyboardInterrupt
