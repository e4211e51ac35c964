"""Whether processes have ended."""

from __future__ import annotations

from pathlib import Path


def has_ended(number: int) -> bool:
    """Return whether there is no such process, or one that has ended and that its parent has not asked for."""
    try:
        return "(zombie)" in Path(f"/proc/{number}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # the second where it goes between opening and reading
        return True
