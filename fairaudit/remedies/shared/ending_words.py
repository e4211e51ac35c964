"""How a search for a rule set or a tree ended, in words."""

from __future__ import annotations

from typing import Any

STATUS_WORDS = {
    "gap": "all steps taken, a distance to the proven bound is left",
    "time_limit": "time limit reached",
    "stopped": "stopped by a person",
}
"""The ends that any search can have, for a cell of a table."""

_ENDS = {
    "gap": "The search took all of its steps; with the same data, settings and software it gives the same {}.",
    "time_limit": "The search ran out of time; repeating it may give another {}, above all on another computer.",
    "stopped": "The search was stopped by a person; repeating it may give another {}.",
}


def end_sentence(status: str, noun: str) -> str:
    """Return how a search ended that proved nothing to be the best, and whether repeating it gives the same again.

    Examples
    --------
    >>> end_sentence("stopped", "tree")
    'The search was stopped by a person; repeating it may give another tree.'
    """
    return _ENDS[status].format(noun)


def cut_short(details: Any) -> bool:
    """Say whether a search ran out of time or was stopped, so that repeating it may give something else."""
    return details.status in ("time_limit", "stopped")
