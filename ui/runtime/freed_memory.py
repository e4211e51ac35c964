"""Memory that was freed: it is written over at once, and given back to the system where that is asked for.

The C library, Python, DuckDB and Arrow each keep what is freed in stores of their own, by themselves with all that it
held, until somebody else needs it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
import stat
import sys
from collections.abc import Callable

STORES = 2
"""How many stores all threads share; by themselves, they take up to eight a processor."""

_AT_START = {
    # Python hands what is small to the C library, too, which writes over what is freed. It does not so with what each
    # thread keeps for itself, so threads keep nothing.
    "PYTHONMALLOC": "malloc",
    "GLIBC_TUNABLES": f"glibc.malloc.arena_max={STORES}:glibc.malloc.perturb=85:glibc.malloc.tcache_count=0",
}
"""What is read as a process begins."""

_LARGEST_KEPT, _MOST_KEPT = 1024, 8
"""From how many bytes on NumPy keeps no array, and one more than it keeps of a size."""

_BEGUN = "_FAIRAUDIT_BEGUN_ANEW"
"""Says to a process that it was begun so."""

_LATER = {
    # By itself, Arrow has stores of its own, one for each thread, and gives back little of those of ended threads.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # DuckDB has its own in any case; it writes over what is freed, and gives it back at once.
    "DUCKDB_JE_MALLOC_CONF": "junk:free,dirty_decay_ms:0,muzzy_decay_ms:0",
}
"""What is read as a library is imported."""


def write_over_what_is_freed() -> None:
    """Let nothing that was freed stay as it was, and let threads share their stores: this begins the process anew.

    Stores that are there stay as they are. So this comes before all that takes long, starts threads or holds data, and
    before Arrow and DuckDB are imported.
    """
    os.environ.update(_LATER)
    if not _of_linux("malloc_trim"):
        return
    if os.environ.pop(_BEGUN, None) is None:
        _begin_anew()
    # Processes apart end with what they held, and are quicker without.
    for name in _AT_START:
        os.environ.pop(name, None)
    global _is_written_over
    _is_written_over = _find_written_over()
    if not _is_written_over:
        sys.stderr.write("  What is freed stays in the memory of this server until the room is needed.\n")


def _begin_anew() -> None:
    _let_go_of_sockets()
    # What was written and not sent would end with this program.
    sys.stdout.flush()
    sys.stderr.flush()
    # Where the system does not allow it, this program goes on as it is.
    with contextlib.suppress(OSError):
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, **_AT_START, _BEGUN: "1"})  # noqa: S606


def _find_written_over() -> bool:
    """Free a text, and look whether its end stays: the system takes variables from some programs, `-E` from Python."""
    looked_at = ctypes.create_string_buffer(64)
    text = bytes(bytearray(b"A" * 400))
    end = id(text) + sys.getsizeof(text) - len(looked_at)
    del text
    ctypes.memmove(looked_at, end, len(looked_at))
    return b"AAAA" not in looked_at.raw


def _let_go_of_sockets() -> None:
    """Let sockets end with this program: Streamlit holds its port already, and would find it taken."""
    for name in os.listdir("/proc/self/fd"):
        # The folder itself was open while it was read.
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode) and int(name) > 2:
                os.set_inheritable(int(name), False)


def is_written_over() -> bool:
    """Whether nothing that was freed stays as it was."""
    return _is_written_over


_is_written_over = False


def give_back() -> None:
    """Look for what is in use no more, and give its memory back to the system."""
    # Patterns that were looked for may be values of a table.
    re.purge()
    # What a session held refers to itself in circles, and is gone only when these are looked for.
    gc.collect()
    _write_over_arrays()
    if trim := _of_linux("malloc_trim"):
        trim(0)


def _write_over_arrays() -> None:
    """Write over what NumPy keeps of small arrays that are gone: it takes that for the next ones of the same size."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        for size in range(1, _LARGEST_KEPT):
            _ = [numpy.full(size, 0x55, numpy.uint8) for _ in range(_MOST_KEPT)]


def _of_linux(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
