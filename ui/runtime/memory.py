"""How much memory the server may take: whoever would need more reads so, and nobody else notices."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from fairaudit.data import subprocess_reader
from fairaudit.data.limits import size_text
from fairaudit.errors import LimitError
from fairaudit.report.chart_process import drawers
from fairaudit.settings import BYTES, MEMORY
from ui.runtime.freed_memory import give_back
from ui.runtime.held_sessions import WORKS
from ui.runtime.processes import LOOK_S, workers

SHARE = 0.8
"""The part of what the machine has that is taken where nothing is said."""

_CGROUP = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

REPORT = 100 * BYTES["MB"]
"""About what making a report takes."""

FIT = 150 * BYTES["MB"]
"""About what a fit takes beside its rows; most of it is the search of one that searches."""

COPIES = 2
"""How often an upload is held while it comes in: as it is sent, and as a file."""

FIT_NUMBER, FIT_TEXT = 200, 400
"""About how many bytes a fit takes for each cell of its rows: columns of texts become several, and are copied."""

HINT = "Try again when others have finished, or bring fewer rows or columns."


def most() -> int:
    """Return the bytes that the server may take: as the administrator says, or most of what the machine has."""
    return MEMORY.value or _usual()


def used() -> int:
    """Return the bytes that the server and its processes apart hold; 0 where the system does not say."""
    return _held_by_workers() + sum(
        _held(process) for process in ("self", *map(str, (*subprocess_reader.readers(), *drawers())))
    )


def left() -> int:
    """Return the bytes that may still be taken."""
    return max(most() - used(), 0)


def ask_for(n_bytes: int, what: str) -> None:
    """Raise an error where something, such as "The table", would take more memory than is left."""
    _make_room(n_bytes)
    if n_bytes > left():
        raise LimitError(f"{what} takes about {size_text(n_bytes)}, and {state_text()}. Nothing was lost.", hint=HINT)


def fit_bytes(X: pd.DataFrame) -> int:
    """Return about how many bytes a fit takes that learns from these rows."""
    n_numbers = sum(map(is_numeric_dtype, X.dtypes))
    return FIT + len(X) * (FIT_NUMBER * n_numbers + FIT_TEXT * (X.shape[1] - n_numbers))


def largest_upload() -> int:
    """Return the bytes of the largest file that can be sent now."""
    return left() // COPIES


def state_text() -> str:
    """Return how much the server holds, and may take."""
    return f"the server holds {size_text(used())} of the {size_text(most())} of memory that it may take"


def refuse_more(what: str) -> None:
    """Raise an error where the server holds more than it may: what goes on is ended before the machine does that."""
    if used() > most():
        _make_room(1)
    if used() > most():
        raise spent(what)


def _make_room(n_bytes: int) -> None:
    """Forget audits that no page shows, those that were left first, until there is so much room."""
    while n_bytes > left() and WORKS.give_way():
        give_back()


def spent(what: str) -> LimitError:
    """Return the error for something that ended as there was no more memory."""
    return LimitError(f"{what} ended, as it takes too much: {state_text()}. Nothing else was lost.", hint=HINT)


@cache
def _usual() -> int:
    """Return most of what the machine has, or the container that the server runs in."""
    found = []
    try:
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        # No machine that nothing is known of is held to a limit.
        found.append(2**62)
    for path in _CGROUP:
        try:
            found.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):
            # "max" where there is no limit.
            continue
    return int(SHARE * min(found))


def _held(process: str) -> int:
    try:
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _held_by_workers() -> int:
    """Return what the processes for long work hold, as it was a moment ago: the system takes long to say."""
    global _looked_at, _seen
    now = time.monotonic()
    if now - _looked_at >= LOOK_S:
        _looked_at, _seen = now, sum(map(_held_alone, workers()))
    return _seen


_looked_at, _seen = 0.0, 0


def _held_alone(process: int) -> int:
    """Return what a process holds, and of what it shares with others its part."""
    try:
        said = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
        return 1024 * int(said.partition("\nPss:")[2].split()[0])
    except (OSError, ValueError, IndexError):
        return _held(str(process))
