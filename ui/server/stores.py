"""Memory that was freed: the C library keeps it in stores of its own, few of them here, and gives it back if asked."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable

STORES = 2
"""How many stores all threads share; by themselves, they take up to eight a processor."""

_M_ARENA_MAX = -8
"""What ``mallopt`` calls the number of stores."""

_ARROW = "ARROW_DEFAULT_MEMORY_POOL"
"""Names from where Arrow takes its memory."""


def hold_few_stores() -> None:
    """Let threads share their stores: what one holds free, a thread with another one asks the system for anew.

    Stores that are there stay, so this comes before all that starts threads, and before Arrow is imported: by itself,
    it has stores of its own, one for each thread, and gives back little of those whose threads have ended.
    """
    os.environ[_ARROW] = "system"
    if allow := _of_linux("mallopt"):
        allow(_M_ARENA_MAX, STORES)


def give_back_stores() -> None:
    """Give what stores hold free back to the system."""
    if trim := _of_linux("malloc_trim"):
        trim(0)


def give_back() -> None:
    """Look for what is in use no more, and give its memory back to the system."""
    # What a session held refers to itself in circles, and is gone only when these are looked for.
    gc.collect()
    give_back_stores()


def _of_linux(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
